"""The running server keeps what its own OpenAPI document says, whatever schemathesis sends."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator
from schemathesis import Case, CheckContext, GenerationMode, Response
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

from gateway.openapi import openapi
from runtime import jsontext
from runtime.optable import load_ops
from tests.support.server import Server

EXAMPLES = 40
BATCH = "records"
# Rules that JSON Schema does not say: instants and days, control characters, tokens of a page before, one of two.
UNSAID = {"INVALID_FIELD", "MISSING_FIELD"}

load_all_checks()


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as opened:
        opened.trust_env = False
        yield opened


document = schemathesis.openapi.from_dict(openapi(load_ops()), config=schemathesis.Config(seed=1))


def test_the_server_serves_the_document_that_is_tested_here(server: Server, session: requests.Session) -> None:
    assert session.get(f"{server.base_url}/openapi.json").json() == document.raw_schema


# The checks that come with schemathesis: documented statuses, schemas, media types and headers, other methods refused.
# Its two about what is accepted are replaced by ones that know our rules, and the one against 5xx by one that lets the
# documented 501 of a feature pass that is off here.
@document.parametrize()
@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_the_document_says(case: Case, server: Server, session: requests.Session) -> None:
    case.call_and_validate(
        base_url=server.base_url,
        session=session,
        excluded_checks=[negative_data_rejection, positive_data_acceptance, not_a_server_error],
        additional_checks=[no_server_error, what_is_accepted_is_valid, what_is_valid_is_accepted],
    )


def no_server_error(ctx: CheckContext, response: Response, case: Case) -> None:
    """No 5xx, apart from a feature that the installation has switched off."""
    off = response.status_code == 501 and jsontext.loads(response.content)["detail"]["code"] == "FEATURE_DISABLED"
    assert response.status_code < 500 or off


def what_is_accepted_is_valid(ctx: CheckContext, response: Response, case: Case) -> None:
    """A body that was served satisfies the op's schema, once what may be left out is left out."""
    if response.status_code == 200:
        body = without_nulls(jsontext.loads(response.request.body or b"{}"))
        served = jsontext.loads(response.content)
        assert [error.message for error in validator(case).iter_errors(without_refused(body, served))] == []


def what_is_valid_is_accepted(ctx: CheckContext, response: Response, case: Case) -> None:
    """A body that satisfies the schema is refused for a rule that the schema cannot say, or not at all."""
    if case.meta and case.meta.generation.mode is GenerationMode.POSITIVE and response.status_code == 400:
        detail = jsontext.loads(response.content)["detail"]
        assert detail["code"] in UNSAID
        assert detail["metadata"]["field"]


def validator(case: Case) -> Draft202012Validator:
    (body,) = case.operation.body
    return Draft202012Validator(body.optimized_schema)


def without_nulls(value: Any) -> Any:
    """`null` means "not given" in every field."""
    if isinstance(value, dict):
        return {key: without_nulls(entry) for key, entry in value.items() if entry is not None}
    return [without_nulls(entry) for entry in value] if isinstance(value, list) else value


def without_refused(body: dict[str, Any], served: dict[str, Any]) -> dict[str, Any]:
    """A batch without the entries that were answered with an error in their place; one refused whole has none left."""
    if BATCH not in body:
        return body
    left = [entry for entry, result in zip(body[BATCH], served["results"], strict=True) if not result["detail"]]
    return {**body, BATCH: left or [{"tool_name": "any"}]}
