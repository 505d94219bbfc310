import copy
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom import errors
from runtime.errors import REGISTRY
from runtime.errors import LoomError as ServerError
from runtime.optable import comment_of

STATUSES = st.integers(300, 599)


def test_every_category_of_the_contract_has_a_class() -> None:
    named = re.search(r"Family of the code: (.*)\.", comment_of("loom.common.v1.ErrorDetail.category"))
    assert named
    assert set(re.split(r", | or ", named[1])) == errors.LoomError.by_category.keys()


def test_every_category_of_the_servers_registry_has_a_class() -> None:
    assert {code.category for code in REGISTRY.values()} <= errors.LoomError.by_category.keys()


def test_a_class_stands_for_its_own_category() -> None:
    assert all(kind.category == category for category, kind in errors.LoomError.by_category.items())


@pytest.mark.parametrize("code", REGISTRY.values(), ids=REGISTRY)
def test_every_error_of_the_server_arrives_whole(code) -> None:
    detail = ServerError(code.name, "what to do", retry_after_s=1.5, field="tags").detail("req-1")
    error = errors.from_answer(code.http, {"detail": detail}, request_id="other", retry_after_s=None)
    assert type(error) is errors.LoomError.by_category[code.category]
    shown = {name: getattr(error, name) for name in detail}
    assert (shown, error.http_status) == (detail, code.http)


def test_the_text_names_code_and_request_id() -> None:
    error = errors.NotFound("no such source", code="SOURCE_NOT_FOUND", request_id="abc")
    assert str(error) == "SOURCE_NOT_FOUND: no such source (request id abc)"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, errors.InvalidRequest),
        (401, errors.AuthError),
        (403, errors.AuthError),
        (404, errors.NotFound),
        (408, errors.Timeout),
        (409, errors.Conflict),
        (412, errors.PreconditionFailed),
        (413, errors.InvalidRequest),
        (429, errors.Overloaded),
        (500, errors.InternalError),
        (501, errors.Unsupported),
        (502, errors.Unavailable),
        (503, errors.Unavailable),
        (504, errors.Timeout),
        (301, errors.InternalError),
    ],
)
@pytest.mark.parametrize("body", [None, [], {}, {"detail": "Not Found"}, {"detail": {"code": 7}}])
def test_a_body_that_is_not_the_envelope_is_told_by_its_status(status: int, kind: type, body) -> None:
    error = errors.from_answer(status, body, request_id="r", retry_after_s=2.0)
    assert (type(error), error.code) == (kind, f"HTTP_{status}")
    assert (error.category, error.http_status, error.request_id, error.retry_after_s) == (kind.category, status, "r", 2)


def test_a_category_of_a_newer_server_is_kept_and_the_status_picks_the_class() -> None:
    body = {"detail": {"code": "NEW", "category": "novel"}}
    error = errors.from_answer(503, body, request_id="r", retry_after_s=None)
    assert (type(error), error.category, error.code) == (errors.Unavailable, "novel", "NEW")


def test_the_envelope_goes_before_the_headers() -> None:
    body = {"detail": {"code": "OVERLOADED", "category": "overload", "retry_after_s": 3, "request_id": "inner"}}
    error = errors.from_answer(429, body, request_id="outer", retry_after_s=9.0)
    assert (error.request_id, error.retry_after_s) == ("inner", 3.0)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), 10**400, True, "3", None])
def test_a_wait_that_makes_no_sense_is_none(value) -> None:
    assert errors.seconds(value) is None


NAMES = st.sampled_from(["code", "category", "message", "retryable", "retry_after_s", "request_id", "metadata"])


@given(STATUSES, JSON | st.fixed_dictionaries({"detail": st.dictionaries(NAMES, JSON)}))
def test_no_body_makes_the_reading_of_an_error_fail(status: int, body) -> None:
    error = errors.from_answer(status, body, request_id="r", retry_after_s=None)
    assert (error.http_status, error.request_id != "") == (status, True)
    assert isinstance(error.message, str) and isinstance(error.retryable, bool)


@pytest.mark.parametrize("kind", [*errors.LoomError.by_category.values(), errors.ConnectionFailed])
@pytest.mark.parametrize("remake", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_survives_copying_and_another_process(kind: type, remake) -> None:
    error = kind(
        "text", code="X", http_status=400, retryable=True, retry_after_s=1.0, request_id="r", metadata={"a": "b"}
    )
    again = remake(error)
    assert (type(again), str(again), vars(again), again.args) == (kind, str(error), vars(error), error.args)
