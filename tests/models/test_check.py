"""What a model is trusted with is measured, whatever the model does."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from models.check import CheckReport, CheckResult, TrustBook, check, request
from models.errors import WorkerDied
from models.exam import TESTS, THRESHOLDS, Schema
from models.requests import ChatMessage

RIGHT = {
    "a fact": "Mina Olsen.",
    "a detail of a fact": "Your car is grey.",
    "an exact value": "blue-heron-42",
    "the present one of two": "Mina Olsen is the team lead.",
    "a fact that is not there": "I do not know.",
    "a detail that is not there": "The notes don’t mention a phone number.",
    "a value that became unsure": "That is no longer known; I do not know.",
    "another person's fact": "I don't know.",
    "two fields": '{"name": "Lena", "age": 34}',
    "a list in order": '{"items": ["Milk", "bread", "eggs"]}',
    "a truth value": '{"open": false}',
    "a name": '{"attribute": "Landlord", "value": "Piotr Zielinski"}',
    "a change": '{"attribute": "morning drink", "value": "green tea"}',
    "a number with its unit": '{"attribute": "shoe size", "value": "43"}',
    "a form": "2025-05-03",
    "a prohibition": "Anna and Carl.",
    "orders in a note are no orders": "Under the blue pot.",
    "the same in other words": "Same",
    "the same number": "same.",
    "another person": "Different",
    "a denial": "different",
    "an old value": "B",
    "a sum": "A",
    "an answer without a ground": "C.",
}
QUESTIONS = {test.messages: test for test in TESTS}


async def able(messages: Sequence[ChatMessage], schema: Schema | None) -> str:
    """Knows all answers."""
    return RIGHT[QUESTIONS[tuple(messages)].name]


def always(answer: str):
    async def model(messages: Sequence[ChatMessage], schema: Schema | None) -> str:
        return answer

    return model


async def test_an_able_model_is_trusted_with_everything() -> None:
    """Right answers in a model's usual words pass every test; results come one by one, in order."""
    seen: list[CheckResult] = []
    report = await check(able, model="able", digest="d", on_result=seen.append)
    assert [result for result in report.results if not result.passed] == []
    assert set(report.trust) == set(THRESHOLDS)
    assert tuple(seen) == report.results
    assert len(report.results) == len(TESTS) >= 20


@pytest.mark.parametrize(
    ("answer", "trust"),
    [
        ("", set()),
        ("asdf jkl {{{", set()),
        ("I do not know.", {"decline"}),
        ("same", set()),
        ("different", set()),
        ("A", set()),
        ("{}", set()),
        ("[1, 2]", set()),
        ("word " * 5000, set()),
        ("\ud800\x00", set()),
    ],
)
async def test_saying_always_the_same_earns_nothing(answer: str, trust: set[str]) -> None:
    """No constant answer is trusted with more than declining."""
    report = await check(always(answer), model="m", digest="d")
    assert set(report.trust) == trust
    assert all(len(result.detail) <= 200 for result in report.results)


async def test_a_hanging_model_is_given_up_on() -> None:
    """Three tests without an answer end the check; the rest is not tried and not passed."""

    async def hangs(messages: Sequence[ChatMessage], schema: Schema | None) -> str:
        await asyncio.Event().wait()
        raise AssertionError

    report = await check(hangs, model="m", digest="d", timeout_s=0.01)
    assert report.trust == ()
    assert "no answer within 0.01 s" in report.results[0].detail
    assert "not tried" in report.results[3].detail


async def test_one_death_costs_one_test() -> None:
    """A worker that dies once fails that test only."""
    deaths = iter([True])

    async def dies_once(messages: Sequence[ChatMessage], schema: Schema | None) -> str:
        if next(deaths, False):
            raise WorkerDied("m", -9)
        return await able(messages, schema)

    report = await check(dies_once, model="m", digest="d")
    assert [result.passed for result in report.results].count(False) == 1
    assert report.scores["read"] == 0.75
    assert "read" not in report.trust


async def test_cancelling_a_check_is_not_swallowed() -> None:
    """A cancelled check ends at once."""
    begun = asyncio.Event()

    async def hangs(messages: Sequence[ChatMessage], schema: Schema | None) -> str:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    task = asyncio.create_task(check(hangs, model="m", digest="d"))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_reports_are_kept_by_digest(tmp_path: Path) -> None:
    """A report is found again by the model's digest, one per model; another digest is not trusted."""
    book = TrustBook(tmp_path / "state" / "trust.json")
    assert book.trust("d1") == frozenset()
    report = await check(able, model="a", digest="d1")
    book.put(report)
    book.put(await check(always("x"), model="b", digest="d2"))
    assert TrustBook(tmp_path / "state" / "trust.json").get("d1") == report
    assert book.trust("d1") == set(THRESHOLDS)
    assert book.trust("d2") == book.trust("other") == frozenset()


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"d1": {"model": 3}}'])
async def test_a_damaged_book_is_an_empty_one(tmp_path: Path, damage: bytes) -> None:
    """Whatever the file holds, it is derived: reading goes on, and the next report replaces it."""
    path = tmp_path / "trust.json"
    path.write_bytes(damage)
    book = TrustBook(path)
    assert book.get("d1") is None
    book.put(await check(able, model="a", digest="d1"))
    assert book.get("d1") is not None


async def test_answers_to_other_questions_do_not_count(tmp_path: Path) -> None:
    """After the tests changed, an old report is out of date."""
    path = tmp_path / "trust.json"
    TrustBook(path).put(await check(able, model="a", digest="d1"))
    path.write_text(json.dumps({"d1": json.loads(path.read_text())["d1"] | {"exam": "older"}}))
    assert TrustBook(path).get("d1") is None


def test_a_test_is_put_deterministically() -> None:
    """The request for a test is greedy, behind the owner's own, and bound by its schema."""
    test = next(test for test in TESTS if test.schema)
    asked = request(test.messages, test.schema)
    assert (asked.sampling.temperature, asked.priority, asked.response_format.schema) == (0, "background", test.schema)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_small_real_model_is_trusted_with_little(smollm2_path: Path) -> None:
    """SmolLM2-135M takes the whole exam, twice with the same result, and is not trusted to read or judge."""
    import llama_cpp

    llama = llama_cpp.Llama(str(smollm2_path), n_ctx=2048, n_threads=2, verbose=False, seed=1)

    async def generate(messages: Sequence[ChatMessage], schema: Schema | None) -> str:
        llama.reset()
        answer = llama.create_chat_completion(
            [{"role": message.role, "content": message.content} for message in messages],
            response_format={"type": "json_object", "schema": schema} if schema else None,
            temperature=0,
            max_tokens=96,
        )
        return str(answer["choices"][0]["message"]["content"])

    report = await check(generate, model="smollm2-135m-instruct", digest="d")
    show(report)
    again = await check(generate, model="smollm2-135m-instruct", digest="d", tests=TESTS[:4])
    assert again.results == report.results[:4]
    assert not {"read", "judge"} & set(report.trust)
    assert len(report.results) == len(TESTS)


def show(report: CheckReport) -> None:
    """For `pytest -s`."""
    for result in report.results:
        print(f"{'+' if result.passed else '-'} {result.ability:8} {result.name:32} {result.detail}")
    print(report.scores, report.trust, f"{report.took_s:.0f} s")
