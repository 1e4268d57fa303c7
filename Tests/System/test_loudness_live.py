"""The loudness that buses and the master measure while they play, beside ffmpeg's and the signals of EBU Tech
3341."""

import json
import math
import subprocess
import time

import jack
import numpy as np
import pytest
import soundfile
from conftest import RATE, run, wait_until
from test_subscribe import Subscriber


def tone(seconds, decibels, frequency=1000):
    n = np.arange(int(seconds * RATE))
    left = 10 ** (decibels / 20) * np.sin(2 * np.pi * frequency * n / RATE)
    return np.stack([left, left], axis=1).astype(np.float32)


@pytest.fixture
def show(tmp_path):
    def make(sound, **strip):
        soundfile.write(tmp_path / "a.wav", sound, RATE, subtype="FLOAT")
        (tmp_path / "s.json").write_text(
            json.dumps(
                {
                    "jmix": 2,
                    "sampleRate": RATE,
                    "buses": [{"name": "band", "fader": 0.5}],
                    "tracks": [{"name": "a", "clips": [{"file": "a.wav"}], **strip}],
                }
            )
        )
        return tmp_path / "s.json"

    return make


def test_a_tone_measures_what_ebu_says(mixers, jackd, show):
    # Tech 3341, test case 1: a stereo tone of 1 kHz at -23 dBFS measures -23.0 +- 0.1 LUFS in all three.
    mixer = mixers("--server", jackd.name, "--no-connect", show(tone(30, -23), output="band"))
    peer = mixer.osc()
    assert peer.ask("/master/loudness")[0][1][:3] == [-math.inf] * 3, "nothing has been heard"
    peer.ask("/bus/1/loudness")
    subscriber = Subscriber(mixer.port)
    mixer.ctl("play")
    # Both buses are at -6 dB.
    wait_until(lambda: mixer.json("position")["seconds"] > 4, "four seconds have been played")
    ((address, band),) = peer.ask("/bus/band/loudness")
    assert (
        address == "/bus/band/loudness"
        and np.abs(np.array(band[:3]) - (-23 - 6.02)).max() < 0.1
        and abs(band[3] - (-23 - 6.02)) < 0.1
    )
    ((_, master),) = peer.ask("/master/loudness")
    assert np.abs(np.array(master[:3]) - (-23 - 6.02)).max() < 0.1
    said = mixer.json("loudness", "master")
    assert (
        set(said) == {"momentary", "shortTerm", "integrated", "truePeak"}
        and abs(said["shortTerm"] + 29.02) < 0.1
    )
    assert mixer.ctl("loudness").startswith("momentary -29") and mixer.ctl("loudness", "band") == mixer.ctl(
        "loudness", "bus:1"
    )

    def told():
        subscriber.listen(0.1)
        return abs(subscriber.values.get("/master/loudness", [0])[0] + 29.02) < 0.1

    wait_until(told, what="a subscriber is told")
    subscriber.close()


def test_a_reset_begins_anew(mixers, jackd, show):
    sound = np.concatenate([tone(3, -10), tone(27, -33)])
    mixer = mixers("--server", jackd.name, "--no-connect", show(sound))
    peer = mixer.osc()
    peer.ask("/master/loudness")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 4, "the loud part is over")
    assert peer.ask("/master/loudness")[0][1][2] > -13
    assert peer.ask("/master/loudness/reset") == []
    wait_until(
        lambda: abs(peer.ask("/master/loudness")[0][1][2] + 33) < 0.1, "the quiet part alone is measured", 20
    )
    assert abs(peer.ask("/master/loudness")[0][1][3] + 33) < 0.2
    mixer.ctl("stop")
    wait_until(lambda: peer.ask("/master/loudness")[0][1][0] == -math.inf, "it is silent")
    before = peer.ask("/master/loudness")[0][1][2]
    time.sleep(1)
    assert peer.ask("/master/loudness")[0][1][2] == before, "silence does not count"


@pytest.mark.parametrize("seconds, in_freewheel", [(16, False), (240, True)])
def test_it_is_what_a_render_measures(mixers, jackd, show, tmp_path, seconds, in_freewheel):
    random = np.random.default_rng(3)
    # Up to 6 kHz: what lies higher is between samples, where meters differ.
    noise = np.fft.rfft(random.normal(0, 0.2, (16 * RATE, 2)), axis=0)
    noise[6000 * 16 :] = 0
    noise = np.tile(np.fft.irfft(noise, axis=0), (seconds // 16, 1))
    sound = noise * np.repeat(random.choice([0.02, 0.2, 0.6], 4 * seconds), RATE // 4)[:, None]
    path = show(sound.astype(np.float32))
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    peer = mixer.osc()
    peer.ask("/master/loudness")
    # In freewheel many seconds come while the worker looks once: they are waited for.
    with jack.Client("wheel", servername=jackd.name, no_start_server=True) as client:
        if in_freewheel:
            client.set_freewheel(True)
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > seconds + 0.5, "all has been played", 60)
        if in_freewheel:
            client.set_freewheel(False)
    live = peer.ask("/master/loudness")[0][1]
    run("render", path, tmp_path / "mix.wav")
    words = ["ffmpeg", "-nostats", "-i", tmp_path / "mix.wav", "-af", "ebur128=peak=true", "-f", "null", "-"]
    text = subprocess.run(words, capture_output=True, text=True, timeout=60).stderr
    summary = text[text.rindex("Summary:") :]
    integrated = float(summary.split("I:")[1].split()[0])
    peak = float(summary.split("Peak:")[1].split()[0])
    assert abs(live[2] - integrated) < 0.1 and abs(live[3] - peak) < 0.3, (live, integrated, peak)


def test_a_spectrum_is_its_formula(mixers, jackd, show):
    """61 levels, each of the last twelve periods of its frequency under Hann's window; a sine at one of them
    is at its level."""
    frequencies = 20 * 2 ** (np.arange(61) / 6)
    sound = tone(30, -6, frequencies[30]) + tone(30, -26, frequencies[48])
    sound[:, 1] /= 2
    mixer = mixers("--server", jackd.name, "--no-connect", show(sound))

    def expected(f):
        count = round(12 * RATE / f)
        w = (1 - np.cos(2 * np.pi * (np.arange(count) + 0.5) / count)) / 2
        heard = sound[-count:, 0] * w * np.exp(-2j * np.pi * f * np.arange(count) / RATE)
        return max(-144, 20 * np.log10(2 * abs(heard.sum()) / (count / 2)))

    def levels():
        return np.array(mixer.json("spectrum", "a")["spectrum"])

    assert (levels() == -144).all(), "nothing has been heard"
    mixer.ctl("play")
    wanted = np.array([expected(f) for f in frequencies])
    assert abs(wanted[30] + 6) < 0.01 and abs(wanted[48] + 26) < 0.01, "the formula says what it should"
    # Where it is low it goes by where the window lies in the tone.
    loud = wanted > -60
    wait_until(
        lambda: np.abs(levels() - wanted)[loud].max() < 0.2 and (levels()[~loud] < -50).all(),
        "the spectrum of two tones",
    )
    # The greater of both sides; behind the fader and the balance.
    mixer.ctl("volume", "a", "-6dB")
    mixer.ctl("pan", "a", 1)
    wait_until(lambda: abs(levels()[30] + 6 + 6 + 6.02) < 0.1, "the right side alone")
    mixer.ctl("stop")
    wait_until(lambda: levels().max() == -144, "it is silent")


def test_spectra_are_measured_while_they_are_looked_at(mixers, jackd, show):
    mixer = mixers("--server", jackd.name, "--no-connect", show(tone(60, -20)))
    for number in range(20):
        mixer.ctl("bus", "add", f"b{number}")
    peer = mixer.osc()
    # More than can be are refused at once, and take no place.
    assert peer.ask("/bus/*/spectrum")[0][0] == "/error"
    for number in range(1, 17):
        assert len(peer.ask(f"/bus/{number}/spectrum")[0][1]) == 61
    ((address, (asked, reason)),) = peer.ask("/bus/17/spectrum")
    assert (address, asked) == ("/error", "/bus/17/spectrum") and "16" in reason
    # Nobody looks at them any more: there is room again. What is measured for its loudness stays measured.
    peer.ask("/bus/1/loudness")
    wait_until(lambda: peer.ask("/bus/17/spectrum")[0][0] == "/bus/17/spectrum", "there is room")
    mixer.ctl("output", "a", "band")
    mixer.ctl("play")
    wait_until(
        lambda: abs(peer.ask("/bus/1/loudness")[0][1][0] + 26.02) < 0.2, "the loudness of the first bus", 20
    )
    for number in range(1, 18):
        mixer.ctl("remove", "bus:1")
    assert len(peer.ask("/master/spectrum")[0][1]) == 61


def test_the_range_of_loudness(mixers, jackd, show):
    mixer = mixers("--server", jackd.name, "--no-connect", show(np.concatenate([tone(6, -30), tone(6, -20)])))
    assert mixer.json("loudness", "range") == {"track": "master", "range": 0}
    mixer.ctl("play")
    wait_until(
        lambda: abs(mixer.json("loudness", "master", "range")["range"] - 10) < 1,
        "ten dB between both parts",
        30,
    )


@pytest.mark.parametrize("strip", ["dca:1", "nobody"])
def test_what_cannot_be_is_said(mixers, jackd, show, strip):
    mixer = mixers("--server", jackd.name, "--no-connect", show(tone(1, -20)))
    mixer.ctl("dca", "add", "all")
    done = mixer.ctl("loudness", strip, code=1)
    assert done is not None
    assert mixer.osc().ask("/dca/1/loudness")[0][0] == "/error"


def test_a_track_is_measured_as_the_master_is_that_it_goes_to(mixers, jackd, show):
    mixer = mixers("--server", jackd.name, "--no-connect", "--loop", show(tone(4, -20)))
    for strip in ("a", "master"):
        mixer.ctl("loudness", strip)
    mixer.ctl("play")

    def measured():
        track, master = (mixer.json("loudness", strip)["momentary"] for strip in ("a", "master"))
        return track is not None and master is not None and abs(track - master) < 0.1

    wait_until(measured, "both are as loud")
    assert mixer.osc().ask("/track/1/loudness")[0][0] == "/track/1/loudness"


def test_so_many_are_measured_and_no_more(mixers, jackd, show):
    mixer = mixers("--server", jackd.name, "--no-connect", show(tone(1, -20)))
    for number in range(20):
        mixer.ctl("bus", "add", f"b{number}")
    assert mixer.osc().ask("/bus/*/loudness")[0][0] == "/error"
    for number in range(1, 17):
        assert mixer.osc().ask(f"/bus/{number}/loudness")[0][0] == f"/bus/{number}/loudness"
    assert mixer.osc().ask("/master/loudness")[0][0] == "/master/loudness", "the master's always is"
    assert (
        "at the most" in mixer.osc().ask("/bus/17/loudness")[0][1][1]
        and mixer.osc().ask("/bus/16/loudness")[0][0] == "/bus/16/loudness"
    )
