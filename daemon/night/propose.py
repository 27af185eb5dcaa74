"""From a failure to repairs that might mend it: up to eight, drawn by the policy, each a value."""

import re
from collections.abc import Callable, Sequence

from daemon.night.bounds import Bounds
from daemon.night.decay import lower, restored
from daemon.night.diagnose import Diagnosis
from daemon.night.graph import Graph, sentences
from daemon.night.loop import CANDIDATES, Source
from daemon.night.repairs import Action, Op, Recalculate, Repair, Tie, Weigh, Write
from memory_store.facts import is_attribute, parse_fact
from memory_store.ledger import Ledger
from memory_store.tuning import Tuning

STRENGTHS = (0.3, 0.2, 0.4)
LOOSE = (0.2, 0.1)
_LONGEST_LINE = 400
_JUNK = re.compile(r"^\s*(?:[#>/$`|~!-]|\d+[.)]|https?:|\[[ xX]\])|[{}<>\\`|]|\]\(|^\W*$")


def propose(
    diagnosis: Diagnosis,
    graph: Graph,
    ledger: Ledger,
    tuning: Tuning,
    bounds: Bounds,
    draw: Callable[[], Op],
    *,
    count: int = CANDIDATES,
) -> list[Repair]:
    """
    *count* repairs as the policy draws their kinds by *draw*; those of one kind take its variants in order.

    A kind that has nothing to offer for this failure gives its place to the next draw; fewer come where all kinds run
    out. The same repair may come twice, as a group of samples has it.
    """
    found: dict[Op, list[Repair]] = {}
    drawn: dict[Op, int] = {}
    repairs: list[Repair] = []
    for _ in range(3 * count):
        if len(repairs) == count:
            break
        op = draw()
        if op not in found:
            found[op] = variants(op, diagnosis, graph, ledger, tuning, bounds)
        if found[op]:
            place = drawn.get(op, 0)
            drawn[op] = place + 1
            repairs.append(found[op][place % len(found[op])])
    return repairs


def variants(
    op: Op, diagnosis: Diagnosis, graph: Graph, ledger: Ledger, tuning: Tuning, bounds: Bounds
) -> list[Repair]:
    """All that *op* can do about *diagnosis*, most promising first."""
    match op:
        case "extract":
            made = _extract(diagnosis, graph, bounds)
        case "synthesize":
            made = _synthesize(diagnosis, graph, bounds)
        case "merge":
            made = _merge(diagnosis, graph, tuning, bounds)
        case "decay":
            made = _decay(diagnosis, graph, tuning, bounds)
        case "recalculate":
            made = _recalculate(diagnosis, graph, ledger, tuning, bounds)
    repairs = [Repair(op, tuple(actions)) for actions in made if actions]
    return list({repair.key: repair for repair in repairs}.values())


def restoring(diagnosis: Diagnosis, graph: Graph, tuning: Tuning) -> list[Repair]:
    """What takes an earlier decay of the sources back, where there was one: a probe has found them relevant."""
    lowered = [row for row in diagnosis.sources if tuning.weights.get(graph.nodes[row].passage.key, 1.0) < 1]
    actions = tuple(Weigh(graph.nodes[row].passage.key, restored(), graph.nodes[row].shown) for row in lowered)
    return [Repair("extract", actions)] if actions else []


def _extract(diagnosis: Diagnosis, graph: Graph, bounds: Bounds) -> list[list[Action]]:
    """Bring the source out: tie it to what asked for it, or, where it is found nowhere near, set it down with what it
    answers."""
    made: list[list[Action]] = [
        [tie(graph, asker, source, strength) for asker, source in diagnosis.askers] for strength in STRENGTHS
    ]
    if bounds.lines:
        made += [_lines(graph, [source], diagnosis.probe.question, bounds) for source in diagnosis.unseen[:2]]
    return made


def _synthesize(diagnosis: Diagnosis, graph: Graph, bounds: Bounds) -> list[list[Action]]:
    """Bring sources together: tie each to the others, or set them down under one name."""
    rows = diagnosis.sources[:3]
    pairs = [(one, other) for one in rows for other in rows if one != other]
    made: list[list[Action]] = [[tie(graph, *pair, strength) for pair in pairs] for strength in LOOSE]
    if bounds.lines and len(diagnosis.sources) > 1 and diagnosis.unseen:
        made.append(_lines(graph, diagnosis.sources[:3], diagnosis.probe.question, bounds))
    return made


def _merge(diagnosis: Diagnosis, graph: Graph, tuning: Tuning, bounds: Bounds) -> list[list[Action]]:
    """Let one of two that say the same stand for both: the other leads to it and steps back."""
    made: list[list[Action]] = []
    for one, other in diagnosis.doubles[:3]:
        kept, dropped = (
            (other, one) if other in diagnosis.sources or graph.says(other) > graph.says(one) else (one, other)
        )
        if dropped not in diagnosis.sources:
            made.append([tie(graph, dropped, kept, STRENGTHS[0]), *lower(graph, [dropped], tuning, bounds)])
    return made


def _decay(diagnosis: Diagnosis, graph: Graph, tuning: Tuning, bounds: Bounds) -> list[list[Action]]:
    """Lower what stands in the way: what says little first; what asked keeps a tie to its answer."""
    noise = diagnosis.noise
    tied = dict(diagnosis.askers)
    asking = [row for row in noise if row in tied]
    made: list[list[Action]] = []
    if asking:
        made.append(
            [*lower(graph, asking, tuning, bounds), *(tie(graph, row, tied[row], STRENGTHS[0]) for row in asking)]
        )
        made.append(lower(graph, asking, tuning, bounds))
    made.append(lower(graph, noise, tuning, bounds))
    made += [lower(graph, [row], tuning, bounds) for row in noise[:2]]
    return made


def _recalculate(
    diagnosis: Diagnosis, graph: Graph, ledger: Ledger, tuning: Tuning, bounds: Bounds
) -> list[list[Action]]:
    """Lower what gives a value that holds no longer, and follow the rules of its fact again."""
    from daemon.context import stale_values

    made: list[list[Action]] = []
    for row in diagnosis.stale:
        facts = stale_values(graph.nodes[row].passage.text, ledger)
        again: list[Action] = [Recalculate(fact.attribute, fact.path) for fact in facts]
        made.append([*lower(graph, [row], tuning, bounds), *again])
    return made


def tie(graph: Graph, source: int, target: int, strength: float) -> Tie:
    """That whoever finds the passage of *source* is led to that of *target*."""
    return Tie(
        graph.nodes[source].passage.key,
        graph.nodes[target].passage.key,
        strength,
        f"“{graph.nodes[source].shown}” leads to “{graph.nodes[target].shown}”",
    )


def _lines(graph: Graph, rows: Sequence[int], question: str, bounds: Bounds) -> list[Action]:
    """One line for each of *rows* under one attribute; nothing where any of them would not make a sound line."""
    writes: list[Action] = []
    for row in rows:
        passage = graph.nodes[row].passage
        told = " ".join(part for part in sentences(passage.text) if not part.endswith("?"))
        write = line(
            bounds.folder,
            question,
            told if told in passage.text else passage.text,
            Source(passage.path, passage.start_line, passage.end_line),
        )
        if write is None or passage.kind == "fact":
            return []
        writes.append(write)
    return writes


def line(folder: str, question: str, told: str, cites: Source) -> Write | None:
    """
    The line that sets down *told* as the answer to *question*; None where it would not be a sound fact line.

    Commands, headings, scores, lists, code and what does not read back as it was written are no memories.
    """
    attribute = " ".join(re.sub(r"[\[\]()]", " ", question).rstrip("?!. ").split())[:100].strip()
    value = " ".join(told.split())
    if not attribute or not is_attribute(attribute) or not len(value.split()) >= 3 or len(value) > _LONGEST_LINE:
        return None
    if _JUNK.search(told) or _JUNK.search(attribute):
        return None
    letters = sum(sign.isalpha() or sign.isspace() for sign in value)
    if letters < 0.7 * len(value):
        return None
    link = cites.path.removesuffix(".md")
    read = parse_fact(f"[{attribute}] {value} (from [[{link}]])")
    if read is None or read.value != value or read.attribute != attribute or read.source != link or read.tags:
        return None
    return Write(f"{folder}Recalled.md", attribute, value, link, cites)
