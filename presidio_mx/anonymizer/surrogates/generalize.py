"""Say less: dates to months and years, places to states, ages to bands."""

LEVELS = ("month", "year", "state", "country", "band", "cap")


def generalize(text: str, level: str, lowest_age: int | None = None) -> str | None:
    """Return a value of less detail.

    :param text: A date, place or age.
    :param level: One of :data:`LEVELS`.
    :param lowest_age: Lowest age in years of the patient over all visits.
    :return: The general value; None if the text cannot be read.
    """
    return None
