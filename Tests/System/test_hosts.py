"""A render on two hosts, as docs/rendering.md says: GNU parallel over ssh, each host in a network and with a
disk of its own."""

import json
import os
import re
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import BUILD, RATE, ROOT, run

AS_ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]

# Run as root in a network, a mount and a process namespace of its own: all of it ends with the script. The
# first host is here, the second behind a cable.
HOSTS = r"""
set -euo pipefail
work=$1; path=$2; command=$3
mount --make-rprivate /
ip link set lo up
mkdir "$work/second"; cp -a "$work/show" "$work/second/"
unshare --net --mount sleep 600 &
second=$!
others() { [ "$(readlink /proc/$second/ns/$1)" != "$(readlink /proc/self/ns/$1)" ]; }
apart() { others net && others mnt; }
for _ in $(seq 200); do apart && break; sleep 0.05; done
apart || { echo "the second host has no network or no disk of its own after 10 s" >&2; exit 1; }
ip link add one type veth peer name two netns $second
ip addr add 10.77.0.1/24 dev one; ip link set one up
there() { nsenter -t $second -n -m "$@"; }
there ip link set lo up; there ip addr add 10.77.0.2/24 dev two; there ip link set two up
# The same place, another disk.
there mount --bind "$work/second/show" "$work/show"
ssh-keygen -q -t ed25519 -N '' -f "$work/key"; dropbearkey -t ed25519 -f "$work/host" > "$work/log"
mkdir -p "$work/root/.ssh"; cp "$work/key.pub" "$work/root/.ssh/authorized_keys"; chmod -R go= "$work/root"
echo "export PATH=$path XDG_CACHE_HOME=$work/second/cache" > "$work/root/.bashrc"
there mount --bind "$work/root" /root
cat > "$work/ssh" <<END
Host studio2
HostName 10.77.0.2
Port 2222
User root
IdentityFile $work/key
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
END
there dropbear -F -E -s -p 10.77.0.2:2222 -r "$work/host" 2> "$work/log" &
export HOME="$work/home" PATH="$path" PARALLEL_SSH="ssh -F $work/ssh" RSYNC_RSH="ssh -F $work/ssh"
mkdir -p "$HOME/.parallel"; touch "$HOME/.parallel/will-cite"
for _ in $(seq 100); do ssh -F "$work/ssh" studio2 true && break; sleep 0.1; done
cd "$work/show"
eval "$command"
ssh -F "$work/ssh" studio2 ls "$work/show" > "$work/left"
"""


def test_two_hosts_render_what_one_does(tmp_path):
    if subprocess.run([*AS_ROOT, "unshare", "--net", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("no network of its own may be made here")
    show = tmp_path / "show"
    show.mkdir()
    dice = np.random.default_rng(3)
    tracks = []
    for number in range(3):
        soundfile.write(
            show / f"{number}.wav",
            (dice.standard_normal((8 * RATE, 2)) / 10).astype(np.float32),
            RATE if number else 44100,
            subtype="FLOAT",
        )
        tracks.append(
            {
                "name": f"t{number}",
                "clips": [{"file": f"{number}.wav", "at": f"{number}/3"}],
                "automation": [{"ramp": [0.2, 1.3], "from": "1s", "to": "5s", "curve": "scurve"}],
            }
        )
    (show / "session.json").write_text(json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": tracks}))
    run("render", show, tmp_path / "one.wav")
    # The very lines of the page, but for the names of the studios and of the session.
    with open(os.path.join(ROOT, "docs/rendering.md")) as page:
        parallel, join = re.search(r"\n    (parallel .*)\n    (jmix join .*)\n", page.read()).groups()
    command = (
        parallel.replace("studio1,studio2", "studio2").replace("render show", "render session")
        + " && "
        + join
    )
    path = f"{os.path.abspath(BUILD)}:/usr/sbin:/sbin:{os.environ['PATH']}"
    words = [
        *AS_ROOT,
        "unshare",
        "--net",
        "--mount",
        "--pid",
        "--fork",
        "--kill-child",
        "--mount-proc",
        "bash",
        "-c",
        HOSTS,
        "hosts",
        str(tmp_path),
        path,
        command,
    ]
    done = subprocess.run(words, capture_output=True, text=True, timeout=180)
    log = (tmp_path / "log").read_text() if (tmp_path / "log").exists() else ""
    assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:], log[-300:])
    mix, one = (soundfile.read(file, dtype="float32")[0] for file in (show / "mix.wav", tmp_path / "one.wav"))
    assert np.array_equal(mix, one)
    # The second had its share, and keeps none of it.
    assert "Pubkey auth succeeded" in log and "part-" not in (tmp_path / "left").read_text()
