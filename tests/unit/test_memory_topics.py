import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.memory.topics import suggest
from services.memory.types import DEFAULT


@pytest.mark.parametrize(
    ("type_", "title", "content", "key"),
    [
        ("preference", "I prefer dark mode in the editor", "", "preferences/prefer-dark-mode-editor"),
        ("profile", "Ada's time zone", "", "user/adas-time-zone"),
        ("decision", "We use Postgres for the ledger, not SQLite", "", "decisions/use-postgres-ledger-sqlite"),
        ("discovery", "the", "It is a leap second", "discoveries/leap-second"),
        ("pattern", "Überprüfung läuft nachts", "", "patterns/uberprufung-lauft-nachts"),
        ("decision", "我们用深色模式", "", "decisions/我们用深色模式"),
        ("preference", "!!!", "", "preferences/general"),
        ("preference", "what is it", "", "preferences/what-is-it"),
        ("house-rule", "No shoes", "", "house-rule/no-shoes"),
    ],
)
def test_a_key_is_the_area_of_the_kind_and_the_first_telling_words(type_, title, content, key):
    found = suggest(type_, title, content)
    assert found == key


@given(st.sampled_from(DEFAULT), st.text(min_size=1, max_size=200), st.text(max_size=200))
def test_a_key_has_two_parts_no_blanks_and_is_the_same_every_time(type_, title, content):
    found = suggest(type_, title, content)
    area, _, sub_area = found.partition("/")
    assert area and sub_area
    assert found.split() == [found]
    assert found.count("/") == 1
    assert len(found) <= 512
    assert found == suggest(type_, title, content)
