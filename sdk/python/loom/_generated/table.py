"""Generated from the contract by tools/gen_sdk.py; do not edit."""

from __future__ import annotations

from typing import Any

from loom._generated.models import code as code_models
from loom._generated.models import directory as directory_models
from loom._generated.models import memory as memory_models
from loom._generated.models import observe as observe_models
from loom._generated.models import ops as ops_models
from loom._generated.models import search as search_models
from loom._generated.models import tracker as tracker_models
from loom._op import Op

CODE_BACKPORT_GAP: Op[code_models.BackportGapResponse] = Op(
    "code.backport_gap",
    code_models.BackportGapResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
CODE_BACKPORT_GAPS: Op[code_models.BackportGapsResponse] = Op(
    "code.backport_gaps",
    code_models.BackportGapsResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
CODE_BISECT_CANDIDATES: Op[code_models.BisectCandidatesResponse] = Op(
    "code.bisect_candidates",
    code_models.BisectCandidatesResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
CODE_CONTEXT_PACK: Op[code_models.ContextPackResponse] = Op(
    "code.context_pack",
    code_models.ContextPackResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
CODE_FIRST_BUILD: Op[code_models.FirstBuildResponse] = Op(
    "code.first_build",
    code_models.FirstBuildResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
CODE_HISTORY: Op[code_models.HistoryResponse] = Op(
    "code.history",
    code_models.HistoryResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
CODE_PR_CHECK: Op[code_models.PrCheckResponse] = Op(
    "code.pr_check",
    code_models.PrCheckResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
CODE_REPO_ADD: Op[code_models.AddRepoResponse] = Op(
    "code.repo.add", code_models.AddRepoResponse.from_dict, repeatable=False, identity={"org": "org"}, deadline_s=10.0
)
CODE_REPO_ADD_BRANCH: Op[code_models.AddBranchResponse] = Op(
    "code.repo.add_branch",
    code_models.AddBranchResponse.from_dict,
    repeatable=False,
    identity={"org": "org"},
    deadline_s=10.0,
)
CODE_REPO_LIST: Op[code_models.ListReposResponse] = Op(
    "code.repo.list", code_models.ListReposResponse.from_dict, repeatable=True, identity={"org": "org"}, deadline_s=10.0
)
CODE_REPO_SET_ACCESS: Op[code_models.SetAccessResponse] = Op(
    "code.repo.set_access",
    code_models.SetAccessResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
CODE_REPO_SET_SOURCE: Op[code_models.SetSourceResponse] = Op(
    "code.repo.set_source",
    code_models.SetSourceResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
DIRECTORY_AUDIT: Op[directory_models.AuditResponse] = Op(
    "directory.audit",
    directory_models.AuditResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
DIRECTORY_TOKEN_REVOKE: Op[directory_models.RevokeTokenResponse] = Op(
    "directory.token_revoke",
    directory_models.RevokeTokenResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
MEMORY_CONTEXT: Op[memory_models.ContextResponse] = Op(
    "memory.context",
    memory_models.ContextResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_DELETE: Op[memory_models.DeleteResponse] = Op(
    "memory.delete",
    memory_models.DeleteResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=60.0,
)
MEMORY_EXPORT: Op[memory_models.ExportResponse] = Op(
    "memory.export",
    memory_models.ExportResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_GET_OBSERVATION: Op[memory_models.GetObservationResponse] = Op(
    "memory.get_observation",
    memory_models.GetObservationResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_IMPORT_BATCH: Op[memory_models.ImportBatchResponse] = Op(
    "memory.import_batch",
    memory_models.ImportBatchResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_LIST: Op[memory_models.ListResponse] = Op(
    "memory.list",
    memory_models.ListResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_REVISIONS: Op[memory_models.RevisionsResponse] = Op(
    "memory.revisions",
    memory_models.RevisionsResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_SAVE: Op[memory_models.SaveResponse] = Op(
    "memory.save",
    memory_models.SaveResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_SAVE_BATCH: Op[memory_models.SaveBatchResponse] = Op(
    "memory.save_batch",
    memory_models.SaveBatchResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_SEARCH: Op[memory_models.SearchResponse] = Op(
    "memory.search",
    memory_models.SearchResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_SESSION_END: Op[memory_models.SessionEndResponse] = Op(
    "memory.session_end",
    memory_models.SessionEndResponse.from_dict,
    repeatable=False,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_SESSION_START: Op[memory_models.SessionStartResponse] = Op(
    "memory.session_start",
    memory_models.SessionStartResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_SESSION_SUMMARY: Op[memory_models.SessionSummaryResponse] = Op(
    "memory.session_summary",
    memory_models.SessionSummaryResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_STATS: Op[memory_models.StatsResponse] = Op(
    "memory.stats",
    memory_models.StatsResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_SUGGEST_TOPIC_KEY: Op[memory_models.SuggestTopicKeyResponse] = Op(
    "memory.suggest_topic_key",
    memory_models.SuggestTopicKeyResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_TIMELINE: Op[memory_models.TimelineResponse] = Op(
    "memory.timeline",
    memory_models.TimelineResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
MEMORY_UPDATE: Op[memory_models.UpdateResponse] = Op(
    "memory.update",
    memory_models.UpdateResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
NAMESPACE_APPROVE: Op[directory_models.ApproveRequestResponse] = Op(
    "namespace.approve",
    directory_models.ApproveRequestResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
NAMESPACE_CREATE: Op[directory_models.CreateNamespaceResponse] = Op(
    "namespace.create",
    directory_models.CreateNamespaceResponse.from_dict,
    repeatable=False,
    identity={"org": "org"},
    deadline_s=10.0,
)
NAMESPACE_DENY: Op[directory_models.DenyRequestResponse] = Op(
    "namespace.deny",
    directory_models.DenyRequestResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
NAMESPACE_GRANT: Op[directory_models.GrantResponse] = Op(
    "namespace.grant",
    directory_models.GrantResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
NAMESPACE_JOIN: Op[directory_models.JoinNamespaceResponse] = Op(
    "namespace.join",
    directory_models.JoinNamespaceResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
NAMESPACE_LIST: Op[directory_models.ListNamespacesResponse] = Op(
    "namespace.list",
    directory_models.ListNamespacesResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
NAMESPACE_MEMBERS: Op[directory_models.ListMembersResponse] = Op(
    "namespace.members",
    directory_models.ListMembersResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
NAMESPACE_REMOVE: Op[directory_models.RemoveNamespaceResponse] = Op(
    "namespace.remove",
    directory_models.RemoveNamespaceResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
NAMESPACE_REQUESTS: Op[directory_models.ListRequestsResponse] = Op(
    "namespace.requests",
    directory_models.ListRequestsResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
NAMESPACE_REVOKE: Op[directory_models.RevokeResponse] = Op(
    "namespace.revoke",
    directory_models.RevokeResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
NAMESPACE_SET_POLICY: Op[directory_models.SetPolicyResponse] = Op(
    "namespace.set_policy",
    directory_models.SetPolicyResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
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
    identity={"org": "org", "namespace": "namespace", "user_id": "user_id"},
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
SEARCH: Op[search_models.SearchResponse] = Op(
    "search",
    search_models.SearchResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace", "agent": "agent", "user_id": "user_id"},
    deadline_s=10.0,
)
TOKEN_MINT: Op[directory_models.MintTokenResponse] = Op(
    "token.mint",
    directory_models.MintTokenResponse.from_dict,
    repeatable=False,
    identity={"org": "org"},
    deadline_s=10.0,
    path="admin/token.mint",
)
TRACKER_ANSWER: Op[tracker_models.AnswerResponse] = Op(
    "tracker.answer",
    tracker_models.AnswerResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
TRACKER_BINDING: Op[tracker_models.BindingResponse] = Op(
    "tracker.binding",
    tracker_models.BindingResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
TRACKER_COMPONENT: Op[tracker_models.ComponentResponse] = Op(
    "tracker.component",
    tracker_models.ComponentResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
TRACKER_CONTRACT: Op[tracker_models.ContractResponse] = Op(
    "tracker.contract",
    tracker_models.ContractResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
TRACKER_DUPLICATE_CHECK: Op[tracker_models.DuplicateCheckResponse] = Op(
    "tracker.duplicate_check",
    tracker_models.DuplicateCheckResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
TRACKER_FLAKY: Op[tracker_models.FlakyResponse] = Op(
    "tracker.flaky",
    tracker_models.FlakyResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
TRACKER_ITEM: Op[tracker_models.ItemResponse] = Op(
    "tracker.item",
    tracker_models.ItemResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
TRACKER_LINKS: Op[tracker_models.LinksResponse] = Op(
    "tracker.links",
    tracker_models.LinksResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
TRACKER_LOAD: Op[tracker_models.LoadRecordResponse] = Op(
    "tracker.load",
    tracker_models.LoadRecordResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=300.0,
)
TRACKER_RELEASE: Op[tracker_models.ReleaseResponse] = Op(
    "tracker.release",
    tracker_models.ReleaseResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
TRACKER_SIMILAR: Op[tracker_models.SimilarResponse] = Op(
    "tracker.similar",
    tracker_models.SimilarResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)
TRACKER_SOURCE_ADD: Op[tracker_models.AddSourceResponse] = Op(
    "tracker.source.add",
    tracker_models.AddSourceResponse.from_dict,
    repeatable=False,
    identity={"org": "org"},
    deadline_s=30.0,
)
TRACKER_SOURCE_CHECK: Op[tracker_models.CheckSourceResponse] = Op(
    "tracker.source.check",
    tracker_models.CheckSourceResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=30.0,
)
TRACKER_SOURCE_INSPECT: Op[tracker_models.InspectSourceResponse] = Op(
    "tracker.source.inspect",
    tracker_models.InspectSourceResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=30.0,
)
TRACKER_SOURCE_LIST: Op[tracker_models.ListSourcesResponse] = Op(
    "tracker.source.list",
    tracker_models.ListSourcesResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
TRACKER_SOURCE_REMAP: Op[tracker_models.RemapSourceResponse] = Op(
    "tracker.source.remap",
    tracker_models.RemapSourceResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=30.0,
)
TRACKER_SOURCE_REMOVE: Op[tracker_models.RemoveSourceResponse] = Op(
    "tracker.source.remove",
    tracker_models.RemoveSourceResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=10.0,
)
TRACKER_SOURCE_ROTATE: Op[tracker_models.RotateSourceResponse] = Op(
    "tracker.source.rotate",
    tracker_models.RotateSourceResponse.from_dict,
    repeatable=True,
    identity={"org": "org"},
    deadline_s=30.0,
)
TRACKER_TEST_SIGNAL: Op[tracker_models.TestSignalResponse] = Op(
    "tracker.test_signal",
    tracker_models.TestSignalResponse.from_dict,
    repeatable=True,
    identity={"org": "org", "namespace": "namespace"},
    deadline_s=10.0,
)

OPS: dict[str, Op[Any]] = {
    op.name: op
    for op in (
        CODE_BACKPORT_GAP,
        CODE_BACKPORT_GAPS,
        CODE_BISECT_CANDIDATES,
        CODE_CONTEXT_PACK,
        CODE_FIRST_BUILD,
        CODE_HISTORY,
        CODE_PR_CHECK,
        CODE_REPO_ADD,
        CODE_REPO_ADD_BRANCH,
        CODE_REPO_LIST,
        CODE_REPO_SET_ACCESS,
        CODE_REPO_SET_SOURCE,
        DIRECTORY_AUDIT,
        DIRECTORY_TOKEN_REVOKE,
        MEMORY_CONTEXT,
        MEMORY_DELETE,
        MEMORY_EXPORT,
        MEMORY_GET_OBSERVATION,
        MEMORY_IMPORT_BATCH,
        MEMORY_LIST,
        MEMORY_REVISIONS,
        MEMORY_SAVE,
        MEMORY_SAVE_BATCH,
        MEMORY_SEARCH,
        MEMORY_SESSION_END,
        MEMORY_SESSION_START,
        MEMORY_SESSION_SUMMARY,
        MEMORY_STATS,
        MEMORY_SUGGEST_TOPIC_KEY,
        MEMORY_TIMELINE,
        MEMORY_UPDATE,
        NAMESPACE_APPROVE,
        NAMESPACE_CREATE,
        NAMESPACE_DENY,
        NAMESPACE_GRANT,
        NAMESPACE_JOIN,
        NAMESPACE_LIST,
        NAMESPACE_MEMBERS,
        NAMESPACE_REMOVE,
        NAMESPACE_REQUESTS,
        NAMESPACE_REVOKE,
        NAMESPACE_SET_POLICY,
        OBSERVE_CRYSTALLIZE,
        OBSERVE_GET,
        OBSERVE_LIST,
        OBSERVE_RECORD,
        OBSERVE_RECORD_BATCH,
        OBSERVE_STATS,
        OPS_CAPABILITIES,
        OPS_HEALTH,
        SEARCH,
        TOKEN_MINT,
        TRACKER_ANSWER,
        TRACKER_BINDING,
        TRACKER_COMPONENT,
        TRACKER_CONTRACT,
        TRACKER_DUPLICATE_CHECK,
        TRACKER_FLAKY,
        TRACKER_ITEM,
        TRACKER_LINKS,
        TRACKER_LOAD,
        TRACKER_RELEASE,
        TRACKER_SIMILAR,
        TRACKER_SOURCE_ADD,
        TRACKER_SOURCE_CHECK,
        TRACKER_SOURCE_INSPECT,
        TRACKER_SOURCE_LIST,
        TRACKER_SOURCE_REMAP,
        TRACKER_SOURCE_REMOVE,
        TRACKER_SOURCE_ROTATE,
        TRACKER_TEST_SIGNAL,
    )
}
