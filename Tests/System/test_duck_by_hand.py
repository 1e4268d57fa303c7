"""A duck by hand: a button that lowers a strip at its pace, from the shell, from OSC, told to subscribers,
kept in the session."""

import json
import subprocess

import numpy as np
import soundfile
from conftest import JMIX, RATE, Capture, run, wait_until
from test_subscribe import Subscriber


def session(tmp_path, **duck):
    soundfile.write(tmp_path / "music.wav", np.full((20 * RATE, 2), 0.5, np.float32), RATE, subtype="FLOAT")
    (tmp_path / "s.json").write_text(
        json.dumps(
            {
                "jmix": 1,
                "tracks": [{"name": "music", "clips": [{"file": "music.wav"}]}],
                "buses": [{"name": "band"}],
            }
        )
    )
    run(
        "edit",
        tmp_path / "s.json",
        "duck",
        "music",
        "--by",
        "hand",
        "--to",
        0.25,
        "--attack",
        "100ms",
        "--release",
        "400ms",
    )
    return tmp_path / "s.json"


def test_it_goes_down_and_back_at_its_pace(mixers, jackd, tmp_path):
    path = session(tmp_path)
    assert json.loads(path.read_text())["ducks"] == [
        {"track": "music", "by": "hand", "to": 0.25, "attack": "0.1s", "release": "0.4s"}
    ]
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    mixer.ctl("play")
    with Capture(jackd) as capture:
        wait_until(lambda: mixer.json("position")["seconds"] > 0.2, "it plays")
        assert mixer.ctl("duck", "music").strip() == "0"
        mixer.ctl("duck", "music", "on")
        assert mixer.ctl("duck", "music").strip() == "1"
        wait_until(lambda: mixer.json("position")["seconds"] > 0.8, "it is down")
        mixer.ctl("duck", "music", "off")
        wait_until(lambda: mixer.json("position")["seconds"] > 1.5, "it is back")
        # Half of the way back, and down again from there.
        mixer.ctl("duck", "music", "on")
        wait_until(lambda: mixer.json("position")["seconds"] > 2, "it is down")
        mixer.ctl("duck", "music", "off")
        wait_until(lambda: mixer.json("position")["seconds"] > 2.1, "it is on its way")
        mixer.ctl("duck", "music", "on")
        wait_until(lambda: mixer.json("position")["seconds"] > 2.6, "it is down")
        gains = capture.end()[:, 0] / 0.5
    gains = gains[np.flatnonzero(gains)[0] :]
    steps = np.diff(gains.astype(np.float64))
    down, up = -0.75 / (0.1 * RATE), 0.75 / (0.4 * RATE)
    moving = np.abs(steps) > 1e-9
    assert np.all(
        np.isclose(steps[moving], down, rtol=2e-2)
        | np.isclose(steps[moving], up, rtol=2e-2)
        | (np.abs(steps[moving]) < 1.0001 * abs(down))
    )
    assert abs(gains.min() - 0.25) < 1e-6 and gains[0] == 1
    # Whole ways take their whole time.
    falls = np.flatnonzero(np.isclose(steps, down, rtol=2e-2))
    assert abs(np.split(falls, np.flatnonzero(np.diff(falls) > 1) + 1)[0].size - 0.1 * RATE) <= 2
    rises = np.flatnonzero(np.isclose(steps, up, rtol=2e-2))
    assert abs(np.split(rises, np.flatnonzero(np.diff(rises) > 1) + 1)[0].size - 0.4 * RATE) <= 2


def test_controllers_press_it_and_are_told(mixers, jackd, tmp_path):
    mixer = mixers("--server", jackd.name, "--no-connect", session(tmp_path))
    peer = mixer.osc()
    subscriber = Subscriber(mixer.port)
    subscriber.listen()
    assert subscriber.values["/track/1/duck"] == [0] and "/bus/1/duck" not in subscriber.values
    assert peer.ask("/track/1/duck", 1) == []
    subscriber.listen()
    assert subscriber.values["/track/1/duck"] == [1]
    subscriber.close()
    assert peer.ask("/track/1/duck") == [("/track/1/duck", [1])]
    assert peer.ask("/duck", "band", "hand", 0.5, 0.1) == []
    assert peer.ask("/bus/1/duck", 1) == [] and peer.ask("/bus/1/duck") == [("/bus/1/duck", [1])]
    mixer.ctl("undo")
    assert peer.ask("/bus/1/duck") == [("/bus/1/duck", [0])]
    mixer.ctl("duck", "music", "--by", "hand", "--to", 1)
    assert peer.ask("/track/1/duck", 1)[0][0] == "/error"


def test_what_cannot_be_is_said(tmp_path):
    path = session(tmp_path)
    for words, reason in [
        (("duck", "master", "--by", "hand", "--to", 0.2), "tracks and buses"),
        (("duck", "music", "--by", "hand"), "--to V"),
        (("duck", "band", "on"), "--by hand --to"),
    ]:
        done = subprocess.run(
            [JMIX, "edit", path, *map(str, words)], capture_output=True, text=True, timeout=30
        )
        assert done.returncode in (1, 2) and reason in done.stderr, done.stderr
    kept = json.loads(path.read_text())
    kept["ducks"] *= 2
    path.write_text(json.dumps(kept))
    done = run("check", path, code=1)
    assert "a duck by hand" in done.stdout + done.stderr
