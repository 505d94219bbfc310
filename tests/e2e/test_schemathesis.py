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

from gateway.codec.fields import rules_of
from gateway.openapi import openapi
from gateway.schema import request_schema
from runtime import jsontext
from runtime.optable import Op, load_ops
from tests.support.server import Server

EXAMPLES = 40
OPS = load_ops()
# Batches whose entries are answered one by one: the field with the entries, and the one with their answers.
BATCHES = {
    op.name: found
    for op in OPS
    if (found := {f.name: rules_of(f).answered_by for f in op.request.DESCRIPTOR.fields if rules_of(f).answered_by})
}
TEXT = {"type": "decision", "title": "t", "content": "c"}
GOOD: dict[str, list[Any]] = {
    "observe.record_batch": [{"tool_name": "any"}],
    "memory.save_batch": [TEXT],
    "memory.import_batch": [{"revisions": [{**TEXT, "said_at": "2026-01-01T00:00:00Z"}]}],
}
# Rules that JSON Schema does not say: instants and days, control characters, tokens of a page before, one of two.
UNSAID = {"INVALID_FIELD", "MISSING_FIELD"}
# Refused for what the installation holds, not for what was sent.
NOT_OF_THE_BODY = {"NOT_A_TRACKER_NAMESPACE", "SOURCE_UNREACHABLE"}

load_all_checks()


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as opened:
        opened.trust_env = False
        yield opened


@pytest.fixture(scope="module")
def tracker(server: Server, session: requests.Session) -> str:
    """A tracker namespace with a record of two items."""
    items = {"github_issues": {"number": 1, "state": "open"}, "github_prs": {"number": 2, "state": "merged"}}
    for table, item in items.items():
        row = {**item, "source_id": f"Org/repo#{item['number']}", "title": "Order is lost", "body": "It crashes."}
        row |= {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "is_private": 0}
        load = {"namespace": "schemathesis", "table": table, "rows": [row], "repos": ["Org/repo"]}
        answer = session.post(f"{server.base_url}/v1/tracker.load", json=load)
        assert answer.status_code == 200, answer.text
    return "schemathesis"


document = schemathesis.openapi.from_dict(openapi(OPS), config=schemathesis.Config(seed=1))


def test_the_server_serves_the_document_that_is_tested_here(server: Server, session: requests.Session) -> None:
    assert session.get(f"{server.base_url}/openapi.json").json() == document.raw_schema


# The checks that come with schemathesis: documented statuses, schemas, media types and headers, other methods refused.
# Its two about what is accepted are replaced by ones that know our rules, and the one against 5xx by one that lets the
# documented 501 of a feature pass that is off here.
@document.parametrize()
@settings(max_examples=EXAMPLES, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_the_document_says(
    case: Case, server: Server, session: requests.Session, tracker: str
) -> None:
    of_tracker = op_of(case).name.startswith(("tracker.", "code.")) and op_of(case).role == "viewer"
    if of_tracker and is_positive(case) and isinstance(case.body, dict):
        # A copy: examples are those of the document itself.
        case.body = {**case.body, "namespace": tracker}  # else there would be no question beyond "which tracker?"
    case.call_and_validate(
        base_url=server.base_url,
        session=session,
        excluded_checks=[negative_data_rejection, positive_data_acceptance, not_a_server_error],
        additional_checks=[no_server_error, what_is_accepted_is_valid, what_is_valid_is_accepted],
    )


def is_positive(case: Case) -> bool:
    """Made to fit the schema."""
    return case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE


def no_server_error(ctx: CheckContext, response: Response, case: Case) -> None:
    """No 5xx, apart from a feature that the installation has switched off."""
    off = response.status_code == 501 and jsontext.loads(response.content)["detail"]["code"] == "FEATURE_DISABLED"
    assert response.status_code < 500 or off


def what_is_accepted_is_valid(ctx: CheckContext, response: Response, case: Case) -> None:
    """A body that was served satisfies the op's schema, once what may be left out is left out."""
    if response.status_code == 200:
        body = without_nulls(jsontext.loads(response.request.body or b"{}"))
        served = jsontext.loads(response.content)
        left = without_refused(op_of(case), body, served)
        assert [error.message for error in validator(case).iter_errors(left)] == []


def what_is_valid_is_accepted(ctx: CheckContext, response: Response, case: Case) -> None:
    """A body that satisfies the schema is refused for a rule that the schema cannot say, or not at all."""
    if is_positive(case) and response.status_code == 400:
        detail = jsontext.loads(response.content)["detail"]
        assert detail["code"] in UNSAID | NOT_OF_THE_BODY
        assert detail["code"] in NOT_OF_THE_BODY or detail["metadata"]["field"]


def op_of(case: Case) -> Op:
    return next(op for op in OPS if case.path == f"/v1/{op.http_path}")


def validator_of(op: Op) -> Draft202012Validator:
    return Draft202012Validator(request_schema(op.request))


def validator(case: Case) -> Draft202012Validator:
    (body,) = case.operation.body
    return Draft202012Validator(body.optimized_schema)


def without_nulls(value: Any) -> Any:
    """`null` means "not given" in every field."""
    if isinstance(value, dict):
        return {key: without_nulls(entry) for key, entry in value.items() if entry is not None}
    return [without_nulls(entry) for entry in value] if isinstance(value, list) else value


def without_refused(op: Op, body: dict[str, Any], served: dict[str, Any]) -> dict[str, Any]:
    """A batch without the entries that were answered with an error in their place; one refused whole has a good one."""
    for field, results in BATCHES.get(op.name, {}).items():
        if field in body:
            answers = zip(body[field], served[results], strict=True)
            left = [entry for entry, result in answers if not result["detail"]]
            body = {**body, field: left or GOOD[op.name]}
    return body


def test_batches_of_every_plane_are_judged_entry_by_entry() -> None:
    assert BATCHES.keys() == GOOD.keys() == {"observe.record_batch", "memory.save_batch", "memory.import_batch"}
    for name, good in GOOD.items():
        schema = validator_of(OPS.by_name[name])
        [(field, results)] = BATCHES[name].items()
        assert list(schema.iter_errors({field: good})) == []
        refused = {results: [{"detail": {"code": "INVALID_FIELD"}}, {"detail": None}]}
        assert without_refused(OPS.by_name[name], {field: [{"x": 1}, *good]}, refused) == {field: good}


def test_every_op_of_every_plane_is_tried() -> None:
    tried = {result.ok().label.removeprefix("POST ") for result in document.get_all_operations()}
    assert tried == {f"/v1/{op.http_path}" for op in OPS}
    assert {op.plane for op in OPS} >= {"observe", "memory", "tracker", "directory"}
