"""Who the speaker is: `I'm Clara`, `call me Clara`; a name by its shape, and no word for how or what one is."""

import re

from memory_store.doing import verb_form
from memory_store.said import Said

_GIVEN = r"(?P<v>[A-ZÀ-Þ][a-zà-ÿ]+(?:[’'-][A-ZÀ-Þ]?[a-zà-ÿ]+)*(?:\s+(?:(?:van|de|von|der|da|di|la|Mc|Mac|O['’])\s*)*[A-ZÀ-Þ][\w'’-]+){0,2})"
_SAYS_SO = re.compile(
    rf"^(?:(?:hi|hey|hello|hiya|good (?:morning|evening|afternoon|day)|greetings|howdy|yo)[\s,!.]*(?:there|all|everyone)?[\s,!.]+)?(?:"
    rf"(?:[Ii]['’]m|[Ii] am|[Tt]his is|[Ii]t['’]s)\s+(?:called\s+|named\s+)?{_GIVEN}(?P<more>(?:,|\s+(?:and|from|by the way|here)\b|\s+—).*)?|"
    rf"(?i:(?:you can |you may |please |just |everyone |everybody |people |friends |my friends )*calls? me)\s+{_GIVEN.replace('?P<v>', '?P<v2>')}|"
    rf"{_GIVEN.replace('?P<v>', '?P<v3>')}\s+here)$",
)
# What people are by origin, faith, sign or day: capitalised, and no names.
_NO_NAME = re.compile(
    r"(?:\w+(?:ish|ese|ist|ean|ench|ing|ed|ly|ful|less|ous|ive|able|able)|German|French|Dutch|Greek|Thai|Swiss|Czech|Slovak|Slovene|Croat|Serb|Finn|Swede|Dane|Pole|Turk|Welsh|Kurd|Arab|Iraqi|Israeli|Pakistani|Bangladeshi|Saudi|Kuwaiti|Qatari|Emirati|Nepali|Somali|Filipin[oa]|Latin[oax]|Hispanic|Asian|European|Scot|Brit|Aussie|Kiwi|Yank|Texan|"
    r"American|Mexican|African|Moroccan|Cuban|Jamaican|Kenyan|Ugandan|Rwandan|Libyan|Afghan|Dominican|Catalan|Tibetan|Zambian|Lutheran|Mormon|Amish|Catholic|Muslim|Christian|Hindu|Sikh|Protestant|Orthodox|Quaker|Jain|Republican|Democrat|Vegan|Vegetarian|Aries|Taurus|Gemini|Cancer|Virgo|Libra|Scorpio|Sagittarius|Capricorn|Aquarius|Pisces|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Happy|Sad|Busy|Sick|Late|Ready|Done|Back|Home|Free|New|Here|Sure|Sorry|Fine|Good|Great|Okay|Bored|Hungry|Thirsty|Sleepy|Well|Old|Young|Tall|Short|Alone|Lost|Glad|Afraid|Aware|Able|Over|Out|In|On|At|Not|Just|Still|Also|Very|So|Really|From|Team|Mr|Mrs|Ms|Dr|Prof|The|An?|Your?|My|Our|What|Who|How|That|This|"
    r"January|February|March|April|May|June|July|August|September|October|November|December)",
    re.IGNORECASE,
)
_IAN = re.compile(r"\w+ian$")
_NAMES_IN_IAN = frozenset(
    "ian brian adrian vivian sebastian julian damian gillian lilian lillian fabian cillian kilian killian dorian marian cassian florian maximilian jillian fabian valerian cyprian".split()
)


def _of_a_people(word: str) -> bool:
    return _IAN.match(word.lower()) is not None and word.lower() not in _NAMES_IN_IAN


def introduced(text: str) -> Said | None:
    """The name by which the speaker of *text* goes; None where it gives none."""
    m = _SAYS_SO.match(text)
    if m is None:
        return None
    name = m["v"] or m["v2"] or m["v3"]
    if re.match(r"(?:this is|it['’]s)\b", text, re.IGNORECASE) and not (m["v"] and re.search(r"\bhere$", text)):
        return None
    first = name.split()[0]
    if any(_NO_NAME.fullmatch(part) or _of_a_people(part) for part in re.split(r"[\s-]", name)):
        return None
    if _NO_NAME.fullmatch(first) or (verb_form(first) is not None and m["v"]):
        return None
    return Said("name", name, "i")
