"""The examples run, against a server or what stands in for one."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from examples import bulk_load, grpc_client, mcp_agent
from examples.ci import report_failure
from loom import LoomError, RetryPolicy, SyncAgent
from tests.support.server import Server, clean_environ
from tests.support.stub_server import Sent, StubServer, failing

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LIMIT_S = 60.0
JUNIT = """<?xml version="1.0"?><testsuites><testsuite>
<testcase classname="engine.test_a" name="test_one"><failure message="assert 1 == 2&#10;more">trace of one</failure></testcase>
<testcase classname="engine.test_a" name="test_two"><error message="">$(touch /tmp/no) `no`</error></testcase>
<testcase classname="engine.test_a" name="test_fine"/>
<testcase classname="engine.test_a" name="test_one"><failure message="assert 1 == 2">again</failure></testcase>
</testsuite></testsuites>"""


def example(name: str, *args: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / name), *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, env=clean_environ() | env)


def answer(verdict: str, epistemic: str = "calibrated", **more: Any) -> dict[str, Any]:
    return {"verdict": verdict, "epistemic": epistemic, "answer": "Said so.", "items": [], "nearest": [], **more}


ITEM = {"number": 4711, "title": "One is two"}


@pytest.mark.parametrize(
    ("said", "does", "note"),
    [
        (answer("duplicate_of", items=[ITEM]), "comment", "Said so."),
        (answer("related", items=[ITEM]), "file", "- #4711 One is two"),
        (answer("none", nearest=[ITEM]), "file", "Perhaps related:\n- #4711"),
        (answer("none"), "file", "trace of one"),
        (answer("none", "degraded"), "file", "some of the record was silent"),
        (answer("none", "unavailable"), "file", "some of the record was silent"),
        (answer("duplicate_of"), "file", "trace of one"),
        (None, "file", "Loom did not answer"),
    ],
)
def test_a_ci_job_comments_on_what_is_there_and_files_what_is_not(said: Any, does: str, note: str) -> None:
    failure = report_failure.Failure("engine.test_one", "assert 1 == 2", "trace of one")
    action = report_failure.decide(failure, said)
    assert action["do"] == does
    assert note in action["body"]
    assert action.get("issue", action.get("title")) == (4711 if does == "comment" else "engine.test_one: assert 1 == 2")


def test_a_ci_job_asks_once_for_each_failed_test(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(JUNIT)

    def answering(sent: Sent) -> tuple[int, Any]:
        if "test_two" in sent.body["title"]:
            return failing(503, "UPSTREAM_UNAVAILABLE", "unavailable")
        return 200, answer("duplicate_of", items=[ITEM])

    with StubServer(answering).running() as server:
        done = example(
            "ci/report_failure.py", "--namespace", "engine-tracker", "--junit", tmp_path / "report.xml",
            LOOM_BASE_URL=server.url,
        )  # fmt: skip
        asked = [sent for sent in server.sent if "test_one" in sent.body["title"]]
    assert done.returncode == 0, done.stderr
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["do"], first["issue"], second["do"]) == ("comment", 4711, "file")
    assert [(sent.op, sent.body["namespace"]) for sent in asked] == [("tracker.duplicate_check", "engine-tracker")]
    assert asked[0].body["title"] == "engine.test_a.test_one: assert 1 == 2"
    assert "not checked: UPSTREAM_UNAVAILABLE" in done.stderr


def test_the_workflow_gives_nothing_that_a_test_printed_to_a_shell() -> None:
    workflow = yaml.safe_load((EXAMPLES / "ci" / "nightly.yml").read_text())
    [job] = workflow["jobs"].values()
    scripts = [step["run"] for step in job["steps"] if "run" in step]
    assert not [script for script in scripts if "${{" in script]
    assert "report_failure.py" in scripts[-1]
    assert workflow["permissions"] == {"contents": "read", "issues": "write"}


def test_an_agent_remembers_over_mcp(server: Server, namespace: str) -> None:
    user = f"ada-{namespace}"
    kept = example(
        "mcp_agent.py", "--user", user, "--remember", "We deploy on Tuesdays.", LOOM_BASE_URL=server.base_url
    )
    assert (kept.stdout.strip(), kept.stderr) == ("created", "")
    asked = example("mcp_agent.py", "--user", user, "When do we deploy?", LOOM_BASE_URL=server.base_url)
    assert "We deploy on Tuesdays." in asked.stdout
    other = example("mcp_agent.py", "--user", f"bob-{namespace}", "When do we deploy?", LOOM_BASE_URL=server.base_url)
    assert "nothing yet" in other.stdout


async def test_the_tools_of_an_agent_are_those_of_memory_and_their_refusals_are_readable(server: Server) -> None:
    async with mcp_agent.connected(server.base_url, "") as client:
        memory = mcp_agent.Memory(client, "ada")
        tools = await memory.tools()
        assert {mcp_agent.KNOWN, mcp_agent.KEEP} <= set(tools)
        assert not [name for name in tools if name.startswith("loom_observe")]
        with pytest.raises(mcp_agent.ToolFailed, match="MISSING_FIELD"):
            await memory.known("")


def test_another_service_records_over_grpc_and_reads_back(server: Server, namespace: str) -> None:
    done = example("grpc_client.py", "--address", server.grpc, f"job-{namespace}")
    assert (done.stdout.split(), done.stderr) == (["fetch_orders", "send_invoices"], "")


async def test_an_error_over_grpc_names_its_code_and_the_request(server: Server) -> None:
    async with grpc_client.Record(server.grpc) as record:
        with pytest.raises(grpc_client.Refused, match=r"MISSING_FIELD: .*tool_name.*\(request \w+\)") as raised:
            await record.done("job", "", {}, {})
    assert raised.value.code == "MISSING_FIELD"
    async with grpc_client.Record("127.0.0.1:1") as record:
        with pytest.raises(grpc_client.Refused, match="UNAVAILABLE"):
            await record.steps("job")


def calls(namespace: str, count: int) -> list[dict[str, Any]]:
    return [
        {"tool_name": "Bash", "tool_input": {"command": f"ls {at}"}, "session_id": namespace} for at in range(count)
    ]


def loaded(file: Path, base_url: str, namespace: str) -> bulk_load.Totals:
    return asyncio.run(bulk_load.load(file, base_url, namespace))


def test_a_file_is_loaded_whole_and_what_is_refused_is_told(server: Server, namespace: str, tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    good = [json.dumps(call) for call in calls(namespace, 1_200)]
    bad = [
        "not json",
        "[1]",
        json.dumps({"session_id": namespace}),
        json.dumps({"tool_name": "Big", "tool_output": "x" * (2 << 20)}),
    ]
    file.write_text("\n".join([*good[:600], *bad, "", *good[600:]]) + "\n")
    totals = loaded(file, server.base_url, namespace)
    assert (totals.stored, totals.refused) == (1_200, 4)
    reasons = [json.loads(line)["reason"] for line in Path(f"{file}.refused").read_text().splitlines()]
    assert sorted(reasons) == ["BODY_TOO_LARGE", "MISSING_FIELD", "not a JSON object", "not a JSON object"]
    assert loaded(file, server.base_url, namespace).stored == 0
    Path(f"{file}.at").unlink()
    assert loaded(file, server.base_url, namespace).stored == 1_200
    with SyncAgent(base_url=server.base_url, namespace=namespace) as agent:
        assert agent.observe.stats().observations == 1_200


def test_a_load_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_load, "PATIENT", RetryPolicy(attempts=1))
    file = tmp_path / "calls.jsonl"
    file.write_text("".join(json.dumps(call) + "\n" for call in calls("s", 3_000)))

    def answering(sent: Sent) -> tuple[int, Any] | None:
        records = sent.body["records"]
        # By what the batch holds: batches are on the way at once, and any of them may arrive first.
        if not server.let_go.is_set() and int(records[-1]["tool_input"]["command"].split()[1]) >= 1_000:
            return failing(503, "STORAGE_UNAVAILABLE", "unavailable")
        return 200, {"results": [{"memory_key": str(at), "detail": None} for at in range(len(records))]}

    with StubServer(answering).running() as server:
        with pytest.raises(LoomError):
            loaded(file, server.url, "ns")
        before = int(Path(f"{file}.at").read_text())
        server.let_go.set()
        rest = loaded(file, server.url, "ns")
    assert 0 < before < file.stat().st_size
    assert rest.stored >= 2_000
    assert int(Path(f"{file}.at").read_text()) == file.stat().st_size
