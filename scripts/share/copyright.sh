#!/usr/bin/env bash
# Prints what a package with the programs has to say of their authors: as Debian's copyright file, or what
# parts that are linked in ask to be shown.
# usage: scripts/share/copyright.sh            the copyright file
#        scripts/share/copyright.sh --notices  the parts' own notices and licences, whole
# Needs: the packages' sources in .build/checkouts, as every build has them.
set -euo pipefail
cd "$(dirname "$0")/../.."

parts=.build/checkouts
[ -d "$parts" ] || { echo "there is no $parts: a build makes it" >&2; exit 1; }

if [ "${1:-}" = --notices ]; then
    for file in "$parts"/*/NOTICE.txt "$parts"/swift-nio/Sources/CNIOLLHTTP/LICENSE; do
        printf '%s\n\n' "=== ${file#"$parts"/}"
        cat "$file"
        printf '\n'
    done
    sha1=swift-nio/Sources/CNIOSHA1/c_nio_sha1.c
    printf '%s\n\n' "=== $sha1"
    sed -n '/SPDX-License-Identifier/,/\*\//{/SPDX\|\*\//d; s/^ \* \{0,1\}//; p}' "$parts/$sha1"
    exit
fi

cat <<EOF
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: jmix

Files: *
Copyright: 2026 the jmix authors
License: Expat

Files: usr/bin/jmix usr/bin/jmixctl
Copyright: 2026 the jmix authors
           2014-2026 Apple Inc. and the authors of the Swift project
$(for part in "$parts"/*/; do echo "           the authors of $(basename "$part")"; done)
           1995-1998 WIDE Project
           Fedor Indutny and the contributors of llhttp
License: Expat and Apache-2.0 and Apache-2.0 with Runtime Library Exception and BSD-3-Clause
Comment: The programs have these linked in: the runtime of Swift (Apache-2.0 with Runtime Library Exception);
$(for part in "$parts"/*/; do echo " $(basename "$part"),"; done)
 all under Apache-2.0; of swift-nio llhttp (Expat) and sha1.c (BSD-3-Clause).
 Their own notices and licences are in NOTICES.gz beside this file.

License: Expat
$(sed '1,4d; s/^$/./; s/^/ /' LICENSE)

License: Apache-2.0
 On Debian systems the whole text is in /usr/share/common-licenses/Apache-2.0.

License: Apache-2.0 with Runtime Library Exception
 Apache-2.0, with this exception: if you use this Software to compile your
 source code and portions of this Software are embedded into the binary product
 as a result, you may redistribute such product without providing attribution
 as would otherwise be required by Sections 4(a), 4(b) and 4(d) of the License.

License: BSD-3-Clause
 The whole text is in NOTICES.gz beside this file.
EOF
