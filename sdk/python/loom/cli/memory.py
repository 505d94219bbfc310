"""`loom memory export | import | search | save`: a user's memories from the command line.

They are a server's, or with `--data` those of a folder that no server has open.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from loom.cli.door import UnreachableError
from loom.cli.options import add_identity, add_json, add_server, api_key, base_url, identity
from loom.cli.terminal import FAILED, OK, say, show, warn

help = "save, search, export and import memories"

STDIN = "-"
# An import may wait for a busy server as long as a person would.
PATIENCE_S = 120.0


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="export | import | search | save")
    for name, (text, more, _) in ACTIONS.items():
        action = actions.add_parser(name, help=text, description=text, allow_abbrev=False)
        more(action)
        add_identity(action)
        action.add_argument("--user", dest="user_id", default=argparse.SUPPRESS, help="the same as --user-id")
        action.add_argument("--data", default="", metavar="FOLDER", help="a folder in the place of a server")
        add_server(action)
        add_json(action)


def run(args: argparse.Namespace) -> int:
    """Runs the action; a call that fails is one line on standard error and exit code 1."""
    from loom.errors import ConnectionFailed, LoomError

    try:
        with client(args) as agent:
            return ACTIONS[args.action][2](args, agent)
    except ConnectionFailed as error:
        raise UnreachableError(error.message) from error
    except (LoomError, CannotOpenError) as error:
        warn(f"loom: {error}")
        return FAILED


class CannotOpenError(Exception):
    """The folder cannot be opened; the message says why."""


@contextmanager
def client(args: argparse.Namespace) -> Iterator[Any]:
    """A SyncAgent on the server or the folder. Raises CannotOpenError."""
    from loom.memory import _embedded
    from loom.sync import SyncAgent

    if not args.data:
        with SyncAgent(base_url=base_url(args), api_key=api_key(), timeout=PATIENCE_S) as agent:
            yield agent
        return
    try:
        installation = _embedded.opener()(str(Path(args.data).expanduser().absolute()), None)
    except RuntimeError as error:
        raise CannotOpenError(str(error)) from error
    transport = _embedded.InProcess(installation)
    with SyncAgent(base_url=_embedded.BASE_URL, timeout=PATIENCE_S, transport=transport) as agent:
        yield agent


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    """An action that needs none of its own."""


def export(args: argparse.Namespace, agent: Any) -> int:
    """Writes a memory on each line of standard output; an export that breaks off says so and gives exit code 1."""
    from loom.errors import LoomError
    from loom.memory._transfer import exported

    count = 0
    try:
        for count, record in enumerate(exported(agent, identity(args)), 1):  # noqa: B007 - told in the end
            say(json.dumps(record, ensure_ascii=True, separators=(",", ":")))
    except LoomError as error:
        if not count:
            raise
        warn(f"loom: the export is incomplete, it broke off after {count} memories: {error}")
        return FAILED
    if not args.json:
        warn(f"{count} memories exported")
    return OK


@dataclass
class Summary:
    """What an import did: `memories` that are in, `texts` that were new, `refused` memories, `bad_lines`, `unreadable`
    files; `stopped` says why it ended early, empty when it did not."""

    memories: int = 0
    texts: int = 0
    refused: int = 0
    bad_lines: int = 0
    unreadable: int = 0
    stopped: str = ""

    @property
    def ok(self) -> bool:
        """Whether everything is in."""
        return not (self.refused or self.bad_lines or self.unreadable or self.stopped)

    def text(self) -> str:
        """The summary for a person."""
        lines = [f"{self.memories} memories are in, {self.texts} texts of them were new"]
        failed = {"memories refused": self.refused, "bad lines": self.bad_lines, "unreadable files": self.unreadable}
        lines += [f"{count} {what}" for what, count in failed.items() if count]
        lines += [f"stopped before the end: {self.stopped}"] if self.stopped else []
        lines += (
            [] if self.ok else ["NOT everything is in; run it again when that is put right: nothing comes in twice"]
        )
        return "\n".join(lines)


def _import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON lines of `loom memory export`; - for stdin")


def import_(args: argparse.Namespace, agent: Any) -> int:
    """Brings memories in, shows how far it is, prints a summary; exit code 1 where not everything came in."""
    from loom.capture.progress import display
    from loom.errors import ConnectionFailed
    from loom.memory._transfer import Got, Import, Refused, StoppedError

    summary = Summary()
    total = sum(Path(name).stat().st_size for name in args.files if name != STDIN and Path(name).is_file())
    with display(0 if STDIN in args.files else total, json=args.json) as shown:

        def tell(refused: Refused) -> None:
            shown.tell(f"{refused.place}: {refused.reason}")

        def lines() -> Iterator[Any]:
            return _lines(args.files, shown.advance, tell, summary)

        try:
            got = Import(agent, identity(args), tell).run(lines())
        except StoppedError as stopped:
            if stopped.got == Got() and isinstance(stopped.error, ConnectionFailed):
                raise stopped.error from None
            got, summary.stopped = stopped.got, str(stopped)
    summary.memories, summary.texts, summary.refused = got.memories, got.texts, got.refused
    show(asdict(summary), compact=True) if args.json else say(summary.text())
    return OK if summary.ok else FAILED


def _lines(
    names: list[str], advance: Callable[[int], None], tell: Callable[[Any], None], summary: Summary
) -> Iterator[Any]:
    """The memories of all files; what is none is told and counted."""
    from loom.memory._transfer import Refused, parse

    for name in names:
        try:
            for number, text in _numbered(name):
                advance(len(text))
                found = parse(f"{name}:{number}", text) if text.strip() else None
                if isinstance(found, Refused):
                    summary.bad_lines += 1
                    tell(found)
                elif found is not None:
                    yield found
        except OSError as failure:
            summary.unreadable += 1
            tell(Refused(name, f"cannot be read: {failure.strerror or type(failure).__name__}"))


def _numbered(name: str) -> Iterator[tuple[int, bytes]]:
    if name == STDIN:
        yield from enumerate(sys.stdin.buffer, 1)
        return
    file: IO[bytes]
    with Path(name).open("rb") as file:
        yield from enumerate(file, 1)


def _search_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", help="words or a question, in any language")
    parser.add_argument("--limit", type=int, default=10, metavar="N", help="most hits, 1 to 100 (default 10)")
    parser.add_argument("--type", dest="types", action="append", default=None, help="only this type; may be repeated")
    parser.add_argument("--min-score", type=float, default=None, metavar="S", help="leave out what scores less, 0 to 1")


def search(args: argparse.Namespace, agent: Any) -> int:
    """Prints the hits, best first; exit code 0 with none, too."""
    asked = {"query": args.query, "limit": args.limit, "types": args.types, "min_score": args.min_score}
    answer = agent.call("memory.search", {**identity(args), **asked})
    if args.json:
        show(answer, compact=True)
        return OK
    for hit in answer["hits"]:
        say(f"{hit['score']:.3f}  {hit['id']}  [{hit['type']}] {_line(hit['title'])}\n       {_line(hit['snippet'])}")
    for leg, status in answer["leg_status"].items():
        # A short query is not asked of a model at all; nothing is broken.
        if status != "ok" and not status.startswith("not asked"):
            warn(f"loom: the {leg} search fell out: {status}")
    return OK


def _save_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("content", help="what should be remembered; - reads it from standard input")
    parser.add_argument("--type", required=True, help="profile, preference, decision, pattern or discovery")
    parser.add_argument("--title", required=True, help="a line that says what it is about")
    parser.add_argument("--topic-key", default=None, help="key of its topic: a later save under it replaces the text")
    parser.add_argument("--observed-at", default=None, metavar="T", help="when it was said (default: now)")


def save(args: argparse.Namespace, agent: Any) -> int:
    """Saves one memory and says what became of it."""
    content = sys.stdin.read() if args.content == STDIN else args.content
    given = {name: getattr(args, name) for name in ("type", "title", "topic_key", "observed_at")}
    answer = agent.call("memory.save", {**identity(args), **given, "content": content})
    if args.json:
        show(answer, compact=True)
        return OK
    say(f"{answer['outcome']} {answer['id']}")
    for text in filter(None, [answer["notice"]]):
        say(text)
    for like in answer["similar"]:
        say(f"similar ({like['similarity']:.2f}): {like['id']} {_line(like['title'])}")
    return OK


def _line(text: str) -> str:
    """A stored text as one line that cannot move a terminal's cursor."""
    return "".join(char if char.isprintable() else " " for char in text).encode("utf-8", "replace").decode()


Action = tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace, Any], int]]
ACTIONS: dict[str, Action] = {
    "export": ("write a user's memories, all texts included, as JSON lines", _no_arguments, export),
    "import": ("bring exported memories in; doing it twice adds nothing", _import_arguments, import_),
    "search": ("find memories by what they say", _search_arguments, search),
    "save": ("save one memory", _save_arguments, save),
}
