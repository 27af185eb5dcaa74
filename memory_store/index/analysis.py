"""
Text -> words -> stems, the same way for pages and for questions.

A word is folded (case, accents, Arabic and full-width variants). Scripts written without spaces give overlapping
bigrams. A stem is what the keyword scorer counts by: an irregular form's base, then the Snowball stem of the language.
The Whoosh index holds words, the scorer's arrays hold stems.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import NamedTuple

from memory_store.index.words import DROPPED, LANGUAGE_MARKS, LEMMAS, QUESTION_WORDS

ENGLISH = "en"
LANGUAGES = tuple(LANGUAGE_MARKS)
_SNOWBALL = {
    "de": ("german", "GermanStemmer"),
    "fr": ("french", "FrenchStemmer"),
    "es": ("spanish", "SpanishStemmer"),
    "it": ("italian", "ItalianStemmer"),
    "pt": ("portugese", "PortugueseStemmer"),
    "nl": ("dutch", "DutchStemmer"),
    "sv": ("swedish", "SwedishStemmer"),
    "no": ("norwegian", "NorwegianStemmer"),
    "da": ("danish", "DanishStemmer"),
    "fi": ("finnish", "FinnishStemmer"),
    "hu": ("hungarian", "HungarianStemmer"),
    "ro": ("romanian", "RomanianStemmer"),
    "ru": ("russian", "RussianStemmer"),
}
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3130-\u318f"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_WORD = re.compile(rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])(?:[^\W_]|[\u0900-\u0dff]))+")
UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]")
_SURFACE = re.compile(
    rf"[{_UNSPACED}]+"
    rf"|(?:(?![{_UNSPACED}])(?:[^\W_]|[\u0900-\u0dff\u0300-\u036f\u064b-\u0652]|(?<=\w)['’](?=\w)))+"
)
_JOINED = re.compile(r"(?<![a-z0-9])[a-z0-9]++(?:[_.-][a-z0-9]++)+")
_LONGEST_JOINED = 64
_CAMEL = re.compile(r"\b[A-Za-z]*[a-z][A-Z][A-Za-z]*\b")
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_CLITIC = re.compile(r"['’](?:s|d|ll|re|ve|m|t)\b|(?<=\b[cdjlmnst])['’]|(?<=\bqu)['’]")
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]")
_VARIANTS = str.maketrans("øæœłđıðþأإآٱىةؤئ", "oaoldidtاااايهوي")
_ARABIC = re.compile("[\u0621-\u064a]")
_ARABIC_PREFIX = re.compile("^(?:وال|بال|كال|فال|لل|ال|و)(?=..)")
_ARABIC_SUFFIX = re.compile("(?<=...)(?:ها|ان|ات|ون|ين|يه|ه|ي)$")


def fold(text: str) -> str:
    """*text* without case, accents and letter variants that searchers do not type."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", _MARKS.sub("", decomposed)).translate(_VARIANTS)


def words(text: str) -> list[str]:
    """The words of *text* in order, folded; parts of camelCase names follow at the end."""
    parts = [part for name in _CAMEL.findall(text) for part in _CAMEL_PART.findall(name)] if not text.islower() else []
    if "'" in text or "’" in text:
        text = _CLITIC.sub(_clitic, text)
    folded = fold(text)
    if folded.isascii():
        found = _ASCII_WORD.findall(folded)
    else:
        found = _WORD.findall(folded)
        if UNSPACED_RUN.search(folded):
            found = [gram for word in found for gram in _grams(word)]
    return found + [part.lower() for part in parts if len(part) > 1] if parts else found


def joined_words(text: str) -> list[str]:
    """
    What *text* joins by `_`, `.` or `-`, whole, in order: names of functions, options and files, versions, dates.

    Of `process.env.NODE_ENV` also `node_env`.
    """
    found: list[str] = []
    for name in _JOINED.findall(fold(text)):
        if len(name) <= _LONGEST_JOINED:
            found.append(name)
            if "." in name:
                found += [part for part in name.split(".") if "_" in part or "-" in part]
    return found


def word_spans(text: str) -> Iterable[tuple[int, int, list[str]]]:
    """Each written word of *text* as (start, end, its folded words), for highlighting."""
    for match in _SURFACE.finditer(text):
        word = match.group()
        plain = word.isascii() and word.isalnum() and (word.islower() or word[1:].islower() or word.isupper())
        yield match.start(), match.end(), [word.lower()] if plain else words(word)


def _clitic(match: re.Match[str]) -> str:
    return "t" if match.group()[1:] == "t" else " "


def _grams(word: str) -> Iterable[str]:
    if len(word) < 2 or not UNSPACED_RUN.match(word):
        return (word,)
    return (word[i : i + 2] for i in range(len(word) - 1))


@cache
def _marks() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for language, marks in LANGUAGE_MARKS.items():
        for mark in marks.split():
            table[fold(mark)] = (*table.get(fold(mark), ()), language)
    return table


def language_of(found: Sequence[str], default: str = ENGLISH) -> str:
    """
    The Snowball language of which *found* has most different function words; *default* where too few speak.

    Looks at the first 150 words. A language must lead by two, so that names and quotations do not decide; a word that
    comes again and again counts once, since in code and lists it is a name.
    """
    marks = _marks()
    votes: dict[str, int] = {}
    for word in dict.fromkeys(found[:150]):
        for language in marks.get(word, ()):
            votes[language] = votes.get(language, 0) + 1
    if not votes:
        return default
    votes[default] = votes.get(default, 0) + 1
    best = max(votes, key=lambda language: votes[language])
    return best if votes[best] > votes[default] + 1 else default


class Stemmer:
    """Stems of folded words in one language, remembered; a word of another script is its own stem."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._stem = _algorithm(language)
        self._known: dict[str, str] = {}

    def __call__(self, word: str) -> str:
        stem = self._known.get(word)
        if stem is None:
            if len(self._known) > 300_000:
                self._known.clear()
            stem = self._known[word] = self._new(word)
        return stem

    def _new(self, word: str) -> str:
        if self.language == ENGLISH and word in LEMMAS:
            word = LEMMAS[word]
        if len(word) < 3:
            return word
        if _ARABIC.match(word):
            return _ARABIC_SUFFIX.sub("", _ARABIC_PREFIX.sub("", word))
        if not word.isalpha() or (not word.isascii() and self.language != "ru"):
            return word
        return self._stem(word) or word


@cache
def _stops(language: str) -> frozenset[str]:
    return frozenset(fold(word) for word in QUESTION_WORDS.get(language, "").split()) | DROPPED


@cache
def stemmer(language: str) -> Stemmer:
    """The process's one stemmer of *language*."""
    return Stemmer(language)


def _algorithm(language: str) -> Callable[[str], str]:
    if language == ENGLISH:
        from memory_store.index.english import stem

        return stem
    module, name = _SNOWBALL[language]
    made: Callable[[str], str] = getattr(import_module(f"whoosh.lang.snowball.{module}"), name)().stem
    return made


class QueryWord(NamedTuple):
    """A word of a question: how it stands there, and the stems it may be indexed under."""

    word: str
    stems: tuple[str, ...]


def query_words(text: str, languages: Iterable[str] = (ENGLISH,)) -> tuple[QueryWord, ...]:
    """
    The words of *text* that carry a question, each once, in order.

    *languages* are those of the pages: a short question gives no sure sign of its own, so a word is looked up under
    the stems of each. Function words are left out unless nothing else remains, or they are a part of a name that is
    written as one; such a name follows as a word of its own.
    """
    joined = dict.fromkeys(joined_words(text))
    parts = {part for name in joined for part in _ASCII_WORD.findall(name)} - DROPPED
    found = list(dict.fromkeys(words(text)))
    candidates = tuple(dict.fromkeys((language_of(found), *languages)))
    stops = _stops(candidates[0])
    kept = [
        word for word in found if (word not in stops or word in parts) and not (len(word) == 1 and "a" <= word <= "z")
    ]
    return tuple([_query_word(word, candidates) for word in (*(kept or found), *joined)])


@lru_cache(4000)
def _query_word(word: str, languages: tuple[str, ...]) -> QueryWord:
    """*word* with its stems by each of *languages*."""
    return QueryWord(word, tuple(dict.fromkeys(stemmer(language)(word) for language in languages)))
