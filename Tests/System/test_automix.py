"""Gain sharing: a bus that shares out among those that go there, compared with numpy at every sample; as it
is asked for, told and kept."""

import json
import subprocess

import numpy as np
import pytest
from conftest import JMIX, JMIXCTL, RATE, Capture, rendered, run, wait_until
from test_inputs import Steady
from test_subscribe import Subscriber

FLOOR = 1e-6


def bursts(seed, frames=2 * RATE, channels=2):
    """Noise that comes and goes, as people who talk in turn."""
    random = np.random.default_rng(seed)
    envelope = np.repeat(random.choice([0, 0.02, 0.3, 0.6], frames // 2000 + 1), 2000)[:frames, None]
    return (random.uniform(-1, 1, (frames, channels)) * envelope).astype(np.float32)


def shares(sounds, weights, attack=0.01, release=0.2):
    """The gains of all at every frame, by the formula."""
    growth, decay = (np.exp(-1 / (time * RATE)) if time else 0 for time in (attack, release))
    stands = np.zeros((len(sounds), sounds[0].shape[0]))
    for row, sound in zip(stands, sounds):
        state = 0.0
        for n, level in enumerate(np.abs(sound).max(1).astype(np.float64)):
            rest = growth if level > state else decay
            state = rest * state + (1 - rest) * level
            row[n] = state
    parts = np.array(weights)[:, None] * (stands + FLOOR)
    return parts / parts.sum(0)


def panel(make_session, count, names=None, **bus):
    sounds = {name: bursts(n) for n, name in enumerate(names or [f"m{n}" for n in range(count)])}
    path = make_session(
        {name: (sound, {"output": "panel"}) for name, sound in sounds.items()},
        buses=[{"name": "panel", **bus}],
    )
    return path, list(sounds.values())


@pytest.mark.parametrize(
    "attack, release, weights, priorities",
    [
        (0.01, 0.2, (1, 1, 1), (0, 0, 0)),
        (0, 0.05, (1, 0.5, 3), (0, 0, 0)),
        (0.1, 1, (1, 1, 0), (1, 0, 2)),
        (0, 0, (1, 100, 1), (4, 0, 0)),
    ],
)
def test_it_is_the_formula_at_every_sample(make_session, attack, release, weights, priorities):
    path, sounds = panel(make_session, 3)
    run("edit", path, "automix", "panel", "on", "--attack", f"{attack}s", "--release", f"{release}s")
    for n, (weight, priority) in enumerate(zip(weights, priorities)):
        run("edit", path, "automix", "panel", f"m{n}", "--weight", weight, "--priority", priority)
    gains = shares(
        sounds, [weight * 10.0**priority for weight, priority in zip(weights, priorities)], attack, release
    )
    assert np.abs(gains.sum(0) - 1).max() < 1e-12
    expected = sum(sound * gain[:, None] for sound, gain in zip(sounds, gains))
    assert np.abs(rendered(path) - expected).max() < 1e-6


def test_where_it_stands(make_session):
    """Behind the processors and the sends that leave before the gains, before the faders."""
    path, sounds = panel(make_session, 2)
    script = (
        "automix panel on",
        "volume m0 0.5",
        "trim m1 0.5",
        "bus add aux",
        "send m0 aux 1 --pre",
        "send m1 aux 0.5 --post",
        "mute aux off",
        "pan m1 -1",
        "volume panel 0.5",
    )
    for line in script:
        run("edit", path, *line.split())
    first, second = sounds[0], sounds[1] * 0.5
    gains = shares([first, second], [1, 1])
    left = second * gains[1][:, None] * [1, 0]
    expected = 0.5 * (0.5 * first * gains[0][:, None] + left) + first + 0.5 * left
    assert np.abs(rendered(path) - expected).max() < 1e-6


def test_who_does_not_take_part(make_session):
    path, sounds = panel(make_session, 3)
    run("edit", path, "automix", "panel", "on")
    run("edit", path, "automix", "panel", "m2", "out")
    # Who is muted takes nothing from the others.
    run("edit", path, "mute", "m1", "on")
    assert np.abs(rendered(path) - (sounds[0] + sounds[2])).max() < 1e-6
    run("edit", path, "automix", "panel", "off")
    assert np.abs(rendered(path) - (sounds[0] + sounds[2])).max() < 1e-6
    run("edit", path, "mute", "m1", "off")
    run("edit", path, "automix", "panel", "on")
    run("edit", path, "output", "m1", "master")
    assert np.abs(rendered(path) - sum(sounds)).max() < 1e-6


def test_two_of_them_one_within_the_other(make_session):
    path, sounds = panel(make_session, 4)
    for line in (
        "bus add table",
        "output table panel",
        "output m0 table",
        "output m1 table",
        "automix panel on",
        "automix table on --release 100ms",
    ):
        run("edit", path, *line.split())
    inner = shares(sounds[:2], [1, 1], release=0.1)
    table = (sounds[0] * inner[0][:, None] + sounds[1] * inner[1][:, None]).astype(np.float32)
    outer = shares([sounds[2], sounds[3], table], [1, 1, 1])
    expected = sum(sound * gain[:, None] for sound, gain in zip([sounds[2], sounds[3], table], outer))
    assert np.abs(rendered(path) - expected).max() < 2e-6


@pytest.mark.parametrize(
    "lines, late",
    [
        (("bus add hall", "limit hall 0", "send m0 hall 0.25 --post"), 0.25),
        (("limit m0 0",), 0),
        (("bus add echo", "output m2 echo", "duck m2 --under m0 --to 1 --by signal --lookahead 200ms"), 0),
        (("duck m1 --under m0 --to 0.999999 --by signal --lookahead 10ms",), 0),
    ],
)
def test_all_members_are_as_late_whatever_holds_one_back(make_session, lines, late):
    """A limiter on the way of one, or a look-ahead by its level, would have it read elsewhere than the
    others."""
    path, sounds = panel(make_session, 3)
    sounds = [sound * np.float32(0.3) for sound in sounds]
    for line in ("trim m* 0.3", "automix panel on", *lines):
        run("edit", path, *line.split())
    members = [sound for n, sound in enumerate(sounds) if n != 2 or "output m2 echo" not in lines]
    gains = shares(members, [1] * len(members))
    expected = (
        sum(sound * gain[:, None] for sound, gain in zip(members, gains))
        + late * sounds[0] * gains[0][:, None]
    )
    if len(members) == 2:
        expected = expected + sounds[2]
    assert np.abs(rendered(path) - expected).max() < 2e-6


def test_it_is_the_same_live_in_parts_and_on_one_core(mixers, jackd, make_session, tmp_path):
    path, _ = panel(make_session, 3, automix={})
    mix = rendered(path)
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    with Capture(jackd) as capture:
        wait_until(lambda: capture.blocks.qsize() > 20, "both ports are connected")
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 1.8, "it has been played")
        frames = capture.end()
    first = np.flatnonzero(mix.any(1))[0]
    frames = frames[np.flatnonzero(frames.any(1))[0] :][: int(1.5 * RATE)]
    assert np.array_equal(frames, mix[first : first + len(frames)])
    run("render", path, tmp_path / "one.wav", "--jobs", 1)
    run("render", path, tmp_path / "many.wav", "--jobs", 4)
    assert (tmp_path / "one.wav").read_bytes() == (tmp_path / "many.wav").read_bytes()
    # From another place it begins anew, and goes on from the floor.
    mixer.ctl("stop")
    mixer.ctl("locate", "1s")


def test_open_microphones(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({}))
    mixer.ctl("bus", "add", "panel")
    with Steady(jackd):
        for name in ("a", "b", "c"):
            mixer.ctl("input", "add", name, "steady:out")
            mixer.ctl("output", name, "panel")
        wait_until(
            lambda: all(link["connected"] for link in mixer.json("connect")), "the inputs are connected"
        )
        mixer.ctl("automix", "panel", "on")
        peer, subscriber = mixer.osc(), Subscriber(mixer.port)

        def gains():
            return [member["gain"] for member in mixer.json("automix", "panel")["members"]]

        wait_until(lambda: np.allclose(gains(), 1 / 3, atol=1e-6), "all are as loud")
        assert peer.ask("/bus/panel/automix/member", "b", "weight", 2.0) == []
        wait_until(lambda: np.allclose(gains(), (0.25, 0.5, 0.25), atol=1e-6), "one counts twice")
        assert peer.ask("/track/b/mute", 1) == []
        wait_until(lambda: np.allclose(gains(), (0.5, 0, 0.5), atol=1e-6), "who is muted takes nothing")
        with Capture(jackd) as capture:
            wait_until(lambda: capture.blocks.qsize() > 40, "it is heard")
            assert np.allclose(capture.end()[5120:], 0.5, atol=1e-6)
        # So does whom a DCA mutes.
        mixer.ctl("dca", "add", "crew", "c")
        mixer.ctl("mute", "crew", "on")
        wait_until(lambda: np.allclose(gains(), (1, 0, 0), atol=1e-6), "who is muted by a DCA takes nothing")
        mixer.ctl("mute", "crew", "off")
        assert peer.ask("/track/c/automix/priority", 1.0) == [] and peer.ask("/track/c/automix/priority") == [
            ("/track/c/automix/priority", [1])
        ]
        wait_until(lambda: np.allclose(gains(), (1 / 11, 0, 10 / 11), atol=1e-6), "one goes before")
        subscriber.listen()
        told = {address: values for address, values in subscriber.values.items() if "automix" in address}
        assert (
            told["/bus/1/automix/on"] == [1]
            and told["/track/2/automix/weight"] == [2]
            and abs(told["/track/3/automix/gain"][0] - 10 / 11) < 1e-6
        )
        assert "/bus/1/automix/weight" not in told and "/track/1/automix/on" not in told
        # That it is gone is told, too.
        mixer.ctl("automix", "panel", "clear")
        subscriber.listen()
        assert subscriber.values["/bus/1/automix/on"] == [0] and subscriber.values[
            "/track/3/automix/gain"
        ] == [1]
        subscriber.close()


def test_it_is_kept_said_and_taken_back(mixers, jackd, make_session):
    path, _ = panel(make_session, 2)
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    peer = mixer.osc()
    assert mixer.json("automix", "panel") is None and mixer.ctl("automix", "panel").strip() == "no automix"
    # A knob alone turns nothing on, and off makes nothing.
    mixer.ctl("automix", "panel", "off")
    assert mixer.json("automix", "panel") is None
    assert peer.ask("/bus/1/automix/attack", 10.0) == [] and peer.ask("/bus/1/automix/on") == [
        ("/bus/1/automix/on", [0])
    ]
    assert peer.ask("/bus/1/automix", "on", 1, "release", 500.0) == []
    mixer.ctl("automix", "panel", "m1", "--priority", 2, "--weight", 0.5)
    members = [
        {"name": "m0", "in": True, "weight": 1, "priority": 0},
        {"name": "m1", "in": True, "weight": 0.5, "priority": 2},
    ]
    answer = mixer.json("automix", "panel")
    assert [
        {key: value for key, value in member.items() if key != "gain"} for member in answer["members"]
    ] == members
    assert (answer["on"], answer["attack"], answer["release"]) == (True, "0.01s", "0.5s")
    assert "m1" in mixer.ctl("automix", "panel") and "priority 2" in mixer.ctl("automix", "panel")
    mixer.ctl("save")
    kept = json.loads(path.read_text())
    assert kept["jmix"] == 3 and kept["buses"][0]["automix"] == {"attack": "0.01s", "release": "0.5s"}
    assert "automixing" not in kept["tracks"][0] and kept["tracks"][1]["automixing"] == {
        "weight": 0.5,
        "priority": 2,
    }
    assert [step["name"] for step in mixer.json("history")][-2:] == [
        "automix of panel",
        "automix of m1 in panel",
    ]
    mixer.ctl("undo")
    assert mixer.json("automix", "panel")["members"][1]["priority"] == 0
    mixer.ctl("automix", "panel", "clear")
    assert mixer.json("automix", "panel") is None
    mixer.ctl("bus", "add", "echo")
    mixer.ctl("send", "m0", "echo", 0.5)
    mixer.ctl("output", "echo", "panel")
    for words, reason in (
        (("panel", "m0", "--weight", 101), "100"),
        (("panel", "m0", "--priority", 1.5), "whole number"),
        (("panel", "echo"), "in, out"),
        (("m0", "on"), "no bus m0"),
        (("echo", "m0", "out"), "output m0 echo"),
        (("panel", "on", "--attack", "11s"), "10000"),
        (("panel", "on"), "automix panel echo out"),
    ):
        done = subprocess.run(
            [JMIXCTL, "--url", mixer.url, "automix", *map(str, words)],
            capture_output=True,
            text=True,
            timeout=20,
        )
        assert done.returncode in (1, 2) and reason in done.stderr, (words, done)
    mixer.ctl("automix", "panel", "echo", "out")
    mixer.ctl("automix", "panel", "on")
    # What goes round by itself is said to.
    mixer.ctl("send", "panel", "echo", 1, code=1)
    mixer.ctl("save", "echo")
    looped = json.loads(path.with_name("echo.json").read_text())
    del looped["buses"][1]["automixing"]
    path.with_name("loop.json").write_text(json.dumps(looped))
    done = subprocess.run(
        [JMIX, "check", path.with_name("loop.json")], capture_output=True, text=True, timeout=20
    )
    assert (
        done.returncode == 1
        and "bus 2, automixing" in done.stdout
        and "automix panel echo out" in done.stdout
    ), done
    kept["buses"][0]["automix"] = {"attack": "11s", "on": 3}
    kept["tracks"][0]["automixing"] = {"weight": -1, "priority": 9, "in": "no"}
    kept["tracks"][1]["automixing"] = {"priority": 1.5}
    path.with_name("bad.json").write_text(json.dumps(kept))
    done = subprocess.run(
        [JMIX, "check", path.with_name("bad.json")], capture_output=True, text=True, timeout=20
    )
    assert done.returncode == 1 and all(
        field in done.stdout + done.stderr
        for field in ("attack", "on", "weight", "priority", "in", "whole number")
    ), done


def test_the_automix_that_closes_a_loop_is_named(make_session):
    path, _ = panel(make_session, 2)
    for line in (
        "bus add p2",
        "bus add fx",
        "output m1 p2",
        "output fx p2",
        "automix panel on",
        "automix p2 on",
        "send m0 fx 0.5",
    ):
        run("edit", path, *line.split())
    done = subprocess.run(
        [JMIX, "edit", path, "send", "m1", "fx", "0.5"], capture_output=True, text=True, timeout=20
    )
    assert done.returncode == 1 and "automix p2 fx out" in done.stderr, done
    # What leaves before the gains hangs on nobody's share.
    run("edit", path, "send", "m1", "fx", "0.5", "--pre")
    run("edit", path, "automix", "p2", "fx", "out")
    run("edit", path, "send", "m1", "fx", "0.5", "--post")
    done = subprocess.run(
        [JMIX, "edit", path, "automix", "p2", "fx", "in"], capture_output=True, text=True, timeout=20
    )
    assert done.returncode == 1 and "automix p2 fx out" in done.stderr, done
