"""Settings of the edge, and what the configuration is rendered from."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from posixpath import dirname

from gateway.envoy.parts import is_address
from gateway.envoy.planes import Plane, contract_planes, planes
from gateway.settings import GatewaySettings
from runtime.listening import is_loopback, open_listener
from runtime.process import ProcessSettings
from runtime.settings import Loaded, SettingsError, load_all, setting, settings


@settings(prefix="LOOM_ENVOY_")
class EnvoySettings:
    """What an installation may say about its Envoy."""

    edge_listen: str = setting("127.0.0.1:8080", help="`host:port` that clients come to.")
    inner_listen: str = setting(
        "127.0.0.1:7780",
        help="`host:port` through which gateway and planes reach the planes: what LOOM_UPSTREAMS, "
        "LOOM_PEERS and LOOM_DIRECTORY name then.",
    )
    admin_listen: str = setting("127.0.0.1:9901", help="`host:port` of Envoy's own pages; on loopback alone.")
    stats_listen: str = setting(
        "", help="`host:port` where `/ready` and `/stats/prometheus` are shown to probes and scrapers; empty: nowhere."
    )
    gateways: tuple[str, ...] = setting(
        (), help="`host:port` of the gateways, names of several addresses among them; empty: LOOM_HOST and LOOM_PORT."
    )
    planes: tuple[str, ...] = setting(
        (),
        help="Where planes are, `<plane>=<host:port>` each; a plane that is named twice is in both places. Empty: every "
        "plane of the contract at its own name, port 7700.",
    )
    by_user: tuple[str, ...] = setting(
        ("memory",), help="Planes in which the calls of one user meet in one replica, as long as that is well."
    )
    grpc: bool = setting(
        False, help="Take the planes' gRPC calls at the edge too. LOOM_RATE_LIMIT_PER_S does not hold for them."
    )
    tls_cert: str = setting("", help="File of the certificate chain of the edge, PEM; empty: no TLS.")
    tls_key: str = setting("", help="File of the certificate's key, PEM; in the folder of the certificate.")
    tls_sds: str = setting(
        "",
        help="File with what `loom envoy certificate` prints, for Envoy to read. With it a renewed certificate is taken "
        "without a restart, once it is moved to its place; empty: certificates are read at start.",
    )
    max_connections: int = setting(
        20_000, help="Connections of clients at once; more are closed at once.", min=1, max=1_000_000
    )
    max_heap_mib: int = setting(
        768,
        help="Mebibytes that Envoy may hold. When they are nearly used, idle connections and the largest requests end "
        "early, then more are refused. Below what the machine or the pod gives, or Envoy is killed first.",
        min=64, max=1_048_576,
    )  # fmt: skip
    max_requests: int = setting(
        1024, help="Calls to one plane, or requests to the gateways, at once; more are refused.", min=1, max=1_000_000
    )
    head_timeout_s: float = setting(10.0, help="Seconds that the head of a request may take.", min=0.01, max=600)
    request_timeout_s: float = setting(60.0, help="Seconds that a whole request may take to come.", min=0.01, max=3600)
    idle_timeout_s: float = setting(
        120.0, help="Seconds that a client's connection may do nothing.", min=0.01, max=86_400
    )
    connect_timeout_s: float = setting(0.5, help="Seconds that connecting to a replica may take.", min=0.01, max=60)
    health_interval_s: float = setting(
        1.0, help="Seconds between two looks at a replica; the second bad look in a row takes it out.", min=0.05, max=60
    )
    health_timeout_s: float = setting(1.0, help="Seconds that a replica may take to say how it is.", min=0.05, max=60)
    ping_s: float = setting(
        2.0, help="Seconds between two pings of a connection to a replica; a second without answer ends its calls.",
        min=1, max=600,
    )  # fmt: skip


@dataclass(frozen=True)
class Source:
    """What the configuration is rendered from: the settings that Loom's own processes read, and the edge's."""

    common: ProcessSettings
    gateway: GatewaySettings
    envoy: EnvoySettings

    @classmethod
    def load(cls, environ: Mapping[str, str]) -> "Source":
        """Raises SettingsError with everything that is wrong."""
        loaded = load_all([ProcessSettings, GatewaySettings, EnvoySettings], environ)
        source = cls.of(loaded)
        source.check()
        return source

    @classmethod
    def of(cls, loaded: Loaded) -> "Source":
        return cls(loaded[ProcessSettings], loaded[GatewaySettings], loaded[EnvoySettings])

    def check(self) -> None:
        """Raises SettingsError with everything that is wrong with the settings together."""
        envoy, problems = self.envoy, []
        if not is_loopback(host_of(envoy.admin_listen)):
            problems.append("LOOM_ENVOY_ADMIN_LISTEN must be an address of loopback: those pages can stop Envoy")
        if bool(envoy.tls_cert) != bool(envoy.tls_key):
            problems.append("LOOM_ENVOY_TLS_CERT and LOOM_ENVOY_TLS_KEY must be set together")
        elif envoy.tls_sds and not envoy.tls_cert:
            problems.append("LOOM_ENVOY_TLS_SDS needs LOOM_ENVOY_TLS_CERT and LOOM_ENVOY_TLS_KEY")
        elif envoy.tls_sds and dirname(envoy.tls_cert) != dirname(envoy.tls_key):
            # One folder is watched, and both files must change in one step.
            problems.append("LOOM_ENVOY_TLS_CERT and LOOM_ENVOY_TLS_KEY must be in one folder for LOOM_ENVOY_TLS_SDS")
        for name in ("edge_listen", "inner_listen", "admin_listen", *(["stats_listen"] if envoy.stats_listen else [])):
            if not is_address(getattr(envoy, name)):
                problems.append(f"LOOM_ENVOY_{name.upper()} must be <host>:<port>")
        if not all(map(is_address, envoy.gateways)):
            problems.append("LOOM_ENVOY_GATEWAYS must be <host>:<port>, separated by commas")
        if set(envoy.by_user) - set(contract_planes()):
            problems.append(f"LOOM_ENVOY_BY_USER must name planes: {', '.join(contract_planes())}")
        if not self.common.may_listen_anywhere:
            problems += [
                open_listener(name, address) for name, address in self._doors if not is_loopback(host_of(address))
            ]
        try:
            _ = self.planes
        except SettingsError as error:
            problems += error.problems
        if problems:
            raise SettingsError(problems)

    @cached_property
    def planes(self) -> list[Plane]:
        """The planes that are served. Raises SettingsError for an entry that names none."""
        return planes(self.envoy.planes)

    @property
    def gateways(self) -> list[str]:
        return list(self.envoy.gateways) or [f"{self.gateway.host}:{self.gateway.port}"]

    @property
    def unserving_s(self) -> float:
        """Seconds after which no call goes to a replica that says it does not serve: the least LOOM_DRAIN_S."""
        return 2 * self.envoy.health_interval_s + self.envoy.health_timeout_s

    @property
    def _doors(self) -> list[tuple[str, str]]:
        envoy = self.envoy
        return [("LOOM_ENVOY_EDGE_LISTEN", envoy.edge_listen), ("LOOM_ENVOY_INNER_LISTEN", envoy.inner_listen)]


def host_of(address: str) -> str:
    return address.rpartition(":")[0]
