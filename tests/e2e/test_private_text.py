"""Text inside <private> reaches no file: not the engine's, not the log, not the spool, whichever way it came."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from loom.observe.v1 import observe_pb2 as pb
from tests.support.capture_run import NOBODY, Home, tool_use
from tests.support.envelope import Failure, Http, check_http, opened
from tests.support.leaks import everything_stored, in_files
from tests.support.otlp import OtlpReceiver
from tests.support.secrets_sent import PUBLIC, Case, cases
from tests.support.server import Server

DOORS = ("http", "mcp-2026-07-28", "mcp-legacy", "grpc", "sdk")


@dataclass
class Crime:
    """A server of its own, a user's home, and all the secrets that went through them."""

    server: Server
    home: Home
    folder: Path
    secrets: list[str] = field(default_factory=list)
    receiver: OtlpReceiver | None = None

    @asynccontextmanager
    async def traced(self) -> AsyncIterator[Server]:
        """The server, running and handing its spans over."""
        async with OtlpReceiver() as self.receiver:
            self.server.env = {**self.server.env, "LOOM_OTLP_ENDPOINT": self.receiver.endpoint}
            self.server.start()
            yield self.server

    async def listed(self) -> list[dict[str, Any]]:
        """Every row, by observe.list and again by observe.get."""
        rows: list[dict[str, Any]] = []
        async with httpx.AsyncClient(base_url=self.server.base_url, trust_env=False, timeout=30) as client:
            door, page = Http(client), {"next_page_token": ""}
            while not rows or page["next_page_token"]:
                page = await door.call("observe.list", {"page_size": 500, "page_token": page["next_page_token"]})
                keys = [row["memory_key"] for row in page["observations"]]
                got = await door.call("observe.get", {"memory_keys": keys})
                assert got["observations"] == page["observations"]
                rows += page["observations"]
        return rows


@pytest.fixture
def crime(tmp_path: Path) -> Iterator[Crime]:
    """Temporary files of the server go where the test looks, too."""
    (tmp_path / "tmp").mkdir()
    env = {"TMPDIR": str(tmp_path / "tmp"), "LOOM_LOG_LEVEL": "debug"}
    server = Server(tmp_path / "data", tmp_path / "log", env=env)
    crime = Crime(server, Home(tmp_path / "home"), tmp_path)
    yield crime
    if server.process and server.process.poll() is None:
        server.stop()


async def nowhere(crime: Crime) -> dict[str, str]:
    """No secret is in an answer, a file, a trace, or in what the engine holds. Stops the server; gives what is stored."""
    listed = json.dumps(await crime.listed(), ensure_ascii=False)
    async with httpx.AsyncClient(base_url=crime.server.base_url, trust_env=False) as client:
        metrics = (await client.get("/metrics")).text
    assert [secret for secret in crime.secrets if secret in listed + metrics] == []
    # In a thread: the server hands its last spans to a receiver that runs here.
    assert await asyncio.to_thread(crime.server.stop) == 0
    traced = repr(crime.receiver.spans) if crime.receiver else ""
    assert [secret for secret in crime.secrets if secret in traced] == []
    assert in_files(crime.secrets, crime.folder) == []
    stored = await everything_stored(crime.server.data)
    found = [(secret, table) for table, text in stored.items() for secret in crime.secrets if secret in text]
    assert found == []
    assert [told for told in crime.home.told if any(secret in told for secret in crime.secrets)] == []
    return stored


async def send(server: Server, name: str, sent: list[Case]) -> None:
    """All cases through one door, and through the first one again in batches."""
    async with opened(name, server) as door:
        answers = await asyncio.gather(*(door.call("observe.record", case.record) for case in sent))
        for case, answer in zip(sent, answers, strict=True):
            assert [secret for secret in case.secrets if secret in json.dumps(answer)] == [], case.name
        for start in range(0, len(sent) if name == DOORS[0] else 0, 100):
            records = [case.record for case in sent[start : start + 100]]
            answer = await door.call("observe.record_batch", {"session_id": "batch", "records": records})
            assert [result["detail"] for result in answer["results"]] == [None] * len(records)


async def test_no_form_of_private_text_is_kept_whichever_door_it_came_through(crime: Crime) -> None:
    async with crime.traced():
        for number, name in enumerate(DOORS):
            sent = cases(f"hush{number}")
            crime.secrets += [secret for case in sent for secret in case.secrets]
            await send(crime.server, name, sent)
        stored = await nowhere(crime)
        assert {"http observe.record", "mcp observe.record", "insert observations"} <= {
            s.name for s in crime.receiver.spans
        }
    # What is around the private text was kept, and this test saw it: it looks in the right places.
    assert PUBLIC in stored["loom.observations"]
    assert "[REDACTED]" in stored["loom.observations"]
    assert in_files([PUBLIC], crime.server.data)


async def test_escapes_of_the_transport_hide_nothing(crime: Crime) -> None:
    r"""`\u003cprivate>` in the body is a tag once the body is read, and so is one written in UTF-16 escapes throughout."""
    secret = "hushwire"
    crime.secrets.append(secret)
    tagged = f"{PUBLIC} <private>{secret}</private>"
    escaped = "".join(f"\\u{ord(char):04x}" for char in tagged)
    partly = tagged.replace("<", "\\u003c").replace(">", "\\u003E").replace("/", "\\/")
    with crime.server as server:
        for text in (escaped, partly):
            body = '{"tool_name": "Bash", "tool_input": {"T": "T"}, "tool_output": ["T"], "error": "T", "tags": ["T"]}'
            headers = {"content-type": "application/json"}
            sent = body.replace("T", text).replace("\\u0042ash", "Bash").encode()
            async with httpx.AsyncClient(base_url=server.base_url, trust_env=False) as client:
                response = await client.post("/v1/observe.record", content=sent, headers=headers)
            assert response.status_code == 200, response.text
            assert secret not in response.text
        request = pb.RecordRequest(tool_name="Bash", tool_input=f'"{escaped}"', tool_output=f'["{partly}"]')
        async with opened("grpc", server) as door:
            await door.send("/loom.observe.v1.ObserveService/Record", request)
        await nowhere(crime)


async def test_private_text_in_what_is_refused_or_unknown_reaches_no_file(crime: Crime) -> None:
    tag = "<private>{}</private>"
    bad: list[dict[str, Any]] = [
        {"tool_name": "Bash", "session_id": tag},
        {"tool_name": "Bash", "user_id": tag},
        {"tool_name": "Bash", "observed_at": tag},
        {"tool_name": "Bash", "observation_date": "<private>"},
        {"tool_name": tag * 20},
        {"tool_name": {"a": tag}},
        {"tool_name": "Bash", "metadata": [tag]},
        {"tool_name": "Bash", "tags": [[tag]]},
    ]
    async with crime.traced() as server:
        for number, name in enumerate(("http", "mcp-2026-07-28", "mcp-legacy", "sdk")):
            async with opened(name, server) as door:
                for place, args in enumerate(bad):
                    secret = f"hushbad{number}x{place}"
                    crime.secrets.append(secret)
                    with pytest.raises(Failure) as raised:
                        await door.call("observe.record", json.loads(json.dumps(args).replace("{}", secret)))
                    assert secret not in json.dumps(raised.value.detail)
                secret = f"hushunknown{number}"
                crime.secrets.append(secret)
                await door.call("observe.record", {"tool_name": "Bash", tag.format(secret): tag.format(secret)})
                await door.call("observe.record", {"tool_name": "Bash", "extra": {"a": tag.format(secret)}})
        async with httpx.AsyncClient(base_url=server.base_url, trust_env=False) as client:
            crime.secrets += ["hushpath", "hushheader", "hushbody"]
            await client.get("/v1/hushpath")
            await client.get("/hushpath?hushpath=hushpath")
            await client.get("/healthz", headers={"loom-session-id": "hushheader", "user-agent": "hushheader"})
            cut = b'{"tool_name": "<private>hushbody</private>'
            headers = {"content-type": "application/json", "x-request-id": "hushheader <private>"}
            check_http(await client.post("/v1/observe.record", content=cut, headers=headers))
        await nowhere(crime)


async def test_the_hook_keeps_private_text_off_the_disk_while_the_server_is_down_and_up(crime: Crime) -> None:
    home, sent = crime.home, cases("hushhook")
    # One process a call: enough of each form in each field to see every path, not all of them.
    picked = [case for place, case in enumerate(sent) if place % 9 == 0 or "over" in case.name or "key" in case.name]
    crime.secrets += [secret for case in sent for secret in case.secrets]
    half = len(picked) // 2
    await asyncio.gather(*(asyncio.to_thread(home.hook, payload(case)) for case in picked[:half]))
    not_json = b'{"tool_name": "Bash", "tool_response": "\\u003cprivate>hushcut'
    crime.secrets.append("hushcut")
    assert "not JSON" in home.hook(not_json)
    assert len(home.waiting()) == half
    assert "[REDACTED]" in json.dumps(home.waiting())
    assert in_files(crime.secrets, home.folder) == []
    with crime.server as server:
        home.base_url = server.base_url
        await asyncio.gather(*(asyncio.to_thread(home.hook, payload(case)) for case in picked[half:]))
        assert home.run("capture", "spool", "--send").returncode == 0
        assert home.waiting() == []
        assert len(await crime.listed()) == len(picked)
        await nowhere(crime)


def payload(case: Case) -> dict[str, Any]:
    """The record as a hook reports it."""
    record = case.record
    more = {"error": record["error"], "hook_event_name": "PostToolUseFailure"} if "error" in record else {}
    paths = {"file_path": record["file_paths"][0]} if "file_paths" in record else None
    given = record.get("tool_input", paths)
    extra = {name: record[name] for name in ("metadata", "tags", "action_type") if name in record}
    return tool_use(record["tool_name"], given, record.get("tool_output"), **more, **extra)


async def test_a_transcript_is_imported_without_its_private_text(crime: Crime, tmp_path: Path) -> None:
    secret = "hushtranscript"
    crime.secrets.append(secret)
    lines = [
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": f"echo <private>{secret}"}},
        {
            "type": "tool_result",
            "tool_use_id": "t1",
            "content": [{"type": "text", "text": f"<PRIVATE>{secret}</PRIVATE> ok"}],
        },
    ]
    transcript = tmp_path.parent / f"{tmp_path.name}.jsonl"
    kinds = ("assistant", "user")
    transcript.write_text(
        "\n".join(
            json.dumps({"type": kind, "sessionId": "s", "message": {"role": kind, "content": [line]}})
            for kind, line in zip(kinds, lines, strict=True)
        )
    )
    with crime.server as server:
        crime.home.base_url = server.base_url
        assert crime.home.run("capture", "import", str(transcript)).returncode == 0
        crime.home.base_url = NOBODY
        assert crime.home.run("capture", "import", str(transcript)).returncode == 3
        [row] = await crime.listed()
        assert row["narrative"] == "Bash: echo [REDACTED]\nOutput: [REDACTED] ok"
        await nowhere(crime)
