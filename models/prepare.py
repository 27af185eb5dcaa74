"""From a request to a job: template, tokens, truncation, stops, formats and tools; everything that can be refused."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from models.answer import AnswerRules, CallParser, check_json
from models.backend import Backend
from models.chat import ChatTemplate, Segment
from models.engine import Job
from models.errors import PromptTooLong, RequestInvalid
from models.reasoning import TAGS, prompt_opens
from models.requests import ChatMessage, Generation, Overrides, ResponseFormat, Tool
from models.sampling import plan
from models.slots import common_prefix

STOPS_LIMIT = 1024
ANSWERS_LIMIT = 16
TOP_LOGPROBS_LIMIT = 100


class Preparer:
    """Makes jobs for one backend. Safe to use beside the engine's thread."""

    def __init__(self, backend: Backend, overrides: Overrides) -> None:
        self._backend = backend
        self._own = overrides
        self.template = ChatTemplate(
            overrides.chat_template or backend.chat_template,
            bos=backend.bos,
            eos=backend.eos,
            control_texts=backend.control_texts,
        )
        self._tags = overrides.reasoning_tags or TAGS
        stops = (*self.template.stops, *(overrides.stop or ()))
        self._template_stops = tuple(dict.fromkeys(stops))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the owner should know about this model's file."""
        return (self.template.warning,) if self.template.warning else ()

    def job(self, job_id: int, request: Generation) -> Job:
        """
        Make *request* ready.

        Raises:
            RequestInvalid, PromptTooLong, TemplateFailed, GrammarInvalid: it cannot be served, and why.
        """
        _check(request)
        tools = () if request.tool_choice == "none" else request.tools
        prompt, text = self._prompt(request, tools)
        closing = prompt_opens(text, self._tags) if request.prompt is None else None
        if closing and request.reasoning is False:
            prompt += self._tokens([Segment(f"\n{closing}\n\n", special=True)], begin=False)
            closing = None
        if request.prefill:
            prompt += self._tokens([Segment(request.prefill, special=False)], begin=False)
        if not prompt:
            prompt = self._backend.tokenize("\n", special=False, begin=True)
        if len(prompt) >= self._backend.context_tokens:
            raise PromptTooLong(len(prompt), self._backend.context_tokens)
        grammar, check = _format(request.response_format)
        calls: Callable[[], CallParser] | None = None
        rules = AnswerRules(
            stops=(*request.stop, *(self._template_stops if request.prompt is None else ())),
            tags=self._tags,
            split_reasoning=request.prompt is None and grammar is None,
            inside_reasoning=closing is not None,
            hide_reasoning=request.reasoning is False,
            check=check,
            calls=calls,
            prefix=(text if request.echo else "") + request.prefill,
        )
        return Job(
            id=job_id,
            prompt=prompt,
            plans=tuple(plan(request.sampling, self._own.sampling, answer=i) for i in range(request.n)),
            rules=rules,
            priority=request.priority,
            max_tokens=request.max_tokens,
            grammar=grammar,
            static_tokens=self._static(request, tools, prompt),
            top_logprobs=request.top_logprobs if request.logprobs else None,
            ignore_eos=request.ignore_eos,
            warnings=self.warnings if request.prompt is None else (),
        )

    def count(self, messages: Sequence[ChatMessage] | str, tools: Sequence[Tool] = ()) -> int:
        """Tokens of *messages* as a prompt, or of a plain text."""
        if isinstance(messages, str):
            return len(self._backend.tokenize(messages, special=False, begin=False))
        return len(self._tokens(self.template.render(messages, tools=tools), begin=True))

    # -- the prompt ---

    def _prompt(self, request: Generation, tools: Sequence[Tool]) -> tuple[list[int], str]:
        """Tokens and text of the prompt, cut as the request allows."""
        if request.prompt is not None:
            return self._raw(request)
        messages: Sequence[ChatMessage] = request.messages
        limit = self._backend.context_tokens
        segments = self.template.render(messages, tools=tools, thinking=request.reasoning)
        tokens = self._tokens(segments, begin=True)
        if len(tokens) >= limit and request.truncate != "error":
            room = limit - min(request.max_tokens or 256, limit // 4)
            while len(tokens) > room and (shorter := _without_oldest(messages)) is not None:
                messages = shorter
                segments = self.template.render(messages, tools=tools, thinking=request.reasoning)
                tokens = self._tokens(segments, begin=True)
        return tokens, "".join(segment.text for segment in segments)

    def _raw(self, request: Generation) -> tuple[list[int], str]:
        assert request.prompt is not None
        if isinstance(request.prompt, str):
            tokens, text = self._backend.tokenize(request.prompt, special=True, begin=True), request.prompt
        else:
            tokens = list(request.prompt)
            text = b"".join(map(self._backend.piece, tokens)).decode("utf-8", "replace") if request.echo else ""
        limit = self._backend.context_tokens
        if len(tokens) >= limit and request.truncate != "error":
            room = limit - min(request.max_tokens or 256, limit // 4)
            head = room // 2 if request.truncate == "middle" else 0
            tokens = tokens[:head] + tokens[len(tokens) - (room - head) :]
        return tokens, text

    def _tokens(self, segments: Sequence[Segment], *, begin: bool) -> list[int]:
        tokens: list[int] = []
        for i, segment in enumerate(segments):
            # Many templates write the beginning token themselves: then it must not stand there twice.
            first = begin and i == 0 and not (self._backend.bos and segment.text.startswith(self._backend.bos))
            tokens += self._backend.tokenize(segment.text, special=segment.special, begin=first)
        return tokens

    def _static(self, request: Generation, tools: Sequence[Tool], prompt: Sequence[int]) -> int:
        """How many tokens of *prompt* the static messages make."""
        if not 0 < request.static_messages < len(request.messages):
            return 0
        head = self.template.render(request.messages[: request.static_messages], tools=tools, open_answer=False)
        return common_prefix(self._tokens(head, begin=True), prompt)


def _without_oldest(messages: Sequence[ChatMessage]) -> list[ChatMessage] | None:
    """*messages* without the oldest turn after the system's, and what hangs on it; None when only the last is left."""
    for i, message in enumerate(messages[:-1]):
        if message.role != "system":
            rest = list(messages[i + 1 :])
            while len(rest) > 1 and rest[0].role != "user":
                rest.pop(0)
            return [*messages[:i], *rest]
    return None


def _check(request: Generation) -> None:
    if request.prompt is None and not request.messages:
        raise RequestInvalid("messages", "there is none")
    if not 1 <= request.n <= ANSWERS_LIMIT:
        raise RequestInvalid("n", f"{request.n} is not between 1 and {ANSWERS_LIMIT}")
    if request.max_tokens is not None and request.max_tokens < 0:
        raise RequestInvalid("max_tokens", f"{request.max_tokens} is negative")
    if not 0 <= request.top_logprobs <= TOP_LOGPROBS_LIMIT:
        raise RequestInvalid("top_logprobs", f"{request.top_logprobs} is not between 0 and {TOP_LOGPROBS_LIMIT}")
    if len(request.stop) > STOPS_LIMIT:
        raise RequestInvalid("stop", f"{len(request.stop)} stop strings; {STOPS_LIMIT} are allowed")
    if request.tool_choice not in {"auto", "none", "required"} and all(
        tool.name != request.tool_choice for tool in request.tools
    ):
        raise RequestInvalid("tool_choice", f"there is no tool named {request.tool_choice}")
    if request.tool_choice == "required" and not request.tools:
        raise RequestInvalid("tool_choice", "required, but there are no tools")


def _format(wanted: ResponseFormat) -> tuple[str | None, Callable[[str], str | None] | None]:
    """The grammar for *wanted*, and the check of the finished answer."""
    if wanted.kind == "text":
        return None, None
    raise RequestInvalid("response_format", f"{wanted.kind} is not supported yet")


def json_text(value: Any) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


__all__ = ["Preparer", "check_json", "json_text"]
