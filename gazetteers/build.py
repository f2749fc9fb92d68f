"""Rebuild the gazetteers, or check that the committed files are what they should be.

Run from the repository root::

    python -m gazetteers.build                  write every list that is built
    python -m gazetteers.build surnames towns   write these
    python -m gazetteers.build --check          write nothing; fail on a difference

Lists kept by hand alone are no business of this script; SOURCES.md names them.
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from gazetteers.builder import people, phones, places, words
from gazetteers.builder.common import FOLDER, Table

BUILDERS: Mapping[str, Callable[[], Table]] = {
    "given_names": people.given_names,
    "surnames": people.surnames,
    "lexicon": words.lexicon,
    "medical_terms": words.medical_terms,
    "drugs": words.drugs,
    "municipalities": places.municipalities,
    "towns": places.towns,
    "colonias": places.colonias,
    "postal_prefixes": places.postal_prefixes,
    "foreign_places": places.foreign_places,
    "world_towns": places.world_towns,
    "area_codes": phones.area_codes,
}


def main(arguments: list[str] | None = None) -> int:
    """Build or check the lists named on the command line.

    :param arguments: Command line without the program's name.
    :return: 0, or 1 if a check found a difference.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lists", nargs="*", metavar="list")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument(
        "--notes",
        type=Path,
        help="folder with the MEDDOCAN train texts, to rebuild hand/clinical_words.txt",
    )
    options = parser.parse_args(arguments)
    if options.notes:
        words.write_clinical_words(options.notes)
    unknown = set(options.lists) - set(BUILDERS)
    if unknown:
        parser.error(f"no such list: {', '.join(sorted(unknown))}")
    different = []
    for name in options.lists or BUILDERS:
        table, path = BUILDERS[name](), FOLDER / f"{name}.tsv"
        if not options.check:
            path.write_text(table.text(), encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != table.text():
            different.append(name)
        print(f"{name}\t{len(table.rows)} rows")
    for name in different:
        print(f"{name}.tsv differs from what the build makes", file=sys.stderr)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
