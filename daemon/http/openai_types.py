"""OpenAI's chat requests as far as they are understood here, and their translation into the engine's types."""

from typing import Annotated, Any, Literal

import msgspec

from daemon.errors import RequestInvalid
from daemon.http.values import biases, bounded, keep_alive_s, named_once, seed_of, stops_of, tool
from models.charset import literal
from models.requests import ChatMessage, Generation, ResponseFormat, Sampling, Tool, ToolCall

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=512)]


class Lenient(msgspec.Struct, kw_only=True):
    """Base of requests: fields that are not known here are skipped, as OpenAI's clients send ever new ones."""


class ContentPart(Lenient):
    type: str
    text: str | None = None
    refusal: str | None = None


class Function(Lenient):
    name: str
    arguments: str | None = ""
    description: str | None = None
    parameters: dict[str, Any] | None = None


class Call(Lenient):
    id: str
    function: Function
    type: str = "function"


class ToolEntry(Lenient):
    function: Function
    type: Literal["function"] = "function"


class Turn(Lenient):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[ContentPart] | None = None
    name: str | None = None
    tool_calls: list[Call] | None = None
    tool_call_id: str | None = None
    reasoning_content: str | None = None


class JsonSchema(Lenient):
    name: str = ""
    schema: dict[str, Any] | bool | None = None
    strict: bool | None = None


class Format(Lenient):
    """OpenAI's formats; `schema` beside json_object, `grammar` and `regex` are llama.cpp's and ours."""

    type: str
    json_schema: JsonSchema | None = None
    schema: dict[str, Any] | bool | None = None
    grammar: str | None = None
    pattern: str | None = None


class Structure(Lenient):
    """vLLM's `structured_outputs`."""

    json: str | dict[str, Any] | None = None
    regex: str | None = None
    choice: list[str] | None = None
    grammar: str | None = None
    json_object: bool | None = None


class StreamOptions(Lenient):
    include_usage: bool | None = False


class NamedFunction(Lenient):
    name: str


class NamedChoice(Lenient):
    function: NamedFunction
    type: Literal["function"] = "function"


class TemplateArguments(Lenient):
    enable_thinking: bool | None = None
    thinking: bool | None = None


class Common(Lenient, kw_only=True):
    """What chats and completions share; fields after *stop* are those of llama.cpp's, vLLM's and Ollama's servers."""

    model: Name
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    temperature: float | None = None
    top_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    logit_bias: dict[int, float] | None = None
    n: int | None = 1
    stop: str | list[str] | None = None
    top_k: int | None = None
    min_p: float | None = None
    typical_p: float | None = None
    repeat_penalty: float | None = None
    repetition_penalty: float | None = None
    repeat_last_n: int | None = None
    mirostat: int | None = None
    mirostat_tau: float | None = None
    mirostat_eta: float | None = None
    ignore_eos: bool | None = None
    guided_json: str | dict[str, Any] | None = None
    guided_regex: str | None = None
    guided_choice: list[str] | None = None
    guided_grammar: str | None = None
    structured_outputs: Structure | None = None
    grammar: str | None = None
    json_schema: dict[str, Any] | bool | None = None
    truncate: Literal["error", "oldest", "middle"] | None = None
    keep_alive: str | float | None = None
    num_ctx: int | None = None


class ChatRequest(Common, kw_only=True):
    """`POST /v1/chat/completions`."""

    messages: list[Turn]
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    logprobs: bool | None = False
    top_logprobs: int | None = None
    response_format: Format | None = None
    tools: list[ToolEntry] | None = None
    tool_choice: Literal["none", "auto", "required"] | NamedChoice | None = None
    parallel_tool_calls: bool | None = None
    reasoning_effort: str | None = None
    chat_template_kwargs: TemplateArguments | None = None


def generation_of(request: ChatRequest) -> Generation:
    """
    What the engine is to do.

    Raises:
        RequestInvalid: a value that no model could serve; names it.
    """
    if not request.messages:
        raise RequestInvalid("messages: at least one is needed", "messages")
    judge(request)
    bounded(request, "top_logprobs", "max_tokens", "max_completion_tokens")
    choice = request.tool_choice
    maximum = request.max_completion_tokens if request.max_completion_tokens is not None else request.max_tokens
    return Generation(
        messages=tuple(message_of(turn, place) for place, turn in enumerate(request.messages)),
        sampling=sampling_of(request),
        stop=stops_of(request.stop),
        max_tokens=maximum,
        n=request.n or 1,
        logprobs=bool(request.logprobs),
        top_logprobs=request.top_logprobs or 0,
        response_format=format_of(request, request.response_format),
        tools=named_once(_tool(entry, place) for place, entry in enumerate(request.tools or ())),
        tool_choice=choice.function.name if isinstance(choice, NamedChoice) else choice or "auto",
        parallel_tool_calls=request.parallel_tool_calls is not False,
        reasoning=_reasoning(request),
        truncate=request.truncate or "error",
        ignore_eos=bool(request.ignore_eos),
        context_tokens=request.num_ctx,
        keep_alive_s=keep_alive_s(request.keep_alive),
    )


def judge(request: Common) -> None:
    """The bounds of what chats and completions share."""
    bounded(request, "temperature", "top_p", "min_p", "typical_p", "top_k", "repeat_penalty", "repetition_penalty")
    bounded(request, "repeat_last_n", "presence_penalty", "frequency_penalty", "n", "num_ctx")
    bounded(request, "mirostat", "mirostat_tau", "mirostat_eta")


def sampling_of(request: Common) -> Sampling:
    """How the next token is chosen."""
    defaults = Sampling()
    repeat = request.repeat_penalty if request.repeat_penalty is not None else request.repetition_penalty
    return Sampling(
        temperature=request.temperature,
        top_p=request.top_p,
        top_k=request.top_k,
        min_p=request.min_p,
        typical_p=request.typical_p,
        repeat_penalty=repeat,
        repeat_last_n=request.repeat_last_n,
        presence_penalty=request.presence_penalty or 0.0,
        frequency_penalty=request.frequency_penalty or 0.0,
        mirostat=request.mirostat or 0,
        mirostat_tau=defaults.mirostat_tau if request.mirostat_tau is None else request.mirostat_tau,
        mirostat_eta=defaults.mirostat_eta if request.mirostat_eta is None else request.mirostat_eta,
        seed=seed_of(request.seed),
        logit_bias=biases(request.logit_bias),
    )


def message_of(turn: Turn, place: int) -> ChatMessage:
    """One turn; its text parts are joined. Raises RequestInvalid for what is no text."""
    content = turn.content
    if isinstance(content, list):
        for number, part in enumerate(content):
            if part.type not in ("text", "input_text", "refusal"):
                param = f"messages[{place}].content[{number}]"
                raise RequestInvalid(f"{param}: content of type {part.type!r} is not supported, only text", param)
        content = "\n".join(part.text or part.refusal or "" for part in content)
    return ChatMessage(
        role="system" if turn.role == "developer" else turn.role,
        content=content or "",
        name=turn.name,
        tool_calls=tuple(
            ToolCall(id=call.id, name=call.function.name, arguments=call.function.arguments or "")
            for call in turn.tool_calls or ()
        ),
        tool_call_id=turn.tool_call_id,
        reasoning=turn.reasoning_content,
    )


def _tool(entry: ToolEntry, place: int) -> Tool:
    function = entry.function
    return tool(function.name, function.description, function.parameters, f"tools[{place}].function.name")


def _reasoning(request: ChatRequest) -> bool | None:
    given = request.chat_template_kwargs
    if (
        given is not None
        and (wanted := given.enable_thinking if given.thinking is None else given.thinking) is not None
    ):
        return wanted
    return False if request.reasoning_effort in ("none", "minimal") else None


def format_of(request: Common, wanted: Format | None) -> ResponseFormat:
    """
    The form of the answer, by whichever of the fields asks for one.

    Raises:
        RequestInvalid: two of them ask, or one is not understood.
    """
    asked = [
        (field, found)
        for field, found in (
            ("response_format", _openai_format(wanted) if wanted else None),
            ("guided_json", _schema(request.guided_json, "guided_json")),
            ("guided_regex", _pattern("regex", request.guided_regex)),
            ("guided_choice", _choices(request.guided_choice, "guided_choice")),
            ("guided_grammar", _pattern("gbnf", request.guided_grammar)),
            ("structured_outputs", _structure(request.structured_outputs)),
            ("grammar", _pattern("gbnf", request.grammar)),
            ("json_schema", None if request.json_schema is None else _schema(request.json_schema, "json_schema")),
        )
        if found is not None and found.kind != "text"
    ]
    if len(asked) > 1:
        raise RequestInvalid(f"{asked[1][0]}: the answer's form is given by {asked[0][0]} already", asked[1][0])
    return asked[0][1] if asked else ResponseFormat()


def _openai_format(wanted: Format) -> ResponseFormat:
    match wanted.type:
        case "text":
            return ResponseFormat()
        case "json_object" if wanted.schema is not None:
            return ResponseFormat(kind="json_schema", schema=wanted.schema)
        case "json_object":
            return ResponseFormat(kind="json_object")
        case "json_schema" if wanted.json_schema and wanted.json_schema.schema is not None:
            return ResponseFormat(kind="json_schema", schema=wanted.json_schema.schema)
        case "json_schema" if wanted.schema is not None:
            return ResponseFormat(kind="json_schema", schema=wanted.schema)
        case "grammar" if wanted.grammar:
            return ResponseFormat(kind="gbnf", pattern=wanted.grammar)
        case "regex" if wanted.pattern:
            return ResponseFormat(kind="regex", pattern=wanted.pattern)
        case other:
            raise RequestInvalid(f"response_format {other!r} is not understood, or lacks its schema", "response_format")


def _schema(value: str | dict[str, Any] | bool | None, field: str) -> ResponseFormat | None:
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value, type=dict[str, Any] | bool)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise RequestInvalid(f"{field} is no JSON schema: {error}", field) from None
    return ResponseFormat(kind="json_schema", schema=value)


def _pattern(kind: Literal["regex", "gbnf"], text: str | None) -> ResponseFormat | None:
    return None if not text else ResponseFormat(kind=kind, pattern=text)


def _choices(choices: list[str] | None, field: str) -> ResponseFormat | None:
    if choices is None:
        return None
    if not choices or len(choices) > 1000 or not all(choices):
        raise RequestInvalid(f"{field}: 1 to 1000 texts are needed, none of them empty", field)
    return ResponseFormat(kind="gbnf", pattern="root ::= " + " | ".join(map(literal, choices)))


def _structure(wanted: Structure | None) -> ResponseFormat | None:
    if wanted is None:
        return None
    field = "structured_outputs"
    found = [
        each
        for each in (
            _schema(wanted.json, f"{field}.json"),
            _pattern("regex", wanted.regex),
            _choices(wanted.choice, f"{field}.choice"),
            _pattern("gbnf", wanted.grammar),
            ResponseFormat(kind="json_object") if wanted.json_object else None,
        )
        if each is not None
    ]
    if len(found) != 1:
        raise RequestInvalid(f"{field}: exactly one of json, regex, choice, grammar, json_object is needed", field)
    return found[0]
