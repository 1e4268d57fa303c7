"""Hands write beside much that is mixed: a control thread that looks in the middle of a period finds nothing
that is not so."""

import json

import pytest
from conftest import RATE, steady, wait_until

pytestmark = pytest.mark.alone


def heavy(make_session, count):
    """Tracks whose mix takes a good part of a period."""
    session = make_session({"t0": steady(20 * RATE, 0.25, 0.25)}, tracks_of_files=["t0.wav"] * (count - 1))
    document = json.loads(session.read_text())
    for number, track in enumerate(document["tracks"]):
        track |= {
            "name": f"t{number}",
            "eq": {"hp": 80, "bands": [{"freq": freq, "gain": 3} for freq in (100, 500, 2000, 8000)]},
            "comp": {"threshold": -20, "ratio": 3},
        }
    session.write_text(json.dumps(document))
    return session


@pytest.mark.parametrize("mode", ["touch", "latch"])
def test_no_pass_is_lost(mixers, servers, make_session, mode):
    slow_server = servers(period=1024)
    mixer = mixers("--server", slow_server.name, "--no-connect", heavy(make_session, 240))
    peer = mixer.osc()
    mixer.ctl("write", "t0", mode)
    for turn in range(8):
        mixer.ctl("automation", "t0", "clear")
        mixer.ctl("locate", "0s")
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.1, "it rolls")
        peer.ask("/track/1/volume/touch", 1)
        peer.ask("/track/1/volume", 0.5)
        wait_until(lambda: mixer.json("position")["seconds"] > 0.3, "it has rolled on")
        peer.ask("/track/1/volume/touch", 0)
        mixer.ctl("stop")
        wait_until(lambda: mixer.json("automation", "t0"), f"what the hand did is written, turn {turn}")
    peer.close()


def test_a_tap_that_is_shorter_than_a_period_is_heard_and_written(mixers, servers, make_session):
    server = servers(period=1024)
    mixer = mixers(
        "--server", server.name, "--no-connect", make_session({"t0": steady(20 * RATE, 0.25, 0.25)})
    )
    peer = mixer.osc()
    mixer.ctl("write", "t0", "touch")
    for turn in range(10):
        mixer.ctl("automation", "t0", "clear")
        mixer.ctl("locate", "0s")
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.1, "it rolls")
        for address, value in (("volume/touch", 1), ("volume", 0.5), ("volume/touch", 0)):
            peer.send(f"/track/1/{address}", value)
        wait_until(lambda: mixer.json("automation", "t0"), f"the tap is written, turn {turn}")
        mixer.ctl("stop")
        values = [
            value
            for event in mixer.json("automation", "t0")
            for value in event.get("ramp", [event.get("value", event.get("volume"))])
        ]
        assert min(values) == pytest.approx(0.5, rel=0.01) and values[-1] == 1
        assert mixer.json("volume", "t0")["volume"] == 1
    peer.close()
