"""From a request to a job: template, tokens, truncation, stops, formats and tools; everything that can be refused."""

import contextlib
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from models.answer import AnswerRules, CallParser, Splitter, check_json
from models.backend import Backend
from models.call_grammar import call_grammar
from models.channels import FINAL, ChannelSplitter
from models.chat import Segment
from models.errors import GrammarInvalid, PromptTooLong, RequestInvalid
from models.grammar import json_grammar, schema_grammar
from models.manners import Manner, Manners
from models.reasoning import ReasoningSplitter, patience_for, prompt_opens
from models.regex import regex_grammar
from models.requests import ChatMessage, Generation, Overrides, ResponseFormat, Sampling, Tool
from models.sampling import plan
from models.slots import common_prefix
from models.tasks import Job
from models.tools import ToolParser

Check = Callable[[str], str | None]

STOPS_LIMIT = 1024
ANSWERS_LIMIT = 16
TOP_LOGPROBS_LIMIT = 100
LONGEST_TOKEN = 128  # characters
STATIC_CHARS = 1000  # of a system message; shorter ones are read faster than found


class Preparer:
    """Makes jobs for one backend. Safe to use beside the engine's thread."""

    def __init__(self, backend: Backend, overrides: Overrides) -> None:
        self._backend = backend
        self._own = overrides
        self.manners = Manners(backend, overrides)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the owner should know about this model's file."""
        return self.manners.warnings

    def job(self, job_id: int, request: Generation) -> Job:
        """
        Make *request* ready.

        Raises:
            RequestInvalid, PromptTooLong, TemplateFailed, GrammarInvalid: it cannot be served, and why.
        """
        _check(request)
        tools = () if request.tool_choice == "none" else request.tools
        manner = self.manners.of(request.messages, tools)
        grammar, check = answer_format(request.response_format)
        lazy: str | None = None
        calls: Callable[[], CallParser] | None = None
        if tools and request.prompt is None:
            grammar, lazy, calls = self._tool_rules(manner, request, grammar)
            check = check if request.tool_choice == "auto" else None
        for each in (grammar, lazy):
            if each is not None:
                self._probe(each, request.response_format.kind)
        prompt, text = self._prompt(manner, request, tools)
        closing = prompt_opens(text, manner.tags) if request.prompt is None else None
        if closing and (request.reasoning is False or grammar is not None):
            # The template has opened the thoughts; under a grammar, or unwanted, they end before they begin.
            prompt += self._tokens([Segment(f"\n{closing}\n\n", special=True)], begin=False)
            closing = None
        splitter: Callable[[], Splitter] | None = None
        if request.prompt is None and grammar is None:
            splitter = _splitter(manner, text, inside=closing is not None, begun=bool(request.prefill))
        if manner.in_channels and request.prompt is None and _only_speaks(request, calls is not None, grammar):
            prompt += self._tokens([Segment(FINAL, special=True)], begin=False)
            splitter = None
        if request.prefill:
            prompt += self._tokens([Segment(request.prefill, special=False)], begin=False)
        if not prompt:
            prompt = self._backend.tokenize("\n", special=False, begin=True)
        if len(prompt) >= self._backend.context_tokens:
            raise PromptTooLong(len(prompt), self._backend.context_tokens)
        rules = AnswerRules(
            stops=(*request.stop, *(manner.stops if request.prompt is None else ())),
            splitter=splitter,
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
            lazy_grammar=lazy,
            static_tokens=self._static(manner, request, tools, prompt),
            static_named=request.static_messages > 0,
            top_logprobs=request.top_logprobs if request.logprobs else None,
            ignore_eos=request.ignore_eos,
            warnings=self.warnings if request.prompt is None else (),
        )

    def count(self, messages: Sequence[ChatMessage] | str, tools: Sequence[Tool] = ()) -> int:
        """Tokens of *messages* as a prompt, or of a plain text."""
        if isinstance(messages, str):
            return len(self._backend.tokenize(messages, special=False, begin=False))
        template = self.manners.of(messages, tools).template
        return len(self._tokens(template.render(messages, tools=tools), begin=True))

    # -- formats and tools ---

    @staticmethod
    def _tool_rules(
        manner: Manner, request: Generation, grammar: str | None
    ) -> tuple[str | None, str | None, Callable[[], CallParser] | None]:
        """The grammar that binds from the start, the one that binds from a call on, and the parser of calls."""
        form = manner.template.tool_format
        tools = request.tools
        if request.tool_choice not in {"auto", "required"}:
            tools = tuple(tool for tool in tools if tool.name == request.tool_choice)
        if request.tool_choice == "auto":
            if grammar is not None:
                return grammar, None, None  # an answer in a given form calls nothing
            lazy = None
            # Without the grammar a call is still a call: an argument schema too rich for one is not fatal here.
            with contextlib.suppress(GrammarInvalid):
                lazy = call_grammar(form, tools, parallel=request.parallel_tool_calls, opened=True)
            return None, lazy, lambda: ToolParser(form, tools)
        parallel = request.parallel_tool_calls and request.tool_choice == "required"
        forced = call_grammar(form, tools, parallel=parallel, opened=False)
        return forced, None, lambda: ToolParser(form, tools)

    def _probe(self, grammar: str, kind: str) -> None:
        """
        Let the runtime read *grammar* once, so that a request it refuses fails before it waits for a slot.

        Raises:
            GrammarInvalid: it does not parse.
        """
        try:
            self._backend.sampler(plan(Sampling()), grammar).close()
        except GrammarInvalid as error:
            raise GrammarInvalid("grammar" if kind in {"gbnf", "text"} else kind, error.reason) from error

    # -- the prompt ---

    def _prompt(self, manner: Manner, request: Generation, tools: Sequence[Tool]) -> tuple[list[int], str]:
        """Tokens and text of the prompt, cut as the request allows."""
        if request.prompt is not None:
            return self._raw(request)
        messages: Sequence[ChatMessage] = request.messages
        limit = self._backend.context_tokens
        segments = manner.template.render(messages, tools=tools, thinking=request.reasoning)
        tokens = self._tokens(segments, begin=True)
        if len(tokens) >= limit and request.truncate != "error":
            room = limit - min(request.max_tokens or 256, limit // 4)
            while len(tokens) > room and (shorter := _without_oldest(messages)) is not None:
                messages = shorter
                segments = manner.template.render(messages, tools=tools, thinking=request.reasoning)
                tokens = self._tokens(segments, begin=True)
        return tokens, "".join(segment.text for segment in segments)

    def _raw(self, request: Generation) -> tuple[list[int], str]:
        assert request.prompt is not None
        if isinstance(request.prompt, str):
            self._refuse_floods(len(request.prompt), request.prompt)
            tokens, text = self._backend.tokenize(request.prompt, special=True, begin=True), request.prompt
        else:
            tokens = list(request.prompt)
            if strange := next((token for token in tokens if not 0 <= token < self._backend.vocabulary), None):
                raise RequestInvalid("prompt", f"the model has no token {strange}")
            text = b"".join(map(self._backend.piece, tokens)).decode("utf-8", "replace") if request.echo else ""
        limit = self._backend.context_tokens
        if len(tokens) >= limit and request.truncate != "error":
            room = limit - min(request.max_tokens or 256, limit // 4)
            head = room // 2 if request.truncate == "middle" else 0
            tokens = tokens[:head] + tokens[len(tokens) - (room - head) :]
        return tokens, text

    def _tokens(self, segments: Sequence[Segment], *, begin: bool) -> list[int]:
        self._refuse_floods(sum(len(segment.text) for segment in segments), segments[0].text if segments else "")
        tokens: list[int] = []
        for i, segment in enumerate(segments):
            # Many templates write the beginning token themselves: then it must not stand there twice.
            first = begin and i == 0 and not (self._backend.bos and segment.text.startswith(self._backend.bos))
            tokens += self._backend.tokenize(segment.text, special=segment.special, begin=first)
        return tokens

    def _refuse_floods(self, chars: int, sample: str) -> None:
        """
        Refuse a prompt of megabytes by its length, without the seconds of reading it token by token.

        Raises:
            PromptTooLong: with a count that is estimated from its beginning.
        """
        if chars <= self._backend.context_tokens * LONGEST_TOKEN:
            return
        head = sample[:20_000]
        tokens = len(self._backend.tokenize(head, special=False, begin=False))
        raise PromptTooLong(
            max(chars * tokens // max(1, len(head)), chars // LONGEST_TOKEN), self._backend.context_tokens
        )

    def _static(self, manner: Manner, request: Generation, tools: Sequence[Tool], prompt: Sequence[int]) -> int:
        """How many tokens of *prompt* the static messages make; without any named, the system's at the beginning."""
        count = request.static_messages
        if not count:
            count = next((i for i, turn in enumerate(request.messages) if turn.role != "system"), 0)
            if sum(len(turn.content) for turn in request.messages[:count]) < STATIC_CHARS:
                return 0
        if not 0 < count < len(request.messages):
            return 0
        head = manner.template.render(request.messages[:count], tools=tools, open_answer=False)
        return common_prefix(self._tokens(head, begin=True), prompt)


def _splitter(manner: Manner, prompt: str, *, inside: bool, begun: bool) -> Callable[[], Splitter]:
    """*inside*: the prompt has opened the thoughts; *begun*: the request has begun the answer."""
    if manner.in_channels:
        return ChannelSplitter
    patience = 0 if begun else patience_for(manner.template.source, prompt, manner.tags)
    return lambda: ReasoningSplitter(manner.tags, inside=inside, patience=patience)


def _only_speaks(request: Generation, may_call: bool, grammar: str | None) -> bool:
    """Whether an answer in channels is to begin with its words: it has a form or a beginning, or no thoughts."""
    return bool(request.prefill) or (not may_call and (grammar is not None or request.reasoning is False))


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


def answer_format(wanted: ResponseFormat) -> tuple[str | None, Check | None]:
    """
    The grammar for *wanted*, and the check of the finished answer.

    Raises:
        GrammarInvalid: it cannot be enforced.
    """
    match wanted.kind:
        case "json_object":
            return json_grammar(), check_json
        case "json_schema":
            schema = {} if wanted.schema is None else wanted.schema
            return schema_grammar(schema), _schema_check(schema)
        case "regex":
            expression = re.compile(wanted.pattern) if _compiles(wanted.pattern) else None
            return regex_grammar(wanted.pattern), _regex_check(expression)
        case "gbnf":
            if not wanted.pattern.strip():
                raise GrammarInvalid("grammar", "it is empty")
            return wanted.pattern, None
        case "text":
            return None, None


def _schema_check(schema: dict[str, Any] | bool) -> Check:
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        keyword = str(error.absolute_path[-1]) if error.absolute_path else str(error.validator)
        raise GrammarInvalid(keyword, error.message) from error
    validator = Draft202012Validator(schema)

    def check(text: str) -> str | None:
        problem = check_json(text)
        if problem is not None:
            return problem
        error = next(validator.iter_errors(json.loads(text)), None)
        return None if error is None else f"{error.json_path}: {error.message[:200]}"

    return check


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def _regex_check(expression: re.Pattern[str] | None) -> Check | None:
    if expression is None:
        return None
    return lambda text: None if expression.fullmatch(text) else f"it does not match {expression.pattern!r}"
