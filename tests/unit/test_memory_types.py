import pytest

from services.memory.types import DEFAULT, Types


def test_the_five_kinds_may_be_saved_and_a_summary_only_asked_for():
    types = Types()
    assert types.names == DEFAULT == ("profile", "preference", "decision", "pattern", "discovery")
    assert all(types.may_be_saved(name) and types.may_be_asked_for(name) for name in DEFAULT)
    assert not types.may_be_saved("summary")
    assert types.may_be_asked_for("summary")


@pytest.mark.parametrize("name", ["", "Profile", "profile ", "fact"])
def test_any_other_kind_is_unknown(name):
    assert not Types().may_be_saved(name)
    assert not Types().may_be_asked_for(name)


def test_an_installation_may_name_its_own_kinds():
    types = Types(["fact", "präferenz", "fact"])
    assert types.names == ("fact", "präferenz")
    assert types.expected == "one of fact, präferenz"
    assert not types.may_be_saved("profile")


@pytest.mark.parametrize("names", [[], ["summary"], ["a", ""], ["two words"], [" a"], ["x" * 65]])
def test_kinds_that_cannot_be_are_refused(names):
    with pytest.raises(ValueError, match="must"):
        Types(names)
