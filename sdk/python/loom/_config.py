"""What a client is made with, checked once: where the gateway is, who calls, with which key, how patiently."""

import os
import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from loom import __version__
from loom._retry import RetryPolicy

DEFAULT_BASE_URL = "http://127.0.0.1:7777"
API_KEY = re.compile(r"[\x21-\x7e]+")


class Bearer(httpx.Auth):
    """Puts the key into the request at the last moment: no variable holds it where it could be printed."""

    def __init__(self, api_key: str) -> None:
        self._header = f"Bearer {api_key}"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = self._header
        yield request


@dataclass(frozen=True, slots=True)
class Config:
    """What a client is made with. `identity`: part of the identity -> value, only those that are set. `told`: warnings
    that were given already.
    """

    base_url: str
    identity: Mapping[str, str]
    timeout_s: float
    retry: RetryPolicy
    auth: httpx.Auth | None = field(repr=False)
    told: set[str] = field(default_factory=set, repr=False)

    def client_options(self) -> dict[str, Any]:
        """What httpx's clients are made with, apart from the transport."""
        return {"auth": self.auth, "headers": {"User-Agent": f"loom-sdk/{__version__}", "Accept": "application/json"}}

    def __str__(self) -> str:
        shown = {**self.identity, "base_url": self.base_url}
        return ", ".join(f"{name}={value!r}" for name, value in shown.items())


def configure(
    identity: Mapping[str, str | None],
    base_url: str | None,
    api_key: str | None,
    timeout: float,
    retry: RetryPolicy | None,
) -> Config:
    """Completes the arguments of a client from the environment and checks them; ValueError names what to change."""
    if not timeout > 0:
        raise ValueError("timeout must be a number of seconds above 0")
    key = (api_key or os.environ.get("LOOM_API_KEY") or "").strip()
    if key and not API_KEY.fullmatch(key):
        raise ValueError("api_key must be printable ASCII without spaces")
    return Config(
        base_url=_base_url(base_url or os.environ.get("LOOM_BASE_URL") or DEFAULT_BASE_URL),
        identity={name: value for name, value in identity.items() if value},
        timeout_s=timeout,
        retry=retry or RetryPolicy(),
        auth=Bearer(key) if key else None,
    )


def _base_url(text: str) -> str:
    try:
        url = httpx.URL(text)
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError("base_url must look like http://host:port or https://host/prefix")
    if url.userinfo or url.query or url.fragment:
        raise ValueError("base_url must hold no user, query or fragment; the key goes into api_key")
    return str(url).rstrip("/")
