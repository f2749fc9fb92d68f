"""Arguments and options of ``presidio-mx evaluate``."""

from pathlib import Path
from typing import Annotated

from presidio_mx.work.cli.options import argument, option

GoldArgument = Annotated[
    Path,
    argument(
        "Folder or file with gold spans.", "Carpeta o archivo con marcas correctas."
    ),
]
FormatOption = Annotated[
    str,
    option("Format of the gold corpus.", "Formato del corpus correcto.", "--format"),
]
PredictionsFormatOption = Annotated[
    str,
    option(
        "Format of predictions; else that of the gold.",
        "Formato de las predicciones; si no, el del corpus.",
    ),
]
SchemeOption = Annotated[
    str, option("native, thesis, adap or meddocan.", "native, thesis, adap o meddocan.")
]
SpacyOption = Annotated[
    str,
    option(
        "For the preset stock: spaCy package or folder.",
        "Para el preset stock: paquete o carpeta de spaCy.",
    ),
]
RoundsOption = Annotated[
    int,
    option(
        "Bootstrap samples for the intervals.",
        "Remuestreos para los intervalos.",
        min=10,
    ),
]
PresetOption = Annotated[
    str,
    option(
        "mx, es-ES, ADBDC, ADAP, hc-ribeirao or stock.",
        "mx, es-ES, ADBDC, ADAP, hc-ribeirao o stock.",
    ),
]
PredictionsOption = Annotated[
    Path | None,
    option(
        "Score these files instead of an analyzer.",
        "Evalúa estos archivos en vez de un analizador.",
    ),
]
WritePredictionsOption = Annotated[
    Path | None,
    option(
        "New folder for the predictions in brat format.",
        "Carpeta nueva para las predicciones en formato brat.",
    ),
]
RewrittenOption = Annotated[
    Path | None,
    option(
        "Folder of anonymised .txt notes: recall in rewritten text.",
        "Carpeta de notas .txt anonimizadas: exhaustividad en lo reescrito.",
    ),
]
ThresholdOption = Annotated[
    float, option("Levenshtein threshold.", "Umbral de Levenshtein.", min=0.0, max=1.0)
]
LevenshteinOption = Annotated[
    str,
    option(
        "Similarity of two texts: indel (catches more) or equation, as printed.",
        "Parecido de dos textos: indel (atrapa más) o equation, como impresa.",
    ),
]
LossOption = Annotated[
    bool,
    option(
        "Measure what is lost: ROUGE, BLEU, clinical information loss.",
        "Qué se pierde: ROUGE, BLEU, información clínica.",
    ),
]
TopOption = Annotated[
    int, option("Categories for the loss.", "Categorías para la pérdida.", min=1)
]
CoderOption = Annotated[
    Path | None,
    option(
        "Folder of an ICD-10 classifier; else a light lexical coder.",
        "Carpeta de un clasificador CIE-10; si no, uno léxico ligero.",
    ),
]
BertModelOption = Annotated[
    Path | None,
    option("Folder of a model for BERTScore.", "Carpeta de un modelo para BERTScore."),
]
HtmlOption = Annotated[
    Path | None, option("Write a report page.", "Escribe un informe HTML.")
]
JsonOption = Annotated[
    Path | None, option("Write the figures.", "Escribe las cifras (JSON).", "--json")
]
FirstArgument = Annotated[
    str,
    argument(
        "Predictions (folder or file), or a preset and a model: mx, mx:none.",
        "Predicciones (carpeta o archivo), o un preset y modelo: mx, mx:none.",
    ),
]
SecondArgument = Annotated[str, argument("The same.", "Lo mismo.")]
GoldOption = Annotated[Path, option("Gold corpus.", "Corpus correcto.")]
ComparisonOption = Annotated[
    Path | None,
    option(
        "Write a page with both side by side.",
        "Escribe una página con ambos lado a lado.",
    ),
]
NotesArgument = Annotated[
    Path,
    argument(
        "Folder of de-identified .txt notes.", "Carpeta de notas .txt desidentificadas."
    ),
]
CountOption = Annotated[int, option("How many.", "Cuántas.", "--n", min=1)]
SheetOutputOption = Annotated[Path, option("New CSV file.", "Archivo CSV nuevo.")]
SheetArgument = Annotated[Path, argument("The filled CSV.", "El CSV ya llenado.")]
