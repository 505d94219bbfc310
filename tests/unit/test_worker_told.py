"""What `loom worker run NAME --once` says of its sources."""

import argparse
from pathlib import Path

import pytest

from loom.cli.terminal import FAILED, OK
from services.tracker.workers.runner import Ran
from standalone.commands import worker


def test_a_source_that_another_pass_had_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert worker._told("tracker_links", [Ran("own", "done", {"issues": 3}), Ran("team", "busy")]) == FAILED
    said = capsys.readouterr()
    assert said.out == "tracker_links: own: done, 3 issues\n"
    assert "team: busy: a pass is at work on this source already" in said.err
    assert worker._told("tracker_links", [Ran("own", "done")]) == OK


def test_a_folder_that_is_not_there_is_named_and_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "nowhere"
    asked = argparse.Namespace(name="tracker_links", once=True, data=str(folder))
    assert worker.command.run(asked) == FAILED
    assert f"there is no data folder {folder}" in capsys.readouterr().err
    assert not folder.exists()
