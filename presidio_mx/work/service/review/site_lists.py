"""Put a correction into the site's own lists, so that the next run knows it."""

from pathlib import Path

from presidio_mx.errors import ConfigurationError, InputError
from presidio_mx.find.site import read_site
from presidio_mx.find.site_lists import entry_problem
from presidio_mx.spanish.gazetteer import read_table
from presidio_mx.text.folding import fold_key
from presidio_mx.work.service.review.project import write_whole

LISTS = {"allow": "allow.txt", "staff": "staff.txt", "places": "places.txt"}
DENY = "deny.tsv"
_HEADER = "text\tentity\n"


def save(site: Path, kind: str, text: str, entity: str = "") -> bool:
    """Add a text to one of the site's lists.

    :param site: The site's folder.
    :param kind: ``allow`` (never marked), ``deny`` (always marked), ``staff``,
        ``places``.
    :param text: The text as it stands in the note.
    :param entity: Entity type, for ``deny``.
    :return: Whether it was added; False if it was there already.
    :raises InputError: If the text cannot be an entry.
    :raises ConfigurationError: If the folder is broken; it stays as it was.
    """
    entry = " ".join(text.split())
    problem = entry_problem(entry)
    if problem:
        raise InputError(problem)
    name = DENY if kind == "deny" else LISTS.get(kind)
    if name is None:
        raise InputError("there is no such list")
    path = site / name
    before = path.read_text(encoding="utf-8-sig") if path.is_file() else None
    if fold_key(entry) in _entries(path):
        return False
    content = before or ("" if kind != "deny" else _HEADER)
    if content and not content.endswith("\n"):
        content += "\n"
    content += f"{entry}\t{entity}\n" if kind == "deny" else f"{entry}\n"
    _rewrite(path, content)
    try:
        read_site(site)
    except ConfigurationError:
        if before is None:
            path.unlink()
        else:
            _rewrite(path, before)
        raise
    return True


def _rewrite(path: Path, content: str) -> None:
    """Write a list; an old one keeps its mode: another account's server may read it."""
    mode = path.stat().st_mode if path.is_file() else None
    write_whole(path, content)
    if mode is not None:
        path.chmod(mode)


def _entries(path: Path) -> set[str]:
    if not path.is_file():
        return set()
    if path.name == DENY:
        return {fold_key(row["text"]) for row in read_table(path)}
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    return {fold_key(line.strip()) for line in lines}
