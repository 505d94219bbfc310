"""Whether a login can only read."""

import pytest

from services.tracker.sources.grants import has_roles, only_reads, writes


@pytest.mark.parametrize("readonly", [1, 2])
def test_a_readonly_login_only_reads_whatever_it_is_granted(readonly: int) -> None:
    assert only_reads(readonly, ["GRANT ALL ON *.* TO u"]) is True
    assert only_reads(readonly, None) is True


def test_grants_that_only_read_make_a_login_that_only_reads() -> None:
    shown = [
        "GRANT SELECT(a, b), SHOW TABLES ON db.* TO u",
        "GRANT dictGet ON db.d TO u",
        "GRANT SELECT ON `a b`.t TO u",
    ]
    assert writes(shown) == ()
    assert only_reads(0, shown) is True


@pytest.mark.parametrize(
    "grant",
    [
        *("GRANT ALL ON *.* TO u", "GRANT INSERT ON db.t TO u", "GRANT SELECT, ALTER UPDATE(a) ON db.* TO u"),
        *("GRANT SELECT, CREATE TABLE, DROP TABLE ON db.* TO u WITH GRANT OPTION", "GRANT SYSTEM ON *.* TO u"),
        *("GRANT SOURCES ON *.* TO u", "GRANT URL ON *.* TO u", "grant select, insert\non db.* to u"),
    ],
)
def test_a_grant_that_changes_something_is_seen(grant: str) -> None:
    assert only_reads(0, ["GRANT SELECT ON db.* TO u", grant]) is False
    assert writes([grant])


def test_rights_that_come_by_roles_cannot_be_told() -> None:
    assert has_roles(["GRANT reader TO u"])
    assert only_reads(0, ["GRANT SELECT ON db.* TO u", "GRANT reader TO u"]) is None
    assert only_reads(0, None) is None


def test_what_a_hostile_server_prints_for_a_privilege_is_not_passed_on() -> None:
    assert writes(["GRANT <script>alert(1)</script> ON *.* TO u"]) == ("OTHER",)
    assert len(writes([f"GRANT {'X' * (n % 30 + 1)} Y{chr(65 + n % 26)} ON *.* TO u" for n in range(500)])) == 20
