"""`loom tracker eval` over exports that a test writes."""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from services.tracker.similar.evaluation import Bin, bins
from standalone.commands import tracker_eval
from standalone.plotting import SIZE, reliability
from tests.support.similar import START

WORDS = (
    *("quorum", "lease", "snapshot", "compaction", "follower", "ledger"),
    *("gossip", "shard", "bucket", "cursor", "replica", "journal"),
)


def exported(reports: int, duplicates: int) -> list[dict[str, Any]]:
    """The newest reports repeat the first ones."""
    rows = []
    for number in range(1, reports + 1):
        first, second = WORDS[number % 12], WORDS[(number * 5 + number // 12) % 12]
        at = START.replace(year=2020 + number // 300, month=1 + number // 28 % 12, day=1 + number % 28)
        rows.append(
            {
                "source_id": f"Acme/kv#{number}",
                "number": number,
                "title": f"{first} {second} stalls{number} after restart",
                "body": f"It stops in node {number}.",
                "state": "closed",
                "created_at": at.isoformat(),
                "updated_at": at.isoformat(),
                "closed_at": at.isoformat(),
                "is_private": 0,
                "duplicate_of": None,
            }
        )
    rows.sort(key=lambda row: row["created_at"])
    for place in range(duplicates):
        old, new = rows[place * 2], rows[reports - duplicates + place]
        new |= {"title": f"Again: {old['title']}", "duplicate_of": old["number"], "state_reason": "duplicate"}
    return rows


def asked(path: Path, *more: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    tracker_eval.configure(parser)
    return parser.parse_args([str(path), "--no-vectors", *more])


def written(folder: Path, rows: list[dict[str, Any]]) -> Path:
    path = folder / "issues.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_it_tells_how_well_the_newer_half_is_judged_and_draws_a_plot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, plot = written(tmp_path, exported(300, 60)), tmp_path / "plot.png"
    assert tracker_eval.run(asked(path, "--plot", str(plot))) == 0
    said = capsys.readouterr().out
    for name in ("recall@1", "recall@10", "MAP", "precision", "recall", "ECE", "Brier", "related:", "60 labelled"):
        assert name in said
    with Image.open(plot) as image:
        assert (image.format, image.size) == ("PNG", SIZE)


def test_its_numbers_are_one_json_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tracker_eval.run(asked(written(tmp_path, exported(300, 60)), "--json", "--no-plot")) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["ranking"]["recall_10"] > 0.9 and found["ranking"]["duplicates"] == 30
    assert 0 <= found["quality"]["ece"] <= 1 and found["plot"] is None


def test_a_record_with_few_labels_is_ranked_and_told_that_there_is_no_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tracker_eval.run(asked(written(tmp_path, exported(100, 5)), "--plot", str(tmp_path / "p.png"))) == 0
    said = capsys.readouterr().out
    assert "fewer than 30" in said and "ranking of 5 duplicates" in said and "no plot" in said
    assert not (tmp_path / "p.png").exists()


def test_a_record_without_labels_has_nothing_to_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tracker_eval.run(asked(written(tmp_path, exported(50, 0)), "--json")) == 0
    assert json.loads(capsys.readouterr().out)["ranking"]["duplicates"] == 0
    assert tracker_eval.run(asked(written(tmp_path, exported(50, 0)))) == 0
    said = capsys.readouterr().out
    assert "nothing to rank" in said and "recall@1" not in said


def test_a_file_without_issues_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "issues.jsonl"
    path.write_text("")
    assert tracker_eval.run(asked(path)) == 1
    assert "no issue was read" in capsys.readouterr().err


def test_bins_hold_the_weighted_share_of_each_tenth() -> None:
    found = bins(np.array([0.05, 0.05, 0.95]), np.array([0.0, 1.0, 1.0]), np.array([3.0, 1.0, 2.0]))
    assert found == [Bin(pytest.approx(0.05), pytest.approx(0.25), 4.0), Bin(pytest.approx(0.95), 1.0, 2.0)]


def test_a_plot_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="directory"):
        reliability([Bin(0.1, 0.1, 1.0)], None, "title", "note", tmp_path / "none" / "p.png")
