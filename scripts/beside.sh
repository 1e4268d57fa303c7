# To be sourced. A script that runs a command beside what it does next.

# Runs a command in the background, in a process group of its own; `$beside` is its id, to wait for. If it
# still runs when the script ends, it is interrupted, at which swift ends what it has started. Where
# interruptions are ignored, it is terminated three seconds later.
beside() {
    set -m
    "$@" </dev/null &
    beside=$!
    set +m
    trap end_groups EXIT
}

end_groups() {
    local group
    for group in $(jobs -pr); do
        kill -INT -- "-$group" 2>/dev/null || true
        for _ in {1..30}; do
            jobs -pr | grep -qx "$group" || continue 2
            sleep 0.1
        done
        kill -TERM -- "-$group" 2>/dev/null || true
    done
}
