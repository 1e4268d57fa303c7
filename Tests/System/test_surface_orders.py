"""Surfaces and remotes while somebody else changes what they are on: strips go, sessions are opened, units
are plugged in again, two people learn at once."""

import json
import pathlib
import subprocess
import time

import pytest
from conftest import JMIXCTL, seconds_of, wait_until
from test_desks import STRIPS, Desk, desk  # noqa: F401
from test_mackie import GREATEST, mackie, position, touched  # noqa: F401
from test_midi import learn, stands, surface, value  # noqa: F401
from test_web import Web, messages, packet
from websocket import Socket


@pytest.fixture
def unit(mixer, mackie):
    mixer.ctl("midi", "map", "mackie")
    mackie.join(0, "mackie")
    mackie.stands(1, position(1))
    return mixer


def path_of(mixer):
    return pathlib.Path(mixer.json("status")["session"])


def learner(mixer, *words):
    """A shell that waits for somebody to move something."""
    process = subprocess.Popen(
        [JMIXCTL, "--url", mixer.url, "midi", "learn", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    time.sleep(0.5)
    return process


# MIDI


@pytest.mark.parametrize("other", [["midi", "learn", "off"], ["new"], ["load", "session"]])
def test_who_learns_is_told_that_another_has_ended_it(mixer, surface, other):
    mixer.ctl("save", "session")
    process = learner(mixer, "voice")
    mixer.ctl(*other)
    said, _ = process.communicate(timeout=15)
    assert process.returncode == 1 and "no MIDI message is bound" in said
    assert mixer.json("position")["state"] == "stopped"


def test_two_people_learn_at_once_and_the_second_one_does(mixer, surface):
    surface.join(0, "midi")
    first, second = learner(mixer, "voice"), learner(mixer, "music")
    said, _ = first.communicate(timeout=15)
    assert first.returncode == 1 and "somebody else" in said
    surface.send(0xB0, 9, 64)
    assert second.communicate(timeout=15)[0].strip() == "cc 1 9"
    assert [one["strip"] for one in mixer.json("midi")["bindings"]] == ["music"]


def test_a_refused_learn_leaves_who_learns_free_to_move(mixer, surface):
    peer = mixer.osc()
    peer.send("/midi/learn", "voice")
    peer.send("/midi/learn", "nobody")
    peer.send("/track/1/volume", 0.25)
    wait_until(lambda: mixer.json("volume", 1)["volume"] == 0.25, "the fader moves at once", 3)
    peer.close()


def test_what_is_learned_is_the_strips_that_was_meant(mixer, surface):
    """The session that is open is opened again meanwhile: its strips have other numbers."""
    surface.join(0, "midi")
    mixer.ctl("save", "session")
    mixer.ctl("remove", "music")
    mixer.ctl("save")
    process = learner(mixer, "voice")
    mixer.ctl("load", "session")
    surface.send(0xB0, 20, 40)
    said, _ = process.communicate(timeout=15)
    assert process.returncode == 1 and "another session is open" in said
    assert mixer.json("midi") == {} and value(mixer, "volume", "chime") == 1


@pytest.mark.parametrize(
    "message,first",
    [("cc14 1 7", [[0xB0, 39, 5]]), ("nrpn 1 300", [[0xB0, 99, 2], [0xB0, 98, 44], [0xB0, 38, 5]])],
)
def test_the_lower_half_alone_says_nothing(mixers, jackd, surface, make_session, message, first):
    bindings = [{"message": message, "strip": "music", "control": "volume"}]
    mixer = mixers("--server", jackd.name, "--no-connect", make_session(midi={"bindings": bindings}))
    surface.join(0, "midi")
    mixer.ctl("volume", "music", "0.9")
    for bytes in first:
        surface.send(*bytes)
    # What comes behind it is heard, so that was.
    surface.send(0xB0, 7 if "cc14" in message else 6, 64)
    wait_until(lambda: value(mixer, "volume", "music") != 0.9, "the upper half moves it")
    assert value(mixer, "volume", "music") > 0.01


def test_a_press_of_two_halves_is_one_press(mixers, jackd, surface, make_session):
    bindings = [{"message": "nrpn 1 300", "strip": "music", "control": "mute", "mode": "toggle"}]
    mixer = mixers("--server", jackd.name, "--no-connect", make_session(midi={"bindings": bindings}))
    surface.join(0, "midi")
    found = []
    for _ in range(3):
        for data in (127, 0):
            for number, byte in ((99, 2), (98, 44), (6, data), (38, 0)):
                surface.send(0xB0, number, byte)
        time.sleep(0.2)
        found.append(mixer.json("mute", "music")["mute"])
    assert found == [True, False, True]


def test_sixty_four_is_no_step(mixers, jackd, surface, make_session):
    bindings = [{"message": "cc 1 20", "strip": "music", "control": "volume", "mode": "relative"}]
    mixer = mixers("--server", jackd.name, "--no-connect", make_session(midi={"bindings": bindings}))
    surface.join(0, "midi")
    surface.send(0xB0, 20, 64)
    surface.send(0xB0, 20, 1)
    stands(mixer, "music", min(1, position(1) + 1 / 127))


def test_half_of_a_fine_controller_takes_its_place(mixer, surface):
    surface.join(0, "midi")
    assert learn(mixer, surface, ["music"], [0xB0, 7, 64], [0xB0, 39, 3]) == "cc14 1 7"
    assert learn(mixer, surface, ["voice"], [0xB0, 7, 66]) == "cc 1 7"
    assert [one["strip"] for one in mixer.json("midi")["bindings"]] == ["voice"]


def test_a_program_whose_scene_is_gone_is_told(mixer, surface):
    surface.join(0, "midi")
    mixer.ctl("scene", "store", "intro")
    assert learn(mixer, surface, ["--do", "scene recall intro"], [0xC0, 4]) == "program 1 5"
    mixer.ctl("scene", "remove", "intro")
    surface.send(0xC0, 4)
    wait_until(lambda: "MIDI asked for" in mixer.log and "intro" in mixer.log, "the log says so")


def test_a_knob_of_a_send_that_is_not_here_moves_nothing_else(mixers, jackd, surface, make_session):
    """Stored with a session that has the bus."""
    bindings = [{"message": "cc 1 20", "strip": "voice", "send": "hall", "control": "volume"}]
    first = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        make_session(buses=[{"name": "hall"}], midi={"bindings": bindings}),
    )
    first.ctl("send", "voice", "hall", "-6dB")
    first.ctl("midi", "store", "box")
    first.end()
    mixer = mixers("--server", jackd.name, "--no-connect", make_session())
    mixer.ctl("midi", "map", "box")
    assert mixer.json("midi") == {} and "nothing is bound" in mixer.ctl("midi")


# Mackie Control


def test_a_strip_goes_under_a_finger(unit, mackie):
    mackie.touch(1)
    wait_until(lambda: touched(unit, "voice"), "the finger holds it")
    unit.ctl("remove", "music")
    wait_until(lambda: not touched(unit, "voice"), "the strip that has moved away is let go")
    unit.ctl("volume", "voice", "0.3")
    # What has come under the finger is its as soon as it moves.
    mackie.move(1, int(position(0.7) * GREATEST))
    wait_until(lambda: touched(unit, "chime"), "it holds what it moves")
    unit.ctl("volume", "chime", "0.2", code=1)
    # Twice down is one finger.
    mackie.touch(1)
    mackie.touch(1, False)
    wait_until(lambda: not touched(unit, "chime"), "it lets go")
    assert not touched(unit, "voice")


def test_another_session_comes_under_a_finger(unit, mackie):
    path = path_of(unit)
    other = json.loads(path.read_text())
    other["tracks"].reverse()
    other["midi"] = {"surface": "mackie"}
    (path.parent / "other.json").write_text(json.dumps(other))
    # What is selected is another's there, and the finger holds nothing.
    mackie.press(0x19)
    wait_until(lambda: mackie.light(0x19) == 127, "voice is selected")
    mackie.touch(0)
    wait_until(lambda: touched(unit, "music"), "the finger holds it")
    unit.ctl("load", "other")
    wait_until(lambda: mackie.light(0x19) == 0, "nothing is selected")
    mackie.move(0, int(position(0.5) * GREATEST))
    wait_until(lambda: touched(unit, "chime"), "the finger holds what it moves")
    assert mackie.light(0x18) == 0 and mackie.light(0x1A) == 0
    mackie.touch(0, False)
    wait_until(lambda: not touched(unit, "chime"), "it lets go")


def test_a_unit_that_is_plugged_in_again_at_once_has_no_fingers(unit, mackie):
    mackie.touch(1)
    wait_until(lambda: touched(unit, "voice"), "the finger holds it")
    mackie.leave(0, "mackie")
    mackie.join(0, "mackie")
    wait_until(lambda: not touched(unit, "voice"), "nobody's finger is there any more")
    unit.ctl("volume", "voice", "0.5")
    mackie.stands(1, position(0.5))


def test_balance_that_hands_write_stays_in_a_loop_that_is_shorter_than_their_way_back(mixer):
    mixer.ctl("write", "music", "touch", "--of", "pan")
    mixer.ctl("loop", "1s", "1.02s")
    mixer.ctl("locate", "1s")
    mixer.ctl("play")
    peer = mixer.osc()
    for turn in range(20):
        peer.send("/track/1/pan", 0.5 if turn % 2 else 0.25)
        time.sleep(0.05)
    peer.close()
    wait_until(lambda: mixer.ctl("automation", "music", "--of", "pan"), "it is written")
    mixer.ctl("stop")
    path = path_of(mixer)
    mixer.ctl("save")
    lane = json.loads(path.read_text())["tracks"][0]["lanes"]["pan"]

    ends = [seconds_of(event.get("to", event.get("at"))) for event in lane]
    # It goes back in 5 ms.
    assert max(ends) <= 1.0251 and min(ends) >= 1


# X32 and X-Air


def test_remotes_are_told_which_scene_another_has_recalled(desk):
    mixer, remote = desk.mixer, desk.remote()
    mixer.ctl("scene", "store", "first")
    mixer.ctl("scene", "store", "second")
    remote.send("/xremote")
    remote.get("/ch/01/mix/fader")
    time.sleep(0.2)
    mixer.ctl("scene", "recall", "first")
    while (heard := remote.receive()) != ("/-show/prepos/current", [0]):
        assert heard[0].startswith("/"), heard
    assert remote.get("/-show/prepos/current") == 0


def test_what_is_remembered_stays_with_its_session(desk):
    mixer, remote = desk.mixer, desk.remote()
    path = path_of(mixer)
    remote.set("/ch/01/config/color", 5)
    time.sleep(0.7)
    mixer.ctl("save")
    (path.parent / "twin.json").write_text(path.read_text())
    before = remote.get("/ch/04/config/color")
    # Less than half a second before another is opened that remembers the same.
    remote.set("/ch/04/config/color", 2)
    mixer.ctl("load", "twin")
    assert remote.get("/ch/04/config/color") == before != 2
    mixer.ctl("save")
    assert "/ch/04/config/color" not in json.loads((path.parent / "twin.json").read_text())["desks"]["x32"]
    mixer.ctl("undo")
    assert remote.get("/ch/04/config/color") == 2


def test_whole_numbers_of_effects_are_remembered(desk):
    mixer, remote = desk.mixer, desk.remote()
    remote.set("/fx/1/type", "VREV")
    assert remote.set("/fx/1/par/04", 5) == 5
    time.sleep(0.7)
    mixer.ctl("save")
    mixer.ctl("load", path_of(mixer).stem)
    assert remote.get("/fx/1/par/04") == 5


def test_bits_of_what_has_come_since_are_as_they_are(desk):
    remote = desk.remote()
    there = len(desk.mixer.json("dcas"))
    assert remote.set("/ch/01/grp/dca", 255) == 255
    desk.mixer.ctl("dca", "add", "new one")
    assert remote.get("/ch/01/grp/dca") == 255 & ~(1 << there)
    assert remote.set("/-show/showfile/snippet/001/channels", -(1 << 31)) == -(1 << 31)


def test_subscriptions_of_endless_addresses_hold_up_nobody(desk):
    remote = desk.remote()
    for number in range(16):
        remote.send("/formatsubscribe", f"/a{number}", "/ch/" + "*" * 60000 + "/mix/fader", 1, 256, 1)
    assert remote.get("/ch/01/mix/fader") is not None
    assert desk.mixer.ctl("status")
    # What there is comes.
    remote.send("/formatsubscribe", "/b", "/ch/**/mix/fader", 1, 4, 1)
    address, (blob,) = remote.receive()
    assert address == "/b" and len(blob) == 4 + 4 * 4


def test_companion_and_chataigne_drive_one_mixer_at_once(mixers, jackd, make_session):
    """In the orders in which they ask: the one leases by one socket and sets by another, the other reads
    OSCQuery's tree and listens to single addresses."""
    mixer = mixers("--server", jackd.name, "--no-connect", "--x32", "0", "--web", "0", make_session(**STRIPS))
    wait_until(lambda: "an X32 find" in mixer.log, "it says where remotes find it")
    desk, web = Desk(mixer), Web(mixer)
    lease, sets = desk.remote(), desk.remote()
    assert sets.ask("/xinfo")[2] == "X32"
    assert web.json("/?HOST_INFO")["EXTENSIONS"]["LISTEN"] is True
    # Names as the one shows them, ranges as the other needs them.
    assert sets.get("/ch/02/config/name") == "voice"
    volume = web.json("/")["CONTENTS"]["track"]["CONTENTS"]["2"]["CONTENTS"]["volume"]
    assert volume["RANGE"] == [{"MIN": 0, "MAX": 4}]
    listener = Socket(web.port)
    listener.send(1, json.dumps({"COMMAND": "LISTEN", "DATA": "/track/2/volume"}).encode())
    assert messages(listener.receive()[1]) == [("/track/2/volume", [1.0])]
    lease.send("/xremote")
    lease.send("/subscribe", "/-stat/tape/etime", 20)
    assert lease.receive()[0] == "/-stat/tape/etime"
    for turn, share in enumerate((0.25, 0.5, 0.75)):
        lease.send("/xremote")
        sets.send("/ch/02/mix/fader", share)
        # Its own moves come back by the lease, for that is another socket.
        while (heard := lease.receive())[0] != "/ch/02/mix/fader":
            assert heard[0] == "/-stat/tape/etime"
        assert heard[1][0] == pytest.approx(share, abs=1e-3)
        ((address, (gain,)),) = messages(listener.receive()[1])
        if turn and gain == 0.125 * turn:
            # What it has set itself is told where another has moved the fader in the same moment.
            ((address, (gain,)),) = messages(listener.receive()[1])
        assert address == "/track/2/volume" and gain == pytest.approx(mixer.json("volume", 2)["volume"])
        # And the other's by both.
        listener.send(2, packet("/track/2/volume", 0.125 * (turn + 1)))
        while (heard := lease.receive())[0] != "/ch/02/mix/fader":
            assert heard[0] == "/-stat/tape/etime"
    lease.send("/unsubscribe")
    for remote in desk.remotes:
        remote.close()


def test_a_finger_that_stays_down_keeps_nobody_from_another_session(mixer):
    """What it did till then is kept; its fader is free in the other session."""
    path = path_of(mixer)
    document = json.loads(path.read_text())
    for track in document["tracks"]:
        track["fader"] = 0.5
    (path.parent / "other.json").write_text(json.dumps(document))
    name = document["tracks"][0]["name"]
    peer = mixer.osc()
    mixer.ctl("write", name, "touch")
    mixer.ctl("save")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.2, "it rolls")
    peer.ask("/track/1/volume/touch", 1)
    peer.ask("/track/1/volume", 0.25)
    wait_until(lambda: mixer.json("position")["seconds"] > 0.6, "the hand is heard")
    mixer.ctl("load", "other")
    assert mixer.json("volume", name)["volume"] == 0.5
    assert peer.ask("/track/1/volume/touch")[0][1][0] in (0, False)
    mixer.ctl("volume", name, 0.75)
    assert mixer.json("volume", name)["volume"] == 0.75
    # The way back is open too, with a finger that is down here.
    mixer.ctl("undo")
    peer.ask("/track/1/volume/touch", 1)
    mixer.ctl("undo")
    assert mixer.json("automation", name), "the pass is what it was"
    peer.close()
