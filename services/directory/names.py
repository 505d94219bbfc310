"""Which names namespaces and subjects may have, and the name under which planes store a namespace's rows.

`NAME` and `SUBJECT` complete "… must be"; messages of errors never contain what was sent.
"""

import hashlib
import re

# The organisation itself, as what a grant or a claim is about; no namespace can have this name.
ORG = "*"
NAME = "1 to 128 of letters, digits and . _ : @ / -, with a letter or digit first"
SUBJECT = "a name in printable characters, other than * and -"
MOST = 128

_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._:@/-]{{0,{MOST - 1}}}")
# In storage names alone: printable, so that the checks of a plane's requests let it pass.
_MARK = "\u241f"
_KEPT, _DIGITS = 80, 32


def is_name(name: str) -> bool:
    """True for a name that a namespace may be created under."""
    return _NAME.fullmatch(name) is not None


def may_open(name: str) -> bool:
    """True for a name that a token may open without a row.

    Wider than `is_name`: rows from before there were tokens lie under any text, but never under a storage name.
    """
    return len(name) <= MOST and name.isprintable() and bool(name.strip()) and name != ORG and _MARK not in name


def is_subject(subject: str) -> bool:
    """True for what can be granted something: `-` stands for no agent, `*` for any."""
    return subject.isprintable() and bool(subject.strip()) and subject not in {ORG, "-"}


def storage_name(name: str, generation: int) -> str:
    """The name itself for the first namespace of that name, another for each later one; at most MOST characters."""
    if generation <= 1:
        return name
    marked = f"{name}{_MARK}{generation}"
    if len(marked) <= MOST:
        return marked
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGITS]
    return f"{name[:_KEPT]}{_MARK}{digest}{_MARK}{generation}"
