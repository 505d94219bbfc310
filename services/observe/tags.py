"""Tags of an observation."""

from collections.abc import Iterable, Sequence

MOST = 32
FIRST = "observation"


def server_tags(kind: str, file_paths: Sequence[str], action_type: str, caller_tags: Sequence[str]) -> list[str]:
    """`observation`, the kind, base names of the files, `action:<type>`, then the caller's own.

    Blank tags and repeated ones are dropped, blanks around a tag are cut off, and the first 32 are kept.
    """
    action = action_type.strip()
    files = (base_name(path) for path in file_paths)
    return _kept((FIRST, kind, *files, f"action:{action}" if action else "", *caller_tags))


def base_name(path: str) -> str:
    """Last part of a POSIX or Windows path: `C:\\\\src\\\\a.py` and `src/a.py/` give `a.py`."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _kept(tags: Iterable[str]) -> list[str]:
    seen: dict[str, None] = {}
    for tag in tags:
        name = tag.strip()
        if name:
            seen[name] = None
            if len(seen) == MOST:
                break
    return list(seen)
