"""Which files a call concerns.

In this order: the caller's own list; values of path-like keys at any depth of the input, and the files that a patch in
the input names; paths in the narrative. Repeats are dropped, 64 are kept, each of at most 1,024 characters (of a longer
one the end, behind an ellipsis, since the end tells files apart).

In free text a path is taken for one only where it is hardly anything else, since the base names become tags: it starts
with `/`, `~/`, `./`, `../`, a drive or a share, or it is relative, with a separator, and ends in a file name. URLs and
their parts, dates, fractions, media types, `and/or` and HTML closers are no paths. The working directory that comes
with a call (`cwd`) is not what the call concerns.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from services.observe.cutting import clean

MOST = 64
LONGEST = 1024

# The last word of a key that holds paths: `file_path`, `notebookPath`, `target_file`, `filenames`.
KEY_WORDS = frozenset(
    {"path", "paths", "file", "files", "filename", "filenames", "filepath", "filepaths", "directory", "directories"}
)
NOT_KEYS = frozenset({"include_files", "exclude_files", "json_path", "url_path", "working_directory"})

MEDIA = frozenset({"application", "audio", "font", "image", "message", "model", "multipart", "text", "video"})
DOMAINS = frozenset({"com", "org", "net", "io", "dev", "ai", "edu", "gov", "co", "uk", "de", "eu", "cloud"})
BARE_NAMES = frozenset(
    {
        *(
            "makefile",
            "gnumakefile",
            "justfile",
            "dockerfile",
            "containerfile",
            "jenkinsfile",
            "vagrantfile",
            "procfile",
        ),
        *("rakefile", "gemfile", "license", "readme", "changelog", "contributing", "notice", "codeowners"),
    }
)
# Where an absolute path without a file name at its end starts; `/v1/users` is a route and `/help` a command.
ROOTS = frozenset(
    {
        *("home", "users", "root", "tmp", "var", "etc", "usr", "opt", "srv", "mnt", "media", "volumes", "private"),
        *("proc", "sys", "lib", "bin", "sbin", "boot", "nix", "snap", "library", "applications", "system"),
        *("work", "workspace", "workspaces", "app", "code", "repo", "repos", "src", "data", "builds", "project"),
    }
)
ONE_LETTER_ENDINGS = frozenset("cdhlmorsvyz")
NOTHING = frozenset({"", ".", "..", "./", "../", "/", "~", "~/"})

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDING = re.compile(r".+\.([A-Za-z][A-Za-z0-9_]{0,9})|\.[A-Za-z][\w.-]+")
_PATCHED = re.compile(r"^(?:\*\*\* (?:(?:Add|Update|Delete) File|Move to): |\+\+\+ b/|--- a/)([^\t\r\n]+)", re.M)
_PATCH_LINES = re.compile(r"^(?:\*\*\* |\+\+\+ |--- |diff --git )[^\n]*", re.M)
_QUOTED_DRIVE = re.compile(r"""["'`]([A-Za-z]:\\[^"'`\n]+)["'`]""")
_URL = re.compile(
    r"""(?: \b[A-Za-z][A-Za-z0-9+.-]{0,20}+:/{2,} | \bwww\. | (?<![\w.-])[\w.-]++@[\w.-]++: ) [^\s"'`<>]*+""",
    re.VERBOSE,
)
# Names between separators. Possessive, so that no part of a token is matched twice.
_CANDIDATE = re.compile(
    r"""(?<![\w.~$}<@%*?+/\\-]) (?<![A-Za-z]>)
    (?: (?P<windows> (?: [A-Za-z]:[\\/]{1,2} | \\\\(?=[\w.$-]+\\) | \.{1,2}\\ ) (?: [\w.$@~+&-]++ [\\/]{0,2} )++ )
      | (?P<fixed> (?: ~?/ | \.{1,2}/ ) (?: [\w.@+~-]++ /{0,2} )++ )
      | (?P<relative> [\w.] [\w.@+~-]*+ / (?: /? [\w.@+~-]++ /? )++ )
    ) (?! […*{$<%] | \?\w )""",
    re.VERBOSE,
)


def find_paths(explicit: Sequence[str], tool_input: Any, narrative: str) -> list[str]:
    """The paths, as they were written, without repeats."""
    found: dict[str, None] = {}
    for candidate in chain(explicit, _in_input(tool_input)):
        _keep(found, candidate)
        if len(found) == MOST:
            return list(found)
    for path in found:
        if " " in path:  # its pieces would look like paths of their own
            narrative = narrative.replace(path, " ")
    for candidate in _in_text(narrative):
        _keep(found, candidate)
        if len(found) == MOST:
            break
    return list(found)


def _keep(found: dict[str, None], candidate: str) -> None:
    path = clean(candidate[-8 * LONGEST :]).strip()
    if path not in NOTHING and "\n" not in path:
        found[path if len(path) <= LONGEST else "…" + path[1 - LONGEST :]] = None


@lru_cache(maxsize=1024)
def _holds_paths(key: str) -> bool:
    name = _CAMEL.sub("_", key).lower().replace("-", "_")
    name = name.replace("file_name", "filename")
    return name not in NOT_KEYS and name.rpartition("_")[2] in KEY_WORDS


def _in_input(value: Any) -> Iterator[str]:
    """Paths in a JSON value, in the order of the document. A stack, not recursion: depth is the caller's to choose."""
    todo: list[tuple[bool, Any]] = [(False, value)]
    while todo:
        named, item = todo.pop()
        if isinstance(item, str):
            if _names_patched(item):
                yield from _PATCHED.findall(item)
            elif named and "://" not in item and "*" not in item:
                yield item
        elif isinstance(item, list):
            todo.extend((named, element) for element in reversed(item))
        elif isinstance(item, dict):
            todo.extend((len(key) <= 64 and _holds_paths(key), field) for key, field in reversed(item.items()))


def _names_patched(text: str) -> bool:
    return "*** " in text or "+++ " in text or "diff --git " in text


def _in_text(text: str) -> Iterator[str]:
    if _names_patched(text):
        yield from _PATCHED.findall(text)
        text = _PATCH_LINES.sub(" ", text)
    if ":\\" in text:
        yield from _QUOTED_DRIVE.findall(text)
        text = _QUOTED_DRIVE.sub(" ", text)
    for token in dict.fromkeys([token for token in text.split() if "/" in token or "\\" in token]):
        yield from _in_token(token)


def _in_token(token: str) -> Iterator[str]:
    if "://" in token or "www." in token or "@" in token:
        token = _URL.sub(" ", token)
    for match in _CANDIDATE.finditer(token):
        path = match[0].rstrip(".")
        if _is_path(path, match.lastgroup or "", token[match.start() - 1 : match.start()]):
            yield path


def _is_path(path: str, shape: str, before: str) -> bool:
    names = path.replace("\\", "/").split("/")
    if shape == "windows":
        return len(names) > 2 or names[-1] != ""
    if shape == "relative":
        hidden = names[0][0] == "." and len(names[0]) > 2
        return hidden or (_is_file_name(names[-1]) and not _is_foreign(names, before))
    if path[0] != "/":
        return path not in NOTHING
    rooted = len(names) > 2 and names[1].lower() in ROOTS
    return not path.startswith("/dev/") and (rooted or _is_file_name(names[-1]))


def _is_file_name(name: str) -> bool:
    ending = _ENDING.fullmatch(name)
    if ending is None:
        return name.lower() in BARE_NAMES
    return ending[1] is None or len(ending[1]) > 1 or ending[1].lower() in ONE_LETTER_ENDINGS


def _is_foreign(names: list[str], before: str) -> bool:
    """Whether a relative candidate is the rest of an address, or a media type."""
    first = names[0]
    if "@" in first or (before == ":" and first.isdigit()):
        return True
    if "." in first[1:] and first.rpartition(".")[2].lower() in DOMAINS:
        return True
    return first in MEDIA and len(names) == 2 and names[1].startswith(("vnd.", "x-", "prs."))
