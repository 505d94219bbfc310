"""A code namespace over a loaded tracker."""

from standalone.loading.line import Line, RefusedError


def link(line: Line, code_namespace: str, repo: str, tracker: str) -> None:
    """Makes the code namespace where there is none, and links the tracker behind those that are linked to it.

    RefusedError where the name is something else's.
    """
    try:
        line.ask("code.repo.add", {"namespace": code_namespace, "repo": repo})
    except RefusedError as refusal:
        if refusal.code != "ALREADY_EXISTS":
            raise
        taken = refusal
    else:
        taken = None
    linked = _linked(line, code_namespace)
    if linked is None and taken is not None:
        raise taken
    if tracker not in (linked or []):
        line.ask("code.repo.set_source", {"namespace": code_namespace, "trackers": [*(linked or []), tracker]})


def has(line: Line, code_namespace: str, tracker: str) -> bool:
    """Whether the code namespace is there and was given the tracker, which may be gone since."""
    return tracker in (_linked(line, code_namespace) or [])


def _linked(line: Line, code_namespace: str) -> list[str] | None:
    repos = line.ask("code.repo.list", {})["repos"]
    return next((each["trackers"] for each in repos if each["namespace"] == code_namespace), None)
