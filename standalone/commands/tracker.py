"""`loom tracker demo | load | eval`: a record to ask about, the demo's or a team's own, and how well it is answered."""

import argparse
from collections.abc import Callable
from pathlib import Path

from loom.cli.door import UnreachableError
from loom.cli.options import DEFAULT_BASE_URL, add_json, add_server, base_url
from loom.cli.terminal import FAILED, OK, UNREACHABLE, UsageError, say, show, warn
from services.tracker.contract.tables import TABLES
from services.tracker.record.load.read import Reader
from services.tracker.record.load.report import FileReport
from standalone.commands import tracker_eval
from standalone.loading.job import (
    DEMO_CODE,
    DEMO_ROWS,
    DEMO_TRACKER,
    NotLinkedError,
    Outcome,
    link_loaded,
    load,
    load_demo,
)
from standalone.loading.line import Line, RefusedError
from standalone.loading.opening import NoWayError, opened
from standalone.loading.progress import progress
from standalone.loading.trying import Question, commands, demo_questions, questions

NAMESPACE = "tracker-local"
UNCHANGED = "nothing changed: a load is seen as a whole or not at all"
Run = Callable[[argparse.Namespace], int]


class TrackerCommand:
    """The `tracker` command of the loom program."""

    help = "load a tracker's record to ask about, the demo or your own export; judge the duplicate check on it"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", metavar="demo | load | eval", required=True)
        demo = actions.add_parser("demo", help="load the demo record, in the place of one that is there")
        loading = actions.add_parser("load", help="load exports: JSON, JSON lines, CSV, Parquet; .gz, .xz and .bz2 too")
        loading.add_argument("files", nargs="+", metavar="FILE", help="such as what `gh issue list --json …` wrote")
        loading.add_argument("--repo", metavar="ORG/REPO", help="repository of records that name none")
        loading.add_argument(
            "--table", choices=tuple(TABLES), help="what the files are, where their columns do not tell"
        )
        loading.add_argument(
            "--replace",
            action="store_true",
            help="the record is these files alone; else they are added to what is there",
        )
        for action, tracker, code, run in ((demo, DEMO_TRACKER, DEMO_CODE, _demo), (loading, NAMESPACE, "", _load)):
            action.add_argument("--namespace", default=tracker, metavar="NAME", help=f"tracker namespace ({tracker})")
            action.add_argument(
                "--code-namespace",
                default=code,
                metavar="NAME",
                help=f"code namespace to link it to ({code or 'none'})",
            )
            action.add_argument(
                "--data", help="data folder to open; default: the server, else LOOM_DATA_DIR, else .loom"
            )
            add_server(action)
            add_json(action)
            action.set_defaults(run_action=run)
        judging = actions.add_parser("eval", help=tracker_eval.HELP)
        tracker_eval.configure(judging)
        judging.set_defaults(run_action=tracker_eval.run, data=None, base_url="")

    def run(self, args: argparse.Namespace) -> int:
        if args.data is not None and args.base_url:
            raise UsageError("--data and --base-url exclude each other: a folder is opened, or a server is asked")
        run: Run = args.run_action
        try:
            return run(args)
        except RefusedError as refusal:
            hint = " (LOOM_API_KEY or LOOM_API_KEY_FILE)" if refusal.code.startswith("TOKEN_") else ""
            warn(f"loom tracker: {refusal}{hint}; {UNCHANGED}")
            return FAILED
        except (NoWayError, NotLinkedError) as failure:
            warn(f"loom tracker: {failure}")
            return FAILED
        except UnreachableError as failure:
            warn(f"loom tracker: {failure}; {UNCHANGED}")
            return UNREACHABLE


def _demo(args: argparse.Namespace) -> int:
    with opened(args) as (line, served), progress(DEMO_ROWS, quiet=args.json) as shown:

        def told(table: str, rows: int) -> None:
            shown.told(table, rows)
            shown.advance(rows)

        outcome = load_demo(line, told, args.namespace, args.code_namespace)
    _print(args, outcome, [], demo_questions(), served)
    return OK


def _load(args: argparse.Namespace) -> int:
    paths = [Path(name) for name in args.files]
    for path in paths:
        if not path.is_file():
            raise UsageError(f"there is no file {path}")
    with opened(args) as (line, served):
        with progress(sum(path.stat().st_size for path in paths), quiet=args.json) as shown:
            reader = _reader(args, paths, shown.advance)
            outcome = load(line, reader, args.namespace, shown.told, replace=args.replace)
        if args.code_namespace and outcome.rows:
            _link(line, args, outcome)
    _print(args, outcome, reader.reports, questions(outcome.worth), served)
    left_out = outcome.refused or any(report.stopped or report.skipped for report in reader.reports)
    return OK if outcome.rows and not left_out else FAILED


def _reader(args: argparse.Namespace, paths: list[Path], advance: Callable[[int], None]) -> Reader:
    try:
        return Reader(paths, table=args.table, repo=args.repo, progress=advance)
    except ValueError as error:
        raise UsageError(f"--{error}") from None


def _link(line: Line, args: argparse.Namespace, outcome: Outcome) -> None:
    repos = outcome.worth.repos
    repo = args.repo if args.repo in repos else next(iter(repos), args.repo)
    link_loaded(line, args.code_namespace, repo, args.namespace)


def _print(
    args: argparse.Namespace, outcome: Outcome, reports: list[FileReport], asked: list[Question], served: bool
) -> None:
    base = "" if base_url(args) == DEFAULT_BASE_URL or not served else base_url(args)
    lines = commands(asked, args.code_namespace or args.namespace, base)
    if args.json:
        show(_as_json(args, outcome, reports, lines), compact=True)
        return
    for report in reports:
        for text in report.lines():
            say(text)
    for reason, count in outcome.refused.items():
        say(f"left out {count:,}: {reason}")
    if not outcome.rows:
        say(f"no row was loaded; {UNCHANGED}")
        return
    stored = ", ".join(f"{count:,} {table}" for table, count in sorted(outcome.stored.items()))
    say(f"{args.namespace} of {', '.join(outcome.worth.repos)} took {stored}")
    say("Try:" if served else f"Start `loom serve{f' --data {args.data}' if args.data else ''}`, then try:")
    for text in lines:
        say(f"  {text}")


def _as_json(
    args: argparse.Namespace, outcome: Outcome, reports: list[FileReport], lines: list[str]
) -> dict[str, object]:
    files = [
        {
            "path": each.path,
            "form": each.form,
            "tables": dict(each.tables),
            "skipped": {reason: skipped.count for reason, skipped in each.skipped.items()},
            "emptied": dict(each.emptied),
            "stopped": each.stopped,
        }
        for each in reports
    ]
    return {
        "namespace": args.namespace,
        "code_namespace": args.code_namespace,
        "repos": outcome.worth.repos,
        "stored": dict(outcome.stored),
        "refused": dict(outcome.refused),
        "files": files,
        "try": lines,
    }


command = TrackerCommand()
