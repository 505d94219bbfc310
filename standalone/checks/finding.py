"""One line of `loom doctor`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """`advice` is empty when all is well."""

    check: str
    fact: str
    advice: str = ""

    @property
    def ok(self) -> bool:
        return not self.advice
