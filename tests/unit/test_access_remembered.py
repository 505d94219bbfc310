"""What the auth link remembers of a token is used only where it would decide the same again."""

from pathlib import Path
from typing import Any

import pytest

from runtime import access
from tests.support.access import AccessBench


@pytest.fixture
def bench(tmp_path: Path) -> AccessBench:
    made = AccessBench(tmp_path / "keys")
    made.directory.row("web")
    return made


async def codes(bench: AccessBench, token: str, *ops: str, **fields: Any) -> list[str]:
    return [await bench.code(bench.call(op, token, **{"namespace": "web", **fields})) for op in ops]


async def test_a_decision_about_one_op_opens_no_other(bench: AccessBench) -> None:
    token = bench.token("web:viewer")
    found = await codes(bench, token, "observe.list", "observe.list", "observe.crystallize", "observe.list")
    assert found == ["OK", "OK", "ROLE_REQUIRED", "OK"]


async def test_a_decision_about_one_namespace_opens_no_other(bench: AccessBench) -> None:
    bench.directory.row("other")
    token = bench.token("web:viewer")
    assert await codes(bench, token, "observe.list", "observe.list") == ["OK", "OK"]
    assert await codes(bench, token, "observe.list", namespace="other") == ["NAMESPACE_FORBIDDEN"]


async def test_a_decision_for_one_token_opens_nothing_to_another_of_the_same_subject(bench: AccessBench) -> None:
    assert await codes(bench, bench.token("web:viewer"), "observe.list", "observe.list") == ["OK", "OK"]
    assert await codes(bench, bench.token("else:viewer"), "observe.list") == ["NAMESPACE_FORBIDDEN"]


async def test_a_remembered_decision_does_not_outlive_what_it_was_made_on(bench: AccessBench) -> None:
    bench.directory.grant("web", "bot", "writer")
    token = bench.token("else:viewer")
    assert await codes(bench, token, "observe.crystallize", "observe.crystallize") == ["OK", "OK"]
    bench.directory.grant("web", "bot", "viewer")
    bench.clock.advance(5.0)
    assert await codes(bench, token, "observe.crystallize", "observe.list") == ["ROLE_REQUIRED", "OK"]
    bench.directory.row("web", restricted=True)
    bench.clock.advance(5.0)
    assert await codes(bench, token, "observe.list", "observe.list") == ["NAMESPACE_FORBIDDEN"] * 2


async def test_a_remembered_caller_still_speaks_for_itself_alone(bench: AccessBench) -> None:
    token = bench.token("web:viewer", sub="ada", kind="user")
    assert await codes(bench, token, "observe.list", "observe.list") == ["OK", "OK"]
    assert await codes(bench, token, "observe.list", org="other") == ["NAMESPACE_FORBIDDEN"]
    assert await codes(bench, token, "observe.list", user_id="eve") == ["NAMESPACE_FORBIDDEN"]


async def test_a_remembered_decision_says_what_a_fresh_one_does(bench: AccessBench) -> None:
    bench.directory.row("web", storage_name="web-2")
    token = bench.token("web:writer")
    calls = [await bench.enter(bench.call("observe.list", token)) for _ in range(3)]
    seen = [(call.caller, call.namespace, call.request.namespace, call.request.org) for call in calls]
    assert seen == [seen[0]] * 3
    assert seen[0][1:] == ("web", "web-2", "acme")


async def test_revoked_and_expired_tokens_are_refused_whatever_is_remembered(bench: AccessBench) -> None:
    token = bench.token("web:viewer", ttl_s=60)
    assert await codes(bench, token, "observe.list", "observe.list") == ["OK", "OK"]
    jti = bench.verifier.verify(token).jti
    bench.directory.revoked = [f"acme/{jti}"]
    assert await codes(bench, token, "observe.list") == ["TOKEN_INVALID"]
    bench.directory.revoked = []
    assert await codes(bench, token, "observe.list") == ["OK"]
    bench.clock.advance(91)
    assert await codes(bench, token, "observe.list") == ["TOKEN_EXPIRED"]


async def test_little_is_remembered_of_a_token(bench: AccessBench) -> None:
    token = bench.token("*:viewer")
    for number in range(3 * access.REMEMBERED):
        bench.directory.row(f"n{number}")
        assert await codes(bench, token, "observe.list", namespace=f"n{number}") == ["OK"]
    memo = bench.verifier.verify(token).memo
    assert 0 < len(memo) <= access.REMEMBERED + 1
    assert repr(bench.verifier.verify(token)).count("memo") == 0
