"""Bytes that are no request: refused in our one shape, and bounded before anybody has shown a token."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from gateway import http_protocol
from gateway.http_server import HttpServer
from gateway.replies import send_json
from tests.support.envelope import TIMEOUT_S, check_http
from tests.support.http_raw import answered, parsed

GET = b"GET / HTTP/1.1\r\nHost: a\r\n"
NO_REQUESTS = {
    "an unknown method": b"canaryinthemine / HTTP/1.1\r\nHost: a\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}c",
    "a length and chunks": b"POST / HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a control character in a header": GET + b"X: canary\x00inthemine\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "a head that is too long": GET + b"X: " + b"a" * http_protocol.HEAD_BYTES + b"\r\n\r\n",
    "too many headers": GET + b"X: a\r\n" * (http_protocol.HEAD_BYTES // 6) + b"\r\n",
}


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    while (await receive()).get("more_body"):
        pass
    await send_json(send, 200, {}, "r")


@pytest.fixture
async def port() -> AsyncIterator[int]:
    server = HttpServer(application, grace_s=1)
    yield await server.start("127.0.0.1", 0)
    await server.stop()


async def answer(port: int, *pieces: bytes) -> httpx.Response:
    return await answered(f"127.0.0.1:{port}", *pieces)


@pytest.mark.provokes("MALFORMED_REQUEST")
@pytest.mark.parametrize("name", NO_REQUESTS)
async def test_bytes_that_are_no_request_are_answered_in_the_one_shape(port: int, name: str) -> None:
    assert check_http(await answer(port, NO_REQUESTS[name]))["code"] == "MALFORMED_REQUEST"


async def test_a_head_without_an_end_is_not_kept(port: int) -> None:
    async def forever(writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b"a" * 4096)
            await writer.drain()

    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(GET + b"X: ")
    with pytest.raises(ConnectionError):
        async with asyncio.timeout(TIMEOUT_S):
            await forever(writer)
    writer.close()


@pytest.mark.parametrize("begun", [b"", GET, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"])
async def test_a_request_that_does_not_end_is_ended(port: int, begun: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "REQUEST_S", 0.01)
    assert check_http(await answer(port, begun))["code"] == "MALFORMED_REQUEST"


async def test_requests_that_end_may_follow_each_other_on_a_connection(port: int) -> None:
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 70000\r\n"
    last = b"Connection: close\r\n"
    async with asyncio.timeout(TIMEOUT_S):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for more in (b"", b"", last):
            writer.write(head + more + b"\r\n" + b" " * 70000)
        said = await reader.read()
        writer.close()
    assert said.count(b"HTTP/1.1 200 OK") == 3


@pytest.mark.provokes("SHUTTING_DOWN")
@pytest.mark.parametrize("begun", [b"", b"{"])
async def test_a_request_that_is_still_coming_in_does_not_hold_up_a_stop(begun: bytes) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        received = asyncio.Event()

        async def waiting(scope: Scope, receive: Receive, send: Send) -> None:
            received.set()
            await application(scope, receive, send)

        server = HttpServer(waiting, grace_s=10 * TIMEOUT_S)
        port = await server.start("127.0.0.1", 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n" + begun)
        await received.wait()
        await server.stop()
        said = await reader.read()
        writer.close()
    assert check_http(parsed(said))["code"] == "SHUTTING_DOWN"


async def test_a_request_that_runs_is_answered_in_a_stop() -> None:
    running, go_on = asyncio.Event(), asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        running.set()
        await go_on.wait()
        await application(scope, receive, send)

    async with asyncio.timeout(TIMEOUT_S):
        server = HttpServer(slow, grace_s=10 * TIMEOUT_S)
        port = await server.start("127.0.0.1", 0)
        asked = asyncio.create_task(answer(port, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}"))
        await running.wait()
        stopping = asyncio.create_task(server.stop())
        await asyncio.sleep(0)
        go_on.set()
        await stopping
        assert (await asked).status_code == 200
