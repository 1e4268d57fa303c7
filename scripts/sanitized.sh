# To be sourced by scripts/asan and scripts/tsan, with their arguments.

case ${1:-} in
build | test) ;;
*)
    sed -n '/^# usage/s/^# //p' "$0" >&2
    exit 2
    ;;
esac

# A pattern that any of these words matches.
any() { local IFS='|'; echo "$*"; }

# Builds or tests with a sanitizer of the compiler, in a folder of its own. SwiftPM is content where a filter
# matches nothing.
# usage: sanitized FOLDER SANITIZER build|test [OPTION OF SWIFT]...
sanitized() {
    swift "$3" --scratch-path "$1" --sanitize="$2" "${@:4}" | awk '
        { print; fflush() }
        /Test run with 0 tests/ { none = 1 }
        END { if (none) { print "no test of these rooms has such a name" >"/dev/stderr"; exit 1 } }'
}
