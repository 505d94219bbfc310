"""A directory that does not answer closes writes and restricted namespaces; open reads live on what was heard."""

from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any

import pytest

from tests.support.guarded import OK, ORG, Answer, Grpc, Http
from tests.support.internal import check_with
from tests.support.processes import Program
from tests.support.split import Split, split, until

DOWN = "UPSTREAM_UNAVAILABLE"
RECORD = {"tool_name": "Bash", "tool_input": {"command": "ls"}}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Split]:
    with split(tmp_path_factory.mktemp("split")) as running:
        yield running


@pytest.fixture
async def http(cluster: Split) -> AsyncIterator[Http]:
    door = cluster.http()
    yield door
    await door.aclose()


@pytest.fixture
async def grpc(cluster: Split) -> AsyncIterator[Grpc]:
    door = cluster.grpc(cluster.observe)
    yield door
    await door.aclose()


def kill(cluster: Split) -> Callable[[], None]:
    cluster.directory.kill()
    return lambda: cluster.restart(cluster.directory)


def freeze(cluster: Split) -> Callable[[], None]:
    cluster.directory.freeze()
    return cluster.directory.thaw


async def prepared(cluster: Split, http: Http, prefix: str) -> str:
    """A token that may write to `<prefix>-open` and `<prefix>-restricted`, both there and written to.

    The outage of another test may have ended a moment ago: what is closed for it opens by itself.
    """
    names = [f"{prefix}-open", f"{prefix}-restricted"]
    token = cluster.keys.token(dict.fromkeys(names, "admin"), sub="owner")
    for name in names:
        args = {"org": ORG, "namespace": name, "restricted": name.endswith("restricted")}
        await until(partial(works, http, "namespace.create", args, token))
        await until(partial(works, http, "observe.record", {"namespace": name, **RECORD}, token))
    return token


async def works(http: Http, op: str, args: dict[str, Any], token: str) -> bool:
    answer = await http.call(op, args, token)
    assert answer.code in {OK, DOWN, "CIRCUIT_OPEN", "DEADLINE_EXCEEDED"}, answer
    return answer.code == OK


def is_unavailable(answer: Answer) -> bool:
    return answer.code == DOWN and answer.value["metadata"].get("origin") == "directory"


@pytest.mark.parametrize("outage", [kill, freeze])
async def test_without_the_directory_writes_and_restricted_reads_are_refused_and_come_back(
    cluster: Split, http: Http, grpc: Grpc, outage: Callable[[Split], Callable[[], None]]
) -> None:
    prefix = outage.__name__
    token = await prepared(cluster, http, prefix)
    opened, restricted = {"namespace": f"{prefix}-open"}, {"namespace": f"{prefix}-restricted"}
    assert (await grpc.call("observe.list", opened, token)).code == OK
    recover = outage(cluster)
    try:
        # Never answered from what was heard before, and alike for one that does not exist.
        answers = [await grpc.call("observe.list", {"namespace": restricted["namespace"]}, token)]
        answers.append(await grpc.call("observe.list", {"namespace": "no-such-restricted"}, token))
        assert all(is_unavailable(answer) for answer in answers)
        assert {**answers[0].value, "request_id": ""} == {**answers[1].value, "request_id": ""}
        assert (answers[0].value["retryable"], answers[0].value["category"]) == (True, "unavailable")

        async def writes_are_refused() -> bool:
            return is_unavailable(await grpc.call("observe.record", {**opened, **RECORD}, token))

        await until(writes_are_refused)

        async def reads_are_refused() -> bool:
            answer = await grpc.call("observe.list", opened, token)
            assert answer.code == OK or is_unavailable(answer)
            return answer.code == DOWN

        # Open ones are answered from what was heard, for as long as that is kept.
        await until(reads_are_refused)
        assert (await http.call("observe.list", opened, token)).code in {DOWN, "CIRCUIT_OPEN"}
        assert (await http.call("ops.health", {})).code == OK
    finally:
        recover()

    await until(partial(works, http, "observe.record", {**restricted, **RECORD}, token))
    assert (await grpc.call("observe.list", opened, token)).code == OK


async def test_an_internal_rpc_wants_the_key_that_planes_share(cluster: Split) -> None:

    good = cluster.keys.folder.joinpath("internal.key").read_text().strip()
    bearer = f"Bearer {cluster.keys.admin()}"
    codes = [await check_with(cluster.directory.grpc, header) for header in (None, "Internal x", bearer)]
    assert codes == ["TOKEN_MISSING", "TOKEN_INVALID", "TOKEN_MISSING"]
    assert await check_with(cluster.directory.grpc, f"Internal {good}") == OK
    assert await check_with(cluster.directory.grpc, f"Internal {good}0") == "TOKEN_INVALID"


async def test_what_a_plane_decides_is_what_one_process_decides(cluster: Split, http: Http, grpc: Grpc) -> None:
    reader = cluster.keys.token({"shared": "viewer"}, sub="reader")
    writer = cluster.keys.token({"shared": "writer"}, sub="writer")
    record = {"namespace": "shared", **RECORD}
    for door in (http, grpc):
        assert (await door.call("observe.record", record)).code == "TOKEN_MISSING"
        assert (await door.call("observe.record", record, reader)).code == "ROLE_REQUIRED"
        assert (await door.call("observe.record", record, writer)).code == OK
        assert (await door.call("observe.list", {"namespace": "shared"}, reader)).code == OK
        assert (await door.call("observe.list", {"namespace": "else"}, reader)).code == "NAMESPACE_FORBIDDEN"


def test_a_plane_with_keys_and_no_directory_does_not_start(cluster: Split, tmp_path) -> None:
    env = {name: value for name, value in cluster.observe.env.items() if name != "LOOM_DIRECTORY"}
    program = Program("services.observe", "observe", tmp_path / "log", env).launch()
    assert program.process.wait(30) != 0
    program.process.stdout.close()
    assert "LOOM_DIRECTORY" in (tmp_path / "log").read_text()
