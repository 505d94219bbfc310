"""A plane's metrics are at an address of their own, and nothing else is."""

import socket
import urllib.error
import urllib.request

import pytest

from runtime.metrics import Metrics
from runtime.metrics_door import metrics_door
from runtime.settings import SettingsError


def test_the_metrics_are_shown_for_the_length_of_the_block() -> None:
    metrics = Metrics()
    metrics.upstream_retry("memory")
    with (
        metrics_door("127.0.0.1:0", metrics) as port,
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as page,
    ):
        assert b'loom_upstream_retries_total{plane="memory"} 1.0' in page.read()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics")


def test_without_an_address_there_is_no_page() -> None:
    with metrics_door("", Metrics()) as port:
        assert port == 0


@pytest.mark.parametrize("text", ["9464", ":9464", "host:", "host:http", "host:70000"])
def test_an_address_that_is_none_is_a_wrong_setting(text: str) -> None:
    with pytest.raises(SettingsError, match="LOOM_METRICS_LISTEN must be"), metrics_door(text, Metrics()):
        pass


def test_a_port_that_is_taken_stops_the_start() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(OSError), metrics_door(place, Metrics()):
            pass
