"""Ordinary words and clinical terms: what a name detector must not take for a name."""

import csv
import io
import re
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path

from gazetteers.builder import verbs
from gazetteers.builder.common import (
    HAND,
    Table,
    hand_sections,
    hand_words,
    is_spanish_word,
    marks,
    package_data,
    probabilities,
)
from presidio_mx.text.folding import fold_key

_LEXICON_ORIGIN = [
    "Origin: word frequencies of spacy-lookups-data 1.0.5 (es_lexeme_prob, MIT); words "
    "of ICD-10 descriptions (cie 0.208, MIT);",
    "words of the MEDDOCAN train texts outside marked spans (Marimon et al. 2019, "
    "CC BY 4.0); verb forms by rule and words kept by hand (MIT, this project).",
    "weight: 0 (rare) to 100 (commonest), linear in the logarithm of the frequency. "
    "kind: w ordinary, m medical.",
]
_TERMS_ORIGIN = [
    "Origin: abbreviations and section words of Mexican clinical notes kept by hand "
    "(gazetteers/hand/medical_terms.txt, MIT, this project);",
    "disease words of ICD-10 descriptions (cie 0.208, MIT) and of the MEDDOCAN train "
    "texts outside marked spans (Marimon et al. 2019, CC BY 4.0).",
]
# Natural logarithms of probability in es_lexeme_prob: the commonest word and the
# rarest form that the lexicon keeps.
_COMMONEST, _RAREST = -2.8, -17.3
_VOWEL = re.compile("[aeiouáéíóúy]")


@cache
def _name_keys() -> frozenset[str]:
    """Return the folded names whose words need proof that they are words as well."""
    from gazetteers.builder.people import given_names, surnames

    keys = {fold_key(str(row[0])) for row in given_names().rows}
    keys |= {fold_key(str(row[0])).rsplit(" ", 1)[-1] for row in surnames().rows}
    return frozenset(keys)


@cache
def _clinical_words() -> frozenset[str]:
    """Return lower-case words of clinical texts: MEDDOCAN and ICD-10 descriptions."""
    found = set(hand_words("clinical_words"))
    path = package_data("cie", "data", "cie-10.zip")
    with zipfile.ZipFile(path) as archive:
        text = archive.read(archive.namelist()[0]).decode("utf-8")
    counts: Counter[str] = Counter()
    for row in csv.DictReader(io.StringIO(text)):
        words = re.findall(r"[^\W\d_]+", row["description"])
        # The first word of a description is capitalised whatever it is.
        counts.update(word for word in words[1:] if word.islower())
    common = {word for word, count in counts.items() if count >= 2}
    return frozenset(word for word in found | common if is_spanish_word(word))


def write_clinical_words(notes: Path) -> None:
    """Derive ``hand/clinical_words.txt`` from annotated clinical texts.

    Takes lower-case words that stand outside every marked span in at least two texts.

    :param notes: Folder with brat files (``.txt`` and ``.ann``).
    """
    counts: Counter[str] = Counter()
    for path in sorted(notes.glob("*.txt")):
        text = list(path.read_text(encoding="utf-8"))
        for line in path.with_suffix(".ann").read_text(encoding="utf-8").splitlines():
            if line.startswith("T"):
                _, start, end = line.split("\t")[1].split()[:3]
                text[int(start) : int(end)] = " " * (int(end) - int(start))
        words = re.findall(r"[^\W\d_]+", "".join(text))
        counts.update({word for word in words if word.islower() and len(word) > 2})
    kept = sorted(w for w, n in counts.items() if n >= 2 and is_spanish_word(w))
    header = (
        "# Lower-case words outside marked spans in at least two of the 500 train\n"
        "# texts of MEDDOCAN (Marimon et al., IberLEF 2019, CC BY 4.0); made by\n"
        "# python -m gazetteers.build --notes FOLDER lexicon\n"
    )
    target = HAND / "clinical_words.txt"
    target.write_text(header + "\n".join(kept) + "\n", encoding="utf-8")


def _weight(probability: float) -> int:
    share = (probability - _RAREST) / (_COMMONEST - _RAREST)
    return max(1, min(100, round(100 * share)))


def _best(word: str) -> float:
    return probabilities("es").get(word, -25.0)


def _foreign(word: str, value: float) -> bool:
    """Tell whether a word is English that found its way into Spanish texts."""
    return not marks(word) and probabilities("en").get(word, -25.0) > value + 2.0


def _unaccented_slips() -> frozenset[str]:
    """Return unaccented spellings whose accented form is much commoner."""
    best: dict[str, float] = {}
    for word, value in probabilities("es").items():
        if marks(word) and word.islower():
            key = fold_key(word)
            best[key] = max(best.get(key, -25.0), value)
    table = probabilities("es")
    return frozenset(
        key for key, value in best.items() if table.get(key, 0) < value - 1
    )


def _is_ordinary(word: str, value: float) -> bool:
    """Tell whether a lower-case form is an ordinary word by its frequencies alone."""
    if not is_spanish_word(word) or len(word) < 2 or not _VOWEL.search(word):
        return False
    if re.search(r"(.)\1\1", word) or _foreign(word, value):
        return False
    capitalised = max(_best(word.capitalize()), _best(word.upper()) - 1.0)
    if fold_key(word) in _name_keys():
        return value > max(capitalised + 1.0, -15.0)
    return value > capitalised + (0.3 if value < -16.5 else -0.3)


def lexicon() -> Table:
    """Return ordinary and medical word forms."""
    never = {fold_key(word) for word in hand_words("not_words")}
    slips = _unaccented_slips()
    rows: dict[str, tuple[int, str]] = {}
    for word, value in probabilities("es").items():
        if value < _RAREST or not word.islower() or word in slips:
            continue
        if fold_key(word) not in never and _is_ordinary(word, value):
            rows[word] = (_weight(value), "w")
    names = _name_keys()
    medical = {w for p, es in hand_sections("words") if p == ["m"] for w in es}
    for word in sorted(_clinical_words()):
        if fold_key(word) in never or len(word) < 3:
            continue
        value = _best(word)
        if fold_key(word) in names and value <= _best(word.capitalize()):
            continue
        if value < -13.0:
            medical.add(word)
        elif word not in rows:
            rows[word] = (_weight(value), "w")
    for _, entries in hand_sections("words"):
        for word in entries:
            rows[word] = (_weight(max(_best(word), -16.0)), "w")
    for word in verbs.forms(hand_words("verbs")):
        if word not in rows and fold_key(word) not in names:
            rows[word] = (_weight(max(_best(word), -17.0)), "w")
    for word in medical:
        rows[word] = (_weight(max(_best(word), -15.5)), "m")
    ordered = [(word, *rows[word]) for word in sorted(rows)]
    return Table("lexicon", _LEXICON_ORIGIN, ("word", "weight", "kind"), ordered)


def medical_terms() -> Table:
    """Return clinical abbreviations, section words and disease words."""
    rows: dict[str, str] = {}
    for parameters, entries in hand_sections("medical_terms"):
        for term in entries:
            rows.setdefault(term, parameters[0])
    names = _name_keys()
    endings = re.compile(
        r"(itis|osis|emia|uria|algia|oma|omas|patía|ectomía|plastia|scopia|grafía|"
        r"plejia|paresia|penia|rragia|cele|lisis|tomía|stomía|rrea|fagia|pnea|cardia|"
        r"megalia|trofia|plasia|tensión|estesia|genia|dinia|malacia|esclerosis)$"
    )
    folded = {fold_key(term) for term in rows}
    for word in sorted(_clinical_words()):
        key = fold_key(word)
        if endings.search(word) and len(word) > 5 and key not in names | folded:
            rows[word] = "term"
    ordered = sorted(rows.items(), key=lambda row: (row[1], fold_key(row[0]), row[0]))
    return Table("medical_terms", _TERMS_ORIGIN, ("term", "kind"), ordered)


def drugs() -> Table:
    """Return generic names and brands of medicines."""
    rows: dict[str, tuple[str, str]] = {}
    for (kind,), entries in hand_sections("drugs"):
        for name in entries:
            rows.setdefault(fold_key(name), (name, kind))
    stems = re.compile(
        r"(cilina|ciclina|micina|floxacin[oa]?|prazol|conazol|nidazol|bendazol|sartán|"
        r"sartan|pril|olol|statina|dipin[oa]|gliptina|gliflozina|glutida|tidina|triptán|"
        r"setrón|caína|curonio|azepam|azolam|barbital|oxetina|azapina|peridol|tiazida|"
        r"semida|sulfamida|vudina|ciclovir|navir|tegravir|buvir|mab|tinib|zomib|platino|"
        r"rubicina|taxel|bicina|cristina|mustina|grel|parina|xabán|fibrato|dronato|"
        r"coxib|profeno|fenaco|metacina|oxicam|terol|tropio|lukast|sonida|metasona|"
        r"nisona|nisolona|cortisona|ticasona|gestrel|gesterona|estradiol|morelina|"
        r"tirizina|feniramina|zosina|glitazona|mivir)$"
    )
    words = _clinical_words() | {
        word
        for word, value in probabilities("es").items()
        if value > -18.5 and word.islower() and is_spanish_word(word)
    }
    names = _name_keys()
    no = {fold_key(word) for word in hand_words("not_drugs")}
    slips = _unaccented_slips()
    for word in sorted(words - slips, key=lambda w: (-marks(w), w)):
        key = fold_key(word)
        if stems.search(word) and len(word) > 7 and key not in names | no:
            rows.setdefault(key, (word, "generic"))
    ordered = sorted(rows.values(), key=lambda row: (row[1], fold_key(row[0])))
    origin = [
        "Origin: names in use in Mexico kept by hand (gazetteers/hand/drugs.txt, MIT, "
        "this project);",
        "further generics by their official stems (-cilina, -sartán, -mab ...) from "
        "spacy-lookups-data (MIT), ICD-10 descriptions (cie, MIT) and the MEDDOCAN "
        "train texts (CC BY 4.0).",
    ]
    return Table("drugs", origin, ("name", "kind"), ordered)
