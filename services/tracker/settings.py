"""Settings of the tracker plane."""

from runtime.settings import setting, settings


@settings(prefix="LOOM_TRACKER_")
class TrackerSettings:
    """Who may register what, and the operator's own links."""

    self_service_enabled: bool = setting(True, help="Any signed-in member may register a source.")
    self_service_max_sources: int = setting(
        10, help="Sources of an organisation up to which members may register more.", min=0, max=1000
    )
    require_read_only: bool = setting(
        False, help="Refuse a source whose login could write; off, tracker.source.check warns of it."
    )
    code_namespace_bindings_json: str = setting(
        "", help='Trackers of code namespaces, JSON of globs to a name or a list: `{"web-*": ["tracker-web"]}`.'
    )
    local_records: bool = setting(
        True, help="Single-user mode keeps records that `loom tracker load` brings in a database beside Loom's own."
    )
    checks_from: str = setting(
        "",
        help="`table` or `database.table` of CI runs, in each source that has no `checks` of its own and whose mapping names"
        " none; empty: none.",
    )
    links_min_score: float = setting(
        1.0,
        help="Score from which on a recovered link whose pull request says that it closes the issue counts as its fix, where"
        " the record links none.",
        min=0.0,
        max=100.0,
    )
    similar_vector_leg: bool = setting(
        True,
        help="Whether what is near by meaning joins the candidates of tracker.similar and tracker.duplicate_check.",
    )
    similar_catch_up_budget_ms: int = setting(
        150,
        help="Milliseconds that a question may take to embed what changed since tracker_embed came by.",
        min=0,
        max=10_000,
    )


@settings(prefix="LOOM_TRACKER_")
class BisectSettings:
    """How code.bisect_candidates ranks."""

    bisect_scope_patterns: int = setting(
        8, help="The report's rarest words that changes are searched for.", min=0, max=100
    )
    bisect_component_dirs: int = setting(
        3, help="Directories of a component that its pull requests teach.", min=0, max=50
    )
    bisect_deadline_ms: int = setting(
        3000, help="Milliseconds after which what was ranked so far is answered, as partial.", min=100, max=60_000
    )
