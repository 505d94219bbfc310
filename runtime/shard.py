"""Which replica of a plane a call would like to meet: a digest of whose data it is about.

An edge that spreads calls by it (gateway/envoy) lets one user's writes meet in one process. It is advice, no more: the
planes are right without it. Callers do not see it, and it names nobody: the digest is short and goes one way.
"""

import base64
from collections.abc import Mapping
from hashlib import blake2b

import orjson
from google.protobuf.message import Message

from runtime.call import AUTHORIZATION

SIZE = 8
BEARER = "bearer "
# What the contract gives a request that says no user.
NOBODY = "-"


def shard_of(request: Message, metadata: Mapping[str, str]) -> str:
    """16 hexadecimal digits; the same for calls of one user in one namespace, whatever token they carry.

    What the request leaves to the token is taken from it unverified, since nothing but the way depends on it.
    """
    org, namespace, user = (getattr(request, name, "") for name in ("org", "namespace", "user_id"))
    if not (org and user):
        claimed_org, claimed_user = _claimed(metadata.get(AUTHORIZATION, ""))
        org, user = org or claimed_org, user or claimed_user or NOBODY
    text = "\0".join((org, namespace, user))
    return blake2b(text.encode("utf-8", "replace"), digest_size=SIZE).hexdigest()


def _claimed(authorization: str) -> tuple[str, str]:
    """Organisation and user that a bearer token says; a token that is not a user's says no user."""
    if authorization[: len(BEARER)].lower() != BEARER:
        return "", ""
    try:
        payload = authorization.split(".")[1]
        claims = orjson.loads(base64.urlsafe_b64decode(payload + "=="))
        return str(claims["org"]), str(claims["sub"]) if claims["kind"] == "user" else ""
    except (ValueError, TypeError, LookupError):
        return "", ""
