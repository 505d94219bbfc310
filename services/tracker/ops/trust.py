"""How far a judgement out of a reading can be trusted, where nothing is calibrated."""

from services.tracker.reads import Reading

UNCALIBRATED, DEGRADED, UNAVAILABLE = "uncalibrated", "degraded", "unavailable"
_SPOKE = frozenset({"ok", "not_provided", "refused", "skipped", "not_asked", "off"})


def trust(*readings: Reading) -> str:
    """`unavailable` where nothing was heard, `degraded` where a leg was silent."""
    if readings and all(reading.tracker_unavailable for reading in readings):
        return UNAVAILABLE
    silent = any(str(state) not in _SPOKE for reading in readings for state in reading.leg_status.values())
    return DEGRADED if silent else UNCALIBRATED
