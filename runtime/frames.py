"""Exceptions as data: what happened and where, without messages, which may quote a caller or name hosts and files."""

import errno
import os
import sys
import traceback
from pathlib import Path
from typing import Any

from runtime.errors import LoomError

_FOLDERS = {str(Path(__file__).parents[1]), *filter(None, sys.path)}
_ROOTS = sorted((folder.rstrip(os.sep) + os.sep for folder in _FOLDERS), key=len, reverse=True)
_MAX_FRAMES = 25
_MAX_CHAIN = 6


def short_path(path: str) -> str:
    """The path below the folder that it was imported from."""
    for root in _ROOTS:
        if path.startswith(root):
            return path[len(root) :]
    return path


def describe_exception(error: BaseException) -> list[dict[str, Any]]:
    """The exception and what it came from, outermost first.

    Ours is its code alone. Any other is its class, the innermost frames as `file:line:function` and, where the
    operating system failed, the name of its error number.
    """
    described: list[dict[str, Any]] = []
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting and len(described) < _MAX_CHAIN:
        current = waiting.pop(0)
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        described.append(_one(current))
        waiting.append(current.__cause__ or (None if current.__suppress_context__ else current.__context__))
        if isinstance(current, BaseExceptionGroup):
            waiting.extend(current.exceptions)
    return described


def _one(error: BaseException) -> dict[str, Any]:
    if isinstance(error, LoomError):
        return {"type": "LoomError", "code": error.code.name}
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    described: dict[str, Any] = {"type": name, "frames": _frames(error)}
    if isinstance(error, OSError) and error.errno in errno.errorcode:
        described["errno"] = errno.errorcode[error.errno]
    return described


def _frames(error: BaseException) -> list[str]:
    frames = [
        f"{short_path(frame.f_code.co_filename)}:{line}:{frame.f_code.co_qualname}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    return frames[-_MAX_FRAMES:]
