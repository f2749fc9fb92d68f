"""The configuration files for stock servers: shipped, written, and read by Presidio."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
import yaml
from presidio_analyzer import AnalyzerEngineProvider

from presidio_mx import ConfigurationError, analyze, engine_from_config, register
from presidio_mx.declarations import PRESETS
from presidio_mx.find.ner.transformer import transformer_available
from presidio_mx.find.recognizer import recognizer_classes
from presidio_mx.resources import folder
from presidio_mx.work.service.presidio_config import (
    GUNICORN,
    Wanted,
    config_files,
    parse_also,
    presidio_default,
    write_config,
)
from presidio_mx.work.service.presidio_merge import merge_config

NOTE = "Paciente hipertenso Jesús Mendoza Mares es remiso. Tel. 443 312 4567"
SHIPPED = {
    "server/analyzer.yaml": "analyzer.yaml",
    "server/analyzer-split.yaml": "analyzer-split.yaml",
    "server/nlp.yaml": "nlp.yaml",
    "server/recognizers.yaml": "recognizers.yaml",
}


@pytest.fixture(scope="module", autouse=True)
def known():
    register()


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


@pytest.mark.skipif(not transformer_available(), reason="needs onnxruntime")
@pytest.mark.parametrize(("shipped", "name"), SHIPPED.items())
def test_shipped_files_are_what_the_command_writes(shipped, name):
    text = (folder("recognizers") / shipped).read_text(encoding="utf-8")
    assert in_order(yaml.safe_load(text)) == in_order(
        yaml.safe_load(config_files(Wanted(ner="transformer"))[name])
    )


@pytest.mark.parametrize("split", [False, True], ids=["single", "split"])
def test_presidio_reads_what_is_written(written, split):
    engine = provided(written, split)
    found = engine.analyze(NOTE, language="es")
    assert {(r.start, r.end, r.entity_type) for r in found} == {
        (r.start, r.end, r.entity_type) for r in analyze(NOTE)
    }


def test_environment_file_names_files_that_exist(written):
    lines = written["presidio.env"].read_text().splitlines()
    settings = dict(line.split("=", 1) for line in lines if line[0] != "#")
    assert len(settings) == 3
    for value in settings.values():
        assert Path(value).is_absolute()
        assert Path(value).is_file()
    others = dict(line[4:].split("=", 1) for line in lines if line.startswith("#   "))
    assert others.pop("GUNICORN_CMD_ARGS") == GUNICORN
    # What an image or a deployment sets for split files must not win over one file.
    assert Path(others.pop("ANALYZER_CONF_FILE")) == written["analyzer.yaml"]
    assert set(others.values()) == {""} and set(others) < set(settings)


def spans(results):
    return {(r.start, r.end, r.entity_type) for r in results}


@pytest.fixture(scope="module")
def english(tmp_path_factory):
    """A small English model that knows one name."""
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": "John Smith"}])
    folder = tmp_path_factory.mktemp("en") / "model"
    nlp.to_disk(folder)
    return folder


ENGLISH = "John Smith, card 4012888888881881"


def english_spans(engine):
    return spans(engine.analyze(ENGLISH, language="en"))


@pytest.mark.parametrize("split", [False, True], ids=["single", "split"])
def test_names_in_a_further_language_are_found_too(tmp_path, english, split):
    wanted = Wanted(also=parse_also([f"en={english}"]))
    written = {path.name: path for path in write_config(tmp_path, wanted)}
    engine = provided(written, split)
    assert english_spans(engine) >= {(0, 10, "PERSON"), (17, 33, "CREDIT_CARD")}
    assert spans(engine.analyze(NOTE, language="es")) == spans(analyze(NOTE))


@pytest.mark.parametrize("way", ["also", "into"])
def test_a_further_language_has_the_entities_of_the_stock_server(
    tmp_path, english, way
):
    nlp = presidio_default("default.yaml")
    nlp["models"] = [{"lang_code": "en", "model_name": str(english)}]
    own = tmp_path / "own"
    own.mkdir()
    (own / "nlp.yaml").write_text(yaml.safe_dump(nlp))
    (own / "analyzer-split.yaml").write_text("supported_languages: [en]\n")
    if way == "also":
        wanted = Wanted(also={"en": str(english)})
        files = write_config(tmp_path / "conf", wanted)
    else:
        given = [own / "analyzer-split.yaml", own / "nlp.yaml"]
        files = merge_config(given, tmp_path / "conf", Wanted())
    stock = AnalyzerEngineProvider(nlp_engine_conf_file=own / "nlp.yaml")
    written = {path.name: path for path in files}
    ours = AnalyzerEngineProvider(
        analyzer_engine_conf_file=written["analyzer-split.yaml"],
        nlp_engine_conf_file=written["nlp.yaml"],
        recognizer_registry_conf_file=written.get("recognizers.yaml"),
    )
    found = set(ours.create_engine().get_supported_entities("en"))
    assert found == set(stock.create_engine().get_supported_entities("en"))


def test_a_further_language_has_presidio_s_model_or_needs_one():
    assert parse_also(["en"]) == {"en": "en_core_web_lg"}
    for wrong in ("pt", "es"):
        with pytest.raises(ConfigurationError, match=f"--also {wrong}"):
            parse_also([wrong])


def given(folder, english, **sections):
    """Write a configuration that somebody has, with one own recognizer."""
    nlp = {
        "nlp_engine_name": "spacy",
        "models": [{"lang_code": "en", "model_name": str(english)}],
    }
    badge = {
        "name": "Badge",
        "supported_languages": ["en"],
        "supported_entity": "BADGE",
        "patterns": [{"name": "badge", "regex": "B-[0-9]{4}", "score": 0.9}],
    }
    registry = {
        "supported_languages": ["en"],
        "global_regex_flags": 26,
        "recognizers": [
            badge,
            {"name": "SpacyRecognizer", "type": "predefined"}
            | {"supported_languages": ["en"]},
        ],
    }
    folder.mkdir()
    top = {"supported_languages": ["en"], "default_score_threshold": 0.3}
    made = {
        "split": {"top.yaml": top, "nlp.yaml": nlp, "recognizers.yaml": registry},
        "single": {
            "all.yaml": {
                **top,
                "nlp_configuration": nlp,
                "recognizer_registry": registry,
            }
        },
        "default registry": {"top.yaml": {**top, "nlp_configuration": nlp}},
    }[sections["kind"]]
    for name, content in made.items():
        (folder / name).write_text(yaml.safe_dump(content))
    return [folder / name for name in made]


@pytest.mark.parametrize("kind", ["split", "single", "default registry"])
def test_ours_are_added_to_what_people_have(tmp_path, english, kind):
    files = given(tmp_path / "theirs", english, kind=kind)
    before = [path.read_text() for path in files]
    written = merge_config(files, tmp_path / "both", Wanted())
    assert [path.read_text() for path in files] == before
    engine = AnalyzerEngineProvider(*written).create_engine()
    assert engine.default_score_threshold == 0.3
    assert (0, 10, "PERSON") in english_spans(engine)
    badges = spans(engine.analyze("badge B-1234", language="en"))
    assert ((6, 12, "BADGE") in badges) == (kind != "default registry")
    assert spans(engine.analyze(NOTE, language="es")) == spans(analyze(NOTE))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"colour": "red"}, "not a configuration"),
        ({"recognizers": []}, "ANALYZER_CONF_FILE"),
        (
            {
                "supported_languages": ["en"],
                "nlp_configuration": {"nlp_engine_name": "stanza", "models": []},
            },
            "stanza",
        ),
    ],
)
def test_what_cannot_be_added_to_is_said(tmp_path, content, said):
    path = tmp_path / "a.yaml"
    path.write_text(yaml.safe_dump(content))
    with pytest.raises(ConfigurationError, match=said):
        merge_config([path], tmp_path / "out", Wanted())
    with pytest.raises(ConfigurationError, match="another folder"):
        merge_config([path], tmp_path, Wanted())


def test_an_engine_comes_from_a_file_or_a_folder(written, tmp_path):
    for path in (written["analyzer.yaml"], written["analyzer.yaml"].parent):
        found = engine_from_config(path).analyze(NOTE, language="es")
        assert spans(found) == spans(analyze(NOTE))
    # Presidio would go on with its default configuration.
    with pytest.raises(ConfigurationError, match="no such file"):
        engine_from_config(tmp_path / "nowhere.yaml")


@pytest.mark.heavy
def test_register_makes_a_single_file_work_in_a_plain_process(written):
    single = str(written["analyzer.yaml"])
    code = (
        "import presidio_mx; presidio_mx.register()\n"
        "from presidio_analyzer import AnalyzerEngineProvider as Provider\n"
        f"engine = Provider({single!r}).create_engine()\n"
        "from presidio_anonymizer import AnonymizerEngine\n"
        "print(len(engine.registry.recognizers), AnonymizerEngine().get_anonymizers())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert int(done.stdout.split()[0]) > 10
    assert "surrogate" in done.stdout


def test_site_and_preset_reach_the_recognizers(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "deny.tsv").write_text("text\tentity\nEl Zopilote\tPERSON\n", "utf-8")
    files = {p.name: p for p in write_config(tmp_path / "conf", Wanted(site=site))}
    for split in (False, True):
        found = provided(files, split).analyze("Lo trae El Zopilote.", language="es")
        assert (8, 19) in {(r.start, r.end) for r in found}
    spain = {p.name: p for p in write_config(tmp_path / "spain", Wanted("es-ES"))}
    engine = provided(spain, split=True)
    assert {r.preset.name for r in engine.registry.recognizers} == {"es-ES"}


@pytest.mark.parametrize(
    ("ner", "name"),
    [
        ("none", "MxPersonRecognizer"),
        pytest.param(
            "transformer",
            "MxTransformerRecognizer",
            marks=pytest.mark.skipif(
                not transformer_available(), reason="needs onnxruntime"
            ),
        ),
    ],
)
def test_a_misspelt_parameter_is_refused(tmp_path, ner, name):
    """The transformer's used to be passed over, so that a slip changed nothing."""
    written = {path.name: path for path in write_config(tmp_path, Wanted(ner=ner))}
    path = written["analyzer.yaml"]
    text = path.read_text()
    assert f"name: {name}" in text
    path.write_text(text.replace(f"name: {name}", f"name: {name}\n    presett: mx"))
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
        write_config(tmp_path, Wanted("mars"))


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
        from presidio_mx.find.recognizer import MxNobodyRecognizer  # noqa: F401


def test_importing_the_recognizers_reads_no_rules():
    code = (
        "import presidio_mx, presidio_mx.entities, presidio_mx.schemes\n"
        "import presidio_mx.find.recognizer, presidio_mx.declarations as d\n"
        "print(d.declarations.cache_info().misses)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "0"
