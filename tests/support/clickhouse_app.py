"""The HTTP side of the tests' ClickHouse server, and what a test may do to it."""

import asyncio
import base64
import contextlib
import gzip
import re
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.support.clickhouse_engine import Engine, Statement, decoded, take_apart

CODE = re.compile(r"Code: (\d+)")
STATUSES = {"60": 404, "81": 404, "516": 403, "164": 500}
ADMIN = "x-test-admin"


@dataclass(slots=True)
class Controls:
    """How the server behaves. `silent`: takes statements and never answers. `delay_s`: waits before it runs one.

    `readonly` is the login's. `answer` replaces every answer: `{"status", "headers", "body" (Base64)}`.
    """

    silent: bool = False
    delay_s: float = 0.0
    readonly: int = 0
    answer: dict[str, Any] | None = None


@dataclass(slots=True)
class Recorded:
    """A statement that came: `state` is `running`, `done`, `failed`, `cancelled`, or `gone` (its caller hung up)."""

    sql: str
    query_id: str
    settings: dict[str, str]
    params: dict[str, str]
    state: str = "running"


@dataclass(slots=True)
class Application:
    """One engine behind one login."""

    engine: Engine
    user: str
    login: str
    controls: Controls = field(default_factory=Controls)
    recorded: list[Recorded] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def starlette(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self.handle, methods=["GET", "POST"]),
                Route("/ping", self.ping),
                Route("/control", self.control, methods=["GET", "POST"]),
            ]
        )

    async def handle(self, request: Request) -> Response:
        if self.user and not secrets.compare_digest(request.headers.get("authorization", ""), self.login):
            return failure("Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)")
        statement = await statement_of(request)
        if request.headers.get(ADMIN):
            return await self._answered(statement, request.headers, 0)
        entry = Recorded(
            statement.sql,
            statement.query_id,
            {**statement.settings, **statement.answer_settings},
            dict(statement.params),
        )
        self.recorded.append(entry)
        try:
            answer, entry.state = await self._run(request, statement)
        finally:
            self.ended.set()
        return answer

    async def _run(self, request: Request, statement: Statement) -> tuple[Response, str]:
        if not await self._let_through(request):
            return Response(status_code=499), "gone"
        if self.controls.answer is not None:
            return canned(self.controls.answer), "done"
        answer = await self._answered(statement, request.headers, self.controls.readonly)
        code = answer.headers.get("X-ClickHouse-Exception-Code")
        return answer, {None: "done", "394": "cancelled"}.get(code, "failed")

    async def ping(self, request: Request) -> Response:
        if not await self._let_through(request):
            return Response(status_code=499)
        return Response("Ok.\n", media_type="text/plain")

    async def control(self, request: Request) -> Response:
        if request.method == "POST":
            for name, value in (await request.json()).items():
                setattr(self.controls, name, value)
            if "forget" in request.query_params:
                self.recorded.clear()
            self.changed.set()
            self.changed = asyncio.Event()
        while "idle" in request.query_params and any(entry.state == "running" for entry in self.recorded):
            self.ended.clear()
            await self.ended.wait()
        return JSONResponse([asdict(entry) for entry in self.recorded])

    async def _let_through(self, request: Request) -> bool:
        """Wait as the controls say; False where the caller hung up before."""
        if self.controls.delay_s:
            return not await gone(request, asyncio.sleep(self.controls.delay_s))
        while self.controls.silent:
            if await gone(request, self.changed.wait()):
                return False
        return True

    async def _answered(self, statement: Statement, headers: Mapping[str, str], readonly: int) -> Response:
        try:
            output, name = await self.engine.run(statement, readonly)
        except Exception as error:
            return failure(str(error))
        answer = {"X-ClickHouse-Format": name, "X-ClickHouse-Timezone": "UTC"}
        wanted = statement.answer_settings.get("enable_http_compression") == "1"
        if wanted and "gzip" in headers.get("accept-encoding", ""):
            output, answer["Content-Encoding"] = gzip.compress(output, 1), "gzip"
        return Response(output, headers=answer, media_type="application/octet-stream")


async def gone(request: Request, work: Any) -> bool:
    """Whether the caller hung up before the work was done."""
    waiting = asyncio.ensure_future(work)
    hung_up = asyncio.ensure_future(_hung_up(request))
    await asyncio.wait((waiting, hung_up), return_when=asyncio.FIRST_COMPLETED)
    result = hung_up.done() and not waiting.done()
    for task in (waiting, hung_up):
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
    return result


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def canned(answer: Mapping[str, Any]) -> Response:
    return Response(base64.b64decode(answer.get("body", "")), answer.get("status", 200), headers=answer.get("headers"))


def failure(text: str) -> Response:
    found = CODE.search(text)
    code = found[1] if found else "1002"
    return Response(
        text + "\n", STATUSES.get(code, 500), headers={"X-ClickHouse-Exception-Code": code}, media_type="text/plain"
    )


async def statement_of(request: Request) -> Statement:
    arguments = dict(request.query_params)
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        async with request.form(max_part_size=64 << 20) as form:
            arguments |= {name: str(value) for name, value in form.items()}
        return take_apart(arguments, b"", request.headers)
    body = decoded(await request.body(), request.headers.get("content-encoding", ""))
    return take_apart(arguments, body, request.headers)


def application(folder: str, user: str, password: str) -> Starlette:
    login = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
    return Application(Engine(folder), user, login).starlette()
