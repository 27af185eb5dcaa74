"""The choice of slots and batches, without a runtime."""

from hypothesis import given
from hypothesis import strategies as st

from models.slots import Placement, Reader, SlotView, Wait, common_prefix, place, share

HEAD = list(range(1000, 1400))


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_the_common_prefix_is_the_plain_one(a: list[int], b: list[int]) -> None:
    """The fast comparison of slices finds what a loop over tokens finds."""
    plain = 0
    while plain < min(len(a), len(b)) and a[plain] == b[plain]:
        plain += 1
    assert common_prefix(a, b) == plain


def view(
    seq: int, tokens: list[int], *, free: bool = True, used: int = 0, reading: list[int] | None = None
) -> SlotView:
    return SlotView(seq, tokens, free, used, reading)


def test_a_conversation_goes_on_in_its_slot() -> None:
    """The slot that holds the earlier turns is taken, though another was used longer ago."""
    slots = [view(0, [7, 8], used=1), view(1, HEAD, used=5)]
    assert place([*HEAD, 1, 2, 3], slots) == Placement(1, len(HEAD))


def test_a_short_likeness_takes_the_oldest_slot() -> None:
    """A few tokens in common are worth less than what the other slot holds."""
    slots = [view(0, [*HEAD[:5], *range(300)], used=5), view(1, list(range(50, 90)), used=1)]
    assert place([*HEAD[:5], 9, 9], slots) == Placement(1, 0)


def test_another_conversation_with_the_same_head_copies_it() -> None:
    """A long conversation is not cut down to its head for a new one: the head is copied to an empty slot."""
    talk = [*HEAD, *range(3000, 4000)]
    assert place([*HEAD, 1, 2], [view(0, talk, used=9), view(1, [], used=0)]) == Placement(1, len(HEAD), copy_from=0)


def test_a_busy_slot_lends_its_head() -> None:
    """What a running request has read serves a new one at once."""
    slots = [view(0, HEAD, free=False), view(1, [])]
    assert place([*HEAD, 4], slots) == Placement(1, len(HEAD), copy_from=0)


def test_a_head_that_is_just_being_read_is_awaited() -> None:
    """Of four clients with one head, one reads it and the others wait for that."""
    slots = [view(0, HEAD[:100], free=False, reading=[*HEAD, 5]), view(1, [])]
    assert place([*HEAD, 4], slots) == Wait(0, len(HEAD))


def test_no_free_slot_is_no_placement() -> None:
    """Nothing is taken from a running request here."""
    assert place([1], [view(0, [], free=False)]) is None


def test_a_few_tokens_are_copied_rather_than_read() -> None:
    """Requests that arrive together share the beginning of their prompts, be it short."""
    talk = [*HEAD[:40], 1, 2, 3]
    slots = [view(0, talk, free=False), view(1, HEAD[:30])]
    assert place([*HEAD[:40], 7, 8], slots) == Placement(1, 40, copy_from=0)


def test_answers_go_on_while_a_prompt_is_read() -> None:
    """Each running answer gets its token in every batch; a prompt gets a chunk beside them."""
    readers = [Reader(0, 1, 0, True), Reader(1, 3000, 0, False), Reader(2, 1, 0, True)]
    assert share(readers, batch_tokens=512, chunk_tokens=32) == [(0, 1), (2, 1), (1, 32)]


def test_a_prompt_that_nobody_waits_beside_gets_the_whole_batch() -> None:
    """Chunks are for the sake of others."""
    assert share([Reader(0, 3000, 0, False)], batch_tokens=512, chunk_tokens=32) == [(0, 512)]


def test_a_short_prompt_overtakes_a_long_one() -> None:
    """The short chat is read alone: what were read of the long prompt beside it, it would have to wait for."""
    readers = [Reader(0, 2500, 0.5, False), Reader(1, 30, 0, False)]
    assert share(readers, batch_tokens=512, chunk_tokens=32) == [(1, 30)]


def test_short_prompts_are_read_together() -> None:
    """As many as a few chunks hold, so that running answers are not kept waiting by a crowd."""
    readers = [Reader(0, 1, 0.1, True), *(Reader(seq, 30, 0, False) for seq in range(1, 13))]
    assert share(readers, batch_tokens=512, chunk_tokens=32) == [(0, 1), *((seq, 30) for seq in range(1, 7))]


def test_none_of_a_crowd_is_left_over() -> None:
    """Half as many again are read with the others, where no short prompt is left then; but no long one is."""
    crowd = [Reader(seq, 30, 0, False) for seq in range(8)]
    assert share(crowd, batch_tokens=512, chunk_tokens=32) == [(seq, 30) for seq in range(8)]
    assert share(crowd, batch_tokens=200, chunk_tokens=32) == [(seq, 30) for seq in range(6)]
    mixed = [Reader(0, 30, 0, False), Reader(1, 190, 0, False)]
    assert share(mixed, batch_tokens=512, chunk_tokens=32) == [(0, 30)]


def test_a_long_prompt_is_not_overtaken_for_ever() -> None:
    """Whoever was left out for a second gets a chunk before shorter ones."""
    readers = [Reader(0, 3000, 1.5, False), Reader(1, 600, 0, False)]
    assert share(readers, batch_tokens=512, chunk_tokens=32) == [(0, 32)]


def test_answers_stand_back_once_for_prompts_that_end() -> None:
    """A token beside prompts costs a pass of its own, so they are read alone; but never twice running."""
    prompts = [Reader(1, 18, 0, False), Reader(2, 20, 0, False)]
    just, left_out = Reader(0, 1, 0.001, True), Reader(0, 1, 0.1, True)
    assert share([just, *prompts], batch_tokens=512, chunk_tokens=32) == [(1, 18), (2, 20)]
    assert share([left_out, *prompts], batch_tokens=512, chunk_tokens=32) == [(0, 1), (1, 18), (2, 20)]
    assert share([just, Reader(1, 3000, 0, False)], batch_tokens=512, chunk_tokens=32) == [(0, 1), (1, 32)]
