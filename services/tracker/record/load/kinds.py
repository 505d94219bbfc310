"""Which of two tables one record is, in a file that holds issues and pull requests."""

import re
from collections.abc import Mapping
from typing import Any

from services.tracker.contract.matching import plain
from services.tracker.record.load.shapes import ISSUE_MARKS, ISSUES, ITEMS, PR_MARK, PULL_REQUESTS, names_of_changes

_ADDRESS = re.compile(r"https?://[^/\s]+/.+/(issues|work_items|pulls?|pull-requests|merge_requests)/[0-9]+(?:[/?#].*)?")
# A page goes before what programs ask: there the address of a pull request may be that of an issue.
_ADDRESSES = ("html_url", "web_url", "url")
_ISSUE_PATHS = ("issues", "work_items")


class Kinds:
    """Tells the records of a file apart. `table` is what its first record is."""

    def __init__(self, table: str, first: Mapping[str, Any]) -> None:
        self._table, self._first = table, names_of_changes(first)

    def table(self, record: Mapping[str, Any]) -> str:
        """By the forge's own mark, the page's address, what only one of the two has, and else as the first record."""
        if self._table not in ITEMS or record.get(PR_MARK):
            return PULL_REQUESTS if self._table in ITEMS else self._table
        if told := _by_address(record):
            return told
        filled = {name: value for name, value in record.items() if value not in (None, "", [])}
        is_change, is_issue = bool(names_of_changes(filled)), bool(ISSUE_MARKS & {plain(name) for name in filled})
        if is_change != is_issue:
            return PULL_REQUESTS if is_change else ISSUES
        # Lists of two kinds that were put together: the fields of a pull request are not even there.
        is_other = bool(self._first) and not names_of_changes(record)
        return ISSUES if is_other and self._table == PULL_REQUESTS else self._table


def _by_address(record: Mapping[str, Any]) -> str | None:
    spelled = {plain(name): value for name, value in record.items()}
    for name in _ADDRESSES:
        value = spelled.get(name)
        if isinstance(value, str) and (found := _ADDRESS.fullmatch(value)):
            return ISSUES if found[1] in _ISSUE_PATHS else PULL_REQUESTS
    return None
