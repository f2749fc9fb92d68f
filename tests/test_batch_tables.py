"""Broken tables: sound rows come out, broken ones are named, no kept column leaks."""

import csv
import io
import random
import re
from dataclasses import dataclass, field

import pytest
from batch_helpers import job, read_csv, read_jsonl, use_shout
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from presidio_mx.errors import PresidioMxError
from presidio_mx.time_limit import within
from presidio_mx.work.batch.columns import Columns
from presidio_mx.work.batch.csv_records import Dialect, Records
from presidio_mx.work.batch.run import run

NAMES = ["Wenceslao Zurita", "Eréndira Tzintzún", "Paz Rosas Flores", "Íñigo Ruiz"]
PROSE = ["tos, fiebre y dolor", "glucosa 3,5; TA 120/80", "sin datos", "niega alergias"]
KEPT = ("folio", "fecha", "edad", "sexo")
LETTER = re.compile(r"[^\W\d_]{2,}")


@dataclass
class Table:
    """A table as it stands in a file, and what is known of its rows.

    :param lines: The text of each row, after the header.
    :param sound: Number of each sound row to its cells.
    """

    header: list[str]
    lines: list[str] = field(default_factory=list)
    sound: dict[int, list[str]] = field(default_factory=dict)
    delimiter: str = ","
    escaped: bool = False

    def cells(self, dice, number):
        note = f"{dice.choice(PROSE)}. {dice.choice(NAMES)}, tel. 4433124{number:03d}"
        if dice.random() < 0.3:
            note = note.replace(". ", '.\n"', 1) + '" dijo'
        known = {
            "folio": f"MX-{number:04d}",
            "fecha": f"2020-0{dice.randint(1, 9)}-1{dice.randint(0, 9)}",
            "edad": dice.choice([str(dice.randint(0, 99)), "ND", "3 meses"]),
            "sexo": dice.choice("FM"),
            "nota": note,
        }
        return [known[name] for name in self.header]

    def written(self, cells):
        made = io.StringIO()
        how = {"escapechar": "\\", "doublequote": False} if self.escaped else {}
        writer = csv.writer(made, delimiter=self.delimiter, lineterminator="\n", **how)
        writer.writerow(cells)
        return made.getvalue().removesuffix("\n")


def comma_moved(table, cells, dice):
    """One delimiter too few and one too many: the right number of fields."""
    at = table.header.index("nota")
    before, after = cells[:at], cells[at + 1 :]
    rest = before + dice.sample(NAMES, 2) + after
    spare = dice.choice([n for n in range(len(rest) - 1) if n != at])
    rest[spare : spare + 2] = [rest[spare] + " " + rest[spare + 1]]
    return table.delimiter.join(rest)


def comma_missing(table, cells, dice):
    at = dice.randrange(len(cells) - 1)
    return table.written(cells[:at] + [cells[at] + cells[at + 1]] + cells[at + 2 :])


def comma_more(table, cells, dice):
    at = table.header.index("nota")
    return table.delimiter.join(
        [*cells[:at], "tos", "Wenceslao Zurita", *cells[at + 1 :]]
    )


def quote_open(table, cells, dice):
    at = table.header.index("nota")
    note = '"tos de Wenceslao Zurita'
    return table.delimiter.join([*cells[:at], note, *cells[at + 1 :]])


def quote_inside(table, cells, dice):
    at = table.header.index("nota")
    note = f'"dijo "ay"{table.delimiter} Wenceslao Zurita{table.delimiter} y tos"'
    return table.delimiter.join([*cells[:at], note, *cells[at + 1 :]])


def line_broken(table, cells, dice):
    """A note of two lines without quotes around it."""
    at = table.header.index("nota")
    note = f"tos\nde Wenceslao{table.delimiter} Zurita"
    return table.delimiter.join([*cells[:at], note, *cells[at + 1 :]])


DAMAGES = [
    *(comma_moved, comma_missing, comma_more),
    *(quote_open, quote_inside, line_broken),
]


def made_table(seed, damages, delimiter=",", escaped=False, rows=40):
    dice = random.Random(seed)
    header = [*KEPT, "nota"]
    dice.shuffle(header)
    table = Table(header, delimiter=delimiter, escaped=escaped)
    broken = dict(zip(dice.sample(range(3, rows), len(damages)), damages, strict=True))
    for number in range(rows):
        cells = table.cells(dice, number)
        if number in broken:
            table.lines.append(broken[number](table, cells, dice))
        else:
            table.lines.append(table.written(cells))
            table.sound[number] = cells
    return table


def check(table, folder, end="\n", encoding="utf-8", first=""):
    head = table.delimiter.join(table.header)
    text = (first + "\n".join([head, *table.lines]) + "\n").replace("\n", end)
    (folder / "in.csv").write_bytes(text.encode(encoding))
    columns = Columns(text=("nota",), keep=KEPT)
    try:
        summary = run(job(folder / "in.csv", folder / "out.csv", columns, force=True))
    except PresidioMxError as error:
        assert "\n" not in str(error) and "Zurita" not in str(error)
        raise
    totals = summary.totals
    assert totals.read == totals.written + totals.failed + totals.skipped
    broken = len(table.lines) - len(table.sound)
    assert bool(totals.failed) == bool(broken)
    new = read_csv(folder / "out.csv", delimiter=table.delimiter)
    new[0][0] = new[0][0].removeprefix("\ufeff")
    assert new[0] == table.header
    at = table.header.index("nota")
    for row in new[1:]:
        kept = " ".join(cell for place, cell in enumerate(row) if place != at)
        words = set(LETTER.findall(kept)) - {"MX", "ND", "meses"}
        assert not words, "a word of a note stands in a kept column"
    rows = {tuple(row) for row in new[1:]}
    lost = set()
    for number, cells in table.sound.items():
        cells = [c.replace("\n", end) if "\n" in c else c for c in cells]
        cells[at] = cells[at].upper()
        if tuple(cells) not in rows:
            lost.add(number)
    assert not lost, "a sound row did not come out"
    reasons = read_jsonl(summary.errors) if summary.errors else []
    assert len(reasons) == totals.failed
    named = set()
    for reason in reasons:
        where = re.match(r"line (\d+)(?: to (\d+))?", reason["reason"])
        named |= set(range(int(where[1]), int(where[2] or where[1]) + 1))
        assert "Zurita" not in reason["reason"]
    line = 2 + first.count("\n")
    for number, row in enumerate(table.lines):
        # Where a line ends inside the note, its first part is a row of its own.
        lines = set(range(line, line + 1 + row.count("\n")))
        sound = number in table.sound and number not in lost
        assert sound or lines & named, "a broken row is not named"
        line += len(lines)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    use_shout(monkeypatch)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("seed", range(3))
def test_one_broken_row_costs_itself(tmp_path, damage, seed):
    check(made_table(seed, [damage]), tmp_path)


def test_the_same_break_in_several_rows_is_no_habit_of_a_column(tmp_path):
    check(made_table(1036, [line_broken] * 5, ";"), tmp_path, first="sep=;\n")


@pytest.mark.parametrize(
    "line", ['{},"abc ""\n', '{},"abc\n', '{},"a, ""\n', '{},""a\n']
)
def test_open_quotes_in_every_line_take_no_square_of_time(line):
    text = "id,nota\n" + "".join(line.format(n) for n in range(20_000))

    lines = io.StringIO(text, newline="")
    records = within(60, lambda: sum(1 for _ in Records(lines, Dialect())))
    assert 0 < records <= 20_000


HABITS = {
    "Excel's first line": {"delimiter": ";", "first": "sep=;\n"},
    "MySQL's backslashes": {"escaped": True},
    "MySQL's backslashes, tabs": {"escaped": True, "delimiter": "\t"},
    "Windows": {"end": "\r\n", "encoding": "cp1252", "delimiter": ";"},
    "UTF-8 with a mark": {"encoding": "utf-8-sig"},
    "UTF-16": {"encoding": "utf-16", "delimiter": "\t", "end": "\r\n"},
    "an old Mac": {"end": "\r"},
}


@pytest.mark.parametrize("habit", HABITS.values(), ids=HABITS)
def test_habits_of_other_programs(tmp_path, habit):
    written = {k: habit[k] for k in ("end", "encoding", "first") if k in habit}
    how = {k: v for k, v in habit.items() if k not in written}
    check(made_table(5, [], **how), tmp_path, **written)
    check(made_table(6, [comma_moved, quote_open], **how), tmp_path, **written)


def test_one_name_in_several_broken_rows(tmp_path):
    """A value that comes often belongs to its column, but not where it is a name."""
    damages = [comma_moved, comma_more, comma_moved, comma_moved]
    check(made_table(2460, damages, delimiter=";"), tmp_path)


def try_broken_tables(examples):
    """Return a test over so many broken tables."""

    @settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(
        st.integers(0, 10_000),
        st.lists(st.sampled_from(DAMAGES), max_size=6),
        st.sampled_from(sorted(HABITS)),
    )
    def test(tmp_path, seed, damages, habit):
        habit = HABITS[habit]
        written = {k: habit[k] for k in ("end", "encoding", "first") if k in habit}
        how = {k: v for k, v in habit.items() if k not in written}
        check(made_table(seed, damages, **how), tmp_path, **written)

    return test


test_any_broken_table = try_broken_tables(25)
test_many_broken_tables = pytest.mark.heavy(try_broken_tables(400))
