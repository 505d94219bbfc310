"""A stand-in for a Loom server's HTTP door: records what it is sent, and answers as it is told."""

import hashlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

HOOKS = Path(__file__).parent / "hooks"
KEYED = (
    "org",
    "namespace",
    "agent",
    "user_id",
    "session_id",
    "run_id",
    "tool_name",
    "tool_input",
    "tool_output",
    "error",
)


class Sent(NamedTuple):
    op: str
    body: dict[str, Any]
    headers: dict[str, str]


Reply = tuple[int, Any]
Answering = Callable[[Sent], Reply | None]


def detail(code: str, category: str, *, retryable: bool = False, **more: Any) -> dict[str, Any]:
    base = {"message": f"about {code}", "retry_after_s": None, "request_id": "r-1", "metadata": {}}
    return {"code": code, "category": category, "retryable": retryable, **base, **more}


def failing(status: int, code: str, category: str, **more: Any) -> Reply:
    return status, {"detail": detail(code, category, **more)}


def hook_json(name: str, **changed: Any) -> dict[str, Any]:
    return {**json.loads((HOOKS / name).read_text()), **changed}


class StubServer:
    """`answering` is asked first; where it has no answer, a record is stored under the key that the server would use."""

    def __init__(self, answering: Answering | None = None, max_body: int = 1 << 20) -> None:
        self.answering = answering or (lambda sent: None)
        self.max_body = max_body
        self.sent: list[Sent] = []
        self.rows: dict[str, dict[str, Any]] = {}
        self.let_go = threading.Event()
        self._connections: list[socket.socket] = []
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, value = stub.answer(self.path, body, dict(self.headers))
                data = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def process_request(self, request: Any, client_address: Any) -> None:
                stub._connections.append(request)
                super().process_request(request, client_address)

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass  # clients that give up are part of the tests

        self._http = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def answer(self, path: str, body: bytes, headers: dict[str, str]) -> Reply:
        if len(body) > self.max_body:
            return failing(413, "BODY_TOO_LARGE", "invalid", metadata={"limit_bytes": str(self.max_body)})
        sent = Sent(path.partition("/v1/")[2], json.loads(body), headers)
        self.sent.append(sent)
        reply = self.answering(sent)
        return reply if reply is not None else (200, self.store(sent))

    def store(self, sent: Sent) -> dict[str, Any]:
        if sent.op == "observe.record_batch":
            return {"results": [self._row(record) for record in sent.body["records"]]}
        return self._row(sent.body) if sent.op == "observe.record" else {}

    def _row(self, record: dict[str, Any]) -> dict[str, Any]:
        parts = [record.get(name) for name in KEYED] + [record.get("observed_at")]
        key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]
        self.rows[key] = record
        return {"memory_key": f"obs:{record['session_id']}:{key}", "detail": None}

    @contextmanager
    def running(self) -> Iterator["StubServer"]:
        thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.let_go.set()
            self._http.shutdown()
            self._http.server_close()
            thread.join(5)
            for connection in self._connections:
                with suppress(OSError):  # closed by its client already
                    connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def serving(answering: Answering | None = None, **options: Any) -> Iterator[StubServer]:
    with StubServer(answering, **options).running() as server:
        yield server


def unused_url() -> str:
    """An address where nothing listens."""
    stub = StubServer()
    stub._http.server_close()
    return stub.url
