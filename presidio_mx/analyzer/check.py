"""Validate a site's own lists and rules before anybody relies on them."""

from pathlib import Path

from presidio_mx.analyzer.examples import bracketed
from presidio_mx.analyzer.grammar.rules import Rule
from presidio_mx.analyzer.preset import Preset, load_preset
from presidio_mx.analyzer.site import read_site
from presidio_mx.errors import ConfigurationError


def check_site(path: Path | str, preset: str = "mx") -> list[str]:
    """Return what is wrong with a site folder.

    Files, lists and rules must be well formed, and the examples of the site's rules
    must hold.

    :param path: The folder.
    :param preset: The preset it adds to.
    :return: One sentence a problem, naming file, line or rule; empty if all is well.
    """
    try:
        site = read_site(path)
        compiled = load_preset(preset, str(path))
    except ConfigurationError as error:
        return [str(error)]
    return [
        problem
        for file in site.files
        for rule in file.rules
        for problem in example_problems(compiled, rule)
    ]


def example_problems(preset: Preset, rule: Rule) -> list[str]:
    """Return which examples of a rule do not hold.

    :param preset: The preset that the rule was compiled into.
    :param rule: The rule.
    :return: One sentence a problem.
    """
    label = f"{Path(rule.file).name}#{rule.name}"
    problems = []
    for example in rule.match:
        text, spans = bracketed(example)
        found = preset.rule_findings(text, label)
        if [(f.start, f.end) for f in found] != spans:
            problems.append(
                f"{rule.file}: rule {rule.name}: example {example!r} is not matched "
                "as its brackets say"
            )
    for example in rule.no_match:
        if preset.rule_findings(example, label):
            problems.append(
                f"{rule.file}: rule {rule.name}: example {example!r} must not match"
            )
    return problems
