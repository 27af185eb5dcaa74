"""
Settings: defaults.toml, then the owner's file, then the environment, then flags; read once, each value with its source.

A part receives its own section. Unknown keys and wrong types fail, naming the place and what is expected there.
"""

import dataclasses
import difflib
import json
import math
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NewType, get_args, get_origin, get_type_hints

import tomli

from daemon.errors import ConfigInvalid
from daemon.paths import Paths

Duration = NewType("Duration", float)
"""Seconds."""
Size = NewType("Size", int)
"""Bytes."""
Hours = NewType("Hours", str)
"""Stretches of the day, such as `22:00-06:30, 12:00-13:00`; empty for none."""

DEFAULTS_FILE = Path(__file__).with_name("defaults.toml")
DEFAULTS_NAME = "defaults.toml"
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 2**10, "mib": 2**20, "gib": 2**30}


@dataclass(frozen=True)
class Bounds:
    """What a setting allows, and whether a reload changes it in a running daemon."""

    least: float | None = 0
    most: float | None = None
    choices: tuple[str, ...] = ()
    live: bool = False


LIVE = Bounds(live=True)


@dataclass(frozen=True)
class Server:
    """`[server]`: where the daemon is reached, and what it takes."""

    host: str
    port: Annotated[int, Bounds(0, 65535)]
    drain_s: Annotated[Duration, LIVE]
    body_limit: Annotated[Size, LIVE]
    allowed_hosts: Annotated[tuple[str, ...], LIVE]
    allowed_origins: Annotated[tuple[str, ...], LIVE]


@dataclass(frozen=True)
class Vault:
    """`[vault]`: which folder it is, and how its files are followed."""

    path: str
    rescan_s: Annotated[Duration, Bounds(1)]
    debounce_ms: Annotated[int, Bounds(0, 60_000)]
    commit_quiet_s: Annotated[Duration, LIVE]


@dataclass(frozen=True)
class RemoteModel:
    """A `[[models.remote]]`: *model* is its name at *base_url*, *api_key_env* the variable that holds the key."""

    name: str
    base_url: str
    model: str
    api_key_env: str = ""
    kind: str = "chat"


@dataclass(frozen=True)
class Models:
    """`[models]`: which ones are used, and what they may use of the machine."""

    dir: str
    chat: Annotated[str, LIVE]
    embed: str
    keep_alive: Annotated[Duration, Bounds(-1)]
    memory_budget: Size
    threads: Annotated[int, Bounds(0, 1024)]
    context_tokens: Annotated[int, Bounds(0)]
    slots: Annotated[int, Bounds(0, 64)]
    gpu: str
    offline: Annotated[bool, LIVE]
    remote: Annotated[tuple[RemoteModel, ...], LIVE]


@dataclass(frozen=True)
class Memory:
    """`[memory]`: how much of it a prompt and a search may take."""

    budget_tokens: Annotated[int, Bounds(0, live=True)]
    passages: Annotated[int, Bounds(0, 100, live=True)]
    search_wait_ms: Annotated[int, Bounds(0, 60_000, live=True)]


@dataclass(frozen=True)
class Night:
    """`[night]`: when background work may run, and what a dream may do."""

    on_battery: Annotated[bool, LIVE]
    max_load: Annotated[float, LIVE]
    chat_quiet_s: Annotated[Duration, LIVE]
    quiet_hours: Annotated[Hours, LIVE]
    approve: Annotated[str, Bounds(choices=("auto", "ask"), live=True)]
    dream_every_s: Annotated[Duration, Bounds(60, live=True)]
    dream_pages: Annotated[int, Bounds(0, live=True)]
    dream_confidence: Annotated[float, Bounds(0, 1, live=True)]
    budget_s: Annotated[Duration, LIVE]
    budget_tokens: Annotated[int, LIVE]
    rounds: Annotated[int, Bounds(1, 5, live=True)]
    probes: Annotated[int, Bounds(1, 5000, live=True)]
    gamma: Annotated[float, Bounds(0.01, 1, live=True)]
    most_share: Annotated[float, Bounds(0, 1, live=True)]
    most_lines: Annotated[int, Bounds(0, 10_000, live=True)]
    empty_runs: Annotated[int, Bounds(0, 10_000, live=True)]
    learn_from_use: Annotated[bool, LIVE]


@dataclass(frozen=True)
class Log:
    """`[log]`: how much is told, and how much of it kept."""

    level: Annotated[str, Bounds(choices=("debug", "info", "warning", "error"), live=True)]
    max_bytes: Annotated[Size, Bounds(1000)]
    keep: Annotated[int, Bounds(0, 1000)]


@dataclass(frozen=True)
class Config:
    """All settings. `sources` maps each dotted key to the place that set it."""

    server: Server
    vault: Vault
    models: Models
    memory: Memory
    night: Night
    log: Log
    sources: Mapping[str, str] = dataclasses.field(compare=False)

    def items(self) -> Iterator[tuple[str, object, str]]:
        """Each setting as dotted key, value, source, in the order of defaults.toml."""
        for section, keys in _SCHEMA.items():
            for key in keys:
                dotted = f"{section}.{key}"
                yield dotted, getattr(getattr(self, section), key), self.sources[dotted]

    def vault_path(self, paths: Paths) -> Path:
        """The vault in force, absolute."""
        return Path(self.vault.path).expanduser().absolute() if self.vault.path else paths.vault

    def must_have_places(self, paths: Paths) -> None:
        """Raises ConfigInvalid where a place is no folder, or a vault not reverie's own is not there: none is made."""
        vault = self.vault_path(paths)
        for key, what, place in (
            ("vault.path", "vault", vault),
            ("models.dir", "models folder", self.models_path(paths)),
        ):
            if place.exists() and not place.is_dir():
                raise ConfigInvalid(self.sources[key], key, f"the {what} {place} is a file, not a folder")
        if not self.owns_vault(paths) and not vault.exists():
            hint = f"correct vault.path, or create it yourself: mkdir -p {shlex.quote(str(vault))}"
            raise ConfigInvalid(self.sources["vault.path"], "vault.path", f"the vault {vault} does not exist; {hint}")

    def owns_vault(self, paths: Paths) -> bool:
        """Whether the vault is reverie's own folder; in another's it writes only under `reverie/`."""
        return self.vault_path(paths) == paths.vault

    def models_path(self, paths: Paths) -> Path:
        """The folder of model files in force, absolute."""
        return Path(self.models.dir).expanduser().absolute() if self.models.dir else paths.models_dir


@dataclass(frozen=True)
class Setting:
    """One setting's type as read from its section."""

    kind: object
    bounds: Bounds


@dataclass(frozen=True)
class Changed:
    """A setting that a reload found different. *live*: it takes effect at once."""

    key: str
    before: object
    after: object
    live: bool


def _schema() -> dict[str, dict[str, Setting]]:
    schema: dict[str, dict[str, Setting]] = {}
    for section, cls in get_type_hints(Config).items():
        if not dataclasses.is_dataclass(cls):
            continue
        schema[section] = {}
        for key, hint in get_type_hints(cls, include_extras=True).items():
            kind, bounds = get_args(hint) if get_origin(hint) is Annotated else (hint, Bounds())
            schema[section][key] = Setting(kind, bounds)
    return schema


_SCHEMA = _schema()


def load(paths: Paths, environ: Mapping[str, str] = os.environ, flags: Mapping[str, str] | None = None) -> Config:
    """
    The settings in force: defaults, *paths*' config file where it exists, *environ*, then *flags* (dotted keys).

    Raises:
        ConfigInvalid: an unknown key, a wrong type or value, broken TOML; it names the place.
    """
    values: dict[str, object] = {}
    sources: dict[str, str] = {}
    layers = [_from_file(DEFAULTS_FILE, DEFAULTS_NAME)]
    if paths.config_file.exists():
        layers.append(_from_file(paths.config_file, str(paths.config_file)))
    layers += [
        _from_environment(environ),
        {key: (_Words(value), f"flag {key}") for key, value in (flags or {}).items()},
    ]
    for layer in layers:
        for dotted, (raw, place) in layer.items():
            section, _, key = dotted.partition(".")
            values[dotted] = _convert(_known(section, key, place), raw, dotted, place)
            sources[dotted] = place
    sections: dict[str, Any] = {
        section: get_type_hints(Config)[section](**{key: values[f"{section}.{key}"] for key in keys})
        for section, keys in _SCHEMA.items()
    }
    return Config(**sections, sources=sources)


def is_setting(variable: str) -> bool:
    """Whether the environment's *variable* says where reverie lives or sets a setting of it."""
    section, _, key = variable.removeprefix("REVERIE_").lower().partition("_")
    return variable in ("REVERIE_HOME", "REVERIE_HOST") or (
        variable.startswith("REVERIE_") and key in _SCHEMA.get(section, {})
    )


def differences(before: Config, after: Config) -> list[Changed]:
    """Settings whose values differ, in order."""
    return [
        Changed(key, old, new, _SCHEMA[key.partition(".")[0]][key.partition(".")[2]].bounds.live)
        for (key, old, _), (_, new, _) in zip(before.items(), after.items(), strict=True)
        if old != new
    ]


def merged(before: Config, after: Config) -> Config:
    """*after* where a running daemon can change, *before* elsewhere."""
    sections: dict[str, Any] = {}
    sources = dict(before.sources)
    for section, keys in _SCHEMA.items():
        live = {key: getattr(getattr(after, section), key) for key, setting in keys.items() if setting.bounds.live}
        sections[section] = dataclasses.replace(getattr(before, section), **live)
        sources.update({f"{section}.{key}": after.sources[f"{section}.{key}"] for key in live})
    return Config(**sections, sources=sources)


def as_toml(value: object) -> str:
    """A setting as TOML would write it."""
    if isinstance(value, tuple):
        return "[" + ", ".join(as_toml(part) for part in value) + "]"
    if isinstance(value, RemoteModel):
        return "{ " + ", ".join(f"{key} = {as_toml(each)}" for key, each in vars(value).items()) + " }"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def duration_s(text: str | float) -> Duration:
    """Seconds of `"5m"`, `"90s"`, `"1h30m"`, `"-1"` or a number. Raises ValueError."""
    if not isinstance(text, str):
        return Duration(float(text))
    text = text.strip()
    if re.fullmatch(r"-?\d+(\.\d+)?", text):
        return Duration(float(text))
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)", text)
    if not parts or re.sub(r"\s+", "", text) != "".join(number + unit for number, unit in parts):
        raise ValueError(text)
    return Duration(sum(float(number) * _SECONDS[unit] for number, unit in parts))


def size_bytes(text: str | int) -> Size:
    """Bytes of `"2 GB"`, `"512MiB"` or a whole number. Raises ValueError."""
    if isinstance(text, int):
        return Size(text)
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if not match or match[2] not in _BYTES:
        raise ValueError(text)
    return Size(int(float(match[1]) * _BYTES[match[2]]))


def quiet_spans(hours: str) -> list[tuple[int, int]]:
    """The stretches of *hours* in minutes of the day, from and to; one may run over midnight. Raises ValueError."""
    spans = []
    for part in hours.split(",") if hours.strip() else []:
        match = re.fullmatch(r"\s*(\d{1,2}):([0-5]\d)\s*[-–]\s*(\d{1,2}):([0-5]\d)\s*", part)
        begin, end = (int(match[1]) * 60 + int(match[2]), int(match[3]) * 60 + int(match[4])) if match else (0, 0)
        if begin == end or begin >= 1440 or end > 1440:
            raise ValueError(part)
        spans.append((begin, end))
    return spans


def host_and_port(text: str) -> tuple[str, int | None]:
    """`host`, `host:port`, `[::1]:port` or a bare IPv6 address, taken apart. Raises ValueError."""
    if match := re.fullmatch(r"\[([^\]]+)\](?::(\d+))?|([^:]*)(?::(\d+))?", text.strip()):
        host, port = (match[1], match[2]) if match[1] else (match[3], match[4])
        return host or "127.0.0.1", int(port) if port else None
    if text.count(":") > 1:
        return text.strip(), None
    raise ValueError(text)


class _Words(str):
    """A value from the environment or a flag: it is read by the setting's type, not by TOML's."""

    __slots__ = ()


_Layer = dict[str, tuple[object, str]]


def _from_file(file: Path, name: str) -> _Layer:
    try:
        text = file.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigInvalid(name, "", f"is not UTF-8 (byte {error.start})") from None
    except OSError as error:
        raise ConfigInvalid(name, "", f"cannot be read: {error.strerror}") from None
    try:
        document = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise ConfigInvalid(f"{name}:{error.lineno}", "", f"is not TOML: {error.msg}") from None
    layer: _Layer = {}
    for section, table in document.items():
        place = f"{name}:{_line_of(text, section, None)}"
        if not isinstance(table, dict):
            raise ConfigInvalid(place, section, f"{section!r} stands outside a section{_nearest_key(section)}")
        if section not in _SCHEMA:
            raise ConfigInvalid(place, section, f"unknown section [{section}]{_nearest(section, _SCHEMA)}")
        for key, raw in table.items():
            layer[f"{section}.{key}"] = (raw, f"{name}:{_line_of(text, section, key)}")
    return layer


def _from_environment(environ: Mapping[str, str]) -> _Layer:
    layer: _Layer = {}
    if host := environ.get("REVERIE_HOST"):
        try:
            name, port = host_and_port(host)
        except ValueError:
            raise ConfigInvalid("REVERIE_HOST", "server.host", f"{host!r} is not host[:port]") from None
        layer["server.host"] = (_Words(name), "REVERIE_HOST")
        if port is not None:
            layer["server.port"] = (_Words(port), "REVERIE_HOST")
    for variable, value in sorted(environ.items()):
        prefix, _, rest = variable.partition("_")
        section, _, key = rest.lower().partition("_")
        if prefix == "REVERIE" and key and section in _SCHEMA:
            layer[f"{section}.{key}"] = (_Words(value), variable)
    return layer


def _known(section: str, key: str, place: str) -> Setting:
    if section not in _SCHEMA:
        raise ConfigInvalid(place, section, f"unknown section [{section}]{_nearest(section, _SCHEMA)}")
    if key not in _SCHEMA[section]:
        near_here = difflib.get_close_matches(key, _SCHEMA[section], n=1, cutoff=0.5)
        hint = ("" if near_here else _nearest_key(key)) or _nearest(key, _SCHEMA[section])
        raise ConfigInvalid(place, f"{section}.{key}", f"unknown key {key!r} in [{section}]{hint}")
    return _SCHEMA[section][key]


def _nearest(word: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {near[0]!r}?" if near else f"; known here: {', '.join(known)}"


def _nearest_key(word: str) -> str:
    homes = {key: section for section, keys in _SCHEMA.items() for key in keys}
    near = difflib.get_close_matches(word, homes, n=1, cutoff=0.7)
    return f"; did you mean {near[0]!r} in [{homes[near[0]]}]?" if near else ""


def _convert(setting: Setting, raw: object, dotted: str, place: str) -> object:
    """*raw* as the setting's type, within its bounds."""
    expected, value = _cast(setting.kind, raw, isinstance(raw, _Words))
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        raise ConfigInvalid(place, dotted, f"{dotted} is {raw!r}, expected {expected}")
    bounds = setting.bounds
    if bounds.choices and value not in bounds.choices:
        raise ConfigInvalid(place, dotted, f"{dotted} is {raw!r}, expected one of {', '.join(bounds.choices)}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        if bounds.least is not None and value < bounds.least:
            raise ConfigInvalid(place, dotted, f"{dotted} is {raw!r}, expected {bounds.least:g} or more")
        if bounds.most is not None and value > bounds.most:
            raise ConfigInvalid(place, dotted, f"{dotted} is {raw!r}, expected {bounds.most:g} or less")
    return value


def _cast(kind: object, raw: object, from_text: bool) -> tuple[str, object]:
    """What *kind* expects, in words, and *raw* as it; None where it is not."""
    try:
        if kind is bool:
            words = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
            return "true or false", words.get(str(raw).lower()) if from_text else raw if isinstance(raw, bool) else None
        if isinstance(raw, bool):
            return _WORDS.get(kind, "something else"), None
        if kind is int:
            return "a whole number", int(str(raw)) if from_text else raw if isinstance(raw, int) else None
        if kind is float:
            return "a number", float(str(raw)) if from_text or isinstance(raw, int | float) else None
        if kind is Duration:
            return _WORDS[Duration], duration_s(raw) if isinstance(raw, str | int | float) else None
        if kind is Size:
            return _WORDS[Size], size_bytes(raw) if isinstance(raw, str | int) else None
        if kind is Hours:
            return _WORDS[Hours], Hours(raw) if isinstance(raw, str) and (quiet_spans(raw) or not raw.strip()) else None
        if kind is str:
            return "text in quotes", str(raw) if isinstance(raw, str) else None
        if kind == tuple[RemoteModel, ...]:
            return REMOTE_EXPECTED, _remotes(raw)
        if from_text:
            return "a list", tuple(part.strip() for part in str(raw).split(",") if part.strip())
        good = isinstance(raw, list) and all(isinstance(part, str) for part in raw)
        return "a list of texts", tuple(raw) if good and isinstance(raw, list) else None
    except ValueError:
        return _WORDS.get(kind, "a number"), None


REMOTE_EXPECTED = (
    "[[models.remote]] tables with name, base_url (http…), model, and perhaps api_key_env and kind (chat or embed)"
)


def _remotes(raw: object) -> tuple[RemoteModel, ...] | None:
    """The tables of remote models; None where one is not as it should be."""
    if not isinstance(raw, list):
        return None
    known = {field.name for field in dataclasses.fields(RemoteModel)}
    for table in raw:
        good = isinstance(table, dict) and set(table) <= known and all(isinstance(each, str) for each in table.values())
        if not good or not all(table.get(key) for key in ("name", "base_url", "model")):
            return None
        if table.get("kind", "chat") not in ("chat", "embed") or not table["base_url"].startswith(
            ("http://", "https://")
        ):
            return None
    return tuple(RemoteModel(**table) for table in raw)


_WORDS: dict[object, str] = {
    int: "a whole number",
    float: "a number",
    str: "text in quotes",
    Duration: 'a duration as "90s", "5m", "2h" or a number of seconds',
    Hours: 'hours of the day as "22:00-06:30" or "08:00-12:30, 14:00-18:00", or "" for none',
    Size: 'a size as "512 MB", "2 GB" or a number of bytes',
}


def _line_of(text: str, section: str, key: str | None) -> int:
    """The line of a key of a TOML text that is known to parse; of its section where the key is not found; else 1."""
    current, found = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if header := re.match(r"\[\s*([^\[\]]+?)\s*\]", stripped):
            current = header[1].strip("\"'")
            if current == section:
                found = number
                if key is None:
                    return number
        elif name := re.match(r"""["']?([\w-]+)["']?(?:\s*\.\s*["']?([\w-]+)["']?)?\s*=""", stripped):
            first, second = name[1], name[2]
            if (key is None and not current and first == section) or (current == section and first == key):
                return number
            if key is not None and not current and first == section and second == key:
                return number
    return found
