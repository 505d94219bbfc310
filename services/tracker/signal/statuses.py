"""Words that CI systems use for the result of a test, and what they count as.

The sets are in folded form (`fold`: lower case, letters only), so that `Timed-Out`, `TIMED_OUT` and `timed out` are
one word. A statement that counts at the source compares `replaceRegexpAll(lower(test_status), '[^a-z]', '')` with the
same sets.
"""

from enum import StrEnum


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PASSED = _words("ok okay pass passed passing success succeeded successful good green expectedpass fixed")
FAILED = _words(
    "fail failed failing failure error errored errors broke crash crashed abort aborted timeout timedout killed red"
    " regression unexpectedfailure unexpectedsuccess xpassstrict startupfailure serverdied oom"
)
# Neither pass nor fail: the test did not run to a result of its own, or its failing is expected and says nothing new.
SKIPPED = _words(
    "skip skipped ignore ignored disabled neutral pending queued running inprogress cancel cancelled canceled notrun"
    " notexecuted stale actionrequired xfail xfailed xpass xpassed xskip notfailed todo broken unknown none na"
    " inconclusive deselected blocked expectedfailure"
)
# One row that stands for a failure and a pass of a retry within the same run.
BOTH = _words("flaky flakey flake passedonretry passedafterretry retriedpassed rerunpassed")


class Outcome(StrEnum):
    PASS = "pass"  # noqa: S105 - a word for a result
    FAIL = "fail"
    SKIP = "skip"
    BOTH = "both"
    OTHER = "other"  # a word that nobody taught us: counted, and no evidence


_OUTCOMES = {
    word: outcome
    for words, outcome in (
        (PASSED, Outcome.PASS),
        (FAILED, Outcome.FAIL),
        (SKIPPED, Outcome.SKIP),
        (BOTH, Outcome.BOTH),
    )
    for word in words
}
_SEEN: dict[str, Outcome] = {}
_MOST_SEEN = 1000  # spellings; a source that puts free text here does not grow the memory


def fold(status: str) -> str:
    """The status in lower case with everything but ASCII letters dropped."""
    return "".join(letter for letter in status.lower() if "a" <= letter <= "z")


def outcome(status: object) -> Outcome:
    """What a status counts as. None and empty text say that the test did not run to a result: a skip."""
    text = "" if status is None else str(status)
    known = _SEEN.get(text)
    if known is None:
        folded = fold(text)
        known = _OUTCOMES.get(folded, Outcome.OTHER) if text.strip() else Outcome.SKIP
        if len(_SEEN) < _MOST_SEEN:
            _SEEN[text] = known
    return known
