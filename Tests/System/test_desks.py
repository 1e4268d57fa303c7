"""Remotes of X32 and X-Air desks drive the mixer: other people's libraries, and what desks themselves say."""

import asyncio
import json
import math
import os
import random
import re
import socket
import struct

import pytest
import xair_api
from behringer_mixer import mixer_api
from conftest import ROOT, seconds_of, wait_until
from pythonosc import osc_bundle_builder, osc_message_builder
from pythonosc.osc_message import OscMessage


class Remote:
    """One socket that speaks to a desk."""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.socket.settimeout(5)
        self.address = ("127.0.0.1", port)

    def send(self, address, *arguments):
        message = osc_message_builder.OscMessageBuilder(address)
        for argument in arguments:
            message.add_arg(*argument) if isinstance(argument, tuple) else message.add_arg(argument)
        self.socket.sendto(message.build().dgram, self.address)

    def receive(self):
        """The next message: an address, which may have no slash before it, and its arguments."""
        data = self.socket.recv(65536)
        address = data[: data.index(0)].decode()
        return address, list(OscMessage(b"/" + data[1:]).params)

    def ask(self, address, *arguments):
        self.send(address, *arguments)
        found = self.receive()
        assert found[0] == address, found
        return found[1]

    def get(self, address):
        return self.ask(address)[0]

    def set(self, address, *arguments):
        """A set is not answered: the question behind it says that it is done."""
        self.send(address, *arguments)
        return self.get(address)

    def node(self, path):
        self.send("/node", path)
        address, (line,) = self.receive()
        assert address == "node" and line.endswith("\n")
        return line[:-1]

    def is_silent(self, seconds=0.3):
        self.socket.settimeout(seconds)
        try:
            return f"it said {self.receive()}"
        except TimeoutError:
            return True
        finally:
            self.socket.settimeout(5)

    def close(self):
        self.socket.close()


def decibels(position):
    """The law of the desks' faders, as their documents give it."""
    if position >= 0.5:
        return 40 * position - 30
    if position >= 0.25:
        return 80 * position - 50
    if position >= 0.0625:
        return 160 * position - 70
    return 480 * position - 90 if position > 0 else -math.inf


def gain(position):
    return 10 ** (decibels(position) / 20)


def single(number):
    return struct.unpack("f", struct.pack("f", number))[0]


class Desk:
    """A mixer that is both desks."""

    def __init__(self, mixer):
        self.mixer = mixer
        self.remotes = []

    def port(self, name):
        return int(re.search(rf"remotes of {name} find the mixer on \S+ port (\d+)", self.mixer.log)[1])

    def remote(self, name="an X32"):
        self.remotes.append(Remote(self.port(name)))
        return self.remotes[-1]

    def value(self, *words):
        return float(self.mixer.ctl(*words).split()[0])


STRIPS = {
    "buses": [{"name": f"bus{n}"} for n in range(1, 5)],
    "dcas": [{"name": "band", "members": ["music"]}, {"name": "talk"}],
    "muteGroups": [{"name": "all", "members": ["music", "voice"]}, {"name": "few", "members": []}],
}


@pytest.fixture
def desk(mixers, jackd, make_session):
    mixer = mixers(
        "--server", jackd.name, "--no-connect", "--x32", "0", "--xair", "0", make_session(**STRIPS)
    )
    wait_until(lambda: "an X-Air find" in mixer.log, "it says where")
    desk = Desk(mixer)
    yield desk
    for remote in desk.remotes:
        remote.close()


def test_a_desk_says_who_it_is_without_type_tags_too(desk):
    for name, model, port in (("an X32", "X32", "osc-server"), ("an X-Air", "XR18", "jmix")):
        remote = desk.remote(name)
        remote.socket.sendto(b"/xinfo\0\0", remote.address)
        assert remote.receive()[1][:3] == ["127.0.0.1", "jmix", model]
        assert remote.ask("/info")[1:3] == [port, model]
        assert remote.ask("/status") == ["active", "127.0.0.1", "jmix"]


def test_unity_stays_unity_and_nothing_is_lost_on_the_way(desk):
    remote = desk.remote()
    dice = random.Random(3)
    for position in [0.75, 0.0, 1.0, 0.5, 0.25, 0.0625, 767 / 1023] + [dice.random() for _ in range(40)]:
        position = single(position)
        assert remote.set("/ch/01/mix/fader", position) == position
        assert desk.value("volume", "music") == pytest.approx(gain(position), rel=1e-6, abs=1e-9)
    remote.set("/ch/01/mix/fader", 0.75)
    assert desk.mixer.json("volume", "music")["volume"] == 1
    # Whole numbers at the ends, as some remotes send them.
    assert remote.set("/ch/01/mix/fader", 1) == 1.0
    assert desk.value("volume", "music") == pytest.approx(10**0.5, rel=1e-6)
    # The mixer goes on to +12 dB, where a desk ends.
    desk.mixer.ctl("volume", "music", "12dB")
    assert remote.get("/ch/01/mix/fader") == 1.0
    desk.mixer.ctl("volume", "music", "-10dB")
    assert remote.get("/ch/01/mix/fader") == pytest.approx(0.5)


def test_who_is_told_what(desk):
    author, other, quiet = desk.remote(), desk.remote(), desk.remote()
    for remote in (author, other):
        remote.send("/xremote")
        assert remote.get("/ch/01/mix/on") == 1
    author.send("/ch/01/mix/fader", 0.5)
    assert other.receive() == ("/ch/01/mix/fader", [0.5])
    author.send("/-stat/solosw/02", 1)
    assert {other.receive()[0], other.receive()[0]} == {"/-stat/solosw/02", "/-stat/solo"}
    assert author.receive() == ("/-stat/solo", [1])
    # What the mixer has not is told too.
    author.send("/ch/01/config/color", 4)
    assert other.receive() == ("/ch/01/config/color", [4])
    # Other hands: both are told.
    desk.mixer.ctl("mute", "voice", "on")
    for remote in (author, other):
        assert remote.receive() == ("/ch/02/mix/on", [0])
    desk.mixer.ctl("undo")
    for remote in (author, other):
        assert remote.receive() == ("/ch/02/mix/on", [1])
    assert author.is_silent() is True and other.is_silent() is True
    assert quiet.is_silent() is True, "who has no lease is told nothing"
    # What is put back at once is told too: at any moment between two looks at the mixer.
    peer = desk.mixer.osc()
    for turn in range(20):
        author.send("/ch/02/mix/on", 0)
        assert author.get("/ch/02/mix/on") == 0
        peer.ask("/track/voice/mute", 0)
        assert other.receive() == ("/ch/02/mix/on", [0])
        for remote in (author, other):
            assert remote.receive() == ("/ch/02/mix/on", [1]), turn
    assert author.is_silent() is True and other.is_silent() is True
    other.send("/unsubscribe")
    other.get("/ch/01/mix/on")
    author.send("/ch/01/mix/on", 0)
    assert other.is_silent() is True


def test_an_x_air_echoes_to_those_who_ask_for_it(desk):
    loud, quiet = desk.remote("an X-Air"), desk.remote("an X-Air")
    loud.send("/xremote")
    quiet.send("/xremotenfb")
    assert loud.get("/ch/01/mix/on") == 1 and quiet.get("/ch/01/mix/on") == 1
    loud.send("/ch/01/mix/fader", 0.25)
    assert loud.receive() == ("/ch/01/mix/fader", [0.25])
    assert quiet.receive() == ("/ch/01/mix/fader", [0.25])
    quiet.send("/ch/01/mix/fader", 0.5)
    assert loud.receive() == ("/ch/01/mix/fader", [0.5])
    assert quiet.is_silent() is True


def test_faders_mutes_pans_names_and_groups_are_the_mixers(desk):
    remote, mixer = desk.remote(), desk.mixer
    assert remote.get("/ch/02/config/name") == "voice"
    assert remote.set("/ch/02/config/name", "speaker") == "speaker"
    assert mixer.json("name", "2")["name"] == "speaker"
    # A name that is another's: the remote sees what it has set, the mixer keeps its own.
    assert remote.set("/ch/03/config/name", "music") == "music"
    assert mixer.json("name", "3")["name"] == "chime"
    assert remote.set("/ch/02/mix/on", 0) == 0 and mixer.json("mute", "2")["mute"] is True
    assert remote.set("/ch/02/mix/on", "ON") == 1 and mixer.json("mute", "2")["mute"] is False
    assert remote.set("/ch/02/mix/pan", 0.75) == 0.75 and desk.value("pan", "2") == 0.5
    assert remote.set("/bus/03/mix/fader", 0.5) == 0.5
    assert desk.value("volume", "bus:3") == pytest.approx(10**-0.5, rel=1e-6)
    assert remote.set("/main/st/mix/fader", 0.75) == 0.75 and desk.value("volume", "master") == 1
    assert remote.set("/dca/1/fader", 0.5) == 0.5 and remote.set("/dca/1/on", 0) == 0
    assert mixer.json("mute", "dca:1")["mute"] is True
    assert remote.get("/ch/01/grp/dca") == 1 and remote.get("/ch/02/grp/dca") == 0
    assert remote.set("/ch/02/grp/dca", 3) == 3
    assert [dca["members"] for dca in mixer.json("dcas")] == [["music", "speaker"], ["speaker"]]
    # Bits of DCAs that are not there are remembered.
    assert remote.set("/ch/02/grp/dca", 0x82) == 0x82
    assert [dca["members"] for dca in mixer.json("dcas")] == [["music"], ["speaker"]]
    assert remote.get("/ch/01/grp/mute") == 1
    assert remote.set("/ch/03/grp/mute", 2) == 2
    assert [g["members"] for g in mixer.json("mutegroup")] == [["music", "speaker"], ["chime"]]
    assert remote.set("/config/mute/2", 1) == 1
    assert [g["on"] for g in mixer.json("mutegroup")] == [False, True]
    assert remote.set("/-stat/solosw/01", 1) == 1 and mixer.json("solo", "1")["solo"] is True
    assert remote.get("/-stat/solo") == 1
    remote.send("/-action/clearsolo", 1)
    assert remote.get("/-stat/solo") == 0 and mixer.json("solo", "1")["solo"] is False
    assert remote.set("/ch/01/mix/st", 0) == 0 and mixer.json("output", "1")["output"] == "none"
    assert remote.set("/ch/01/mix/st", 1) == 1 and mixer.json("output", "1")["output"] == "master"
    assert remote.set("/ch/01/preamp/invert", 1) == 1 and mixer.json("polarity", "1")["polarity"] is True
    assert remote.set("/ch/01/preamp/trim", 1.0) == 1.0
    assert desk.value("trim", "1") == 4, "its end is the mixer's"


def test_sends_are_the_mixers(desk):
    remote, mixer = desk.remote(), desk.mixer
    assert remote.get("/ch/01/mix/03/level") == 0
    assert remote.set("/ch/01/mix/03/level", 0.75) == 0.75
    (send,) = mixer.json("sends", "music")
    # As the desk says that it stands before it is there.
    assert (send["to"], send["volume"], send["pre"], send["mute"]) == ("bus3", 1, True, False)
    assert remote.set("/ch/01/mix/03/type", 4) == 4 and mixer.json("sends", "music")[0]["pre"] is False
    assert remote.set("/ch/01/mix/03/type", 3) == 3
    assert remote.set("/ch/01/mix/03/pan", 0.0) == 0.0
    assert remote.set("/ch/01/mix/03/on", 0) == 0
    (send,) = mixer.json("sends", "music")
    assert (send["pan"], send["pre"], send["mute"]) == (-1, True, True)
    air = desk.remote("an X-Air")
    assert air.get("/ch/01/mix/03/level") == 0.75 and air.get("/ch/01/mix/03/tap") == 3
    assert air.set("/ch/02/mix/01/level", 0.5) == 0.5 and air.set("/ch/02/mix/01/tap", 4) == 4
    assert mixer.json("sends", "voice")[0]["volume"] == pytest.approx(10**-0.5, rel=1e-6)
    # To a bus that is not there it is remembered.
    assert remote.set("/ch/01/mix/16/level", 0.5) == 0.5
    assert len(mixer.json("sends", "music")) == 1
    # What is set before the level makes the send is so when it does; the tap is the pair's.
    remote.send("/", "ch/02/mix/03 OFF -9.8 +40 PRE")
    remote.receive()
    assert remote.set("/ch/02/mix/04/level", 0.75) == 0.75
    one, two = (
        next(send for send in mixer.json("sends", "voice") if send["to"] == bus) for bus in ("bus3", "bus4")
    )
    assert (one["mute"], one["pre"], one["pan"]) == (True, True, pytest.approx(0.4, abs=1e-6))
    assert one["volume"] == pytest.approx(10 ** (-9.8 / 20), rel=1e-3)
    assert (two["mute"], two["pre"]) == (False, True)
    assert remote.set("/ch/02/mix/03/type", 4) == 4
    assert [send["pre"] for send in mixer.json("sends", "voice") if send["to"] != "bus1"] == [False, False]


def test_processors_are_the_mixers(desk):
    remote, mixer = desk.remote(), desk.mixer
    assert remote.set("/ch/01/eq/2/f", 0.5) == 0.5
    assert remote.set("/ch/01/eq/2/g", 0.75) == 0.75
    assert remote.set("/ch/01/eq/1/type", 1) == 1
    # What the mixer has not there is kept, and a bell heard.
    assert remote.set("/ch/01/eq/2/type", 3) == 3
    eq = mixer.json("eq", "music")
    assert eq["bands"][1]["freq"] == pytest.approx(20 * 1000**0.5, rel=1e-6)
    assert eq["bands"][1]["gain"] == 7.5 and eq["bands"][0]["type"] == "lowshelf"
    assert remote.set("/ch/01/preamp/hpf", 0.5) == 0.5
    assert "hp" not in mixer.json("eq", "music"), "it is off"
    assert remote.set("/ch/01/preamp/hpon", 1) == 1
    assert mixer.json("eq", "music")["hp"] == pytest.approx(20 * 20**0.5, rel=1e-6)
    assert remote.set("/ch/01/preamp/hpon", 0) == 0
    assert "hp" not in mixer.json("eq", "music") and remote.get("/ch/01/preamp/hpf") == 0.5
    # A compressor is made when it is switched on, as it was set by then.
    assert remote.get("/ch/01/dyn/on") == 0
    assert remote.set("/ch/01/dyn/thr", 0.5) == 0.5 and remote.set("/ch/01/dyn/ratio", 6) == 6
    assert remote.set("/ch/01/dyn/ratio", "5.0") == 7
    assert mixer.json("comp", "music") is None
    assert remote.set("/ch/01/dyn/on", 1) == 1
    comp = mixer.json("comp", "music")
    assert (comp["threshold"], comp["ratio"]) == (-30, 5)
    assert remote.set("/ch/01/dyn/mgain", 0.25) == 0.25 and mixer.json("comp", "music")["makeup"] == 6
    assert remote.set("/ch/01/dyn/on", 0) == 0 and mixer.json("comp", "music")["on"] is False
    assert remote.set("/ch/01/gate/thr", 0.5) == 0.5 and remote.set("/ch/01/gate/on", 1) == 1
    assert mixer.json("gate", "music")["threshold"] == -40
    assert remote.set("/ch/01/delay/time", 0.5) == pytest.approx(0.5, abs=1e-3)
    assert mixer.ctl("delay", "1").startswith("0")
    assert remote.set("/ch/01/delay/on", 1) == 1
    assert mixer.json("delay", "1")["delay"] != "0s"
    mixer.ctl("comp", "voice", "-18", "4")
    assert remote.get("/ch/02/dyn/on") == 1 and remote.get("/ch/02/dyn/thr") == pytest.approx(0.7)
    assert remote.get("/ch/02/dyn/ratio") == 6


def test_frequencies_and_times_are_kept_between_a_desks_steps(desk):
    for name in ("an X32", "an X-Air"):
        remote = desk.remote(name)
        for address, part, words, field, low, high, steps in (
            ("eq/2/f", 0.6203, ("eq", "music"), ("bands", 1, "freq"), 20, 20000, 200),
            ("eq/2/q", 0.3333, ("eq", "music"), ("bands", 1, "q"), 10, 0.3, 71),
            ("preamp/hpf", 0.3333, ("eq", "music"), ("hp",), 20, 400, 100),
            ("dyn/release", 0.3333, ("comp", "music"), ("release",), 5, 4000, 100),
            ("gate/hold", 0.7777, ("gate", "music"), ("hold",), 0.02, 2000, 100),
        ):
            for switch in {"preamp/hpf": ["preamp/hpon"], "eq/2/f": [], "eq/2/q": []}.get(
                address, [f"{address.split('/')[0]}/on"]
            ):
                remote.set(f"/ch/01/{switch}", 1)
            # It is told in a desk's steps, which remotes rely on.
            assert abs(remote.set(f"/ch/01/{address}", part) - part) < 0.51 / steps, address
            value = desk.mixer.json(*words)
            for key in field:
                value = value[key]
            if isinstance(value, str):
                value = seconds_of(value) * 1000
            assert value == pytest.approx(low * (high / low) ** part, rel=2e-5), address
        desk.mixer.ctl("eq", "music", "clear")


def test_all_solos_are_cleared_those_that_are_remembered_too(desk):
    author, other = desk.remote(), desk.remote()
    for number in (1, 33, 49, 71):
        assert author.set(f"/-stat/solosw/{number:02}", 1) == 1
    assert author.set("/-stat/solosw/01", 0) == 0 and author.set("/-stat/solosw/49", 0) == 0
    assert author.get("/-stat/solo") == 1, "those of strips that are not there count"
    other.send("/xremote")
    assert other.get("/ch/01/mix/on") == 1
    author.send("/-action/clearsolo", 1)
    told = [other.receive() for _ in range(3)]
    assert ("/-stat/solosw/33", [0]) in told and ("/-stat/solosw/71", [0]) in told
    assert ("/-stat/solo", [0]) in told
    assert [author.get(f"/-stat/solosw/{number:02}") for number in (1, 33, 49, 71)] == [0, 0, 0, 0]
    assert author.get("/-stat/solo") == 0
    # Of a strip that has come since too.
    assert author.set("/-stat/solosw/04", 1) == 1
    desk.mixer.ctl("add", "music.wav")
    assert author.get("/-stat/solosw/04") == 0
    author.send("/-action/clearsolo", 1)
    desk.mixer.ctl("remove", 4)
    assert author.get("/-stat/solosw/04") == 0 and author.get("/-stat/solo") == 0


def test_what_is_sent_back_as_it_was_told_changes_nothing(desk):
    remote = desk.remote()
    desk.mixer.ctl("eq", "music", 1, 1234.5, 3)
    told = remote.get("/ch/01/eq/1/f")
    assert remote.set("/ch/01/eq/1/f", told) == told
    assert desk.mixer.json("eq", "music")["bands"][0]["freq"] == 1234.5
    assert remote.set("/ch/01/eq/1/f", 0.5) == 0.5
    assert desk.mixer.json("eq", "music")["bands"][0]["freq"] == pytest.approx(20 * 1000**0.5, rel=1e-6)


def test_what_others_have_set_comes_back_when_it_is_switched(desk):
    remote, mixer = desk.remote(), desk.mixer
    mixer.ctl("eq", "music", "hp", "120", "--slope", "12")
    mixer.ctl("delay", "music", "100ms")
    for address in ("/ch/01/preamp/hpon", "/ch/01/delay/on"):
        assert remote.set(address, 1) == 1
    assert mixer.json("eq", "music")["hp"] == 120 and mixer.json("delay", "music")["delay"] == "0.1s"
    for value in (0, 1):
        for address in ("/ch/01/preamp/hpon", "/ch/01/delay/on"):
            assert remote.set(address, value) == value
    assert mixer.json("eq", "music")["hp"] == pytest.approx(120, rel=0.02)
    assert mixer.json("delay", "music")["delay"] == "0.1s"


def test_a_fader_under_anothers_finger_is_told_where_it_stands(desk):
    remote, peer = desk.remote(), desk.mixer.osc()
    remote.send("/xremote")
    peer.ask("/track/1/volume/touch", 1)
    remote.send("/ch/01/mix/fader", 0.25)
    assert remote.receive() == ("/ch/01/mix/fader", [0.75])
    assert desk.value("volume", "music") == 1
    peer.close()


def test_what_does_not_change_is_told_to_nobody(desk):
    author, other = desk.remote(), desk.remote()
    other.send("/xremote")
    assert other.get("/ch/01/mix/on") == 1
    for _ in range(3):
        author.send("/ch/01/mix/fader", 0.5)
        author.send("/ch/01/config/color", 4)
    assert other.receive() == ("/ch/01/mix/fader", [0.5])
    assert other.receive() == ("/ch/01/config/color", [4])
    assert other.is_silent() is True


def test_scenes_count_from_zero_and_snapshots_from_one(desk):
    remote, air, mixer = desk.remote(), desk.remote("an X-Air"), desk.mixer
    assert remote.get("/-show/prepos/current") == -1
    for name, volume in (("first", 0.5), ("second", 0.25)):
        mixer.ctl("volume", "voice", volume)
        mixer.ctl("scene", "store", name)
    assert remote.get("/-show/showfile/scene/001/name") == "second"
    assert remote.get("/-show/showfile/scene/001/hasdata") == 1
    assert remote.get("/-show/showfile/scene/002/hasdata") == 0
    assert air.get("/-snap/02/name") == "second"
    # As a string, as some remotes send it.
    remote.send("/-action/goscene", "0")
    assert remote.get("/-show/prepos/current") == 0
    assert desk.value("volume", "voice") == 0.5
    air.send("/-snap/load", 2)
    assert air.get("/-snap/index") == 2 and air.get("/-snap/name") == "second"
    assert desk.value("volume", "voice") == 0.25
    remote.send("/load", "scene", 0)
    assert remote.receive() == ("/load", ["scene", 1])
    assert desk.value("volume", "voice") == 0.5
    mixer.ctl("volume", "voice", "1")
    remote.send("/save", "scene", 50, "third", "")
    assert remote.receive() == ("/save", ["scene", 1])
    assert remote.get("/-show/prepos/current") == 2, "it lies behind all others"
    remote.send("/load", "scene", 50)
    assert remote.receive() == ("/load", ["scene", 0])
    # Over one that is there; its name stays, and no other's place is taken.
    remote.send("/save", "scene", 1, "first", "")
    assert remote.receive() == ("/save", ["scene", 1])
    # Whoever else recalls a scene moves the pointer, and one that goes takes it along.
    mixer.ctl("scene", "recall", "third")
    assert remote.get("/-show/prepos/current") == 2 and air.get("/-snap/index") == 3
    assert mixer.ctl("scene", "list").split() == ["first", "second", "third"]
    remote.send("/showdump")
    lines = [remote.receive()[1][0] for _ in range(4)]
    assert lines[2] == '/-show/showfile/scene/001 "second" "" %000000000 1\n'


def test_the_transport_is_the_tape(desk):
    remote, mixer = desk.remote(), desk.mixer
    assert remote.get("/-stat/tape/state") == 0
    remote.send("/-stat/tape/state", 2)
    wait_until(lambda: mixer.json("position")["state"] == "rolling", "it plays")
    assert remote.get("/-stat/tape/state") == 2
    wait_until(lambda: remote.get("/-stat/tape/etime") == 1, "a second")
    remote.send("/-stat/tape/state", "STOP")
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stops")


def test_what_the_mixer_has_not_is_remembered_with_the_session(mixers, jackd, make_session):
    path = make_session(**STRIPS)
    mixer = mixers("--server", jackd.name, "--no-connect", "--x32", "0", "--osc-port", "0", path)
    wait_until(lambda: "X32 find" in mixer.log, "it says where")
    desk = Desk(mixer)
    remote = desk.remote()
    remote.set("/ch/01/config/color", 5)
    remote.set("/ch/01/config/icon", 33)
    remote.set("/headamp/003/gain", 0.5)
    remote.set("/ch/20/config/name", "choir")
    remote.set("/-stat/selidx", 7)
    remote.set("/ch/01/mix/fader", 0.5)
    # At once, and nothing that the mixer has.
    assert kept(mixer, path)["x32"] == {
        "/ch/01/config/color": 5,
        "/ch/01/config/icon": 33,
        "/headamp/003/gain": 0.5,
        "/ch/20/config/name": "choir",
    }
    assert [step["name"] for step in mixer.json("history")] == ["volume of music"], "no other step"
    mixer.ctl("scene", "store", "one")
    remote.set("/ch/02/config/color", 6)
    mixer.ctl("undo")
    assert kept(mixer, path)["x32"]["/ch/02/config/color"] == 6
    remote.set("/ch/02/config/color", 3)
    remote.close()
    mixer.end()
    mixer = mixers("--server", jackd.name, "--no-connect", "--x32", "0", path)
    wait_until(lambda: "X32 find" in mixer.log, "it says where")
    remote = Desk(mixer).remote()
    assert remote.get("/ch/01/config/color") == 5 and remote.get("/headamp/003/gain") == 0.5
    assert remote.get("/ch/20/config/name") == "choir" and remote.get("/-stat/selidx") == 0
    remote.send("/xremote")
    remote.get("/ch/01/mix/on")
    mixer.ctl("new")
    # Another document has a memory of its own, and that is told.
    told = {}
    while told.get("/ch/01/config/color") != [3]:
        address, told[address] = remote.receive()
    remote.close()


def kept(mixer, path):
    mixer.ctl("save")
    return json.loads(path.read_text()).get("desks", {})


# Lines of a real desk's scene file (M32R, firmware 4.09): what was set so reads so.
LINES = """
/config/solo   0.0 LRAFL 0.0 PFL PFL PFL OFF OFF OFF -20 OFF OFF OFF   0.3 OFF OFF OFF
/config/talk/A -12.0 OFF OFF %000000111111111111
/config/osc -40.0 100.2 1k00 F1 PINK 0
/config/routing/OUT OUT1-4 OUT5-8 OUT9-12 OUT13-16
/ch/31/preamp +0.0 OFF ON 24 178
/ch/31/gate ON GATE -80.0 60.0 10 50.2  258 0
/ch/31/dyn ON COMP PEAK LOG -23.0 5.0 1 0.00 10 10.0  151 POST 0 100 OFF
/ch/31/eq/1 PEQ 328.1 -6.25 2.0
/ch/31/eq/2 PEQ 893.4 -12.5 2.1
/ch/31/mix OFF   -oo ON +0 OFF   -oo
/ch/31/mix/01 ON  -9.8 +0 PRE 0
/ch/31/mix/02 ON  -9.8
/ch/31/grp %00000001 %000000
/ch/31/automix OFF  +0.0
/auxin/01/config "ProP L" 55 YE 33
/auxin/01/mix ON  -0.2 ON -100 OFF   -oo
/fxrtn/01/eq/4 HShv 10k02 +0.00 2.0
/bus/16/dyn OFF COMP RMS LOG 0.0 3.0 1 0.00 10 10.0  151 POST 0 100 OFF
/mtx/01/eq/1 LShv 79.6 +0.00 2.0
/main/m/mix ON   -oo
/dca/8/config "Vocals" 70 WH
/fx/1/source MIX13 MIX13
/outputs/p16/01/iQ OFF none Linear 0
/headamp/000 +23.0 ON
""".strip().split("\n")


def test_nodes_read_as_they_were_written(desk):
    remote = desk.remote()
    for line in LINES:
        remote.send("/", line)
        assert remote.receive() == ("/", [line])
        assert remote.node(line.split()[0][1:]) == line
    # A node by its beginning, one parameter, and what there is not.
    assert remote.node("ch/31/mix/fader") == "/ch/31/mix/fader   -oo"
    assert remote.node("dca").startswith("/dca/1 ")
    remote.send("/node", "nothing/here")
    assert remote.is_silent() is True
    # A word that cannot be stops the line.
    remote.send("/", "ch/30/mix OFF loud ON")
    remote.receive()
    assert remote.node("ch/30/mix") == "/ch/30/mix OFF   -oo ON +0 OFF   -oo"
    # Groups are asked and set as typed values.
    assert remote.ask("/ch/31/eq/1")[:2] == [2, pytest.approx(0.405, abs=1e-3)]
    remote.send("/ch/31/eq/1", 1, 0.5)
    assert remote.ask("/ch/31/eq/1")[:2] == [1, 0.5]
    # A node of the mixer's own.
    remote.send("/", "ch/01/mix ON -6.0")
    remote.receive()
    assert desk.value("volume", "music") == pytest.approx(10 ** (-6 / 20), rel=1e-6)


def expanded(pattern):
    """All that a pattern with braces stands for."""
    found = re.search(r"\{([^}]*)\}", pattern)
    if not found:
        return [pattern]
    choices = found[1].split(",")
    if span := re.fullmatch(r"(\d+)\.\.(\d+)", found[1]):
        choices = [str(n).zfill(len(span[1])) for n in range(int(span[1]), int(span[2]) + 1)]
    head, tail = pattern[: found.start()], pattern[found.end() :]
    return [head + choice + rest for choice in choices for rest in expanded(tail)]


def documented(name):
    """The addresses of the documented tree, each with its type."""
    with open(os.path.join(ROOT, f"Sources/Dialects/X32/{name}.swift")) as file:
        text = file.read()
    table = re.search(r'#"""\n(.*?)\n    """#', text, re.DOTALL)[1]
    table = re.sub(r"\\\n +", "", table)
    table = re.sub(r"\n     +", " ", table)
    for line in table.split("\n"):
        heads, _, words = line.strip().partition("|")
        for word in words.split():
            name, _, kind = word.partition("=")[0].partition(":")
            tag = {"t": str, "l": float, "p": float}.get(kind[:1], int)
            for head in heads.split():
                for node in expanded(head):
                    for leaf in expanded(name):
                        yield f"{node}/{leaf}", tag


@pytest.mark.parametrize("name, table", [("an X32", "X32Table"), ("an X-Air", "XAirTable")])
def test_every_address_of_the_documented_tree_answers_with_its_type(desk, name, table):
    remote = desk.remote(name)
    asked = dict(documented(table))
    assert len(asked) > (18_000 if name == "an X32" else 3000)
    wrong, addresses = [], list(asked)
    for start in range(0, len(addresses), 200):
        for address in addresses[start : start + 200]:
            remote.send(address)
        for address in addresses[start : start + 200]:
            found, (value,) = remote.receive()
            is_effect = "/par/" in found
            if found != address or (type(value) is not asked[address] and not is_effect):
                wrong.append((address, found, value))
    assert wrong == []


def test_meters_are_blobs(desk):
    remote, air, mixer = desk.remote(), desk.remote("an X-Air"), desk.mixer
    mixer.ctl("play")
    remote.send("/meters", "/meters/1")
    # A period that is late has moved no meter since it was last read.
    wait_until(lambda: peak(remote)[:3] == (0.25, 0.125, 0.0625), "the tracks' levels")
    address, (blob,) = remote.receive()
    assert address == "/meters/1" and len(blob) == 4 + 96 * 4
    count, *values = struct.unpack("<i96f", blob)
    assert count == 96 and values[32:] == [1.0] * 64
    assert all(value in (0, level) for value, level in zip(values, [0.25, 0.125, 0.0625]))
    remote.send("/batchsubscribe", "mine", "/meters/2", 0, 0, 1)
    wait_until(lambda: remote.receive()[0] == "mine", "under its own name")
    remote.send("/unsubscribe")
    air.send("/batchsubscribe", "meters/1", "/meters/1", 0, 0, 0)
    address, (blob,) = raw(air)
    assert address == "meters/1"
    wait_until(
        lambda: struct.unpack("<i40h", raw(air)[1][0])[1] == round(20 * math.log10(0.25) * 256), "in dB"
    )
    count, *values = struct.unpack("<i40h", raw(air)[1][0])
    assert count == 40 and values[3] == -32768
    assert values[36] == pytest.approx(20 * math.log10(0.4375) * 256, abs=1)
    # A value again and again, and a format of several.
    remote = desk.remote()
    remote.send("/subscribe", "/ch/01/mix/fader", 1)
    assert [remote.receive() for _ in range(3)] == [("/ch/01/mix/fader", [0.75])] * 3
    remote.send("/unsubscribe")
    remote.send("/formatsubscribe", "form", "/ch/**/mix/on", "/dca/*/on", 1, 2, 1)
    wait_until(lambda: (found := remote.receive())[0] == "form" and found, "the format")
    found = wait_until(lambda: (found := remote.receive())[0] == "form" and found, "the format")
    assert struct.unpack("<5i", found[1][0]) == (20, 1, 1, 1, 1)


def peak(remote):
    return struct.unpack("<i96f", remote.receive()[1][0])[1:]


def raw(remote):
    """A message whose address may have no slash."""
    data = remote.socket.recv(65536)
    end = data.index(0)
    start = (end // 4 + 1) * 4 + 4
    (size,) = struct.unpack(">i", data[start : start + 4])
    return data[:end].decode(), [data[start + 4 : start + 4 + size]]


def test_xair_api_drives_it(desk):
    def is_so(condition, what):
        # It waits for 20 ms, and takes what came last for its answer, which may be no number.
        def holds():
            try:
                return condition()
            except TypeError:
                return False

        wait_until(holds, f"it reads {what}")

    with xair_api.connect("XR18", ip="127.0.0.1", port=desk.port("an X-Air")) as air:
        strip = air.strip[0]
        strip.mix.fader = -6.0
        is_so(lambda: strip.mix.fader == pytest.approx(-6.0, abs=0.1), "the fader")
        assert desk.value("volume", "music") == pytest.approx(10 ** (-6 / 20), rel=1e-3)
        strip.mix.on = False
        is_so(lambda: strip.mix.on is False, "the mute")
        assert desk.mixer.json("mute", "1")["mute"] is True
        strip.config.name = "organ"
        is_so(lambda: strip.config.name == "organ", "the name")
        assert desk.mixer.json("name", "1")["name"] == "organ"
        strip.config.color = 6
        is_so(lambda: strip.config.color == 6, "the colour")
        strip.send[0].level = -12
        is_so(lambda: strip.send[0].level == pytest.approx(-12, abs=0.2), "the send's level")
        strip.gate.release = 360
        is_so(lambda: strip.gate.release == 360, "the gate's release")
        strip.eq.on = False
        is_so(lambda: strip.eq.on is False, "whether the equaliser is on")
        air.lr.mix.fader = 0
        is_so(lambda: air.lr.mix.fader == 0, "the main fader")
        assert desk.value("volume", "master") == 1
        air.dca[0].on = False
        is_so(lambda: air.dca[0].on is False, "the DCA's mute")
        assert desk.mixer.json("mute", "dca:1")["mute"] is True
        air.bus[1].dyn.on = True
        is_so(lambda: air.bus[1].dyn.on is True, "whether the compressor is on")
        assert desk.mixer.json("comp", "bus:2") is not None
    with xair_api.connect("X32", ip="127.0.0.1", port=desk.port("an X32")) as x32:
        x32.strip[1].mix.on = False
        is_so(lambda: x32.strip[1].mix.on is False, "the mute")
        assert desk.mixer.json("mute", "2")["mute"] is True
        is_so(lambda: x32.mainst.mix.fader == 0, "the main fader")


def test_behringer_mixer_drives_it(desk):
    async def drive(kind, name, scene):
        mixer = mixer_api.create(kind, ip="127.0.0.1", port=desk.port(name))
        mixer.port_number = desk.port(name)
        mixer.port = desk.port(name)
        assert await mixer.start()
        await mixer.reload()
        state = mixer.state()
        assert state["/ch/1/config_name"] == "music"
        for number in (1, 2, 3):
            await mixer.set_value(f"/ch/{number}/mix_fader", number * 0.2)
        await mixer.set_value("/ch/2/mix_on", False)
        await asyncio.sleep(0.1)
        assert mixer.state("/ch/3/mix_fader") == pytest.approx(0.6, abs=1e-3)
        told = []
        # It renews its lease for as long as it is subscribed, and returns then.
        subscribed = asyncio.create_task(mixer.subscribe(told.append))
        await asyncio.sleep(0.2)
        await asyncio.to_thread(desk.mixer.ctl, "volume", "chime", "1")
        for _ in range(100):
            if mixer.state("/ch/3/mix_fader") == pytest.approx(0.75):
                break
            await asyncio.sleep(0.05)
        assert mixer.state("/ch/3/mix_fader") == pytest.approx(0.75) and told
        await mixer.load_scene(scene)
        assert mixer.state("/scene/current") == scene
        subscribed.cancel()
        await mixer.unsubscribe()
        await mixer.stop()

    desk.mixer.ctl("scene", "store", "one")
    desk.mixer.ctl("scene", "store", "two")
    asyncio.run(asyncio.wait_for(drive("X32", "an X32", 1), 60))
    assert desk.mixer.json("mute", "2")["mute"] is False, "the scene is recalled"
    asyncio.run(asyncio.wait_for(drive("XR18", "an X-Air", 2), 60))


def test_numbers_of_any_size_and_bundles(desk):
    remote, air = desk.remote(), desk.remote("an X-Air")
    for number in (
        -(2**63),
        2**63 - 1,
        float(-(2**63)),
        9e18,
        math.inf,
        math.nan,
        "-9223372036854775808",
        "x",
    ):
        values = [(number, "h")] if isinstance(number, int) else [number]
        if isinstance(number, float):
            values += [(number, "d")]
        for value in values:
            for address in (
                "/-snap/load",
                "/-snap/save",
                "/-snap/index",
                "/ch/01/mix/on",
                "/ch/01/config/color",
            ):
                air.send(address, value)
            for address in (
                "/-action/goscene",
                "/-show/prepos/current",
                "/ch/01/grp/dca",
                "/ch/01/eq/1/type",
            ):
                remote.send(address, value)
            remote.send("/formatsubscribe", "a", "b", value, value)
            remote.send("/meters", "/meters/6", value, value, value)
    assert remote.get("/ch/01/mix/fader") == 0.75 and air.get("/ch/01/mix/fader") == 0.75
    # More than a message holds, and more than one asks for.
    remote.send("/unsubscribe")
    remote.send("/formatsubscribe", "much", *["/ch/**/mix/on"] * 64, 0, 999)
    for number in range(40):
        remote.send("/subscribe", f"/ch/{number % 32 + 1:02}/mix/on", 1)
    many = osc_bundle_builder.OscBundleBuilder(osc_bundle_builder.IMMEDIATELY)
    for _ in range(100):
        many.add_content(osc_message_builder.OscMessageBuilder("/xinfo").build())
    quiet = desk.remote()
    quiet.socket.sendto(many.build().dgram, quiet.address)
    assert quiet.is_silent() is True


@pytest.mark.parametrize("name, table", [("an X32", "X32Table"), ("an X-Air", "XAirTable")])
def test_hostile_packets_change_nothing_else(desk, name, table):
    seed = int(os.environ.get("JMIX_SEED", "11"))
    print(f"seed {seed}")
    dice, mixer = random.Random(seed), desk.mixer
    remote = desk.remote(name)
    addresses = [address for address, _ in documented(table) if not address.startswith("/ch/0")]
    mixer.ctl("play")
    before = mixer.json("status")
    for number in range(20_000):
        builder = osc_message_builder.OscMessageBuilder(
            dice.choice(
                addresses + ["/node", "/", "/meters", "/subscribe", "/formatsubscribe", "/load", "/renew"]
            )
        )
        for _ in range(dice.randrange(4)):
            kind = dice.randrange(5)
            builder.add_arg(
                [
                    dice.choice([0, 1, -1, 2**31 - 1, -(2**31), 2**62, -(2**62), dice.randrange(100)]),
                    dice.choice(
                        [0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 1e38, 9.2e18, -9.3e18, dice.random()]
                    ),
                    dice.choice(["", "ch/01/mix ON", "/meters/1", "\u00e9" * 300, "ch", "%", "-oo", "1k97"]),
                    dice.randbytes(dice.randrange(1, 9)),
                    True,
                ][kind]
            )
        data = bytearray(builder.build().dgram)
        if dice.random() < 0.3:
            for _ in range(dice.randrange(1, 6)):
                data[dice.randrange(len(data))] = dice.randrange(256)
        remote.socket.sendto(bytes(data), remote.address)
        if number % 500 == 0:
            probe = Remote(remote.address[1])
            assert probe.ask("/status")[0] == "active"
            probe.close()
    after = mixer.json("status")
    assert after["dropouts"] == before["dropouts"] == 0
    assert mixer.process.poll() is None


def test_only_those_who_are_allowed_get_in(mixers, jackd, make_session):
    mixer = mixers(
        "--server", jackd.name, "--no-connect", "--x32", "0", "--osc-allow", "10.9.8.0/24", make_session()
    )
    wait_until(lambda: "X32 find" in mixer.log, "it says where")
    remote = Desk(mixer).remote()
    remote.send("/xinfo")
    assert remote.is_silent() is True
    remote.close()
