"""Which hosts a source may be on.

    LOOM_TRACKER_SOURCE_HOSTS="private, *.clickhouse.cloud, !10.1.0.0/16"

An entry is a group (`public`, `private`, `loopback`), an address, a network, or a name in which `*` stands for any one
or more characters; `!` in front refuses what it matches, whatever else allows it. A host is allowed where each of the
addresses that it resolves to is: by a group, by an address or network, or because the name matches. A name with `*` does
not allow loopback addresses; a whole name does. Always refused: link-local and metadata addresses, multicast, unspecified
and reserved ones, and IPv6 addresses that hide one of those.
"""

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import idna

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

GROUPS = ("public", "private", "loopback")


def _networks(*texts: str) -> tuple[Network, ...]:
    return tuple(ipaddress.ip_network(text) for text in texts)


_PRIVATE = _networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")
_LOOPBACK = _networks("127.0.0.0/8", "::1/128")
_NEVER = _networks(
    *("0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4", "::/128", "fe80::/10", "fec0::/10", "ff00::/8"),
    *("100.100.100.200/32", "192.0.0.192/32", "168.63.129.16/32", "fd00:ec2::254/128", "fd20:ce::254/128"),  # metadata
    "2001::/32",  # Teredo: whom it reaches cannot be told
)
_NEVER_NAMES = frozenset(
    {"metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"}
)
_COMPATIBLE = ipaddress.ip_network("::/96")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_SIX_TO_FOUR = ipaddress.ip_network("2002::/16")
_NUMERIC = re.compile(r"(?i)(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}")
_LABELS = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*")
_PATTERN = re.compile(r"[a-z0-9_.*-]+")


class HostRefused(OSError):
    """The host may not be reached. The message says why and never names the host or an address of it."""


@dataclass(frozen=True, slots=True)
class Host:
    """A host that was read: its name in ASCII, or its address."""

    name: str
    address: Address | None = None


@dataclass(frozen=True, slots=True)
class _Entries:
    groups: frozenset[str]
    networks: tuple[Network, ...]
    names: tuple[str, ...]

    def has_address(self, address: Address) -> bool:
        return any(address in network for network in self.networks if network.version == address.version)

    def has_group(self, address: Address) -> bool:
        return bool(self.groups) and group_of(address) in self.groups

    def has_name(self, name: str, *, whole: bool = False) -> bool:
        return any(_glob(name, entry) for entry in self.names if not (whole and "*" in entry))


@dataclass(frozen=True, slots=True)
class HostRules:
    """The allow and deny list; see the module."""

    allowed: _Entries
    denied: _Entries

    @classmethod
    def parse(cls, entries: Iterable[str], *, single_user: bool) -> "HostRules":
        """ValueError, which names the setting and the entry's place, for an entry that is none of the forms."""
        parts: dict[bool, list[str]] = {True: [], False: []}
        for place, entry in enumerate(entries, 1):
            text = entry.strip().lower()
            kept = text.removeprefix("!").strip()
            if not _is_entry(kept):
                raise ValueError(
                    f"LOOM_TRACKER_SOURCE_HOSTS, entry {place}: must be public, private, loopback, an address, a network"
                    " or a name, with ! in front to refuse it"
                )
            parts[text.startswith("!")].append(kept)
        if single_user:
            parts[False].append("loopback")
        return cls(_entries(parts[False]), _entries(parts[True]))

    def host(self, text: str) -> Host:
        """The host that `text` names, as far as a name can be judged. HostRefused where it may not be reached."""
        host = read_host(text)
        if host.address is not None:
            self.check(host, [host.address])
        elif host.name in _NEVER_NAMES or self.denied.has_name(host.name):
            raise HostRefused("that host is not one that sources may be on (LOOM_TRACKER_SOURCE_HOSTS)")
        return host

    def check(self, host: Host, addresses: Sequence[Address]) -> None:
        """HostRefused unless every address that the host resolved to may be reached, and there is one."""
        if not addresses:
            raise HostRefused("that host has no address")
        for address in addresses:
            self._check(host, real(address))

    def _check(self, host: Host, address: Address) -> None:
        if any(address in network for network in _NEVER if network.version == address.version):
            raise HostRefused(
                "that host is at a link-local, metadata, multicast or reserved address, which is never allowed"
            )
        denied = self.denied
        if denied.has_address(address) or denied.has_group(address) or denied.has_name(host.name):
            raise HostRefused("that host is refused by LOOM_TRACKER_SOURCE_HOSTS")
        allowed = self.allowed
        if allowed.has_address(address) or allowed.has_group(address):
            return
        # A pattern was not written with this machine in mind; a whole name was.
        if allowed.has_name(host.name, whole=group_of(address) == "loopback"):
            return
        raise HostRefused("that host is not among those of LOOM_TRACKER_SOURCE_HOSTS")


def read_host(text: str) -> Host:
    """A name or an address in one spelling. HostRefused for what is neither, or an address in disguise."""
    bare = text.strip().removesuffix(".")
    if bare.startswith("[") and bare.endswith("]"):
        bare = bare[1:-1]
    if "%" in bare:
        raise HostRefused("write the host without a zone")
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return Host(_ascii_name(bare))
    return Host(address.compressed, address)


def _ascii_name(text: str) -> str:
    if _NUMERIC.fullmatch(text):
        raise HostRefused("write an address as four decimal numbers, or a name")
    name = text.lower()
    if not name.isascii():
        try:
            name = idna.encode(text, uts46=True, transitional=False).decode()
        except idna.IDNAError:
            raise HostRefused("that is no host name") from None
    # A name may become an address only once its full-width digits are folded.
    if not _LABELS.fullmatch(name) or _NUMERIC.fullmatch(name):
        raise HostRefused("a host is a name or an address alone, without scheme, port and path")
    return name


def real(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for (mapped, compatible, NAT64, 6to4); the address itself otherwise."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address in _SIX_TO_FOUR:
        return ipaddress.IPv4Address((int(address) >> 80) & 0xFFFFFFFF)
    return address


def group_of(address: Address) -> str:
    """`loopback`, `private`, `public`, or empty for an address that is none of them (documentation, tests)."""
    for group, networks in (("loopback", _LOOPBACK), ("private", _PRIVATE)):
        if any(address in network for network in networks if network.version == address.version):
            return group
    return "public" if address.is_global else ""


def _is_entry(text: str) -> bool:
    return (
        text in GROUPS or _network(text) is not None or bool(_PATTERN.fullmatch(text) and not _NUMERIC.fullmatch(text))
    )


def _network(text: str) -> Network | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def _entries(texts: Sequence[str]) -> _Entries:
    networks = {text: network for text in texts if (network := _network(text)) is not None}
    names = tuple(text.removesuffix(".") for text in texts if text not in GROUPS and text not in networks)
    return _Entries(frozenset(text for text in texts if text in GROUPS), tuple(networks.values()), names)


def _glob(name: str, entry: str) -> bool:
    return re.fullmatch(".+".join(re.escape(part) for part in entry.split("*")), name) is not None
