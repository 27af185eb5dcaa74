"""Which of a file's chat templates a request goes through."""

import pytest

from models.fake import TEMPLATE, FakeBackend
from models.prepare import Preparer
from models.requests import ChatMessage, Generation, Overrides, Tool, ToolCall, WorkerSpec
from models.tool_formats import FALLBACK, MISTRAL

TOOLS = (Tool(name="f"),)
FOR_TOOLS = "{% for t in tools or [] %}[AVAILABLE]{{ t.function.name }}{% endfor %}{# [TOOL_CALLS] tool_calls #}"
ASKED = (ChatMessage(role="user", content="Well?"),)
CALLED = (
    *ASKED,
    ChatMessage(role="assistant", content="", tool_calls=(ToolCall(id="1", name="f", arguments="{}"),)),
    ChatMessage(role="tool", content="4", tool_call_id="1"),
)


def preparer(tool_template: str | None, overrides: Overrides | None = None) -> tuple[Preparer, FakeBackend]:
    backend = FakeBackend(WorkerSpec(model="fake", kind="chat", backend="fake", path=""))
    backend.tool_template = tool_template
    return Preparer(backend, overrides or Overrides()), backend


def prompt(made: tuple[Preparer, FakeBackend], request: Generation) -> str:
    job = made[0].job(1, request)
    return b"".join(made[1].piece(token) for token in job.prompt).decode()


def test_tools_go_through_the_template_for_tools() -> None:
    """With tools the file's own template for them is used, its way of writing calls included; without, the other."""
    made = preparer(FOR_TOOLS)
    assert prompt(made, Generation(messages=ASKED, tools=TOOLS)) == "[AVAILABLE]f"
    assert "assistant" in prompt(made, Generation(messages=ASKED))
    assert "assistant" in prompt(made, Generation(messages=ASKED, tools=TOOLS, tool_choice="none"))
    assert made[0].manners.of(ASKED, TOOLS).template.tool_format is MISTRAL
    assert made[0].manners.of(ASKED, ()).template.source == TEMPLATE


def test_a_conversation_with_calls_stays_with_the_template_for_tools() -> None:
    """Calls made before, and what came of them, are told as that template tells them; they count so too."""
    made = preparer("{% for m in messages %}{{ m.role }}.{% endfor %}")
    assert prompt(made, Generation(messages=CALLED)) == "user.assistant.user."
    assert made[0].count(CALLED) == 6


@pytest.mark.parametrize(
    ("tool_template", "overrides", "warnings"),
    [
        (None, Overrides(), 0),
        ("{% if tools %}", Overrides(), 1),
        (FOR_TOOLS, Overrides(chat_template="owner's: {{ messages[0].content }}"), 0),
    ],
)
def test_without_a_good_template_for_tools_the_other_serves(
    tool_template: str | None, overrides: Overrides, warnings: int
) -> None:
    """None in the file, a broken one (which is told), or a template of the owner's: one template serves both."""
    manners = preparer(tool_template, overrides)[0].manners
    assert manners.of(ASKED, TOOLS) is manners.plain
    assert manners.plain.template.tool_format is FALLBACK
    assert len(manners.warnings) == warnings
