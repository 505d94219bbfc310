"""Items that texts name, and what pull requests say that they close."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.similar.closing import CLOSES, Bounds, claims, closed_numbers
from services.tracker.similar.mentions import mentions, names

REPO = "Acme/kv"
BOUNDS = Bounds({REPO: 500, "Acme/web": 90})


def _reasons(body: str, **given: object) -> list[tuple[str, int, str]]:
    return [(claim.repo, claim.number, claim.reason) for claim in claims("", body, REPO, BOUNDS, **given)]


@pytest.mark.parametrize(
    "verb", ["close", "closes", "closed", "fix", "fixes", "fixed", "resolve", "resolves", "resolved", "Fixes", "CLOSES"]
)
def test_every_tense_closes(verb: str) -> None:
    assert _reasons(f"{verb} #12") == [(REPO, 12, CLOSES)]
    assert _reasons(f"{verb}: GH-12") == [(REPO, 12, CLOSES)]


@pytest.mark.parametrize(
    "reference",
    ["#12", "GH-12", "Acme/kv#12", "https://github.com/Acme/kv/issues/12", "[#12](x)", "issue #12",
     "https://git.acme.io/Acme/kv/-/issues/12"],
)  # fmt: skip
def test_every_form_of_a_reference_closes(reference: str) -> None:
    assert _reasons(f"Fixes {reference}")[0] == (REPO, 12, CLOSES)


def test_another_repository_of_the_record_can_be_closed() -> None:
    assert _reasons("Closes Acme/web#9") == [("Acme/web", 9, CLOSES)]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("see #12", "mention"),
        ("`fixes #12`", "code_span"),
        ("```\nfixes #12\n```", "code_block"),
        ("<!-- fixes #12 -->", "html_comment"),
        ("> fixes #12", "quote"),
        ("does not fix #12", "negated"),
        ("doesn't fix #12", "negated"),
        ("partially fixes #12", "negated"),
        ("fixes #9999", "out_of_range"),
        ("fixes #0", "out_of_range"),
        ("fixes Other/x#3", "other_tracker"),
        ("fixes ABC-12", "other_tracker"),
        ("fixes https://bugs.acme.io/show_bug.cgi?id=12", "other_tracker"),
        ("fixes https://github.com/Acme/kv/issues/12#issuecomment-3", "link_to_comment"),
    ],
)
def test_what_only_looks_like_closing_is_evidence_with_its_reason(body: str, reason: str) -> None:
    assert [found for _, _, found in _reasons(body)] == [reason]


def test_a_pr_that_was_merged_elsewhere_closes_nothing() -> None:
    found = claims("Fixes #12", "", REPO, Bounds({REPO: 500}, merged_elsewhere=True))
    assert [claim.reason for claim in found] == ["merged_elsewhere"]


def test_a_revert_closes_nothing() -> None:
    assert [claim.reason for claim in claims('Revert "Fix #12"', "", REPO, BOUNDS)] == ["revert"]


def test_only_the_reference_after_the_word_is_closed() -> None:
    assert _reasons("Fixes #12 and #13") == [(REPO, 12, CLOSES), (REPO, 13, "mention")]


@pytest.mark.parametrize(
    ("branch", "expected"),
    [
        ("fix/123-foo", [(123, CLOSES)]),
        ("user/fixes_48", [(48, CLOSES)]),
        ("bugfix/GH-47", [(47, CLOSES)]),
        ("issue-44", [(44, "mention")]),
        ("fix-2024-01-02", []),
        ("release/1.2", []),
        ("main", []),
    ],
)
def test_branches_name_items(branch: str, expected: list) -> None:
    found = [(claim.number, claim.reason) for claim in claims("", "", REPO, BOUNDS, branch=branch)]
    assert [item for item in found if item[1] != "out_of_range"] == expected


def test_commits_and_titles_close_too() -> None:
    found = claims("Fix #3", "", REPO, BOUNDS, commits=["resolves #4"])
    assert closed_numbers(found, "acme/KV") == {3, 4}


@pytest.mark.parametrize("text", ["&#123;", "#12ab", "color #fff", "v#1.2", "C# 3", "UTF-8 SHA-256 ISO-8601", "a/b/c#"])
def test_what_is_no_reference_is_none(text: str) -> None:
    assert mentions(text, REPO) == []


def test_a_key_names_the_item_whose_link_ends_in_it() -> None:
    (found,) = mentions("as in CORE-12")
    assert names(found, "Acme/kv#7", "https://jira.acme.io/browse/CORE-12")
    assert not names(found, "Acme/kv#12", "")


@given(
    st.text() | st.from_regex(r"(fixes |not |`|#\d+|GH-\d+|a/b#\d+|https://x\.y/a/b/issues/\d+|\n)*", fullmatch=True)
)
def test_no_text_breaks_the_claims(text: str) -> None:
    claims(text, text, REPO, BOUNDS, commits=[text], branch=text)
