"""Failures of connections, as faults. Apart from faults.py, so that only who connects pays for loading aiohttp."""

import ssl

import aiohttp

from services.tracker.sources.faults import Kind, SourceFault
from services.tracker.sources.hosts import HostRefused


def of_connection(error: BaseException) -> SourceFault:
    """The fault of a connection that failed, before or after it stood."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, HostRefused):
            return SourceFault(Kind.HOST_REFUSED)
        cause = cause.__cause__ or getattr(cause, "os_error", None) or cause.__context__
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return SourceFault(Kind.NAME_UNKNOWN)
    if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        return SourceFault(Kind.TLS)
    if isinstance(error, TimeoutError):
        return SourceFault(Kind.TIMEOUT)
    if isinstance(error, aiohttp.ClientConnectionError | OSError):
        return SourceFault(Kind.NO_CONNECTION)
    return SourceFault(Kind.NOT_CLICKHOUSE)
