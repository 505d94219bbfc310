"""How often a token may call: a token bucket each, at the gateway's doors. gRPC callers of a plane do not pass here."""

import math
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256

from runtime.call import AUTHORIZATION
from runtime.clock import Clock
from runtime.errors import LoomError

# Tokens that are told apart. A place costs some 150 bytes.
MOST = 10_000
NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000


class Buckets:
    """Token buckets by key: `burst` calls at once, and `per_s` a second in the long run.

    Never more than `burst + per_s · t` calls of a key are let through in any `t` seconds. Kept as the instant at which
    the bucket is full again (the generic cell rate algorithm), in whole nanoseconds, so that nothing is lost to rounding.
    With more than `most` keys at once, the one that called longest ago is forgotten, and begins with a full bucket.
    """

    def __init__(self, clock: Clock, *, per_s: float, burst: int, most: int = MOST) -> None:
        self._clock, self._most = clock, most
        # Upwards: a remainder that is dropped would let more through than was asked for.
        self._period = math.ceil(NS_PER_S / per_s)
        self._tolerance = self._period * (burst - 1)
        self._full_at: OrderedDict[bytes, int] = OrderedDict()

    def take(self, key: bytes) -> float:
        """Takes one from the key's bucket. Seconds to wait where it is empty, in whole milliseconds; else 0."""
        now = int(self._clock.monotonic() * NS_PER_S)
        all_full_at = self._full_at
        full_at = all_full_at.get(key, now)
        if full_at < now:
            full_at = now
        early = full_at - self._tolerance - now
        if early > 0:
            return math.ceil(early / NS_PER_MS) / 1000
        all_full_at[key] = full_at + self._period
        all_full_at.move_to_end(key)
        if len(all_full_at) > self._most:
            all_full_at.popitem(last=False)
        return 0.0

    def __len__(self) -> int:
        return len(self._full_at)


class RateLimiter:
    """Refuses the calls of a token that come too fast. One call counts one, a batch of records too."""

    def __init__(self, buckets: Buckets) -> None:
        self._buckets = buckets

    def admit(self, metadata: Mapping[str, str]) -> None:
        """Raises RATE_LIMITED with the time to wait. A call without a token passes: it is refused where it arrives."""
        key = key_of(metadata.get(AUTHORIZATION, ""))
        wait_s = self._buckets.take(key) if key else 0.0
        if wait_s:
            raise LoomError("RATE_LIMITED", "too many calls with this token in a short time", retry_after_s=wait_s)


def key_of(header: str) -> bytes:
    """What tells tokens apart; empty for no token.

    The signature is left out: base64 has many texts for the same signature, and each would be a bucket of its own.
    """
    header = header.rstrip()
    token = header[header.rfind(" ") + 1 :]
    signed = token[: token.rfind(".")] or token
    return sha256(signed.encode("utf-8", "replace")).digest() if signed else b""
