"""Messages to prompt, through the model's own chat template (Jinja, sandboxed) or a named fallback."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn

import jinja2
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from models.errors import TemplateFailed
from models.requests import ChatMessage, Tool
from models.tool_formats import FALLBACK as FALLBACK_FORMAT
from models.tool_formats import ToolFormat, tool_format

FALLBACK_NAME = "chatml"
FALLBACK = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
FALLBACK_STOPS = ("<|im_end|>", "<|im_start|>")

TOOL_PROMPT = """\
You may call functions. These are their signatures, one JSON object a line:
{tools}
To call one, answer with nothing but the call, written as this one:
{example}"""

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
        *source* None, or one that does not compile, gives the fallback; `warning` then says so. `tool_format` is how
        the model writes calls, by its template; tools that this does not show are described in the system's message.

        *now* is what a template that prints the date sees.
        """
        self.warning: str | None = None
        self.stops: tuple[str, ...] = ()
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
        taught = tool_format(self.source)
        self.tool_format: ToolFormat = taught or FALLBACK_FORMAT
        self._describes = taught is None or re.search(r"\btools\b", self.source) is None
        self._knows_calls = taught is not None and "tool_calls" in self.source
        self._tools_in_turn = re.search(r"message(\.tools\b|\[['\"]tools['\"]\])", self.source) is not None
        self._null_content = re.search(r"content(['\"]\])?\s+is\s+(not\s+)?none\b", self.source) is not None
        self._bos, self._eos = bos, eos
        self._controls = tuple(dict.fromkeys(control_texts))
        ordered = sorted(self._controls, key=len, reverse=True)
        self._control = re.compile("|".join(map(re.escape, ordered))) if ordered else None
        self._number = {text: i for i, text in enumerate(self._controls)}

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
        if tools and self._describes:
            messages = _with_tool_prompt(messages, tools, self.tool_format)
            tools = ()
        if not self._knows_calls:
            messages = [_plain_tool_turn(m, self.tool_format) for m in messages]
        failure: jinja2.TemplateError | None = None
        for turns in self._ways(messages, tools):
            try:
                return self._segments(self._render(turns, tools, thinking, open_answer))
            except jinja2.TemplateError as error:
                failure = failure or error
        raise TemplateFailed(str(failure)) from failure

    def _ways(self, messages: Sequence[ChatMessage], tools: Sequence[Tool]) -> Iterator[list[dict[str, Any]]]:
        """*messages* as templates expect them, most first: arguments as objects or as text, with or without system."""
        for as_text in (False, True) if any(message.tool_calls for message in messages) else (False,):
            turns = [self._turn(message, as_text=as_text) for message in messages]
            if tools and self._tools_in_turn:
                if turns[0]["role"] != "system":
                    turns.insert(0, {"role": "system", "content": ""})
                turns[0]["tools"] = _tojson([_described(tool)["function"] for tool in tools])
            yield turns
            if any(turn["role"] == "system" for turn in turns):
                yield _without_system(turns)

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

    def _turn(self, message: ChatMessage, *, as_text: bool = False) -> dict[str, Any]:
        turn: dict[str, Any] = {"role": message.role, "content": self._guard(message.content)}
        if message.tool_calls and not message.content and self._null_content:
            turn["content"] = None
        if message.name is not None:
            turn["name"] = message.name
        if message.tool_call_id is not None:
            turn["tool_call_id"] = message.tool_call_id
        if message.reasoning is not None:
            turn["reasoning_content"] = turn["thinking"] = self._guard(message.reasoning)
        if message.tool_calls:
            turn["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": _arguments(self._guard(call.arguments), as_text)},
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


def _arguments(text: str, as_text: bool) -> Any:
    """As most templates expect them: an object where the text is one."""
    if as_text:
        return text.strip() or "{}"
    try:
        return json.loads(text) if text.strip() else {}
    except json.JSONDecodeError:
        return text


def _described(tool: Tool) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }


def _with_tool_prompt(messages: Sequence[ChatMessage], tools: Sequence[Tool], form: ToolFormat) -> list[ChatMessage]:
    lines = "\n".join(json.dumps(_described(tool)["function"], ensure_ascii=False) for tool in tools)
    prompt = TOOL_PROMPT.format(tools=lines, example=form.example("function name", '{"argument": "value"}'))
    if messages and messages[0].role == "system":
        first = ChatMessage(role="system", content=f"{messages[0].content}\n\n{prompt}")
        return [first, *messages[1:]]
    return [ChatMessage(role="system", content=prompt), *messages]


def _plain_tool_turn(message: ChatMessage, form: ToolFormat) -> ChatMessage:
    """A call or a tool's answer as text, for templates that know neither."""
    if message.role == "tool":
        return ChatMessage(role="user", content=f"<tool_response>\n{message.content}\n</tool_response>")
    if message.tool_calls:
        calls = "\n".join(form.example(call.name, call.arguments.strip() or "{}") for call in message.tool_calls)
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
