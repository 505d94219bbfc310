"""How sources are reached and how long a read of one may take."""

from runtime.settings import setting, settings
from services.tracker.sources.model import Limits


@settings(prefix="LOOM_TRACKER_")
class LiveSettings:
    """Live reads of trackers."""

    live_serve: bool = setting(
        True, help="Whether sources are read. Off, every read of a tracker answers `tracker_unavailable`."
    )
    live_budget_ms: int = setting(
        300,
        help="Milliseconds that one read of a source may take, waiting for a free place included.",
        min=10,
        max=60_000,
    )
    live_timeout_s: float = setting(
        1.5, help="Seconds that a source may work on one statement (its max_execution_time).", min=0.1, max=600.0
    )
    live_statements: int = setting(4, help="Statements that one source gets at once; others wait.", min=1, max=64)
    circuit_failure_threshold: int = setting(
        3, help="Failures in a row after which a source is not asked for a while.", min=1, max=100
    )
    circuit_cooldown_s: float = setting(
        120.0, help="Seconds that a failing source is not asked; then one statement probes it.", min=1.0, max=86_400.0
    )
    source_hosts: tuple[str, ...] = setting(
        ("public", "private"),
        help="Hosts that sources may be on: public, private, loopback, addresses, networks (10.0.0.0/8), names with * for"
        " a part (*.example.com). An entry with ! in front is refused. Loopback is allowed to a single user by itself."
        " Link-local and metadata addresses are always refused.",
    )

    def limits(self) -> Limits:
        """What one read may cost."""
        return Limits(budget_s=self.live_budget_ms / 1000, remote_s=self.live_timeout_s)


@settings()
class SecretSettings:
    """The keys under which sources' credentials are kept."""

    secret_key: str = setting(
        "",
        secret=True,
        help="Keys that credentials of sources are encrypted with: 32 bytes each, in hexadecimal or Base64, with commas"
        " between. The first encrypts, all decrypt. A single user needs none: one is made in the data folder.",
    )
