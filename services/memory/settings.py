"""Settings of the memory plane."""

from datetime import timedelta

from runtime.settings import setting, settings
from services.memory.types import DEFAULT


@settings(prefix="LOOM_MEMORY_")
class MemorySettings:
    """What an installation may say about what is remembered."""

    types: tuple[str, ...] = setting(
        DEFAULT, help="Kinds of memories that may be saved; `summary` is reserved and always there."
    )
    session_timeout_hours: float = setting(
        24.0, help="Hours without anything happening after which a session is over.", min=0.001, max=87_600
    )
    journal: bool = setting(
        True,
        help="Where chDB runs in this process: acknowledge a save when a journal in the data folder has it, and bring "
        "many into their tables at once. Off: each save goes into the tables before its answer, which is slower.",
    )

    @property
    def session_timeout(self) -> timedelta:
        return timedelta(hours=self.session_timeout_hours)
