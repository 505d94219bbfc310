"""Where each agent keeps its hook configuration, and what Loom's part of it looks like: data, no I/O."""

import itertools
from collections.abc import Mapping
from typing import Any, NamedTuple

from loom.capture.payloads import CLAUDE_CODE, CODEX, CURSOR, GEMINI_CLI

# The hook ends by itself after two seconds; this is for a machine that is too busy to start it.
TIMEOUT_S = 10


class Target(NamedTuple):
    """One agent's configuration.

    `home` is the variable that moves the user's folder, empty when there is none, and `folder` its name under the home
    or project folder. `events` are those that report a finished tool call. `timeout` is `TIMEOUT_S` in the unit that
    the agent counts in. `flat`: an event lists commands, without groups that match tool names. `base` is what an
    empty file must hold. `note` is what a person has to do besides.
    """

    home: str
    folder: str
    file: str
    events: tuple[str, ...]
    timeout: int
    flat: bool = False
    base: Mapping[str, Any] = {}
    note: str = ""


TARGETS = {
    CLAUDE_CODE: Target(
        "CLAUDE_CONFIG_DIR", ".claude", "settings.json", ("PostToolUse", "PostToolUseFailure"), TIMEOUT_S
    ),
    CODEX: Target(
        "CODEX_HOME",
        ".codex",
        "hooks.json",
        ("PostToolUse",),
        TIMEOUT_S,
        note="Codex runs a new hook only after you trust it: open /hooks in Codex.",
    ),
    GEMINI_CLI: Target("", ".gemini", "settings.json", ("AfterTool",), TIMEOUT_S * 1000),
    CURSOR: Target(
        "",
        ".cursor",
        "hooks.json",
        ("afterShellExecution", "afterFileEdit", "afterMCPExecution"),
        TIMEOUT_S,
        flat=True,
        base={"version": 1},
    ),
}


def entry(target: Target, command: str) -> dict[str, Any]:
    """What an event's list holds for Loom."""
    if target.flat:
        return {"command": command, "timeout": target.timeout}
    hook = {"type": "command", "command": command, "timeout": target.timeout}
    # Codex and Gemini CLI take a regular expression, Claude Code `*` or nothing: nothing is the one that all read alike.
    return {"matcher": "", "hooks": [hook]}


def merged(settings: dict[str, Any], target: Target, command: str) -> dict[str, Any]:
    """`settings` with Loom's hook in every event, in place of an older one of Loom's; all else stays as it is.

    ValueError, naming the place, when the settings are not of the shape that the agent documents.
    """
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict):
        raise ValueError("`hooks` must be an object")
    added = {event: _with(hooks.get(event, []), event, entry(target, command)) for event in target.events}
    return {**target.base, **settings, "hooks": {**hooks, **added}}


def _with(groups: Any, event: str, new: dict[str, Any]) -> list[Any]:
    if not isinstance(groups, list):
        raise ValueError(f"`hooks.{event}` must be a list")
    kept = [slim for slim in (_without_ours(group) for group in groups) if slim is not None]
    ours = next((at for at, group in enumerate(groups) if _without_ours(group) != group), len(kept))
    return [*kept[:ours], new, *kept[ours:]]


def _without_ours(group: Any) -> Any:
    """The group without Loom's hook; None when nothing else is in it."""
    if not isinstance(group, dict):
        return group
    if is_ours(group.get("command")):
        return None
    hooks = group.get("hooks")
    if not isinstance(hooks, list):
        return group
    rest = [hook for hook in hooks if not (isinstance(hook, dict) and is_ours(hook.get("command")))]
    if len(rest) == len(hooks):
        return group
    return {**group, "hooks": rest} if rest else None


def is_ours(command: Any) -> bool:
    """Whether a command is Loom's hook, wherever it is installed."""
    words = command.replace('"', " ").replace("'", " ").split() if isinstance(command, str) else []
    at = next((at for at, pair in enumerate(itertools.pairwise(words)) if pair == ("capture", "hook")), 0)
    return at > 0 and words[at - 1].replace("\\", "/").rpartition("/")[2] in ("loom", "loom.exe", "loom.cli")
