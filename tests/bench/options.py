"""How a bench runs."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """`folder` is for data and logs; one turn of a subject takes `seconds`, and there are `rounds` of them."""

    folder: Path
    rounds: int
    seconds: float
    records: int
    soak_s: float = 0.0

    def file(self, name: str) -> Path:
        return self.folder / name
