"""Operators for a Presidio AnonymizerEngine: tags, tokens, surrogates, fakes."""

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import InvalidParamError
from presidio_anonymizer.operators import Operator, operators_factory

from presidio_mx.entities import tag_word
from presidio_mx.replace.context import SETTING_NAMES, Context, Settings
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.encryption import encrypt_value
from presidio_mx.replace.fake import check_provider, fake_value
from presidio_mx.replace.gender import NeutralGender
from presidio_mx.replace.generalize import LEVELS, generalize
from presidio_mx.replace.keys import find_key
from presidio_mx.replace.normal import normal_form
from presidio_mx.replace.operator_base import Params, PlannedOperator
from presidio_mx.replace.stock_parameters import STOCK_PARAMETERS
from presidio_mx.replace.values import surrogate_value

TAG_STYLES = ("thesis", "presidio")


def draw_for(params: Mapping[str, Any]) -> Draw:
    """Return the keyed numbers of the key and scope in an operator's parameters.

    :param params: ``key`` (or the environment's) and ``scope``.
    :return: The source of keyed numbers.
    """
    key = find_key(params.get("key"))
    return Draw(key.derive("surrogate", params.get("scope", "")))


class Tag(PlannedOperator):
    """Put the entity's tag in its place: ``{NOMBRE}`` or ``<PERSON>``.

    Parameters: ``style`` (``thesis`` or ``presidio``), ``tag`` (a text of one's own),
    ``numbered`` (``{NOMBRE_1}``; the numbers come with the document's plan).
    """

    name = "tag"
    parameters = frozenset({"style", "tag", "numbered"})

    def alone(self, text: str, params: Params) -> str:
        """Return the tag without a number."""
        return write_tag(params)

    def check(self, params: Params) -> None:
        """Check style, tag and numbered."""
        if params.get("style", "thesis") not in TAG_STYLES:
            raise InvalidParamError(
                f"tag: style must be one of {', '.join(TAG_STYLES)}, "
                f"not {params['style']!r}"
            )
        if not isinstance(params.get("tag", ""), str):
            raise InvalidParamError("tag: tag must be text")
        if not isinstance(params.get("numbered", False), bool):
            raise InvalidParamError("tag: numbered must be true or false")


def write_tag(params: Mapping[str, Any], number: int | None = None) -> str:
    """Return a tag as the parameters of :class:`Tag` ask for.

    :param params: ``tag``, ``style`` and ``entity_type``.
    :param number: Number of the person, place or code in the document.
    :return: E.g. ``{NOMBRE}``, ``{NOMBRE_2}`` or ``<PERSON>``.
    """
    entity = str(params.get("entity_type", "DEFAULT"))
    tag = params.get("tag")
    if tag is None:
        presidio = params.get("style", "thesis") == "presidio"
        tag = f"<{entity}>" if presidio else "{" + tag_word(entity) + "}"
    if number is None:
        return str(tag)
    closing = tag[-1:] if tag[-1:] in "}>])" else ""
    return f"{tag[: len(tag) - len(closing)]}_{number}{closing}"


class Pseudonym(PlannedOperator):
    """Put a keyed token in the entity's place: ``NOMBRE_7F3A90C21B``.

    The token is a salted HMAC of the normal form of the text: without the key nobody
    can test guesses, as one can with a plain hash. Parameters: ``key``, ``scope``,
    ``digits`` (4 to 32 hexadecimal digits, 10 by default).
    """

    name = "pseudonym"
    parameters = frozenset({"key", "scope", "digits"})

    def alone(self, text: str, params: Params) -> str:
        """Return the token of the text's normal form."""
        entity = str(params.get("entity_type", "DEFAULT"))
        return write_pseudonym(normal_form(entity, text), params)

    def check(self, params: Params) -> None:
        """Check key, scope and digits."""
        super().check(params)
        digits = params.get("digits", 10)
        if type(digits) is not int or not 4 <= digits <= 32:
            raise InvalidParamError("pseudonym: digits must be from 4 to 32")


def write_pseudonym(identity: str, params: Mapping[str, Any]) -> str:
    """Return the token of a value.

    :param identity: Normal form of the value.
    :param params: ``entity_type``, ``key``, ``scope`` and ``digits``.
    :return: E.g. ``NOMBRE_7F3A90C21B``.
    """
    secret = find_key(params.get("key")).derive("pseudonym", params.get("scope", ""))
    entity = str(params.get("entity_type", "DEFAULT"))
    message = f"{entity}:{identity}".encode("utf-8", "surrogatepass")
    token = hmac.digest(secret, message, hashlib.sha256).hex().upper()
    return f"{tag_word(entity)}_{token[: params.get('digits', 10)]}"


class Generalize(PlannedOperator):
    """Say less: a date becomes its month or year, a place its state, an age a band.

    Parameters: ``to`` (``month``, ``year``, ``state``, ``country``, ``band``, ``cap``);
    ``births: tag`` makes birth dates the tag, as their year would undo a band of ages
    (what a birth date is, the document's plan knows). What cannot be read becomes the
    entity's tag, too.
    """

    name = "generalize"
    parameters = frozenset({"to", "lowest_age", "births"})

    def alone(self, text: str, params: Params) -> str:
        """Return the general value, or the tag."""
        general = generalize(text, str(params["to"]), params.get("lowest_age"))
        return write_tag(params) if general is None else general

    def check(self, params: Params) -> None:
        """Check that ``to`` names a level."""
        if params.get("to") not in LEVELS:
            raise InvalidParamError(
                f"generalize: to must be one of {', '.join(LEVELS)}, "
                f"not {params.get('to')!r}"
            )
        if params.get("births", "tag") != "tag":
            raise InvalidParamError(
                f"generalize: births must be tag, not {params['births']!r}"
            )
        Settings.from_params(params)


class Surrogate(PlannedOperator):
    """Put a value in the entity's place that one could mistake for real.

    Parameters: ``key``, ``scope`` and the settings of
    :class:`presidio_mx.replace.context.Settings`.
    """

    name = "surrogate"
    parameters = frozenset({"key", "scope", *SETTING_NAMES})

    def alone(self, text: str, params: Params) -> str:
        """Return the surrogate: a function of key, scope, entity and text."""
        context = Context(draw_for(params), Settings.from_params(params))
        return surrogate_value(str(params.get("entity_type", "DEFAULT")), text, context)

    def check(self, params: Params) -> None:
        """Check key, scope and settings."""
        super().check(params)
        Settings.from_params(params)


class Fake(PlannedOperator):
    """Put what a generator of Faker makes in the value's place, whatever it was.

    Seeded by key, scope, entity and normal form: the same value has the same fake in
    its scope, and nothing else of a note agrees. Parameters: ``key``, ``scope``,
    ``provider`` (a method of Faker or of :class:`presidio_mx.faker.Provider`),
    ``locale`` (``es_MX``), ``arguments`` (of that method), ``tag_below``.
    """

    name = "faker"
    parameters = frozenset(
        {"key", "scope", "provider", "locale", "arguments", "tag_below"}
    )

    def alone(self, text: str, params: Params) -> str:
        """Return the fake."""
        entity = str(params["entity_type"])
        seed = draw_for(params).number(
            2**62, "faker", entity, normal_form(entity, text)
        )
        return fake_value(entity, seed, params)

    def check(self, params: Params) -> None:
        """Check key, scope and provider."""
        super().check(params)
        check_provider(params)
        Settings.from_params({k: v for k, v in params.items() if k == "tag_below"})


class Encrypt(PlannedOperator):
    """Encrypt the value in its place with AES-GCM: ``{NOMBRE:3f9a02c1:…}``.

    In this package's own engine alone it takes the place of Presidio's operator of this
    name, whose AES-CBC does not notice a changed value. Parameter: ``key``.
    """

    name = "encrypt"
    parameters = frozenset({"key"})

    def alone(self, text: str, params: Params) -> str:
        """Return the encrypted value; never under a key that nobody has."""
        key = find_key(params.get("key"), required=True)
        return encrypt_value(text, str(params.get("entity_type", "DEFAULT")), key)


OPERATORS: tuple[type[PlannedOperator], ...] = (
    Tag,
    Pseudonym,
    Generalize,
    Surrogate,
    NeutralGender,
    Fake,
)
_OWN: tuple[type[PlannedOperator], ...] = (*OPERATORS, Encrypt)


def register_operators(engine: AnonymizerEngine) -> AnonymizerEngine:
    """Add this project's operators to an engine; its ``encrypt`` stays Presidio's.

    :param engine: A stock AnonymizerEngine.
    :return: The same engine.
    """
    for operator in OPERATORS:
        engine.add_anonymizer(operator)
    return engine


def register_operators_globally() -> None:
    """Make the operators known to every AnonymizerEngine that is made from now on.

    A stock Presidio anonymizer server needs this before it starts. Calling it again
    changes nothing.
    """
    # With it comes the analyzer, which nothing else here needs.
    from presidio_mx.presidio_compat import add_operators_globally

    add_operators_globally(OPERATORS)


def build_anonymizer() -> AnonymizerEngine:
    """Return a Presidio AnonymizerEngine with this project's operators.

    :return: A new engine; its ``encrypt`` is authenticated.
    """
    engine = register_operators(AnonymizerEngine())  # type: ignore[no-untyped-call]
    engine.add_anonymizer(Encrypt)
    return engine


def operator_classes() -> dict[str, type[Operator]]:
    """Return every operator a profile may name.

    :return: Name to class.
    """
    known: list[Any] = [*operators_factory.ANONYMIZERS, *_OWN]
    return {cls().operator_name(): cls for cls in known}


def known_parameters(operator: str) -> frozenset[str] | None:
    """Return the parameters of an operator.

    :param operator: Its name.
    :return: Names of the parameters; None if they are not known.
    """
    for cls in _OWN:
        if cls.name == operator:
            return cls.parameters
    return STOCK_PARAMETERS.get(operator)
