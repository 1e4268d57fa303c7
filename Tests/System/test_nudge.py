"""Every number is moved from where it stands: by encoders over OSC, from the shell with a plus or with
--by."""

import subprocess

import pytest
from conftest import JMIXCTL


def test_encoders_move_every_number(mixer):
    peer = mixer.osc()
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("send", "voice", "hall", 0.5)
    for address, first, change, then in (
        ("volume", 0.5, 6.0, 0.9976),
        ("pan", -0.25, 0.5, 0.25),
        ("pan", 0.9, 0.5, 1),
        ("trim", 0.5, -6.0, 0.2506),
        ("send/hall/volume", 0.5, -6.0, 0.2506),
        ("send/1/pan", 0.5, -2.0, -1),
        ("eq/2/gain", 3.0, -1.5, 1.5),
        ("eq/2/gain", 20.0, 10.0, 24),
        ("eq/2/freq", 400.0, 100.0, 500),
        ("comp/threshold", -20.0, -5.0, -25),
        ("comp/ratio", 2.0, 1.0, 3),
        ("gate/range", 12.0, -20.0, 0),
    ):
        assert peer.ask(f"/track/2/{address}", first) == []
        assert peer.ask(f"/track/2/{address}/by", change) == [], address
        assert peer.ask(f"/track/2/{address}")[0][1][0] == pytest.approx(then, abs=1e-3), address
    # Patterns move all, each from where it stands.
    for number, pan in ((1, -0.5), (2, 0.0), (3, 0.5)):
        peer.ask(f"/track/{number}/pan", pan)
    mixer.ctl("pan", "*", "--by", 0.25)
    assert [peer.ask(f"/track/{number}/pan")[0][1][0] for number in (1, 2, 3)] == [-0.25, 0.25, 0.75]
    assert (
        peer.ask("/track/1/pan/by", "x")[0][0] == "/error"
        and peer.ask("/track/1/mute/by", 1.0)[0][0] == "/error"
    )


def test_the_shell_takes_a_plus(mixer):
    for words, ask, then in (
        (("volume", "voice", "-6dB"), "volume", 0.5012),
        (("volume", "voice", "+6dB"), "volume", 1),
        (("volume", "voice", "+1"), "volume", 1.122),
        (("volume", "voice", "--by", "-1dB"), "volume", 1),
        (("pan", "voice", -0.5), "pan", -0.5),
        (("pan", "voice", "+0.3"), "pan", -0.2),
        (("pan", "voice", "--by", -0.1), "pan", -0.3),
        (("trim", "voice", "+6dB"), "trim", 1.9953),
        (("volume", "voice", "--by", "-0.1", "--of", "pan"), "pan", -0.4),
    ):
        mixer.ctl(*words)
        assert mixer.json(ask, "voice")[ask] == pytest.approx(then, abs=1e-3), words
    # A sweep is one step.
    steps = len(mixer.json("history"))
    for _ in range(5):
        mixer.ctl("pan", "music", "+0.05")
    assert len(mixer.json("history")) == steps + 1
    for words, reason in (
        (("pan", "voice", "+x"), "no number"),
        (("mute", "voice", "--by", 1), "no option"),
    ):
        done = subprocess.run(
            [JMIXCTL, "--url", mixer.url, *map(str, words)], capture_output=True, text=True, timeout=20
        )
        assert done.returncode in (1, 2) and reason in done.stderr, (words, done)


def test_steps_end_at_the_top_and_lead_out_of_silence(mixer):
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("send", "voice", "hall", "-6dB")
    mixer.ctl("send", "voice", "hall", "+1dB")
    assert mixer.json("send", "voice", "hall")["volume"] == pytest.approx(10 ** (-5 / 20), abs=1e-4)
    mixer.ctl("send", "voice", "hall", "--by", "-2dB")
    assert mixer.json("send", "voice", "hall")["volume"] == pytest.approx(10 ** (-7 / 20), abs=1e-4)
    peer = mixer.osc()
    for start, change, then in (
        (3.9, 1.0, 4),
        (0.0, 1.0, 10 ** (-59 / 20)),
        (0.0, -1.0, 0),
        (1.0, "+6dB", 1.9953),
    ):
        peer.ask("/track/2/volume", start)
        assert peer.ask("/track/2/volume/by", change) == []
        assert peer.ask("/track/2/volume")[0][1][0] == pytest.approx(then, rel=1e-3), (start, change)
    peer.close()
