"""The `loom` command: which commands there are, and what the exit codes mean."""

import argparse
import subprocess
import sys
from importlib import metadata

import pytest

from loom.cli import commands, leading_last, main
from tests.support.capture_home import isolated


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    isolated(monkeypatch, tmp_path)


class Contributed:
    """A command that an application brings."""

    help = "greets"
    loaded = 0

    def configure(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--name", default="you")

    def run(self, args: argparse.Namespace) -> int:
        print(f"hello {args.name}")
        return 7


class Point:
    def __init__(self, name: str, value: object) -> None:
        self.name, self._value, self.loads = name, value, 0

    def load(self) -> object:
        self.loads += 1
        if isinstance(self._value, Exception):
            raise self._value
        return self._value


@pytest.fixture
def points(monkeypatch) -> list[Point]:
    found = [Point("greet", Contributed()), Point("broken", ImportError("no module")), Point("call", Contributed())]
    monkeypatch.setattr(metadata, "entry_points", lambda group: found if group == "loom.commands" else [])
    return found


def test_a_contributed_command_runs_and_gives_its_exit_code(points, capsys):
    assert main(["greet", "--name", "me"]) == 7
    assert capsys.readouterr().out == "hello me\n"


def test_a_contributed_command_is_loaded_only_when_it_is_asked_for(points):
    main(["ops"])
    main(["greet"])
    assert [point.loads for point in points] == [1, 0, 0]


def test_help_lists_every_command_and_one_that_is_broken_hides_no_other(points, capsys):
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert "greet       greets" in shown
    assert "broken      (cannot be loaded: ImportError)" in shown
    for name in commands.OWN:
        assert f"  {name}" in shown


def test_a_command_that_cannot_be_loaded_fails_with_the_reason(points, capsys):
    assert main(["broken"]) == 1
    assert "no module" in capsys.readouterr().err


def test_no_contributed_command_replaces_an_own_one(points):
    assert not isinstance(commands.find("call"), Contributed)


def test_an_unknown_command_is_wrong_usage_and_the_nearest_is_named(points, capsys):
    assert main(["cal"]) == 2
    assert "did you mean call" in capsys.readouterr().err


def test_no_command_is_wrong_usage(capsys):
    assert main([]) == 2
    assert "usage: loom" in capsys.readouterr().err


def test_wrong_arguments_are_wrong_usage(capsys):
    assert main(["ops", "--bogus"]) == 2
    assert main(["capture"]) == 2
    assert main(["capture", "import"]) == 2


def test_the_version_is_that_of_the_library(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"loom {metadata.version('loom-sdk')}\n"


def test_shared_options_may_stand_before_the_command():
    assert leading_last(["--base-url", "u", "--json", "call", "x.y"]) == ["call", "x.y", "--base-url", "u", "--json"]
    assert leading_last(["--base-url=u", "capture", "hook"]) == ["capture", "hook", "--base-url=u"]
    assert leading_last(["call", "--json"]) == ["call", "--json"]
    assert leading_last(["--json"]) == ["--json"]
    assert leading_last([]) == []


def test_help_of_each_command_is_there(capsys):
    for args in (["call"], ["ops"], ["capture"], ["capture", "hook"], ["capture", "import"], ["capture", "install"]):
        assert main([*args, "--help"]) == 0
        assert "usage: loom" in capsys.readouterr().out


def test_output_that_nobody_reads_ends_quietly():
    loom = subprocess.Popen([sys.executable, "-m", "loom.cli", "ops"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert loom.stdout is not None
    assert loom.stderr is not None
    loom.stdout.close()
    with loom:
        assert loom.stderr.read() == b""


def test_the_library_imports_nothing_of_the_application():
    code = """
import sys, pkgutil, importlib, loom.cli, loom.capture
for package in (loom.cli, loom.capture):
    for module in pkgutil.iter_modules(package.__path__):
        if module.name != "__main__":
            importlib.import_module(f"{package.__name__}.{module.name}")
print([name for name in sys.modules if name.partition(".")[0] in ("runtime", "gateway", "services", "standalone")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
