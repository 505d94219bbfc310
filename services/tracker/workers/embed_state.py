"""Where a run of tracker_embed is, as its checkpoint."""

import dataclasses
import json
from dataclasses import dataclass

from services.tracker.workers.reading_order import BEGINNING, Point


@dataclass(frozen=True, slots=True)
class State:
    """`part` counts namespaces and kinds; past the last of them, `item` is the last whose existence was looked at."""

    model: str
    sweeps: bool
    part: int = 0
    point: Point = BEGINNING
    item: str = ""

    def at(self, point: Point) -> "State":
        return dataclasses.replace(self, point=point)

    def text(self) -> str:
        """Only a sweep has to go on where it was: what changed is found by its marks."""
        if not self.sweeps:
            return ""
        return json.dumps({"model": self.model, "part": self.part, "point": self.point.text(), "item": self.item})

    @classmethod
    def read(cls, text: str, model: str) -> "State | None":
        """A sweep of this model that was cut off; None for anything else."""
        try:
            found = json.loads(text or "{}")
            if found.get("model") != model:
                return None
            return cls(model, True, int(found["part"]), Point.read(found["point"]), str(found["item"]))
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
