"""The words of the demo record, read from the data files of `services.tracker.record.words`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

Three = tuple[str, str, str]
"""One thing said in three ways, with few words in common."""

SERVER, CLIENTS = "brindlekv/brindle", "brindlekv/brindle-clients"
HOST = "https://forge.example"
EXTENSIONS = {"rust": "rs", "go": "go", "cpp": "cc", "js": "ts", "python": "py", "java": "java", "dotnet": "cs"}
CLIENT_LANGUAGES = ("java", "python", "go", "js", "dotnet", "cpp")
_SERVER_PARTS = (
    "consensus storage wal compaction txn rebalance gateway auth backup cli operator console metrics build docs"
)


@dataclass(frozen=True, slots=True)
class Symptom:
    """What goes wrong: where, with which error, and, for those of one component, why and what mends it."""

    say: Three
    message: str
    function: str
    file: str
    code: str = ""
    cause: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the product."""

    name: str
    repo: str
    language: str
    root: str
    symbols: tuple[str, ...]
    settings: tuple[str, ...]
    triggers: tuple[Three, ...]
    features: tuple[str, ...]
    chores: tuple[str, ...]
    symptoms: tuple[Symptom, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of its sources, without repetitions."""
        named = [symptom.file for symptom in self.symptoms] + [file_of(symbol, self) for symbol in self.symbols]
        return tuple(dict.fromkeys(f"{self.root}/{name}" for name in named))

    @property
    def code_area(self) -> bool:
        return self.language != "none"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All components, and the words that belong to none."""

    components: tuple[Component, ...]
    common: Mapping[str, Any]
    prose: Mapping[str, Any]
    repairs: tuple[tuple[str, str], ...]
    general: tuple[tuple[Three, str], ...]
    triggers: tuple[Three, ...]

    def component(self, name: str) -> Component:
        return next(component for component in self.components if component.name == name)


@cache
def vocabulary() -> Vocabulary:
    """The words, read once."""
    common, general = _read("common"), _read("general")
    client = _read("client")
    return Vocabulary(
        components=(
            *(_component(_read(part), SERVER) for part in _SERVER_PARTS.split()),
            *(_component(_for_language(client, language), CLIENTS) for language in CLIENT_LANGUAGES),
        ),
        common=common,
        prose=_read("prose"),
        repairs=tuple((cause, fix) for cause, fix in general["repairs"]),
        general=tuple((tuple(each["say"]), each["msg"]) for each in general["symptoms"]),
        triggers=tuple(tuple(each) for each in common["triggers"]),
    )


def file_of(symbol: str, component: Component) -> str:
    """The file that a function of the component is in, by its name."""
    if component.language == "none":
        return symbol
    parts = symbol.replace("::", ".").replace("(*", "").replace(")", "").split(".")
    stem = parts[1] if component.language == "cpp" and len(parts) > 2 else parts[0]
    if component.language in ("java", "dotnet"):
        return f"{stem}.{EXTENSIONS[component.language]}"
    return f"{stem.lower()}.{EXTENSIONS[component.language]}"


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files("services.tracker.record.words") / f"{name}.toml").read_text("utf-8"))


def _component(data: Mapping[str, Any], repo: str) -> Component:
    return Component(
        name=data["name"],
        repo=repo,
        language=data["lang"],
        root=data["root"],
        symbols=tuple(data["symbols"]),
        settings=tuple(data["config"]),
        triggers=tuple(tuple(each) for each in data["triggers"]),
        features=tuple(data["features"]),
        chores=tuple(data["chores"]),
        symptoms=tuple(
            Symptom(tuple(each["say"]), each["msg"], each["fn"], each["file"], each["code"], each["cause"], each["fix"])
            for each in data["symptoms"]
        ),
    )


def _for_language(data: Mapping[str, Any], language: str) -> dict[str, Any]:
    extension = EXTENSIONS[language]
    symptoms = []
    for each in data["symptoms"]:
        stem = each["file"].capitalize() if language in ("java", "dotnet") else each["file"]
        symptoms.append({**each, "file": f"{stem}.{extension}"})
    return {
        **data,
        "name": f"client-{language}",
        "lang": language,
        "root": f"{language}/src",
        "symptoms": symptoms,
    }
