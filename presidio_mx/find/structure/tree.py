"""Objects inside objects, as JSON, XML and YAML hold them: what their values mean."""

from dataclasses import dataclass, field

from presidio_mx.find.structure.meanings import HOUSE, Lookup, Meaning
from presidio_mx.find.structure.parts import CODED, OTHER, Field, Parts, Span, key_of

# The resource's type, or the kin, say whose the fields of an object are.
_TYPE = "resourcetype"
_KIN = frozenset({"parentesco", "rel", "relationship", "relacion"})
_OF_KIN = "parentesco"
# What these objects say, they say of the one around them: {"type": {"text": "CURP"}}.
_SAYING = frozenset({"type", "code", "coding", "tipo", "concept", "concepto"})
# So many objects around a value are looked at.
_NEAREST = 20
_NEAREST_QUESTION = 4
_LONGEST_QUESTION = 200


@dataclass(slots=True, eq=False)
class Node:
    """An object, a list or an element.

    :param key: The key that it is the value of.
    :param parent: What it stands in.
    :param type: What it says that it is, if it does.
    :param question: What it asks, if it does: the key of its answer.
    :param personal: Whether it holds what only objects of persons do.
    :param street: Whether its last value was a street, or the number of one.
    """

    key: str
    parent: "Node | None" = None
    type: str = ""
    question: str = ""
    personal: bool = False
    street: bool = False
    _path: tuple[str, ...] | None = None

    def path(self) -> tuple[str, ...]:
        """Return the keys that lead here, each once, with types of objects."""
        if self._path is None:
            names: list[str] = []
            node: Node | None = self
            for _ in range(_NEAREST):
                if node is None:
                    break
                for name in (node.type, node.key):
                    if name and name not in names[-1:]:
                        names.append(name)
                node = node.parent
            self._path = tuple(reversed(names))
        return self._path

    def asked(self) -> str:
        """Return the question that the values of this object answer, if any."""
        node: Node | None = self
        for _ in range(_NEAREST_QUESTION):
            if node is None or node.question:
                break
            node = node.parent
        return node.question if node else ""


@dataclass(slots=True)
class Tree:
    """Values with the objects that they stand in.

    What an object says of itself may stand behind its values, so meanings are looked up
    when all is read.

    :param lookup: What keys mean.
    :param kind: Structure that is read.
    """

    lookup: Lookup
    kind: str
    _values: list[tuple[Span, str, Node, bool]] = field(default_factory=list)

    def value(self, node: Node, key: str, span: Span, text: str) -> None:
        """Take a value.

        :param node: What it stands in.
        :param key: Its key.
        :param span: Where it stands.
        :param text: The text.
        """
        folded, known = key_of(key), self.lookup.meanings
        house = node.street and folded in known.dwelling
        meaning = self.lookup.label(key)
        node.street = house or (meaning is not None and meaning.of_address)
        self._values.append((span, key, node, house))
        if folded == _TYPE:
            node.type = text[slice(*span)]
        elif folded in _KIN:
            node.type = _OF_KIN
        elif folded in known.personal:
            node.personal = True
        if folded in known.asking and span[1] - span[0] <= _LONGEST_QUESTION:
            while key_of(node.key) in _SAYING and node.parent:
                node = node.parent
            node.question = node.question or text[slice(*span)]

    def into(self, parts: Parts) -> None:
        """Add all values as fields, with what they hold where that is known."""
        for span, key, node, house in self._values:
            path = (*node.path(), key)
            if len(path) > 1 and path[-2] == key:
                path = path[:-1]
            meaning = HOUSE if house else self._meaning(path, key, node)
            holds, role = (meaning.holds, meaning.role) if meaning else ("", None)
            parts.fields.append(Field(*span, self.kind, path, holds, role))

    def _meaning(self, path: tuple[str, ...], key: str, node: Node) -> Meaning | None:
        folded, known = key_of(key), self.lookup.meanings
        if folded in known.answering or folded.startswith("value"):
            question = node.asked()
            asked = known.of_question(question) if question else None
            if asked is not None:
                return asked if asked.holds != CODED else Meaning(OTHER)
        return self.lookup.path(path, node.personal) if key else None
