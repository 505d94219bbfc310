"""What a question is about: its anchors, by kind."""

from dataclasses import dataclass

NUMBER, TEST, VERSION, SHA, PATH, FRAME, COMPONENT = "number", "test", "version", "sha", "path", "frame", "component"


@dataclass(frozen=True, slots=True)
class Anchors:
    """Things that a question is about, each once, those that were given before those that its words name.

    `repos` are no anchors of their own: they are named with numbers, `Org/repo#12`.
    """

    numbers: tuple[int, ...] = ()
    tests: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    shas: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    repos: tuple[str, ...] = ()

    def kinds(self) -> frozenset[str]:
        """Which kinds of anchors there are."""
        held = {
            NUMBER: self.numbers,
            TEST: self.tests,
            VERSION: self.versions,
            SHA: self.shas,
            PATH: self.paths,
            FRAME: self.frames,
            COMPONENT: self.components,
        }
        return frozenset(kind for kind, values in held.items() if values)
