"""Mute groups, and mutes that close the sends before the fader too, as the ports give them."""

import json
import subprocess

import numpy as np
import pytest
from conftest import JMIX, JMIXCTL, RATE, Capture, rendered, run, steady, wait_until
from test_subscribe import Subscriber

TRACKS = {
    "drums": steady(20 * RATE, 0.25, 0.25),
    "bass": steady(20 * RATE, 0.125, 0.125),
    "voice": steady(20 * RATE, 0.0625, 0.0625),
}


@pytest.fixture
def desk(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session(TRACKS))
    mixer.ctl("bus", "add", "stage")
    mixer.ctl("output", "stage", "ports")
    for name in TRACKS:
        mixer.ctl("send", name, "stage", 1, "--pre")
    mixer.ctl("play")
    return mixer


def test_a_line_has_the_members_and_the_switch(desk):
    desk.ctl("mutegroup", "band", "drums", "bass", "on")
    (group,) = desk.json("mutegroup")
    assert group == {"name": "band", "members": ["drums", "bass"], "on": True}
    desk.ctl("mutegroup", "band", "voice", "off")
    assert desk.json("mutegroup") == [{"name": "band", "members": ["voice"], "on": False}]
    # Each is one step.
    assert desk.ctl("undo").strip() == "mute group band"
    assert desk.json("mutegroup") == [group]
    desk.ctl("redo")
    # A strip that there is not has nothing be done.
    assert "there is no track nobody" in desk.ctl("mutegroup", "band", "nobody", "on", code=1)
    assert desk.json("mutegroup") == [{"name": "band", "members": ["voice"], "on": False}]


def heard(jackd, ports=("jmix:master_1", "jmix:master_2")):
    with Capture(jackd, ports) as capture:
        wait_until(lambda: capture.blocks.qsize() > 60, "it is heard")
        frames = capture.end()[5120:]
    assert (frames == frames[0]).all()
    return frames[0, 0]


STAGE = ("jmix:stage_1", "jmix:stage_2")


def test_a_group_silences_its_members_beside_their_own_mutes(desk, jackd, tmp_path):
    subscriber = Subscriber(desk.port)
    desk.ctl("mutegroup", "band", "drums", "bass")
    assert heard(jackd) == 0.4375
    desk.ctl("mutegroup", "band", "on")
    assert heard(jackd) == 0.0625 and heard(jackd, STAGE) == 0.4375
    assert desk.json("mute", "drums") == {"track": 1, "mute": False}
    assert desk.json("mutegroup") == [
        {"name": "band", "members": ["drums", "bass"], "on": True}
    ] and "band" in desk.ctl("mutegroup")
    subscriber.listen()
    assert json.loads(subscriber.values["/mutegroups"][0]) == desk.json("mutegroup")
    subscriber.close()
    # Who is in two is silenced by either; a mute of its own goes on.
    desk.ctl("mutegroup", "all", "*")
    desk.ctl("mutegroup", "all", "on")
    desk.ctl("mutegroup", "band", "off")
    assert heard(jackd) == 0
    desk.ctl("mute", "voice", "on")
    desk.ctl("mutegroup", "all", "off")
    assert heard(jackd) == 0.375
    desk.ctl("undo")
    assert heard(jackd) == 0
    desk.ctl("mutegroup", "all", "remove")
    assert heard(jackd) == 0.375
    desk.ctl("mutegroup", "band", "on")
    desk.ctl("save")
    path = tmp_path / "session.json"
    kept = json.loads(path.read_text())
    assert kept["jmix"] == 3 and kept["muteGroups"] == [
        {"name": "band", "members": ["drums", "bass"], "on": True}
    ]
    assert not rendered(path, "--to", "1s").any()
    desk.ctl("remove", "bass")
    assert desk.json("mutegroup")[0]["members"] == ["drums"]
    for words, reason in (
        (("nobody", "on"), "mutegroup nobody STRIP"),
        (("x", "master"), "mute of its own"),
        (("x", "y"), "y"),
        (("a/b", "drums"), "cannot name"),
    ):
        done = subprocess.run(
            [JMIXCTL, "--url", desk.url, "mutegroup", *words], capture_output=True, text=True, timeout=20
        )
        assert done.returncode == 1 and reason in done.stderr, done
    kept["muteGroups"] += [
        {"name": "band"},
        {"members": []},
        {"name": "c", "members": ["nobody", "master", 3]},
    ]
    path.write_text(json.dumps(kept))
    done = subprocess.run([JMIX, "check", path], capture_output=True, text=True, timeout=20)
    assert done.returncode == 1 and len(done.stdout.splitlines()) == 5, done


def test_a_mute_of_all_closes_the_sends_before_the_fader(desk, jackd, tmp_path):
    desk.ctl("mute", "drums", "on")
    assert heard(jackd, STAGE) == 0.4375
    desk.ctl("mute-mode", "drums", "all")
    assert desk.ctl("mute-mode", "drums").strip() == "all"
    assert heard(jackd, STAGE) == 0.1875
    desk.ctl("mute", "drums", "off")
    assert heard(jackd, STAGE) == 0.4375
    # Of a DCA those of its members, whatever their own mode.
    desk.ctl("dca", "add", "rhythm", "drums", "bass")
    desk.ctl("mute", "rhythm", "on")
    assert heard(jackd) == 0.0625 and heard(jackd, STAGE) == 0.4375
    desk.ctl("mute-mode", "rhythm", "all")
    assert heard(jackd, STAGE) == 0.0625
    desk.ctl("mute", "rhythm", "off")
    # Of a group by the mode of each.
    desk.ctl("mutegroup", "band", "drums", "bass")
    desk.ctl("mutegroup", "band", "on")
    assert heard(jackd, STAGE) == 0.1875
    desk.ctl("mutegroup", "band", "off")
    with Capture(jackd, STAGE) as capture:
        wait_until(lambda: capture.blocks.qsize() > 40, "it is heard")
        desk.ctl("mute", "drums", "on")
        wait_until(lambda: capture.blocks.qsize() > 120, "it is muted")
        frames = capture.end()[5120:, 0]
    assert frames[0] == 0.4375 and frames[-1] == 0.1875 and np.abs(np.diff(frames)).max() < 1.05 * 0.25 / 240
    desk.ctl("save")
    kept = json.loads((tmp_path / "session.json").read_text())
    assert (
        kept["tracks"][0]["muteMode"] == "all" and kept["dcas"][0]["muteMode"] == "all" and kept["jmix"] == 3
    )
    run("check", tmp_path / "session.json")


def test_a_mute_of_all_on_the_timeline_closes_the_sends_too(desk, jackd, tmp_path):
    desk.ctl("output", "*", "none")
    desk.ctl("output", "stage", "master")
    desk.ctl("dca", "add", "rhythm", "drums", "bass")
    desk.ctl("volume", "drums", "on", "1s", "--of", "mute")
    desk.ctl("volume", "drums", "off", "2s", "--of", "mute")
    desk.ctl("volume", "rhythm", "on", "3s", "--of", "mute")

    def levels():
        desk.ctl("save")
        mix = rendered(tmp_path / "session.json", "--to", "4s")[:, 0]
        # A fade of 5 ms from the point on: a line.
        assert np.abs(np.diff(mix)).max() < 1.05 * 0.375 / 240
        return [mix[round(seconds * RATE)] for seconds in (0.5, 1, 1.01, 1.99, 2.01, 2.99, 3.01)]

    assert levels() == [0.4375] * 7
    desk.ctl("mute-mode", "drums", "all")
    assert levels() == [0.4375, 0.4375, 0.1875, 0.1875, 0.4375, 0.4375, 0.4375]
    # Of a DCA those of its members, whatever their own mode.
    desk.ctl("mute-mode", "rhythm", "all")
    assert levels() == [0.4375, 0.4375, 0.1875, 0.1875, 0.4375, 0.4375, 0.0625]
    desk.ctl("mute-mode", "drums", "main")
    assert levels() == [0.4375] * 6 + [0.0625]
    # Live as well, and what is heard before the fader goes on.
    desk.ctl("stop")
    desk.ctl("locate", "3.5s")
    desk.ctl("solo-mode", "pfl")
    desk.ctl("solo", "bass", "on")
    desk.ctl("play")
    assert heard(jackd) == 0.0625
    assert heard(jackd, ("jmix:monitor_1", "jmix:monitor_2")) == 0.125


def test_what_is_closed_stays_so_while_a_send_comes_to_leave_elsewhere(desk, jackd):
    """Before the fader or behind it: neither is heard, nor anything on the way from one to the other."""
    desk.ctl("mute-mode", "*", "all")
    desk.ctl("mute", "*", "on")
    assert heard(jackd, STAGE) == 0
    peer = desk.osc()
    with Capture(jackd, STAGE) as capture:
        wait_until(lambda: capture.blocks.qsize() > 20, "it is heard")
        for flag in ("--post", "--pre"):
            desk.ctl("send", "drums", "stage", flag)
            desk.ctl("undo")
            desk.ctl("redo")
        # Several in one period too.
        for flag in (0, 1, 0, 1, 1, 0):
            peer.send("/track/*/send/stage/pre", flag)
        desk.ctl("position")
        seen = capture.blocks.qsize()
        wait_until(lambda: capture.blocks.qsize() > seen + 60, "the last is done")
        assert not capture.end().any()
    peer.close()


def test_a_dca_that_is_muted_while_that_is_written_closes_the_sends_of_its_members(desk, jackd):
    desk.ctl("dca", "add", "rhythm", "drums", "bass")
    desk.ctl("mute-mode", "rhythm", "all")
    desk.ctl("write", "rhythm", "latch", "--of", "mute")
    desk.ctl("mute", "rhythm", "on")
    assert heard(jackd, STAGE) == 0.0625
    begin = desk.json("position")["seconds"]
    wait_until(lambda: desk.json("position")["seconds"] > begin + 4, "the pass is long enough to be heard")
    desk.ctl("stop")
    wait_until(lambda: desk.json("automation", "rhythm", "--of", "mute"), "the pass is written")
    # The hand has gone back, and the timeline says the same.
    desk.ctl("locate", f"{begin}s")
    assert desk.json("mute", "rhythm") == {"dca": 1, "mute": False}
    desk.ctl("play")
    assert heard(jackd, STAGE) == 0.0625


def test_a_dca_on_solo_is_all_that_hangs_on_it(desk, jackd, tmp_path):
    desk.ctl("dca", "add", "rhythm", "drums", "bass")
    desk.ctl("solo", "rhythm", "on")
    assert heard(jackd) == 0.375 and heard(jackd, STAGE) == 0.4375
    assert desk.json("solo", "rhythm") == {"dca": 1, "solo": True}
    assert desk.json("dcas")[0]["solo"] is True and desk.json("solo", "drums")["solo"] is False
    # Who comes to hang on it is heard, who is let go is not.
    desk.ctl("dca", "rhythm", "assign", "voice")
    desk.ctl("dca", "rhythm", "unassign", "drums")
    assert heard(jackd) == 0.1875
    # Beside a solo of its own.
    desk.ctl("solo", "drums", "on")
    assert heard(jackd) == 0.4375
    desk.ctl("solo", "drums", "off")
    desk.ctl("undo")
    desk.ctl("undo")
    desk.ctl("save")
    assert rendered(tmp_path / "session.json", "--to", "1s")[0, 0] == 0.1875
    # Beside the mix: before the faders.
    desk.ctl("solo-mode", "pfl")
    desk.ctl("volume", "bass", 0.5)
    assert heard(jackd) == 0.375
    assert heard(jackd, ("jmix:monitor_1", "jmix:monitor_2")) == 0.1875
    desk.ctl("solo", "rhythm", "off")
    assert heard(jackd, ("jmix:monitor_1", "jmix:monitor_2")) == 0
