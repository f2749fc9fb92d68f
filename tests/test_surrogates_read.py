"""What a reader of surrogates stumbled over: each kind has its case."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from surrogate_helpers import sexes_of

from presidio_mx.replace.context import Context, Settings
from presidio_mx.replace.dates import surrogate_date
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.engine import anonymize
from presidio_mx.replace.mentions import clean_name
from presidio_mx.replace.name_classes import name_classes
from presidio_mx.replace.values import guarded, surrogate_value
from presidio_mx.spanish.dates import read_date
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.places import STATES, atlas, country_of, demonym
from presidio_mx.spanish.scans import digits_read, letters_read
from presidio_mx.spanish.words import listed, words
from presidio_mx.spanish.writing import place_key, strip_accents
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Span

CASES = yaml.safe_load(
    (Path(__file__).parent / "cases" / "surrogates" / "read.yaml").read_text("utf-8")
)
KEYS = [f"key number {number} for these tests".encode() for number in range(4)]


def names_in(marked, key):
    """Return the surrogates of "Pte [patient:Ana Ríos], doña [other:Anita]"."""
    text, spans = "", []
    for piece in re.split(r"(\[\w+:[^]]+\])", marked):
        role, value = "", piece
        if piece.startswith("["):
            role, _, value = piece[1:-1].partition(":")
            spans.append(
                Span(len(text), len(text) + len(value), "PERSON", role or None, 1.0)
            )
        text += value
    done = anonymize(text, spans, "surrogate", key=key)
    return [done.text[item.new_start : item.new_end] for item in done.items]


@pytest.mark.parametrize(("entity", "old", "pattern"), CASES["values"])
@pytest.mark.parametrize("number", range(4))
def test_values_are_read_as_they_were_meant(entity, old, pattern, number):
    new = surrogate_value(entity, old, Context(Draw(bytes([number]) * 32)))
    assert re.fullmatch(pattern, new), new
    assert new != old


@pytest.mark.parametrize(("marked", "pattern"), CASES["initials"])
@pytest.mark.parametrize("key", KEYS)
def test_initials_follow_whose_they_are(marked, pattern, key):
    new = names_in(marked, key)
    assert new[-1] == pattern.format(*(word for name in new for word in name.split()))


@pytest.mark.parametrize(("marked", "sex"), CASES["sexes"])
@pytest.mark.parametrize("key", KEYS)
def test_the_sex_of_a_name_is_what_the_note_says(marked, sex, key):
    first = fold_key(names_in(marked, key)[-1].split()[0])
    assert sex in sexes_of(first)


@pytest.mark.parametrize(("marked", "places"), CASES["surnames"])
@pytest.mark.parametrize("key", KEYS)
def test_a_word_of_no_list_is_a_surname_where_surnames_stand(marked, places, key):
    new = names_in(marked, key)[-1].replace(",", "").replace(".", " ").split()
    for place in places:
        assert not name_lists().is_given(fold_key(new[place])), new


@pytest.mark.parametrize(
    ("marked", "first", "second"),
    [
        ("[patient:Dulce Mayo Cisneros], padre [relative:Isaías Mayo]", 1, 1),
        ("[patient:Elsa Soto Viesca], hna. [relative:Irma Soto Viesc]", 2, 2),
        ("[patient:Casimiro Puente] y [other:Casimiro chico]", 0, 0),
    ],
)
@pytest.mark.parametrize("key", KEYS)
def test_relatives_share_a_name_though_one_is_cut(marked, first, second, key):
    one, other = (name.split() for name in names_in(marked, key))
    assert one[first].startswith(other[second])


@pytest.mark.parametrize("key", KEYS)
def test_an_initial_alone_is_that_of_the_surname_that_begins_so(key):
    name, initial = names_in("[staff:Julio Ampudia Reyes]. El Dr. [staff:A.]", key)
    assert initial[0] == name.split()[1][0] or name.split()[1][0] == "A"


@pytest.mark.parametrize("number", range(40))
def test_nobody_gets_the_name_of_another_of_the_note(number):
    names = ["José García López", "Juan Martínez Pérez", "Luis Rodríguez Sánchez"]
    marked = "; ".join(f"[other:{name}]" for name in names)
    new = names_in(marked, f"key number {number} for these tests".encode())
    assert not set(" ".join(names).split()) & set(" ".join(new).split())


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("marked", ["VELARDE KARIMI, SHIRIN", "PETROSYAN^SHIRIN"])
def test_behind_the_sign_stands_the_given_name(marked, number):
    new = names_in(f"[patient:{marked}]", KEYS[number])[0]
    assert name_lists().is_given(fold_key(re.split(r", |\^", new)[1]))


@pytest.mark.parametrize(
    "name", ["Arroliga", "Fransico", "Velazguez", "Elguézabal", "Hermandez", "Gaberil"]
)
@pytest.mark.parametrize("number", range(6))
def test_what_is_written_is_a_name_as_mexicans_spell_it(name, number):
    new = surrogate_value("PERSON", name, Context(Draw(bytes([number]) * 32)))
    group = name_classes().words[fold_key(new)].group
    assert not group.startswith(("other surname", "latin", "foreign given"))


def test_the_back_of_a_voter_card_repeats_its_numbers():
    context = Context(Draw(bytes(32)))
    card, printed, line = (
        surrogate_value("MX_INE", value, context)
        for value in ("214408917", "0417088120417", "IDMEX2144089178<<0417088120417")
    )
    assert re.fullmatch(rf"IDMEX{card}\d<<{printed}", line)
    assert printed.endswith(surrogate_value("MX_INE", "088120417", context))


@pytest.mark.parametrize("number", range(8))
def test_a_curp_of_a_scan_is_of_a_state(number):
    new = surrogate_value(
        "MX_CURP", "EEZR83O917MC1NPY02", Context(Draw(bytes([number]) * 32))
    )
    assert new[11:13] in STATES


@pytest.mark.parametrize("key", KEYS)
def test_the_years_of_a_nss_move_as_the_birth_date_of_the_curp(key):
    text = "NSS 14876620934 1M1966OR CURP AUTS660620HQTGRL01"
    spans = [
        Span(4, 15, "MX_NSS", None, 1.0),
        Span(16, 24, "MX_NSS", None, 1.0),
        Span(30, 48, "MX_CURP", None, 1.0),
    ]
    done = anonymize(text, spans, "surrogate", key=key).text
    _, nss, family, _, curp = done.split()
    assert nss[4:6] == family[4:6] == curp[4:6]
    assert int(nss[2:4]) - int(nss[4:6]) == 87 - 66


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        ("es hondureño de Choloma", "Choloma", "hondureño"),
        ("turista canadiense de Vancouver", "Vancouver", "canadiense"),
    ],
)
@pytest.mark.parametrize("key", KEYS)
def test_what_people_abroad_are_called_follows_their_town(text, place, word, key):
    at = text.index(place)
    span = Span(at, at + len(place), "LOCATION", None, 1.0)
    new = anonymize(text, [span], "surrogate", key=key, second_pass=True).text
    land = demonym(new.split()[1]).upper()
    town = place_key(new.split(" de ")[1])
    assert word not in new and land
    assert country_of(town) in (land, "") or atlas().has_town(town)


@pytest.mark.parametrize("marked", CASES["epithets"])
@pytest.mark.parametrize("key", KEYS)
def test_what_somebody_is_called_by_becomes_another_of_the_kind(marked, key):
    new = fold_key(names_in(marked, key)[-1])
    assert new in words("epithet_of_men", "epithet_of_women")


@pytest.mark.parametrize(("marked", "given"), CASES["nicknames"])
@pytest.mark.parametrize("key", KEYS)
def test_a_nickname_is_one_of_the_new_name(marked, given, key):
    new = names_in(marked, key)
    base, nickname = fold_key(new[0].split()[given]), fold_key(new[-1])
    called = name_lists().called
    shared = set(called.get(nickname, ())) & {base, *called.get(base, ())}
    assert shared or nickname[:3] == base[:3]


@pytest.mark.parametrize(("scanned", "meant"), CASES["scans"])
def test_a_scanned_name_is_read(scanned, meant):
    assert clean_name(scanned) == meant


@pytest.mark.parametrize(("scanned", "meant"), CASES["words"])
def test_scanned_words_are_read(scanned, meant):
    assert letters_read(scanned) == meant


@pytest.mark.parametrize(("scanned", "numbers", "meant"), CASES["digits"])
def test_scanned_digits_are_read(scanned, numbers, meant):
    assert digits_read(scanned, numbers) == meant


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("12–13 de noviembre de 2019", "19–20 de noviembre de 2019"),
        ("12-13 nov 2019", "19-20 nov 2019"),
        ("G1 mayo 2020", "G1 junio 2020"),
    ],
)
def test_days_and_counts_beside_a_month_are_none_of_their_own(old, new):
    days = 28 if old.startswith("G") else 7
    settings = Settings(days_min=days, days_max=days, direction="future")
    assert surrogate_date(old, Context(Draw(bytes(32)), settings)) == new


def values_in(marked, key, entity="DATE_TIME"):
    """Return the surrogates of "<3/12/19> y <5-12>"."""
    pieces = re.split(r"[<>]", marked)
    spans = [
        Span(at := sum(map(len, pieces[:i])), at + len(piece), entity, None, 1.0)
        for i, piece in enumerate(pieces)
        if i % 2
    ]
    done = anonymize("".join(pieces), spans, "surrogate", key=key)
    return [done.text[item.new_start : item.new_end] for item in done.items]


@pytest.mark.parametrize("number", range(12))
def test_dates_with_and_without_a_year_move_alike(number):
    note = "Alta <04-12-2018>, <4-12> estable, <12/03/1960>, <4/12>. Cita <enero 2020>"
    new = values_in(note, f"key number {number} for these tests".encode())
    assert new[0].startswith(f"{int(new[1].split('-')[0]):02d}-")
    assert new[3] == new[1].replace("-", "/")


@pytest.mark.parametrize("number", range(12))
def test_no_leap_day_comes_between_dates_that_have_no_year(number):
    note = "<27 de febrero> y <6 de marzo>, <20 de febrero>"
    new = values_in(note, f"key number {number} for these tests".encode())
    days = [read_date(value, 2022).value for value in (new[2], *new[:2])]
    gaps = [(later - day).days % 365 for day, later in pairwise(days)]
    assert gaps == [7, 7]


@pytest.mark.parametrize("key", KEYS)
def test_a_count_before_a_span_of_dates_is_no_day(key):
    (new,) = values_in("rituximab x<2, 12 y 26 de septiembre>", key)
    assert re.match(r"2, \d", new)


@pytest.mark.parametrize("key", KEYS)
def test_an_acronym_is_that_of_the_surrogate_of_its_long_form(key):
    note = "<Hospital General de Tijuana> (<HGT>), cita en <HGT>"
    name, first, second = values_in(note, key, "ORGANIZATION")
    town = name.removeprefix("Hospital General de ")
    assert first == second
    assert first in (f"HG{strip_accents(town[0])}", "{INSTITUCION}")


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("Hospital Infantil de México", "Hospital Infantil", True),
        ("Hospital Infantil", "Hospital Infantil de México", True),
        ("Hospital Infantil", "Hospital Juárez", False),
    ],
)
def test_no_institution_holds_its_surrogate(old, new, shown):
    made = guarded("ORGANIZATION", old, lambda _: new, Context(Draw(bytes(32))))
    assert made == ("{INSTITUCION}" if shown else new)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "note",
    [
        "Pte [patient:Refugio Anguiano]",
        "[relative:Guadalupe Ríos] vino",
        "Sr. [patient:Rosario Mora]; había una señora [patient:Rosario Mora]",
    ],
)
def test_a_name_of_both_sexes_stays_one_where_nothing_tells(note, key):
    both = set(map(fold_key, listed("name_written_of_both")))
    assert {fold_key(name.split()[0]) for name in names_in(note, key)} <= both


@pytest.mark.parametrize(("code", "sex"), [("1M1942PE", "M"), ("1F1942PE", "F")])
@pytest.mark.parametrize("key", KEYS)
def test_the_sex_of_a_patient_is_that_of_its_nss(code, sex, key):
    note = "Refugio Anguiano. NSS 0381 42 1180 6 "
    spans = [
        Span(0, 16, "PERSON", "patient", 1.0),
        Span(22, len(note) + len(code), "MX_NSS", None, 1.0),
    ]
    new = anonymize(note + code, spans, "surrogate", key=key).text.split()
    assert sex in sexes_of(new[0])
    assert new[-1][1] == sex


@pytest.mark.parametrize("name", ["Bryan Alexis Pacheco Pool", "Chepina Gaxiola"])
@pytest.mark.parametrize("number", range(40))
def test_no_word_of_a_name_stands_in_its_surrogate(name, number):
    key = f"key number {number} for these tests".encode()
    (new,) = names_in(f"[patient:{name}]", key)
    old, words_ = ({fold_key(w) for w in text.split()} for text in (name, new))
    assert not old & words_
    assert not any(word.startswith("chep") for word in words_)


@pytest.mark.parametrize("number", range(40))
def test_spoken_numbers_can_be_dialled_and_found(number):
    here = Context(Draw(bytes([number]) * 32))
    phone = "seis uno ocho cincuenta y seis cuarenta y nueve"
    new = surrogate_value("PHONE_NUMBER", phone, here)
    assert not re.match(r"cero|uno|diec|on|do?ce|tre?ce|cat|quin", new)
    assert "y cero" not in new
    assert not surrogate_value("ADDRESS", "manzana ocho", here).endswith("cero")


def test_names_that_nobody_bears_are_never_written():
    groups, never = name_classes().groups, words("name_never_written")
    written = {m.text for members in groups.values() for m in members}
    shortened = name_lists().abbreviations
    written |= {form for forms in shortened.values() for form in forms}
    assert not never & {fold_key(text).rstrip(".") for text in written}


@pytest.mark.parametrize("name", ["Epifania", "Gumersindo", "Ximena", "Emiliano"])
def test_a_name_keeps_its_generation(name):
    names = name_classes()
    group = names.words[fold_key(name)].group
    assert group.startswith(("old given", "young given"))
    image = names.image(fold_key(name), Draw(bytes(32)))
    assert names.words[fold_key(image.text)].group == group


def test_classes_of_a_generation_are_large_enough_to_hide_in():
    sizes = {
        group: len(members)
        for group, members in name_classes().groups.items()
        if group.startswith(("old", "young"))
    }
    assert {group.rsplit(" ", 1)[0] for group in sizes} == {
        f"{age} given {sex}" for age in ("old", "young") for sex in "FM"
    }
    assert min(sizes.values()) >= 40
