"""What a model thinks and what it says."""

import pytest

from models.channels import ChannelSplitter
from models.reasoning import PATIENCE, TAGS, ReasoningSplitter, patience_for, prompt_opens, tags_of


def stream(text: str, size: int, *, inside: bool = False, tags: tuple[tuple[str, str], ...] = TAGS) -> tuple[str, str]:
    splitter = ReasoningSplitter(tags, inside=inside)
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
    ("<reasoning>\nx</reasoning>\ny", ("y", "x")),
    ("<thought>x</thought>y", ("y", "x")),
    ("<|START_THINKING|>x<|END_THINKING|>y", ("y", "x")),
    ("a thought[/THINK]y", ("y", "a thought")),
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
    text = '<think>hm</think>{"a": 1}'
    assert stream(text, len(text)) == ('{"a": 1}', "hm")


def test_an_opened_prompt_is_recognised() -> None:
    """The closing tag to wait for is known from the end of the rendered prompt."""
    assert prompt_opens("<|im_start|>assistant\n<think>\n") == "</think>"
    assert prompt_opens("<|im_start|>assistant\n") is None


@pytest.mark.parametrize("size", [1, 4, 100])
def test_pain_32_a_lone_closing_tag_is_waited_for_where_the_template_knows_it(size: int) -> None:
    """pain 32: a model known to think shows nothing before its closing tag, or before a limit, if none comes."""
    splitter = ReasoningSplitter(patience=PATIENCE)
    splits = [splitter.push(text) for text in _cut("I wonder</think>\n\n42", size)] + [splitter.finish()]
    assert "".join(split.text for split in splits) == "42"
    assert "".join(split.reasoning for split in splits) == "I wonder"
    plain = ReasoningSplitter(patience=10)
    assert plain.push("no thought").text == ""
    assert plain.push(" at all").text == "no thought at all"
    assert plain.push(", none").text == ", none"
    short = ReasoningSplitter(patience=10)
    assert (short.push("short").text, short.finish().text) == ("", "short")


def test_who_is_waited_for() -> None:
    """Only a template with a closing tag promises thoughts, unless the prompt has closed them already."""
    thinks = "{{ content.split('</think>')[-1] }}"
    assert patience_for(thinks, "<|Assistant|>") == PATIENCE
    assert patience_for(thinks, "<|Assistant|><think>\n\n</think>\n\n") == 0
    assert patience_for("{{ content }}", "<|Assistant|>") == 0
    assert patience_for(thinks + "<think>", "<|Assistant|>") == 0


def test_sentences_are_tags_only_where_the_template_says_so() -> None:
    """Granite's way of announcing its thoughts is a tag for Granite and words for everybody else."""
    text = "Here is my thought process: hm. Here is my response: 42"
    assert stream(text, len(text)) == (text, "")
    granite = tags_of("write your thoughts after 'Here is my thought process:'")
    assert stream(text, len(text), tags=granite) == ("42", "hm. ")


CHANNELS = [
    (
        "<|channel|>analysis<|message|>let me see<|end|><|start|>assistant<|channel|>final<|message|>42 < 43",
        ("42 < 43", "let me see"),
    ),
    ("<|channel|>final<|message|>42<|return|>", ("42", "")),
    ("<|channel|>analysis<|message|>never ends", ("", "never ends")),
    (
        (
            "<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.f "
            '<|constrain|>json<|message|>{"a": 1}<|call|>'
        ),
        ('I look.<|channel|>commentary to=functions.f <|message|>{"a": 1}', ""),
    ),
    (
        ' to=functions.f<|channel|>analysis code<|message|>{"a": 1}',
        ('<|channel|>commentary to=functions.f <|message|>{"a": 1}', ""),
    ),
    ("<|channel|>analysis to=python code<|message|>1 + 1<|call|>", ("", "1 + 1")),
    ("<|channel|>commentary<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", ("a\n\nb", "")),
    ("plain words, no channel", ("plain words, no channel", "")),
    ("<|channel|>final", ("", "")),
]


@pytest.mark.parametrize("size", [1, 3, 9, 1000])
@pytest.mark.parametrize(("text", "expected"), CHANNELS)
def test_pain_32_channels_are_thoughts_words_and_calls(text: str, expected: tuple[str, str], size: int) -> None:
    """pain 32: of an answer in channels, analysis is thought, the rest is said, and no mark is seen."""
    splitter = ChannelSplitter()
    splits = [splitter.push(piece) for piece in _cut(text, size)] + [splitter.finish()]
    assert ("".join(split.text for split in splits), "".join(split.reasoning for split in splits)) == expected


def _cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]
