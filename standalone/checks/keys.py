"""Who may call, and whether the keys are where and how they must be."""

import stat
from pathlib import Path

from runtime.jwks import KeysError
from runtime.keys import INTERNAL, InternalKey, list_keys
from runtime.process import ProcessSettings
from runtime.settings import Loaded
from standalone.checks.finding import Finding

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def mode(loaded: Loaded) -> Finding:
    """Who may call: everyone on this machine, or whoever has a token."""
    folder = loaded[ProcessSettings].keys_dir
    if not folder:
        return Finding("mode", "single-user: no tokens, loopback only")
    try:
        keys = list_keys(Path(folder))
        InternalKey.read(Path(folder))
    except KeysError as error:
        return Finding("mode", f"tokens, keys in {folder}", str(error))
    signer = "this process can mint" if any(key.signs for key in keys) else "no private key here: no token.mint"
    return Finding("mode", f"tokens, {len(keys)} keys in {folder}, {signer}", "" if keys else "run `loom keys new`")


def secrecy(loaded: Loaded) -> list[Finding]:
    """Whether nobody but the owner reads the secret files; a mounted secret's group is its pod's."""
    folder = loaded[ProcessSettings].keys_dir
    if not folder or not Path(folder).is_dir():
        return []
    secret = [*sorted(Path(folder).glob("*.pem")), Path(folder) / INTERNAL]
    readable = [path for path in secret if path.exists() and _open_to_others(path)]
    if not readable:
        return [Finding("keys", f"{sum(path.exists() for path in secret)} secret files, read by their owner alone")]
    return [Finding("keys", f"{path.name} may be read by others", f"run `chmod 600 {path}`") for path in readable]


def _open_to_others(path: Path) -> bool:
    status = path.stat()
    # A mounted secret is a link into a folder of its own, owned by root and read through the group.
    mounted = path.is_symlink() and not status.st_mode & stat.S_IRWXO
    return bool(status.st_mode & OTHERS) and not mounted
