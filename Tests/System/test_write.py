"""Automation that hands write while it plays: what was heard in the pass is what the replay plays, and that is
the formula of its ramps."""

import json
import random
import time

import numpy as np
import pytest
import soundfile
from conftest import RATE, Capture, run, wait_until

LEVEL = 0.25
SECONDS = 12


@pytest.fixture
def desk(tmp_path):
    """A track whose left side is a constant and whose right side says the frame: the two of them tell what
    was heard where."""
    frames = np.arange(SECONDS * RATE)
    sound = np.stack([np.full(len(frames), LEVEL), (frames + 1) * LEVEL / 2**20], 1).astype(np.float32)
    soundfile.write(tmp_path / "a.wav", sound, RATE, subtype="FLOAT")
    (tmp_path / "s.json").write_text(
        json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": [{"name": "a", "clips": [{"file": "a.wav"}]}]})
    )
    return tmp_path / "s.json"


def gains(samples):
    """The gain of each frame of the timeline that was heard whole, the last time that it was; NaN elsewhere."""
    left, right = samples.astype(np.float64).T
    heard = np.flatnonzero(left > 1e-4)
    frames = np.rint(right[heard] / left[heard] * 2**20).astype(int) - 1
    found = np.full(SECONDS * RATE, np.nan)
    found[frames] = left[heard] / LEVEL
    return found


def formula(events, frames):
    """What points and linear ramps say at frames, as the contract has it."""
    t = frames / RATE
    value = np.ones(len(t))
    for event in events:
        if "ramp" in event:
            start, end = (seconds(event[name]) for name in ("from", "to"))
            inside = t >= start - 1e-9
            share = np.clip((t - start) / (end - start), 0, 1)
            value[inside] = (event["ramp"][0] + (event["ramp"][1] - event["ramp"][0]) * share)[inside]
        else:
            value[t >= seconds(event["at"]) - 1e-9] = event["value"]
    return value


def seconds(text):
    """Of a time as a session's file says it."""
    text = str(text)
    if text.endswith("f"):
        return int(text[:-1]) / RATE
    if "/" in text:
        above, below = text.rstrip("s").split("/")
        return int(above) / int(below)
    return float(text.rstrip("s"))


def events(mixer, *words):
    said = mixer.json("automation", "a", *words)
    return said["automation"] if isinstance(said, dict) and "automation" in said else said


def decibels(a, b):
    return np.abs(20 * np.log10(a / b))


def passed(jackd, mixer, hands, position=0.0):
    """What is heard while `hands` move, from the start of the timeline on."""
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
    mixer.ctl("locate", f"{position}s")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > position + 0.2, "it plays")
        hands()
        capture.hear_more(8)
        samples = capture.end()
    return gains(samples)


def is_written(mixer, *words):
    wait_until(lambda: events(mixer, *words), "what hands did is automation")


@pytest.mark.parametrize("seed", range(3))
def test_a_touch_is_replayed_as_it_sounded(mixers, jackd, desk, seed):
    chance = random.Random(seed)
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("volume", "a", "0.5")
    mixer.ctl("write", "a", "touch")
    assert mixer.json("write", "a") == {"track": 1, "write": "touch"}

    def hands():
        peer.send("/track/1/volume/touch", 1)
        for _ in range(40):
            peer.send("/track/1/volume", chance.choice([chance.uniform(0.05, 1), chance.uniform(0.4, 0.6)]))
            time.sleep(chance.choice([0.001, 0.01, 0.03]))  # a hand takes its time
        peer.send("/track/1/volume/touch", 0)
        is_written(mixer)

    first = passed(jackd, mixer, hands)
    assert mixer.json("volume", "a") == {"track": 1, "volume": 0.5}
    replay = passed(jackd, mixer, lambda: time.sleep(2))
    both = ~np.isnan(first) & ~np.isnan(replay)
    assert np.count_nonzero(both) > RATE // 2
    worst = decibels(first[both], replay[both])
    assert worst.max() < 0.05, (seed, int(np.flatnonzero(both)[worst.argmax()]), worst.max())
    frames = np.flatnonzero(~np.isnan(replay))
    wanted = 0.5 * formula(events(mixer), frames)
    # The start of what was captured may be in the middle of a connection.
    assert np.max(np.abs(replay[frames] - wanted)[100:-600]) < 1e-6
    mixer.ctl("undo")
    assert events(mixer) == []
    peer.close()
