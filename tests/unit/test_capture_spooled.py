"""What the spool holds, shown and sent on request."""

import json

import pytest

from loom.cli import main
from tests.support.capture_home import isolated
from tests.support.stub_server import serving, unused_url

RECORD = {"session_id": "s", "tool_name": "Bash"}


@pytest.fixture
def spool(monkeypatch, tmp_path):
    return isolated(monkeypatch, tmp_path)


def test_the_counts_are_shown_without_a_server(spool, capsys):
    spool.add(RECORD)
    spool.refuse("INVALID_FIELD", record=RECORD)
    assert main(["capture", "spool", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["pending"], shown["refused"], shown["lost"], shown["sent"]) == (1, 1, 0, 0)
    assert main(["capture", "spool"]) == 0
    assert "pending       1" in capsys.readouterr().out


def test_what_waits_is_sent_on_request(spool, capsys):
    for number in range(150):
        spool.add({**RECORD, "observed_at": f"t{number}"})
    with serving() as server:
        assert main(["--json", "--base-url", server.url, "capture", "spool", "--send"]) == 0
    assert json.loads(capsys.readouterr().out)["sent"] == 150
    assert len(server.rows) == 150


def test_what_cannot_be_sent_gives_an_exit_code(spool):
    spool.add(RECORD)
    assert main(["capture", "spool", "--send", "--base-url", unused_url()]) == 3
    with serving(lambda sent: (503, b"")) as server:
        assert main(["capture", "spool", "--send", "--base-url", server.url]) == 1
    assert len(spool.paths()) == 1
