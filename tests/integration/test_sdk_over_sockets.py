"""The Python client over real sockets: what a mock transport cannot show."""

import asyncio
import json
import logging
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from loom import Agent, ConnectionFailed, RetryPolicy, SyncAgent, Timeout

KEY = "key-that-nobody-may-see"
ONCE = RetryPolicy(attempts=1)


class Handler(BaseHTTPRequestHandler):
    """Answers with what it was asked, unless the op says otherwise."""

    protocol_version = "HTTP/1.1"
    over = threading.Event()

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/v1/never":
            self.over.wait(10)
        if self.path in ("/v1/never", "/v1/gone"):
            self.close_connection = True
            return
        body = json.dumps({"asked": json.loads(asked), "key": self.headers["Authorization"]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def url() -> Iterator[str]:
    Handler.over.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        Handler.over.set()
        server.shutdown()
        thread.join()


@pytest.fixture(params=[Agent, SyncAgent])
def call(request: pytest.FixtureRequest):
    """Calls an op with a client of either twin."""

    def use(op: str, args: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
        if request.param is SyncAgent:
            with SyncAgent(retry=ONCE, **options) as client:
                return client.call(op, args)

        async def main() -> dict[str, Any]:
            async with Agent(retry=ONCE, **options) as client:
                return await client.call(op, args)

        return asyncio.run(main())

    return use


def test_arguments_arrive_and_the_answer_comes_back(call, url: str) -> None:
    args = {"text": "é ☃ 𝄞", "number": 2**70, "nested": [{"a": None}]}
    assert call("any.op", args, base_url=url) == {"asked": args, "key": None}


def test_not_even_the_http_stacks_debug_log_shows_the_key(call, url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    assert call("any.op", base_url=url, api_key=KEY)["key"] == f"Bearer {KEY}"
    assert "any.op" in caplog.text
    assert KEY not in caplog.text


def test_a_port_where_nobody_listens_is_a_failed_connection(call) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: nobody else can take it meanwhile
        with pytest.raises(ConnectionFailed, match="no connection"):
            call("any.op", base_url=f"http://127.0.0.1:{taken.getsockname()[1]}")


def test_a_server_that_hangs_up_is_a_broken_connection(call, url: str) -> None:
    with pytest.raises(ConnectionFailed, match="broke before the answer"):
        call("gone", base_url=url)


def test_a_server_that_says_nothing_is_a_timeout(call, url: str) -> None:
    with pytest.raises(Timeout, match="CLIENT_TIMEOUT"):
        call("never", base_url=url, timeout=0.05)
