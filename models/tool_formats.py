"""How models write tool calls: one table, the recognition of a row by the chat template, and its grammar."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.charset import literal
from models.grammar import expression, grammar_text
from models.requests import Tool

PARALLEL = "{0,7}"  # further calls under a grammar: a small model bound to call would call for ever
NAME, ARGUMENTS = "$NAME", "$ARGUMENTS"
_HOLES = re.compile(r"(\$NAME|\$ARGUMENTS|\n)")


@dataclass(frozen=True, slots=True)
class ToolFormat:
    """
    How a model writes calls.

    - *teaches*: what a template that teaches it matches; *unlike*: what such a template does not match.
    - *begin*, *call*, *join*, *end*: several calls as written, with $NAME and $ARGUMENTS for a call's own. *join* None:
      one call an answer.
    - *opens*: texts that a call, or a list of them, comes after; the first opens all. *skips*: texts around calls.
    - *named*: how the name stands in what comes between an opening and the arguments; "": the call is a JSON object.
    - *tagged*: patterns of the name, and of one argument's key and value, where a call may also be written in tags.
    - *bare*: a call may also stand alone as the whole answer, without an opening text.
    """

    name: str
    teaches: str
    begin: str
    call: str
    join: str | None
    end: str
    opens: tuple[str, ...]
    skips: tuple[str, ...] = ()
    unlike: str = ""
    named: str = ""
    tagged: tuple[str, str] | None = None
    bare: bool = False

    def example(self, name: str, arguments: str) -> str:
        """One call as this format has it."""
        shown = name if self.named else json.dumps(name, ensure_ascii=False)
        return self.begin + self.call.replace(NAME, shown).replace(ARGUMENTS, arguments) + self.end


TAGS = ToolFormat(  # Hermes, Qwen 2.5 and 3, Granite 4, SmolLM, and reverie's own fallback
    name="tags",
    teaches="<tool_call>",
    unlike="<function=|<arg_key>",
    begin="",
    call='<tool_call>\n{"name": $NAME, "arguments": $ARGUMENTS}\n</tool_call>',
    join="\n",
    end="",
    opens=("<tool_call>",),
    skips=("</tool_call>",),
)
QWEN_CODER = replace(  # Qwen 3 Coder and later; forced calls are JSON, which it was taught before
    TAGS,
    name="qwen-coder",
    teaches=r"<tool_call>[\s\S]*<function=[\s\S]*<parameter=",
    unlike="",
    tagged=(r"<function=([^>\n]+)>", r"<parameter=([^>\n]+)>\n?(.*?)\n?</parameter>"),
)
GLM = replace(  # GLM 4.5 and later
    TAGS,
    name="glm",
    teaches=r"<tool_call>[\s\S]*<arg_key>",
    unlike="",
    tagged=(r"([^\s<]+)", r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>"),
)
LLAMA = ToolFormat(  # Llama 3.1 to 3.3
    name="llama",
    teaches=r'<\|python_tag\|>|\{"name": function name, "parameters"',
    begin="",
    call='{"name": $NAME, "parameters": $ARGUMENTS}',
    join="; ",
    end="",
    opens=("<|python_tag|>",),
    bare=True,
)
MISTRAL = ToolFormat(  # up to Mistral Small 3.1
    name="mistral",
    teaches=r"\[TOOL_CALLS\]",
    unlike=r"\[ARGS\]",
    begin="[TOOL_CALLS][",
    call='{"name": $NAME, "arguments": $ARGUMENTS}',
    join=", ",
    end="]",
    opens=("[TOOL_CALLS]",),
    skips=("[", "]"),
)
MISTRAL_NAMED = ToolFormat(  # Mistral Small 3.2, Magistral, Devstral
    name="mistral-named",
    teaches=r"\[ARGS\]",
    begin="",
    call="[TOOL_CALLS]$NAME[ARGS]$ARGUMENTS",
    join="",
    end="",
    opens=("[TOOL_CALLS]",),
    named=r"(.+?)(?:\[CALL_ID\].*?)?\[ARGS\]",
)
HARMONY = ToolFormat(  # gpt-oss; `models.channels` has put the headers of its messages in this order
    name="harmony",
    teaches=r"<\|channel\|>[\s\S]*<\|message\|>",
    begin="",
    call="<|channel|>commentary to=functions.$NAME <|constrain|>json<|message|>$ARGUMENTS",
    join=None,
    end="",
    opens=("<|channel|>commentary to=functions.",),
    skips=("<|call|>",),
    named=r"(\S+)\s.*",
)
DEEPSEEK_FENCED = ToolFormat(  # DeepSeek V3 and R1
    name="deepseek-fenced",
    teaches="<｜tool▁calls▁begin｜>[\\s\\S]*```json",
    begin="<｜tool▁calls▁begin｜>",
    call="<｜tool▁call▁begin｜>function<｜tool▁sep｜>$NAME\n```json\n$ARGUMENTS\n```<｜tool▁call▁end｜>",
    join="\n",
    end="<｜tool▁calls▁end｜>",
    opens=("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"),
    skips=("```", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"),
    named="(?:<｜tool▁call▁begin｜>)?function<｜tool▁sep｜>(.+?)\\s*```(?:json)?",
)
DEEPSEEK = ToolFormat(  # DeepSeek V3.1
    name="deepseek",
    teaches="<｜tool▁calls▁begin｜>",
    begin="<｜tool▁calls▁begin｜>",
    call="<｜tool▁call▁begin｜>$NAME<｜tool▁sep｜>$ARGUMENTS<｜tool▁call▁end｜>",
    join="",
    end="<｜tool▁calls▁end｜>",
    opens=("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"),
    skips=("<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"),
    named="(?:<｜tool▁call▁begin｜>)?(.+?)<｜tool▁sep｜>",
)
KIMI = ToolFormat(  # Kimi K2
    name="kimi",
    teaches=r"<\|tool_calls_section_begin\|>",
    begin="<|tool_calls_section_begin|>",
    call="<|tool_call_begin|>functions.$NAME:0<|tool_call_argument_begin|>$ARGUMENTS<|tool_call_end|>",
    join="",
    end="<|tool_calls_section_end|>",
    opens=("<|tool_calls_section_begin|>", "<|tool_call_begin|>"),
    skips=("<|tool_call_end|>", "<|tool_calls_section_end|>"),
    named=r"(?:<\|tool_call_begin\|>)?\s*functions\.(.+?):\d+\s*<\|tool_call_argument_begin\|>",
)
COHERE = ToolFormat(  # Command R7B, Command A
    name="cohere",
    teaches=r"<\|START_ACTION\|>",
    begin="<|START_ACTION|>[\n",
    call='{"tool_call_id": "0", "tool_name": $NAME, "parameters": $ARGUMENTS}',
    join=",\n",
    end="\n]<|END_ACTION|>",
    opens=("<|START_ACTION|>",),
    skips=("[", "]", "<|END_ACTION|>"),
)
COMMAND_R = ToolFormat(  # Command R and R+
    name="command-r",
    teaches="Action: ?```json",
    begin="Action: ```json\n[\n",
    call='{"tool_name": $NAME, "parameters": $ARGUMENTS}',
    join=",\n",
    end="\n]```",
    opens=("Action: ```json", "Action:```json"),
    skips=("```", "[", "]"),
)
PHI = ToolFormat(  # Phi-4-mini
    name="phi",
    teaches=r"<\|tool\|>|<\|/tool_call\|>",
    begin="<|tool_call|>[",
    call='{"name": $NAME, "arguments": $ARGUMENTS}',
    join=", ",
    end="]<|/tool_call|>",
    opens=("<|tool_call|>", "functools["),
    skips=("[", "]", "<|/tool_call|>"),
)
GRANITE = ToolFormat(  # Granite 3
    name="granite",
    teaches=r"<\|tool_call\|>",
    begin="<|tool_call|>[",
    call='{"name": $NAME, "arguments": $ARGUMENTS}',
    join=", ",
    end="]",
    opens=("<|tool_call|>", "<tool_call>"),
    skips=("[", "]", "</tool_call>"),
)
FUNCTION_TAGS = ToolFormat(  # Llama 3 as Functionary and others train it
    name="function-tags",
    teaches="<function=",
    unlike="<parameter=|<parameter>|<tool_call>",
    begin="",
    call="<function=$NAME>$ARGUMENTS</function>",
    join="\n",
    end="",
    opens=("<function=",),
    skips=("</function>",),
    named="(.+?)>",
)
FALLBACK = TAGS
FORMATS = (  # the first that a template matches
    *(HARMONY, DEEPSEEK_FENCED, DEEPSEEK, KIMI, COHERE, COMMAND_R, MISTRAL_NAMED, MISTRAL),
    *(PHI, GRANITE, QWEN_CODER, GLM, FUNCTION_TAGS, TAGS, LLAMA),
)


def tool_format(template: str) -> ToolFormat | None:
    """The format that a chat template teaches or shows, None when it is none of the table's."""
    if not re.search(r"\btools\b|\btool_calls\b", template):
        return None
    return next((form for form in FORMATS if _matches(form, template)), None)


def _matches(form: ToolFormat, template: str) -> bool:
    return bool(re.search(form.teaches, template) and not (form.unlike and re.search(form.unlike, template)))


def call_grammar(form: ToolFormat, tools: Sequence[Tool], *, parallel: bool, opened: bool) -> str:
    """
    A grammar for calls of *tools* and nothing else.

    *opened*: the first opening text is already there. Arguments are bound by each tool's schema.

    Raises:
        GrammarInvalid: a schema cannot be enforced.
    """
    rules: dict[str, str] = {}
    arguments = [expression(tool.parameters or {"type": "object"}, rules, f"args-{i}") for i, tool in enumerate(tools)]

    def calls(written: str) -> str:
        return " | ".join(
            _spelled(form, written, tool.name, bound) for tool, bound in zip(tools, arguments, strict=True)
        )

    rules["call"] = rules["first"] = calls(form.call)
    begin = form.begin
    if opened and begin:
        begin = begin.removeprefix(form.opens[0])
    elif opened:
        rules["first"] = calls(form.call.removeprefix(form.opens[0]))
    more = f"({_spelled(form, form.join)} call){PARALLEL}" if parallel and form.join is not None else ""
    rules["root"] = f"{_spelled(form, begin)} first {more} {_spelled(form, form.end)}"
    return grammar_text(rules)


def _spelled(form: ToolFormat, written: str, name: str = "", arguments: str = "") -> str:
    """*written* as a grammar's expression; where a line ends, any blank may stand or none."""
    found = []
    for part in _HOLES.split(written):
        if part == NAME:
            found.append(literal(name if form.named else json.dumps(name, ensure_ascii=False)))
        elif part == ARGUMENTS:
            found.append(arguments)
        elif part:
            found.append("ws" if part == "\n" else literal(part))
    return " ".join(found) or '""'
