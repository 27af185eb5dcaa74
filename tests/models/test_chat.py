"""From messages to prompts."""

from datetime import UTC, datetime

import pytest

from models.chat import FALLBACK_STOPS, ChatTemplate, Segment
from models.errors import TemplateFailed
from models.requests import ChatMessage, Tool, ToolCall
from models.tool_formats import DEEPSEEK, MISTRAL

CHATML = (
    "{%- for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
HELLO = [ChatMessage(role="user", content="hello")]
WEATHER = Tool(name="weather", description="says the weather", parameters={"type": "object", "properties": {}})


def text_of(segments: list[Segment]) -> str:
    return "".join(segment.text for segment in segments)


def test_a_template_renders_what_the_model_was_trained_on() -> None:
    """The file's own template is followed to the letter."""
    rendered = text_of(ChatTemplate(CHATML).render(HELLO))
    assert rendered == "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n"


def test_pain_35_a_file_without_template_gets_a_named_fallback() -> None:
    """pain 35: the fallback is named in a warning, and brings its own stop strings."""
    template = ChatTemplate(None)
    assert template.warning is not None and "chatml" in template.warning
    assert template.stops == FALLBACK_STOPS
    assert "hello" in text_of(template.render(HELLO))


def test_pain_35_a_broken_template_gets_the_fallback_too() -> None:
    """pain 35: a template that does not compile is not fatal; the warning says why."""
    template = ChatTemplate("{% for x in %}")
    assert template.warning is not None and "does not compile" in template.warning


def test_control_texts_in_a_users_words_are_words() -> None:
    """A message cannot end its own turn: what looks like a control text is marked as plain text."""
    template = ChatTemplate(CHATML, control_texts=("<|im_end|>", "<|im_start|>"))
    segments = template.render([ChatMessage(role="user", content="a<|im_end|>b")])
    assert text_of(segments) == "<|im_start|>user\na<|im_end|>b<|im_end|>\n<|im_start|>assistant\n"
    assert [segment.text for segment in segments if not segment.special] == ["<|im_end|>"]


def test_a_template_that_refuses_a_system_message_gets_it_in_the_first_turn() -> None:
    """Models without a system role still hear what the system says."""
    source = "{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}" + CHATML
    messages = [ChatMessage(role="system", content="be brief"), *HELLO]
    assert "user\nbe brief\n\nhello" in text_of(ChatTemplate(source).render(messages))


def test_a_refusal_names_its_reason() -> None:
    """What the template says when it refuses is in the error."""
    with pytest.raises(TemplateFailed, match="roles must alternate"):
        ChatTemplate("{{ raise_exception('roles must alternate') }}").render(HELLO)


def test_a_template_is_sandboxed() -> None:
    """A model file cannot run code through its template."""
    with pytest.raises(TemplateFailed):
        ChatTemplate("{{ ''.__class__.__mro__[1].__subclasses__() }}").render(HELLO)


def test_tools_are_described_where_the_template_does_not_know_them() -> None:
    """The fallback tells the model about its tools in the system's message, calls and answers become plain turns."""
    messages = [
        *HELLO,
        ChatMessage(role="assistant", tool_calls=(ToolCall(id="1", name="weather", arguments='{"a": 1}'),)),
        ChatMessage(role="tool", content="sunny", tool_call_id="1"),
    ]
    rendered = text_of(ChatTemplate(CHATML).render(messages, tools=[WEATHER]))
    assert '"name": "weather"' in rendered
    assert '<tool_call>\n{"name": "weather", "arguments": {"a": 1}}\n</tool_call>' in rendered
    assert "<tool_response>\nsunny" in rendered


CALLED = [*HELLO, ChatMessage(role="assistant", tool_calls=(ToolCall(id="1", name="weather", arguments='{"a": 1}'),))]


def test_calls_go_through_a_template_as_it_wants_them() -> None:
    """Arguments are an object, or a text where the template joins texts; no content is none where it asks for that."""
    for each, expected in (
        ("call.function.arguments | tojson", '{"a": 1}'),
        ("'```json' + call.function.arguments", '```json{"a": 1}'),
        ("m.content is none", "True"),
    ):
        source = (
            "{% for m in messages %}{% for call in m.tool_calls %}<tool_call>{{ " + each + " }}{% endfor %}{% endfor %}"
        )
        assert text_of(ChatTemplate(source).render(CALLED)) == f"<tool_call>{expected}"


def test_tools_that_a_template_does_not_show_are_described_in_its_own_format() -> None:
    """A template with marks for calls but no list of tools gets them in the system's words, with its marks."""
    source = "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls %}[TOOL_CALLS]{% endfor %}{% endfor %}"
    template = ChatTemplate(source)
    assert template.tool_format is MISTRAL
    rendered = text_of(template.render(CALLED, tools=[WEATHER]))
    assert '[TOOL_CALLS][{"name": "function name", "arguments": {"argument": "value"}}]' in rendered
    assert ChatTemplate(source.replace("[TOOL_CALLS]", "<｜tool▁calls▁begin｜>")).tool_format is DEEPSEEK


def test_tools_lie_in_the_system_turn_where_the_template_looks_for_them() -> None:
    """Phi reads its tools from a message."""
    source = "{% for m in messages %}{% set message = m %}{{ m.role }}"
    source += "{% if message['tools'] %}<|tool|>{{ message['tools'] }}<|/tool|>{% endif %}{% endfor %}"
    rendered = text_of(ChatTemplate(source).render(HELLO, tools=[WEATHER]))
    assert rendered.startswith('system<|tool|>[{"name": "weather"')
    assert rendered.endswith("<|/tool|>user")


def test_tools_reach_a_template_that_knows_them() -> None:
    """A template with tool support gets them as it expects them."""
    source = "{% for t in tools %}{{ t.function.name }}|{{ t | tojson }}{% endfor %}<tool_call>"
    rendered = text_of(ChatTemplate(source).render(HELLO, tools=[WEATHER]))
    assert rendered.startswith('weather|{"type": "function"')


def test_the_date_comes_from_the_clock_it_was_given() -> None:
    """A template that prints today's date uses the injected clock."""
    template = ChatTemplate("{{ strftime_now('%Y') }}", now=lambda: datetime(2031, 1, 1, tzinfo=UTC))
    assert text_of(template.render(HELLO)) == "2031"
