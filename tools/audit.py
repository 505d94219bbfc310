"""Looks the pinned versions up among known vulnerabilities: `python -m tools.audit`, which is `make audit`.

pip-audit does the looking up, in an environment of its own that is gone afterwards. Left to itself it ends with "No known
vulnerabilities found" and exit code 0 where it could look nothing up, so its report is judged here: 0 only where every
package was looked up and none is known to be vulnerable, 1 where one is, 2 where something is not known.
"""

import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

PINS = Path(__file__).resolve().parent.parent / "constraints.txt"
TOOL = "pip-audit==2.10.1"
OPTIONS = ("--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off")
CLEAN, VULNERABLE, UNKNOWN = 0, 1, 2
NOTHING_KNOWN = (
    "the vulnerability database is out of reach: nothing is known of the pinned versions."
    " Run this again where it is in reach"
)


def judge(report: str) -> tuple[int, list[str]]:
    """The exit code and the lines to say, of what pip-audit wrote; anything else than its report is no answer."""
    try:
        found = list(json.loads(report)["dependencies"])
    except (ValueError, KeyError, TypeError):
        return UNKNOWN, [NOTHING_KNOWN]
    skipped = [one["name"] for one in found if "skip_reason" in one]
    said = [_said(one, vuln) for one in found for vuln in one.get("vulns", ())]
    if not found or len(skipped) == len(found):
        return UNKNOWN, [NOTHING_KNOWN]
    if skipped:
        said.append(f"of {len(skipped)} of {len(found)} packages nothing is known: {', '.join(skipped)}")
    if any(one.get("vulns") for one in found):
        return VULNERABLE, said
    return (UNKNOWN, said) if skipped else (CLEAN, [f"{len(found)} packages, none with a known vulnerability"])


def _said(package: dict, vulnerability: dict) -> str:
    fixed = ", ".join(vulnerability.get("fix_versions", ())) or "no release"
    return f"{package['name']} {package['version']}: {vulnerability['id']}, mended by {fixed}"


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="loom-audit-") as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        if _run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", TOOL]).returncode:
            print(f"audit: {TOOL} cannot be installed: the package registry is out of reach", file=sys.stderr)
            return UNKNOWN
        # Its own words would say that all is well where nothing was looked up.
        done = _run([python, "-m", "pip_audit", "-r", str(PINS), *OPTIONS])
    code, lines = judge(done.stdout)
    for line in lines:
        print(f"audit: {line}", file=sys.stderr if code else sys.stdout)
    return code


def _run(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, capture_output=True, text=True)


if __name__ == "__main__":
    sys.exit(main())
