"""PipeWire in place of jackd, headless: the same mixer, to the bit."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
import soundfile
from conftest import RATE, line_of, run, wait_until

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(
        not shutil.which("pw-jack") or not shutil.which("dbus-run-session"),
        reason="PipeWire is not installed",
    ),
]

# A session bus, a sound server, and a sink that is no sound card; ends with the test's standard input. The
# session manager's part, to give the sink its
# ports, is done by hand: wireplumber ends at once where no logind runs, as in a container. Every wait is
# bounded, and says what it waited for.
SERVER = """
wait_for() {
    what=$1; shift
    for _ in $(seq 200); do "$@" >/dev/null 2>&1 && return; sleep 0.05; done
    echo "still not after 10 s: $what"; exit 1
}
has_ports() { pw-jack jack_lsp 2>/dev/null | grep -q speakers:playback_FR; }
sink() { pw-cli ls Node | awk '/^\\tid /{ id = $2 } /node.name = "speakers"/{ print id + 0 }'; }
has_sink() { [ -n "$(sink)" ]; }
pipewire & pipewire=$!
trap 'kill $pipewire' EXIT
wait_for "pipewire answers" pw-cli info 0
pw-cli create-node adapter '{ factory.name=support.null-audio-sink node.name=speakers
    media.class=Audio/Sink object.linger=true audio.position=[FL FR] }' >/dev/null
wait_for "there is a sink" has_sink
pw-cli set-param "$(sink)" PortConfig '{ direction: Input, mode: dsp, monitor: true, format: {
    mediaType: audio, mediaSubtype: raw, format: F32P, rate: 48000, channels: 2,
    position: [ FL, FR ] } }' >/dev/null
wait_for "the sink has ports" has_ports
echo ready
read -r _
"""

# In a process of its own: libjack is PipeWire's there.
CAPTURE = """
import sys; sys.path.insert(0, sys.argv[1])
import conftest, numpy, os, types
capture = conftest.Capture(types.SimpleNamespace(name=None))
print("ready", flush=True)
sys.stdin.readline()
capture.has_ended = True
numpy.save(sys.argv[2], numpy.concatenate([capture.blocks.get() for _ in range(capture.blocks.qsize())]))
# PipeWire sometimes never lets a client leave that was late.
os._exit(0)
"""


@pytest.fixture
def pipewire(tmp_path, monkeypatch):
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    monkeypatch.setenv("PIPEWIRE_LATENCY", f"256/{RATE}")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with open(tmp_path / "pipewire.log", "w") as log:
        server = subprocess.Popen(
            ["dbus-run-session", "--", "sh", "-c", SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        said = line_of(server.stdout, "PipeWire is ready", 60)
        assert said == "ready\n", f"PipeWire does not start: {said}"
        yield
        server.stdin.close()
        server.wait(20)
        server.stdout.close()


def places(heard, expected):
    """Where in the render each frame lies that was heard: every sample of both channels to the bit, which a
    ramp tells of each by itself. PipeWire waits for
    nobody: where the capture, in Python, is late by a period, it lacks one, has one again, or the next but
    one has taken the place of what it was reading. So
    nine frames of ten are to follow the one before, and to have left and right from one place; that is not
    the mixer's."""
    left, right = (np.searchsorted(abs(expected[:, channel]), abs(heard[:, channel])) for channel in (0, 1))
    assert np.array_equal(expected[left, 0], heard[:, 0]) and np.array_equal(expected[right, 1], heard[:, 1])
    assert (
        np.mean(left == right) > 0.9
        and np.mean(np.diff(left) == 1) > 0.9
        and np.mean(np.diff(right) == 1) > 0.9
    )
    assert np.all(np.diff(left) >= 0) and len(set(left)) > 0.9 * len(left)
    return left


def test_it_plays_on_pipewire(pipewire, mixers, make_session, tmp_path):
    n = (np.arange(20 * RATE) + 1) / 2**21
    session = make_session(
        {"a": np.stack([n, -n], 1).astype(np.float32), "b": np.stack([n, -n], 1).astype(np.float32)}
    )
    mixer = mixers(session, under=["pw-jack"])
    status = mixer.json("status")
    assert status["server"] and status["sampleRate"] == RATE
    wait_until(
        lambda: (
            "speakers:playback_FL\n   jmix:master_1"
            in subprocess.run(["pw-jack", "jack_lsp", "-c"], capture_output=True, text=True).stdout
        ),
        "it is connected to the sink",
    )
    capture = subprocess.Popen(
        [
            "pw-jack",
            sys.executable,
            "-c",
            CAPTURE,
            os.path.dirname(os.path.abspath(__file__)),
            tmp_path / "heard.npy",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert line_of(capture.stdout, "the capture begins") == "ready\n"
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 1, "it plays")
        mixer.ctl("locate", "10s")
        wait_until(lambda: mixer.json("position")["seconds"] > 11, "it plays there")
        capture.communicate("\n", timeout=20)
    finally:
        capture.kill()
    heard = np.load(tmp_path / "heard.npy")
    run("render", session, tmp_path / "mix.wav")
    expected, _ = soundfile.read(tmp_path / "mix.wav", dtype="float32")
    start = np.flatnonzero(heard[:, 0])[0]
    assert places(heard[start : start + RATE // 2], expected)[0] == 0
    assert places(heard[-RATE // 4 :], expected)[0] > 10 * RATE
    assert mixer.json("status")["dropouts"] == 0
    assert mixer.end() == 0


def test_a_changed_rate_is_followed(pipewire, mixers, make_session, monkeypatch):
    """The mixer joins the server anew, at its new rate, and plays on where it was."""
    # A client that asks for a latency asks for a rate with it.
    monkeypatch.delenv("PIPEWIRE_LATENCY")
    mixer = mixers(make_session(), "--play", under=["pw-jack"])
    wait_until(lambda: mixer.json("position")["seconds"] > 0.2, "it plays")
    for key, value in (("clock.allowed-rates", "[ 44100 48000 ]"), ("clock.force-rate", "44100")):
        subprocess.run(
            ["pw-metadata", "-n", "settings", "0", key, value], check=True, capture_output=True, timeout=10
        )
    wait_until(lambda: mixer.json("status")["sampleRate"] == 44100, "it follows the server's rate")
    wait_until(lambda: mixer.json("status")["server"], "it is back on the server")
    before = mixer.json("position")["seconds"]
    wait_until(lambda: mixer.json("position")["seconds"] > before + 0.2, "it plays on")
    assert before > 0.2
    assert mixer.end() == 0
