"""Small pieces of Envoy's configuration, as plain objects."""

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]

TYPE = "type.googleapis.com/"
EXTENSIONS = TYPE + "envoy.extensions."
HTTP_OPTIONS = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions"


def is_address(text: str) -> bool:
    """Whether the text is `host:port`."""
    host, _, port = text.rpartition(":")
    return bool(host) and port.isascii() and port.isdigit() and int(port) < 65536


def address(text: str) -> Json:
    """`host:port`; an IPv6 address may stand in brackets."""
    host, _, port = text.rpartition(":")
    return {"socket_address": {"address": host.strip("[]"), "port_value": int(port)}}


def seconds(number: float) -> str:
    """A duration."""
    return f"{number:.9f}".rstrip("0").rstrip(".") + "s"


def extension(name: str, kind: str, **fields: Any) -> Json:
    """A named extension with its typed configuration; `kind` is the type's name after `envoy.extensions.`."""
    return {"name": name, "typed_config": {"@type": EXTENSIONS + kind, **fields}}


def endpoints(cluster: str, addresses: Sequence[str]) -> Json:
    """Where a cluster is."""
    found = [{"endpoint": {"address": address(text)}} for text in addresses]
    return {"cluster_name": cluster, "endpoints": [{"lb_endpoints": found}]}


def header(name: str, value: str) -> Json:
    """A header that is set, whatever was there."""
    return {"header": {"key": name, "value": value}, "append_action": "OVERWRITE_IF_EXISTS_OR_ADD"}
