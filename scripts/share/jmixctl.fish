# fish completion for jmixctl: what the mixer that runs knows, from jmixctl itself.
function __jmixctl_candidates
    set -l words (commandline -opc) (commandline -ct | string collect --allow-empty)
    jmixctl --complete $words[2..-1] 2>/dev/null
end
complete -c jmixctl -f -a '(__jmixctl_candidates)'
