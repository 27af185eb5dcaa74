"""
What a model can be trusted with, measured on this machine by the small tests of `models.exam`.

The daemon asks for abilities, never for names: `read` before a model answers from memory alone, `extract` before it
writes facts, `judge` and `reflect` before it takes part in the night.
"""

import asyncio
import hashlib
import json
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import msgspec

from models.errors import ModelError
from models.exam import TESTS, THRESHOLDS, Ability, Schema, Test
from models.requests import ChatMessage, Generation, ResponseFormat, Sampling

Generate = Callable[[Sequence[ChatMessage], Schema | None], Awaitable[str]]

TIMEOUT_S = 90.0
_SILENCES = 3  # tests in a row without an answer, after which the rest is not tried
_DETAIL = 200


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """One test. *detail* is what was wrong, and the beginning of the answer."""

    ability: str
    name: str
    passed: bool
    detail: str = ""


class CheckReport(msgspec.Struct, frozen=True, kw_only=True):
    """All tests of one model: scores by ability in 0..1, and what it is trusted with as a result, in order of names."""

    model: str
    digest: str
    results: tuple[CheckResult, ...]
    scores: dict[str, float]
    trust: tuple[str, ...]
    took_s: float
    exam: str = ""


def request(messages: Sequence[ChatMessage], schema: Schema | None) -> Generation:
    """How a test is put to an engine: greedy, short, without reasoning shown, after the owner's own requests."""
    return Generation(
        messages=tuple(messages),
        sampling=Sampling(temperature=0, seed=1),
        max_tokens=160,
        reasoning=False,
        priority="background",
        response_format=ResponseFormat(kind="json_schema", schema=schema) if schema else ResponseFormat(),
    )


async def check(
    generate: Generate,
    *,
    model: str,
    digest: str,
    tests: Sequence[Test] = TESTS,
    timeout_s: float = TIMEOUT_S,
    on_result: Callable[[CheckResult], None] | None = None,
) -> CheckReport:
    """
    Put all *tests* to the model behind *generate*, one after the other; results are reported as they come.

    A test that takes longer than *timeout_s*, or fails with a ModelError, is not passed; after three such in a row the
    model counts as not answering, and the remaining tests are not passed either. Answers should be deterministic: see
    `request`.
    """
    started, silent = time.monotonic(), 0
    results: list[CheckResult] = []
    for test in tests:
        if silent >= _SILENCES:
            result = _result(test, "not tried: the model did not answer before")
        else:
            result, answered = await _put(test, generate, timeout_s)
            silent = 0 if answered else silent + 1
        results.append(result)
        if on_result:
            on_result(result)
    scores = _scores(results)
    return CheckReport(
        model=model,
        digest=digest,
        results=tuple(results),
        scores=scores,
        trust=trusted(scores),
        took_s=time.monotonic() - started,
        exam=exam_digest(tests),
    )


async def _put(test: Test, generate: Generate, timeout_s: float) -> tuple[CheckResult, bool]:
    try:
        async with asyncio.timeout(timeout_s):
            answer = await generate(test.messages, test.schema)
    except TimeoutError:
        return _result(test, f"no answer within {timeout_s:g} s"), False
    except ModelError as error:
        return _result(test, str(error)), False
    wrong = test.verdict(answer)
    return _result(test, f"{wrong}: {answer.strip()!r}"[:_DETAIL] if wrong else ""), True


def _result(test: Test, detail: str) -> CheckResult:
    return CheckResult(ability=test.ability, name=test.name, passed=not detail, detail=detail)


def _scores(results: Sequence[CheckResult]) -> dict[str, float]:
    passed: dict[str, list[bool]] = {}
    for result in results:
        passed.setdefault(result.ability, []).append(result.passed)
    return {ability: round(sum(each) / len(each), 3) for ability, each in passed.items()}


def trusted(scores: dict[str, float]) -> tuple[str, ...]:
    """The abilities whose score reaches its threshold."""
    needed: dict[Ability, float] = THRESHOLDS
    return tuple(sorted(ability for ability, least in needed.items() if scores.get(ability, 0.0) >= least))


def exam_digest(tests: Sequence[Test] = TESTS) -> str:
    """Names the questions: a report on other questions is out of date."""
    asked = [[test.ability, test.name, [message.content for message in test.messages], test.schema] for test in tests]
    return hashlib.sha256(json.dumps([asked, THRESHOLDS]).encode()).hexdigest()[:16]


class TrustBook:
    """The reports of all models checked here, by digest, in one file of the state folder. Deletable."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, digest: str) -> CheckReport | None:
        """The report on the model with *digest*; None when it was never checked, or on other questions."""
        report = self._read().get(digest)
        return report if report and report.exam == exam_digest() else None

    def trust(self, digest: str) -> frozenset[str]:
        """What that model is trusted with; nothing, when it was not checked."""
        report = self.get(digest)
        return frozenset(report.trust) if report else frozenset()

    def put(self, report: CheckReport) -> None:
        """Keep *report*, in place of an older one on the same model."""
        reports = self._read() | {report.digest: report}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(reports)))
        fresh.replace(self._path)

    def _read(self) -> dict[str, CheckReport]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, CheckReport])
        except (OSError, msgspec.DecodeError):  # it is derived: whoever wants to know can check again
            return {}
