"""The rule of who may what in a namespace: every row of its table, and what must hold for any claims and grants."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.roles import RANK, ROLES, STORAGE_MARK, Known, Verdict, resolve
from services.directory.names import storage_name

ANY = ("", *ROLES)
ALLOWED, FORBIDDEN, TOO_SMALL = Verdict.ALLOWED, Verdict.FORBIDDEN, Verdict.ROLE_TOO_SMALL
MISSING = Known()


def claims_of(named: str = "", wildcard: str = "") -> dict[str, str]:
    return {name: role for name, role in (("notes", named), ("*", wildcard)) if role}


def expected(held: str, required: str, hidden: bool) -> Verdict:
    if RANK[held] >= RANK[required]:
        return ALLOWED
    return FORBIDDEN if hidden or not held else TOO_SMALL


@pytest.mark.parametrize(("named", "wildcard", "required"), list(itertools.product(ANY, ANY, ROLES)))
def test_without_a_row_the_naming_claim_alone_counts(named: str, wildcard: str, required: str) -> None:
    decision = resolve(claims_of(named, wildcard), "notes", MISSING, required)
    assert (decision.verdict, decision.role) == (expected(named, required, False), named)


@pytest.mark.parametrize(("named", "wildcard", "required"), list(itertools.product(ANY, ANY, ROLES)))
def test_without_a_row_nothing_opens_a_namespace_of_a_plane_that_makes_them(
    named: str, wildcard: str, required: str
) -> None:
    decision = resolve(claims_of(named, wildcard), "notes", MISSING, required, opens=False)
    assert (decision.verdict, decision.role) == (FORBIDDEN, "")


def test_an_admin_of_the_org_opens_nothing_that_is_missing() -> None:
    assert resolve({}, "notes", Known(org_admin=True), "viewer").verdict is FORBIDDEN
    assert resolve(claims_of(wildcard="admin"), "notes", Known(org_admin=True), "viewer").verdict is FORBIDDEN


@pytest.mark.parametrize(
    ("named", "wildcard", "grant", "org_admin", "required"),
    list(itertools.product(ANY, ANY, ANY, (False, True), ROLES)),
)
def test_in_an_open_namespace_the_largest_counts(
    named: str, wildcard: str, grant: str, org_admin: bool, required: str
) -> None:
    known = Known(exists=True, role=grant, org_admin=org_admin)
    held = max(named, wildcard, grant, "admin" if org_admin else "", key=RANK.__getitem__)
    for opens in (True, False):
        decision = resolve(claims_of(named, wildcard), "notes", known, required, opens=opens)
        assert (decision.verdict, decision.role) == (expected(held, required, False), held)


@pytest.mark.parametrize(
    ("named", "wildcard", "grant", "org_admin", "required"),
    list(itertools.product(ANY, ANY, ANY, (False, True), ROLES)),
)
def test_in_a_restricted_namespace_the_lesser_of_claim_and_grant_counts_and_nothing_else(
    named: str, wildcard: str, grant: str, org_admin: bool, required: str
) -> None:
    known = Known(exists=True, restricted=True, role=grant, org_admin=org_admin)
    held = min(named, grant, key=RANK.__getitem__)
    decision = resolve(claims_of(named, wildcard), "notes", known, required)
    assert (decision.verdict, decision.role) == (expected(held, required, True), held)


def test_a_wildcard_claim_meets_a_missing_and_a_restricted_namespace_alike() -> None:
    for role in ROLES:
        missing = resolve(claims_of(wildcard=role), "notes", MISSING, "viewer")
        restricted = resolve(
            claims_of(wildcard=role), "notes", Known(exists=True, restricted=True, role="admin"), "viewer"
        )
        assert missing == restricted


def test_the_wildcard_is_no_namespace() -> None:
    for known in (MISSING, Known(exists=True, role="admin", org_admin=True)):
        assert resolve({"*": "admin"}, "*", known, "viewer").verdict is FORBIDDEN


def test_a_storage_name_is_no_namespace_whatever_a_token_says() -> None:
    name = storage_name("notes", 2)
    assert STORAGE_MARK in name
    assert resolve({name: "admin"}, name, MISSING, "viewer").verdict is FORBIDDEN


def test_a_role_of_another_word_counts_as_none() -> None:
    assert resolve({"notes": "owner"}, "notes", MISSING, "viewer").verdict is FORBIDDEN
    assert resolve({}, "notes", Known(exists=True, role="owner"), "viewer").verdict is FORBIDDEN


ROLE = st.sampled_from(ANY)
NAME = st.sampled_from(["notes", "plans", "*"])
CLAIMS = st.dictionaries(NAME, ROLE)
KNOWN = st.builds(Known, exists=st.booleans(), restricted=st.booleans(), role=ROLE, org_admin=st.booleans())


def raised(role: str, by: int) -> str:
    return ANY[min(RANK[role] + by, 3)]


@given(CLAIMS, NAME, KNOWN, NAME, st.integers(0, 3), st.integers(0, 3), st.booleans())
def test_more_never_means_less(
    claims: dict[str, str], namespace: str, known: Known, more: str, by: int, grant_by: int, opens: bool
) -> None:
    before = resolve(claims, namespace, known, "viewer", opens=opens)
    larger = claims | {more: raised(claims.get(more, ""), by)}
    richer = Known(known.exists, known.restricted, raised(known.role, grant_by), known.org_admin)
    after = resolve(larger, namespace, richer, "viewer", opens=opens)
    assert RANK[after.role] >= RANK[before.role]


@given(CLAIMS, KNOWN, st.sampled_from(ROLES))
def test_a_restricted_namespace_takes_both(claims: dict[str, str], known: Known, required: str) -> None:
    restricted = Known(True, True, known.role, known.org_admin)
    allowed = resolve(claims, "notes", restricted, required).verdict is ALLOWED
    assert allowed == (RANK[claims.get("notes", "")] >= RANK[required] and RANK[known.role] >= RANK[required])


@given(CLAIMS, KNOWN, st.sampled_from(ROLES), ROLE)
def test_the_wildcard_changes_nothing_where_there_is_no_row_or_restriction(
    claims: dict[str, str], known: Known, required: str, wildcard: str
) -> None:
    for hidden in (Known(False, False, known.role, known.org_admin), Known(True, True, known.role, known.org_admin)):
        without = {name: role for name, role in claims.items() if name != "*"}
        assert resolve(without, "notes", hidden, required) == resolve(
            without | {"*": wildcard}, "notes", hidden, required
        )


@given(CLAIMS, NAME, KNOWN, st.sampled_from(ROLES), st.booleans())
def test_no_larger_role_is_required_than_the_one_that_is_asked_for(
    claims: dict[str, str], namespace: str, known: Known, required: str, opens: bool
) -> None:
    decision = resolve(claims, namespace, known, required, opens=opens)
    assert (decision.verdict is ALLOWED) == (RANK[decision.role] >= RANK[required])
    if decision.verdict is TOO_SMALL:
        assert decision.role and not known.restricted
