"""How models write tool calls: one table, and the recognition of a row by the chat template."""

import json
import re
from dataclasses import dataclass, replace

NAME, ARGUMENTS, KEY, VALUE = "$NAME", "$ARGUMENTS", "$KEY", "$VALUE"


@dataclass(frozen=True, slots=True)
class ToolFormat:
    """
    How a model writes calls.

    - *teaches*: what a template that teaches it matches; *unlike*: what such a template does not match.
    - *begin*, *call*, *join*, *end*: several calls as written, with $NAME and $ARGUMENTS for a call's own. *join* None:
      one call an answer.
    - *opens*: texts that a call, or a list of them, comes after; the first opens all. *skips*: texts around calls.
    - *named*: how the name stands in what comes between an opening and the arguments; "": the call is a JSON object.
    - *argument*: one argument as written, with $KEY and $VALUE, where the arguments are no JSON object. *joined*: what
      stands between two of them.
    - *tagged*: patterns of the name, and of one argument's key and value, where a call is written in tags: texts stand
      in them as they are, other values as JSON.
    - *python*: calls may be a list in Python, `[f(a=1), g(b="x")]`.
    - *bare*: calls may also stand alone as the whole answer, without an opening text.
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
    argument: str = ""
    joined: str = ""
    tagged: tuple[str, str] | None = None
    python: bool = False
    bare: bool = False

    def example(self, name: str, arguments: str) -> str:
        """One call as this format has it."""
        return self.begin + self.written(name, arguments) + self.end

    def written(self, name: str, arguments: str) -> str:
        """A call among others: its *name*, and its *arguments*, a JSON object."""
        if self.argument:
            arguments = self.joined.join(
                self.argument.replace(KEY, key).replace(VALUE, self._value(value))
                for key, value in _members(arguments).items()
            )
        return self.call.replace(NAME, self.shown(name)).replace(ARGUMENTS, arguments)

    def shown(self, name: str) -> str:
        """A tool's *name* as it stands in a call."""
        return name if self.named or self.argument else json.dumps(name, ensure_ascii=False)

    def _value(self, value: object) -> str:
        if isinstance(value, str):
            return value if self.tagged else json.dumps(value, ensure_ascii=False)
        return _python(value) if self.python else json.dumps(value, ensure_ascii=False)


def _python(value: object) -> str:
    match value:
        case dict():
            members = (f"{json.dumps(key, ensure_ascii=False)}: {_python(each)}" for key, each in value.items())
            return f"{{{', '.join(members)}}}"
        case list():
            return f"[{', '.join(map(_python, value))}]"
        case bool() | None:
            return repr(value)
    return json.dumps(value, ensure_ascii=False)


def _members(arguments: str) -> dict[str, object]:
    try:
        value = json.loads(arguments)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"arguments": arguments}


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
QWEN_CODER = replace(  # Qwen 3 Coder and later
    TAGS,
    name="qwen-coder",
    teaches=r"<tool_call>[\s\S]*<function=[\s\S]*<parameter=",
    unlike="",
    call="<tool_call>\n<function=$NAME>\n$ARGUMENTS</function>\n</tool_call>",
    argument="<parameter=$KEY>\n$VALUE\n</parameter>\n",
    tagged=(r"<function=([^>\n]+)>", r"<parameter=([^>\n]+)>\n?(.*?)\n?</parameter>"),
)
GLM = replace(  # GLM 4.5 and later
    TAGS,
    name="glm",
    teaches=r"<tool_call>[\s\S]*<arg_key>",
    unlike="",
    call="<tool_call>$NAME\n$ARGUMENTS</tool_call>",
    argument="<arg_key>$KEY</arg_key>\n<arg_value>$VALUE</arg_value>\n",
    tagged=(r"([^\s<]+)", r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>"),
)
PYTHON = ToolFormat(  # Llama 3.2 and 4 where they are asked for it, ToolACE, Gemma 3
    name="python",
    teaches=r"\[\s*\w+\(\w+=\w+, ?\w+=\w+",
    begin="[",
    call="$NAME($ARGUMENTS)",
    join=", ",
    end="]",
    opens=("<|python_start|>", "<|python_tag|>"),
    skips=("[", "]", "<|python_end|>"),
    argument="$KEY=$VALUE",
    joined=", ",
    python=True,
    bare=True,
)
LIQUID = replace(  # LFM 2 and 2.5
    PYTHON,
    name="liquid",
    teaches=r"<\|tool_(list|call)_start\|>|List of tools: \[",
    begin="<|tool_call_start|>[",
    end="]<|tool_call_end|>",
    opens=("<|tool_call_start|>",),
    skips=("[", "]", "<|tool_call_end|>"),
)
LLAMA = ToolFormat(  # Llama 3.1 to 4; the latter falls into Python
    name="llama",
    teaches=r'<\|python_(tag|start)\|>|\{"name": function name, "parameters"',
    begin="",
    call='{"name": $NAME, "parameters": $ARGUMENTS}',
    join="; ",
    end="",
    opens=("<|python_tag|>", "<|python_start|>"),
    skips=("<|python_end|>",),
    python=True,
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
    *(PHI, GRANITE, QWEN_CODER, GLM, LIQUID, FUNCTION_TAGS, TAGS, PYTHON, LLAMA),
)


def tool_format(template: str) -> ToolFormat | None:
    """The format that a chat template teaches or shows, None when it is none of the table's."""
    if not re.search(r"\btools\b|\btool_calls\b", template):
        return None
    return next((form for form in FORMATS if _matches(form, template)), None)


def _matches(form: ToolFormat, template: str) -> bool:
    return bool(re.search(form.teaches, template) and not (form.unlike and re.search(form.unlike, template)))
