"""TLS to a source: the address that was checked is connected to, the host's name is what the certificate must be for."""

from pathlib import Path
from typing import Any

import pytest

from runtime.clock import SystemClock
from services.tracker.sources import resolver, wire
from services.tracker.sources.client import SourceClient
from services.tracker.sources.faults import Kind, SourceFault
from tests.support.clickhouse_http import Server
from tests.support.tls import certificate, tls_front
from tests.support.tracked import PATIENT, RULES, target

HOST = "ch.example.test"


def named(host: str, port: int, family: int) -> list[Any]:
    return [(2, 1, 6, "", ("127.0.0.1", port))]


@pytest.mark.parametrize("host", [HOST, "other.example.test"])
async def test_the_certificate_must_be_for_the_hosts_name(
    source_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    shown = certificate(tmp_path, HOST)
    monkeypatch.setattr(resolver, "_getaddrinfo", named)
    monkeypatch.setattr(wire, "_tls", shown.trusted)
    async with tls_front(shown, source_server.port) as port:
        client = SourceClient(target(source_server, host=host, port=port, secure=True), RULES, SystemClock(), PATIENT)
        if host == HOST:
            assert (await client.ask("SELECT 1 AS n", limits=PATIENT)).rows == [{"n": 1}]
        else:
            with pytest.raises(SourceFault) as caught:
                await client.ask("SELECT 1 AS n", limits=PATIENT)
            assert caught.value.kind is Kind.TLS
            assert source_server.recorded() == []
        await client.close()


async def test_a_certificate_that_nobody_vouches_for_is_refused(
    source_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolver, "_getaddrinfo", named)
    async with tls_front(certificate(tmp_path, HOST), source_server.port) as port:
        client = SourceClient(target(source_server, host=HOST, port=port, secure=True), RULES, SystemClock(), PATIENT)
        with pytest.raises(SourceFault) as caught:
            await client.ask("SELECT 1", limits=PATIENT)
        assert caught.value.kind is Kind.TLS
        await client.close()
