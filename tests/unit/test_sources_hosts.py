"""Which hosts a source may be on."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tracker.sources.hosts import Host, HostRefused, HostRules, group_of, read_host, real

EVERYTHING = ["public", "private", "loopback", "0.0.0.0/0", "::/0", "*"]
NEVER = ["0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4"]


def rules(*entries: str, single_user: bool = False) -> HostRules:
    return HostRules.parse(entries, single_user=single_user)


def allows(rules: HostRules, name: str, *addresses: str) -> bool:
    try:
        rules.check(rules.host(name), [ipaddress.ip_address(one) for one in addresses or (name,)])
    except HostRefused:
        return False
    return True


DEFAULT = rules("public", "private")


def test_the_default_takes_public_and_private_addresses_and_no_loopback() -> None:
    assert allows(DEFAULT, "ch.example.com", "8.8.8.8")
    assert allows(DEFAULT, "10.1.2.3")
    assert allows(DEFAULT, "fd12::1")
    assert allows(DEFAULT, "100.64.0.9")
    assert not allows(DEFAULT, "127.0.0.1")
    assert not allows(DEFAULT, "::1")
    assert not allows(DEFAULT, "localhost", "127.0.0.1")


def test_a_single_user_may_read_a_source_on_the_own_machine() -> None:
    own = rules("public", single_user=True)
    assert allows(own, "127.0.0.1")
    assert allows(own, "localhost", "127.0.0.1", "::1")
    assert not allows(rules("public", "!loopback", single_user=True), "127.0.0.1")


def test_loopback_is_allowed_when_a_whole_name_or_an_address_is_listed_and_not_by_a_pattern() -> None:
    assert allows(rules("localhost"), "localhost", "127.0.0.1")
    assert allows(rules("127.0.0.1"), "127.0.0.1")
    assert not allows(rules("*.example.com"), "me.example.com", "127.0.0.1")


@pytest.mark.parametrize(
    "address",
    [
        *("169.254.169.254", "fd00:ec2::254", "fe80::1", "224.0.0.1", "0.0.0.0", "::", "255.255.255.255"),
        *("100.100.100.200", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "::a9fe:a9fe"),
        *("ff02::1", "168.63.129.16", "2001:0:53aa:64c::1"),
    ],
)
def test_link_local_and_metadata_addresses_are_refused_whatever_is_listed(address: str) -> None:
    assert not allows(rules(*EVERYTHING, address, single_user=True), address)
    assert not allows(rules(*EVERYTHING, single_user=True), "ch.example.com", address)


def test_metadata_names_are_refused_whatever_is_listed() -> None:
    for name in ("metadata.google.internal", "METADATA.google.internal.", "metadata"):
        assert not allows(rules(*EVERYTHING, name), name, "8.8.8.8")


def test_one_address_that_is_not_allowed_refuses_the_host() -> None:
    assert not allows(rules("public"), "ch.example.com", "8.8.8.8", "10.0.0.1")
    with pytest.raises(HostRefused):
        DEFAULT.check(Host("ch.example.com"), [])


def test_a_refusal_outweighs_what_allows() -> None:
    listed = rules("private", "db.example.com", "!10.1.0.0/16", "!*.evil.example")
    assert allows(listed, "10.2.0.1")
    assert not allows(listed, "10.1.0.1")
    assert not allows(listed, "db.example.com", "10.1.0.1")
    assert not allows(listed, "x.evil.example", "10.2.0.1")


def test_a_name_and_a_pattern_match_whole_names_without_case() -> None:
    listed = rules("*.Example.com", "one.test")
    assert allows(listed, "CH.example.COM", "192.0.2.1")
    assert allows(listed, "one.test.", "8.8.8.8")
    assert not allows(listed, "example.com", "8.8.8.8")
    assert not allows(listed, "ch.example.com.evil.test", "8.8.8.8")
    assert not allows(listed, "onextest", "8.8.8.8")


@pytest.mark.parametrize(
    "disguise", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0x7f.1", "１２７.０.０.１", "①②⑦.⓪.⓪.①"]
)
def test_an_address_in_disguise_is_no_host(disguise: str) -> None:
    with pytest.raises(HostRefused):
        read_host(disguise)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "http://x",
        "x:8123",
        "x/y",
        "user@x",
        "fe80::1%eth0",
        "a..b",
        "-x.com",
        "x" * 300,
        "a b",
        "x\ny",
        "a_\0b",
    ],
)
def test_what_is_no_host_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(HostRefused) as caught:
        DEFAULT.host(text)
    assert not text.strip() or text not in str(caught.value)


def test_a_name_in_another_script_is_read_as_its_ascii_form() -> None:
    assert read_host("Bücher.example").name == "xn--bcher-kva.example"
    assert read_host("[::1]").address == ipaddress.ip_address("::1")


def test_an_entry_that_is_none_names_the_setting_and_the_place_and_not_itself() -> None:
    with pytest.raises(ValueError, match="LOOM_TRACKER_SOURCE_HOSTS, entry 2") as caught:
        rules("public", "http://secret.example/x")
    assert "secret" not in str(caught.value)


@given(st.sampled_from(NEVER), st.integers(0, (1 << 32) - 1), st.sampled_from(["", "::ffff:0:0", "64:ff9b::", "::"]))
def test_no_way_of_writing_reaches_a_network_that_is_never_allowed(network: str, number: int, prefix: str) -> None:
    inside = ipaddress.ip_network(network)
    v4 = int(inside.network_address) | (number & int(inside.hostmask))
    address = ipaddress.IPv6Address(int(ipaddress.IPv6Address(prefix)) | v4) if prefix else ipaddress.IPv4Address(v4)
    if address == ipaddress.ip_address("::1"):
        return
    assert not allows(rules(*EVERYTHING, single_user=True), str(address))


@given(st.ip_addresses())
def test_every_address_that_passes_is_in_a_group_that_is_allowed(address: ipaddress.IPv4Address) -> None:
    if allows(DEFAULT, str(address)):
        assert group_of(real(address)) in ("public", "private")
