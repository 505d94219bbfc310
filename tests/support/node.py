"""Programs from npm, which `make setup` puts beside the Python environment where npm is in reach."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.support.server import clean_environ

FOLDER = Path(sys.prefix) / "node"
NODE = Path(sysconfig.get_path("scripts")) / "node"
LIMIT_S = 60.0


def require_packages() -> None:
    """Skips the test that needs them where they are not installed; in CI that is a failure."""
    if (FOLDER / ".installed").exists():
        return
    if os.environ.get("CI") == "true":
        pytest.fail("npm's MCP clients are not installed, which `make setup` does")
    pytest.skip("npm's MCP clients are not installed: run `make setup` where npm is in reach")


def run_script(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a module of ours with the packages in sight: standard input is taken to lie in the working folder."""
    return _run(["--input-type=module", "-", *arguments], stdin=script.read_text())


def run_package(entry: str, *arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    """Runs a program of a package, given as the path below node_modules; what it keeps goes to `home`."""
    return _run([str(FOLDER / "node_modules" / entry), *arguments], home=home)


def _run(arguments: list[str], *, stdin: str = "", home: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = clean_environ() | {"NO_COLOR": "1"} | ({"HOME": str(home)} if home else {})
    return subprocess.run(
        [NODE, *arguments], input=stdin, capture_output=True, text=True, timeout=LIMIT_S, cwd=FOLDER, env=env
    )
