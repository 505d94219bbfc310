"""`loom capture import FILE…`: records the tool calls of whole transcripts. Importing again adds nothing."""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from loom.capture.calls import Calls, digest_of
from loom.capture.courier import Courier, StoppedError
from loom.capture.fit import size
from loom.capture.folder import default_folder
from loom.capture.progress import Quiet, display
from loom.capture.records import build
from loom.capture.sender import batches
from loom.capture.transcripts import Transcript
from loom.cli.door import Door
from loom.cli.options import add_identity, add_json, add_server, api_key, base_url, identity
from loom.cli.terminal import FAILED, OK, say, show

help = "record the tool calls of whole transcripts (JSON lines)"
STDIN = "-"


class Item(NamedTuple):
    """A record and the place it comes from."""

    place: str
    record: dict[str, Any]


@dataclass
class Summary:
    """What an import did. `captured`: calls that the hook recorded here already; `unfinished`: calls without a result;
    `unreadable`: files that could not be read; `stopped`: why the import ended early, empty when it did not."""

    files: int = 0
    calls: int = 0
    stored: int = 0
    captured: int = 0
    unfinished: int = 0
    refused: int = 0
    bad_lines: int = 0
    unreadable: int = 0
    stopped: str = ""

    @property
    def ok(self) -> bool:
        """Whether everything that could be read is recorded."""
        return not (self.refused or self.unreadable or self.stopped)

    def text(self) -> str:
        """The summary for a person."""
        lines = [
            f"{self.files} files, {self.calls} calls: {self.stored} stored, {self.refused} refused, skipped"
            f" {self.captured} that the hook has recorded and {self.unfinished} without a result"
        ]
        lines += [f"{self.bad_lines} bad lines"] if self.bad_lines else []
        lines += [f"{self.unreadable} files could not be read"] if self.unreadable else []
        lines += [f"stopped: {self.stopped}", "run it again: what is stored stays one row"] if self.stopped else []
        return "\n".join(lines)


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a transcript, a folder of *.jsonl, or - for stdin")
    parser.add_argument("--agent", default="", help="name of the agent (default: told by the format)")
    parser.add_argument("--session", default="", help="session of the calls (default: the transcript's own)")
    parser.add_argument("--all", action="store_true", help="also calls that the hook has recorded from this machine")
    add_identity(parser)
    add_server(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Imports, prints the summary, and returns 0 when everything that could be read is recorded."""
    files = expanded(args.files)
    door = Door(base_url(args), api_key())
    total = sum(Path(name).stat().st_size for name in files if name != STDIN and Path(name).is_file())
    with display(0 if STDIN in files else total, json=args.json) as shown:
        summary = Import(args, Courier(door), shown).run(files)
    show(asdict(summary), compact=True) if args.json else say(summary.text())
    return OK if summary.ok else FAILED


def expanded(names: list[str]) -> list[str]:
    """`names`, where a folder stands for the transcripts in it."""
    found = []
    for name in names:
        folder = name != STDIN and Path(name).is_dir()
        found += sorted(str(path) for path in Path(name).rglob("*.jsonl")) if folder else [name]
    return list(dict.fromkeys(found))


class Import:
    """One run over some files."""

    def __init__(self, args: argparse.Namespace, courier: Courier, shown: Quiet) -> None:
        self._args, self._courier, self._shown = args, courier, shown
        self._identity = identity(args)
        self._calls = Calls(default_folder() / "calls")
        self._summary = Summary()

    def run(self, files: list[str]) -> Summary:
        """Records the calls of `files`. UnreachableError when the server never answered."""
        try:
            for group in batches(self._items(files), lambda item: size(item.record)):
                self._deliver(group)
        except StoppedError as failure:
            self._summary.stopped = str(failure)
        return self._summary

    def _deliver(self, group: list[Item]) -> None:
        for item, verdict in zip(group, self._courier.deliver([item.record for item in group]), strict=True):
            self._summary.stored += verdict.stored
            self._summary.refused += verdict.refused
            if verdict.refused:
                self._shown.tell(f"{item.place}: refused: {verdict.reason}")

    def _items(self, files: list[str]) -> Iterator[Item]:
        for name in files:
            try:
                if name == STDIN:
                    yield from self._file(name, sys.stdin.buffer)
                else:
                    with Path(name).open("rb") as file:
                        yield from self._file(name, file)
            except OSError as failure:
                self._summary.unreadable += 1
                self._shown.tell(f"{name}: cannot be read: {failure.strerror or type(failure).__name__}")

    def _file(self, name: str, file: IO[bytes]) -> Iterator[Item]:
        transcript = Transcript(name, self._args.agent, self._args.session)
        calls = told = 0
        for found in transcript.read(self._counted(file)):
            calls += 1
            record = build(found.call, self._identity)
            call = found.call
            if not self._args.all and self._calls.known(digest_of(call.agent, call.session, call.call_id, record)):
                self._summary.captured += 1
            else:
                yield Item(f"{name}:{found.line}", record)
            told = self._tell(transcript.bad, told)
        self._tell(transcript.bad, told)
        self._summary.files += 1
        self._summary.calls += calls
        self._summary.unfinished += transcript.unfinished
        self._shown.file_done(name, calls)

    def _tell(self, bad: list[str], told: int) -> int:
        for line in bad[told:]:
            self._summary.bad_lines += 1
            self._shown.tell(line)
        return len(bad)

    def _counted(self, file: IO[bytes]) -> Iterator[bytes]:
        for line in file:
            self._shown.advance(len(line))
            yield line
