"""Every number is moved from where it stands: by encoders over OSC, from the shell with a plus or with
--by."""

import subprocess

import pytest
from conftest import JMIXCTL, seconds_of, wait_until


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
        (("volume", "voice", "+1dB"), "volume", 1.122),
        (("volume", "voice", "--by", "-1dB"), "volume", 1),
        (("volume", "voice", "--by", "-0.05"), "volume", 0.95),
        (("volume", "voice", "+0.25"), "volume", 1.2),
        (("volume", "voice", "--by", "-0.2"), "volume", 1),
        (("volume", "voice", "-6dB"), "volume", 0.5012),
        (("volume", "voice", "--by", "-0.9"), "volume", 0),
        (("volume", "voice", 1), "volume", 1),
        (("trim", "voice", "--by", "-0.5"), "trim", 0.5),
        (("trim", "voice", 1), "trim", 1),
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
        (("volume", "voice", "+1"), "write --by +1dB"),
        (("volume", "voice", "-6"), "--by -6dB moves it"),
        (("volume", "voice", "-0.05"), "--by -0.05 moves it"),
        (("trim", "voice", "-1e-9"), "it goes from 0 to 4"),
        (("volume", "master", "-1"), "it goes from 0 to 4"),
        (("send", "voice", "hall", "-0.1"), "it goes from 0 to 4"),
        (("volume", "voice", "--by", "-6"), "write --by -6dB"),
        (("delay", "voice", "+x"), "is not a time"),
    ):
        done = subprocess.run(
            [JMIXCTL, "--url", mixer.url, *map(str, words)], capture_output=True, text=True, timeout=20
        )
        assert done.returncode in (1, 2) and reason in done.stderr, (words, done)


def test_a_level_with_a_time_is_a_point(mixer):
    mixer.ctl("volume", "voice", "+6dB", "3s")
    mixer.ctl("volume", "voice", "-6dB", "4s")
    assert mixer.json("automation", "voice") == [
        {"volume": pytest.approx(1.9953, abs=1e-4), "at": "3s"},
        {"volume": pytest.approx(0.5012, abs=1e-4), "at": "4s"},
    ]
    assert mixer.json("volume", "voice")["volume"] == 1


def test_a_fade_that_cannot_be_exponential_says_so(mixer):
    mixer.ctl("fade", "voice", 0.5, "10ms", "--curve", "exponential")
    wait_until(lambda: mixer.json("volume", "voice")["volume"] == 0.5, "it has faded")
    assert mixer.noted("fade", "voice", 0.25, "10ms", "--curve", "exponential") == ""
    assert "linear" in mixer.noted("fade", "voice", 0, "10ms", "--curve", "exponential")
    wait_until(lambda: mixer.json("volume", "voice")["volume"] == 0, "it is silent")
    assert "linear" in mixer.noted("fade", "voice", 1, "10ms", "--curve", "exponential")
    said = mixer.noted("fade", "voice", 0, "10ms", "--curve", "exponential", "--of", "trim")
    assert "voice fades linearly" in said


def test_a_pattern_over_kinds_of_strips_moves_what_it_sets(mixer):
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("dca", "add", "all")
    peer = mixer.osc()
    assert peer.ask("/*/*/volume/by", "-6dB") == []
    half = pytest.approx(0.5012, abs=1e-3)
    for strip in ("music", "voice", "chime", "bus:1", "dca:1"):
        assert mixer.json("volume", strip)["volume"] == half, strip
    assert peer.ask("/{track,bus}/*/pan/by", 0.25) == []
    assert mixer.json("pan", "voice")["pan"] == mixer.json("pan", "hall")["pan"] == 0.25
    # What is a command with no value is nothing that a pattern over kinds means.
    ((address, (asked, why)),) = peer.ask("/*/*/remove", 1)
    assert address == "/error" and asked == "/*/*/remove" and "holds a value" in why


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


def test_times_and_the_monitor_move_too(mixer):
    for words, ask, then in (
        (("delay", "voice", "12ms"), ("delay", "voice"), 0.012),
        (("delay", "voice", "+1ms"), ("delay", "voice"), 0.013),
        (("delay", "voice", "-3ms"), ("delay", "voice"), 0.010),
        (("delay", "voice", "--by", "-1s"), ("delay", "voice"), 0),
        (("delay", "voice", "+100s"), ("delay", "voice"), 2),
        (("fadein", "voice", "+250ms"), ("fadein", "voice"), 0.25),
        (("fadein", "voice", "-50ms"), ("fadein", "voice"), 0.2),
    ):
        mixer.ctl(*words)
        assert seconds_of(mixer.json(*ask)[ask[0].replace("fadein", "fadeIn")]) == pytest.approx(
            then, abs=1e-9
        ), words
    peer = mixer.osc()
    for address, change, ask, then in (
        ("/monitor/level/by", -6.0, "/monitor/level", 0.5012),
        ("/monitor/level/by", "-0.25", "/monitor/level", 0.2512),
        ("/monitor/dimming/by", 100.0, "/monitor/dimming", 60),
        ("/track/2/volume/by", "-0.05", "/track/2/volume", 0.95),
    ):
        assert peer.ask(address, change) == [], address
        assert peer.ask(ask)[0][1][0] == pytest.approx(then, abs=1e-3), (address, change)
    peer.close()
    mixer.ctl("monitor", "level", "+6dB")
    assert mixer.json("monitor", "level")["level"] == pytest.approx(0.5012, abs=1e-3)


def test_a_fade_goes_so_far_from_where_it_stands(mixer):
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("send", "voice", "hall", 0.5)
    for words, ask, then in (
        (("volume", "voice", "-6dB"), ("volume", "voice"), 0.5012),
        (("fade", "voice", "50ms", "--by", "-6dB"), ("volume", "voice"), 0.2512),
        (("fade", "voice", "50ms", "--by", "0.5"), ("volume", "voice"), 0.7512),
        (("fade", "voice", "50ms", "--by", "0.25", "--of", "pan"), ("pan", "voice"), 0.25),
        (("fade", "voice", "50ms", "--by", "-3dB", "--of", "trim"), ("trim", "voice"), 0.7079),
        (
            ("fade", "voice", "50ms", "--by", "+6dB", "--of", "send/hall/volume"),
            ("send", "voice", "hall"),
            0.9976,
        ),
        (("fade", "voice", "50ms", "--by", "-1.5", "--of", "send/hall/pan"), None, None),
    ):
        mixer.ctl(*words)
        if ask:
            key = ask[0] if ask[0] != "send" else "volume"
            wait_until(
                lambda: mixer.json(*ask)[key] == pytest.approx(then, abs=1e-3), f"{words} to be {then}"
            )
    peer = mixer.osc()
    assert peer.ask("/track/2/send/hall/pan")[0][1][0] == -1
    # Two that move keep what they are to each other, or stay.
    mixer.ctl("volume", "*", 1)
    mixer.ctl("volume", "music", 3.9)
    done = subprocess.run(
        [JMIXCTL, "--url", mixer.url, "fade", "*", "1s", "--by", "+3dB"],
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert done.returncode == 1 and "music stands at" in done.stderr and "above +12 dB" in done.stderr
    assert peer.ask("/track/2/volume/fade/by", -6.0, "10ms") == []
    wait_until(
        lambda: mixer.json("volume", "voice")["volume"] == pytest.approx(0.5012, abs=1e-3),
        "the fade by OSC to be over",
    )
    peer.close()


def test_processors_move_too(mixer):
    mixer.ctl("bus", "add", "panel")
    mixer.ctl("output", "voice", "panel")
    mixer.ctl("automix", "panel", "on")
    peer = mixer.osc()
    for words in (
        ("limit", "voice", -3),
        ("gate", "voice", -40),
        ("comp", "voice", -20, 3),
        ("eq", "voice", "hp", 80),
    ):
        mixer.ctl(*words)
    for words, address, then in (
        (("limit", "voice", "--by", -1), "limit/level", -4),
        (("limit", "voice", "+2"), "limit/level", -2),
        (("limit", "voice", "--by", "+5dB"), "limit/level", 0),
        (("gate", "voice", "+1"), "gate/threshold", -39),
        (("gate", "voice", "--by", -2, "--of", "range"), "gate/range", None),
        (("comp", "voice", "--by", "2dB"), "comp/threshold", -18),
        (("comp", "voice", "--by", 1, "--of", "ratio"), "comp/ratio", 4),
        (("comp", "voice", "--by", "5ms", "--of", "attack"), "comp/attack", None),
        (("eq", "voice", "hp", "+10"), "eq/hp", 90),
        (("eq", "voice", "hp", "--by", "5Hz"), "eq/hp", 95),
        (("eq", "voice", "hp", "-5"), "eq/hp", 90),
        (("eq", "voice", "--by", "-3dB", "--of", "2/gain"), "eq/2/gain", -3),
        (("eq", "voice", "--by", "+20Hz", "--of", "hp"), "eq/hp", 110),
        (("automix", "panel", "voice", "--by", 2), "automix/weight", 3),
        (("automix", "panel", "voice", "--by", 1, "--of", "priority"), "automix/priority", 1),
    ):
        before = peer.ask(f"/track/2/{address}")[0][1][0]
        mixer.ctl(*words)
        after = peer.ask(f"/track/2/{address}")[0][1][0]
        assert after != before and (then is None or after == pytest.approx(then, abs=1e-4)), (words, after)
    mixer.ctl("automix", "panel", "--by", 5, "--of", "release")
    for words, reason in (
        (("eq", "voice", "--by", 1), "--by needs --of"),
        (("comp", "voice", "--by", 1, "--of", "nothing"), "does not move: one of threshold, ratio"),
        (("comp", "voice", "--of", "ratio"), "--of belongs to --by"),
        (("gate", "voice", "--by", "x"), "no number to move"),
        (("comp", "voice", "+2", "--attack", "30ms"), "--attack does not go with a step"),
        (("gate", "voice", "--by", 3, "--range", 20), "--range does not go with a step"),
        (("eq", "voice", "hp", "+20", "--slope", 24), "--slope does not go with a step"),
        (("fadein", "voice", "--clip", 1, "+500ms"), "--clip does not go with a step"),
        (("send", "voice", "panel", "+1dB", "--pre"), "--pre does not go with a step"),
        (("send", "voice", "panel", "off", "--by", "2dB"), "takes no step"),
        (("automix", "panel", "voice", "--by", 0.1, "--priority", 3), "--priority does not go"),
        (("volume", "voice", "--of", "mute", "--by", 1), "does not move by steps"),
        (("monitor", "voice", "--by", 3), "takes no step"),
    ):
        done = subprocess.run(
            [JMIXCTL, "--url", mixer.url, *map(str, words)], capture_output=True, text=True, timeout=20
        )
        assert done.returncode == 2 and reason in done.stderr, (words, done)
    peer.close()


def test_clips_and_slopes_move_by_steps(mixer):
    peer = mixer.osc()

    def clip(field, standard):
        value = mixer.json("clips", "voice")[0].get(field, standard)
        return float(value) if not isinstance(value, str) else value

    for _ in range(2):
        mixer.ctl("clip", "voice", 1, "gain", "-3dB")
        mixer.ctl("clip", "voice", 1, "gain", "+1dB")
    assert clip("gain", 1) == pytest.approx(10 ** (-2 / 20))
    mixer.ctl("clip", "voice", 1, "gain", "--by", "-1dB")
    assert clip("gain", 1) == pytest.approx(10 ** (-3 / 20))
    mixer.ctl("clip", "voice", 1, "speed", "+0.5")
    mixer.ctl("clip", "voice", 1, "speed", "-0.25")
    assert clip("speed", 1) == 1.25
    mixer.ctl("clip", "voice", 1, "pitch", "-2")
    mixer.ctl("clip", "voice", 1, "pitch", "+5")
    mixer.ctl("clip", "voice", 1, "pitch", "--by", "-1")
    assert clip("pitch", 0) == 2
    assert peer.ask("/track/2/clip/gain/by", 1, 6.0) == []
    assert clip("gain", 1) == pytest.approx(10 ** (3 / 20))
    assert peer.ask("/track/2/clip/pitch/by", 1, 100.0) == [], "to the end of its range"
    assert clip("pitch", 0) == 24
    mixer.ctl("undo")
    assert clip("pitch", 0) == 2
    assert "no clip 7" in mixer.ctl("clip", "voice", 7, "gain", "+1dB", code=1)
    for words in (("remove",), ("trim", "1s", "2s"), ("reverse", "on")):
        assert "does not move by steps" in mixer.ctl("clip", "voice", 1, *words, "--by", 1, code=2)
    mixer.ctl("eq", "voice", "hp", 80)
    assert peer.ask("/track/2/eq/hpslope/by", 1.0) == []
    assert peer.ask("/track/2/eq/hpslope")[0][1] == [24]
    mixer.ctl("eq", "voice", "--by", "-12", "--of", "hpslope")
    assert peer.ask("/track/2/eq/hpslope")[0][1] == [12]
