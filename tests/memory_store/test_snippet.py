"""Where matched words are marked, and how they are found in a text."""

import random

import pytest

from memory_store.index.analysis import query_words, stemmer, words
from memory_store.snippet import Line, Marker, Snippet

SAID = (
    "harbour Harbours’ keeper’s dying die skies sky went going children child’s getUserName user_name HTTPServer",
    "naïve café Müller gefahren “quoted” well-known https://example.org/a_b?c=d v1.2.3 --no-cache ÅNGSTRÖM don't",
    "рассказы рассказ Καλημέρα array arrays relational possibly possibilities e-mail 2024-05-08 knives knife",
)


def _marked(line: Line, asked: str, languages: tuple[str, ...]) -> Snippet:
    stems = [stem for word in query_words(asked, languages) for stem in word.stems]
    return Marker(stems, [stemmer(name) for name in languages]).snippets([line])[0]


@pytest.mark.parametrize("seed", range(30))
def test_looking_only_where_words_may_match_marks_what_reading_every_word_marks(seed: int) -> None:
    """The quick way through a text marks the same words as the plain one, whatever letters and signs stand there."""
    rng = random.Random(seed)
    every = [word for line in SAID for word in line.split()]
    text = " ".join(rng.choice("( * . ` # ,").strip() + rng.choice(every) for _ in range(12))
    asked = " ".join(rng.choices(every, k=4))
    for languages in (("en",), ("de", "en"), ("ru", "fi", "en")):
        quick, plain = Line.of(text), Line(" ".join(text.split()), None)
        assert quick.plain is not None
        starts = {start for start, _ in _marked(quick, asked, languages).marks}
        assert starts == {start for start, _ in _marked(plain, asked, languages).marks}


@pytest.mark.parametrize("text", ["Straße am Meer", "天気がいい the sea", "قرأت الكتاب", "cafe\u0301 noir"])
def test_texts_in_which_letters_are_no_single_signs_are_read_word_by_word(text: str) -> None:
    """Where folding a letter gives two or none, or words are not set apart, each word is read, and marked."""
    line = Line.of(text)
    assert line.plain is None
    word = words(text)[0]
    assert _marked(line, word, ("en",)).marks


def test_a_word_begins_as_its_stem_tells() -> None:
    """In every language the quick way looks at the first letters of a stem: words that share it are found by them."""
    for language, pair in {
        "en": ("possibility possible", "running runs", "studied study", "caught catching"),
        "de": ("Häuser Hauses", "fahren fahrt"),
        "fr": ("indication indications", "nationaux nationale"),
        "nl": ("broden brood",),
    }.items():
        for first, second in (words(two) for two in pair):
            if stemmer(language)(first) == stemmer(language)(second):
                assert _marked(Line.of(first), second, (language,)).marks == ((0, len(first)),)
