"""A chat back end that knows its users: each turn is given what Loom remembers, and leaves behind what it learnt.

    loom serve                                   # in one terminal
    python examples/chat_backend.py              # in another: POST /chat {"user": "ada", "text": "…"} on port 8000
    python examples/chat_backend.py --user ada   # or chat in the terminal, a line at a time

The model is a stand-in that repeats its prompt, so that this runs offline; put a real one in the place of `echo`.
"""

import argparse
import asyncio
import contextlib
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from loom import Agent, LoomError

Model = Callable[[str, str], Awaitable[str]]

# What a user states outright is kept; the rest of a chat is not worth a memory.
STATED = re.compile(r"\b(?:remember that|i (?:prefer|like|always|never)|we (?:use|decided to))\b.+", re.IGNORECASE)
BUDGET_CHARS = 2_000
# Below this a hit has little to do with the question; see docs/memory.md, "Scores".
MIN_SCORE = 0.3


async def echo(prompt: str, text: str) -> str:
    """Repeats what it was told, where a model would answer."""
    return f"You said: {text}\n{prompt}".strip()


@dataclass(frozen=True)
class Turn:
    """An answer, and what this turn remembered; empty for nothing."""

    reply: str
    remembered: str


class Chat:
    """Turns of any number of users."""

    def __init__(self, agent: Agent, model: Model = echo) -> None:
        self._agent, self._model = agent, model

    async def turn(self, user: str, text: str) -> Turn:
        """Answers `text`, with what is known of the user in the prompt."""
        reply = await self._model(await self._prompt(user, text), text)
        return Turn(reply, await self._remember(user, text))

    async def _prompt(self, user: str, text: str) -> str:
        """What matters most about the user anyway, and what fits the question. A chat goes on without its memory."""
        try:
            context, found = await asyncio.gather(
                self._agent.memory.context(user_id=user, budget_chars=BUDGET_CHARS),
                self._agent.memory.search(user_id=user, query=text, limit=5, min_score=MIN_SCORE),
            )
        except LoomError as error:
            print(f"answering without memory: {error.code}", file=sys.stderr)
            return ""
        known = {memory.id for memory in context.memories}
        extra = [f"- {hit.title}: {hit.snippet}" for hit in found.hits if hit.id not in known]
        return "\n".join([context.text, *extra]).strip()

    async def _remember(self, user: str, text: str) -> str:
        stated = STATED.search(text)
        if stated is None:
            return ""
        # The same statement again is `deduped`: saving it at every turn makes one memory.
        saved = await self._agent.memory.save(user_id=user, type="preference", title=stated[0][:80], content=stated[0])
        return saved.outcome


def app(base_url: str | None = None, model: Model = echo) -> Starlette:
    """The back end, as an ASGI application."""

    @contextlib.asynccontextmanager
    async def lifespan(starlette: Starlette) -> AsyncIterator[None]:
        async with Agent(agent="chat", base_url=base_url) as agent:
            starlette.state.chat = Chat(agent, model)
            yield

    async def chat(request: Request) -> JSONResponse:
        body = await request.json()
        turn = await request.app.state.chat.turn(body["user"], body["text"])
        return JSONResponse({"reply": turn.reply, "remembered": turn.remembered})

    return Starlette(routes=[Route("/chat", chat, methods=["POST"])], lifespan=lifespan)


async def talk(base_url: str | None, user: str) -> None:
    """A line in, an answer out, until the input ends."""
    async with Agent(agent="chat", base_url=base_url) as agent:
        chat = Chat(agent)
        await agent.memory.session_start(user_id=user)
        while line := await asyncio.to_thread(sys.stdin.readline):
            if line.strip():
                print((await chat.turn(user, line.strip())).reply, flush=True)
        await agent.memory.session_end(user_id=user, summary="A chat in the terminal.")


def main() -> None:
    parser = argparse.ArgumentParser(description="A chat back end that knows its users.")
    parser.add_argument("--base-url", help="address of Loom (default: LOOM_BASE_URL, else http://127.0.0.1:7777)")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--user", help="chat as this user in the terminal, in the place of serving")
    args = parser.parse_args()
    if args.user:
        asyncio.run(talk(args.base_url, args.user))
    else:
        uvicorn.run(app(args.base_url), host="127.0.0.1", port=args.port)


if __name__ == "__main__":
    main()
