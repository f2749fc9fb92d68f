"""Keys and values in lines: dumps (``nom=RUIZ edad=46``), leaders, YAML."""

import re

from presidio_mx.find.structure.cells import lines_of
from presidio_mx.find.structure.meanings import Lookup
from presidio_mx.find.structure.parts import Field, Parts, trimmed
from presidio_mx.find.structure.tree import Node, Tree

_KEY = r"[^\W\d_](?:[\w.-]{0,29}\w)?"
# A value ends where the next key stands, at a sign that parts fields, at a wide gap.
_EQUALS = re.compile(
    rf"(?<![\w=])(?P<key>{_KEY})[ ]?=[ ]?(?:\"(?P<double>[^\"\n]{{0,500}})\"|"
    rf"[Nn]?'(?P<single>[^'\n]{{0,500}})'|(?P<plain>[^\n;|\t\x1f=\"']{{1,120}}?)"
    rf"(?=,?[ ]+{_KEY}[ ]?=|[;|\t\n\x1f]|,?[ ]{{2}}|\Z))"
)
# Dots lead to the value, or the colons stand in a column.
_LEADERS = re.compile(
    r"^[ ]{0,8}(?P<key>[^\W\d_][\w./# -]{0,30}?)"
    r"(?:[ ]?\.{3,}[ ]?[:=]?[ ]{0,3}|[ ]{1,20}:[ ]{1,3})"
    r"(?P<plain>[^\n]{1,120}?)(?=[ ]{2}|\.{3}|\n|\Z)",
    re.M,
)
_LEAST = 3
_DOUBLE, _SINGLE = r"(?:[^\"\\\n]|\\.)*+", r"(?:[^'\n]|'')*+"
# A remark begins behind a blank, but not between quotes.
_BRACES = rf"[{{\[](?:\"{_DOUBLE}\"|'{_SINGLE}'|[^\"'\n#]|(?<![ ])#)*[}}\]]"
_KEYED = re.compile(
    r"(?P<indent>[ ]*(?:-[ ]+)*)(?:(?P<key>[^\W\d_][\w.-]{0,60}):(?:[ ]+|$))?"
    rf"(?:[&!][\w!]+[ ]+)?(?P<value>\"{_DOUBLE}\"|'{_SINGLE}'|{_BRACES}|.*?)"
    r"[ ]*(?:[ ]#.*)?$"
)
_MACHINE = re.compile(r"^[ ]*(?:-[ ]+)*(?:[a-z]|[A-Z]+_)[\w.-]*:(?:[ ]|$)", re.M)
_FLOW = re.compile(
    rf"(?:(?P<key>[^\W\d][\w.-]{{0,60}}):[ ]+)?"
    rf"(?:\"(?P<double>{_DOUBLE})\"|'(?P<single>{_SINGLE})'"
    r"|(?P<plain>[^{}\[\],\"'\s][^{}\[\],\n]*?))[ ]*(?=[,}\]]|$)"
)
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|''")
_GAP = re.compile(r"[ ]{2}")


def read_pairs(text: str, look: Lookup, parts: Parts) -> None:
    """Take the values of dumps in which three keys at least mean something.

    :param text: The text.
    :param look: What keys mean.
    :param parts: What is added to.
    """
    for pattern, signs in ((_EQUALS, ("=",)), (_LEADERS, (" :", "..."))):
        if not any(sign in text for sign in signs):
            continue
        found = [(m, look.label(m["key"])) for m in pattern.finditer(text)]
        dump = sum(meaning is not None for _, meaning in found) >= _LEAST
        for match, meaning in found:
            group = match.lastgroup or "plain"
            start, end = trimmed(text, *match.span(group))
            if group != "plain" or (dump and pattern is _EQUALS):
                parts.boundaries += (match.start(), start), (end, max(end, match.end()))
            if meaning is not None and dump:
                parts.labels.append(match.span("key"))
                holds = "" if meaning.owned else meaning.holds
                role = meaning.role or "patient"
                parts.fields.append(
                    Field(start, end, "pairs", (match["key"],), holds, role)
                )


def read_yaml(text: str, look: Lookup, parts: Parts) -> None:
    """Take the values of runs of lines that are YAML, or a dump like it.

    :param text: The text.
    :param look: What keys mean.
    :param parts: What is added to.
    """
    if len(_MACHINE.findall(text)) < _LEAST:
        return
    run: list[re.Match[str]] = []
    for line in lines_of(text):
        match = _KEYED.fullmatch(text, *line)
        if match and _goes_on(match, run):
            run.append(match)
        elif run:
            _read_run(text, run, look, parts)
            run = []
    _read_run(text, run, look, parts)


def _goes_on(line: re.Match[str], run: list[re.Match[str]]) -> bool:
    """Tell whether a line is YAML: a key, an item, a remark, or deeper than a key."""
    if line["key"]:
        return not _GAP.search(line["value"])
    empty = not line["value"] or line["value"].startswith(("#", "---"))
    return bool(run) and (empty or "-" in line["indent"] or bool(line["indent"]))


def _read_run(text: str, run: list[re.Match[str]], look: Lookup, parts: Parts) -> None:
    """Take the values of lines, if they are YAML and no form or note."""
    keys = [line for line in run if line["key"]]
    machine = [k for k in keys if k["key"][0].islower() or "_" in k["key"]]
    typed = any(k["indent"] or "_" in k["key"] for k in keys)
    if len(machine) < _LEAST or 2 * len(machine) < len(keys) or not typed:
        return
    tree = Tree(look, "yaml")
    stack: list[tuple[int, Node]] = [(-1, Node(""))]
    for line in run:
        depth, dash = len(line["indent"]), line["indent"].find("-")
        parts.boundaries += (
            (line.start(), line.start("value")),
            (line.end(), line.end() + 1),
        )
        if not line["key"] and dash < 0:
            continue
        while stack[-1][0] >= (dash if dash >= 0 else depth):
            stack.pop()
        node = stack[-1][1]
        if dash >= 0:
            node = Node(node.key, node)
            stack.append((dash, node))
        if line["key"]:
            parts.labels.append(line.span("key"))
        _take_value(text, line, node, tree, parts)
        if line["key"] and not line["value"]:
            stack.append((depth, Node(line["key"], node)))
    tree.into(parts)


def _take_value(
    text: str, line: re.Match[str], node: Node, tree: Tree, parts: Parts
) -> None:
    """Take the value behind a key or a dash: plain, in quotes or in braces."""
    key, (start, end) = line["key"] or node.key, line.span("value")
    sign = text[start : start + 1]
    if sign in "{[" and start < end:
        inner, last = Node(key, node), start
        for item in _FLOW.finditer(text, start, end):
            span = item.span(item.lastgroup or 0)
            if item.lastgroup != "plain":
                parts.whole += (e.span() for e in _ESCAPE.finditer(text, *span))
            tree.value(inner, item["key"] or key, span, text)
            parts.boundaries.append((last, span[0]))
            last = span[1]
        parts.boundaries.append((last, end))
    elif sign in "\"'" and end - start > 1 and text[end - 1] == sign:
        parts.boundaries += (start, start + 1), (end - 1, end)
        inside = start + 1, end - 1
        parts.whole += (e.span() for e in _ESCAPE.finditer(text, *inside))
        tree.value(node, key, inside, text)
    elif start < end:
        tree.value(node, key, (start, end), text)
