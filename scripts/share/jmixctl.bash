# bash completion for jmixctl: what the mixer that runs knows, from jmixctl itself.
_jmixctl() {
    local words=() word i
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]//\\/}
        word=${word#[\"\']}
        words+=("${word%[\"\']}")
    done
    COMPREPLY=()
    while IFS= read -r word; do
        [[ $word == */ ]] && compopt -o nospace
        COMPREPLY+=("$(printf '%q' "$word")")
    done < <(jmixctl --complete "${words[@]}" 2>/dev/null)
}
complete -F _jmixctl jmixctl
