"""Natural questions, at least three for each template: what they name, and which template they get."""

import pytest

from services.tracker.answers.anchors import anchors_of, with_components
from services.tracker.answers.catalogue import TEMPLATES
from services.tracker.answers.held import NUMBER, VERSION
from services.tracker.answers.picking import pick

PHRASINGS = {
    "backport_status": [
        "Was 2599 backported?",
        "Which branches have the cherry-pick of #2599?",
        "is there a backport for 2599",
        "Has PR 2599 landed on the release branches?",
        "Where was 2599 backported to?",
    ],
    "fix_in_version": [
        "is 2599 backported to 3.1?",
        "Is the fix for 2599 in 3.1?",
        "Does 3.1 contain 2599?",
        "did 2599 make it into v3.1.2",
        "Is #2599 part of 3.1.0?",
        "does release 3.1 include the fix of issue 2599",
        "Was 2599 cherry-picked into 3.1?",
        "did 2599 ship in 3.1?",
        "is 2599 fixed in 3.1",
    ],
    "causes": [
        "What caused 2599?",
        "Which PR introduced #2599?",
        "who is to blame for 2599",
        "What broke 2599?",
        "Which change is behind issue 2599?",
    ],
    "component_open_issues": [
        "What are the worst open issues in the storage component?",
        "open bugs of storage",
        "Which problems does storage have?",
        "list the most severe issues of the storage area",
    ],
    "component_risk": [
        "How risky is storage?",
        "Who owns the storage component?",
        "What is the trend of storage?",
        "How is storage doing?",
        "risk of storage",
    ],
    "duplicates_of": [
        "Is 2599 a duplicate?",
        "Are there duplicates of 2599?",
        "Has 2599 been reported before?",
        "dupes of #2599",
        "Which issues are the same as 2599?",
        "is there already an issue like 2599",
    ],
    "first_release": [
        "Which release first contained 1f3870be2a4c?",
        "What version ships 1f3870be2a4c?",
        "Is 1f3870be2a4c in a release?",
        "first build with 1f3870be2a4c",
    ],
    "first_release_of_pr": [
        "Which release first contained PR 2599?",
        "In which version did 2599 ship?",
        "What was the first release with 2599?",
        "Which build has 2599?",
        "since which version is 2599 included",
    ],
    "fix_of_issue": [
        "Which PR fixed 2599?",
        "Is 2599 fixed?",
        "How was issue 2599 resolved?",
        "Is there a fix for 2599?",
        "what patch solved 2599",
    ],
    "fixed_by_pr": [
        "Which issues does PR 2599 fix?",
        "What bugs does 2599 close?",
        "Which issues were fixed by 2599?",
        "issues closed by pull request 2599",
    ],
    "flaky_verdict": [
        "Is test_replay flaky?",
        "Is test_replay a known flake?",
        "is test_replay unstable",
        "Are there issues about test_replay?",
    ],
    "test_history": [
        "How often does test_replay fail?",
        "Show the history of test_replay",
        "When did test_replay last run?",
        "Did test_replay fail recently?",
        "why does test_replay fail",
        "failure rate of test_replay",
    ],
    "incidents": [
        "Which incidents hit storage lately?",
        "Were there outages of storage this week?",
        "recent incidents of the storage component",
        "was storage down?",
    ],
    "item_status": [
        "What is the status of 2599?",
        "Is 2599 still open?",
        "What is 2599 about?",
        "What happened to #2599?",
        "state of issue 2599",
        "Is 2599 closed?",
        "was 2599 merged?",
        "tell me about 2599",
    ],
    "open_prs_of_path": [
        "Which open PRs touch src/storage/wal.rs?",
        "Who is working on src/storage/wal.rs?",
        "pull requests that change src/storage/wal.rs",
        "Is anyone changing src/storage/wal.rs?",
    ],
    "regressions_of_version": [
        "What regressed in 3.1?",
        "What broke in 3.1?",
        "recent regressions of 3.1",
        "What got worse with v3.1.2?",
        "Which regressions does 3.1 have?",
    ],
    "release_blockers": [
        "What blocks 3.1?",
        "What is missing to ship 3.1?",
        "What is left for 3.1?",
        "Which blockers remain for v3.1.0?",
        "can we ship 3.1",
    ],
    "release_health": [
        "How healthy is 3.1?",
        "Is 3.1 ready?",
        "status of release 3.1",
        "Is 3.1 green?",
        "How is 3.1 doing?",
    ],
    "support_cases": [
        "Which customers hit 2599?",
        "support cases of 2599",
        "Are there tickets about 2599?",
        "Do any support cases mention #2599?",
    ],
    "who_fixed": [
        "Who fixed 2599?",
        "Which engineer fixed #2599?",
        "Who is the author of PR 2599?",
        "who wrote the fix for 2599",
    ],
}
ASKED = [(name, question) for name, questions in PHRASINGS.items() for question in questions]


def test_every_template_is_asked_for_in_several_ways() -> None:
    assert PHRASINGS.keys() == {template.name for template in TEMPLATES}
    assert min(map(len, PHRASINGS.values())) >= 3


@pytest.mark.parametrize(("name", "question"), ASKED, ids=[question for _, question in ASKED])
def test_a_natural_question_names_its_anchors_and_gets_its_template(name: str, question: str) -> None:
    anchors = anchors_of(question, {})
    if not pick(question, anchors, TEMPLATES):
        anchors = with_components(anchors, question, ["storage"])
    assert anchors.numbers == ((2599,) if "2599" in question else ())
    assert [version.lstrip("v")[:3] for version in anchors.versions] == (["3.1"] if "3.1" in question else [])
    picked = [each.template for each in pick(question, anchors, TEMPLATES)]
    assert name in [template.name for template in picked]
    if {NUMBER, VERSION} <= anchors.kinds():
        assert [template.name for template in picked] == [name]


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("is 2599 backported to 3.1?", (2599,)),
        ("2599 backported?", (2599,)),
        ("2599", (2599,)),
        ("are 5, 6 and 7 fixed", (5, 6, 7)),
        ("issues 5 and 7", (5, 7)),
        ("#5, 6 & 7", (5, 6, 7)),
        ("merge request !7", (7,)),
        ("PR: 7", (7,)),
        ("bug number 7", (7,)),
        ("is CORE-12 fixed?", (12,)),
        ("is 2024 fixed?", (2024,)),
        ("duplicates of 2024", (2024,)),
    ],
)
def test_a_bare_number_is_an_item_where_only_that_can_be_meant(question: str, numbers: tuple[int, ...]) -> None:
    assert anchors_of(question, {}).numbers == numbers


@pytest.mark.parametrize(
    "question",
    [
        "42 apples",
        "what broke in 3.1 since 2024",
        "regressions of 2024",
        "who closed the most in 2024",
        "what happened on 2024-05-03",
        "are 12 tests flaky",
        "has 3 new bugs",
        "did we fix 3 of them",
        "fix of 12 issues",
        "is 3.1 ready in 14 days",
        "is test_replay flaky in 20 runs",
        "the last 5 releases",
        "top 10 open issues",
        "is 100% green",
        "has 1,000 rows",
        "is UTF-8 broken",
        "is CVE-2024-1234 fixed",
        "is port 8080 open",
        "did 404 errors rise",
        "is 0x1234 there",
        "what is 2+2",
    ],
)
def test_what_is_counted_measured_or_dated_is_no_item(question: str) -> None:
    assert anchors_of(question, {}).numbers == ()
