"""The sub-commands of the program: where each is written, and its help."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A sub-command.

    :param module: Where it is written; importing it loads nothing heavy.
    :param function: Its function; its name is the command's, less the group's.
    :param english: One line of help.
    :param spanish: The same in Spanish.
    :param group: Group of commands that it belongs to, or empty.
    """

    module: str
    function: str
    english: str
    spanish: str
    group: str = ""


COMMANDS = (
    Command(
        "presidio_mx.work.cli.note",
        "anonymize",
        "De-identify one note and print it.",
        "Desidentifica una nota y la imprime.",
    ),
    Command(
        "presidio_mx.work.cli.note",
        "analyze",
        "List what identifies somebody in a note, and which rule found it.",
        "Lista lo que identifica a alguien en una nota y la regla que lo encontró.",
    ),
    Command(
        "presidio_mx.work.cli.note",
        "show",
        "Show a note with the findings in colour.",
        "Muestra una nota con lo encontrado en color.",
    ),
    Command(
        "presidio_mx.work.cli.batch",
        "batch",
        "De-identify a folder or table in several processes; can be resumed.",
        "Desidentifica una carpeta o tabla en varios procesos; se puede reanudar.",
    ),
    Command(
        "presidio_mx.work.cli.triage",
        "triage",
        "List which rows of a batch may be released and which need review, by risk.",
        "Dice qué filas de un lote pueden liberarse y cuáles deben leerse.",
    ),
    Command(
        "presidio_mx.work.cli.release",
        "release",
        "Merge the decisions of a review into a batch, and report what is released.",
        "Une lo que decidió una revisión con su lote e informa de lo que se libera.",
    ),
    Command(
        "presidio_mx.work.cli.risk",
        "risk",
        "Estimate the risk of re-identification in a corpus, and what lowers it.",
        "Dice cuán fácil es nombrar a las personas de un corpus y qué lo reduce.",
    ),
    Command(
        "presidio_mx.work.cli.lists",
        "entities",
        "List the entities that are found, and the recognizer of each.",
        "Lista las entidades que se encuentran y el reconocedor de cada una.",
    ),
    Command(
        "presidio_mx.work.cli.lists",
        "recognizers",
        "List the recognizers, their rule files and the number of their rules.",
        "Lista los reconocedores, sus archivos y cuántas reglas tienen.",
    ),
    Command(
        "presidio_mx.work.cli.lists",
        "rules",
        "List the rules; with --hits, count what each finds in annotated notes.",
        "Lista las reglas; con --hits, cuenta lo que halla cada una en notas anotadas.",
    ),
    Command(
        "presidio_mx.work.cli.cohort",
        "cohort",
        "Clean, de-identify and enrich a table of discharge summaries.",
        "Limpia, desidentifica y enriquece una tabla de notas de egreso.",
    ),
    Command(
        "presidio_mx.work.cli.estimate",
        "estimate",
        "Estimate recall on notes that nobody has marked, by capture-recapture.",
        "Estima la exhaustividad en notas que nadie ha marcado (captura y recaptura).",
    ),
    Command(
        "presidio_mx.work.cli.lists",
        "check",
        "Check a site's own lists and rules.",
        "Revisa las listas y reglas propias del hospital.",
    ),
    Command(
        "presidio_mx.work.cli.lists",
        "doctor",
        "Say what is installed and whether it works.",
        "Dice qué está instalado y si funciona.",
    ),
    Command(
        "presidio_mx.work.cli.restore",
        "reidentify",
        "Restore a de-identified note from the encrypted vault.",
        "Restaura una nota desidentificada con la bóveda cifrada.",
    ),
    Command(
        "presidio_mx.work.cli.restore",
        "decrypt",
        "Decrypt the values of a note that the profile encrypt wrote.",
        "Descifra los valores de una nota hecha con el perfil encrypt.",
    ),
    Command(
        "presidio_mx.work.cli.restore",
        "obfuscate",
        "Replace every word of a note by one of its nearest neighbours.",
        "Sustituye cada palabra de una nota por una de las más cercanas.",
    ),
    Command(
        "presidio_mx.work.cli.synthesize",
        "synthesize",
        "Write invented notes with gold spans.",
        "Escribe notas inventadas con sus marcas correctas.",
    ),
    Command(
        "presidio_mx.work.cli.config",
        "presidio_config",
        "Write the configuration files of a stock Presidio server.",
        "Escribe la configuración para un servidor estándar de Presidio.",
    ),
    Command(
        "presidio_mx.work.cli.restore",
        "train_embeddings",
        "Train Word2Vec vectors on de-identified notes, for obfuscation.",
        "Entrena vectores Word2Vec con notas desidentificadas, para ofuscar.",
        "train",
    ),
    Command(
        "presidio_mx.work.cli.train",
        "train_crf",
        "Train a conditional random field (extra crf).",
        "Entrena un campo aleatorio condicional (extra crf).",
        "train",
    ),
    Command(
        "presidio_mx.work.cli.train",
        "train_bilstm_crf",
        "Train a BiLSTM-CRF (extra bilstm-crf; on a GPU where there is one).",
        "Entrena una BiLSTM-CRF (extra bilstm-crf; en GPU si la hay).",
        "train",
    ),
    Command(
        "presidio_mx.work.cli.train",
        "train_flair",
        "Train a Flair tagger as ADAP was (extra flair; needs its own environment).",
        "Entrena un etiquetador Flair como ADAP (extra flair; en un entorno propio).",
        "train",
    ),
    Command(
        "presidio_mx.work.cli.train_transformer",
        "train_transformer",
        "Train a transformer (extra train; on a GPU where there is one).",
        "Entrena un transformer (extra train; en GPU si la hay).",
        "train",
    ),
    Command(
        "presidio_mx.work.cli.train_transformer",
        "train_calibration",
        "Fit the probability that a finding is right from its evidence.",
        "Ajusta la probabilidad de que un hallazgo sea correcto.",
        "train",
    ),
)
