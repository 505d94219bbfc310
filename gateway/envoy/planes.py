"""The planes behind Envoy: the contract says which there are and what they serve, the settings say where."""

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.envoy import parts
from gateway.ops_plane import PLANE as OWN
from runtime.optable import contract_files, load_ops, plane_of
from runtime.settings import SettingsError

PORT = 7700


@dataclass(frozen=True, slots=True)
class Plane:
    """One plane. `public` are its services that have ops, `services` those and the internal ones, by full name."""

    name: str
    addresses: tuple[str, ...]
    services: tuple[str, ...]
    public: tuple[str, ...]

    @property
    def longest_s(self) -> float:
        """The longest deadline of its ops, in seconds."""
        return max(op.deadline_s for op in load_ops() if op.plane == self.name)


def contract_planes() -> dict[str, Plane]:
    """Every plane of the contract but the gateway's own, by name, at its default address."""
    with_ops = {op.path.split("/")[1] for op in load_ops()}
    services: dict[str, list[str]] = {}
    for file in contract_files():
        for service in file.services_by_name.values():
            services.setdefault(plane_of(service), []).append(service.full_name)
    return {
        name: Plane(name, (f"{name}:{PORT}",), tuple(sorted(found)), tuple(sorted(with_ops & set(found))))
        for name, found in sorted(services.items())
        if name != OWN and with_ops & set(found)
    }


def planes(entries: Sequence[str]) -> list[Plane]:
    """The planes that `<plane>=<host:port>` entries name, all of the contract without any. Raises SettingsError."""
    known = contract_planes()
    if not entries:
        return list(known.values())
    places: dict[str, list[str]] = {}
    for entry in entries:
        name, _, address = (part.strip() for part in entry.partition("="))
        if name not in known or not parts.is_address(address):
            names = ", ".join(known)
            raise SettingsError(
                [f"LOOM_ENVOY_PLANES must be <plane>=<host>:<port>, separated by commas; planes are {names}"]
            )
        places.setdefault(name, []).append(address)
    return [
        Plane(name, tuple(places[name]), plane.services, plane.public)
        for name, plane in known.items()
        if name in places
    ]
