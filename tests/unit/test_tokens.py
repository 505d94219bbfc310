"""Tokens: what the verifier takes, and all that it does not."""

import base64
import json
import logging
import traceback
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from runtime.clock import ManualClock
from runtime.errors import LoomError
from runtime.jwks import CHECK_S, JWKS, Jwks
from runtime.keys import Signer, new_key, retire_key
from runtime.tokens import LEEWAY_S, MAX_BYTES, Claims, Minter, Verifier, parse


class Mint:
    """A folder with one key, and tokens with any claims."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock = folder, ManualClock()
        self.kid = new_key(folder)
        self.verifier = Verifier(Jwks(folder, self.clock), self.clock)
        self.minter = Minter(Signer(folder), self.clock)

    @property
    def now(self) -> int:
        return int(self.clock.now().timestamp())

    def payload(self, **changes: Any) -> dict[str, Any]:
        """Good claims with changes; None removes one."""
        claims = {
            "sub": "bot",
            "org": "acme",
            "ns": [{"name": "notes", "role": "writer"}],
            "kind": "service",
            "iat": self.now,
            "exp": self.now + 600,
            "jti": "j1",
        } | changes
        return {name: value for name, value in claims.items() if value is not None}

    def sign(self, payload: dict[str, Any] | None = None, key: Any = None, alg: str = "EdDSA", **headers: Any) -> str:
        key = key or Signer(self.folder).current()[1]
        return jwt.encode(payload or self.payload(), key, algorithm=alg, headers={"kid": self.kid} | headers)

    def code(self, token: str) -> str:
        try:
            self.verifier.verify(token)
        except LoomError as error:
            return error.code.name
        return "OK"


@pytest.fixture
def mint(tmp_path: Path) -> Mint:
    return Mint(tmp_path / "keys")


@pytest.fixture(scope="module")
def unmoved(tmp_path_factory: pytest.TempPathFactory) -> Mint:
    """One for all examples of a property."""
    return Mint(tmp_path_factory.mktemp("unmoved") / "keys")


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_a_minted_token_says_what_it_was_made_for(mint: Mint) -> None:
    minted = mint.minter.mint("acme", "ann", "user", [("notes", "viewer"), ("notes", "admin"), ("*", "viewer")], 600)
    claims = mint.verifier.verify(minted.token)
    assert claims == Claims(
        "acme", "ann", "user", {"notes": "admin", "*": "viewer"}, minted.jti, int(minted.expires_at.timestamp())
    )
    assert minted.expires_at.timestamp() == mint.now + 600
    assert jwt.get_unverified_header(minted.token) == {"alg": "EdDSA", "kid": mint.kid, "typ": "JWT"}


def test_each_token_has_an_id_of_its_own(mint: Mint) -> None:
    assert len({mint.minter.mint("acme", "bot", "service", [], 60).jti for _ in range(50)}) == 50


@pytest.mark.parametrize(
    "arguments",
    [
        ("", "bot", "service", [], 60),
        ("acme", "", "service", [], 60),
        ("acme", "bot", "root", [], 60),
        ("acme", "bot", "service", [("notes", "owner")], 60),
        ("acme", "bot", "service", [("", "viewer")], 60),
        ("acme", "bot", "service", [("notes␟2", "viewer")], 60),
        ("acme", "bot\n", "service", [], 60),
        ("acme", "bot", "service", [], 0),
        ("acme", "bot", "service", [(f"n{i}", "viewer") for i in range(65)], 60),
        ("acme", "bot", "service", [(f"{i:02}" + "ü" * 126, "viewer") for i in range(64)], 60),
    ],
)
def test_no_token_is_minted_that_no_verifier_would_take(mint: Mint, arguments: Any) -> None:
    with pytest.raises(ValueError):
        mint.minter.mint(*arguments)


def test_kind_is_service_where_it_is_not_said(mint: Mint) -> None:
    assert mint.verifier.verify(mint.sign(mint.payload(kind=None))).kind == "service"


@pytest.mark.parametrize("name", ["sub", "org", "ns", "iat", "exp", "jti"])
def test_a_missing_claim_is_refused(mint: Mint, name: str) -> None:
    assert mint.code(mint.sign(mint.payload(**{name: None}))) == "TOKEN_INVALID"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sub", ""),
        ("sub", " "),
        ("sub", "a\x00b"),
        ("sub", "\ud800"),
        ("sub", "x" * 257),
        ("org", "x" * 129),
        ("org", "a\nb"),
        ("ns", {}),
        ("ns", "notes"),
        ("ns", ["notes"]),
        ("ns", [{"name": "notes"}]),
        ("ns", [{"role": "viewer"}]),
        ("ns", [{"name": "notes", "role": "owner"}]),
        ("ns", [{"name": "notes", "role": ["viewer"]}]),
        ("ns", [{"name": ["notes"], "role": "viewer"}]),
        ("ns", [{"name": "notes␟2", "role": "viewer"}]),
        ("ns", [{"name": f"n{i}", "role": "viewer"} for i in range(65)]),
        ("kind", "root"),
        ("kind", ["user"]),
        ("kind", ""),
        ("jti", ""),
        ("iat", True),
        ("exp", 1e12),
        ("exp", True),
        ("nbf", "soon"),
    ],
)
def test_a_claim_of_another_type_or_size_is_refused(mint: Mint, name: str, value: Any) -> None:
    assert mint.code(mint.sign(mint.payload(**{name: value}))) == "TOKEN_INVALID"


@pytest.mark.parametrize("name", ["sub", "org", "jti"])
def test_a_text_claim_that_is_a_number_is_refused(mint: Mint, name: str) -> None:
    body = f"{part({'alg': 'EdDSA', 'kid': mint.kid})}.{part(mint.payload(**{name: 7}))}"
    signature = Signer(mint.folder).current()[1].sign(body.encode())
    token = f"{body}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"
    assert mint.code(token) == "TOKEN_INVALID"


def test_a_token_without_signature_is_refused(mint: Mint) -> None:
    for alg in ("none", "None", "NONE", "", None):
        token = f"{part({'alg': alg, 'kid': mint.kid, 'typ': 'JWT'})}.{part(mint.payload())}."
        assert mint.code(token) == "TOKEN_INVALID"


def test_the_public_key_is_no_secret_to_sign_with(mint: Mint) -> None:
    public = Signer(mint.folder).current()[1].public_key()
    secrets = [
        public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
        public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw),
        (mint.folder / JWKS).read_bytes(),
    ]
    for secret in secrets:
        import hmac

        body = f"{part({'alg': 'HS256', 'kid': mint.kid})}.{part(mint.payload())}"
        signature = base64.urlsafe_b64encode(hmac.digest(secret, body.encode(), "sha256")).rstrip(b"=").decode()
        assert mint.code(f"{body}.{signature}") == "TOKEN_INVALID"


def test_another_algorithm_is_refused_even_with_a_good_signature(mint: Mint) -> None:
    assert mint.code(mint.sign(key=generate_private_key(SECP256R1()), alg="ES256")) == "TOKEN_INVALID"


def test_a_strangers_key_is_refused_whatever_kid_it_claims(mint: Mint) -> None:
    stranger = Ed25519PrivateKey.generate()
    assert mint.code(mint.sign(key=stranger)) == "TOKEN_INVALID"
    assert mint.code(mint.sign(key=stranger, kid="unknown")) == "TOKEN_INVALID"


def test_a_key_inside_the_token_is_not_used(mint: Mint) -> None:
    stranger = Ed25519PrivateKey.generate()
    jwk = json.loads(jwt.algorithms.OKPAlgorithm.to_jwk(stranger.public_key()))
    assert mint.code(mint.sign(key=stranger, jwk=jwk)) == "TOKEN_INVALID"


@pytest.mark.parametrize("kid", [None, "", "unknown", "../x"])
def test_a_token_must_name_a_key_of_the_key_set(mint: Mint, kid: Any) -> None:
    key = Signer(mint.folder).current()[1]
    token = jwt.encode(mint.payload(), key, algorithm="EdDSA", headers={"kid": kid} if kid is not None else None)
    assert mint.code(token) == "TOKEN_INVALID"


def test_a_changed_byte_anywhere_is_refused(mint: Mint) -> None:
    token = mint.sign()
    for i in range(0, len(token) - 1, 7):
        other = "A" if token[i] != "A" else "B"
        assert mint.code(token[:i] + other + token[i + 1 :]) == "TOKEN_INVALID"


def test_an_oversize_token_is_refused_unread(mint: Mint) -> None:
    assert mint.code(mint.sign(mint.payload(more="x" * MAX_BYTES))) == "TOKEN_INVALID"


@given(st.one_of(st.text(), st.lists(st.text(), min_size=3, max_size=3).map(".".join)))
def test_nonsense_is_an_invalid_token_and_nothing_else(unmoved: Mint, text: str) -> None:
    assert unmoved.code(text) == "TOKEN_INVALID"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["kid", "alg", "crit", "b64"]), inner),
    ),
    st.dictionaries(
        st.sampled_from(["sub", "org", "ns", "kind", "iat", "exp", "nbf", "jti"]),
        st.none() | st.integers() | st.text() | st.lists(st.text()),
    ),
)
def test_any_json_in_place_of_header_or_claims_is_an_invalid_token(unmoved: Mint, header: Any, payload: Any) -> None:
    assert unmoved.code(f"{part(header)}.{part(payload)}.AAAA") == "TOKEN_INVALID"


@given(
    st.dictionaries(
        st.sampled_from(["sub", "org", "ns", "kind", "iat", "exp", "nbf", "jti"]),
        st.none() | st.integers() | st.text() | st.lists(st.dictionaries(st.sampled_from(["name", "role"]), st.text())),
    )
)
def test_any_claims_are_taken_or_refused_with_a_value_error(payload: dict[str, Any]) -> None:
    try:
        claims = parse(payload)
    except ValueError:
        return
    assert claims.subject and claims.org and claims.jti


def test_expiry_has_thirty_seconds_of_leeway(mint: Mint) -> None:
    token = mint.sign(mint.payload(exp=mint.now + 10))
    fresh = mint.sign(mint.payload(exp=mint.now + 10, jti="j2"))
    mint.clock.advance(10 + LEEWAY_S - 1)
    assert (mint.code(token), mint.code(token)) == ("OK", "OK")
    mint.clock.advance(1)
    assert (mint.code(token), mint.code(token), mint.code(fresh)) == ("TOKEN_EXPIRED",) * 3


def test_a_bad_signature_is_invalid_even_when_expired(mint: Mint) -> None:
    token = mint.sign(mint.payload(exp=mint.now - 3600), key=Ed25519PrivateKey.generate())
    assert mint.code(token) == "TOKEN_INVALID"


@pytest.mark.parametrize("name", ["iat", "nbf"])
def test_a_token_of_the_future_is_refused_beyond_the_leeway(mint: Mint, name: str) -> None:
    assert mint.code(mint.sign(mint.payload(**{name: mint.now + LEEWAY_S}))) == "OK"
    assert mint.code(mint.sign(mint.payload(**{name: mint.now + LEEWAY_S + 1}))) == "TOKEN_INVALID"


def test_the_algorithm_is_pinned_whatever_the_key_could_do(mint: Mint, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []
    decode = jwt.decode

    def spy(*args: Any, **options: Any) -> dict[str, Any]:
        seen.append(options)
        return decode(*args, **options)

    monkeypatch.setattr(jwt, "decode", spy)
    mint.verifier.verify(mint.sign())
    assert [(one["algorithms"], one["options"]["verify_signature"]) for one in seen] == [(["EdDSA"], True)]


def test_a_known_token_is_not_verified_again(mint: Mint, monkeypatch: pytest.MonkeyPatch) -> None:
    token = mint.sign()
    first = mint.verifier.verify(token)
    monkeypatch.setattr(jwt, "decode", None)
    assert mint.verifier.verify(token) is first


def test_the_cache_is_bounded(mint: Mint) -> None:
    small = Verifier(Jwks(mint.folder, mint.clock), mint.clock, cached=2)
    tokens = [mint.sign(mint.payload(jti=f"j{i}")) for i in range(3)]
    kept = [small.verify(token) for token in tokens]
    assert small.verify(tokens[2]) is kept[2]
    assert small.verify(tokens[0]) is not kept[0]


def test_a_known_token_ends_with_its_key(mint: Mint) -> None:
    token = mint.sign()
    assert mint.code(token) == "OK"
    retire_key(mint.folder, mint.kid)
    mint.clock.advance(CHECK_S)
    assert mint.code(token) == "TOKEN_INVALID"


def test_tokens_of_the_old_key_count_through_a_rotation(mint: Mint) -> None:
    token = mint.sign()
    new_key(mint.folder)
    mint.clock.advance(CHECK_S)
    renewed = mint.minter.mint("acme", "bot", "service", [], 60).token
    assert (mint.code(token), mint.code(renewed)) == ("OK", "OK")


def test_no_text_of_a_token_is_shown(mint: Mint, caplog: pytest.LogCaptureFixture) -> None:
    minted = mint.minter.mint("acme", "bot", "service", [("notes", "viewer")], 60)
    signature = minted.token.rpartition(".")[2]
    shown = [repr(minted), repr(mint.verifier.verify(minted.token)), repr(vars(mint.verifier))]
    with caplog.at_level(logging.DEBUG):
        for token in (minted.token + "x", minted.token[:-9] + "A" * 9):
            try:
                mint.verifier.verify(token)
            except LoomError as error:
                assert error.__cause__ is None and error.__suppress_context__
                shown.append("".join(traceback.format_exception(error)) + repr(error.detail("r")))
    assert len(shown) == 5
    assert not any(signature[:12] in text for text in [*shown, caplog.text])
