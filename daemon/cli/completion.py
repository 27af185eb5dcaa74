"""`reverie completion`: scripts for bash, zsh and fish, written from the commands' own arguments."""

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from daemon.cli import COMMANDS, parser_of

INSTALL = {
    "bash": "~/.local/share/bash-completion/completions/reverie",
    "zsh": "a folder of $fpath, as _reverie",
    "fish": "~/.config/fish/completions/reverie.fish",
}
PAGES = {("memory", "show"), ("memory", "edit"), ("memory", "status"), ("memory", "reindex")}
MODELS = {("models", "show"), ("models", "rm"), ("models", "check"), ("models", "bench"), ("bench", "memory")}


class Option(NamedTuple):
    """One flag in its spellings, what it does, the values it may have."""

    spellings: tuple[str, ...]
    help: str
    choices: tuple[str, ...]
    takes_value: bool


class Node(NamedTuple):
    """A command, or an action of one: what may follow it."""

    path: tuple[str, ...]
    help: str
    options: tuple[Option, ...]
    actions: tuple[tuple[str, str], ...]
    words: tuple[str, ...]


def configure(command: str, parser: argparse.ArgumentParser) -> None:  # noqa: ARG001 - one signature for all
    where = "; ".join(f"{shell}: {place}" for shell, place in INSTALL.items())
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help=f"where to put it: {where}")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    print(script(arguments.shell), end="")
    return 0


def script(shell: str) -> str:
    """The completions for *shell*."""
    nodes = list(tree())
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](nodes)


def tree() -> Iterator[Node]:
    """Every command and every action of one, in the order of the overview."""
    for name, command in COMMANDS.items():
        yield from _nodes((name,), command.summary, parser_of(name))


def _nodes(path: tuple[str, ...], summary: str, parser: argparse.ArgumentParser) -> Iterator[Node]:
    options: list[Option] = []
    actions: list[tuple[str, str]] = []
    words: list[str] = []
    below: list[Node] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            help_of = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, sub in action.choices.items():
                actions.append((name, help_of.get(name, "")))
                below += _nodes((*path, name), help_of.get(name, ""), sub)
        elif action.option_strings:
            choices = tuple(map(str, action.choices or ()))
            options.append(Option(tuple(action.option_strings), action.help or "", choices, action.nargs != 0))
        else:
            words += map(str, action.choices or ())
    yield Node(path, summary, tuple(options), tuple(actions), tuple(words))
    yield from below


def _bash(nodes: list[Node]) -> str:
    lines = [
        "# bash completion for reverie; written by `reverie completion bash`",
        "_reverie() {",
        '    local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" words=""',
        "    if (( COMP_CWORD == 1 )); then",
        f'        COMPREPLY=($(compgen -W "{" ".join(COMMANDS)} --help --version" -- "$current"))',
        "        return",
        "    fi",
        '    case "$previous" in',
        "        -m|--model) words=\"$(reverie models ls 2>/dev/null | sed 's/  .*//')\" ;;",
    ]
    lines += [
        f'        {"|".join(option.spellings)}) words="{" ".join(option.choices)}" ;;'
        for option in dict.fromkeys(option for node in nodes for option in node.options if option.choices)
    ]
    lines += [
        "    esac",
        '    if [[ -n "$words" ]]; then',
        '        COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "        return",
        "    fi",
        '    case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in',
    ]
    for node in sorted(nodes, key=lambda node: -len(node.path)):
        flags = [spelling for option in node.options for spelling in option.spellings]
        words = " ".join([*(name for name, _ in node.actions), *node.words, *flags])
        pattern = f'"{" ".join(node.path)}"' if len(node.path) > 1 else f'"{node.path[0]} "*'
        lines.append(f'        {pattern}) words="{words}" ;;')
    pages = "|".join(f'"{" ".join(path)}"' for path in sorted(PAGES))
    models = "|".join(f'"{" ".join(path)}"' for path in sorted(MODELS))
    lines += [
        "    esac",
        '    case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in',
        "        " + models + ") words=\"$words $(reverie models ls 2>/dev/null | sed 's/  .*//')\" ;;",
        "        " + pages + ")",
        "            if (( COMP_CWORD > 2 )); then",
        "                local IFS=$'\\n'",
        '                COMPREPLY=($(compgen -W "$(reverie memory ls 2>/dev/null | sed \'s/  .*//\')" -- "$current"))',
        "                return",
        "            fi ;;",
        "    esac",
        '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
        "}",
        "complete -o default -F _reverie reverie",
        "",
    ]
    return "\n".join(lines)


def _zsh(nodes: list[Node]) -> str:
    lines = ["#compdef reverie", "# zsh completion for reverie; written by `reverie completion zsh`", ""]
    for node in nodes:
        lines.append(f"_reverie_{'_'.join(node.path)}() {{")
        specs = [_zsh_option(option) for option in node.options]
        if node.actions:
            lines += [
                "    local state",
                "    _arguments -C " + " ".join([*specs, "'1:action:->action'", "'*::rest:->rest'"]),
                '    case "$state" in',
                "        action) local -a actions; actions=(",
                *(f"            {_zsh_quoted(f'{name}:{help_}')}" for name, help_ in node.actions),
                "            ); _describe action actions ;;",
                f'        rest) _call_function ret "_reverie_{node.path[0]}_$words[1]" ;;',
                "    esac",
            ]
        else:
            rest = "'*:file:_files'"
            if node.words:
                rest = f"'1:value:({' '.join(node.words)})'"
            elif node.path in MODELS:
                rest = "'*:model:($(reverie models ls 2>/dev/null | sed \"s/  .*//\"))'"
            lines.append("    _arguments " + " ".join([*specs, rest]))
        lines += ["}", ""]
    lines += [
        "_reverie() {",
        "    local state",
        "    _arguments -C '1:command:->command' '*::rest:->rest'",
        '    case "$state" in',
        "        command) local -a commands; commands=(",
        *(f"            {_zsh_quoted(f'{name}:{command.summary}')}" for name, command in COMMANDS.items()),
        "            ); _describe command commands ;;",
        '        rest) _call_function ret "_reverie_$words[1]" ;;',
        "    esac",
        "}",
        "",
        '_reverie "$@"',
        "",
    ]
    return "\n".join(lines)


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh_option(option: Option) -> str:
    text = option.help.replace("[", "(").replace("]", ")").replace(":", ";")
    value = ""
    if option.takes_value:
        value = f":value:({' '.join(option.choices)})" if option.choices else ":value: "
    group = f"({' '.join(option.spellings)})" if len(option.spellings) > 1 else ""
    return " ".join(_zsh_quoted(f"{group}{spelling}[{text}]{value}") for spelling in option.spellings)


def _fish(nodes: list[Node]) -> str:
    lines = [
        "# fish completion for reverie; written by `reverie completion fish`",
        "complete -c reverie -f",
    ]
    lines += [
        f"complete -c reverie -n __fish_use_subcommand -a {name} -d {_fish_quoted(command.summary)}"
        for name, command in COMMANDS.items()
    ]
    for node in nodes:
        condition = "; and ".join(f"__fish_seen_subcommand_from {part}" for part in node.path)
        start = f"complete -c reverie -n {_fish_quoted(condition)}"
        lines += [f"{start} -a {name} -d {_fish_quoted(help_)}" for name, help_ in node.actions]
        lines += [f"{start} -a {word}" for word in node.words]
        for option in node.options:
            names = " ".join(
                f"-l {spelling[2:]}" if spelling.startswith("--") else f"-s {spelling[1:]}"
                for spelling in option.spellings
            )
            value = ""
            if option.takes_value:
                value = f" -x -a {_fish_quoted(' '.join(option.choices))}" if option.choices else " -x"
            lines.append(f"{start} {names}{value} -d {_fish_quoted(option.help)}")
        if node.path in MODELS:
            lines.append(f'{start} -a \'(reverie models ls 2>/dev/null | string replace -r "  .*" "")\'')
        if node.path in PAGES:
            lines.append(f'{start} -a \'(reverie memory ls 2>/dev/null | string replace -r "  .*" "")\'')
    return "\n".join([*lines, ""])


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
