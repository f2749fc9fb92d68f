"""Profiles: which operator treats which entity, read from a YAML file."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from presidio_anonymizer.entities import InvalidParamError, OperatorConfig

from presidio_mx.entities import known_entities
from presidio_mx.errors import ConfigurationError, unknown
from presidio_mx.replace.operators import known_parameters, operator_classes
from presidio_mx.replace.stock_parameters import check_stock
from presidio_mx.resources import folder
from presidio_mx.yaml_file import parse_yaml, read_text

# A file, and when it was last changed, in nanoseconds.
_Version = tuple[Path, int]

_TOP_LEVEL = ("name", "description", "default", "entities", "extends")


@dataclass(frozen=True)
class OperatorSpec:
    """An operator and its parameters.

    :param operator: Name of the operator.
    :param params: Its parameters.
    """

    operator: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def config(self) -> OperatorConfig:
        """Return Presidio's own form of it."""
        return OperatorConfig(self.operator, dict(self.params))


@dataclass(frozen=True)
class Profile:
    """What happens to every entity.

    :param name: Name of the profile.
    :param operators: Entity type to operator.
    :param default: What happens to an entity that is not named.
    :param description: One sentence for people.
    """

    name: str
    operators: Mapping[str, OperatorSpec]
    default: OperatorSpec
    description: str = ""

    def spec(self, entity_type: str) -> OperatorSpec:
        """Return the operator of an entity.

        :param entity_type: Name of the entity.
        :return: Its operator, or the default.
        """
        return self.operators.get(entity_type, self.default)

    def configs(self) -> dict[str, OperatorConfig]:
        """Return the dictionary that a stock AnonymizerEngine takes."""
        configs = {entity: spec.config() for entity, spec in self.operators.items()}
        return configs | {"DEFAULT": self.default.config()}

    def needs_key(self) -> bool:
        """Tell whether some operator takes a key that the profile does not give."""
        return any(
            "key" in (known_parameters(spec.operator) or ())
            and not spec.params.get("key")
            for spec in (*self.operators.values(), self.default)
        )


def profile_names(extra_folders: Sequence[Path] = ()) -> list[str]:
    """Return the names of the profiles that exist.

    :param extra_folders: Folders of a site's own profiles.
    :return: Sorted names.
    """
    places = [folder("operators"), *extra_folders]
    return sorted({path.stem for place in places for path in place.glob("*.yaml")})


def profile_problems(place: Path) -> Iterator[str]:
    """Yield what is wrong with the profiles of a folder.

    :param place: The folder; need not exist.
    """
    for path in sorted(place.glob("*")):
        if path.suffix != ".yaml":
            yield f"{path}: no profile; a profile's name ends in .yaml"
            continue
        try:
            load_profile(path, (place,))
        except ConfigurationError as error:
            yield from error.problems


def _find(name_or_path: str | Path, extra_folders: Sequence[Path]) -> Path:
    given = Path(name_or_path)
    if given.suffix in (".yaml", ".yml"):
        if given.is_file():
            return given
        raise ConfigurationError(f"{given}: no such profile file")
    for place in [*reversed(extra_folders), folder("operators")]:
        candidate = place / f"{name_or_path}.yaml"
        if given.name == str(name_or_path) and candidate.is_file():
            return candidate
    raise ConfigurationError(
        f"unknown operator profile {str(name_or_path)!r}; profiles are "
        f"{', '.join(profile_names(extra_folders))}, or give the path of a .yaml file"
    )


def _read(path: Path) -> dict[str, Any]:
    expected = "keys such as entities:"
    content = parse_yaml(path, read_text(path), expected, words=False)
    for key in content:
        if key not in _TOP_LEVEL:
            raise ConfigurationError(
                f"{path}: unknown key {key!r}; keys are {', '.join(_TOP_LEVEL)}"
            )
    return content


def _spec(value: Any, where: str) -> OperatorSpec:
    if isinstance(value, str):
        value = {"operator": value}
    if not isinstance(value, dict) or "operator" not in value:
        raise ConfigurationError(f"{where}: needs an operator, e.g. operator: tag")
    params = {key: item for key, item in value.items() if key != "operator"}
    return check_operator(str(value["operator"]), params, where)


def check_operator(name: str, params: Mapping[str, Any], where: str) -> OperatorSpec:
    """Return the operator after checking that it exists and takes these parameters.

    :param name: Name of the operator, of Presidio or of this project.
    :param params: Its parameters.
    :param where: File and entry, for the error.
    :return: The checked operator.
    :raises ConfigurationError: Naming the operator or parameter, and what exists.
    """
    classes = operator_classes()
    if name not in classes:
        raise ConfigurationError(
            f"{where}: unknown operator {name!r}; operators are "
            f"{', '.join(sorted(classes))}"
        )
    allowed = known_parameters(name)
    for parameter in params:
        if allowed is not None and parameter not in allowed:
            listing = ", ".join(sorted(allowed)) or "none"
            raise ConfigurationError(
                f"{where}: operator {name!r} has no parameter {parameter!r}; "
                f"parameters are {listing}"
            )
    try:
        check_stock(name, params)
        classes[name]().validate({**params, "entity_type": "PERSON"})
    except InvalidParamError as error:
        raise ConfigurationError(f"{where}: {error.err_msg}") from None
    return OperatorSpec(name, MappingProxyType(dict(params)))


def warn_of_unknown(entities: Iterable[str]) -> None:
    """Warn of entities that no recognizer of ours reports: slips, or a user's own.

    :param entities: What a dictionary of operators names.
    """
    for entity in entities:
        if entity != "DEFAULT" and entity not in known_entities():
            warnings.warn(
                "operators: unless a recognizer of yours reports it, unknown entity "
                f"{unknown(entity, known_entities())}",
                stacklevel=3,
            )


@lru_cache(maxsize=64)
def _content(path: Path, changed: int) -> Mapping[str, Any]:
    """Return what a file holds that was last changed at a time."""
    return MappingProxyType(_read(path))


def _lineage(path: Path, folders: Sequence[Path]) -> tuple[_Version, ...]:
    """Return a profile's file, the one it extends, and so on, each with its version."""
    lineage: list[_Version] = []
    seen: set[Path] = set()
    while path.resolve() not in seen:
        seen.add(path.resolve())
        lineage.append((path, path.stat().st_mtime_ns))
        content = _content(*lineage[-1])
        if "extends" not in content:
            return tuple(lineage)
        path = _find(str(content["extends"]), folders)
    raise ConfigurationError(f"{lineage[0][0]}: a profile cannot extend itself")


@lru_cache(maxsize=64)
def _made(lineage: tuple[_Version, ...]) -> Profile:
    """Return the profile of a file and of those that it extends."""
    (path, changed), *parents = lineage
    content = _content(path, changed)
    base: Mapping[str, OperatorSpec] = {}
    default = OperatorSpec("tag")
    if parents:
        parent = _made(tuple(parents))
        base, default = parent.operators, parent.default
    if "default" in content:
        default = _spec(content["default"], f"{path}, default")
    own = content.get("entities") or {}
    if not isinstance(own, dict):
        raise ConfigurationError(f"{path}, entities: one entry for each entity")
    for entity in own:
        if entity not in known_entities():
            raise ConfigurationError(
                f"{path}: unknown entity {entity!r}; entities are "
                f"{', '.join(sorted(known_entities()))}"
            )
    specs = {entity: _spec(value, f"{path}, {entity}") for entity, value in own.items()}
    return Profile(
        name=str(content.get("name", path.stem)),
        operators=MappingProxyType({**base, **specs}),
        default=default,
        description=str(content.get("description", "")),
    )


def load_profile(
    name_or_path: str | Path, extra_folders: Sequence[Path] = ()
) -> Profile:
    """Read a profile; the result is kept until its file, or one it extends, changes.

    :param name_or_path: Name of a shipped or a site's own profile, or the path of a
        ``.yaml`` file.
    :param extra_folders: Folders of a site's own profiles; the last one wins.
    :return: The profile.
    :raises ConfigurationError: If the profile, or an entity, operator or parameter in
        it is unknown; names it and lists what exists.
    """
    return _made(_lineage(_find(name_or_path, extra_folders), extra_folders))
