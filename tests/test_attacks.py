"""What somebody learns who has the notes and not the key."""

from random import Random

from benchmarks.attacks import (
    calendar,
    known_people,
    people,
    small_classes,
    weekdays,
)
from presidio_mx.text.spans import Note, Span


def test_knowing_some_people_says_little_of_others_in_scopes_of_patients():
    row = known_people(people(1_000, Random(1)), 50)
    assert row.patient < 3 < 10 < row.corpus


def test_no_class_is_easily_guessed():
    assert small_classes().patient <= 100 / 40


def test_weekdays_say_nothing_of_a_shift_by_whole_weeks():
    any_day, weeks = weekdays(20, Random(1))
    assert weeks == 100 > 20 > any_day


def test_the_second_pass_hides_what_tells_a_shift():
    text = "20/09/2023, SE 38. Vino el lunes 18, mal desde 2019."
    note = Note("1", text, (Span(0, 10, "DATE_TIME", None, 1.0),))
    assert calendar([note]) == (100, 0)
