"""What a record has that looks like a name which it does not have."""

import difflib
from collections.abc import Iterable

from services.tracker.reads import Statement

MOST = 5
# Names that are listed at most: of a longer list nobody can say what is not in it.
LISTED = 2000
# ngramDistance is 0 for equal and 1 for unlike names.
_FAR = 0.7

TEST_NAMES = Statement(
    "near.tests",
    "SELECT test_name FROM (SELECT test_name FROM {checks(test_name, check_start_time)} "
    "WHERE check_start_time >= now() - INTERVAL 30 DAY AND length(test_name) BETWEEN 1 AND 1024 "
    "GROUP BY test_name LIMIT 50000) "
    f"WHERE ngramDistanceCaseInsensitive(test_name, {{name:String}}) < {_FAR} "
    f"ORDER BY ngramDistanceCaseInsensitive(test_name, {{name:String}}), test_name LIMIT {MOST + 1}",
)
COMPONENTS = Statement(
    "near.components",
    "SELECT component, count() AS issues FROM {github_issues(component)} WHERE length(component) BETWEEN 1 AND 300 "
    f"GROUP BY component ORDER BY issues DESC, component LIMIT {LISTED}",
)
VERSIONS = Statement(
    "near.versions",
    "SELECT version FROM {releases(version, released_at)} WHERE length(version) BETWEEN 1 AND 300 "
    f"ORDER BY released_at DESC, version LIMIT {LISTED}",
)
MILESTONES = Statement(
    "near.milestones",
    "SELECT milestone, count() AS issues FROM {github_issues(milestone)} WHERE length(milestone) BETWEEN 1 AND 300 "
    f"GROUP BY milestone ORDER BY issues DESC, milestone LIMIT {LISTED}",
)


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Up to five of the known names that look like this one, best first; a part of a name counts too."""
    folded: dict[str, str] = {}
    for each in known:
        folded.setdefault(each.casefold(), each)
    wanted = name.casefold()
    within = [key for key in folded if wanted and (wanted in key or key in wanted)]
    close = difflib.get_close_matches(wanted, folded, n=MOST, cutoff=0.5)
    return [folded[key] for key in dict.fromkeys([*close, *sorted(within, key=len)])][:MOST]
