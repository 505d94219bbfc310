"""No secret of the installation or of a caller is seen where it does not belong: logs, traces, metrics, errors, `ps`."""

import base64
import json
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from gateway.examples import example_request
from runtime.jwks import JWKS
from runtime.optable import load_ops
from tests.support.clickhouse_http import clickhouse_server
from tests.support.guarded import DOORS, OK, ORG, Keys, guarded_server, token_door
from tests.support.internal import check_with
from tests.support.otlp import OtlpReceiver
from tests.support.server import BIN, Server, clean_environ

PASSWORD = "p@ss/word-hunter2"
RECORD = {"tool_name": "Bash", "tool_input": {"command": "ls"}}


@dataclass
class Watched:
    """A server whose every output is kept: `secrets` may be in none of it, `shown` is what callers saw."""

    server: Server
    keys: Keys
    receiver: OtlpReceiver
    clickhouse: object
    secrets: dict[str, str] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)

    def token(self, what: str, text: str) -> str:
        """A token that from now on is a secret, and so are its parts."""
        for place, part in zip(("claims", "signature"), text.split(".")[1:], strict=False):
            if part:
                self.secrets[f"{what}: {place}"] = part
        return text

    def leaks(self, where: str, text: str) -> list[str]:
        return [f"{what} in {where}" for what, secret in self.secrets.items() if secret in text]


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    with clickhouse_server(tmp_path / "clickhouse", user="loom", password=PASSWORD) as clickhouse:
        dsn = tmp_path / "dsn"
        dsn.write_text(clickhouse.dsn("loom"))
        async with OtlpReceiver() as receiver:
            env = {
                "LOOM_CLICKHOUSE_DSN_FILE": str(dsn),
                "LOOM_OTLP_ENDPOINT": receiver.endpoint,
                "LOOM_LOG_LEVEL": "debug",
                "LOOM_RATE_LIMIT_PER_S": "1000",
                "LOOM_RATE_LIMIT_BURST": "60",
            }
            with guarded_server(tmp_path, **env) as (server, keys):
                yield Watched(server, keys, receiver, clickhouse, dict(installation_secrets(keys)))


def installation_secrets(keys: Keys) -> Iterator[tuple[str, str]]:
    yield "the store's password", PASSWORD
    yield "the store's password, quoted", quote(PASSWORD, safe="")
    yield "the store's login", base64.b64encode(f"loom:{PASSWORD}".encode()).decode()
    yield "the planes' key", (keys.folder / "internal.key").read_text().strip()
    yield "the private key", (keys.folder / f"{keys.kid}.pem").read_text().splitlines()[1]


def tokens_of(watched: Watched) -> list[str | None]:
    keys, roles = watched.keys, {"team": "writer"}
    return [
        None,
        watched.token("a good token", keys.token(roles)),
        watched.token("an admin's token", keys.admin()),
        watched.token("an expired token", keys.expired(roles)),
        watched.token("another key's token", keys.by_another_key(roles)),
        watched.token("an unsigned token", keys.unsigned(roles)),
        watched.token("an altered token", keys.altered(roles, {"*": "admin"})),
        watched.token("garbage", "x.garbage-that-is-a-secret.too-secret-to-be-shown"),
    ]


async def call_everything(watched: Watched) -> None:
    """Every op with every kind of token on every door, until the limit too."""
    tokens = tokens_of(watched)
    for name in DOORS:
        door = token_door(name, watched.server)
        for token in tokens:
            for op in load_ops():
                args = example_request(op) | {"namespace": "team"} if op.plane != "ops" else {}
                answer = await door.call(op.name, args, token)
                if op.name != "token.mint" or answer.code != OK:
                    watched.shown.append(json.dumps(answer.value))
        await door.aclose()


async def mint_and_use(watched: Watched) -> None:
    door = token_door("http", watched.server)
    minted = await door.call("token.mint", {"subject": "ada", "namespaces": []}, watched.keys.admin())
    token = watched.token("a minted token", minted.value["token"])
    assert (await door.call("namespace.list", {}, token)).code == OK
    audit = await door.call("directory.audit", {"org": ORG}, watched.keys.admin())
    watched.shown.append(json.dumps(audit.value))
    await door.aclose()


async def break_things(watched: Watched) -> None:
    """A token in a place where none belongs, a wrong key between planes, a store that is gone."""
    token = watched.keys.token({"team": "admin"})
    watched.token("a misplaced token", token)
    good = watched.keys.folder.joinpath("internal.key").read_text().strip()
    for header in (f"Internal {good}", f"Internal {good}x", f"Bearer {token}"):
        watched.shown.append(await check_with(watched.server.grpc, header))
    async with httpx.AsyncClient(base_url=watched.server.base_url, trust_env=False, timeout=60) as client:
        headers = {"Authorization": f"Bearer {token}", "X-Request-Id": token}
        for path in ("/v1/observe.list", f"/v1/{token}", f"/{token}", "/mcp"):
            for authorization in (f"Bearer {token}", token, f"Basic {token}", f"Bearer {token} {token}"):
                sent = headers | {"Authorization": authorization}
                answer = await client.post(path, json={"page_token": token, token: token}, headers=sent)
                told = answer.text.replace(f'"ignored_args":["{token}"]', "")
                watched.shown += [told, str({**answer.headers, "set": ""})]
        watched.clickhouse.kill()
        for op in ("observe.record", "observe.list", "namespace.list", "ops.health"):
            answer = await client.post(f"/v1/{op}", json={"namespace": "team", **RECORD}, headers=headers)
            watched.shown.append(answer.text)
        for page in ("/readyz", "/metrics", "/openapi.json", "/docs", "/healthz"):
            watched.shown.append((await client.get(page)).text)


def command_lines() -> str:
    """Those of every process that this one may look at."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append(path.read_bytes().decode("utf-8", "replace"))
    return "\n".join(found)


async def test_nothing_secret_is_seen_anywhere(watched: Watched) -> None:
    await call_everything(watched)
    await mint_and_use(watched)
    listed = command_lines()
    await break_things(watched)
    assert watched.server.stop() == 0
    found = watched.leaks("the log", watched.server.log.read_text())
    found += watched.leaks("what callers saw", "\n".join(watched.shown))
    found += watched.leaks("a trace", "\n".join(map(str, watched.receiver.spans)))
    found += watched.leaks("a command line", listed)
    assert found == []
    # The net was cast where fish are.
    assert any(span.name == "http observe.record" for span in watched.receiver.spans)
    assert "RATE_LIMITED" in "".join(watched.shown) and "TOKEN_EXPIRED" in "".join(watched.shown)
    assert str(watched.keys.folder) in watched.server.log.read_text()


def test_commands_show_no_secret_but_the_token_that_was_asked_for(tmp_path: Path) -> None:
    def loom(*args: str) -> subprocess.CompletedProcess[str]:
        env = clean_environ() | {"LOOM_KEYS_DIR": str(tmp_path / "keys")}
        return subprocess.run([BIN / "loom", *args], capture_output=True, text=True, env=env, check=True)

    shown = [loom("keys", "new"), loom("keys", "list"), loom("keys", "list", "--json")]
    keys = Keys(tmp_path / "keys", kid=shown[0].stdout.strip())
    minted = loom("token", "mint", "--org", ORG, "--sub", "ada", "--ns", "team:writer")
    secrets = {name: text for name, text in installation_secrets(keys) if "store" not in name}
    for done in [*shown, minted]:
        assert [name for name, text in secrets.items() if text in done.stdout + done.stderr] == []
    assert minted.stdout.count(".") == 2 and minted.stderr == ""


def test_the_public_key_file_holds_no_private_half(tmp_path: Path) -> None:
    keys = Keys(tmp_path / "keys")
    listed = json.loads((keys.folder / JWKS).read_text())["keys"]
    assert [set(jwk) for jwk in listed] == [{"crv", "kty", "x", "kid", "use", "alg"}]
