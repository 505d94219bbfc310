"""When background passes run."""

from runtime.settings import setting, settings


@settings(prefix="LOOM_TRACKER_")
class WorkerSettings:
    """The background passes over the sources."""

    workers: bool = setting(
        True,
        help="Whether this process runs the background passes when they are due; off where `loom worker run` does.",
    )
    worker_limit_s: float = setting(
        600.0,
        help="Seconds that one run of a pass on one source may take; it goes on later then.",
        min=1.0,
        max=86400.0,
    )
    test_daily_every_s: float = setting(
        3600.0, help="Seconds between roll-ups of a source's CI runs (tracker_test_daily).", min=60.0, max=604800.0
    )
    test_daily_days: int = setting(
        90, help="Days back that CI runs are rolled up when a source is first seen.", min=1, max=180
    )
    embed_every_s: float = setting(
        900.0, help="Seconds between runs that make vectors of what changed (tracker_embed).", min=60.0, max=604800.0
    )
    embed_sweep_every_s: float = setting(
        604800.0,
        help="Seconds between runs of tracker_embed that read all items, for rows that came late and those that are gone.",
        min=3600.0,
        max=31536000.0,
    )
    links_every_s: float = setting(
        86400.0, help="Seconds between runs that look for unlinked fixes (tracker_links).", min=600.0, max=604800.0
    )
    links_limit_s: float = setting(
        7200.0,
        help="Seconds that one run of tracker_links on one source may take, a fit of its record included.",
        min=60.0,
        max=86400.0,
    )
    links_issue_days: int = setting(90, help="Days back that tracker_links looks for fixes of issues.", min=1, max=3650)
    links_per_issue: int = setting(20, help="Links that tracker_links keeps of an issue.", min=1, max=50)
    refit_every_s: float = setting(
        604800.0,
        help="Seconds between fits of a record's own duplicates, which tracker_links makes.",
        min=3600.0,
        max=31536000.0,
    )
    dupcheck_duplicate_threshold_min: float = setting(
        0.5, help="Least probability from which on a report may be called a duplicate.", min=0.0, max=1.0
    )
    dupcheck_duplicate_threshold_max: float = setting(
        0.95,
        help="Largest probability that a record's fit may want for calling a report a duplicate.",
        min=0.0,
        max=1.0,
    )
