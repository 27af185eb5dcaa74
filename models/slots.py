"""Which slot a request gets, and what of its prompt is already read somewhere. Decisions only: no runtime here."""

from collections.abc import Sequence
from dataclasses import dataclass

WORTH_REUSING = 8  # tokens; below, what a slot holds is worth no preference
SMALL_LOSS = 32  # tokens that a slot may lose for a request that shares the rest
COPY_COST = 0.05  # copying the state of one token, against reading one
COPY_LEAST = 4  # tokens that a copy costs at any length
PATIENCE_S = 1.0
ENDING_CHUNKS = 6
JUST_NOW_S = 0.03  # since the last batch; whoever was left out of it waits longer than this


def common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    """How many tokens *a* and *b* begin with in common."""
    low, high = 0, min(len(a), len(b))
    if a[:high] == b[:high]:
        return high
    while high - low > 1:  # a[:low] == b[:low], a[:high] != b[:high]; slices compare in C
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low


@dataclass(frozen=True, slots=True)
class SlotView:
    """A slot as the choice sees it. *used* counts up: smaller was used longer ago. *reading*: a prompt, to the end."""

    seq: int
    tokens: Sequence[int]
    free: bool
    used: int
    reading: Sequence[int] | None = None


@dataclass(frozen=True, slots=True)
class Placement:
    """Take slot *seq*, which keeps *keep* tokens; or, with *copy_from*, first copy that slot's state."""

    seq: int
    keep: int
    copy_from: int | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """Another slot is just reading what this request needs, *until* so many tokens: it is cheaper to wait for that."""

    seq: int
    until: int


def place(prompt: Sequence[int], slots: Sequence[SlotView]) -> Placement | Wait | None:
    """
    Where a request with *prompt* continues; None without a free slot.

    The longest common prefix wins. A free slot is taken as it is when little of what it holds is lost by that;
    otherwise its state is copied into the slot that was used longest ago. Of a slot that reads the same beginning at
    this moment, the end is awaited.
    """
    free = [slot for slot in slots if slot.free]
    if not free:
        return None
    shared = {slot.seq: common_prefix(prompt, slot.tokens) for slot in slots}
    best = max(slots, key=lambda slot: (shared[slot.seq], slot.free, -slot.used))
    ahead = max(
        ((common_prefix(prompt, slot.reading), slot.seq) for slot in slots if slot.reading is not None), default=(0, -1)
    )
    if _copying_pays(ahead[0] - shared[best.seq], ahead[0]):
        return Wait(ahead[1], ahead[0])
    oldest = min(free, key=lambda slot: (bool(slot.tokens), slot.used))
    keep = shared[best.seq]
    if keep < WORTH_REUSING:
        return Placement(oldest.seq, shared[oldest.seq])
    lost = len(best.tokens) - keep
    if best.free and (best.seq == oldest.seq or lost <= max(SMALL_LOSS, keep // 2)):
        return Placement(best.seq, keep)
    if _copying_pays(keep - shared[oldest.seq], len(best.tokens)):
        return Placement(oldest.seq, keep, copy_from=best.seq)
    return Placement(oldest.seq, shared[oldest.seq])


def _copying_pays(saved: int, length: int) -> bool:
    """Whether it is quicker to copy a state of *length* tokens than to read *saved* of them again."""
    return saved > length * COPY_COST + COPY_LEAST


@dataclass(frozen=True, slots=True)
class Reader:
    """A running answer as the batch sees it: tokens to read, seconds since it last got any, whether it answers."""

    seq: int
    todo: int
    idle_s: float
    answering: bool


def share(readers: Sequence[Reader], *, batch_tokens: int, chunk_tokens: int) -> list[tuple[int, int]]:
    """
    The next batch as (seq, tokens): a token for everyone who answers, and prompts.

    A prompt that nobody waits beside gets *batch_tokens*; else a batch is kept short, so that answers go on and a
    newcomer is read soon. First come those that were left out for `PATIENCE_S`, then shorter ones. Prompts that can be
    read to their end are read together and alone, up to `ENDING_CHUNKS` chunks, or half as many more where each is
    short and none is left over then: the rest would cost a pass of its own. A longer one gets *chunk_tokens*.
    Those who answer stand back for that once: sequences are computed together only as far as they are of one length,
    so that a token beside prompts would cost a pass of its own.
    """
    answering = [r for r in readers if r.answering and r.todo == 1][:batch_tokens]
    taken = [(r.seq, 1) for r in answering]
    chosen = {r.seq for r in answering}
    waiting = sorted((r for r in readers if r.seq not in chosen), key=lambda r: (r.idle_s < PATIENCE_S, r.todo))
    most = batch_tokens - len(taken)
    if not waiting or most <= 0:
        return taken
    if not taken and len(waiting) == 1:
        return [(waiting[0].seq, min(waiting[0].todo, most))]
    room = min(most, ENDING_CHUNKS * chunk_tokens)
    if waiting[0].todo > room:
        return [*taken, (waiting[0].seq, min(most, chunk_tokens))]
    if 2 * max(r.todo for r in waiting) <= room and sum(r.todo for r in waiting) <= min(most, room + room // 2):
        room += room // 2
    ending: list[tuple[int, int]] = []
    for reader in waiting:
        if reader.todo > room:
            break
        ending.append((reader.seq, reader.todo))
        room -= reader.todo
    return ending if all(r.idle_s < JUST_NOW_S for r in answering) else [*taken, *ending]
