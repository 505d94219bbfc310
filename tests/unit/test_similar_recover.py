"""Choosing which pull requests may have fixed an issue, and on which branches merges count."""

from datetime import timedelta

import pytest

from services.tracker.similar.link import Pull, link, pull_statistics
from services.tracker.similar.recover import Recovery, condensed
from services.tracker.workers.heavy.frames import BadFrameError, packed, received, sizes
from services.tracker.workers.reading_order import Point
from services.tracker.workers.record_pages import highest, is_on_trunk, trunks
from tests.support.similar import REPO, START, background, report
from tests.support.tracker_record import NOW


def pull(number: int, title: str, **given: object) -> Pull:
    facts = {"merged_at": START + timedelta(days=100 + number % 50)} | given
    return Pull(f"{REPO}#{number}", number, title, **facts)


def recovery(*pulls: Pull) -> Recovery:
    found = Recovery({REPO: 10_000})
    for each in pulls:
        found.add(each)
    return found


OTHERS = [pull(1_000 + place, each.title, body=each.body) for place, each in enumerate(background())]


def test_the_best_links_are_those_of_weighing_every_change() -> None:
    pulls = [*OTHERS, pull(2_000, "Renew the quorum lease in time"), pull(2_001, "Drop the ledger of followers")]
    issue = report(90, "quorum lease is not renewed", "It ends too early.", closed_at=START + timedelta(days=101))
    whole = link(issue, pulls, pull_statistics(pulls), {REPO: 10_000}, most=5)
    assert [each.pull for each in recovery(*pulls).links(issue, most=5)] == [each.pull for each in whole]


def test_a_change_without_a_common_word_is_found_by_its_number_or_its_diff() -> None:
    named = pull(2_000, "Second try", body="Closes #90")
    touching = pull(
        2_001, "Tidy up", diff=condensed("@@ -1 +1 @@\n-def renew_lease(self):\n+def renew_lease(self, now):")
    )
    issue = report(90, "It ends too early", "See `renew_lease`.")
    found = recovery(*OTHERS, named, touching).links(issue, most=2)
    assert [each.pull for each in found] == [named.source_id, touching.source_id]


def test_only_later_changes_are_given_where_a_time_is_given() -> None:
    old, new = (pull(2_000 + n, "Renew the quorum lease", merged_at=START + timedelta(days=100 + n)) for n in (0, 9))
    issue = report(90, "quorum lease is not renewed")
    found = recovery(old, new).links(issue, most=5, since=START + timedelta(days=105))
    assert [each.pull for each in found] == [new.source_id]


def test_a_diff_is_condensed_to_its_words() -> None:
    assert condensed("+foo(bar)\n-foo(bar, baz)\n a") == "foo bar baz"
    assert len(condensed(" ".join(f"word{n}" for n in range(100_000)))) <= 20_000


def test_trunks_are_where_changes_go_in_the_first_place() -> None:
    counted = [("main", 80), ("release/1.2", 200), ("feature/x", 1), ("develop", 40)]
    known = trunks({"repo": REPO, "base": base, "merges": count} for base, count in counted)
    assert known == {REPO: {"main", "develop"}}
    assert is_on_trunk({"source_id": f"{REPO}#1", "base_ref": "main"}, known)
    assert not is_on_trunk({"source_id": f"{REPO}#1", "base_ref": "release/1.2"}, known)


def test_where_no_branch_is_known_every_merge_counts() -> None:
    known = trunks([{"repo": REPO, "base": "", "merges": 5}])
    assert is_on_trunk({"source_id": f"{REPO}#1", "base_ref": None}, known)


def test_the_largest_number_is_of_issues_and_changes_together() -> None:
    rows = [{"repo": REPO, "number": 5}, {"repo": REPO, "number": 9}, {"repo": "Org/b", "number": None}]
    assert highest(rows) == {REPO: 9, "Org/b": 0}


def test_a_message_comes_out_as_it_went_in_and_a_cut_one_is_the_end() -> None:
    class Stream:
        def __init__(self, data: bytes) -> None:
            self.data = data

        def read(self, count: int) -> bytes:
            taken, self.data = self.data[:count], self.data[count:]
            return taken

    sent = packed({"job": "x", "at": NOW}, b"\x00\x01")
    assert received(Stream(sent)) == ({"job": "x", "at": "2026-05-04T09:30:00+00:00"}, b"\x00\x01")
    for length in range(len(sent)):
        assert received(Stream(sent[:length])) is None
    with pytest.raises(BadFrameError):
        sizes(b"\xff" * 8)


@pytest.mark.parametrize("text", ["", "{}", "[1]", "x", '["a", 2]', "null"])
def test_a_point_that_cannot_be_read_is_the_beginning(text: str) -> None:
    assert Point.read(text) == Point()


def test_a_run_begins_a_while_before_the_last_and_never_in_the_future() -> None:
    now = int(NOW.timestamp() * 1e6)
    assert Point(now - 10, "a").before(NOW, 3_600) == Point(now - 10 - 3_600_000_000)
    assert Point(now + 10**12, "a").before(NOW, 3_600) == Point(now - 3_600_000_000)
    assert Point().before(NOW, 3_600) == Point()
