"""What else of a note agrees with its surrogates: logins, feasts, people of states."""

import re

import pytest

from presidio_mx.replace.context import Context
from presidio_mx.replace.draw import Draw
from presidio_mx.replace.engine import anonymize, same_state
from presidio_mx.replace.name_classes import name_classes
from presidio_mx.replace.states import other_demonym
from presidio_mx.spanish.addresses import is_street
from presidio_mx.spanish.codes import curp_letters, voter_letters
from presidio_mx.spanish.name_likeness import is_short_for
from presidio_mx.spanish.name_lists import name_lists
from presidio_mx.spanish.numbers import ordinal_end, read_spoken
from presidio_mx.spanish.places import atlas, demonym
from presidio_mx.spanish.scans import boxed_like, unboxed
from presidio_mx.spanish.writing import place_key
from presidio_mx.text.folding import fold_key
from presidio_mx.text.spans import Span

KEYS = [f"key number {number} for these tests".encode() for number in range(3)]


def replaced(marked, key, **options):
    """Return the new text and surrogates of "Vive en [LOCATION:Puebla]"."""
    text, spans = "", []
    for piece in re.split(r"(\[[A-Z_]+:[^]]+\])", marked):
        value = piece
        if piece.startswith("["):
            kind, _, value = piece[1:-1].partition(":")
            spans.append(Span(len(text), len(text) + len(value), kind, None, 1.0))
        text += value
    done = anonymize(text, spans, "surrogate", key=key, second_pass=True, **options)
    return done.text, [done.text[i.new_start : i.new_end] for i in done.items]


# Who has the address, which, and what it is made of: words of the new name by place.
LOGINS = [
    ("maria.estevez@gmail.com", "{0}.{1}"),
    ("mestevez@gmail.com", "{0[0]}{1}"),
    ("mer@gmail.com", "{0[0]}{1[0]}{2[0]}"),
    ("maest@gmail.com", "{0:.2}{1:.3}"),
    ("mariaest@gmail.com", "{0}{1:.3}"),
]


@pytest.mark.parametrize(("address", "made"), LOGINS)
@pytest.mark.parametrize("key", KEYS)
def test_an_address_is_made_of_the_new_name(address, made, key):
    marked = f"[PERSON:María Estévez Ruiz], [EMAIL_ADDRESS:{address}]"
    _, (name, mail) = replaced(marked, key)
    assert mail.split("@")[0] == made.format(*map(fold_key, name.split()))


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("5 de Mayo 217, El Tomatal", "calle 5 de Mayo 217, col. El Tomatal"),
        ("Hidalgo 12 int 3, Centro", "C. Hidalgo 12 int 3, colonia Centro"),
        ("Morelos 8, frente a Hidalgo", "Morelos 8, entre Hidalgo"),
    ],
)
@pytest.mark.parametrize("key", KEYS)
def test_an_address_of_a_table_agrees_with_that_of_a_note(cell, told, key):
    said = {"calle", "c", "col", "colonia", "frente", "a", "entre"}
    one, other = (
        [
            word
            for word in re.findall(
                r"\w+", replaced(f"[ADDRESS:{text}]", key, scope="patient:7")[0]
            )
            if word.lower() not in said
        ]
        for text in (cell, told)
    )
    assert one == other


@pytest.mark.parametrize("key", KEYS)
def test_a_user_name_and_a_nickname_in_a_handle_follow(key):
    marked = (
        "[PERSON:María Estévez Ruiz], le dicen [PERSON:Mary], usuario "
        "[PERSON:mestevez], [URL:@mary.estevez]"
    )
    _, (name, called, login, handle) = replaced(marked, key)
    given, surname, _ = map(fold_key, name.split())
    assert login == given[0] + surname
    assert handle == f"@{fold_key(called)}.{surname}"


FEASTS = [
    ("Cayó el [DATE_TIME:15 de septiembre], día del Grito, en la plaza", True),
    ("Faltó el [DATE_TIME:6 de enero] por los Reyes", True),
    ("Fue en Navidad, [DATE_TIME:25/12/2023]", True),
    ("Toma poco, salvo en Navidad. [PERSON:Ana Ríos] lo cuida", False),
    (
        "Nota del [DATE_TIME:3/5/2023]." + " Sin cambios." * 5 + " Bebe en Navidad",
        False,
    ),
]


@pytest.mark.parametrize(("marked", "told"), FEASTS)
def test_a_feast_that_would_tell_a_date_becomes_its_tag(marked, told):
    text, _ = replaced(marked, KEYS[0])
    assert ("{FECHA}" in text) is told
    plain = re.sub(r"\[[A-Z_]+:([^]]+)\]", r"\1", marked)
    spans = [Span(0, 1, "PERSON", None, 0.0)]
    tagged = anonymize(plain, spans, "tag", second_pass=True).text
    assert "FECHA" not in tagged  # tags move no dates


CALENDAR = [
    "Cita [DATE_TIME:20/06/2023]; volvió el lunes 19 a las 9",
    "Cita [DATE_TIME:20/06/2023]; volvió el lunes [DATE_TIME:19] a las 9",
    "Dengue, SE 38, atendido el [DATE_TIME:20/09/2023]",
    "Semana epidemiológica 38 del 2023, folio 7",
    "Operada el [DATE_TIME:3/5/2023]; la menarca en marzo, mejor desde 2019",
    "El [DATE_TIME:2 de noviembre] va al panteón",
]
TELLING = re.compile(r"lunes 19|SE 38|ológica 38|en marzo|desde 2019|panteón")


@pytest.mark.parametrize("marked", CALENDAR)
@pytest.mark.parametrize("key", KEYS)
def test_what_tells_a_date_moves_with_it_or_becomes_a_tag(marked, key):
    text, _ = replaced(marked, key)
    assert not TELLING.search(text), text


@pytest.mark.parametrize("key", KEYS)
def test_the_people_of_a_state_go_where_the_state_goes(key):
    marked = (
        "Paciente poblano de [LOCATION:Puebla, Pue.]; sus vecinas poblanas le llevan "
        "mole poblano; un tapatío lo vio"
    )
    text, _ = replaced(marked, key)
    assert "mole poblano" in text and "un tapatío" not in text
    one, many = re.match(r"Paciente (\w+) de .*vecinas (\w+) le", text).groups()
    assert "poblan" not in one + many
    assert demonym(one) == demonym(many) != "PL"
    forms = {place_key(f) for f in lexicon_of_states(demonym(one))}
    assert any(form in place_key(text) for form in forms)


@pytest.mark.parametrize("key", KEYS)
def test_a_word_for_both_genders_becomes_another_or_a_tag(key):
    text, _ = replaced("la [LOCATION:jalisciense] y su esposo", key)
    (word,) = re.match(r"la (\S+) y", text).groups()
    assert word == "{CIUDAD}" or word.endswith(("ense", "ita", "teca"))


def lexicon_of_states(code):
    return atlas().state_names[code]


@pytest.mark.parametrize(
    ("word", "woman", "many"),
    [("leonesa", True, False), ("nayaritas", False, True), ("regia", True, False)],
)
def test_forms_of_demonyms(word, woman, many):
    for number in range(8):
        new = other_demonym(word, Context(Draw(bytes([number]) * 32)))
        assert new.endswith("s") is many or new.endswith("és")
        assert not (woman and new.endswith(("o", "és")))
    assert demonym("paciente") == ""


@pytest.mark.parametrize(
    ("word", "number", "new"),
    [
        ("ra", "5", "ta"),
        ("da", "1", "ra"),
        ("er", "2", "do"),
        ("to", "3", "ro"),
        ("er", "3", "er"),
        ("ta", "12", "va"),
        ("a", "7", "a"),
    ],
)
def test_endings_of_ordinals(word, number, new):
    assert ordinal_end(word, number) == new


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("R|U|I|Z| |A|N|A", "RUIZ ANA"),
        ("|R|U|I|Z|", "|R|U|I|Z|"),
        ("0|3|1|2|1|9|7|1", "03121971"),
        ("Ana|Ríos", "Ana|Ríos"),
        ("5|0", "5|0"),
    ],
)
def test_letters_in_boxes_are_read(text, meant):
    assert unboxed(text) == meant
    if text != meant:
        assert unboxed(boxed_like(text, "SOSA EVA")) == "SOSA EVA"
    else:
        assert boxed_like(text, "SOSA EVA") == "SOSA EVA"


@pytest.mark.parametrize("short", ["Hdez.", "Mtz", "Gpe.", "Ma.", "Fco."])
def test_short_names_become_usual_short_names_or_whole_ones(short):
    for number in range(12):
        key = f"key number {number} for these tests".encode()
        _, (new,) = replaced(f"[PERSON:{short}]", key)
        word = fold_key(new).rstrip(".")
        assert name_lists().knows(word) or word in name_lists().short, new
        assert word not in ("daz", "juaz", "ryes", "schz", "veron")


# Names and their code: which words of the new names are first surname, second, given.
CODED_PARTS = [
    (
        "('[MX_CURP:CUSL850930MSLRNZ01]','[PERSON:LUZ ELENA]','[PERSON:CRUZ]',"
        "'[PERSON:SAÑUDO]')",
        lambda code, given, first, second: (given, first, second),
    ),
    (
        "[MX_CURP:GAOM610729MDFYRR01] [PERSON:M A R T H A]   [PERSON:G A Y T A N]   "
        "[PERSON:O R T A]",
        lambda code, *parts: [part.replace(" ", "") for part in parts],
    ),
    (
        "[MX_CURP:SAEM810807HCCNCR01] Apellidos: [PERSON:Sansores Echazarreta]   "
        "Nombre(s): [PERSON:Mario Humberto]",
        lambda code, surnames, given: (given, *surnames.split()),
    ),
    (  # what stands behind "del" alone would have become another name
        "[MX_CURP:LIRA750522MSLZNL08] [PERSON:LIZÁRRAGA DEL RINCÓN ALBA NIDIA]",
        lambda code, name: (
            name.split()[-2],
            name.split()[0],
            name.split()[-3],
        ),
    ),
    (  # O and l of a scan
        "[MX_CURP:F0MJ5lO8l5MTSLNSO2] [PERSON:JUSTINA SERAFINA FLORES MONTES]",
        lambda code, name: (name.split()[0], *name.split()[-2:]),
    ),
]


@pytest.mark.parametrize(("marked", "parts"), CODED_PARTS)
@pytest.mark.parametrize("key", KEYS)
def test_a_code_follows_a_name_in_parts(marked, parts, key):
    _, values = replaced(marked, key)
    given, first, second = parts(*values)
    assert values[0][:4].upper() == curp_letters(given.split(), first, second)[0]


@pytest.mark.parametrize("key", KEYS)
def test_a_voter_key_follows_a_married_name(key):
    marked = (
        "[PERSON:Selma Jalil Nazar de Barrera], clave [MX_INE:JLNZSL58040704M300], "
        "le dicen [PERSON:Selmita]"
    )
    _, (name, code, called) = replaced(marked, key)
    given, first, second = name.split()[:3]
    assert code[:6] == voter_letters([given], first, second)
    assert called[:3].lower() == given[:3].lower()


# A code of a scan, and the shape of what stands for it.
SCANNED_CODES = [
    ("MX_INE", "FLM0JS5lO8l528M2OO", r"[A-Z]{6}\d{8}M\d{3}"),
    ("MX_INE", "ZPALR8OO921OOM1OO", r"[A-Z]{5}\d{8}M\d{3}"),
    ("MX_INE", "IDMEX1447l2OO98", r"IDMEX\d{10}"),
    ("MX_CURP", "51O8l57M26l231OMEX", r"\d{7}M\d{7}MEX"),
    ("MX_CURP", "F0MJ5lO8l5MTSLNS", r"[A-Z]{4}\d{6}M[A-Z]{5}"),
]


@pytest.mark.parametrize(("kind", "code", "shape"), SCANNED_CODES)
@pytest.mark.parametrize("key", KEYS)
def test_a_code_of_a_scan_keeps_digits_and_sex(kind, code, shape, key):
    _, (new,) = replaced(f"[{kind}:{code}]", key)
    assert re.fullmatch(shape, new)
    assert new != code


SPACED = [
    ("M A R T H A", "MARTHA"),
    ("R U I Z   A N A", "RUIZ ANA"),
    ("J M R", "J M R"),
    ("J M R L", "J M R L"),
    ("M a r t h a", "M a r t h a"),
]


@pytest.mark.parametrize(("text", "value"), SPACED)
def test_letters_with_blanks_are_a_word(text, value):
    assert unboxed(text) == value
    assert boxed_like(text, value) == text


# Who is named, and what is said of somebody else before: the sex of the new name.
SEXES = [
    ("Cuidado de la niña\n\nLIC. [PERSON:SALVADOR ARRIAGA BARBOSA]", "M"),
    ("[MX_CURP:LEWA531108MNERXN04],[PERSON:ANNE],[PERSON:LEROUX]", "F"),
    ("[PERSON:Rosalío Cuy]. Su hija [PERSON:Rosita]", "F"),
]


@pytest.mark.parametrize(("marked", "sex"), SEXES)
@pytest.mark.parametrize("key", KEYS)
def test_the_sex_of_another_is_not_taken(marked, sex, key):
    _, values = replaced(marked, key)
    names = [value.split()[0] for value in values if not re.search(r"\d", value)]
    name = names[-1] if "Rosita" in marked else names[0]
    listed = name_lists().sex(fold_key(name)) or sex
    assert listed in (sex, "U")
    assert not name.endswith("ito" if sex == "F" else "ita")


# What the words before a value say that it is, whatever was found.
MEANT = [
    ("calle [PERSON:Emilio Carranza] 88", "street"),
    ("vive en el ejido [PERSON:Suclumpá]", "place"),
    ("nacido en [PERSON:Santa Rosalía]", "place"),
    ("entrega al OF. [LOCATION:Carrasco]", "person"),
    ("clases en [LOCATION:Conalep]", "kept"),
    ("patrón [PERSON:Laboratorio Ruiz]", "firm"),
]


@pytest.mark.parametrize(("marked", "kind"), MEANT)
@pytest.mark.parametrize("key", KEYS)
def test_a_value_is_replaced_as_what_it_is_meant(marked, kind, key):
    _, (new,) = replaced(marked, key)
    group = name_classes().group(fold_key(new))
    is_place = place_key(new) in {*atlas().municipalities, *atlas().towns}
    told = {
        "street": is_street(new),
        "place": is_place,
        "person": "surname" in group or "mixed" in group,
        "kept": new == "Conalep",
        "firm": new.startswith("Laboratorio "),
    }
    assert told[kind], new


@pytest.mark.parametrize("key", KEYS)
def test_a_dictated_name_is_spelt_as_the_new_one(key):
    marked = "[PERSON:josé tlacotempa], [PERSON:te, ele, a, ce, o, te, e, eme, pe, a]."
    _, (name, spelt) = replaced(marked, key)
    said = "".join(spoken.signs for spoken in read_spoken(spelt))
    assert said.lower() == fold_key(name.split()[-1])


@pytest.mark.parametrize(
    ("name", "kind"),
    [("Peter Friesen", "mennonite"), ("Rosa Nassar", "arab"), ("Luis Wong", "asian")],
)
@pytest.mark.parametrize("key", KEYS)
def test_a_surname_from_abroad_stays_of_its_origin(name, kind, key):
    _, (new,) = replaced(f"Sr. [PERSON:{name}]", key)
    assert name_classes().group(fold_key(new.split()[-1])).startswith(kind)


@pytest.mark.parametrize(
    ("nickname", "name"),
    [("Beto", "Humberto"), ("Chon", "Asunción"), ("Tacho", "Eustacio")],
)
@pytest.mark.parametrize("key", KEYS)
def test_a_nickname_of_several_names_is_of_whom_the_note_names(nickname, name, key):
    _, (new, called) = replaced(
        f"[PERSON:{name} Ríos Paz], le dicen [PERSON:{nickname}]", key
    )
    assert is_short_for(fold_key(called), fold_key(new.split()[0]))


@pytest.mark.parametrize("key", KEYS)
def test_two_usual_names_that_look_alike_are_two(key):
    _, (first, second) = replaced(
        "[PERSON:Israel Dueñas] y su hijo [PERSON:Ismael]", key
    )
    assert name_lists().knows(fold_key(second))
    assert second != first.split()[0]


@pytest.mark.parametrize("key", KEYS)
def test_a_town_is_of_the_state_behind_it(key):
    marked = (
        "De [LOCATION:México], [LOCATION:Distrito Federal]. "
        "Vive en [LOCATION:Morelia], [LOCATION:Michoacán]; "
        "antes en [LOCATION:Benito Juárez], [LOCATION:Quintana Roo]. "
        "Vuelve a [LOCATION:Benito Juárez]"
    )
    _, new = replaced(marked, key)
    for town, state in zip(new[:6:2], new[1:6:2], strict=True):
        code = atlas().state_forms[place_key(state)]
        assert atlas().town(place_key(town), code).state == code, (town, state)
    assert new[6] == new[4]


@pytest.mark.parametrize(("nickname", "tagged"), [("Chuy", False), ("Concha", True)])
def test_a_nickname_counts_as_the_name_that_the_note_has(nickname, tagged):
    text = f"Jesús Mendoza Mares. {nickname} dice"
    at = text.index(nickname)
    spans = [
        Span(0, 19, "PERSON", None, 0.9),
        Span(at, at + len(nickname), "PERSON", None, 0.7),
    ]
    new = anonymize(text, spans, "surrogate", key=KEYS[0]).text
    assert ("{NOMBRE} dice" in new) is tagged
    assert nickname not in new


def test_states_stay_where_places_stay_in_their_state():
    text = "De Puebla, Pue. Vive en Coatepec, Ver."
    spans = [
        Span(m.start(), m.end(), "LOCATION", None, 1.0)
        for m in re.finditer(r"Puebla|Pue\.|Coatepec|Ver\.", text)
    ]
    new = anonymize(text, spans, same_state("research"), key=KEYS[0]).text
    town = re.fullmatch(r"De \{CIUDAD\}, Pue\. Vive en (.+), Ver\.", new)
    assert town and town[1] != "Coatepec"
