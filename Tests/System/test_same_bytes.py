"""A show with every processor sounds the same, to the last bit, whatever renders it: on another processor, on
more cores, in parts, live by any period, in freewheel."""

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, ROOT, Capture, run, wait_until
from test_dynamics import speech
from test_keys import music
from test_live import heard, played

SECONDS = 3


sys.path.insert(0, os.path.join(ROOT, "Tests/SameBytes"))
from shows import write_shows  # noqa: E402


@pytest.mark.parametrize("features", ["", "-AVX2,-FMA,-AVX512F,-AVX,-SSE4_2"])
def test_sixty_shows_are_what_they_are_on_arm64(tmp_path, features):
    """hashes.txt is what `scripts/test-arm64` finds on the other processor too."""
    with open(os.path.join(ROOT, "Tests/SameBytes/hashes.txt")) as file:
        hashes = {name: value for value, name in (line.split() for line in file)}
    environment = {**os.environ, **({"GLIBC_TUNABLES": f"glibc.cpu.hwcaps={features}"} if features else {})}
    for path in write_shows(tmp_path, 60):
        out = tmp_path / "out.wav"
        subprocess.run(
            [JMIX, "render", path, out, "--force"],
            check=True,
            env=environment,
            timeout=60,
            stdout=subprocess.DEVNULL,
        )
        found = hashlib.sha256(soundfile.read(out, dtype="float32")[0].tobytes()).hexdigest()
        assert found == hashes.pop(os.path.basename(path).replace(".json", ".raw")), path
    assert not hashes


@pytest.fixture
def show(tmp_path):
    soundfile.write(tmp_path / "voice.wav", speech(SECONDS * RATE), RATE, subtype="FLOAT")
    soundfile.write(tmp_path / "music.wav", music(SECONDS * RATE), RATE, subtype="FLOAT")
    session = {
        "jmix": 3,
        "sampleRate": RATE,
        "ducks": [
            {
                "track": "music",
                "under": "voice",
                "to": 0.3,
                "by": "signal",
                "attack": "20ms",
                "hold": "50ms",
                "release": "100ms",
                "lookahead": "10ms",
            },
            {"track": "second", "under": "music", "to": 0.5, "attack": "100ms", "release": "100ms"},
        ],
        "tracks": [
            {
                "name": "voice",
                "clips": [{"file": "voice.wav"}],
                "gate": {"threshold": -45, "release": "30ms"},
                "eq": {"hp": 80, "bands": [{"freq": 120, "gain": -3}, {"freq": 2500, "gain": 4, "q": 2}]},
                "comp": {"threshold": -24, "ratio": 4, "makeup": 3},
                "delay": "5ms",
                "output": "band",
                "sends": [{"to": "wet", "volume": 0.4, "pre": True}],
            },
            {
                "name": "music",
                "clips": [{"file": "music.wav"}],
                "eq": {"lp": 9000},
                "limit": -12,
                "automation": [{"ramp": [0.2, 1], "from": "0s", "to": "2s", "curve": "exponential"}],
            },
            {
                "name": "second",
                "clips": [{"file": "music.wav", "from": "1s", "fadeIn": "100ms"}],
                "comp": {"threshold": -30, "ratio": 8, "key": "voice"},
                "lanes": {"pan": [{"ramp": [-1, 1], "from": "0s", "to": "3s"}]},
            },
        ],
        "buses": [
            {
                "name": "band",
                "comp": {"threshold": -20, "ratio": 2},
                "limit": {"level": -3, "release": "50ms"},
            },
            {
                "name": "wet",
                "delay": "30ms",
                "eq": {"bands": [{"type": "lowshelf", "freq": 300, "gain": -6}]},
            },
        ],
        "master": {
            "eq": {"hp": 30},
            "comp": {"threshold": -12, "ratio": 1.5},
            "limit": -9,
            "automation": [{"ramp": [1, 0.5], "from": "1s", "to": "3s"}],
        },
    }
    (tmp_path / "s.json").write_text(json.dumps(session))
    return tmp_path / "s.json"


@pytest.fixture
def mix(show, tmp_path):
    run("render", show, tmp_path / "mix.wav")
    return soundfile.read(tmp_path / "mix.wav", dtype="float32")[0]


def test_it_is_not_silent_and_nothing_of_it_does_nothing(show, mix, tmp_path):
    """Without any one of them it would be another mix."""
    assert len(mix) == SECONDS * RATE and np.abs(mix).max() > 0.1
    session = json.loads(show.read_text())
    strips = session["tracks"] + session["buses"] + [session["master"]]
    for strip in strips:
        for word in [
            word for word in ("gate", "eq", "comp", "delay", "limit", "automation") if word in strip
        ]:
            kept = strip.pop(word)
            (tmp_path / "less.json").write_text(json.dumps(session))
            run("render", tmp_path / "less.json", tmp_path / "less.wav", "--force")
            assert not np.array_equal(soundfile.read(tmp_path / "less.wav", dtype="float32")[0], mix), (
                strip["name"] if "name" in strip else "master",
                word,
            )
            strip[word] = kept


@pytest.mark.parametrize("features", ["-AVX512F", "-AVX2,-FMA,-AVX512F", "-AVX2,-FMA,-AVX512F,-AVX,-SSE4_2"])
def test_on_another_processor(show, mix, tmp_path, features):
    environment = {**os.environ, "GLIBC_TUNABLES": f"glibc.cpu.hwcaps={features}"}
    subprocess.run([JMIX, "render", show, tmp_path / "old.wav"], check=True, env=environment, timeout=60)
    assert np.array_equal(soundfile.read(tmp_path / "old.wav", dtype="float32")[0], mix)


def test_on_more_cores_and_in_parts(show, mix, tmp_path):
    for jobs in 1, 4:
        run("render", show, tmp_path / f"{jobs}.wav", "--jobs", jobs)
        assert np.array_equal(soundfile.read(tmp_path / f"{jobs}.wav", dtype="float32")[0], mix)
    parts = [tmp_path / f"part-{part}.wav" for part in range(1, 9)]
    for number, part in enumerate(parts, 1):
        run("render", show, part, "--part", f"{number}/8")
    run("join", tmp_path / "joined.wav", *parts)
    assert np.array_equal(soundfile.read(tmp_path / "joined.wav", dtype="float32")[0], mix)


@pytest.mark.parametrize("period", [64, 100, 1024])
def test_live_by_any_period(mixers, servers, show, mix, period):
    server = servers(period=period)
    live = played(mixers, server, show, seconds=2, frames=int(1.5 * RATE))
    assert np.array_equal(live, heard(mix)[: len(live)])


def test_in_freewheel(mixers, jackd, show, mix):
    mixer = mixers("--server", jackd.name, "--no-connect", show)
    with Capture(jackd) as capture:
        capture.client.set_freewheel(True)
        try:
            mixer.ctl("play")
            wait_until(lambda: mixer.json("position")["seconds"] > 2, "two seconds have been played")
        finally:
            capture.client.set_freewheel(False)
        live = heard(capture.end())[: int(1.5 * RATE)]
    assert np.array_equal(live, heard(mix)[: len(live)])
