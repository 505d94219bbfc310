"""The composition root of the tracker plane."""

from dataclasses import dataclass
from pathlib import Path

from loom.code.v1 import code_pb2, repo_pb2
from loom.search.v1 import search_pb2
from loom.tracker.v1 import signal_pb2, similar_pb2, source_pb2, tracker_pb2
from runtime.embedding.settings import EmbedderSettings
from runtime.plane import Parts, Plane
from runtime.process import ProcessSettings, StoreSettings
from runtime.settings import SettingsError
from runtime.store import migrate
from runtime.transport import handlers
from services.tracker.checking.build import Derived, checker_of, derived_of, legs_of
from services.tracker.checking.judge_settings import JudgeSettings
from services.tracker.checking.shown import ShownFits
from services.tracker.code_service import CodeOps, CodeService
from services.tracker.contract.tables import TABLES
from services.tracker.directory import Directory
from services.tracker.examining import LocalAsks
from services.tracker.mapping.model import SourceTable
from services.tracker.mapping.parse import table_named
from services.tracker.memories import Memories
from services.tracker.names import Bindings, bindings_of
from services.tracker.ops.answer import AnswerOp
from services.tracker.ops.asking import Asking
from services.tracker.ops.binding import BindingOp
from services.tracker.ops.checks import Checking
from services.tracker.ops.code.backports import BackportGapOp, BackportGapsOp
from services.tracker.ops.code.bisect import BisectOp
from services.tracker.ops.code.context_pack import ContextPackOp, PackOps
from services.tracker.ops.code.first_build import FirstBuildOp
from services.tracker.ops.code.history import HistoryOp
from services.tracker.ops.code.known_fix import KnownFix
from services.tracker.ops.code.pr_check import PrCheckOp
from services.tracker.ops.component import ComponentOp
from services.tracker.ops.duplicate_check import DuplicateCheck
from services.tracker.ops.flaky import FlakyOp
from services.tracker.ops.inspect import InspectSource
from services.tracker.ops.item import ItemOp
from services.tracker.ops.links import LinksOp
from services.tracker.ops.load import LoadRecord
from services.tracker.ops.recovered import Recovered
from services.tracker.ops.release import ReleaseOp
from services.tracker.ops.repos import AddBranch, AddRepo, ListRepos, Repos, SetAccess, SetSource
from services.tracker.ops.search import SearchOp
from services.tracker.ops.similar import SimilarOp
from services.tracker.ops.sources import (
    AddSource,
    CheckSource,
    ListSources,
    RemapSource,
    RemoveSource,
    RotateSource,
    Sources,
)
from services.tracker.ops.test_signal import TestSignalOp
from services.tracker.reads import Live, shape_of
from services.tracker.records import Records
from services.tracker.registry import Registry
from services.tracker.repo_service import RepoOps, RepoService
from services.tracker.resolve import Resolver
from services.tracker.rollups.store import RollupStore
from services.tracker.search_service import SearchService
from services.tracker.service import Questions, TrackerService
from services.tracker.serving import Serving
from services.tracker.settings import BisectSettings, TrackerSettings
from services.tracker.signal_service import SignalService
from services.tracker.similar_service import SimilarService
from services.tracker.source_service import SourceOps, SourceService
from services.tracker.sources.clients import SourceClients
from services.tracker.sources.hosts import HostRules
from services.tracker.sources.local import LocalClient
from services.tracker.sources.secrets import Vault, open_vault
from services.tracker.sources.settings import LiveSettings, SecretSettings
from services.tracker.store import TrackerStore
from services.tracker.workers.build import runner_of
from services.tracker.workers.command import COMMAND, pass_command
from services.tracker.workers.runner import Runner
from services.tracker.workers.settings import WorkerSettings

NAME = "tracker"
LOCAL_BUDGET_S = 5.0
SETTINGS = (
    TrackerSettings,
    LiveSettings,
    SecretSettings,
    BisectSettings,
    WorkerSettings,
    EmbedderSettings,
    JudgeSettings,
)


@dataclass(frozen=True, slots=True)
class Core:
    """What the plane's ops are made of."""

    registry: Registry
    store: TrackerStore
    directory: Directory
    resolver: Resolver
    clients: SourceClients
    serving: Serving
    live: Live
    vault: Vault | None
    rules: HostRules
    derived: Derived


async def build(parts: Parts) -> Plane:
    """Migrates the tables and wires the ops. Raises SettingsError for keys, hosts or bindings that cannot be."""
    return await plane_of(parts, core_of(parts))


async def plane_of(parts: Parts, core: Core) -> Plane:
    """The plane over a core that is made already."""
    await migrate(parts.store, "services.tracker.migrations", plane=NAME)
    sources = tracker_pb2.DESCRIPTOR.services_by_name, source_pb2.DESCRIPTOR.services_by_name
    signals = signal_pb2.DESCRIPTOR.services_by_name["SignalService"]
    asked, (similar, duplicates) = questions(parts, core), similar_ops(parts, core)
    bound = {
        **handlers(TrackerService(asked), sources[0]["TrackerService"], parts.chain),
        **handlers(
            SimilarService(similar, duplicates),
            similar_pb2.DESCRIPTOR.services_by_name["SimilarService"],
            parts.chain,
        ),
        **handlers(
            SearchService(SearchOp(core.resolver, similar, duplicates, parts.clock), Memories(parts.peers)),
            search_pb2.DESCRIPTOR.services_by_name["SearchService"],
            parts.chain,
        ),
        **handlers(SignalService(asked.flaky.signals), signals, parts.chain),
        **handlers(
            CodeService(code_ops(parts, core, asked, similar)),
            code_pb2.DESCRIPTOR.services_by_name["CodeService"],
            parts.chain,
        ),
        **handlers(SourceService(source_ops(parts, core)), sources[1]["SourceService"], parts.chain),
        **handlers(
            RepoService(repo_ops(parts, core)), repo_pb2.DESCRIPTOR.services_by_name["RepoService"], parts.chain
        ),
    }
    runner = runner_of(parts, core)
    if parts.loaded[WorkerSettings].workers:
        runner.start()

    async def close() -> None:
        await runner.close()
        await core.derived.close()
        await core.serving.close()

    return Plane(NAME, bound, close=close, commands={COMMAND: pass_command(runner)})


async def build_worker(parts: Parts) -> tuple[Runner, Core]:
    """The background passes alone, for a process that serves nothing. Raises SettingsError."""
    core = core_of(parts)
    await migrate(parts.store, "services.tracker.migrations", plane=NAME)
    return runner_of(parts, core), core


def core_of(parts: Parts) -> Core:
    """Raises SettingsError."""
    loaded = parts.loaded
    common, live, clock = loaded[ProcessSettings], loaded[LiveSettings], parts.clock
    single_user = not common.keys_dir
    rules, vault, operator = _read_settings(parts, single_user)
    store, directory = TrackerStore(parts.store, clock), Directory(parts.peers, clock)
    registry, clients = Registry(store, clock), SourceClients(rules, clock, live)
    resolver = Resolver(directory, registry, operator, common.tracker_org)
    # Our own engine is not somebody else's outage: a busy laptop answers late rather than not.
    local = LocalClient(parts.store, live.limits().within(LOCAL_BUDGET_S))
    checks_from = _checks_from(loaded[TrackerSettings])
    serving = Serving(clients, local, vault, clock, serve=live.live_serve, checks_from=checks_from)
    reads = Live(shape_of(TABLES), clock, serve=live.live_serve)
    derived = derived_of(parts)
    return Core(registry, store, directory, resolver, clients, serving, reads, vault, rules, derived)


def _read_settings(parts: Parts, single_user: bool) -> tuple[HostRules, Vault | None, Bindings]:
    loaded, problems = parts.loaded, []
    rules, vault, operator = None, None, None
    try:
        rules = HostRules.parse(loaded[LiveSettings].source_hosts, single_user=single_user)
    except ValueError as error:
        problems.append(str(error))
    try:
        folder = Path(loaded[StoreSettings].data_dir)
        vault = open_vault(loaded[SecretSettings].secret_key, folder, single_user=single_user)
    except ValueError as error:
        problems.append(str(error))
    try:
        operator = bindings_of(loaded[TrackerSettings].code_namespace_bindings_json)
    except ValueError as error:
        problems.append(f"LOOM_TRACKER_CODE_NAMESPACE_BINDINGS_JSON {error}")
    if problems or rules is None or operator is None:
        raise SettingsError(problems)
    return rules, vault, operator


def _checks_from(settings: TrackerSettings) -> SourceTable | None:
    if not settings.checks_from:
        return None
    table = table_named(settings.checks_from)
    if table is None:
        raise SettingsError(["LOOM_TRACKER_CHECKS_FROM must be table or database.table, not one of the engine's own"])
    return table


def questions(parts: Parts, core: Core) -> Questions:
    asking = Asking(core.resolver, core.serving, core.live, parts.clock)
    return Questions(
        item=ItemOp(asking),
        links=LinksOp(asking, Recovered(core.derived.links)),
        flaky=FlakyOp(asking, TestSignalOp(asking, RollupStore(parts.store), parts.clock)),
        release=ReleaseOp(asking, parts.clock),
        component=ComponentOp(asking),
        answer=AnswerOp(asking),
        binding=BindingOp(core.resolver, core.serving, ShownFits(core.derived.fits)),
    )


def code_ops(parts: Parts, core: Core, asked: Questions, similar: SimilarOp) -> CodeOps:
    asking = Asking(core.resolver, core.serving, core.live, parts.clock)
    known = KnownFix(core.derived.links, parts.loaded[TrackerSettings].links_min_score)
    bisect = BisectOp(asking, parts.clock, parts.loaded[BisectSettings], known)
    backports = BackportGapOp(asking, known)
    packed = PackOps(asked.item, asked.links, backports, bisect, asked.flaky.signals, similar)
    return CodeOps(
        bisect=bisect,
        backport_gap=backports,
        backport_gaps=BackportGapsOp(asking, parts.clock),
        first_build=FirstBuildOp(asking),
        history=HistoryOp(asking, parts.clock),
        pr_check=PrCheckOp(asking, parts.clock),
        context_pack=ContextPackOp(packed),
    )


def similar_ops(parts: Parts, core: Core) -> tuple[SimilarOp, DuplicateCheck]:
    asking = Asking(core.resolver, core.serving, core.live, parts.clock)
    legs = legs_of(parts, core.derived)
    checking = Checking(asking, checker_of(legs, core.derived), core.registry)
    return SimilarOp(checking), DuplicateCheck(checking, core.derived.judge)


def source_ops(parts: Parts, core: Core) -> SourceOps:
    records = Records(parts.store)
    sources = Sources(
        registry=core.registry,
        store=core.store,
        directory=core.directory,
        serving=core.serving,
        clients=core.clients,
        local=LocalAsks(parts.store),
        vault=core.vault,
        rules=core.rules,
        settings=parts.loaded[TrackerSettings],
        clock=parts.clock,
        org=parts.loaded[ProcessSettings].tracker_org,
        records=records,
        erase=(core.derived.erase, RollupStore(parts.store).forget),
    )
    return SourceOps(
        inspect=InspectSource(sources),
        add=AddSource(sources),
        check=CheckSource(sources),
        remap=RemapSource(sources),
        rotate=RotateSource(sources),
        list=ListSources(sources),
        remove=RemoveSource(sources),
        load=LoadRecord(sources, records),
    )


def repo_ops(parts: Parts, core: Core) -> RepoOps:
    org = parts.loaded[ProcessSettings].tracker_org
    repos = Repos(core.directory, core.registry, core.store, core.resolver, parts.clock, org)
    return RepoOps(
        add=AddRepo(repos),
        add_branch=AddBranch(repos),
        set_access=SetAccess(repos),
        list=ListRepos(repos),
        set_source=SetSource(repos),
    )
