"""Counts of what the daemon did, in Prometheus' text format. Reading them touches nothing else."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

SECONDS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0)
Labels = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Gauge:
    """A value read at the moment of asking."""

    name: str
    help: str
    samples: tuple[tuple[Labels, float], ...]


@dataclass
class Counter:
    """A number that only grows, by labels."""

    name: str
    help: str
    values: dict[Labels, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, amount: float = 1, **labels: str) -> None:
        """Count *amount* more."""
        self.values[tuple(sorted(labels.items()))] += amount

    def total(self) -> float:
        """Over all labels."""
        return sum(self.values.values())


@dataclass
class Histogram:
    """How often something took how long."""

    name: str
    help: str
    bounds: tuple[float, ...] = SECONDS
    counts: dict[Labels, list[int]] = field(default_factory=dict)
    sums: dict[Labels, float] = field(default_factory=lambda: defaultdict(float))

    def observe(self, seconds: float, **labels: str) -> None:
        """Add one observation."""
        key = tuple(sorted(labels.items()))
        counts = self.counts.setdefault(key, [0] * (len(self.bounds) + 1))
        place = next((index for index, bound in enumerate(self.bounds) if seconds <= bound), len(self.bounds))
        counts[place] += 1
        self.sums[key] += seconds


class Metrics:
    """All counters of the daemon."""

    def __init__(self) -> None:
        self.requests = Counter("reverie_requests_total", "HTTP requests answered")
        self.request_seconds = Histogram("reverie_request_seconds", "Time until a reply's headers were sent")
        self.prompt_tokens = Counter("reverie_prompt_tokens_total", "Tokens read by chat models")
        self.completion_tokens = Counter("reverie_completion_tokens_total", "Tokens written by chat models")
        self.first_token_seconds = Histogram(
            "reverie_first_token_seconds", "Time until the first piece of a chat reply"
        )
        self.chat_seconds = Histogram("reverie_chat_seconds", "Time of whole chat replies")
        self.embedded_texts = Counter("reverie_embedded_texts_total", "Texts embedded")
        self.searches = Counter("reverie_searches_total", "Searches of memory")
        self.facts_changed = Counter(
            "reverie_facts_changed_total", "Facts changed by conversation, consequences included"
        )
        self.worker_deaths = Counter("reverie_worker_deaths_total", "Model workers that died unasked")
        self.job_runs = Counter("reverie_job_runs_total", "Runs of background jobs")

    def render(self, gauges: Iterable[Gauge] = ()) -> str:
        """Prometheus text, version 0.0.4."""
        lines: list[str] = []
        for part in vars(self).values():
            if isinstance(part, Counter):
                lines += _head(part.name, part.help, "counter")
                lines += [_sample(part.name, labels, value) for labels, value in sorted(part.values.items())]
                lines += [] if part.values else [_sample(part.name, (), 0)]
            elif isinstance(part, Histogram):
                lines += _head(part.name, part.help, "histogram")
                lines += _buckets(part)
        for gauge in gauges:
            lines += _head(gauge.name, gauge.help, "gauge")
            lines += [_sample(gauge.name, labels, value) for labels, value in gauge.samples]
        return "\n".join(lines) + "\n"


def _head(name: str, text: str, kind: str) -> list[str]:
    return [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]


def _buckets(histogram: Histogram) -> Iterator[str]:
    for labels, counts in sorted(histogram.counts.items()):
        running = 0
        for bound, count in zip((*map(str, histogram.bounds), "+Inf"), counts, strict=True):
            running += count
            yield _sample(f"{histogram.name}_bucket", (*labels, ("le", bound)), running)
        yield _sample(f"{histogram.name}_sum", labels, histogram.sums[labels])
        yield _sample(f"{histogram.name}_count", labels, running)


def _sample(name: str, labels: Labels, value: float) -> str:
    inside = ",".join(f'{key}="{_escape(text)}"' for key, text in labels)
    return f"{name}{{{inside}}} {value:.12g}" if inside else f"{name} {value:.12g}"


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
