"""From the ops' plain values to what the constructors of messages take."""

import dataclasses
from datetime import datetime
from typing import Any

from services.instants import format_instant
from services.tracker.outcome import Common


def plain(value: Any) -> dict[str, Any]:
    """The fields of a dataclass, nested ones too; None is left out, instants are text, and a `Common` is merged in."""
    fields: dict[str, Any] = {}
    for name in (field.name for field in dataclasses.fields(value)):
        inner = getattr(value, name)
        if isinstance(inner, Common):
            fields.update(plain(inner))
        elif inner is not None:
            fields[name] = _plain(inner)
    return fields


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return plain(value)
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value
