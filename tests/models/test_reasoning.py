"""What a model thinks and what it says."""

import pytest

from models.reasoning import ReasoningSplitter, prompt_opens, split_whole


def stream(text: str, size: int, *, inside: bool = False) -> tuple[str, str]:
    splitter = ReasoningSplitter(inside=inside)
    said, thought = "", ""
    for at in range(0, len(text), size):
        split = splitter.push(text[at : at + size])
        if split.was_reasoning:
            thought, said = thought + said, ""
        said, thought = said + split.text, thought + split.reasoning
    split = splitter.finish()
    return said + split.text, thought + split.reasoning


CASES = [
    ("<think>a b</think>\n\nc", ("c", "a b")),
    ("\n<think>\na\n</think>\n\nc <b> d", ("c <b> d", "a\n")),
    ("plain < text", ("plain < text", "")),
    ("a thought</think>\n\nthe answer", ("the answer", "a thought")),
    ("use `<think>` to think", ("use `<think>` to think", "")),
    ("<thinking>x</thinking>y", ("y", "x")),
    ("[THINK]x[/THINK]y", ("y", "x")),
    ("<think>never ends", ("", "never ends")),
    ("<thi", ("<thi", "")),
    ("<think></think>done", ("done", "")),
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
@pytest.mark.parametrize(("text", "expected"), CASES)
def test_pain_32_reasoning_is_split_on_either_tag(text: str, expected: tuple[str, str], size: int) -> None:
    """pain 32: an opening tag at the start or a lone closing tag splits, cut into pieces of any size."""
    assert stream(text, size) == expected


@pytest.mark.parametrize("size", [1, 5, 100])
def test_pain_32_a_prompt_may_open_the_reasoning(size: int) -> None:
    """pain 32: where the template writes the opening tag, the answer begins with reasoning."""
    assert stream("let me see</think>\n\n42", size, inside=True) == ("42", "let me see")


def test_pain_27_a_whole_answer_is_stripped_of_its_reasoning() -> None:
    """pain 27: a complete text with thoughts gives its text alone, for whoever stores it."""
    assert split_whole('<think>hm</think>{"a": 1}') == ('{"a": 1}', "hm")


def test_an_opened_prompt_is_recognised() -> None:
    """The closing tag to wait for is known from the end of the rendered prompt."""
    assert prompt_opens("<|im_start|>assistant\n<think>\n") == "</think>"
    assert prompt_opens("<|im_start|>assistant\n") is None
