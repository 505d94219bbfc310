"""What a failed call becomes: one of three exceptions that every program knows, with the LoomError as its cause."""

from collections.abc import Iterator
from contextlib import contextmanager

from loom._http import NotJson
from loom.errors import LoomError

# Categories of the error envelope (docs/errors.md). A 404 that means "no such op" or "no such route" is no look-up of
# the caller's: the installation is another one than the program needs.
_INVALID, _NOT_FOUND = "invalid", "not_found"
_FOREIGN = ("UNKNOWN_OP", "ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED")
_NO_ENVELOPE = "HTTP_"


@contextmanager
def told() -> Iterator[None]:
    """Raises ValueError, LookupError or RuntimeError in the place of what a call raises."""
    try:
        yield
    except LoomError as error:
        raise _kind(error)(_text(error)) from error
    except NotJson as error:
        raise ValueError(str(error)) from None
    except (TypeError, ValueError):
        # What JSON cannot hold; the text of that exception can hold the value.
        raise ValueError("an argument is no text, number or list of them, such as JSON has") from None


def _kind(error: LoomError) -> type[Exception]:
    if error.code in _FOREIGN or error.code.startswith(_NO_ENVELOPE):
        return RuntimeError
    return {_INVALID: ValueError, _NOT_FOUND: LookupError}.get(error.category, RuntimeError)


def _text(error: LoomError) -> str:
    # A bad argument is the program's own to mend; all else is for whoever runs the installation, who needs the code.
    return error.message if error.category in (_INVALID, _NOT_FOUND) else str(error)
