"""Settings: frozen dataclasses that are read from the environment once, with every mistake reported together.

    @settings(prefix="LOOM_OBSERVE_")
    class ObserveSettings:
        ttl_days: int = setting(30, help="Days that a row is kept.", min=1, max=3650)

    loaded = load_all([ObserveSettings, LogSettings], os.environ)
    loaded[ObserveSettings].ttl_days

`LOOM_OBSERVE_TTL_DAYS` sets the field. A secret may also come from a mounted file that `<variable>_FILE` names. An
empty variable is the default, except for free text and lists, where it is the empty text or list. No message holds a
value: a password may have been put into the wrong variable.
"""

import dataclasses
import difflib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, dataclass_transform, get_type_hints

from runtime.redaction import MASK

T = TypeVar("T")
PREFIX = "LOOM_"

_RULE = "loom.setting"
_SPECS = "__settings__"
_FILE = "_FILE"
_INT = re.compile(r"[+-]?[0-9]+")
_SWITCH = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
# Greedy to the last `@`, so that a password with an unescaped `@` or `/` is masked whole.
_URL_LOGIN = re.compile(r"(?<=://)(?:([^:/@\s]*):)?\S*@")
_URL_QUERY = re.compile(r"(?i)(?<=[?&])([^=&\s]*(?:password|secret|token|key)[^=&\s]*)=[^&\s]*")
# Kubernetes puts `<SERVICE>_PORT=tcp://…` into every pod, which collides with a `…_PORT` setting of the same name.
_SERVICE_LINK = re.compile(r"(?:tcp|udp|sctp)://\S+:[0-9]+")
_SERVICE_LINK_HINT = " (it holds a Kubernetes service link: set enableServiceLinks to false on the pod)"


@dataclass(frozen=True, slots=True)
class SettingInfo:
    """One setting, for the generated reference. `takes` completes "must be …"; a secret's default is never shown."""

    env: str
    type: str
    default: str
    help: str
    takes: str
    secret: bool


class SettingsError(Exception):
    """Everything that is wrong with the environment: `problems` holds one sentence a variable."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        head = "a setting is wrong" if len(self.problems) == 1 else f"{len(self.problems)} settings are wrong"
        super().__init__("\n  ".join([f"{head}:", *self.problems]))


@dataclass(frozen=True, slots=True)
class Loaded:
    """One instance of each class asked for, and a sentence for each variable that looks like a misspelt one."""

    instances: Mapping[type, Any]
    warnings: tuple[str, ...]

    def __getitem__(self, cls: type[T]) -> T:
        return self.instances[cls]


@dataclass(frozen=True, slots=True)
class _Rule:
    help: str
    env: str
    secret: bool
    min: float | None
    max: float | None
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A type that a setting may have: `parse` raises ValueError for a text that is none."""

    word: str
    takes: str
    parse: Callable[[str], Any]
    show: Callable[[Any], str] = str
    empty_is_a_value: bool = False
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class _Spec:
    name: str
    env: str
    kind: _Kind
    default: Any
    rule: _Rule

    def takes(self) -> str:
        if self.rule.choices:
            some = "a list out of" if isinstance(self.default, tuple) else "one of"
            return f"{some} {', '.join(self.rule.choices)}"
        low, high = (_number_text(bound) for bound in (self.rule.min, self.rule.max))
        if low and high:
            return f"{self.kind.takes} from {low} to {high}"
        return self.kind.takes + (f", at least {low}" if low else "") + (f", at most {high}" if high else "")

    def check(self, value: Any) -> Any:
        """The value, where it keeps the rule; else ValueError."""
        members = value if isinstance(value, tuple) else (value,)
        if self.rule.choices and not all(member in self.rule.choices for member in members):
            raise ValueError
        low, high = self.rule.min, self.rule.max
        if (low is not None and value < low) or (high is not None and value > high):
            raise ValueError
        return value

    def parse(self, text: str) -> Any:
        free = self.kind.empty_is_a_value and not (self.rule.choices and isinstance(self.default, str))
        return self.default if not (text.strip() or free) else self.check(self.kind.parse(text))


def _number_text(bound: float | None) -> str:
    return "" if bound is None else f"{bound:,}" if isinstance(bound, int) else f"{bound:g}"


def _parse_int(text: str) -> int:
    if not _INT.fullmatch(text.strip()):
        raise ValueError
    return int(text)


def _parse_float(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError
    return number


def _parse_switch(text: str) -> bool:
    try:
        return _SWITCH[text.strip().lower()]
    except KeyError:
        raise ValueError from None


def _parse_list(text: str) -> tuple[str, ...]:
    if not text.lstrip().startswith("["):
        return tuple(part.strip() for part in re.split(r"[,\n]", text) if part.strip())
    members = json.loads(text)
    if not all(isinstance(member, str) for member in members):
        raise ValueError
    return tuple(members)


_KINDS: dict[Any, _Kind] = {
    str: _Kind("text", "text", str, empty_is_a_value=True),
    int: _Kind("whole number", "a whole number", _parse_int, is_number=True),
    float: _Kind("number", "a number", _parse_float, is_number=True),
    bool: _Kind("switch", "on or off", _parse_switch, lambda value: "on" if value else "off"),
    tuple[str, ...]: _Kind(
        "list", "a list: JSON, or texts with commas or line ends between", _parse_list, ", ".join, empty_is_a_value=True
    ),
    Path: _Kind("path", "a path", lambda text: Path(text.strip()).expanduser()),
}


def setting(
    default: Any,
    *,
    help: str,
    env: str = "",
    secret: bool = False,
    min: float | None = None,
    max: float | None = None,
    choices: Sequence[str] = (),
) -> Any:
    """Declares a field of a settings class.

    `env` replaces the derived variable name. `min` and `max` bound numbers, both inclusive. `choices` closes the set of
    texts, or of a list's members. A secret is masked wherever settings are shown and may come from a file.
    """
    rule = _Rule(help, env, secret, min, max, tuple(choices))
    return dataclasses.field(default=default, metadata={_RULE: rule})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(setting,))
def settings(*, prefix: str = PREFIX) -> Callable[[type[T]], type[T]]:
    """Makes a class a frozen dataclass of settings; a variable's name is the prefix and the field's name in capitals.

    A declaration that makes no sense (no help, a type not known here, a default outside its own bounds) is a TypeError.
    """

    def declare(cls: type[T]) -> type[T]:
        cls.__repr__ = lambda self: f"{cls.__name__}({redacted(self)})"  # type: ignore[method-assign]
        made = dataclass(frozen=True, kw_only=True, repr=False)(cls)
        hints = get_type_hints(made)
        specs = tuple(_declared(field, hints[field.name], prefix) for field in dataclasses.fields(made))
        if len(_variables(specs)) < len(specs) + sum(spec.rule.secret for spec in specs):
            raise TypeError(f"{cls.__name__}: two settings share a variable")
        setattr(made, _SPECS, specs)
        return made

    return declare


def _declared(field: dataclasses.Field[Any], hint: Any, prefix: str) -> _Spec:
    rule: _Rule | None = field.metadata.get(_RULE)
    kind = _KINDS.get(hint)
    if rule is None or not rule.help or kind is None:
        raise TypeError(f"{field.name}: declare it with setting(default, help=…) and one of the types settings know")
    if (rule.min, rule.max) != (None, None) and not kind.is_number:
        raise TypeError(f"{field.name}: only numbers have bounds")
    spec = _Spec(field.name, rule.env or prefix + field.name.upper(), kind, field.default, rule)
    try:
        spec.check(field.default)
    except ValueError:
        raise TypeError(f"{field.name}: the default must be {spec.takes()}") from None
    return spec


def _variables(specs: Iterable[_Spec]) -> set[str]:
    return {name for spec in specs for name in (spec.env, *((spec.env + _FILE,) if spec.rule.secret else ()))}


def load(cls: type[T], environ: Mapping[str, str]) -> T:
    """The settings of one class, or SettingsError with everything that is wrong."""
    return load_all([cls], environ)[cls]


def load_all(classes: Iterable[type], environ: Mapping[str, str]) -> Loaded:
    """The settings of several classes, or SettingsError with everything that is wrong with any of them."""
    instances: dict[type, Any] = {}
    problems: dict[str, None] = {}
    classes = list(classes)
    for cls in classes:
        values: dict[str, Any] = {}
        for spec in getattr(cls, _SPECS):
            try:
                values[spec.name] = _read(spec, environ)
            except SettingsError as error:
                problems.update(dict.fromkeys(error.problems))
        instances[cls] = cls(**values)
    if problems:
        raise SettingsError(list(problems))
    return Loaded(instances, _misspelt(classes, environ))


def _read(spec: _Spec, environ: Mapping[str, str]) -> Any:
    name, text = spec.env, environ.get(spec.env)
    if spec.rule.secret and environ.get(name + _FILE):
        if text:
            raise SettingsError([f"{name} and {name + _FILE} are both set: set one of them"])
        name, text = name + _FILE, _read_file(name + _FILE, environ)
    try:
        return spec.default if text is None else spec.parse(text)
    except ValueError:
        hint = _SERVICE_LINK_HINT if text and _SERVICE_LINK.fullmatch(text) else ""
        verb = "be" if name == spec.env else "name a file that holds"
        raise SettingsError([f"{name} must {verb} {spec.takes()}{hint}"]) from None


def _read_file(name: str, environ: Mapping[str, str]) -> str:
    try:
        return Path(environ[name]).read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError, ValueError):
        raise SettingsError([f"{name} must name a file of UTF-8 text that this process can read"]) from None


# What the client library reads; a server beside it is no judge of them.
CLIENT = frozenset({"LOOM_BASE_URL", "LOOM_API_KEY", "LOOM_API_KEY_FILE", "LOOM_SPOOL_DIR", "LOOM_USER_ID"})


def _misspelt(classes: Iterable[type], environ: Mapping[str, str]) -> tuple[str, ...]:
    known = _variables(spec for cls in classes for spec in getattr(cls, _SPECS))
    warnings = []
    for name in sorted(environ):
        if name in known or name in CLIENT or not name.upper().startswith(PREFIX):
            continue
        # Two letters may differ (one, in a short name): enough for a slip, too few to reach another plane's settings.
        cutoff = 1 - (1 if len(name) < 12 else 2) / len(name)
        if near := difflib.get_close_matches(name.upper(), known, 1, cutoff):
            warnings.append(f"{name} is not a setting; {near[0]} is")
    return tuple(warnings)


def redacted(instance: Any) -> dict[str, Any]:
    """Field names and values as JSON takes them, without secrets and without logins in URLs."""
    shown: dict[str, Any] = {}
    for spec in getattr(type(instance), _SPECS):
        value = getattr(instance, spec.name)
        shown[spec.name] = (MASK if value else "") if spec.rule.secret else _without_logins(value)
    return shown


def redacted_all(loaded: Loaded) -> dict[str, Any]:
    """Every loaded setting by the name of its variable, redacted."""
    shown: dict[str, Any] = {}
    for cls, instance in loaded.instances.items():
        fields = redacted(instance)
        shown.update({spec.env: fields[spec.name] for spec in getattr(cls, _SPECS)})
    return shown


def _without_logins(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_without_logins(member) for member in value]
    if not isinstance(value, str | Path):
        return value
    text = _URL_LOGIN.sub(lambda match: f"{match[1]}:{MASK}@" if match[1] else f"{MASK}@", str(value))
    return _URL_QUERY.sub(rf"\1={MASK}", text)


def describe(cls: type) -> list[SettingInfo]:
    """The settings of a class, in order of declaration."""
    return [
        SettingInfo(
            spec.env,
            spec.kind.word,
            "" if spec.rule.secret else spec.kind.show(spec.default),
            spec.rule.help,
            spec.takes(),
            spec.rule.secret,
        )
        for spec in getattr(cls, _SPECS)
    ]
