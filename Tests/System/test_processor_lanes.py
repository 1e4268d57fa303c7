"""Processors on the timeline: what it says of equalisers, compressors and gates, compared with numpy at every
sample; as it is asked for and kept."""

import json
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import JMIXCTL, RATE, Capture, rendered, run, wait_until
from test_dynamics import compressed, gated, speech
from test_live import played

T = np.arange(2 * RATE) / RATE


def line(*events, hand):
    """A value over time: points (value, at) and ramps (first, last, start, end); before the first the
    hand's."""
    value = np.full(len(T), float(hand))
    for event in events:
        if len(event) == 2:
            value[T >= event[1]] = event[0]
        else:
            first, last, start, end = event
            value[T >= start] = first + (last - first) * np.clip(
                (T[T >= start] - start) / (end - start), 0, 1
            )
    return value


def section(samples, kind, frequency, gain=0.0, q=1.0):
    """A state variable filter whose numbers may be others at every frame."""
    count = len(samples)
    frequency, gain, q = (np.broadcast_to(np.asarray(each, float), count) for each in (frequency, gain, q))
    A = 10 ** (gain / 40)
    g, k = np.tan(np.pi * np.minimum(frequency, 0.49 * RATE) / RATE), 1 / q
    dry, band, low = np.ones(count), np.zeros(count), np.zeros(count)
    if kind == "hp":
        k = np.full(count, 2**0.5)
        band, low = -k, -dry
    elif kind == "lp":
        k = np.full(count, 2**0.5)
        dry, low = np.zeros(count), np.ones(count)
    elif kind == "bell":
        k = k / A
        band = k * (A**2 - 1)
    elif kind == "lowshelf":
        g = g / np.sqrt(A)
        band, low = k * (A - 1), A**2 - 1
    else:
        g = g * np.sqrt(A)
        dry, band, low = A**2, k * (1 - A) * A, 1 - A**2
    first = second = np.zeros(2)
    out = np.empty((count, 2))
    for n in range(count):
        a1 = 1 / (1 + g[n] * (g[n] + k[n]))
        v3 = samples[n] - second
        v1 = a1 * first + g[n] * a1 * v3
        v2 = second + g[n] * a1 * first + g[n] ** 2 * a1 * v3
        first, second = 2 * v1 - first, 2 * v2 - second
        out[n] = dry[n] * samples[n] + band[n] * v1 + low[n] * v2
    return out


@pytest.fixture
def show(tmp_path):
    def make(*lines, **strip):
        soundfile.write(tmp_path / "voice.wav", speech(len(T)) * 0.5, RATE, subtype="FLOAT")
        path = tmp_path / "s.json"
        path.write_text(
            json.dumps(
                {
                    "jmix": 1,
                    "sampleRate": RATE,
                    "tracks": [{"name": "voice", "clips": [{"file": "voice.wav"}], **strip}],
                }
            )
        )
        for words in lines:
            run("edit", path, *words.split())
        return path

    return make


VOICE = speech(len(T)) * np.float32(0.5)


def test_an_equaliser_moves_with_the_timeline(show):
    path = show(
        "ramp voice -12 12 0.2s 0.7s --of eq/2/gain",
        "volume voice 3 1s --of eq/2/gain",
        "ramp voice 200 4000 0.3s 1.5s --curve exponential --of eq/2/freq",
        "volume voice 4 0.5s --of eq/2/q",
        "eq voice hp 60 --slope 24",
        "ramp voice 60 600 1s 1.4s --of eq/hp",
        "eq voice 1 lowshelf",
        "eq voice 1 200 6",
        "volume voice -6 0.8s --of eq/1/gain",
    )
    frequency = np.where(T < 0.3, 400, 200 * 20 ** np.clip((T - 0.3) / 1.2, 0, 1))
    high = line((60, 600, 1, 1.4), hand=60)
    expected = section(section(VOICE, "hp", high), "hp", high)
    expected = section(expected, "lowshelf", 200, line((-6, 0.8), hand=6), 0.5**0.5)
    expected = section(
        expected, "bell", frequency, line((-12, 12, 0.2, 0.7), (3, 1), hand=0), line((4, 0.5), hand=1)
    )
    assert np.abs(rendered(path) - expected).max() < 2e-6


def test_a_compressor_and_a_gate_do(show):
    path = show(
        "comp voice -20 3",
        "ramp voice -10 -40 0.2s 1.2s --of comp/threshold",
        "volume voice 8 0.5s --of comp/ratio",
        "ramp voice 0 12 1s 1.5s --of comp/makeup",
        "volume voice 0 0.7s --of comp/knee",
    )
    threshold, ratio = line((-10, -40, 0.2, 1.2), hand=-20), line((8, 0.5), hand=3)
    expected = compressed(
        VOICE, threshold, ratio, np.where(T < 0.7, 6, 1e-9), makeup=line((0, 12, 1, 1.5), hand=0)
    )
    assert np.abs(rendered(path) - expected).max() < 2e-6
    path = show("gate voice -30", "ramp voice 10 60 0.2s 1.2s --of gate/range")
    y = gated(VOICE, -30)
    assert np.abs(rendered(path)[: RATE // 5] - y[: RATE // 5]).max() < 2e-6
    open_ = np.abs(rendered(path) - VOICE).max(1) < 1e-7
    assert open_.any() and not open_.all()


def test_live_in_parts_and_offline_are_the_same(mixers, jackd, show, tmp_path):
    path = show(
        "ramp voice -12 12 0.2s 0.7s --of eq/2/gain",
        "comp voice -20 3",
        "ramp voice -10 -40 0.2s 1.2s --of comp/threshold",
        "ramp voice 100 2000 0s 1.9s --of eq/lp",
    )
    mix = rendered(path)
    live = played(mixers, jackd, path)
    first = np.flatnonzero(mix.any(1))[0]
    assert np.array_equal(live[:40000], mix[first : first + 40000])
    for part in (1, 2, 3):
        run("render", path, tmp_path / f"p{part}.wav", "--part", f"{part}/3")
    run("join", tmp_path / "whole.wav", *(tmp_path / f"p{part}.wav" for part in (1, 2, 3)))
    assert np.array_equal(soundfile.read(tmp_path / "whole.wav", dtype="float32")[0], mix)


def test_it_is_asked_for_kept_and_taken_back(mixers, jackd, show):
    path = show()
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    peer = mixer.osc()
    assert peer.ask("/track/1/eq/2/gain/ramp", -6.0, 6.0, "1s", "2s") == []
    assert peer.ask("/track/1/comp/threshold", -30.0, "1s") == []
    ((_, (text,)),) = peer.ask("/track/1/eq/2/gain/automation")
    assert (
        json.loads(text)
        == [{"ramp": [-6, 6], "from": "1s", "to": "2s"}]
        == mixer.json("automation", "voice", "--of", "eq/2/gain")
    )
    assert mixer.json("eq", "voice") is not None and mixer.json("comp", "voice")["threshold"] == -20
    mixer.ctl("save")
    kept = json.loads(path.read_text())
    assert kept["jmix"] == 3
    assert kept["tracks"][0]["lanes"] == {
        "eq/2/gain": [{"ramp": [-6, 6], "from": "1s", "to": "2s"}],
        "comp/threshold": [{"value": -30, "at": "1s"}],
    }
    assert [step["name"] for step in mixer.json("history")][-2:] == [
        "ramp on eq/2/gain of voice 1s-2s",
        "point on comp/threshold of voice at 1s",
    ]
    mixer.ctl("undo")
    assert (
        mixer.json("automation", "voice", "--of", "comp/threshold") == []
        and mixer.json("comp", "voice") is None
    )
    mixer.ctl("automation", "voice", "clear", "--of", "eq/2/gain")
    assert mixer.json("automation", "voice", "--of", "eq/2/gain") == []
    # A hand glides it as it glides a fader.
    assert peer.ask("/track/1/eq/3/gain/fade", 6.0, "0.1s") == []
    wait_until(lambda: peer.ask("/track/1/eq/3/gain") == [("/track/1/eq/3/gain", [6])], "it is there")
    mixer.ctl("fade", "voice", -40, "1s", "--of", "comp/threshold")
    assert mixer.json("comp", "voice")["threshold"] == -40
    for words, reason in (
        (("ramp", "voice", 0, 30, "1s", "2s", "--of", "eq/2/gain"), "24"),
        (("volume", "voice", 5, "1s", "--of", "eq/1/freq"), "10"),
        (("volume", "voice", 1, "1s", "--of", "eq/5/gain"), "eq/2/gain"),
        (("volume", "voice", 1, "1s", "--of", "comp/attack"), "comp/threshold"),
        (("ramp", "voice", -6, 6, "3s", "4s", "--curve", "exponential", "--of", "eq/2/gain"), "exponential"),
    ):
        done = subprocess.run(
            [JMIXCTL, "--url", mixer.url, *map(str, words)], capture_output=True, text=True, timeout=20
        )
        assert done.returncode in (1, 2) and reason in done.stderr, (words, done)
    kept["tracks"][0]["lanes"] = {
        "eq/2/gain": [{"value": 99, "at": "1s"}],
        "comp/threshold": [{"ramp": [1, "x"], "from": "1s", "to": "2s"}],
        "eq/9/gain": [],
    }
    path.with_name("bad.json").write_text(json.dumps(kept))
    done = run("check", path.with_name("bad.json"), code=1)
    assert all(word in done.stdout for word in ("eq/2/gain", "comp/threshold", "eq/9/gain")), done


def test_an_edit_crosses_over_and_a_hand_has_the_say_before_the_first_event(mixers, jackd, tmp_path):
    """A tone at the band's middle: its level is the gain."""
    tone = 0.1 * np.sin(2 * np.pi * 1000 * np.arange(20 * RATE) / RATE)
    soundfile.write(tmp_path / "t.wav", np.stack([tone, tone], 1).astype(np.float32), RATE, subtype="FLOAT")
    (tmp_path / "s.json").write_text(
        json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": [{"name": "t", "clips": [{"file": "t.wav"}]}]})
    )
    mixer = mixers("--server", jackd.name, "--no-connect", tmp_path / "s.json")
    mixer.ctl("eq", "t", 2, 1000, 6, 2)
    mixer.ctl("volume", "t", -6, "10s", "--of", "eq/2/gain")
    mixer.ctl("play")

    def gain():
        with Capture(jackd) as capture:
            wait_until(lambda: capture.blocks.qsize() > 100, "it is heard")
            frames = capture.end()[12000:]
        assert np.abs(np.diff(frames, 2, axis=0)).max() < 0.3 * (2 * np.pi * 1000 / RATE) ** 2 * 1.3, (
            "a click"
        )
        return 20 * np.log10(np.abs(frames).max() / 0.1)

    assert abs(gain() - 6) < 0.1
    mixer.ctl("eq", "t", 2, 1000, 3, 2)
    assert abs(gain() - 3) < 0.1
    mixer.ctl("volume", "t", 9, 0, "--of", "eq/2/gain")
    assert abs(gain() - 9) < 0.1
    mixer.ctl("eq", "t", 2, 1000, -3, 2)
    assert abs(gain() - 9) < 0.1
    mixer.ctl("automation", "t", "clear", "--of", "eq/2/gain")
    assert abs(gain() + 3) < 0.1
    mixer.ctl("eq", "t", "off")
    mixer.ctl("volume", "t", 9, 0, "--of", "eq/2/gain")
    assert abs(gain()) < 0.1
    mixer.ctl("eq", "t", "on")
    assert abs(gain() - 9) < 0.1


def tone(mixers, jackd, tmp_path, frequency, *lines, seconds=20):
    """A mixer that plays a sine of 0.1, and what says how loud it is and whether it clicks."""
    samples = 0.1 * np.sin(2 * np.pi * frequency * np.arange(seconds * RATE) / RATE)
    soundfile.write(
        tmp_path / "t.wav", np.stack([samples, samples], 1).astype(np.float32), RATE, subtype="FLOAT"
    )
    (tmp_path / "s.json").write_text(
        json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": [{"name": "t", "clips": [{"file": "t.wav"}]}]})
    )
    mixer = mixers("--server", jackd.name, "--no-connect", tmp_path / "s.json")
    for line in lines:
        mixer.ctl(*line.split())
    return mixer


def test_the_master_and_buses_move_too(make_session, tmp_path):
    samples = 0.1 * np.sin(2 * np.pi * 1000 * np.arange(2 * RATE) / RATE)
    path = make_session(
        {"t": (np.stack([samples, samples], 1).astype(np.float32), {"output": "b"})}, buses=[{"name": "b"}]
    )
    for strip, level in (("master", 6), ("b", 12)):
        run("edit", path, "volume", strip, 6, "1s", "--of", "eq/2/gain")
        run("edit", path, "eq", strip, 2, 1000, 0, 2)
        mix = rendered(path)
        assert abs(20 * np.log10(np.abs(mix[: RATE // 2]).max() / 0.1)) < 0.01
        assert abs(20 * np.log10(np.abs(mix[-RATE // 2 :]).max() / 0.1) - level) < 0.05, strip


def test_what_a_hand_makes_flat_goes_on_by_the_timeline(mixers, jackd, tmp_path):
    """What a section remembers is the timeline's as well: it is not forgotten with the hand's part of it."""
    mixer = tone(mixers, jackd, tmp_path, 50, "eq t 2 50 12 5", "volume t 12 0 --of eq/2/gain", "play")
    with Capture(jackd) as capture:
        wait_until(lambda: mixer.json("position")["seconds"] > 0.8, "it plays")
        mixer.ctl("eq", "t", 2, 50, 0, 5)
        wait_until(lambda: mixer.json("position")["seconds"] > 1.3, "it plays on")
        frames = capture.end()
    frames = frames[np.flatnonzero(frames.any(1))[0] + RATE // 2 :]
    assert np.abs(np.diff(frames, 2, axis=0)).max() < 1e-4


def test_a_section_that_comes_again_remembers_nothing(mixers, jackd, tmp_path):
    mixer = tone(mixers, jackd, tmp_path, 50, "eq t 2 50 0 5", "volume t 12 0 --of eq/2/gain", seconds=1)
    mixer.ctl("add", tmp_path / "t.wav", "30s")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.5, "it plays")
    mixer.ctl("automation", "t", "clear", "--of", "eq/2/gain")
    wait_until(lambda: mixer.json("position")["seconds"] > 1.5, "it is silent")
    with Capture(jackd) as capture:
        wait_until(lambda: capture.blocks.qsize() > 20, "it is heard")
        mixer.ctl("volume", "t", 12, 0, "--of", "eq/2/gain")
        wait_until(lambda: capture.blocks.qsize() > 120, "it is heard")
        assert not capture.end()[5120:].any()


def test_a_hand_glides_where_the_timeline_says_nothing_yet(mixers, jackd, tmp_path):
    mixer = tone(mixers, jackd, tmp_path, 1000, "eq t 2 1000 -12 1", "volume t 2 50s --of eq/2/q", "play")
    with Capture(jackd) as capture:
        wait_until(lambda: mixer.json("position")["seconds"] > 0.5, "it plays")
        mixer.ctl("fade", "t", 12, "1s", "--of", "eq/2/gain")
        wait_until(lambda: mixer.json("position")["seconds"] > 2, "it is there")
        frames = np.abs(capture.end()[:, 0])
    levels = frames[: len(frames) // 480 * 480].reshape(-1, 480).max(1)
    levels = 20 * np.log10(levels[levels > 0.001] / 0.1)
    # It takes its second: no step from the one to the other.
    assert np.abs(np.diff(levels[1:-1])).max() < 1.5 and abs(levels[-2] - 12) < 0.1


def test_passes_are_asked_for_and_cleared_over_osc(mixers, jackd, show):
    mixer = mixers("--server", jackd.name, "--no-connect", show())
    peer = mixer.osc()
    for prefix in ("/track/1", "/master"):
        assert peer.ask(f"{prefix}/eq/hp/ramp", 60.0, 600.0, "1s", "2s") == []
        assert json.loads(peer.ask(f"{prefix}/eq/hp/automation")[0][1][0]) == [
            {"ramp": [60, 600], "from": "1s", "to": "2s"}
        ]
        assert (
            peer.ask(f"{prefix}/eq/lp/fade", 5000.0, "0.1s") == []
            and peer.ask(f"{prefix}/eq/hp/by", 10.0) == []
        )
        assert peer.ask(f"{prefix}/eq/hp/automation/clear") == []
    # Who clears makes nothing.
    mixer.ctl("automation", "voice", "clear", "--of", "comp/threshold")
    assert peer.ask("/track/1/gate/range/automation/clear") == []
    assert mixer.json("comp", "voice") is None and mixer.json("gate", "voice") is None
