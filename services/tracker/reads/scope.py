"""What a namespace may read of its source: the repositories it names, and whether it is restricted.

An entry of `repos` is one of three, matched letter by letter (trackers keep one spelling, so case counts):

- `Org/repo`: that repository, which is every `source_id` that starts with `Org/repo#`. It never covers `Org/repo2`.
- `Org`: every repository of the organisation, `source_id` starts with `Org/`.
- `Org/group/`: with a slash at the end, every repository beneath the group.

Nothing in an entry is a wildcard. An empty scope reads nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass

REPO_SEPARATOR = "#"
MAX_REPOS = 200
_MAX_ENTRY = 300

REFUSED_TO_STANDARD = frozenset({"core_incidents", "support_cases", "slack_threads"})
"""Tables that only a restricted namespace may read."""


class ScopeError(ValueError):
    """An entry that names no repository; the message says what one looks like and never repeats the entry."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows that a namespace may see. `repos` as in the module; ScopeError where an entry is none."""

    repos: tuple[str, ...]
    restricted: bool = False

    def __post_init__(self) -> None:
        if len(self.repos) > MAX_REPOS:
            raise ScopeError(f"at most {MAX_REPOS} repositories to a namespace; name an organisation instead")
        for number, entry in enumerate(self.repos):
            _check(number, entry)

    def refuses(self, table: str) -> bool:
        """Whether the table is closed to this scope, whatever its rows."""
        return table in REFUSED_TO_STANDARD and not self.restricted

    def covers(self, source_id: str) -> bool:
        """The same rule as the statements', for a `source_id` at hand."""
        return any(source_id.startswith(prefix) for prefix in self.prefixes())

    def prefixes(self) -> tuple[str, ...]:
        """What `source_id` starts with, up to and with the separator."""
        return tuple(
            entry + REPO_SEPARATOR if _is_repository(entry) else entry.rstrip("/") + "/" for entry in self.repos
        )

    def by_source_id(self) -> tuple[str, Mapping[str, str]]:
        """A condition on `source_id`, and what its parameters are bound to."""
        prefixes = self.prefixes()
        terms = [f"startsWith(source_id, {{loom_repo_{n}:String}})" for n in range(len(prefixes))]
        return _any(terms), {f"loom_repo_{n}": prefix for n, prefix in enumerate(prefixes)}

    def by_repo(self) -> tuple[str, Mapping[str, str]]:
        """A condition on a column `repo` that holds `Org/repo`, with the same parameters as `by_source_id`."""
        prefixes = self.prefixes()
        terms = [
            f"startsWith(concat(repo, '{REPO_SEPARATOR}'), {{loom_repo_{n}:String}})" for n in range(len(prefixes))
        ]
        return _any(terms), {f"loom_repo_{n}": prefix for n, prefix in enumerate(prefixes)}


def _is_repository(entry: str) -> bool:
    return "/" in entry and not entry.endswith("/")


def _any(terms: list[str]) -> str:
    return "(" + " OR ".join(terms) + ")" if terms else "0"


def _check(number: int, entry: str) -> None:
    where = f"repos[{number}]"
    if not 0 < len(entry) <= _MAX_ENTRY or not entry.isprintable() or entry != entry.strip():
        raise ScopeError(f"{where} must be 1 to {_MAX_ENTRY} printable characters without space around them")
    if REPO_SEPARATOR in entry:
        raise ScopeError(f"{where} must be Org/repo or Org, without {REPO_SEPARATOR} and a number")
    if entry.startswith("/") or "//" in entry:
        raise ScopeError(f"{where} must be Org/repo, Org, or Org/group/ with one slash between names")
