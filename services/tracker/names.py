"""Names of repositories, sources and branches, and the operator's globs. Messages never contain what was sent."""

import json
import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase

REPO = "`Org/repo`, in letters, digits and . _ -, with one /"
SOURCE = "1 to 128 of letters, digits and . _ -, with a letter or digit first"
BRANCH = "a branch name without spaces, 1 to 256 characters"

_REPO = re.compile(r"[A-Za-z0-9_.-]{1,100}(?:/[A-Za-z0-9_.-]{1,100}){1,4}")
_SOURCE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_BRANCH = re.compile(r"[^\s\x00-\x1f]{1,256}")


def is_repo(name: str) -> bool:
    """`Org/repo`; groups may nest (`group/sub/repo`), as some trackers have them."""
    return _REPO.fullmatch(name) is not None


def is_source(name: str) -> bool:
    return _SOURCE.fullmatch(name) is not None


def is_branch(name: str) -> bool:
    return _BRANCH.fullmatch(name) is not None


def repo_of(source_id: str) -> str:
    """`Org/repo` of `Org/repo#12`."""
    return source_id.rpartition("#")[0]


Bindings = Sequence[tuple[str, tuple[str, ...]]]


def bindings_of(text: str) -> Bindings:
    """The operator's links: a JSON object of globs over code namespaces to a tracker's name, or a list of names.

    Raises ValueError in words that complete "… must be".
    """
    try:
        found = json.loads(text or "{}")
    except ValueError:
        raise ValueError('must be JSON, such as {"web-*": "tracker-web"}') from None
    if not isinstance(found, Mapping):
        raise ValueError("must be a JSON object of globs to names")
    return [(glob, _names(value)) for glob, value in found.items()]


def _names(value: object) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise ValueError("must map each glob to a name or a list of names")
    return tuple(dict.fromkeys(names))


def bound_by_operator(bindings: Bindings, namespace: str) -> tuple[str, ...]:
    """The trackers of the first glob that matches, the namespace's own name before any pattern."""
    exact = [names for glob, names in bindings if glob == namespace]
    return next(iter([*exact, *(names for glob, names in bindings if fnmatchcase(namespace, glob))]), ())


def covers(repos: Sequence[str], repo: str) -> bool:
    """True when a tracker of these repositories has the repository. GitHub and others ignore case in names."""
    return repo.casefold() in {each.casefold() for each in repos}
