"""Settings of the observe plane."""

from runtime.settings import setting, settings


@settings(prefix="LOOM_OBSERVE_")
class ObserveSettings:
    """What an installation may say about what is recorded."""

    blacklist: str = setting(
        "",
        help="More patterns (RE2) whose calls leave a row without content, one a line; added to the built-in ones.",
    )

    @property
    def patterns(self) -> list[str]:
        """The patterns, one by one."""
        return [line.strip() for line in self.blacklist.splitlines() if line.strip()]
