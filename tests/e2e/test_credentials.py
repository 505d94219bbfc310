"""Calls that carry credentials leave a row without content: the credential is in no answer, no file, no table."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.capture_run import Home, tool_use
from tests.support.envelope import opened
from tests.support.leaks import everything_stored, in_files
from tests.support.server import BIN, LIMIT_S, Server, clean_environ

# Put together here, so that no scanner takes this file for a leak. `N` is replaced, so that each door has its own.
BODY = "q7Zk3vT9xB5mR2wL8pD4sF6hJ1cN0yGa"
CREDENTIALS = {
    "forge token": "gh" + "p_" + BODY + "N",
    "cloud key id": "AK" + "IA" + "Q7ZK3VT9XB5MR2WL",
    "cloud secret": "aws_secret_access_key = " + BODY + "/N",
    "model key": "sk-" + "ant-api03-" + BODY + "N",
    "chat token": "xo" + "xb-123456789012-" + BODY + "N",
    "bearer header": "Authorization: Bearer " + BODY + "N",
    "private key": "-----BEGIN " + "OPENSSH PRIVATE KEY-----\n" + BODY + "N",
    "environment file": f"DEBUG=1\nDATABASE_PASSWORD={BODY}N\nPORT=80",
    "password in a URL": f"git clone https://bot:{BODY}N@forge.example/x.git",
    "JSON that holds one": json.dumps({"client_secret": BODY + "N"}),
}
PLACES = ("tool_input", "tool_output", "error", "tags", "file_paths", "action_type", "tool_name", "key", "deep")
OWN = "acme-[0-9]{6}\n (?i)project nightfall "


def records() -> list[dict[str, Any]]:
    """Calls that carry a credential, in every place where a call has text. What names a call tells them apart."""
    pairs = [(text, place) for text in CREDENTIALS.values() for place in PLACES]
    # An action type is a short word; a longer one is refused.
    fitting = [(text, place) for text, place in pairs if place != "action_type" or len(text) <= 128]
    return [{**carrying(place, text), "run_id": f"run-{number}"} for number, (text, place) in enumerate(fitting)]


def carrying(place: str, text: str) -> dict[str, Any]:
    base: dict[str, Any] = {"tool_name": "Bash", "tool_output": f"public of {place}"}
    match place:
        case "tags" | "file_paths":
            return {**base, place: [text]}
        case "key":
            return {**base, "tool_input": {text: 1}}
        case "deep":
            return {**base, "tool_input": [{"a": [[{"b": ["x", text]}]]}]}
    return {**base, place: text}


async def test_api_keys_are_stored_nowhere_by_default(tmp_path: Path) -> None:
    server, home = Server(tmp_path / "data", tmp_path / "log"), Home(tmp_path / "home")
    secret = BODY[:20]
    sent = records()
    home.hook(tool_use("Bash", {"command": "env"}, {"stdout": CREDENTIALS["environment file"]}))
    with server:
        for name in ("http", "mcp-2026-07-28", "grpc", "sdk"):
            async with opened(name, server) as door:
                answer = await door.call("observe.record_batch", {"session_id": name, "records": sent})
                for given, result in zip(sent, answer["results"], strict=True):
                    assert (result["skipped_reason"], result["narrative_chars"]) == ("blacklisted", 0), given
                    assert (result["file_paths"], result["tags"]) == ([], ["observation", result["kind"]])
        home.base_url = server.base_url
        home.hook(tool_use("Bash", {"command": "cat .env"}, CREDENTIALS["environment file"]))
        assert home.run("capture", "spool", "--send").returncode == 0
        async with opened("http", server) as door:
            rows = (await door.call("observe.list", {"page_size": 500}))["observations"]
    assert len(rows) == 4 * len(sent) + 2
    assert {(row["narrative"], row["error"], row["skipped_reason"]) for row in rows} == {("", "", "blacklisted")}
    stored = await everything_stored(server.data)
    for needle in (secret, CREDENTIALS["cloud key id"], "public of"):
        assert [table for table, text in stored.items() if needle in text] == []
        assert in_files([needle], tmp_path) == []


async def test_an_organisations_own_patterns_are_honoured_beside_the_built_in_ones(tmp_path: Path) -> None:
    env = {"LOOM_OBSERVE_BLACKLIST": OWN}
    with Server(tmp_path / "data", tmp_path / "log", env=env) as server:
        async with opened("http", server) as door:
            for text, skipped in [
                ("ticket acme-123456", "blacklisted"),
                ("about Project  Nightfall", ""),
                ("about PROJECT NIGHTFALL", "blacklisted"),
                (CREDENTIALS["forge token"], "blacklisted"),
                ("acme-12345", ""),
            ]:
                answer = await door.call("observe.record", {"tool_name": "Bash", "tool_output": text})
                assert answer["skipped_reason"] == skipped, text
    stored = await everything_stored(server.data)
    assert "acme-123456" not in stored["loom.observations"]
    assert "acme-12345" in stored["loom.observations"]


@pytest.mark.parametrize(
    ("command", "patterns", "says"),
    [
        ("serve", "fine\n(never-closed", "blacklist pattern 1 is not in RE2's syntax"),
        ("serve", "x*", "blacklist pattern 0 matches an empty text"),
        ("plane", r"(a)\1", "blacklist pattern 0 is not in RE2's syntax"),
    ],
)
def test_a_bad_pattern_refuses_the_start_with_a_sentence(
    tmp_path: Path, command: str, patterns: str, says: str
) -> None:
    own = {"LOOM_OBSERVE_BLACKLIST": patterns, "LOOM_DATA_DIR": str(tmp_path / "data"), "LOOM_PORT": "0"}
    arguments = [BIN / "loom", "serve"] if command == "serve" else [sys.executable, "-m", "services.observe"]
    done = subprocess.run(
        arguments, env=clean_environ() | own | {"LOOM_GRPC_LISTEN": "127.0.0.1:0"}, capture_output=True, timeout=LIMIT_S
    )
    told = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (1, b"")
    assert says in told[-1]
    assert "LOOM_OBSERVE_BLACKLIST" in told[-1]
    assert "Traceback" not in done.stderr.decode()
    assert "never-closed" not in told[-1]
