"""Peaks that are held, and how often a strip was above full scale."""

import json
import math
import subprocess

import pytest
import soundfile
from conftest import JMIXCTL, RATE, line_of, steady, wait_until
from test_answers import OF_COMMANDS, check
from test_subscribe import Subscriber


def spikes(places, height, length=2 * RATE):
    """A constant of 0.25 with single samples of another height."""
    sound = steady(length, 0.25, 0.25)
    for place in places:
        sound[place, 0] = height
    return sound


@pytest.fixture
def spiked(mixers, jackd, make_session):
    """Two tracks: one goes above full scale five times, 0.3 s apart, the other never."""
    session = make_session(
        {
            "loud": spikes([RATE // 10 + i * 3 * RATE // 10 for i in range(5)], -1.5),
            "calm": spikes([RATE // 2], 0.75),
        }
    )
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    mixer.ctl("stop-at-end", "on")
    return mixer


def peak(mixer, strip):
    answer = mixer.json("peaks", strip)
    return answer["peak"], answer["overs"]


def play_through(mixer):
    mixer.ctl("locate", 0)
    mixer.ctl("play")
    wait_until(lambda: mixer.json("status")["state"] == "stopped", "it has played to its end")


def test_peaks_are_held_and_overs_counted(spiked):
    assert [peak(spiked, strip) for strip in ("loud", "calm", "master")] == [(0, 0)] * 3
    play_through(spiked)
    # Who looks at the meters takes nothing away from it.
    spiked.ctl("meters")
    for _ in range(2):
        assert peak(spiked, "loud") == (1.5, 5)
        assert peak(spiked, "calm") == (0.75, 0)
        assert peak(spiked, "master") == (pytest.approx(1.25), 5)
    check("peaks", spiked.json("peaks"))
    assert [line.split() for line in spiked.ctl("peaks").splitlines()] == [
        ["1", "loud", "3.5", "dBFS", "above", "full", "scale", "5", "times"],
        ["2", "calm", "-2.5", "dBFS"],
        ["master", "1.9", "dBFS", "above", "full", "scale", "5", "times"],
    ]
    spiked.ctl("peaks", "calm", "reset")
    assert peak(spiked, "calm") == (0, 0) and peak(spiked, "loud") == (1.5, 5)
    play_through(spiked)
    assert peak(spiked, "calm") == (0.75, 0) and peak(spiked, "loud") == (1.5, 10)
    spiked.ctl("peaks", "reset")
    assert [peak(spiked, strip) for strip in ("loud", "calm", "master")] == [(0, 0)] * 3


def test_subscribers_are_told(spiked):
    subscriber = Subscriber(spiked.port, "/*/*/peak", 20)

    def is_told(loud, calm):
        subscriber.listen(0.1)
        return [subscriber.values.get(f"/track/{number}/peak") for number in (1, 2)] == [loud, calm]

    try:
        wait_until(lambda: is_told([0, 0], [0, 0]), "the present state")
        spiked.ctl("play")
        wait_until(lambda: is_told([1.5, 5], [0.75, 0]), "the peaks and all five overs")
        wait_until(lambda: spiked.json("status")["state"] == "stopped", "it has played to its end")
        spiked.osc().send("/track/*/peak/reset")
        wait_until(lambda: is_told([0, 0], [0, 0]), "the reset")
    finally:
        subscriber.close()


def test_watch_shows_peaks_reductions_and_loudness(spiked):
    spiked.ctl("comp", "loud", -20, 1000, "--knee", 0, "--attack", "1ms")
    spiked.ctl("stop-at-end", "off")
    spiked.ctl("loop", "0s", "2s")
    spiked.ctl("play")
    watch = subprocess.Popen([JMIXCTL, "--url", spiked.url, "watch", "--json"], stdout=subprocess.PIPE)
    try:

        def seen():
            line = json.loads(line_of(watch.stdout, "a line of watch"))
            check("watch", line, OF_COMMANDS)
            loud, calm = line["tracks"]
            # 0.25 is -12.04 dBFS: it is lowered to -20 dBFS.
            return (
                calm["peakHold"] == 0.75
                and abs(loud["reduction"] - (20 + 20 * math.log10(0.25))) < 0.1
                and calm["reduction"] == 0
                and line["loudness"]["momentary"]
            )

        wait_until(seen, "the peak, the reduction and the loudness")
    finally:
        watch.terminate()
        watch.wait(10)
        watch.stdout.close()


def test_dcas_have_no_meter(spiked):
    spiked.ctl("dca", "add", "all", "loud")
    assert "meter" in spiked.ctl("peaks", "all", code=1)


def test_another_session_s_peaks_and_loudness_are_its_own(spiked, tmp_path):
    soundfile.write(tmp_path / "soft.wav", steady(20 * RATE, 0.1, 0.1), RATE, subtype="FLOAT")
    (tmp_path / "soft.json").write_text(
        json.dumps(
            {"jmix": 1, "sampleRate": RATE, "tracks": [{"name": "soft", "clips": [{"file": "soft.wav"}]}]}
        )
    )
    spiked.ctl("loudness")
    play_through(spiked)
    assert peak(spiked, "master")[1] == 5
    # While the loud one plays on.
    spiked.ctl("stop-at-end", "off")
    spiked.ctl("loop", "0s", "2s")
    spiked.ctl("locate", 0)
    spiked.ctl("play")
    spiked.ctl("load", "soft")
    wait_until(lambda: peak(spiked, "soft") == (pytest.approx(0.1), 0), "the peak of the new one alone")
    assert peak(spiked, "master") == (pytest.approx(0.1), 0)
    wait_until(
        lambda: spiked.json("loudness")["truePeak"] is not None and spiked.json("loudness")["truePeak"] < -15,
        "no true peak of the old one",
    )
