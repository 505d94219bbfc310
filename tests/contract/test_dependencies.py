"""The page of dependencies names what is installed: a bump makes somebody look at it again."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "dependencies.md").read_text()
OURS = {"loom-sdk"}
NAME = re.compile(r"[A-Za-z0-9._-]+")
ROW = re.compile(r"^\| ([a-z0-9._-]+) \| ([^ |]+) \| .+ \|$", re.MULTILINE)


def pins() -> dict[str, str]:
    lines = [line.strip() for line in (ROOT / "constraints.txt").read_text().splitlines()]
    found = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {name.lower().replace("_", "-"): version for name, version in found}


def direct() -> set[str]:
    """Names of what the application and the client library ask for, the command line's extra included."""
    found: set[str] = set()
    for path in ("pyproject.toml", "sdk/python/pyproject.toml"):
        project = tomllib.loads((ROOT / path).read_text())["project"]
        wanted = [*project["dependencies"], *project.get("optional-dependencies", {}).get("cli", ())]
        found |= {NAME.match(one)[0] for one in wanted}
    return found - OURS


def test_the_page_names_every_direct_dependency_with_the_version_that_is_pinned() -> None:
    pinned, rows = pins(), dict(ROW.findall(PAGE))
    assert rows.pop("package") == "version"
    assert rows == {name: pinned[name] for name in direct()}


def test_the_page_says_on_which_day_it_was_looked_at() -> None:
    assert re.search(r"was known of it on \*\*\d{4}-\d{2}-\d{2}\*\*", PAGE)


def test_every_pin_is_one_version() -> None:
    assert all(re.fullmatch(r"[0-9][^,*<>~]*", version) for version in pins().values())
