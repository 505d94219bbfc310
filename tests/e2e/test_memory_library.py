"""`Memory` on a folder and on a server: one suite, the same results."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from loom import LoomError
from loom.memory import Memory
from tests.support.memory_library import PREFERENCE, Bound
from tests.support.server import Server

DOORS = ("embedded", "remote")
THEN = "2026-01-02T03:04:05Z"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("library") / "mem"


@pytest.fixture(scope="module")
def embedded(folder: Path) -> Iterator[Memory]:
    with Memory.from_path(folder) as mem:
        yield mem


@pytest.fixture(scope="module")
def remote(server: Server) -> Iterator[Memory]:
    with Memory.connect(server.base_url) as mem:
        yield mem


@pytest.fixture(params=DOORS)
def mem(request: pytest.FixtureRequest, namespace: str) -> Bound:
    return Bound(request.getfixturevalue(request.param), namespace)


@pytest.fixture
def both(embedded: Memory, remote: Memory, namespace: str) -> list[Bound]:
    return [Bound(embedded, namespace), Bound(remote, namespace)]


# Saving


def test_a_first_save_is_created_and_is_read_back_whole(mem: Bound) -> None:
    saved = mem.mem_save(**PREFERENCE, observed_at=THEN)
    assert (saved.outcome, saved.topic_key, saved.notice, saved.similar) == ("created", "user/alice/greeting", "", ())
    found = mem.mem_get_observation(observation_id=saved.id)
    assert 0 < found.id == saved.id < 2**53
    assert (found.user_id, found.session_id, found.source) == ("alice", saved.session_id, "saved")
    assert (found.type, found.title, found.content) == tuple(PREFERENCE[k] for k in ("type", "title", "content"))
    assert found.created_at == found.updated_at == "2026-01-02T03:04:05.000000Z"
    assert found.revision_count == 1


def test_other_text_under_a_topic_is_an_update_in_place(mem: Bound) -> None:
    first = mem.mem_save(**PREFERENCE)
    second = mem.mem_save(**{**PREFERENCE, "content": "Alice likes to be greeted in Spanish."})
    assert (second.outcome, second.id, second.session_id) == ("updated", first.id, first.session_id)
    found = mem.mem_get_observation(observation_id=first.id)
    assert (found.content, found.revision_count) == ("Alice likes to be greeted in Spanish.", 2)
    assert found.created_at < found.updated_at


def test_the_same_text_again_changes_nothing_and_says_what_was_kept(mem: Bound) -> None:
    first = mem.mem_save(**PREFERENCE)
    again = mem.mem_save(**PREFERENCE)
    renamed = mem.mem_save(**{**PREFERENCE, "title": "Another"})
    assert [(save.outcome, save.id) for save in (again, renamed)] == [("deduped", first.id)] * 2
    assert again.notice == ""
    assert "title" in renamed.notice
    found = mem.mem_get_observation(observation_id=first.id)
    assert (found.title, found.revision_count) == ("Greeting", 1)


def test_without_a_topic_the_same_text_of_the_same_type_is_one_memory(mem: Bound) -> None:
    args = {"title": "T", "content": "The build needs node 22."}
    first, again = mem.mem_save(type="discovery", **args), mem.mem_save(type="discovery", **args)
    other = mem.mem_save(type="pattern", **args)
    assert (first.outcome, again.outcome, again.id) == ("created", "deduped", first.id)
    assert (other.outcome, other.id == first.id) == ("created", False)


def test_private_text_is_gone_before_it_is_compared(mem: Bound) -> None:
    save = {**PREFERENCE, "content": "The key is <private>k-1</private>."}
    first, again = mem.mem_save(**save), mem.mem_save(**{**save, "content": "The key is <PRIVATE>k-2</private>."})
    assert (again.outcome, again.id) == ("deduped", first.id)
    assert mem.mem_get_observation(observation_id=first.id).content == "The key is [REDACTED]."


# Sessions


def test_a_session_is_begun_once_gone_on_with_and_ended_with_its_summary(mem: Bound) -> None:
    first = mem.mem_session_start()
    assert (first.is_new, first.sessions_context, first.memories) == (True, (), ())
    saved = mem.mem_save(**PREFERENCE)
    again = mem.mem_session_start()
    assert (again.is_new, again.session_id, saved.session_id) == (False, first.session_id, first.session_id)
    assert [memory.id for memory in again.memories] == [saved.id]
    assert 0 < again.memories[0].score <= 1
    ended = mem.mem_session_end(summary="Learnt how to greet.")
    assert (ended.session_id, ended.summary, ended.is_auto_generated) == (
        first.session_id,
        "Learnt how to greet.",
        False,
    )
    assert ended.started_at <= ended.ended_at
    after = mem.mem_session_start()
    assert (after.is_new, after.session_id == first.session_id) == (True, False)
    [past] = after.sessions_context
    assert (past.session_id, past.date, past.summary) == (first.session_id, ended.ended_at, "Learnt how to greet.")


def test_a_summary_is_a_memory_and_the_session_goes_on(mem: Bound) -> None:
    session = mem.mem_session_start()
    saved = mem.mem_session_summary(summary="x" * 81)
    found = mem.mem_get_observation(observation_id=saved.id)
    assert (saved.outcome, saved.session_id) == ("created", session.session_id)
    assert (found.type, found.title, found.content) == ("summary", "x" * 77 + "...", "x" * 81)
    assert mem.mem_session_start().is_new is False


def test_ending_without_a_session_is_a_lookup_error(mem: Bound) -> None:
    with pytest.raises(LookupError, match="no active session") as raised:
        mem.mem_session_end(summary="Nothing.")
    assert isinstance(raised.value.__cause__, LoomError)
    assert raised.value.__cause__.code == "SESSION_NOT_FOUND"


# Reading


def test_another_users_memory_and_a_missing_one_are_both_none(mem: Bound) -> None:
    saved = mem.mem_save(**PREFERENCE)
    assert mem.mem_get_observation(user_id="bob", observation_id=saved.id) is None
    assert mem.mem_get_observation(org="other", observation_id=saved.id) is None
    assert mem.mem_get_observation(namespace="other", observation_id=saved.id) is None
    assert mem.mem_get_observation(observation_id=saved.id + 1) is None
    assert mem.mem_timeline(user_id="bob", observation_id=saved.id) == mem.mem_timeline(observation_id=saved.id + 1)
    assert len(mem.mem_timeline(user_id="bob", observation_id=saved.id)) == 0


def test_a_timeline_has_the_memory_among_its_neighbours_in_order(mem: Bound) -> None:
    ids = [
        mem.mem_save(type="discovery", title=f"T{n}", content=f"Fact {n}", observed_at=f"2026-01-0{n + 1}T00:00:00Z").id
        for n in range(7)
    ]
    shown = mem.mem_timeline(observation_id=ids[3], before=2, after=1)
    assert [row.id for row in shown] == ids[1:5]
    assert [row.title for row in shown.observations] == ["T1", "T2", "T3", "T4"]
    assert [row.id for row in mem.mem_timeline(observation_id=ids[3])] == ids
    assert [row.id for row in mem.mem_timeline(observation_id=ids[3], before=0, after=0)] == [ids[3]]


def test_stats_count_only_the_users_own(mem: Bound) -> None:
    mem.mem_save(**PREFERENCE)
    mem.mem_save(type="decision", title="T", content="We use uv.")
    mem.mem_save(user_id="bob", type="decision", title="T", content="We use pip.")
    counted = mem.mem_stats()
    assert (counted.observations, counted.sessions) == (2, 1)
    assert counted.by_type == {"preference": 1, "decision": 1}
    assert mem.mem_stats(user_id="nobody").observations == 0


def test_a_save_is_found_by_the_very_next_search_and_by_its_user_alone(mem: Bound) -> None:
    saved = mem.mem_save(**PREFERENCE)
    mem.mem_save(type="decision", title="Database", content="We store rows in ClickHouse.")
    found = mem.mem_search(query="greeted French", limit=5)
    assert found[0].id == saved.id
    assert 0 < found[0].score <= 1
    assert "French" in found[0].snippet
    assert "lexical" in found.leg_status
    assert saved.id not in {hit.id for hit in mem.mem_search(query="greeted French", types_exclude=["preference"])}
    assert not mem.mem_search(user_id="bob", query="greeted French")


def test_what_was_current_then_is_found_as_of_then_and_the_current_text_comes_without(mem: Bound) -> None:
    old = mem.mem_save(**PREFERENCE, observed_at="2026-01-01T00:00:00Z")
    mem.mem_save(
        **{**PREFERENCE, "content": "Alice likes to be greeted in Spanish."}, observed_at="2026-02-01T00:00:00Z"
    )
    now, then = mem.mem_search(query="greeted in"), mem.mem_search(query="greeted in", as_of="2026-01-15T00:00:00Z")
    assert [hit.id for hit in now] == [hit.id for hit in then] == [old.id]
    assert ("Spanish" in now[0].snippet, "French" in then[0].snippet) == (True, True)
    assert not mem.mem_search(query="greeted in", as_of="2025-12-31T00:00:00Z")


def test_nothing_relevant_is_no_hit_at_a_sensible_score(mem: Bound) -> None:
    mem.mem_save(**PREFERENCE)
    assert not mem.mem_search(query="kubernetes ingress timeout", min_score=0.5)
    assert mem.mem_search(query="greeted in French", min_score=0.5)


def test_another_wording_of_a_fact_is_saved_and_the_stored_one_is_offered(mem: Bound) -> None:
    first = mem.mem_save(type="decision", title="Tabs", content="We indent Go code with tabs.")
    second = mem.mem_save(type="decision", title="Tabs", content="We indent all Go code with tabs, always.")
    assert second.outcome == "created"
    [like] = second.similar
    assert (like.id, like.title, like.topic_key) == (first.id, "Tabs", None)
    assert 0 < like.similarity <= 1


@pytest.mark.parametrize("query", ['"', "AND", "*", "a-b", "foo:bar", "(", "' OR 1=1 --", "{x:String}", "ß", "%"])
def test_any_text_is_a_query(mem: Bound, query: str) -> None:
    mem.mem_search(query=query)


# Errors

INVALID: list[tuple[str, dict[str, Any], str]] = [
    ("mem_save", {**PREFERENCE, "content": " "}, "content"),
    ("mem_save", {**PREFERENCE, "content": ""}, "content"),
    ("mem_save", {**PREFERENCE, "content": "x" * 50_001}, "50000"),
    ("mem_save", {**PREFERENCE, "title": "\n"}, "title"),
    ("mem_save", {**PREFERENCE, "type": "mood"}, "type"),
    ("mem_save", {**PREFERENCE, "type": "summary"}, "type"),
    ("mem_save", {**PREFERENCE, "topic_key": " "}, "topic_key"),
    ("mem_save", {**PREFERENCE, "topic_key": ""}, "topic_key"),
    ("mem_save", {**PREFERENCE, "observed_at": "yesterday"}, "observed_at"),
    ("mem_save", {**PREFERENCE, "observed_at": datetime(2026, 1, 1)}, "observed_at"),
    ("mem_save", {**PREFERENCE, "content": 7}, "content"),
    ("mem_session_end", {"summary": " "}, "summary"),
    ("mem_session_summary", {"summary": ""}, "summary"),
    ("mem_search", {"query": " "}, "query"),
    ("mem_search", {"query": "q", "limit": 0}, "limit"),
    ("mem_search", {"query": "q", "limit": 101}, "limit"),
    ("mem_search", {"query": "q", "types": ["decision"], "types_exclude": ["pattern"]}, "types_exclude"),
    ("mem_search", {"query": "q", "types": "decision"}, "types"),
    ("mem_search", {"query": "q", "min_score": 2}, "min_score"),
    ("mem_get_observation", {"observation_id": 0}, "observation_id"),
    ("mem_get_observation", {"observation_id": -1}, "observation_id"),
    ("mem_get_observation", {"observation_id": "x"}, "observation_id"),
    ("mem_timeline", {"observation_id": 0}, "observation_id"),
    ("mem_timeline", {"observation_id": 1, "before": -1}, "before"),
]


@pytest.mark.parametrize(("method", "args", "named"), INVALID)
def test_a_bad_argument_is_a_value_error_that_names_it(mem: Bound, method: str, args: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named) as raised:
        getattr(mem, method)(**args)
    assert isinstance(raised.value.__cause__, LoomError)
    assert raised.value.__cause__.code in ("INVALID_FIELD", "MISSING_FIELD", "FIELD_TOO_LONG")
    assert mem.mem_stats().observations == 0


def test_both_say_the_same_of_a_bad_argument(both: list[Bound]) -> None:
    for method, args, _ in INVALID:
        errors = []
        for mem in both:
            with pytest.raises(ValueError) as raised:
                getattr(mem, method)(**args)
            cause = raised.value.__cause__
            errors.append((str(raised.value), cause.code, cause.category, cause.http_status, cause.metadata))
        assert errors[0] == errors[1]


def test_the_same_calls_give_the_same_results(both: list[Bound]) -> None:
    def told(mem: Bound) -> list[Any]:
        saves = [
            mem.mem_save(**PREFERENCE, observed_at=THEN),
            mem.mem_save(
                **{**PREFERENCE, "content": "In Spanish, é ß 中文 🙂."}, observed_at="2026-01-03T00:00:00+02:00"
            ),
            mem.mem_save(**{**PREFERENCE, "content": "An earlier one."}, observed_at="2026-01-01T00:00:00Z"),
            mem.mem_save(type="decision", title="Half \ud800", content="Tabs\tand\nlines\x00", observed_at=THEN),
        ]
        reads = [mem.mem_get_observation(observation_id=save.id) for save in saves]
        found = mem.mem_search(query="greeted in French", as_of="2026-01-02T12:00:00Z").leg_status.get("lexical")
        return [*saves, *reads, mem.mem_timeline(observation_id=saves[0].id), mem.mem_stats(), found]

    embedded, remote = (told(mem) for mem in both)
    assert embedded == remote


# Threads and addresses


def test_threads_share_one_memory_and_no_text_is_lost(mem: Bound) -> None:
    texts = [f"Text {n}" for n in range(24)]
    with ThreadPoolExecutor(8) as threads:
        saves = list(threads.map(lambda text: mem.mem_save(**{**PREFERENCE, "content": text}), texts))
    assert len({save.id for save in saves}) == len({save.session_id for save in saves}) == 1
    assert sorted(save.outcome for save in saves) == ["created"] + ["updated"] * 23
    assert mem.mem_get_observation(observation_id=saves[0].id).revision_count == 24


def test_a_server_that_is_not_there_is_a_runtime_error(unused_tcp_port_url: str) -> None:
    with Memory.connect(unused_tcp_port_url, timeout=0.001) as mem, pytest.raises(RuntimeError) as raised:
        mem.mem_save(**PREFERENCE, user_id="alice")
    assert raised.value.__cause__.code == "CONNECTION_FAILED"


@pytest.fixture
def unused_tcp_port_url() -> str:
    from tests.support.stub_server import unused_url

    return unused_url()
