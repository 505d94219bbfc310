"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from typing import Any

from loom._generated.models import observe as observe_models
from loom._generated.models import ops as ops_models
from loom._op import Op

OBSERVE_CRYSTALLIZE: Op[observe_models.CrystallizeResponse] = Op(
    "observe.crystallize",
    observe_models.CrystallizeResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "user_id": "user_id", "session_id": "session_id"},
    deadline_s=10.0,
)
OBSERVE_GET: Op[observe_models.GetResponse] = Op(
    "observe.get",
    observe_models.GetResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
OBSERVE_LIST: Op[observe_models.ListResponse] = Op(
    "observe.list",
    observe_models.ListResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "user_id": "user_id"},
    deadline_s=10.0,
)
OBSERVE_RECORD: Op[observe_models.RecordResponse] = Op(
    "observe.record",
    observe_models.RecordResponse.from_dict,
    repeatable=True,
    identity={
        "org": "org",
        "namespace": "namespace",
        "agent": "agent",
        "user_id": "user_id",
        "session_id": "session_id",
    },
    deadline_s=10.0,
)
OBSERVE_RECORD_BATCH: Op[observe_models.RecordBatchResponse] = Op(
    "observe.record_batch",
    observe_models.RecordBatchResponse.from_dict,
    repeatable=True,
    identity={
        "org": "org",
        "namespace": "namespace",
        "agent": "agent",
        "user_id": "user_id",
        "session_id": "session_id",
    },
    deadline_s=10.0,
)
OBSERVE_STATS: Op[observe_models.StatsResponse] = Op(
    "observe.stats",
    observe_models.StatsResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "user_id": "user_id"},
    deadline_s=10.0,
)
OPS_CAPABILITIES: Op[ops_models.CapabilitiesResponse] = Op(
    "ops.capabilities", ops_models.CapabilitiesResponse.from_dict, repeatable=True, identity={}, deadline_s=10.0
)
OPS_HEALTH: Op[ops_models.HealthResponse] = Op(
    "ops.health", ops_models.HealthResponse.from_dict, repeatable=True, identity={}, deadline_s=10.0
)

OPS: dict[str, Op[Any]] = {
    op.name: op
    for op in (
        OBSERVE_CRYSTALLIZE,
        OBSERVE_GET,
        OBSERVE_LIST,
        OBSERVE_RECORD,
        OBSERVE_RECORD_BATCH,
        OBSERVE_STATS,
        OPS_CAPABILITIES,
        OPS_HEALTH,
    )
}
