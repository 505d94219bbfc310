"""Why a source has no answer: a state that callers show, never an error."""

from enum import StrEnum


class Reason(StrEnum):
    """`off`: switched off. `timeout`: not in time. `circuit_open`: not asked, for it failed lately. `unreachable`: no
    connection, refused credentials, or a failure of the source's own. `contract`: its tables are not what was agreed."""

    OFF = "off"
    TIMEOUT = "timeout"
    CIRCUIT_OPEN = "circuit_open"
    UNREACHABLE = "unreachable"
    CONTRACT = "contract"


class Silent(Exception):
    """There is no answer. It carries the reason alone: nothing that the source said."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
