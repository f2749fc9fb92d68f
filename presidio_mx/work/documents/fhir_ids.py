"""Identifiers of FHIR resources and what refers to them: renamed alike in a file."""

import re
from typing import NamedTuple

from presidio_mx.work.documents.json_tree import Node
from presidio_mx.work.documents.public import fhir_names, is_public

_UUID = re.compile(r"[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}")
_REFERENCE = re.compile(
    r"(?P<base>https?://[^\s?#]+/)?(?P<type>[A-Z][A-Za-z]{2,40})"
    r"(?:/(?P<id>[A-Za-z0-9.-]{1,64}))?(?P<version>/_history/\d{1,4})?"
    r"(?P<query>[?/$].*)?"
)
_HERE = re.compile(r"#(?P<id>[A-Za-z0-9.-]{1,64})")
_WORD = re.compile(r"[a-z]+", re.I)
_BASE = "https://example.org/fhir/"
# Keys whose values refer to resources.
_REFERRING = frozenset({"reference", "fullUrl", "url", "ifNoneExist", "location"})


class New(NamedTuple):
    """What stands for an identifier or a reference.

    :param text: The new text.
    :param query: Whether a query was taken out.
    """

    text: str
    query: bool = False


class Ids:
    """The identifiers of a file's resources that could be somebody's, with new ones."""

    def __init__(self) -> None:
        """No resource is known yet."""
        self._new: dict[str, str] = {}

    def gather(self, node: Node) -> None:
        """Learn the identifiers of the resources in a tree.

        :param node: Its top.
        """
        waiting = [node]
        while waiting:
            node = waiting.pop()
            waiting += reversed(node.values)
            if node.kind == "object" and node.string("resourceType"):
                self._learn(node.string("id"))

    def of(self, key: str, text: str, top: bool) -> New | None:
        """Return what stands for a text, if it is an identifier or a reference.

        :param key: Its key.
        :param text: The text.
        :param top: Whether it stands in the object of a resource itself.
        """
        if key == "id" and top:
            return New(self._learn(text))
        if key not in _REFERRING:
            return None
        here = _HERE.fullmatch(text)
        if here is not None:
            return New(f"#{self._learn(here['id'])}")
        match = _REFERENCE.fullmatch(text)
        if (
            match is None
            or is_public(text)
            or match["type"].lower() == "structuredefinition"
        ):
            return None
        words = re.findall(r"[A-Z][a-z]+", match["type"])
        if not all(word.lower() in fhir_names("words") for word in words):
            return None
        new = (_BASE if match["base"] else "") + match["type"]
        if match["id"]:
            new += f"/{self._learn(match['id'])}"
        return New(new + (match["version"] or ""), bool(match["query"]))

    def _learn(self, old: str) -> str:
        if not old or _UUID.fullmatch(old) or _harmless(old):
            return old
        return self._new.setdefault(old, f"id-{len(self._new) + 1}")


def _harmless(old: str) -> bool:
    """Tell whether an identifier is made of FHIR's words and a small number."""
    words = _WORD.findall(old)
    known = all(len(w) < 2 or w.lower() in fhir_names("words") for w in words)
    return known and len(re.sub(r"\D", "", old)) < 4
