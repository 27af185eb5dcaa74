"""Messages to prompt, through the model's own chat template (Jinja, sandboxed) or a named fallback."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn

import jinja2
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from models.errors import TemplateFailed
from models.requests import ChatMessage, Tool

FALLBACK_NAME = "chatml"
FALLBACK = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
FALLBACK_STOPS = ("<|im_end|>", "<|im_start|>")

TOOL_PROMPT = """\
You may call functions. These are their signatures, one JSON object a line:
{tools}
To call one, answer with nothing but a JSON object inside tags, one pair of tags a call:
<tool_call>
{{"name": "function name", "arguments": {{"argument": "value"}}}}
</tool_call>"""

# A control text in a user's words travels through the template as a number between these, and comes back as plain text.
GUARD_OPEN, GUARD_CLOSE = "\ue0f0", "\ue0f1"
GUARDED = re.compile(f"{GUARD_OPEN}(\\d+){GUARD_CLOSE}")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a prompt. *special*: control texts in it steer the model; else they are words like any other."""

    text: str
    special: bool


def _tojson(value: Any, indent: int | None = None, **_: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _raise(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)


def _environment(now: Callable[[], datetime]) -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _raise
    environment.globals["strftime_now"] = lambda form: now().strftime(form)
    return environment


class ChatTemplate:
    """A compiled template with what the model's file says about the ends of a text."""

    def __init__(
        self,
        source: str | None,
        *,
        bos: str = "",
        eos: str = "",
        control_texts: Sequence[str] = (),
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        """
        *source* None, or one that does not compile, gives the fallback; `warning` then says so. `describe_tools`
        tells whether tools are described in the system's message, as the template does not speak of them.

        *now* is what a template that prints the date sees.
        """
        self.warning: str | None = None
        self.stops: tuple[str, ...] = ()
        self.describe_tools = source is None or re.search(r"\btools\b", source) is None
        environment = _environment(now)
        if source is None:
            self.warning = f"the model file has no chat template: {FALLBACK_NAME} is used instead"
        else:
            try:
                self._template = environment.from_string(source)
            except jinja2.TemplateError as error:
                self.warning = f"the chat template does not compile ({error}): {FALLBACK_NAME} is used instead"
        if self.warning is not None:
            source = FALLBACK
            self._template = environment.from_string(source)
            self.stops = FALLBACK_STOPS
            control_texts = (*control_texts, *FALLBACK_STOPS)
        self.source = source or FALLBACK
        self._bos, self._eos = bos, eos
        self._controls = tuple(dict.fromkeys(control_texts))
        ordered = sorted(self._controls, key=len, reverse=True)
        self._control = re.compile("|".join(map(re.escape, ordered))) if ordered else None
        self._number = {text: i for i, text in enumerate(self._controls)}

    @property
    def knows_thinking_switch(self) -> bool:
        """Whether the template can ask the model not to think."""
        return "enable_thinking" in self.source

    def render(
        self,
        messages: Sequence[ChatMessage],
        *,
        tools: Sequence[Tool] = (),
        thinking: bool | None = None,
        open_answer: bool = True,
    ) -> list[Segment]:
        """
        The prompt, up to where the answer begins (*open_answer*) or where the last message ends.

        Tools that the template does not know are described in the system's message. A template that refuses a
        system's message gets it as the beginning of the first user's.

        Raises:
            TemplateFailed: it refuses these messages all the same.
        """
        if tools and self.describe_tools:
            messages = _with_tool_prompt(messages, tools)
            messages = [_plain_tool_turn(m) for m in messages]
            tools = ()
        turns = [self._turn(m) for m in messages]
        try:
            text = self._render(turns, tools, thinking, open_answer)
        except jinja2.TemplateError as error:
            if not any(turn["role"] == "system" for turn in turns):
                raise TemplateFailed(str(error)) from error
            try:
                text = self._render(_without_system(turns), tools, thinking, open_answer)
            except jinja2.TemplateError:
                raise TemplateFailed(str(error)) from error
        return self._segments(text)

    def _render(
        self, turns: list[dict[str, Any]], tools: Sequence[Tool], thinking: bool | None, open_answer: bool
    ) -> str:
        extra: dict[str, Any] = {} if thinking is None else {"enable_thinking": thinking, "thinking": thinking}
        try:
            return self._template.render(
                messages=turns,
                tools=[_described(tool) for tool in tools] or None,
                add_generation_prompt=open_answer,
                bos_token=self._bos,
                eos_token=self._eos,
                **extra,
            )
        except (TypeError, ValueError, KeyError, AttributeError, RecursionError) as error:
            raise jinja2.TemplateError(f"{type(error).__name__}: {error}") from error

    def _turn(self, message: ChatMessage) -> dict[str, Any]:
        turn: dict[str, Any] = {"role": message.role, "content": self._guard(message.content)}
        if message.name is not None:
            turn["name"] = message.name
        if message.tool_call_id is not None:
            turn["tool_call_id"] = message.tool_call_id
        if message.reasoning is not None:
            turn["reasoning_content"] = self._guard(message.reasoning)
        if message.tool_calls:
            turn["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": _arguments(self._guard(call.arguments))},
                }
                for call in message.tool_calls
            ]
        return turn

    def _guard(self, text: str) -> str:
        text = text.replace(GUARD_OPEN, "").replace(GUARD_CLOSE, "")
        if self._control is None:
            return text
        return self._control.sub(lambda m: f"{GUARD_OPEN}{self._number[m.group()]}{GUARD_CLOSE}", text)

    def _segments(self, text: str) -> list[Segment]:
        parts = GUARDED.split(text)
        segments = [
            Segment(self._controls[int(part)], special=False) if i % 2 else Segment(part, special=True)
            for i, part in enumerate(parts)
        ]
        return [segment for segment in segments if segment.text]


def _arguments(text: str) -> Any:
    """As templates expect them: an object where the text is one."""
    try:
        return json.loads(text) if text.strip() else {}
    except json.JSONDecodeError:
        return text


def _described(tool: Tool) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }


def _with_tool_prompt(messages: Sequence[ChatMessage], tools: Sequence[Tool]) -> list[ChatMessage]:
    lines = "\n".join(json.dumps(_described(tool)["function"], ensure_ascii=False) for tool in tools)
    prompt = TOOL_PROMPT.format(tools=lines)
    if messages and messages[0].role == "system":
        first = ChatMessage(role="system", content=f"{messages[0].content}\n\n{prompt}")
        return [first, *messages[1:]]
    return [ChatMessage(role="system", content=prompt), *messages]


def _plain_tool_turn(message: ChatMessage) -> ChatMessage:
    """A call or a tool's answer as text, for templates that know neither."""
    if message.role == "tool":
        return ChatMessage(role="user", content=f"<tool_response>\n{message.content}\n</tool_response>")
    if message.tool_calls:
        calls = "\n".join(
            f'<tool_call>\n{{"name": {json.dumps(call.name)}, "arguments": {call.arguments or "{}"}}}\n</tool_call>'
            for call in message.tool_calls
        )
        return ChatMessage(role="assistant", content=f"{message.content}\n{calls}".strip())
    return message


def _without_system(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    system = "\n\n".join(str(turn["content"]) for turn in turns if turn["role"] == "system")
    rest = [dict(turn) for turn in turns if turn["role"] != "system"]
    for turn in rest:
        if turn["role"] == "user":
            turn["content"] = f"{system}\n\n{turn['content']}"
            return rest
    return [{"role": "user", "content": system}, *rest]
