"""What the people of a note are called, for their e-mails, handles and user names."""

from collections.abc import Iterable

from presidio_mx.anonymizer.people import Person
from presidio_mx.anonymizer.surrogates.context import Context
from presidio_mx.anonymizer.surrogates.name_images import Bearer, written_image
from presidio_mx.anonymizer.surrogates.name_words import bare, name_words
from presidio_mx.anonymizer.surrogates.names import surrogate_name
from presidio_mx.anonymizer.surrogates.web import is_login
from presidio_mx.folding import fold_key

_LOGIN_NAME = 3  # letters; a user name holds a longer name: "mestevez"


def said_and_called(
    borne: Iterable[tuple[Person, Bearer]], context: Context
) -> dict[str, str]:
    """Return the words of names with their surrogates, nicknames of the same people.

    :param borne: People and what is known of them.
    :param context: Key, settings and facts.
    :return: Folded word to the folded word of its surrogate, names in reading order.
    """
    held = list(borne)
    words = {w for _, bearer in held for w in bearer.words if len(w) > _LOGIN_NAME}
    said: dict[str, str] = {}
    for person, bearer in held:
        login = fold_key(person.fullest)
        if is_login(person.fullest) and any(w != login and w in login for w in words):
            continue
        for word in bearer.words:
            said[bare(word)] = fold_key(written_image(word, bearer, context).text)
        called = (w for text in person.texts for w in name_words(text))
        for word in called:
            if word not in bearer.words and len(bearer.words) > 1:
                new = surrogate_name(word, context, bearer)
                said.setdefault(word, fold_key(new))
    return said
