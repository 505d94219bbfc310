"""What `make audit` makes of pip-audit's report: silence is not a clean bill of health."""

import json

from tools.audit import CLEAN, NOTHING_KNOWN, UNKNOWN, VULNERABLE, judge


def report(*dependencies: dict) -> str:
    return json.dumps({"dependencies": dependencies, "fixes": []})


WELL = {"name": "a", "version": "1", "vulns": []}
ILL = {"name": "b", "version": "2", "vulns": [{"id": "PYSEC-2026-1", "fix_versions": ["2.1"], "aliases": []}]}
NOT_LOOKED_UP = {"name": "c", "skip_reason": "Dependency not found and could not be audited: c (3)"}


def test_packages_that_were_all_looked_up_and_are_well_pass() -> None:
    assert judge(report(WELL, WELL)) == (CLEAN, ["2 packages, none with a known vulnerability"])


def test_a_known_vulnerability_is_named_with_what_mends_it() -> None:
    assert judge(report(WELL, ILL)) == (VULNERABLE, ["b 2: PYSEC-2026-1, mended by 2.1"])


def test_a_report_in_which_nothing_was_looked_up_is_no_answer() -> None:
    for text in (report(NOT_LOOKED_UP), report(), "", "ERROR: no connection", "[]", '{"dependencies": 1}'):
        assert judge(text) == (UNKNOWN, [NOTHING_KNOWN])


def test_a_package_that_was_not_looked_up_is_named_and_does_not_pass() -> None:
    assert judge(report(WELL, NOT_LOOKED_UP)) == (UNKNOWN, ["of 1 of 2 packages nothing is known: c"])
    assert judge(report(ILL, NOT_LOOKED_UP))[0] == VULNERABLE
