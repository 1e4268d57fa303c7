"""Scenes keep how strips are wired: trims, polarities, outputs, solos, what hangs on DCAs."""

import json
import random

import numpy as np
import pytest
from conftest import RATE, Capture, run, steady, wait_until

WIRING = ("trim", "polarity", "output", "solo", "members")


@pytest.fixture
def session(make_session):
    session = make_session({name: steady(RATE, 0.25, 0.25) for name in ("voice", "music", "jingle")})
    for words in ("bus add hall", "bus add band", "dca add all voice", "dca add two"):
        run("edit", session, *words.split())
    return session


def wiring_of(session):
    """Of each strip what of a session's file is its wiring, defaults in."""
    document = json.loads(session.read_text())
    strips = {}
    for kind in ("tracks", "buses", "dcas"):
        for strip in document.get(kind, []):
            strips[strip["name"]] = (
                strip.get("trim", 1),
                strip.get("polarity", False),
                strip.get("output", "master"),
                strip.get("solo", False),
                strip.get("members", []),
            )
    master = document.get("master", {})
    strips["master"] = (master.get("trim", 1), master.get("polarity", False))
    return strips


@pytest.mark.parametrize("seed", range(8))
def test_what_was_stored_is_recalled(session, seed):
    """Random desks against what their files said when the scenes were stored."""
    rng = random.Random(seed)
    stored = {}
    for _ in range(12):
        lines = []
        for _ in range(rng.randint(1, 5)):
            strip = rng.choice(["voice", "music", "jingle", "band"])
            lines.append(
                rng.choice(
                    [
                        f"trim {strip} {rng.choice([0.25, 0.5, 1, 2])}",
                        f"trim master {rng.choice([0.5, 1])}",
                        f"polarity {strip} {rng.choice(['on', 'off'])}",
                        f"output {strip} {rng.choice(['master', 'hall', 'none', 'ports'])}",
                        f"solo {rng.choice([strip, 'all', 'two'])} {rng.choice(['on', 'off'])}",
                        f"dca {rng.choice(['all', 'two'])} assign {strip}",
                    ]
                )
            )
        name = f"s{rng.randint(1, 3)}"
        if name in stored and rng.random() < 0.6:
            lines.append(f"scene recall {name}")
            run("edit", session, input="\n".join(lines))
            assert wiring_of(session) == stored[name], (seed, name)
        else:
            lines.append(f"scene store {name}")
            run("edit", session, input="\n".join(lines))
            stored[name] = wiring_of(session)


def test_parts_and_strips_of_it(session):
    run("edit", session, input="trim voice 0.5\noutput voice hall\nsolo music on\nscene store one\n")
    run("edit", session, input="trim voice 1\noutput voice master\nsolo music off\nsolo voice on\n")
    run("edit", session, "scene", "recall", "one", "--only", "trim")
    assert wiring_of(session)["voice"] == (0.5, False, "master", True, [])
    run("edit", session, "scene", "recall", "one", "--only", "output,solo", "--strips", "voice")
    assert wiring_of(session)["voice"] == (0.5, False, "hall", False, [])
    assert wiring_of(session)["music"][3] is False


def test_a_scene_of_before_leaves_the_wiring(session):
    document = json.loads(session.read_text())
    document["scenes"] = [
        {"name": "old", "tracks": [{"track": "voice", "fader": 0.5, "pan": 0, "mute": False}]}
    ]
    session.write_text(json.dumps(document))
    run("edit", session, input="trim voice 0.5\nsolo voice on\noutput voice hall\nscene recall old\n")
    assert wiring_of(session)["voice"] == (0.5, False, "hall", True, [])
    assert json.loads(session.read_text())["tracks"][0]["fader"] == 0.5
    # It is written as it was.
    assert "wiring" not in json.loads(session.read_text())["scenes"][0]


def test_what_goes_goes_from_scenes(session):
    run("edit", session, input="output voice hall\ndca all assign music\nscene store one\n")
    run("edit", session, input="remove hall\nremove music\noutput voice none\nscene recall one\n")
    assert wiring_of(session)["voice"][2] == "master" and wiring_of(session)["all"][4] == ["voice"]
    assert "no problems" in run("check", session).stdout


def test_a_loop_that_a_scene_would_make_is_refused(session):
    run("edit", session, input="output hall band\nscene store one\noutput hall master\noutput band hall\n")
    before = session.read_text()
    said = run("edit", session, "scene", "recall", "one", "--strips", "hall", code=1).stderr
    assert "loop" in said and session.read_text() == before


def test_it_is_heard(mixers, jackd, make_session):
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        make_session({"a": steady(60 * RATE, 0.25, 0.25), "b": steady(60 * RATE, 0.125, 0.125)}),
    )
    mixer.ctl("bus", "add", "out")
    mixer.ctl("output", "out", "ports")
    mixer.ctl("dca", "add", "low", "b")
    mixer.ctl("volume", "low", 0.5)

    def heard():
        with Capture(jackd) as capture:
            wait_until(lambda: capture.blocks.qsize() > 60, "it is heard")
            frames = capture.end()[5120:]
        assert (frames == frames[0]).all()
        return frames[0, 0]

    mixer.ctl("play")
    assert heard() == 0.3125
    mixer.ctl("scene", "store", "one")
    for words in (
        ("output", "a", "out"),
        ("trim", "b", 2),
        ("dca", "low", "assign", "a"),
        ("polarity", "b", "on"),
        ("solo", "b", "on"),
    ):
        mixer.ctl(*words)
    assert heard() == -0.125
    mixer.ctl("scene", "store", "two")
    mixer.ctl("scene", "recall", "one")
    assert heard() == 0.3125
    mixer.ctl("scene", "recall", "two", "100ms")
    wait_until(lambda: np.isclose(mixer.json("trim", "b")["trim"], 2), "the trim has come")
    assert heard() == -0.125
    mixer.ctl("undo")
    assert heard() == 0.3125


def test_a_scene_that_says_half_of_it_is_refused(session):
    document = json.loads(session.read_text())
    document["scenes"] = [{"name": "x", "tracks": [{"track": "voice", "fader": 1, "trim": 0.5}]}]
    session.write_text(json.dumps(document))
    said = run("check", session, code=1)
    assert "scene 1, wiring" in said.stdout + said.stderr
