"""Upstream's own end-to-end tests against its stock servers and against our own.

    git clone https://github.com/data-privacy-stack/presidio ../presidio
    pip install ".[transformer,server]" pytest requests
    pip install "../presidio/presidio-analyzer[server]"
    pip install "../presidio/presidio-anonymizer[server]"
    python -m spacy download en_core_web_lg
    python benchmarks/upstream_e2e.py ../presidio

Starts the analyzer and the anonymizer of that source as it is, then configured by
``presidio-config --also en`` (split files; nothing of ours is imported beforehand),
then by ``presidio-config --into`` its own configuration (with our gunicorn
configuration), then ``presidio-mx serve --also en`` in the place of both, and runs
``e2e-tests`` against each. Where a test fails in the stock servers, too, its result
says little, so that every answer of the servers is compared as well. Lists of all
operators and of the entities of all languages may be longer. Exits with 1 where
anything differs.

``--model`` names another spaCy model, or its folder, where en_core_web_lg cannot be
had; the stock server then reads English with it, too.
"""

import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from presidio_mx.work.service.presidio_config import GUNICORN

TESTS = ("test_api_analyzer", "test_api_anonymizer", "test_api_e2e_integration_flows")
PASSED, FAILED, LEFT_OUT = "passed", "failed", "skipped"
_ANSWERS = "PRESIDIO_MX_E2E_ANSWERS"
_SECONDS_TO_START = 300

# Part one: a plugin of the test run, which keeps every answer of the servers.


def pytest_runtest_setup(item: Any) -> None:
    os.environ["PRESIDIO_MX_E2E_TEST"] = item.name


def pytest_configure() -> None:
    target = os.environ.get(_ANSWERS)
    if target is None:
        return
    import requests

    ask: Any = requests.Session.request

    def recorded(self: Any, method: str, url: str, **options: Any) -> Any:
        answer = ask(self, method, url, **options)
        row = {
            "test": os.environ["PRESIDIO_MX_E2E_TEST"],
            "asked": f"{method.upper()} /{url.split('/', 3)[3]}",
            "status": answer.status_code,
            "answer": _comparable(answer.text),
        }
        with Path(target).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        return answer

    setattr(requests.Session, "request", recorded)  # noqa: B010


def _comparable(text: str) -> Any:
    """Return an answer as data: lists of names sorted, what was encrypted left out."""
    try:
        data = json.loads(text)
    except ValueError:
        return text
    if _names(data):
        return sorted(data)
    items = data.get("items", []) if isinstance(data, dict) else []
    if any(item.get("operator") == "encrypt" for item in items):
        # Encryption begins with a random block; where it stands is the same.
        places = [(each["start"], each["end"], each["entity_type"]) for each in items]
        return sorted(map(list, places))
    return data


def _names(data: object) -> bool:
    return isinstance(data, list) and all(isinstance(each, str) for each in data)


# Part two: the servers, and a run of the tests.


@dataclass(frozen=True)
class System:
    """A way to start the servers.

    :param name: What it is called in the table.
    :param settings: Environment of the analyzer.
    :param shared: Environment of both servers.
    :param command: What starts our own server, which stands for both.
    """

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    shared: Mapping[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What came of a run.

    :param tests: What became of each test.
    :param answers: What the servers answered, in the order of the tests.
    """

    tests: Mapping[str, str]
    answers: list[Mapping[str, Any]]


def systems(upstream: Path, folder: Path, model: str) -> list[System]:
    """Write the configurations and return the systems, the stock one first."""
    conf = upstream / "presidio-analyzer" / "presidio_analyzer" / "conf"
    nlp = folder / "stock-nlp.yaml"
    content = yaml.safe_load((conf / "default.yaml").read_text(encoding="utf-8"))
    for entry in content["models"]:
        entry["model_name"] = model
    nlp.write_text(yaml.safe_dump(content), encoding="utf-8")
    _config("--out", folder / "also", "--also", f"en={model}")
    # Copies under the names that the stock server reads from its environment.
    mine = [conf / "default_analyzer.yaml", nlp, conf / "default_recognizers.yaml"]
    into = [option for path in mine for option in ("--into", path)]
    _config("--out", folder / "into", *into)
    return [
        System("stock", {"NLP_CONF_FILE": str(nlp)}),
        System(
            "--also en",
            {
                "ANALYZER_CONF_FILE": str(folder / "also" / "analyzer-split.yaml"),
                "NLP_CONF_FILE": str(folder / "also" / "nlp.yaml"),
                "RECOGNIZER_REGISTRY_CONF_FILE": str(
                    folder / "also" / "recognizers.yaml"
                ),
            },
        ),
        System(
            "--into",
            dict(
                zip(
                    (
                        "ANALYZER_CONF_FILE",
                        "NLP_CONF_FILE",
                        "RECOGNIZER_REGISTRY_CONF_FILE",
                    ),
                    (str(folder / "into" / path.name) for path in mine),
                    strict=True,
                )
            ),
            {"GUNICORN_CMD_ARGS": GUNICORN},
        ),
        System(
            "presidio-mx serve",
            command=(
                *(sys.executable, "-m", "presidio_mx", "serve", "--workers", "1"),
                *("--also", f"en={model}", "--port"),
            ),
        ),
    ]


def _config(*options: object) -> None:
    command = [sys.executable, "-m", "presidio_mx", "presidio-config"]
    subprocess.run([*command, *map(str, options)], check=True, stdout=sys.stderr)


def run(upstream: Path, system: System, folder: Path) -> Outcome:
    """Start both servers, run the tests, stop the servers.

    :param upstream: Presidio's source.
    :param system: How to start them.
    :param folder: Where to write results.
    """
    paths = [upstream / "presidio-analyzer", upstream / "presidio-anonymizer"]
    here = Path(__file__).resolve().parent
    mine = [*paths, here.parent, os.environ.get("PYTHONPATH", "")]
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(path) for path in mine if str(path)),
        "LOG_LEVEL": "WARNING",
    }
    log = folder / f"{system.name.strip('- ').replace(' ', '-')}.log"
    results, answers = log.with_suffix(".xml"), log.with_suffix(".jsonl")
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(log.open("wb"))
        if system.command:
            ours = _server(upstream, env, output, system.command)
            first = second = stack.enter_context(ours)
        else:
            settings = {**env, **system.settings, **system.shared}
            first = stack.enter_context(_server(paths[0], settings, output))
            settings = {**env, **system.shared}
            second = stack.enter_context(_server(paths[1], settings, output))
        tests = [f"tests/{name}.py" for name in TESTS]
        subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
                *("-p", Path(__file__).stem, f"--junitxml={results}", *tests),
            ],
            cwd=upstream / "e2e-tests",
            env={
                **env,
                "PYTHONPATH": os.pathsep.join([str(here), env["PYTHONPATH"]]),
                "ANALYZER_BASE_URL": first,
                "ANONYMIZER_BASE_URL": second,
                _ANSWERS: str(answers),
            },
            stdout=output,
            stderr=output,
            check=False,
        )
    rows = answers.read_text(encoding="utf-8").splitlines()
    return Outcome(dict(_results(results)), [json.loads(row) for row in rows])


@contextlib.contextmanager
def _server(
    folder: Path, env: Mapping[str, str], log: Any, ours: tuple[str, ...] = ()
) -> Iterator[str]:
    """Run a stock server under gunicorn, or our own, and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    gunicorn = [sys.executable, "-m", "gunicorn", "-w", "1", "--timeout", "300"]
    stock = [*gunicorn, "-b", url.removeprefix("http://"), "app:create_app()"]
    process = subprocess.Popen(
        [*ours, str(port)] if ours else stock,
        cwd=folder,
        env=dict(env),
        stdout=log,
        stderr=log,
    )
    try:
        _wait_for(url, process)
        yield url
    finally:
        process.terminate()
        process.wait()


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise SystemExit(f"the server of {process.args!r} does not start; see its log")


def _results(path: Path) -> Iterator[tuple[str, str]]:
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        kinds = {child.tag for child in case}
        failed = kinds & {"failure", "error"}
        yield (
            str(case.get("name")),
            FAILED if failed else LEFT_OUT if "skipped" in kinds else PASSED,
        )


# Part three: what differs.


def differences(stock: Outcome, other: Outcome) -> list[str]:
    """Return what another system does otherwise, a sentence each."""
    found = [
        f"{test}: {stock.tests.get(test)} in the stock servers, {outcome} here"
        for test, outcome in other.tests.items()
        if stock.tests.get(test) != outcome
    ]
    if len(stock.answers) != len(other.answers):
        found.append(f"{len(stock.answers)} requests there, {len(other.answers)} here")
    for there, here in zip(stock.answers, other.answers, strict=False):
        if there != here and not _longer(there, here):
            found.append(
                f"{here['test']}, {here['asked']}: answer {here['status']} "
                f"{json.dumps(here['answer'])[:300]} where the stock server answers "
                f"{there['status']} {json.dumps(there['answer'])[:300]}"
            )
    return found


def _longer(there: Mapping[str, Any], here: Mapping[str, Any]) -> bool:
    """Tell whether an answer is a list of names of all languages, with ours added."""
    old, new = there["answer"], here["answer"]
    return (
        there["asked"] == here["asked"]
        and "language=" not in here["asked"]
        and (_names(old) and _names(new))
        and set(old) < set(new)
    )


def main() -> None:
    """Run all and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("upstream", type=Path, help="folder of Presidio's source")
    parser.add_argument("--model", default="en_core_web_lg", help="model of English")
    parser.add_argument("--only", help="one system beside the stock one, by its name")
    parser.add_argument("--logs", type=Path, help="new folder to keep the logs in")
    args = parser.parse_args()
    upstream = args.upstream.resolve()
    if not (upstream / "e2e-tests").is_dir():
        raise SystemExit(f"{upstream}: no source of Presidio (there is no e2e-tests)")
    with contextlib.ExitStack() as stack:
        if args.logs is not None:
            args.logs.mkdir(parents=True)
            folder = args.logs.resolve()
        else:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        kept = [
            (system.name, run(upstream, system, folder))
            for system in systems(upstream, folder, args.model)
            if args.only in (None, system.name) or system.name == "stock"
        ]
    stock = kept[0][1]
    print("| servers | passed | failed | skipped | answers | that differ |")
    print("|---|---|---|---|---|---|")
    said = []
    for name, outcome in kept:
        counts = Counter(outcome.tests.values())
        other = differences(stock, outcome)
        print(
            f"| {name} | {counts[PASSED]} | {counts[FAILED]} | {counts[LEFT_OUT]} "
            f"| {len(outcome.answers)} | {len(other)} |"
        )
        said += [f"{name}: {sentence}" for sentence in other]
    print("\n".join(["", *said]) if said else "\nNo difference.")
    if said:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
