"""The fit: what it is made of, what it says of itself, and when it is not taken."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.similar import fitting, quality
from services.tracker.similar.features import NAMES
from services.tracker.similar.fit import RELATED, Fit, clamp
from services.tracker.similar.model import Candidate
from services.tracker.similar.quality import look_threshold
from services.tracker.similar.walk import Asked, Record
from tests.support.similar import START, fit, report

_PARTS = ("quorum", "lease", "ledger", "gossip", "shard", "bucket", "cursor", "replica", "journal", "mirror")
_ACTS = ("stalls", "leaks", "overflows", "deadlocks", "corrupts", "drops", "repeats", "truncates", "rejects", "forgets")


def _record(count: int = 280, *, every: int = 4) -> list[Candidate]:
    """Reports of parts that misbehave; each `every`-th repeats the words of the one three before it."""
    found: list[Candidate] = []
    for number in range(1, count + 1):
        part, act = _PARTS[number % 10], _ACTS[(number // 10) % 10]
        title, body = (
            f"{part} {act} for tenant{number}",
            f"The {part} of tenant{number} {act} when node{number} leaves.",
        )
        if number % every == 0 and number > 8:
            first = found[number - 4]
            title, body = f"{first.title} again", f"{first.body} Seen once more by operator{number}."
            found.append(report(number, title, body, duplicate_of=first.number, state="closed",
                                closed_at=START + timedelta(days=number, hours=1)))  # fmt: skip
        else:
            found.append(report(number, title, body))
    return found


_Replayed = tuple[Record, list[Asked], dict[int, float]]


@pytest.fixture(scope="module")
def replayed() -> _Replayed:
    record = Record(_record())
    weights = fitting.wanted(record)
    return record, list(record.replay(weights)), weights


@pytest.fixture(scope="module")
def outcome(replayed: _Replayed) -> fitting.Outcome:
    return fitting.fit_asked(*replayed)


def test_a_record_with_clear_duplicates_gets_a_fit_that_serves_them(outcome: fitting.Outcome) -> None:
    made = outcome.fit
    assert made is not None and made.serves_duplicates and outcome.reason == "served"
    assert made.quality.precision is not None and made.quality.precision >= 0.7
    assert made.quality.recall > 0.5
    assert 0.5 <= made.threshold <= 0.95


def test_quality_is_of_the_newest_duplicates_alone(outcome: fitting.Outcome) -> None:
    made = outcome.fit
    assert made is not None
    duplicates = len(Record(_record()).duplicates())
    assert made.quality.duplicates == pytest.approx(duplicates * 0.2, abs=1)
    assert made.labelled == duplicates - made.quality.duplicates


def test_a_fit_survives_json(outcome: fitting.Outcome) -> None:
    assert outcome.fit is not None
    assert Fit.from_json(json.loads(json.dumps(outcome.fit.to_json()))) == outcome.fit


@pytest.mark.parametrize("change", [{"version": 99}, {"quality": {}}, {"with_vectors": {}}, {"threshold_": 1}])
def test_other_data_is_no_fit(change: dict) -> None:
    with pytest.raises(ValueError, match="fit"):
        Fit.from_json(fit().to_json() | change)


def test_too_few_labelled_duplicates_give_no_fit() -> None:
    assert fitting.fit(Record(_record(60))) == fitting.Outcome(None, "too_few_duplicates")


def test_a_fit_that_is_worse_on_newer_reports_than_the_stored_one_is_rejected(
    replayed: _Replayed, outcome: fitting.Outcome
) -> None:
    assert outcome.fit is not None
    record, asked, weights = replayed
    better = fitting.fit_asked(record, asked, weights, stored=_sharpened(record, asked, weights, outcome.fit))
    assert (better.fit, better.reason) == (None, "worse_than_stored")
    useless = replace(outcome.fit, with_vectors=replace(outcome.fit.with_vectors, prior=0.0, intercept=0.0))
    assert fitting.fit_asked(record, asked, weights, stored=useless).fit is not None


def _sharpened(record: Record, asked: Sequence, weights: dict, one: Fit) -> Fit:
    """The best of some stretched copies on the newest part: as good a stored fit as this record allows."""
    new = fitting.parts(asked)[2]
    plain = one.with_vectors
    tried = [
        replace(one, with_vectors=replace(plain, prior=plain.prior * slope, intercept=plain.intercept * slope,
                weights={name: value * slope for name, value in plain.weights.items()}))
        for slope in (1.2, 1.5, 2.0, 3.0)
    ]  # fmt: skip
    return min(tried, key=lambda made: fitting.measure(record, made, new, weights).log_loss)


def test_a_fit_without_shown_precision_serves_nothing() -> None:
    """Reports that are as alike as duplicates and are none."""
    rows = [replace(item, duplicate_of=item.duplicate_of if item.number % 12 == 0 else 0) for item in _record(400)]
    made = fitting.fit(Record(rows))
    assert made.fit is not None
    assert not made.fit.serves_duplicates
    assert made.fit.reason in {"too_few_sure_duplicates", "precision_too_low"}


def test_what_was_closed_as_a_duplicate_of_nobody_knows_what_is_no_example() -> None:
    rows = _record(40)
    lone = replace(rows[20], state_reason="Duplicate")
    assert 20 not in Record([*rows[:20], lone, *rows[21:]]).originals()


def test_a_replay_sees_no_duplicate_before_it_was_closed() -> None:
    rows = [
        report(1, "Ledger drops entries", "The ledger loses pages."),
        report(
            2,
            "Ledger drops entries again",
            "The ledger loses pages.",
            duplicate_of=1,
            closed_at=START + timedelta(days=9),
        ),
        report(5, "Ledger drops entries daily", "The ledger loses pages."),
        report(10, "Ledger drops entries hourly", "The ledger loses pages."),
    ]
    early, late = Record(rows).replay({2: 1.0, 3: 1.0})
    assert early.targets.tolist() == [0, 1]
    assert late.targets.tolist() == [0, 0, 2]


def test_without_vectors_the_fit_has_parameters_of_its_own(outcome: fitting.Outcome) -> None:
    assert outcome.fit is not None
    assert not {"cosine", "cosine_lead", "cosine_rank"} & set(outcome.fit.without_vectors.weights)
    rows = np.zeros((3, len(NAMES)))
    assert outcome.fit.probabilities(rows, with_vectors=False).shape == (3,)


@given(st.floats(0, 1) | st.just(float("nan")))
def test_a_threshold_stays_within_its_limits(suggested: float) -> None:
    assert 0.5 <= clamp(suggested) <= 0.95
    with pytest.raises(ValueError, match="threshold"):
        clamp(suggested, 0.9, 0.8)


def test_what_is_related_is_chosen_for_the_originals_it_shows_and_bounded_by_what_others_would_be_shown() -> None:
    found, others = np.array([0.5, 0.4, 0.3, 0.2, 0.01]), np.array([0.35, 0.25, 0.15, 0.05])
    plain = np.ones(4)
    assert look_threshold(found, others, plain, recall=0.8, most=1.0) == 0.2
    assert look_threshold(found, others, plain, recall=0.8, most=0.5) == 0.25
    assert look_threshold(found, others, np.array([1.0, 1.0, 1.0, 9.0]), recall=1.0, most=0.5) == 0.15
    assert look_threshold(found, others[:0], plain[:0], recall=0.8, most=0.5) == 0.2
    assert look_threshold(found[:0], others, plain, recall=0.8, most=0.5) == 1.0
    assert look_threshold(found, np.full(4, 0.3), plain, recall=0.8, most=0.5) == 1.0  # equal ones come together


def test_a_fit_says_how_many_originals_it_shows_and_how_many_other_drafts_something(
    replayed: _Replayed, outcome: fitting.Outcome
) -> None:
    record, asked, weights = replayed
    made = outcome.fit
    assert made is not None and made.related <= RELATED and made.related_without <= RELATED
    new = fitting.parts(asked)[2]
    looks = fitting.looked(made, new, weights, with_vectors=True)
    assert made.quality.related_recall == (looks.originals >= made.related).mean() >= 0.8
    assert made.quality.related_share == pytest.approx(
        np.average(looks.others >= made.related, weights=looks.weights), abs=1e-9
    )
    assert fitting.measure(record, replace(made, related=1.1), new, weights).related_recall == 0.0


def test_measures_of_probabilities_on_made_numbers() -> None:
    chances, labels = np.array([0.9, 0.8, 0.2, 0.1]), np.array([1.0, 0.0, 1.0, 0.0])
    ones = np.ones(4)
    assert quality.brier(chances, labels, ones) == pytest.approx((0.01 + 0.64 + 0.64 + 0.01) / 4)
    assert quality.average_precision(chances, labels, ones, 2.0) == pytest.approx((1 + 2 / 3) / 2)
    assert quality.threshold_for(chances, labels, ones, 0.6) == pytest.approx(0.2)
    assert np.isnan(quality.threshold_for(chances, np.zeros(4), ones, 0.5))
    assert quality.expected_calibration_error(labels, labels, ones) == 0.0


def test_a_weight_counts_like_so_many_rows() -> None:
    chances, labels = np.array([0.9, 0.8]), np.array([1.0, 0.0])
    doubled = (np.repeat(chances, [1, 3]), np.repeat(labels, [1, 3]), np.ones(4))
    weighted = (chances, labels, np.array([1.0, 3.0]))
    for measure in (quality.brier, quality.log_loss, quality.expected_calibration_error):
        assert measure(*doubled) == pytest.approx(measure(*weighted))
