"""What the people of a note are called, for their e-mails, handles and user names."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from presidio_mx.replace.people import Person
from presidio_mx.replace.surrogates.bearer import Bearer
from presidio_mx.replace.surrogates.context import Context
from presidio_mx.replace.surrogates.lexicon import lexicon
from presidio_mx.replace.surrogates.name_images import written_image
from presidio_mx.replace.surrogates.name_words import (
    NAME_WORD,
    bare,
    is_initial,
    name_words,
)
from presidio_mx.replace.surrogates.names import surrogate_name
from presidio_mx.replace.surrogates.web import is_login
from presidio_mx.text.folding import fold_key

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


def with_given_names(
    people: Iterable[Person], bearers: Mapping[int, Bearer]
) -> dict[int, Bearer]:
    """Return the bearers; an initial before surnames is of who has one of them.

    "C. Banda Ruelas" is the "Celedonio Banda" of the same note, whose second surname
    stands nowhere else.

    :param people: The people of a note.
    :param bearers: Position of a person to what is known of it.
    """
    held, names = list(people), lexicon()
    found = dict(bearers)
    for person in held:
        tokens = NAME_WORD.findall(person.fullest)
        if not tokens or not is_initial(tokens[0]) or not person.words:
            continue
        letter = fold_key(tokens[0])[:1]
        given = {
            other.words[0]
            for other in held
            if len(other.words) > 1
            and other.words[0].startswith(letter)
            and names.is_given(other.words[0])
            and set(other.words[1:]) & set(person.words)
        }
        if len(given) == 1:
            bearer = bearers[person.position]
            words = (*given, *(w for w in bearer.words if w not in given))
            found[person.position] = replace(bearer, words=words)
    return found
