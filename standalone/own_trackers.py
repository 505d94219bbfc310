"""On one's own machine trackers are one's own organisation's."""

from collections.abc import Mapping
from dataclasses import replace

from runtime.process import ProcessSettings
from runtime.settings import Loaded


def own_trackers(loaded: Loaded, environ: Mapping[str, str]) -> Loaded:
    """In single-user mode LOOM_ORG is that of the trackers, unless LOOM_TRACKER_ORG says otherwise, were it nothing."""
    common = loaded[ProcessSettings]
    if common.keys_dir or "LOOM_TRACKER_ORG" in environ:
        return loaded
    return Loaded({**loaded.instances, ProcessSettings: replace(common, tracker_org=common.org)}, loaded.warnings)
