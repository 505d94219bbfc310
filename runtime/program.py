"""How a serving program ends: with a sentence and an exit code, not with a traceback, for all that a person can mend."""

import sys
from collections.abc import Coroutine
from typing import Any

import uvloop

from runtime.errors import LoomError
from runtime.settings import SettingsError
from runtime.store import DataFolderBusy, LockLost, MigrationError


def run(program: str, serving: Coroutine[Any, Any, None]) -> int:
    """Runs it to its end; returns the exit code: 0 after a stop in good order, 1 when it could not start."""
    try:
        uvloop.run(serving)
    except (SettingsError, DataFolderBusy, LockLost, MigrationError) as error:
        return refuse(program, str(error))
    except LoomError as error:
        return refuse(program, error.message)
    except OSError as error:
        return refuse(program, f"cannot start: {error.strerror or error}")
    return 0


def refuse(program: str, message: str) -> int:
    """Says why on standard error; the exit code."""
    print(f"{program}: {message}", file=sys.stderr)  # noqa: T201 - for whoever started it, whatever the log's level
    return 1
