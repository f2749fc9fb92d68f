"""Area codes of Mexico (claves lada) with city and state."""

from phonenumbers.geodata import GEOCODE_DATA

from gazetteers.builder.common import FOLDER, Table, hand_sections
from presidio_mx.spanish.gazetteer import read_table
from presidio_mx.text.folding import fold_key

# Two-digit codes (IFT numbering plan); phonenumbers lists their blocks one by one.
_TWO_DIGITS = (
    ("33", "Guadalajara", "JC"),
    ("55", "Ciudad de México", "DF"),
    ("56", "Ciudad de México", "DF"),
    ("81", "Monterrey", "NL"),
)


def area_codes() -> Table:
    """Return area codes; of the cities of a code the largest is named."""
    states: dict[str, str] = {}
    for row in read_table(FOLDER / "states.tsv"):
        for name in [row["name"], row["capital"], *row["abbreviations"].split(";")]:
            states.setdefault(fold_key(name).replace(".", ""), row["code"])
    # phonenumbers writes three states in ways of its own.
    states |= {"edomex": "MC", "mex": "MC", "bcn": "BC", "bcs": "BS", "slp": "SP"}
    sizes: dict[tuple[str, str], int] = {}
    spelt: dict[tuple[str, str], str] = {}
    for row in read_table(FOLDER / "municipalities.tsv"):
        key = (fold_key(row["name"]), row["state"])
        sizes[key], spelt[key] = int(row["population"]), row["name"]
    rows = {code: (code, city, state) for code, city, state in _TWO_DIGITS}
    for (state,), entries in hand_sections("area_codes"):
        for entry in entries:
            city, _, code = entry.partition("=")
            rows[code] = (code, city, state)
    for prefix, names in sorted(GEOCODE_DATA.items()):
        code = prefix.removeprefix("52")
        known = code in rows or code[:2] in rows
        if code == prefix or len(code) != 3 or known:
            continue
        cities, _, state = names.get("es", names["en"]).partition(", ")
        label = fold_key(state or cities).replace(".", "")
        state_code = states.get(label, "")
        keys = [(fold_key(city), state_code) for city in cities.split("/")]
        key = max(keys, key=lambda k: sizes.get(k, -1))
        city = spelt.get(key, cities.split("/")[keys.index(key)])
        rows[code] = (code, city if state else "", state_code)
    origin = [
        "Origin: phonenumbers 9 (geocoding data for +52, Apache 2.0) and "
        "hand/area_codes.txt (MIT, this project).",
        "Of the cities of a code the largest; city is empty where the source has the "
        "state only. state: CURP code.",
    ]
    return Table("area_codes", origin, ("code", "city", "state"), sorted(rows.values()))
