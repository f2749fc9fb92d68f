"""Word lists: what they hold, how they refer to one another, their patterns."""

import re
from calendar import TUESDAY

import pytest

from presidio_mx.errors import ConfigurationError
from presidio_mx.spanish import words as module
from presidio_mx.spanish.dates import WEEKDAYS, read_month
from presidio_mx.spanish.numbers import read_number, write_number
from presidio_mx.spanish.words import either, groups, listed, word_lists, words


@pytest.fixture
def own_lists(tmp_path, monkeypatch):
    """Put lists of the test in the place of the shipped ones."""

    def write(text):
        (tmp_path / "words").mkdir()
        (tmp_path / "words" / "own.yaml").write_text(text, encoding="utf-8")
        monkeypatch.setattr(module, "folder", lambda name: tmp_path)
        word_lists.cache_clear()

    yield write
    monkeypatch.undo()
    word_lists.cache_clear()


def test_a_list_holds_the_words_of_those_that_it_refers_to(own_lists):
    own_lists("all: [uno, '{more}', cuatro]\nmore: [dos, '{last}']\nlast: [Trés.]\n")
    assert listed("all") == ("uno", "dos", "Trés.", "cuatro")
    assert words("all") == {"uno", "dos", "tres", "cuatro"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: ['{b}']\nb: ['{a}']\n", "refers to itself"),
        ("a: ['{missing}']\n", "is no list"),
        ("a: []\n", "must be a list of words"),
        ("a: uno\n", "must be a list of words"),
    ],
)
def test_a_broken_list_is_named(own_lists, text, problem):
    own_lists(text)
    with pytest.raises(ConfigurationError, match=problem):
        word_lists()


def test_a_list_that_does_not_exist_is_named():
    with pytest.raises(ConfigurationError, match="no list 'nothing'"):
        words("month", "nothing")


def test_a_pattern_takes_the_longest_word_and_any_full_stop(own_lists):
    own_lists("type: [av, avenida, 'blvd.', r/a., centro comercial]\n")
    pattern = re.compile(either("type"))
    for text in ("avenida", "blvd", "blvd.", "r/a.", "centro comercial"):
        assert pattern.match(text)[0] == text


def test_groups_are_parted_by_commas(own_lists):
    own_lists("spelt: ['avenida, av', calle]\n")
    assert groups("spelt") == (("avenida", "av"), ("calle",))


def test_every_entry_is_in_small_letters_but_those_that_are_written():
    for name, entries in word_lists().items():
        if not name.startswith("synthetic_"):
            assert [e for e in entries if e != e.lower()] == [], name


def test_months_and_weekdays_stand_in_their_order():
    assert [read_month(name) for name in listed("month_name")] == [*range(1, 13)]
    assert [read_month(n) for n in listed("month_abbreviation")] == [*range(1, 13)]
    assert WEEKDAYS[TUESDAY] == "martes"


@pytest.mark.parametrize("number", [0, 1, 15, 16, 29, 30, 46, 99, 100, 1999, 2026])
def test_number_words_stand_in_their_order(number):
    written = write_number(number)
    assert read_number(written) == number
