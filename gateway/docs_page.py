"""The page to try ops from: one HTML file, and the headers under which a browser runs nothing but its own script."""

import base64
import hashlib
import re
from functools import cache
from importlib import resources

INLINE = re.compile(rb"<(script|style)>(.*?)</\1>", re.DOTALL)


@cache
def page() -> tuple[bytes, dict[str, str]]:
    """The page and its response headers. The page reads `openapi.json` beside it and posts to `v1/<op>`."""
    html = resources.files("gateway").joinpath("docs_page.html").read_bytes()
    headers = {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": _policy(html),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-cache",
    }
    return html, headers


def _policy(html: bytes) -> str:
    """Only the inline blocks by their hashes, calls to this origin, no frames, and no text turned into markup."""
    rules = {
        "default-src": "'none'",
        "script-src": _hashes(html, b"script"),
        "style-src": _hashes(html, b"style"),
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hashes(html: bytes, tag: bytes) -> str:
    digests = [hashlib.sha256(text).digest() for name, text in INLINE.findall(html) if name == tag]
    return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
