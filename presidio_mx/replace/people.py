"""Who is who: which mentions of a note, or of a patient's notes, name one person."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from presidio_mx.replace.mentions import Mention, labelled_runs
from presidio_mx.replace.names import Bearer
from presidio_mx.spanish.codes import four_letters, sex_in, voter_letters
from presidio_mx.spanish.name_likeness import enlarged, is_short_for, is_slip
from presidio_mx.spanish.name_lists import BOTH_SEXES, name_lists
from presidio_mx.spanish.names import bare, sex_of_given
from presidio_mx.text.folding import fold_key

_NO_ROLE = "other"
_FEWEST_INITIALS = 3  # two are those of many
_START = 3  # a slip of the pen is looked for in words that begin alike
_MOST_PARTS = 4  # of a name in cells
_FOUR, _AGREEING = 4, 3  # letters
_ROLES = ("patient", "relative", "staff")


@dataclass(frozen=True, slots=True)
class Person:
    """A person of a note or of a patient's notes.

    :param number: Reading order of the first mention.
    :param bearer: The words of the name, by all mentions, and the sex.
    :param role: patient, relative, staff, other, or empty.
    :param texts: Every text that names the person, the fullest first.
    :param mentions: Positions of the mentions.
    """

    number: int
    bearer: Bearer
    role: str
    texts: tuple[str, ...]
    mentions: tuple[int, ...]


@dataclass(slots=True)
class _Group:
    mentions: list[Mention]
    given: tuple[str, ...]
    surnames: tuple[str, ...]
    words: tuple[str, ...]  # as the fullest mention has them
    roles: set[str] = field(default_factory=set)
    says: tuple[str, ...] = ()

    def add(self, mention: Mention, role: str) -> None:
        self.mentions.append(mention)
        if role:
            self.roles.add(role)


def _words(mention: Mention) -> tuple[str, ...]:
    married = tuple(p.key for p in mention.name.parts if p.kind == "married")
    return (*mention.name.words, *married)


def find_people(
    mentions: Sequence[Mention], codes: Sequence[str] = (), sex: str = ""
) -> list[Person]:
    """Group mentions into people.

    A mention belongs to a fuller one if all its words are in that one: whole, as an
    initial, as a nickname, or with a slip of the pen. Two known, different roles are
    two people. The same text is always the same person, and parts of a name that a
    form or a code joins are one.

    :param mentions: Names in reading order.
    :param codes: CURPs and RFCs, in capitals; they join names whose parts stand apart,
        and say sexes.
    :param sex: Sex of the patient by other codes, where there is one patient.
    :return: People in reading order.
    """
    fours = {code[:_FOUR] for code in codes}
    whole = list(_joined(mentions, fours))
    inside = {m.position for run in whole for m in run[1]}
    first: dict[str, Mention] = {}
    more: dict[str, list[Mention]] = {}
    for mention in mentions:
        if mention.position in inside:
            continue
        held = first.get(mention.text)
        if held is None or (not held.role and mention.role):
            first[mention.text] = mention
        more.setdefault(mention.text, []).append(mention)
    groups: list[_Group] = []
    begun: dict[str, set[int]] = {}  # beginning or end of a word: its groups
    for group, _ in whole:
        _begin(group, groups, begun)
    ordered = sorted(
        first.values(),
        key=lambda m: (-len(_words(m)), len(m.name.initials), m.position),
    )
    for mention in ordered:
        role = mention.role
        fitting, guessed = _fitting(mention, groups, begun)
        if fitting:
            group = min(fitting, key=lambda g: _distance(mention, g))
            # What a nickname's "other" adds to a known role would part later mentions.
            silent = guessed or (role == _NO_ROLE and bool(group.roles))
            group.add(mention, "" if silent else role)
        else:
            group = _Group(
                [], mention.name.given, mention.name.surnames, _words(mention)
            )
            group.add(mention, role)
            _begin(group, groups, begun)
        for other in more[mention.text]:
            if other is not mention:
                group.add(other, "")
    groups = _merged(groups)
    sexes = [(code[:_FOUR], sex_in(code)) for code in codes if sex_in(code)]
    patients = [group for group in groups if "patient" in group.roles]
    if len(patients) == 1 and sex and not sexes:
        patients[0].says = (sex,)
    people = [_person(group, sexes) for group in groups]
    return sorted(people, key=lambda person: person.number)


def _joined(
    mentions: Sequence[Mention], fours: set[str]
) -> Iterator[tuple[_Group, list[Mention]]]:
    """Yield names whose parts are mentions of their own: fields, cells of a row."""
    done: set[int] = set()
    for run in labelled_runs(mentions):
        parts = [mentions[n] for n in run]
        given = [w for m in parts if m.label == "given" for w in m.name.given]
        first = [w for m in parts if m.label == "first" for w in m.name.surnames]
        second = [w for m in parts if m.label == "second" for w in m.name.surnames]
        both = [w for m in parts if m.label == "surnames" for w in m.name.surnames]
        surnames = [*first[:1], *second[:1], *both, *first[1:], *second[1:]]
        if given and surnames:
            done |= set(run)
            yield _of_parts(parts, tuple(given), tuple(surnames)), parts
    if not fours:
        return
    coded = [bool(_codes(mention.name.words) & fours) for mention in mentions]
    at = 0
    while at < len(mentions):
        for end in range(min(at + _MOST_PARTS, len(mentions)), at + 1, -1):
            parts = list(mentions[at:end])
            if len({m.text for m in parts}) < len(parts) or any(coded[at:end]):
                continue
            if not done.isdisjoint(range(at, end)):
                continue
            words = [word for m in parts for word in m.name.words]
            read = next((way for way in _ways(words) if _in_codes(way, fours)), None)
            if read:
                done |= set(range(at, end))
                yield _of_parts(parts, tuple(read[0]), tuple(read[1])), parts
                at = end - 1
                break
        at += 1


def _of_parts(
    parts: Sequence[Mention], given: tuple[str, ...], surnames: tuple[str, ...]
) -> _Group:
    roles = {part.role for part in parts}
    role = next((r for r in _ROLES if r in roles), parts[0].role)
    group = _Group(list(parts), given, surnames, (*given, *surnames))
    group.roles = {role} if role else set()
    return group


def _begin(group: _Group, groups: list[_Group], begun: dict[str, set[int]]) -> None:
    ends = {f"-{word[-_START:]}" for word in group.words}
    for start in ends | {bare(word)[:_START] for word in group.words}:
        begun.setdefault(start, set()).add(len(groups))
    groups.append(group)


def _fitting(
    mention: Mention, groups: Sequence[_Group], begun: Mapping[str, set[int]]
) -> tuple[list[_Group], bool]:
    """Return the groups a mention may belong to, and whether its role was guessed."""
    words = _words(mention)
    if not words:
        found = [group for group in groups if _abbreviates(mention, group)]
        agreeing = [group for group in found if _roles_agree(mention, group)]
        found = agreeing or found
        return (found if len(found) == 1 else []), not agreeing
    near = [groups[number] for number in sorted(_candidates(words, begun))]
    fitting = [g for g in near if _roles_agree(mention, g) and _fits(mention, g)]
    if fitting or len(words) > 1 or mention.name.initials:
        return fitting, False
    word = words[0]  # the role of a diminutive alone was guessed
    if not word.endswith(("ito", "ita")):
        return [], False
    fitting = [
        g
        for g in near
        if word not in g.words and any(is_short_for(word, o) for o in g.words)
    ]
    return (fitting if len(fitting) == 1 else []), True


def _candidates(words: Sequence[str], begun: Mapping[str, set[int]]) -> set[int]:
    """Return the groups with a word that begins or ends like each word of a mention."""
    called = name_lists().called
    found: list[set[int]] = []
    for word in words:
        groups = begun.get(bare(word)[:_START], set())
        groups = groups | begun.get(f"-{word[-_START:]}", set())
        for given in (*called.get(word, ()), *called.get(enlarged(word), ())):
            groups = groups | begun.get(given[:_START], set())
        found.append(groups)
    return set.intersection(*sorted(found, key=len)) if found else set()


def _fits(mention: Mention, group: _Group) -> bool:
    """Tell whether a mention can be of somebody with these words."""
    free = list(group.words)
    for word in _words(mention):
        found = next(
            (
                other
                for other in free
                if bare(other) == bare(word)
                or is_slip(word, other)
                or is_short_for(word, other)
            ),
            None,
        )
        if found is None:
            return False
        free.remove(found)
    for initial in mention.name.initials:
        found = next((other for other in free if bare(other)[:1] == initial), None)
        if found is None:
            return False
        free.remove(found)
    return True


def _abbreviates(mention: Mention, group: _Group) -> bool:
    """Tell whether initials alone are those of a name, surnames first or last."""
    initials = mention.name.initials
    whole = "".join(bare(word)[:1] for word in group.words)
    turned = {whole[at:] + whole[:at] for at in range(len(whole))}
    if len(initials) == 1:
        return bool(group.given) and initials == bare((*group.surnames, "")[0])[:1]
    return len(initials) >= _FEWEST_INITIALS and initials in turned


def _roles_agree(mention: Mention, group: _Group) -> bool:
    """Tell whether roles leave it open that a mention is of a person.

    Of a nickname "other" says only that nothing else was said: "llaman Tina"; so it
    does of one word that no list has: "doña Came", and of a slip of the pen.
    """
    names, words = name_lists(), _words(mention)
    alone = words[0] if len(words) == 1 else ""
    nickname = any(map(names.is_nickname, words)) or (
        bool(alone) and (not names.knows(alone) or alone in names.called)
    )
    slip = not names.is_given(alone) and any(
        is_slip(alone, bare(word)) for word in group.words if alone
    )
    unknown = {"", _NO_ROLE} if nickname or slip else {""}
    return mention.role in unknown or group.roles <= {*unknown, mention.role}


def _distance(mention: Mention, group: _Group) -> tuple[bool, int]:
    """Rank groups: one with a mention before this one first, then the nearest."""
    here = mention.position
    before = [m.position for m in group.mentions if m.position < here]
    if before:
        return False, here - max(before)
    return True, min(m.position for m in group.mentions) - here


def _merged(groups: Sequence[_Group]) -> list[_Group]:
    """Merge "C. Banda Ruelas" with the "Celedonio Banda" of the same note.

    The one has the given name, the other the second surname.
    """
    kept: list[_Group] = []
    for group in groups:
        name = group.mentions[0].name
        other = None
        if not group.given and name.initials and group.surnames:
            fitting = [
                g
                for g in groups
                if g is not group
                and g.given
                and bare(g.given[0])[:1] == name.initials[0]
                and set(g.surnames) & set(group.surnames)
                and len(g.surnames) < len(group.surnames)
                and (not g.roles or not group.roles or g.roles == group.roles)
            ]
            other = fitting[0] if len(fitting) == 1 else None
        if other is None:
            kept.append(group)
            continue
        other.mentions += group.mentions
        other.surnames = group.surnames
        other.words = (*other.given, *group.surnames)
    return kept


def _person(group: _Group, sexes: Sequence[tuple[str, str]]) -> Person:
    # "Viene su papá Roldán" says nothing of the Ximena Roldán of the same note.
    telling = [
        m
        for m in group.mentions
        if m.name.given or not group.given or "called" not in m.says
    ]
    says = Counter(word for m in telling for word in m.says)
    says.update(group.says)
    given = group.given
    sex = "F" if says["F"] > says["M"] else "M" if says["M"] > says["F"] else ""
    disputed = says["F"] and says["M"] and given and given[0] in BOTH_SEXES
    if disputed:  # "Sr. Refugio, no la Sra. Refugio"
        sex = ""
    bearer = Bearer(given, group.surnames)
    if not sex:
        sex = next((s for four, s in sexes if _of_code(four, bearer)), "")
    if not sex and not disputed:
        sex = sex_of_given(given)
    alone = len(group.words) < 2
    epithet = next((s for s in "MF" if alone and says[f"epithet {s}"]), "")
    position = min(m.position for m in group.mentions)
    return Person(
        number=position,
        bearer=Bearer(given, group.surnames, sex, epithet),
        role=next((r for r in (*_ROLES, _NO_ROLE) if r in group.roles), ""),
        texts=tuple(dict.fromkeys(m.text for m in group.mentions)),
        mentions=tuple(sorted(m.position for m in group.mentions)),
    )


def _ways(words: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    """Return the ways to read words as given names and one or two surnames."""
    ways = []
    for surnames in (2, 1):
        if len(words) > surnames:
            ways.append((list(words[:-surnames]), list(words[-surnames:])))
            ways.append((list(words[surnames:]), list(words[:surnames])))
    return ways


def _four(way: tuple[Sequence[str], Sequence[str]]) -> str:
    given, surnames = way
    second = bare(surnames[1]) if len(surnames) > 1 else ""
    return four_letters([bare(w) for w in given], bare(surnames[0]), second)


def _in_codes(way: tuple[Sequence[str], Sequence[str]], fours: set[str]) -> bool:
    """Tell whether a code is of a name, whose second surname may be left out."""
    own = _four(way)
    short = len(way[1]) < 2
    return own in fours or (short and any(_but_for_second(own, f) for f in fours))


def _codes(words: Sequence[str]) -> set[str]:
    return {_four(way) for way in _ways(words)}


def _of_code(four: str, bearer: Bearer) -> bool:
    """Tell whether a code is of somebody; the note may leave out a surname."""
    return any(_in_codes(way, {four}) for way in readings(bearer))


def _but_for_second(four: str, other: str) -> bool:
    return (four[:2], four[3:]) == (other[:2], other[3:])


def readings(bearer: Bearer) -> list[tuple[list[str], list[str]]]:
    """Return the ways to read a name, the one it was parsed as first.

    :param bearer: Who bears it.
    :return: Given names and surnames, folded.
    """
    ways = []
    if bearer.given and bearer.surnames:
        ways.append((list(bearer.given), list(bearer.surnames[:2])))
        ways.append((list(bearer.given), list(bearer.surnames[:1])))
    return [*ways, *_ways(bearer.words)]


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose code it is, and how the code reads the name.

    :param person: The person.
    :param given: Folded given names.
    :param surnames: Folded surnames that the code knows of, one or two.
    :param more: The code has a second surname that the note leaves out.
    """

    person: Person
    given: tuple[str, ...]
    surnames: tuple[str, ...]
    more: bool = False


def owner_of(code: str, people: Sequence[Person], voter: bool = False) -> Owner | None:
    """Return whose CURP, RFC or voter key a code is.

    :param code: Letters and digits, in capitals.
    :param people: The people of the note.
    :param voter: It is a voter key.
    :return: Who has a name of these letters; else the one patient with nearly these.
    """
    size = 6 if voter else _FOUR
    letters, sex = code[:size], "" if voter else sex_in(code)
    best: tuple[tuple[int, int, int], Owner] | None = None
    agreeing: set[int] = set()
    for person in people:
        for order, (given, surnames) in enumerate(readings(person.bearer)):
            score, more = _agreement(letters, given, surnames, voter)
            agrees = not sex or person.bearer.sex in ("", sex)
            rank = (score, agrees + (person.role == "patient"), -order)
            if not score:
                continue
            agreeing.add(person.number)
            if best is None or rank > best[0]:
                owner = Owner(person, tuple(given), tuple(surnames), more)
                best = rank, owner
    if best is None or best[0][0] >= size:
        return best[1] if best else None
    # A slip in the code, or in the name: only where nobody else could be meant.
    patients = [p for p in people if p.role == "patient"] or list(people)
    near = best[1].more or (len(patients) == 1 and best[1].person is patients[0])
    return best[1] if near or agreeing == {best[1].person.number} else None


def _agreement(
    letters: str, given: Sequence[str], surnames: Sequence[str], voter: bool
) -> tuple[int, bool]:
    """Return how many letters agree, 0 for too few, and if a surname is lacking."""
    names = [bare(word) for word in given]
    first, second = bare(surnames[0]), bare(surnames[1]) if len(surnames) > 1 else ""
    if voter:
        own = voter_letters(names, first, second)
        if _loosely(letters, (first, second, names[0])):
            return len(own), False
    else:
        own = four_letters(names, first, second)
        if letters == own:
            return len(own), False
        if (
            not second
            and letters == (fold_key(first)[:2] + fold_key(names[0])[:2]).upper()
        ):
            return len(own), False  # an RFC with one surname
        if not second and _but_for_second(own, letters):
            return _AGREEING, True
    same = sum(a == b for a, b in zip(own, letters, strict=False))
    return (same if same >= len(own) - 1 else 0), False


def _loosely(key: str, names: Sequence[str]) -> bool:
    """Tell whether a voter key has two letters of each name, not the right ones."""
    return len(key) == 6 and all(
        word and word[0].upper() == key[at] and key[at + 1].lower() in word[1:]
        for at, word in zip((0, 2, 4), map(fold_key, names), strict=True)
    )


_LOGIN = re.compile(r"[a-z]{4,}[0-9._-]*[a-z]*[0-9]*")


def is_login(text: str) -> bool:
    """Tell whether what was found as a name may be a user name: "mestevez", "jlopez2".

    :param text: As it stands in the note.
    """
    return _LOGIN.fullmatch(text) is not None
