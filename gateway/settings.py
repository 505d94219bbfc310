"""Settings of the gateway."""

from runtime.listening import is_loopback, open_listener
from runtime.settings import SettingsError, setting, settings


@settings(prefix="LOOM_")
class GatewaySettings:
    """Where the gateway listens and what it asks."""

    host: str = setting("127.0.0.1", help="Address that the HTTP and MCP doors listen on.")
    port: int = setting(7777, help="Port of the HTTP and MCP doors; 0: a free one.", min=0, max=65535)
    allowed_hosts: tuple[str, ...] = setting(
        (),
        help="Host names that requests may name; empty: loopback names when listening on loopback, else any.",
    )
    upstreams: tuple[str, ...] = setting(
        (), help="Planes of other processes, `<plane>=<host:port>` each. `loom serve` has them all in one process."
    )
    upstream_max_concurrent: int = setting(256, help="Calls to one plane at once; more are refused.", min=1, max=65536)
    upstream_retries: int = setting(2, help="Most retries of a call to a plane.", min=0, max=5)
    breaker_open_s: float = setting(
        5.0, help="Seconds that an open breaker waits before it lets a probe through.", min=0.1
    )

    rate_limit_per_s: float = setting(
        50.0,
        help="Calls that each token may make in a second, in the long run, by HTTP and MCP; 0: any number. A batch is "
        "one call. Without tokens there is no limit.",
        min=0,
        max=1_000_000,
    )
    rate_limit_burst: int = setting(
        200, help="Calls that a token may make at once, before its rate holds.", min=1, max=1_000_000
    )

    def refuse_open_listener(self, *, allowed: bool) -> None:
        """Raises SettingsError for an address beyond loopback, unless calls need tokens or it was allowed on purpose."""
        if not is_loopback(self.host) and not allowed:
            raise SettingsError([open_listener("LOOM_HOST", self.host)])
