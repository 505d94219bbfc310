"""What of a shell command is worth telling apart: the programs that do work, without the steps around them."""

import re

LONGEST = 200
# Looking around and moving about say nothing about how somebody works.
NOISE = frozenset(
    {
        *(
            "ls",
            "ll",
            "dir",
            "cd",
            "pwd",
            "pushd",
            "popd",
            "cat",
            "bat",
            "less",
            "more",
            "head",
            "tail",
            "echo",
            "printf",
        ),
        *(
            "grep",
            "egrep",
            "fgrep",
            "rg",
            "ag",
            "find",
            "fd",
            "which",
            "whereis",
            "type",
            "whoami",
            "id",
            "date",
            "clear",
        ),
        *("sleep", "wait", "wc", "sort", "uniq", "cut", "tr", "sed", "awk", "tee", "true", "false", "test", "[", "set"),
        *(
            "export",
            "unset",
            "source",
            ".",
            "exit",
            "mkdir",
            "rmdir",
            "rm",
            "cp",
            "mv",
            "ln",
            "touch",
            "chmod",
            "chown",
        ),
        *(
            "stat",
            "file",
            "tree",
            "du",
            "df",
            "ps",
            "top",
            "kill",
            "env",
            "history",
            "man",
            "diff",
            "jq",
            "xargs",
            "read",
        ),
    }
)
NOISE_GIT = frozenset(
    {
        *(
            "status",
            "diff",
            "log",
            "show",
            "add",
            "branch",
            "rev-parse",
            "blame",
            "stash",
            "checkout",
            "switch",
            "fetch",
        ),
        *("commit", "ls-files", "config", "remote", "restore", "reset", "grep", ""),
    }
)
_SHELL = re.compile(r"^(?:/\S*/)?(?:ba|z|da)?sh -l?c (.+)$", re.DOTALL)
_REDIRECTION = re.compile(r"\s*(?:\d?>&\d|&>>?\s*\S+|\d?>>?\s*\S+|<\s*\S+)")
_PART = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^;&|"'\\])+""")
_ASSIGNMENT = re.compile(r"\w+=\S*")
_GIT_OPTIONS = re.compile(r"^(?:(?:-[cC] \S+|-\S+) )+")
_WRAPPERS = frozenset({"sudo", "time", "nohup", "command", "exec", "timeout"})


def core(command: str) -> str:
    """The working parts of a one-line command; empty when there are none, or it is a script of its own.

    `cd /src && pytest -q 2>&1 | tail -5` is `pytest -q`.
    """
    text = command.strip()
    if wrapped := _SHELL.match(text):
        text = wrapped[1].strip().strip("'\"")
    if not text or "\n" in text or len(text) > LONGEST or text.endswith("…") or "<<" in text:
        return ""
    parts = (" ".join(part.split()) for part in _PART.findall(_REDIRECTION.sub("", text)))
    return " && ".join(part for part in parts if part and not _is_noise(part))


def program(command: str) -> str:
    """The first program of a command, `python` for every version of it; empty where there is none."""
    words = _words(command)
    return re.sub(r"[\d.]+$", "", words[0].rpartition("/")[2]) if words else ""


def _words(part: str) -> list[str]:
    words = part.split()
    while words and (_ASSIGNMENT.fullmatch(words[0]) or words[0] in _WRAPPERS or words[0].isdigit()):
        words.pop(0)
    return words


def _is_noise(part: str) -> bool:
    words = _words(part)
    if not words or words[0].startswith("#"):
        return True
    name = words[0].rpartition("/")[2]
    if name == "git":
        return _GIT_OPTIONS.sub("", " ".join(words[1:]) + " ").partition(" ")[0] in NOISE_GIT
    return name in NOISE
