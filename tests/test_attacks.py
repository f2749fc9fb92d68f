"""What somebody learns who has the notes and not the key."""

from random import Random

from benchmarks.attacks import known_people, people, small_classes, weekdays


def test_knowing_some_people_says_little_of_others_in_scopes_of_patients():
    row = known_people(people(1_000, Random(1)), 50)
    assert row.patient < 3 < 10 < row.corpus


def test_no_class_is_easily_guessed():
    assert small_classes().patient <= 100 / 40


def test_weekdays_say_nothing_of_a_shift_by_whole_weeks():
    any_day, weeks = weekdays(20, Random(1))
    assert weeks == 100 > 20 > any_day
