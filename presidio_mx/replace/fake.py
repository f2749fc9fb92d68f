"""Values that Faker makes up, seeded: for synthetic corpora; nothing agrees."""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from presidio_mx.entities import kind_of
from presidio_mx.errors import ConfigurationError

LOCALE = "es_MX"
# One generator for each entity; those of es_MX, and of presidio_mx.faker for codes.
PROVIDERS: Mapping[str, str] = {
    "PERSON": "name",
    "PHONE_NUMBER": "phone_number",
    "ADDRESS": "street_address",
    "LOCATION": "city",
    "DATE_TIME": "date",
    "AGE": "mx_age",
    "MX_CURP": "mx_curp",
    "MX_RFC": "mx_rfc",
    "MX_NSS": "mx_nss",
    "MX_INE": "mx_ine",
    "MX_CLABE": "mx_clabe",
    "CREDIT_CARD": "credit_card_number",
    "MEDICAL_RECORD": "ean8",
    "MX_PROFESSIONAL_LICENSE": "mx_license",
    "MX_LICENSE_PLATE": "license_plate",
    "DEVICE_ID": "mac_address",
    "EMAIL_ADDRESS": "ascii_safe_email",
    "URL": "url",
    "IP_ADDRESS": "ipv4_private",
    "ORGANIZATION": "company",
}
_DEFAULT = "bothify"


@lru_cache(maxsize=8)
def _faker(locale: str) -> Any:
    from faker import Faker

    from presidio_mx.faker import Provider

    try:
        fake = Faker(locale, use_weighting=False)
    except AttributeError:
        raise ConfigurationError(
            f"faker: unknown locale {locale!r}; write it as Faker does, e.g. es_MX"
        ) from None
    fake.add_provider(Provider)
    return fake


def check_provider(params: Mapping[str, Any]) -> None:
    """Refuse what Faker cannot make.

    :param params: Parameters of the operator ``faker``.
    :raises ConfigurationError: Naming the parameter and what is possible.
    """
    fake = _faker(str(params.get("locale", LOCALE)))
    provider = params.get("provider")
    if provider is not None:
        known = [name for name in dir(fake.factories[0]) if not name.startswith("_")]
        if provider not in known:
            near = get_close_matches(str(provider), known, n=1)
            guess = f"did you mean {near[0]!r}? " if near else ""
            raise ConfigurationError(
                f"faker: unknown provider {str(provider)!r}; {guess}Faker's own and "
                "those of presidio_mx.faker are known"
            )
    if not isinstance(params.get("arguments", {}), Mapping):
        raise ConfigurationError("faker: arguments must be names with values")


def fake_value(entity_type: str, seed: int, params: Mapping[str, Any]) -> str:
    """Return a made-up value.

    :param entity_type: What it stands for.
    :param seed: The same seed gives the same value.
    :param params: ``provider``, ``locale`` and ``arguments``.
    :raises ConfigurationError: If the provider does not take the arguments.
    """
    fake = _faker(str(params.get("locale", LOCALE)))
    fake.seed_instance(seed)
    provider = params.get("provider") or PROVIDERS.get(kind_of(entity_type), _DEFAULT)
    try:
        return str(getattr(fake, str(provider))(**params.get("arguments", {})))
    except TypeError:
        raise ConfigurationError(
            f"faker: {provider} does not take these arguments; its own are in Faker's "
            "documentation"
        ) from None
