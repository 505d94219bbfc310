"""What is taken away ends everywhere within seconds, and keys change without a lost call."""

import asyncio
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import jwt
import pytest

from runtime.access import MAX_AGE_S
from runtime.directory import EVERY_S, TIMEOUT_S
from runtime.jwks import CHECK_S
from runtime.keys import new_key, retire_key
from runtime.process import ProcessSettings
from runtime.settings import describe
from tests.support.guarded import OK, ORG, Answer, Grpc, Http, Keys, guarded_server
from tests.support.server import BIN, Server, clean_environ
from tests.support.split import Split, split, until

# What the plan allows; the loops below wait longer, since a test must not fail on a busy machine.
ALLOWED_S = 5.0
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
async def planes(cluster: Split) -> AsyncIterator[tuple[Grpc, Grpc]]:
    """The observe plane and the directory, asked without the gateway."""
    doors = cluster.grpc(cluster.observe), cluster.grpc(cluster.directory)
    yield doors
    for door in doors:
        await door.aclose()


def jti(token: str) -> str:
    return jwt.decode(token, options={"verify_signature": False})["jti"]


async def refused(ask: Callable[[], Awaitable[Answer]], code: str) -> None:
    """Waits until the answer is the refusal; before that it may only be OK."""

    async def is_refused() -> bool:
        answer = await ask()
        assert answer.code in {OK, code}, answer
        return answer.code == code

    await until(is_refused)


def test_the_times_that_revocation_is_made_of_are_within_what_is_promised() -> None:
    assert EVERY_S + TIMEOUT_S <= ALLOWED_S
    assert MAX_AGE_S <= ALLOWED_S
    assert CHECK_S <= ALLOWED_S
    cache = next(info for info in describe(ProcessSettings) if info.env == "LOOM_ACCESS_CACHE_S")
    assert cache.takes == "a number from 0 to 5"


async def test_a_revoked_token_ends_on_every_plane_and_no_other_with_it(
    cluster: Split, http: Http, planes: tuple[Grpc, Grpc]
) -> None:
    roles = {"revocation": "writer"}
    token, twin = (cluster.keys.token(roles, sub="bot") for _ in range(2))
    record = {"namespace": "revocation", **RECORD}
    asks = [
        lambda token=token: planes[0].call("observe.record", record, token),
        lambda token=token: planes[1].call("namespace.list", {}, token),
        lambda token=token: http.call("observe.list", {"namespace": "revocation"}, token),
    ]
    assert [(await ask()).code for ask in asks] == [OK] * 3
    revoked = await http.call("directory.token_revoke", {"org": ORG, "jti": jti(token)}, cluster.keys.admin())
    assert (revoked.code, revoked.value["revoked"]) == (OK, True)
    await asyncio.gather(*(refused(ask, "TOKEN_INVALID") for ask in asks))
    assert [(await ask(token=twin)).code for ask in asks] == [OK] * 3


async def test_an_org_revokes_tokens_of_its_own_alone(cluster: Split, http: Http, planes: tuple[Grpc, Grpc]) -> None:
    victim = cluster.keys.token({"own": "writer"}, sub="victim")
    decoy = cluster.keys.token({"own": "writer"}, sub="decoy", org="other")
    root = cluster.keys.admin("other")
    for token in (victim, decoy):
        assert (await http.call("directory.token_revoke", {"jti": jti(token)}, root)).code == OK
    await refused(lambda: planes[0].call("observe.record", {"namespace": "own", **RECORD}, decoy), "TOKEN_INVALID")
    assert (await planes[0].call("observe.record", {"namespace": "own", **RECORD}, victim)).code == OK


async def test_a_revoked_grant_ends_on_every_plane(cluster: Split, http: Http, planes: tuple[Grpc, Grpc]) -> None:
    owner = cluster.keys.token({"granted": "admin"}, sub="owner")
    guest = cluster.keys.token({"elsewhere": "viewer"}, sub="guest")
    about_guest = {"org": ORG, "namespace": "granted", "subject": "guest"}
    assert (await http.call("namespace.create", {"namespace": "granted"}, owner)).code == OK
    assert (await http.call("namespace.grant", {**about_guest, "role": "admin"}, owner)).code == OK
    asks = [
        lambda: planes[0].call("observe.record", {"namespace": "granted", **RECORD}, guest),
        lambda: planes[1].call("namespace.members", {"org": ORG, "namespace": "granted"}, guest),
    ]
    assert [(await ask()).code for ask in asks] == [OK] * 2
    assert (await http.call("namespace.revoke", about_guest, owner)).code == OK
    await asyncio.gather(*(refused(ask, "NAMESPACE_FORBIDDEN") for ask in asks))


async def test_a_name_that_was_removed_is_closed_on_every_plane(
    cluster: Split, http: Http, planes: tuple[Grpc, Grpc]
) -> None:
    owner = cluster.keys.token({"elsewhere": "admin"}, sub="founder")
    assert (await http.call("namespace.create", {"namespace": "brief"}, owner)).code == OK
    assert (await planes[0].call("observe.record", {"namespace": "brief", **RECORD}, owner)).code == OK
    assert (await http.call("namespace.remove", {"org": ORG, "namespace": "brief"}, owner)).code == OK
    await refused(lambda: planes[0].call("observe.list", {"namespace": "brief"}, owner), "NAMESPACE_FORBIDDEN")


class Callers:
    """Calls that never stop: each takes the token that `token_of` gives it at that moment."""

    def __init__(self, server: Server, token_of: Callable[[], str], count: int = 8) -> None:
        self._server, self._token_of, self._count = server, token_of, count
        self.codes: Counter[str] = Counter()
        self._since = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> "Callers":
        self._tasks = [asyncio.create_task(self._run()) for _ in range(self._count)]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def more(self, calls: int) -> None:
        """Returns when so many more calls have ended."""
        goal = self.codes.total() + calls
        async with asyncio.timeout(60):
            while self.codes.total() < goal:
                self._since.clear()
                await self._since.wait()

    async def _run(self) -> None:
        async with httpx.AsyncClient(base_url=self._server.base_url, trust_env=False, timeout=30) as client:
            while True:
                headers = {"Authorization": f"Bearer {self._token_of()}"}
                answer = await client.post("/v1/observe.stats", json={"namespace": "rotating"}, headers=headers)
                self.codes[OK if answer.status_code == 200 else answer.json()["detail"]["code"]] += 1
                self._since.set()


async def test_keys_are_rotated_under_load_without_a_lost_call(tmp_path: Path) -> None:
    with guarded_server(tmp_path) as (server, keys):
        tokens = [keys.token({"rotating": "viewer"}, sub="bot")]
        async with Callers(server, lambda: tokens[-1]) as callers:
            await callers.more(40)
            for _ in range(3):
                # A token of the new key is used at once, the older ones go on.
                new_key(keys.folder)
                tokens.append(keys.token({"rotating": "viewer"}, sub="bot"))
                await callers.more(40)
            async with Callers(server, lambda: tokens[0]) as old:
                await old.more(20)
            assert set(callers.codes + old.codes) == {OK}
            retire_key(keys.folder, keys.kid)
            door = Http(server.base_url)
            await refused(lambda: door.call("observe.stats", {"namespace": "rotating"}, tokens[0]), "TOKEN_INVALID")
            await callers.more(20)
            await door.aclose()
        assert set(callers.codes) == {OK}


async def test_a_server_mints_with_the_newest_key_without_a_restart(tmp_path: Path) -> None:
    with guarded_server(tmp_path) as (server, keys):
        door, root = Http(server.base_url), keys.admin()
        kids = []
        for _ in range(2):
            minted = await door.call("token.mint", {"subject": "ada", "namespaces": [], "kind": "user"}, root)
            kids.append(jwt.get_unverified_header(minted.value["token"])["kid"])
            assert (await door.call("namespace.list", {}, minted.value["token"])).code == OK
            new_key(keys.folder)
        assert kids[0] == keys.kid != kids[1]
        await door.aclose()


def test_a_key_folder_that_cannot_be_used_stops_the_start(tmp_path: Path) -> None:
    Keys(tmp_path / "keys")
    (tmp_path / "keys" / "jwks.json").write_text("{}")
    done = subprocess.run(
        [BIN / "loom", "serve", "--port", "0", "--data", str(tmp_path / "data")],
        env=clean_environ() | {"LOOM_KEYS_DIR": str(tmp_path / "keys")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    assert "LOOM_KEYS_DIR" in done.stderr and "Traceback" not in done.stderr
