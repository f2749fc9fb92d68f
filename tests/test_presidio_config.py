"""The configuration files for stock servers: shipped, written, and read by Presidio."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from presidio_analyzer import AnalyzerEngineProvider

from presidio_mx import analyze
from presidio_mx.analyzer.recognizer import recognizer_classes
from presidio_mx.declarations import PRESETS
from presidio_mx.errors import ConfigurationError
from presidio_mx.resources import folder
from presidio_mx.service.presidio_config import GUNICORN, config_files, write_config
from presidio_mx.service.schema import allow_parameters

NOTE = "Paciente hipertenso Jesús Mendoza Mares es remiso. Tel. 443 312 4567"
SHIPPED = {
    "server/analyzer.yaml": "analyzer.yaml",
    "server/analyzer-split.yaml": "analyzer-split.yaml",
    "server/nlp.yaml": "nlp.yaml",
    "server/recognizers.yaml": "recognizers.yaml",
}


@pytest.fixture(scope="module", autouse=True)
def known():
    allow_parameters()


@pytest.fixture
def written(tmp_path):
    return {path.name: path for path in write_config(tmp_path / "conf")}


def provided(written, split):
    if split:
        return AnalyzerEngineProvider(
            analyzer_engine_conf_file=written["analyzer-split.yaml"],
            nlp_engine_conf_file=written["nlp.yaml"],
            recognizer_registry_conf_file=written["recognizers.yaml"],
        ).create_engine()
    return AnalyzerEngineProvider(
        analyzer_engine_conf_file=written["analyzer.yaml"]
    ).create_engine()


def in_order(data):
    registry = data.get("recognizer_registry", data)
    registry.get("recognizers", []).sort(key=lambda entry: entry["name"])
    return data


@pytest.mark.parametrize(("shipped", "name"), SHIPPED.items())
def test_shipped_files_are_what_the_command_writes(shipped, name):
    text = (folder("recognizers") / shipped).read_text(encoding="utf-8")
    assert in_order(yaml.safe_load(text)) == in_order(
        yaml.safe_load(config_files()[name])
    )


@pytest.mark.parametrize("split", [False, True], ids=["single", "split"])
def test_presidio_reads_what_is_written(written, split):
    engine = provided(written, split)
    found = engine.analyze(NOTE, language="es")
    assert {(r.start, r.end, r.entity_type) for r in found} == {
        (r.start, r.end, r.entity_type) for r in analyze(NOTE)
    }


def test_environment_file_names_files_that_exist(written):
    lines = written["presidio.env"].read_text().replace("#   ", "").splitlines()
    settings = dict(line.split("=", 1) for line in lines if "=" in line)
    assert settings.pop("GUNICORN_CMD_ARGS") == GUNICORN
    assert len(settings) == 3
    for value in settings.values():
        assert Path(value).is_absolute()
        assert Path(value).is_file()


def test_site_and_preset_reach_the_recognizers(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "deny.tsv").write_text("text\tentity\nEl Zopilote\tPERSON\n", "utf-8")
    files = {p.name: p for p in write_config(tmp_path / "conf", site=site)}
    for split in (False, True):
        found = provided(files, split).analyze("Lo trae El Zopilote.", language="es")
        assert (8, 19) in {(r.start, r.end) for r in found}
    spain = {p.name: p for p in write_config(tmp_path / "spain", preset="es-ES")}
    engine = provided(spain, split=True)
    assert {r.preset.name for r in engine.registry.recognizers} == {"es-ES"}


def test_a_misspelt_parameter_is_refused(written):
    path = written["analyzer.yaml"]
    text = path.read_text().replace(
        "name: MxPersonRecognizer", "name: MxPersonRecognizer\n    presett: mx"
    )
    path.write_text(text)
    with pytest.raises(TypeError, match="presett"):
        provided(written, split=False)


def test_existing_files_stay_unless_forced(written, tmp_path):
    written["nlp.yaml"].write_text("mine")
    with pytest.raises(ConfigurationError, match="nlp.yaml"):
        write_config(tmp_path / "conf")
    assert written["nlp.yaml"].read_text() == "mine"
    write_config(tmp_path / "conf", replace=True)
    assert written["nlp.yaml"].read_text() != "mine"
    assert not list((tmp_path / "conf").glob("*.part"))


def test_unknown_preset_is_named(tmp_path):
    with pytest.raises(ConfigurationError, match="mars"):
        write_config(tmp_path, preset="mars")


def test_a_fresh_server_finds_the_classes_of_every_preset():
    code = (
        "import presidio_mx; presidio_mx.load()\n"
        "from presidio_analyzer import EntityRecognizer as E\n"
        "print(*[c.__name__ for b in E.__subclasses__() for c in b.__subclasses__()])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    wanted = {c.__name__ for p in PRESETS for c in recognizer_classes(p)}
    assert wanted <= set(done.stdout.split())


def test_a_class_made_from_a_rule_file_is_an_ordinary_class():
    for cls in recognizer_classes("mx") + recognizer_classes("es-ES"):
        assert pickle.loads(pickle.dumps(cls)) is cls
        assert cls.ENTITIES and cls.__doc__
    assert recognizer_classes("es-ES")[0].COUNTRY_CODE == "es"
    with pytest.raises(ImportError):
        from presidio_mx.analyzer.recognizer import MxNobodyRecognizer  # noqa: F401


def test_importing_the_recognizers_reads_no_rules():
    code = (
        "import presidio_mx, presidio_mx.entities, presidio_mx.schemes\n"
        "import presidio_mx.analyzer.recognizer, presidio_mx.declarations as d\n"
        "print(d.declarations.cache_info().misses)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "0"
