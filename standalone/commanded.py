"""What `loom serve` does for commands on its control socket: backups, and what its planes offer."""

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.plane import Command
from standalone.control import Do, Say


class Commands:
    """A `Do`: by the name in `do`; what no plane offers goes to `backups`."""

    def __init__(self, backups: Do, offered: Sequence[Mapping[str, Command]]) -> None:
        self._backups = backups
        self._offered = {name: command for some in offered for name, command in some.items()}

    async def __call__(self, asked: Mapping[str, Any], say: Say) -> Mapping[str, Any]:
        command = self._offered.get(str(asked.get("do")))
        return await (self._backups(asked, say) if command is None else command(asked))
