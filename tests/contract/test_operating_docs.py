"""What the pages for operators name is there: files, sections, settings, commands."""

import re
from pathlib import Path

import pytest

from loom.cli.commands import names
from tests.support.chart import CHART
from tools.docs import SETTINGS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("runbook.md", "deploy.md")


def anchors(path: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    titles = heads + re.findall(r"^\*\*(.+?)\.\*\*", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for file, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", (DOCS / page).read_text()):
        target = (DOCS / file) if file else DOCS / page
        assert target.exists(), file
        assert not anchor or anchor in anchors(target), (file, anchor)


@pytest.mark.parametrize("page", PAGES)
def test_settings_are_real(page: str) -> None:
    known = set(re.findall(r"`(LOOM_\w+)`", (DOCS / "settings.md").read_text())) | {"LOOM_SECRET_KEY"}
    assert set(re.findall(r"\bLOOM_[A-Z_]+\b", (DOCS / page).read_text())) <= known
    assert SETTINGS


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_real(page: str) -> None:
    text = (DOCS / page).read_text()
    used = set(re.findall(r"(?:^|`|-- |\$PWD/keys )loom ([a-z]+)", text, re.MULTILINE))
    assert used
    assert used <= set(names())


@pytest.mark.parametrize("page", PAGES)
def test_values_of_the_chart_are_real(page: str) -> None:
    text = (CHART / "values.yaml").read_text()
    for group, name in re.findall(
        r"`(auth|clickhouse|migration|limits|networkPolicy|envoy|monitoring)\.(\w+)", (DOCS / page).read_text()
    ):
        section = re.search(rf"^{group}:\n((?:[ #].*\n|\n)*)", text, re.MULTILINE)
        assert section
        assert re.search(rf"^  {name}:", section[1], re.MULTILINE), f"{group}.{name}"
