"""The sound in the control room, talkbacks and the soundcheck, as the JACK ports give them and as controllers
are told."""

import json
import subprocess
import time

import jack
import numpy as np
import pytest
import soundfile
from conftest import JMIXCTL, RATE, Capture, ports_of, run, steady, wait_until
from test_inputs import Steady
from test_subscribe import Subscriber

pytestmark = pytest.mark.alone

MONITOR = ("jmix:monitor_1", "jmix:monitor_2")
TRACKS = {"voice": steady(20 * RATE, 0.25, 0.125), "music": steady(20 * RATE, 0.5, -0.25)}


@pytest.fixture
def desk(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session(TRACKS))
    mixer.ctl("bus", "add", "stage")
    mixer.ctl("send", "music", "stage", 0.5, "--pre")
    mixer.ctl("volume", "voice", 0.5)
    return mixer


def heard(mixer, jackd, ports=MONITOR):
    """What the ports play once what was asked has been crossed over to."""
    with Capture(jackd, ports) as capture:
        wait_until(lambda: capture.blocks.qsize() > 60, "it is heard")
        frames = capture.end()[5120:]
    assert (frames == frames[0]).all(), (frames.min(0), frames.max(0))
    return tuple(frames[0])


def test_what_is_monitored(desk, jackd):
    assert desk.ctl("monitor", "source").strip() == "solo" and desk.json("monitor", "level") == {"level": 1}
    desk.ctl("monitor", "source", "master")
    desk.ctl("play")
    wait_until(lambda: desk.json("position")["seconds"] > 0.1, "it plays")
    mix = (0.125 + 0.5 + 0.25, 0.0625 - 0.25 - 0.125)
    assert heard(desk, jackd) == mix == heard(desk, jackd, ("jmix:master_1", "jmix:master_2"))
    for words, expected in (
        (("source", "voice"), (0.125, 0.0625)),
        (("source", "stage"), (0.25, -0.125)),
        (("level", 0.5), (0.125, -0.0625)),
        (("mono", "on"), (0.03125, 0.03125)),
        (("mono", "off"), (0.125, -0.0625)),
        (("mute", "on"), (0, 0)),
        (("mute", "off"), (0.125, -0.0625)),
        (("source", "bus:1"), (0.125, -0.0625)),
        (("source", "solo"), None),
        (("source", "master"), (mix[0] / 2, mix[1] / 2)),
    ):
        desk.ctl("monitor", *words)
        if expected:
            assert np.allclose(heard(desk, jackd), expected, atol=1e-7), words
    desk.ctl("monitor", "dim", "on")
    assert np.allclose(heard(desk, jackd), np.array(mix) / 20, atol=1e-7)
    desk.ctl("monitor", "dimming", 40)
    assert np.allclose(heard(desk, jackd), np.array(mix) / 200, atol=1e-7)
    desk.ctl("monitor", "dim", "off")
    # The mix has not heard of all this.
    assert heard(desk, jackd, ("jmix:master_1", "jmix:master_2")) == mix
    # What is on solo beside the mix is heard in place of that.
    desk.ctl("solo-mode", "pfl")
    assert heard(desk, jackd) == (mix[0] / 2, mix[1] / 2)
    desk.ctl("solo", "voice", "on")
    assert heard(desk, jackd) == (0.125, 0.0625)
    desk.ctl("solo-mode", "afl")
    assert heard(desk, jackd) == (0.0625, 0.03125)
    desk.ctl("solo", "voice", "off")
    assert heard(desk, jackd) == (mix[0] / 2, mix[1] / 2)
    # A panic is heard there too.
    desk.ctl("panic")
    wait_until(lambda: desk.json("position")["state"] == "stopped", "it has stopped")
    assert heard(desk, jackd) == (0, 0)


def test_it_changes_without_a_click(desk, jackd):
    desk.ctl("monitor", "source", "voice")
    with Capture(jackd, MONITOR) as capture:
        wait_until(lambda: capture.blocks.qsize() > 20, "both ports are connected")
        desk.ctl("play")
        for at, words in enumerate(
            (
                ("source", "master"),
                ("mono", "on"),
                ("dim", "on"),
                ("mono", "off"),
                ("dim", "off"),
                ("mute", "on"),
                ("source", "stage"),
                ("mute", "off"),
                ("level", 2),
            ),
            1,
        ):
            wait_until(lambda: desk.json("position")["seconds"] > at / 10, "it plays")
            desk.ctl("monitor", *words)
        wait_until(lambda: desk.json("position")["seconds"] > 1.1, "it plays")
        frames = capture.end()
    first = np.flatnonzero(frames.any(1))[0]
    # From 0.875 to 0, or from -0.4375 to 0.2, in 5 ms.
    assert np.abs(np.diff(frames[first + 1 :], axis=0)).max() < 1.05 * 0.875 / 240
    assert np.allclose(frames[-1], (0.5, -0.25))


def test_ports_that_go_are_silent_first(desk, jackd):
    """Whoever is connected hears the last period again and again until a port is gone."""
    # Whoever connects would have solo go there, and the ports stay.
    desk.ctl("solo-mode", "in-place")
    desk.ctl("play")
    for _ in range(12):
        desk.ctl("monitor", "source", "voice")
        with jack.Client("looks", servername=jackd.name, no_start_server=True) as client:
            wait_until(lambda: len(ports_of(client, "jmix:monitor_")) == 2, "the monitor has ports")
            with Capture(jackd, MONITOR) as capture:
                wait_until(lambda: capture.blocks.qsize() > 30, "it is heard")
                desk.ctl("monitor", "source", "solo")
                wait_until(lambda: not ports_of(client, "jmix:monitor_"), "they have gone")
                frames = capture.end()[5120:, 0]
        loud = np.flatnonzero(frames)
        assert loud.size and (np.diff(loud) == 1).all(), "what was silent is heard again"


def test_it_is_kept_told_and_taken_back(desk, tmp_path):
    peer, subscriber = desk.osc(), Subscriber(desk.port)
    subscriber.listen()
    assert [
        subscriber.values[f"/monitor/{what}"]
        for what in ("source", "level", "dim", "dimming", "mono", "mute")
    ] == [["solo"], [1], [0], [20], [0], [0]]
    for address, value in (
        ("source", "voice"),
        ("level", 0.5),
        ("dim", 1),
        ("dimming", 12.0),
        ("mono", 1),
        ("mute", 1),
    ):
        assert peer.ask(f"/monitor/{address}", value) == []
        assert peer.ask(f"/monitor/{address}") == [(f"/monitor/{address}", [value])]
    subscriber.listen()
    assert subscriber.values["/monitor/source"] == ["voice"] and subscriber.values["/monitor/dim"] == [1]
    subscriber.close()
    desk.ctl("save", "kept")
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert kept["jmix"] == 3 and kept["monitor"] == {
        "source": "voice",
        "level": 0.5,
        "dim": True,
        "dimming": 12,
        "mono": True,
        "mute": True,
    }
    assert [step["name"] for step in desk.json("history")][-6:] == [
        "monitor voice",
        "monitor level",
        "monitor dim on",
        "monitor dimming",
        "monitor mono on",
        "monitor mute on",
    ]
    desk.ctl("load", "kept")
    assert desk.json("monitor", "source") == {"source": "voice"} and desk.json("monitor", "mono") == {
        "mono": True
    }
    # Who goes is not listened to, and is again when he is back.
    desk.ctl("remove", "voice")
    assert desk.ctl("monitor", "source").strip() == "solo"
    desk.ctl("undo")
    assert desk.ctl("monitor", "source").strip() == "voice"
    for words, reason in (
        (("source", "nobody"), "nobody"),
        (("level", 5), "volume"),
        (("dimming", 61), "60"),
        (("source", "*"), "where one is needed"),
        (("mono", "maybe"), "neither"),
    ):
        done = subprocess.run(
            [JMIXCTL, "--url", desk.url, "monitor", *map(str, words)],
            capture_output=True,
            text=True,
            timeout=20,
        )
        assert done.returncode in (1, 2) and reason in done.stderr, done
    kept["monitor"] = {"source": "nobody", "level": 9, "dimming": -1, "mono": 3}
    (tmp_path / "bad.json").write_text(json.dumps(kept))
    said = run("check", tmp_path / "bad.json", code=1)
    assert all(
        f"monitor, {field}" in said.stdout + said.stderr for field in ("source", "level", "dimming", "mono")
    ), said


def test_a_strip_may_be_called_solo(mixers, jackd, make_session, tmp_path):
    mixer = mixers(
        "--server", jackd.name, "--no-connect", make_session({"solo": steady(20 * RATE, 0.25, 0.25)})
    )
    mixer.ctl("monitor", "source", 1)
    mixer.ctl("save", "kept")
    mixer.ctl("load", "kept")
    mixer.ctl("play")
    assert heard(mixer, jackd) == (0.25, 0.25)


def test_it_is_heard_when_the_mix_is(mixers, jackd, make_session):
    """The master's limiter is late: so is what is monitored beside it, by as much."""
    clicks = np.zeros((20 * RATE, 2), np.float32)
    clicks[::4800] = 0.5
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({"click": clicks}))
    mixer.ctl("limit", "master", -1)
    for source in ("click", "master"):
        mixer.ctl("monitor", "source", source)
        mixer.ctl("play")
        with Capture(jackd, ("jmix:master_1", "jmix:monitor_1")) as capture:
            wait_until(lambda: capture.blocks.qsize() > 200, "clicks have come")
            frames = capture.end()[5120:]
        mixer.ctl("stop")
        assert (
            np.flatnonzero(frames[:, 0]).size > 1
            and (
                np.flatnonzero(np.abs(frames[:, 0]) > 0.4) == np.flatnonzero(np.abs(frames[:, 1]) > 0.4)
            ).all()
        ), source


# Talkback and soundcheck


@pytest.fixture
def stage(jackd):
    with Steady(jackd) as source:
        yield source


def test_a_talkback_is_no_reason_to_be_heard_beside_a_solo(mixers, jackd, stage, make_session):
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        make_session({"music": (steady(20 * RATE, 0.25, 0.25), {"mute": True})}),
    )
    for line in ("input add tb steady:out", "bus add stage", "output stage ports", "talkback tb --to stage"):
        mixer.ctl(*line.split())
    wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the input is connected")
    stage_ports, out = [(f"jmix:{name}_1", f"jmix:{name}_2") for name in ("stage", "master")]
    assert heard(mixer, jackd, out) == (0.5, 0.5)
    mixer.ctl("solo", "stage", "on")
    assert heard(mixer, jackd, out) == (0, 0), "what is not heard on the stage is silenced"
    mixer.ctl("talkback", "tb", "on")
    assert heard(mixer, jackd, stage_ports) == (0.5, 0.5) and heard(mixer, jackd, out) == (0, 0)
    # Behind the fader it is heard only with its track, which is heard for it.
    mixer.ctl("send", "tb", "stage", 1, "--post")
    assert heard(mixer, jackd, stage_ports) == (0.5, 0.5)
    mixer.ctl("talkback", "tb", "--to", "none")
    mixer.ctl("send", "tb", "stage", 1)
    assert heard(mixer, jackd, out) == (0.5, 0.5), "a send that is always there is one"


def test_a_talkback_is_made_and_spoken_by_in_one_line(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({"music": steady(RATE, 0, 0)}))
    for line in ("input add tb", "bus add stage", "bus add hall", "talkback tb --to stage hall on"):
        mixer.ctl(*line.split())
    assert mixer.json("talkback", "tb")["talkback"] is True
    assert mixer.osc().ask("/track/2/talkbackto") == [("/track/2/talkbackto", ["stage", "hall"])]
    assert "neither on nor off" in mixer.ctl("talkback", "tb", "--to", "none", "on", code=2)
    assert mixer.json("talkback", "tb")["talkback"] is True
    mixer.ctl("talkback", "tb", "--to", "stage", "off")
    assert mixer.json("talkback", "tb")["talkback"] is False
    assert mixer.osc().ask("/track/2/talkbackto") == [("/track/2/talkbackto", ["stage"])]


@pytest.mark.parametrize("led", [(), ("--transport", "jack")])
def test_a_panic_holds_where_nothing_is_heard_too(mixers, servers, make_session, led):
    tracks = {"music": steady(20 * RATE, 0.25, 0.25)}
    mixer = mixers("--server", servers().name, "--no-connect", *led, make_session(tracks))
    peer, subscriber = mixer.osc(), Subscriber(mixer.port)
    mixer.ctl("play")
    for end in (("panic", "off"), ("play",), ("stop",)):
        mixer.ctl("panic", "10ms")
        wait_until(lambda: mixer.json("position")["state"] == "stopped", "it has stopped")
        time.sleep(0.1)
        subscriber.listen()
        assert mixer.json("silenced") == {"silenced": True} and subscriber.values["/silenced"] == [1]
        mixer.ctl(*end)
        subscriber.listen()
        assert mixer.json("silenced") == {"silenced": False} and subscriber.values["/silenced"] == [0]
        mixer.ctl("play")
        mixer.ctl("stop")
    assert peer.ask("/silenced", 1) == [] and peer.ask("/silenced") == [("/silenced", [1])]
    # What is heard from now on is silent as well.
    mixer.ctl("input", "add", "mic", "nobody:out")
    assert mixer.json("silenced") == {"silenced": True}
    # A stop over a time is no panic.
    mixer.ctl("play")
    mixer.ctl("stop", "10ms")
    mixer.ctl("remove", "mic")
    wait_until(lambda: mixer.json("silenced") == {"silenced": False}, "a stop has stopped, and that is all")
    subscriber.close()


def test_a_talkback_is_heard_while_its_button_is_down(mixers, jackd, stage, make_session, tmp_path):
    path = make_session({"music": (steady(20 * RATE, 0.25, 0.25), {"mute": True})})
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    mixer.ctl("input", "add", "tb", "steady:out")
    peer, subscriber = mixer.osc(), Subscriber(mixer.port)
    for bus in ("one", "two"):
        mixer.ctl("bus", "add", bus)
        mixer.ctl("output", bus, "ports")
    assert "/track/2/talkback" not in subscriber.values
    assert "output tb none" in mixer.noted("talkback", "tb", "--to", "one", "bus:2")
    mixer.ctl("output", "tb", "none")
    subscriber.listen()
    assert subscriber.values["/track/2/talkback"] == [0] and subscriber.values["/track/2/talkbackto"] == [
        "one",
        "two",
    ]
    wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the input is connected")
    one, two, out = [(f"jmix:{name}_1", f"jmix:{name}_2") for name in ("one", "two", "master")]
    assert heard(mixer, jackd, one) == (0, 0)
    mixer.ctl("send", "tb", "two", 0.5)
    assert peer.ask("/track/tb/talkback", 1) == []
    assert mixer.json("talkback", "tb") == {"track": 2, "talkback": True}
    assert (
        heard(mixer, jackd, one) == (0.5, 0.5)
        and heard(mixer, jackd, two) == (0.25, 0.25)
        and heard(mixer, jackd, out) == (0, 0)
    )
    subscriber.listen()
    assert subscriber.values["/track/2/talkback"] == [1]
    subscriber.close()
    # It is a button, and no part of the session; a mute of the send holds all the same.
    mixer.ctl("save")
    kept = json.loads(path.read_text())
    assert kept["jmix"] == 3 and [
        (send["to"], send["pre"], send["talkback"]) for send in kept["tracks"][1]["sends"]
    ] == [("one", True, True), ("two", True, True)]
    assert peer.ask("/track/tb/send/two/mute", 1) == []
    assert heard(mixer, jackd, two) == (0, 0) and heard(mixer, jackd, one) == (0.5, 0.5)
    with Capture(jackd, one) as capture:
        wait_until(lambda: capture.blocks.qsize() > 20, "it is heard")
        assert peer.ask("/track/2/talkback", 0) == []
        wait_until(lambda: mixer.ctl("talkback", "tb").strip() == "0", "it is let go")
        wait_until(lambda: capture.blocks.qsize() > 80, "it is heard")
        frames = capture.end()[5120:]
    assert (
        np.abs(np.diff(frames[:, 0])).max() < 1.05 * 0.5 / 240 and frames[-1, 0] == 0 and frames[0, 0] == 0.5
    )
    # The same buses are kept, with their levels; others come and go.
    mixer.ctl("talkback", "tb", "--to", "two")
    mixer.ctl("talkback", "tb", "on")
    assert heard(mixer, jackd, one) == (0, 0) and mixer.json("sends", "tb")[0]["volume"] == 0.5
    mixer.ctl("talkback", "tb", "--to", "none")
    assert mixer.json("sends", "tb") == []
    for words, reason in (
        (("tb", "on"), "talks back to no bus"),
        (("tb", "--to", "three"), "three"),
        (("one", "--to", "two"), "no talkbackto"),
        (("tb", "maybe"), "neither"),
    ):
        done = subprocess.run(
            [JMIXCTL, "--url", mixer.url, "talkback", *words], capture_output=True, text=True, timeout=20
        )
        assert done.returncode in (1, 2) and reason in done.stderr, done
    # What is gone is let go, and a microphone does not open by itself when it is back.
    mixer.ctl("talkback", "tb", "--to", "one")
    mixer.ctl("talkback", "tb", "on")
    mixer.ctl("send", "tb", "one", "off")
    mixer.ctl("talkback", "tb", "off")
    mixer.ctl("undo")
    assert mixer.ctl("talkback", "tb").strip() == "0" and heard(mixer, jackd, one) == (0, 0)
    mixer.ctl("talkback", "tb", "on")
    mixer.ctl("remove", "one")
    mixer.ctl("undo")
    assert mixer.ctl("talkback", "tb").strip() == "0"
    mixer.ctl("talkback", "tb", "--to", "none")
    mixer.ctl("send", "tb", "one", 1)
    done = subprocess.run(
        [JMIXCTL, "--url", mixer.url, "talkback", "tb", "--to", "one"],
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert done.returncode == 1 and "send tb one off" in done.stderr, done
    # Nobody talks in a render.
    run("render", path, tmp_path / "out.wav", "--to", "1s", "--allow-missing")
    assert not soundfile.read(tmp_path / "out.wav")[0].any()


def test_a_soundcheck_plays_the_takes(mixers, jackd, stage, make_session):
    source = {"channels": 1, "connect": ["steady:out"]}
    path = make_session({"mic": (steady(20 * RATE, 0.25, 0.25), {"input": source, "monitor": "input"})})
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    mixer.ctl("input", "add", "new", "steady:out")
    subscriber = Subscriber(mixer.port)
    subscriber.listen()
    assert subscriber.values["/soundcheck"] == [0]
    wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the inputs are connected")
    out = ("jmix:master_1", "jmix:master_2")
    mixer.ctl("play")
    assert heard(mixer, jackd, out) == (1, 1)
    mixer.ctl("soundcheck", "on")
    assert mixer.json("soundcheck") == {"soundcheck": True} and mixer.json("status")["soundcheck"] is True
    # Who has no take is heard on.
    assert heard(mixer, jackd, out) == (0.75, 0.75)
    mixer.ctl("volume", "mic", 2)
    assert heard(mixer, jackd, out) == (1, 1)
    subscriber.listen()
    assert subscriber.values["/soundcheck"] == [1]
    subscriber.close()
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it has stopped")
    assert heard(mixer, jackd, out) == (0.5, 0.5)
    mixer.ctl("soundcheck", "off")
    assert heard(mixer, jackd, out) == (1.5, 1.5)
    # Whom somebody talks back by is heard on; and nothing is recorded over what is played.
    mixer.ctl("soundcheck", "on")
    mixer.ctl("bus", "add", "crew")
    mixer.ctl("talkback", "mic", "--to", "crew")
    assert heard(mixer, jackd, out) == (1.5, 1.5)
    mixer.ctl("talkback", "mic", "--to", "none")
    mixer.ctl("arm", "mic", "on")
    assert "soundcheck off" in mixer.ctl("record", "on", code=1)
    mixer.ctl("soundcheck", "off")
    mixer.ctl("record", "on")
    assert "record off" in mixer.ctl("soundcheck", "on", code=1)
    mixer.ctl("record", "off")
    # Faders are where they were set; another session begins without it, and nothing of it is kept.
    assert mixer.json("volume", "mic") == {"track": 1, "volume": 2}
    mixer.ctl("soundcheck", "on")
    mixer.ctl("save")
    assert "soundcheck" not in path.read_text()
    mixer.ctl("new")
    assert mixer.json("soundcheck") == {"soundcheck": False}
    assert "no track with an input has a take" in mixer.ctl("soundcheck", "on", code=1)


def test_a_panic_that_holds_is_said_and_ended(mixers, jackd, stage, make_session):
    mixer = mixers(
        "--server", jackd.name, "--no-connect", make_session({"music": steady(20 * RATE, 0.25, 0.25)})
    )
    mixer.ctl("input", "add", "mic", "steady:out")
    wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the input is connected")
    out, peer, subscriber = ("jmix:master_1", "jmix:master_2"), mixer.osc(), Subscriber(mixer.port)
    subscriber.listen()
    assert subscriber.values["/silenced"] == [0] and heard(mixer, jackd, out) == (0.5, 0.5)
    for end in (("panic", "off"), ("play",), ("stop",)):
        mixer.ctl("play")
        mixer.ctl("panic", "50ms")
        wait_until(lambda: mixer.json("position")["state"] == "stopped", "it has stopped")
        assert heard(mixer, jackd, out) == (0, 0)
        assert (
            mixer.json("silenced") == {"silenced": True}
            and mixer.json("status")["silenced"] is True
            and "panic off" in mixer.ctl("status")
        )
        subscriber.listen()
        assert subscriber.values["/silenced"] == [1]
        mixer.ctl(*end)
        assert heard(mixer, jackd, out) == ((0.75, 0.75) if end == ("play",) else (0.5, 0.5)), end
        assert mixer.json("silenced") == {"silenced": False}
    assert peer.ask("/silenced", 1) == [] and peer.ask("/silenced") == [("/silenced", [1])]
    assert peer.ask("/silenced", 0) == [] and peer.ask("/silenced") == [("/silenced", [0])]
    subscriber.close()


def solo_mode(mixer, mode):
    wait_until(lambda: mixer.json("solo-mode") == {"soloMode": mode}, f"solo is {mode}")


def test_whoever_connects_the_monitor_means_it(mixers, jackd, make_session):
    """Also by the program's options, and in another patchbay. It is no edit; what somebody has said stays."""
    session = make_session(TRACKS)

    def begun(*words):
        return mixers("--server", jackd.name, "--no-connect", "--discard", *words, session)

    option = ("--connect", "monitor_1=system:playback_1")
    mixer = begun(*option)
    solo_mode(mixer, "afl")
    wait_until(lambda: "solo-mode afl" in mixer.log, "the log says so")
    wait_until(lambda: mixer.json("connect")[0]["connected"], "its port is there, and connected")
    assert mixer.json("status")["unsaved"] is False and mixer.json("history") == []
    # With the first strip on solo it is said in the session: a render does the same then.
    mixer.ctl("solo", "voice", "on")
    mixer.ctl("save")
    assert json.loads(open(session).read())["soloMode"] == "afl"
    mixer.ctl("undo")
    assert mixer.json("solo", "voice")["solo"] is False
    mixer.ctl("solo-mode", "in-place")
    mixer.ctl("save")
    mixer.end()
    assert json.loads(open(session).read())["soloMode"] == "in-place"
    # It is kept, as somebody has said it.
    mixer = begun(*option)
    mixer.ctl("monitor", "source", "master")
    wait_until(lambda: mixer.json("connect")[0]["connected"], "it is connected")
    solo_mode(mixer, "in-place")
    mixer.end()


def test_another_patchbay_connects_the_monitor(mixers, jackd, make_session, tmp_path):
    session = make_session(TRACKS)
    (tmp_path / "other.json").write_text(open(session).read())
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    mixer.ctl("monitor", "source", "master")
    mixer.ctl("save")
    solo_mode(mixer, "in-place")
    mixer.ctl("volume", "voice", 0.5)
    mixer.ctl("undo")
    client = jack.Client("patchbay", servername=jackd.name, no_start_server=True)
    with client:
        wait_until(lambda: client.get_ports("jmix:monitor_2"), "the monitor has ports")
        # Not while something is on solo: that would be heard in the mix at once.
        mixer.ctl("solo", "voice", "on")
        client.connect("jmix:monitor_2", "system:playback_2")
        wait_until(lambda: mixer.json("connect"), "it is seen")
        solo_mode(mixer, "in-place")
        mixer.ctl("undo")
        solo_mode(mixer, "afl")
        assert mixer.json("status")["unsaved"] is False
        # What was taken back before can be made again.
        assert [step["done"] for step in mixer.json("history")].count(False) == 1
        # It stays so when the other end is gone: a solo does not come into the mix on air.
        client.disconnect("jmix:monitor_2", "system:playback_2")
        wait_until(lambda: mixer.json("connect") == [], "it is not connected")
        solo_mode(mixer, "afl")
        mixer.ctl("load", "other")
        solo_mode(mixer, "in-place")


@pytest.mark.parametrize("to", ["system:playback_1", "system:playback_*"])
def test_a_session_whose_monitor_is_connected(mixers, jackd, make_session, to):
    session = make_session(TRACKS)
    document = json.loads(open(session).read())
    document.update(jmix=2, connections=[{"port": "monitor_1", "to": to}], monitor={"source": "master"})
    open(session, "w").write(json.dumps(document))
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    wait_until(lambda: any(one["connected"] for one in mixer.json("connect")), "it is connected")
    solo_mode(mixer, "afl")
    mixer.ctl("disconnect", "monitor_1")
    solo_mode(mixer, "in-place")
    mixer.ctl("undo")
    solo_mode(mixer, "afl")


def test_who_connects_the_monitor_first_keeps_the_mix_from_solo(desk, jackd):
    assert desk.json("solo-mode") == {"soloMode": "in-place"}
    said = desk.noted("connect", "monitor_1", "system:playback_1")
    assert "solo-mode afl" in said and "solo-mode in-place" in said
    assert desk.json("solo-mode") == {"soloMode": "afl"}
    wait_until(lambda: all(link["connected"] for link in desk.json("connect")), "it is connected")
    # Who wants it otherwise is not asked again.
    desk.ctl("solo-mode", "in-place")
    assert "solo-mode afl or pfl makes" in desk.noted("connect", "monitor_2", "system:playback_2")
    assert desk.json("solo-mode") == {"soloMode": "in-place"}
    for name in ("connect", "solo mode", "connect"):
        assert name in desk.ctl("undo")
    assert desk.json("solo-mode") == {"soloMode": "in-place"} and desk.json("connect") == []
    # What plays nothing but a solo is one; who hears the mix there wants that too, but not while one is on.
    desk.ctl("solo", "voice", "on")
    assert "afl" not in desk.noted("connect", "monitor_1", "system:playback_1").split(":")[0]
    assert desk.json("solo-mode") == {"soloMode": "in-place"}
    desk.ctl("disconnect", "monitor_1")
    desk.ctl("solo", "voice", "off")
    desk.ctl("monitor", "source", "master")
    assert "solo-mode in-place" in desk.noted("connect", "monitor_1", "system:playback_1")
    assert desk.json("solo-mode") == {"soloMode": "afl"}
