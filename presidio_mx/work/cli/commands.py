"""The sub-commands of the program: where each is written, and its help."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True)
class Command:
    """A sub-command.

    :param module: Where it is written, beside this; importing it loads nothing heavy.
    :param function: Its function; its name is the command's, less the group's.
    :param spanish: One line of help in Spanish.
    :param group: Group of commands that it belongs to, or empty.
    """

    module: str
    function: str
    spanish: str
    group: str = ""

    def load(self) -> Callable[..., None]:
        """Return its function."""
        module = import_module(f"presidio_mx.work.cli.{self.module}")
        function: Callable[..., None] = getattr(module, self.function)
        return function

    @property
    def english(self) -> str:
        """The same help in English: the first line of what its function says."""
        return (self.load().__doc__ or "").partition("\n")[0]


COMMANDS = (
    Command("note", "anonymize", "Desidentifica una nota y la imprime."),
    Command(
        "note",
        "analyze",
        "Lista lo que identifica a alguien en una nota y la regla que lo encontró.",
    ),
    Command("note", "show", "Muestra una nota con lo encontrado en color."),
    Command(
        "batch",
        "batch",
        "Desidentifica una carpeta o tabla en varios procesos; se puede reanudar.",
    ),
    Command(
        "triage",
        "triage",
        "Dice qué filas de un lote pueden liberarse y cuáles deben leerse.",
    ),
    Command(
        "release",
        "release",
        "Une lo que decidió una revisión con su lote e informa de lo que se libera.",
    ),
    Command(
        "risk",
        "risk",
        "Dice cuán fácil es nombrar a las personas de un corpus y qué lo reduce.",
    ),
    Command(
        "lists",
        "entities",
        "Lista las entidades que se encuentran y el reconocedor de cada una.",
    ),
    Command(
        "lists",
        "recognizers",
        "Lista los reconocedores, sus archivos y cuántas reglas tienen.",
    ),
    Command(
        "lists",
        "rules",
        "Lista las reglas; con --hits, cuenta lo que halla cada una en notas anotadas.",
    ),
    Command(
        "cohort",
        "cohort",
        "Limpia, desidentifica y enriquece una tabla de notas de egreso.",
    ),
    Command(
        "estimate",
        "estimate",
        "Estima la exhaustividad en notas que nadie ha marcado (captura y recaptura).",
    ),
    Command("lists", "check", "Revisa las listas y reglas propias del hospital."),
    Command("lists", "doctor", "Dice qué está instalado y si funciona."),
    Command(
        "restore",
        "reidentify",
        "Restaura una nota desidentificada con la bóveda cifrada.",
    ),
    Command(
        "restore",
        "decrypt",
        "Descifra los valores de una nota hecha con el perfil encrypt.",
    ),
    Command(
        "restore",
        "obfuscate",
        "Sustituye cada palabra de una nota por una de las más cercanas.",
    ),
    Command(
        "synthesize", "synthesize", "Escribe notas inventadas con sus marcas correctas."
    ),
    Command(
        "config",
        "presidio_config",
        "Escribe la configuración para un servidor estándar de Presidio.",
    ),
    Command(
        "restore",
        "train_embeddings",
        "Entrena vectores Word2Vec con notas desidentificadas, para ofuscar.",
        "train",
    ),
    Command(
        "train",
        "train_crf",
        "Entrena un campo aleatorio condicional (extra crf).",
        "train",
    ),
    Command(
        "train",
        "train_bilstm_crf",
        "Entrena una BiLSTM-CRF (extra bilstm-crf; en GPU si la hay).",
        "train",
    ),
    Command(
        "train",
        "train_flair",
        "Entrena un etiquetador Flair como ADAP (extra flair; en un entorno propio).",
        "train",
    ),
    Command(
        "train_transformer",
        "train_transformer",
        "Entrena un transformer (extra train; en GPU si la hay).",
        "train",
    ),
    Command(
        "train_transformer",
        "train_calibration",
        "Ajusta la probabilidad de que un hallazgo sea correcto.",
        "train",
    ),
)
