"""Where a process may listen: in single-user mode on loopback alone."""


def is_loopback(host: str) -> bool:
    """True for an address that only this machine reaches."""
    return host in {"localhost", "::1", "[::1]"} or host.startswith("127.")


def open_listener(variable: str, address: str) -> str:
    """Why an address beyond loopback is refused, and what to do."""
    return (
        f"{variable}: refusing to listen on {address}. Without a signing key Loom is in single-user mode, where "
        "everyone who can reach the port may read and write everything. Listen on 127.0.0.1, set LOOM_KEYS_DIR so that "
        "calls need tokens, or set LOOM_ALLOW_INSECURE=1 if the network itself keeps others out."
    )
