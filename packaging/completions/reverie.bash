# bash completion for reverie; written by `reverie completion bash`
_reverie() {
    local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" words=""
    if (( COMP_CWORD == 1 )); then
        COMPREPLY=($(compgen -W "chat ask remember search recall why what-if graph forget undo proposals memory mcp models bench status start stop serve logs night doctor config service demo completion version --help --version" -- "$current"))
        return
    fi
    case "$previous" in
        -m|--model) words="$(reverie models ls 2>/dev/null | sed 's/  .*//')" ;;
        --mode) words="hybrid keyword vector" ;;
        --format) words="text mermaid dot" ;;
    esac
    if [[ -n "$words" ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return
    fi
    case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in
        "proposals ls") words="-h --help --json" ;;
        "proposals show") words="-h --help --json" ;;
        "proposals apply") words="-h --help --json" ;;
        "proposals drop") words="-h --help --json" ;;
        "memory ls") words="-h --help --json" ;;
        "memory show") words="-h --help --json" ;;
        "memory edit") words="-h --help" ;;
        "memory status") words="-h --help --json" ;;
        "memory reindex") words="-h --help --json" ;;
        "memory history") words="-h --help -n --limit --json" ;;
        "models ls") words="-h --help --json" ;;
        "models show") words="-h --help --json" ;;
        "models pull") words="-h --help --name --sha256 --json" ;;
        "models rm") words="-h --help" ;;
        "models check") words="-h --help --json" ;;
        "models bench") words="-h --help --json" ;;
        "bench memory") words="-h --help --episodes --seed --json" ;;
        "night status") words="-h --help --json" ;;
        "night run") words="-h --help --now --json" ;;
        "night log") words="-h --help -n --limit --json" ;;
        "night show") words="-h --help --json" ;;
        "night undo") words="-h --help --json" ;;
        "night approve") words="-h --help --json" ;;
        "night teach") words="-h --help --json" ;;
        "night policy") words="-h --help --reset --json" ;;
        "night ranking") words="-h --help --reset --json" ;;
        "config show") words="-h --help --json" ;;
        "config path") words="-h --help --all --json" ;;
        "service install") words="-h --help --print --no-enable" ;;
        "service remove") words="-h --help" ;;
        "chat "*) words="-h --help -m --model --json --no-memory" ;;
        "ask "*) words="-h --help -m --model --json -n --limit" ;;
        "remember "*) words="-h --help --json --page --verbatim" ;;
        "search "*) words="-h --help -q --query -n --limit --mode --prefix --explain --json" ;;
        "recall "*) words="-h --help --json --at --past" ;;
        "why "*) words="-h --help --json" ;;
        "what-if "*) words="-h --help --json" ;;
        "graph "*) words="-h --help --json --format" ;;
        "forget "*) words="-h --help --json -y --yes" ;;
        "undo "*) words="-h --help --json" ;;
        "proposals "*) words="ls show apply drop -h --help --json" ;;
        "memory "*) words="ls show edit status reindex history -h --help" ;;
        "mcp "*) words="-h --help" ;;
        "models "*) words="ls show pull rm check bench -h --help" ;;
        "bench "*) words="memory -h --help" ;;
        "status "*) words="-h --help --json" ;;
        "start "*) words="-h --help --host --port --set" ;;
        "stop "*) words="-h --help --force" ;;
        "serve "*) words="-h --help --host --port --set" ;;
        "logs "*) words="-h --help -f --follow -n --lines --json" ;;
        "night "*) words="status run log show undo approve teach policy ranking -h --help" ;;
        "doctor "*) words="-h --help --json" ;;
        "config "*) words="show path -h --help" ;;
        "service "*) words="install remove -h --help" ;;
        "demo "*) words="-h --help --keep" ;;
        "completion "*) words="bash zsh fish -h --help" ;;
        "version "*) words="-h --help --json" ;;
    esac
    case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in
        "bench memory"|"models bench"|"models check"|"models rm"|"models show") words="$words $(reverie models ls 2>/dev/null | sed 's/  .*//')" ;;
        "memory edit"|"memory reindex"|"memory show"|"memory status")
            if (( COMP_CWORD > 2 )); then
                local IFS=$'\n'
                COMPREPLY=($(compgen -W "$(reverie memory ls 2>/dev/null | sed 's/  .*//')" -- "$current"))
                return
            fi ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _reverie reverie
