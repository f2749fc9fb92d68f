"""What stands for a value that no surrogate can be made of."""

from presidio_mx.entities import kind_of, tag_word


def tag_of(entity_type: str) -> str:
    """Return the tag of an entity, for a value that cannot be read.

    :param entity_type: E.g. ``DATE_TIME``.
    :return: E.g. ``{FECHA}``.
    """
    return "{" + tag_word(kind_of(entity_type)) + "}"
