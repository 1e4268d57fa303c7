"""OSC from other people's clients: every address set and asked, refusals that change nothing, patterns,
bundles, TCP."""

import ctypes
import json
import math
import os
import socket
import struct
import subprocess
import threading
import time

import jack
import numpy as np
import pytest
import soundfile
from conftest import JMIXCTL, RATE, ROOT, Capture, OscPeer, bundle, steady, wait_until
from pythonosc import osc_bundle_builder, osc_message_builder


@pytest.fixture
def peer(mixer):
    peer = mixer.osc()
    yield peer
    peer.close()


# address, what to set, the question, the answer
SETTINGS = [
    ("/track/1/volume", [0.5], "/track/1/volume", [0.5]),
    ("/track/1/volume", ["-inf"], "/track/1/volume", [0.0]),
    ("/track/2/volume", [1], "/track/voice/volume", [1.0]),
    ("/track/voice/volume", [(0.25, "d")], "/track/2/volume", [0.25]),
    ("/track/1/volume/db", [-6], "/track/1/volume", [pytest.approx(0.5011872)]),
    ("/track/1/volume/db", [-math.inf], "/track/1/volume/db", [-math.inf]),
    ("/track/1/volume", [2], "/track/1/volume/position", [1.0]),
    ("/track/1/volume/position", [0.5], "/track/1/volume/db", [pytest.approx(-10.469019)]),
    ("/track/*/volume/position", [0.0], "/track/2/volume", [0.0]),
    ("/master/volume/db", [0], "/master/volume/position", [pytest.approx(0.78178675)]),
    ("/track/1/fade", [0.75, 0.0], "/track/1/volume", [0.75]),
    ("/track/1/fade", [0.25, "0s", "scurve"], "/track/1/volume", [0.25]),
    ("/track/1/mute", [1], "/track/1/mute", [1]),
    ("/track/1/mute", [False], "/track/1/mute", [0]),
    ("/track/1/solo", [True], "/track/1/solo", [1]),
    ("/track/1/pan", [-0.5], "/track/1/pan", [-0.5]),
    ("/track/1/name", ["piano"], "/track/piano/name", ["piano"]),
    ("/track/1/fadein", ["500ms"], "/track/1/fadein", ["0.5s"]),
    ("/track/1/fadeout", [2.0], "/track/1/fadeout", ["2s"]),
    ("/master/volume", [0.5], "/master/volume", [0.5]),
    ("/master/fade", [0.25, 0.0], "/master/volume", [0.25]),
    ("/master/mute", [1], "/master/mute", [1]),
    ("/transport/loop", [1.0, "3s"], "/transport/loop", [1.0, 3.0]),
    ("/transport/loop", [0, 3.0], "/transport/loop", [0.0, 3.0]),
    ("/transport/loop", [(0, "h"), (96000, "h")], "/transport/loop", [0.0, 2.0]),
    ("/transport/loop", ["off"], "/transport/loop", [False]),
    ("/transport/loop", [0], "/transport/loop", [False]),
    ("/transport/locate", [(96000, "h")], "/transport/position", [96000, 2.0]),
    ("/transport/locate", ["1:30"], "/transport/position", [90 * RATE, 90.0]),
    ("/transport/play", [], "/transport/state", ["rolling"]),
    ("/transport/stop", [], "/transport/state", ["stopped"]),
]


@pytest.mark.parametrize("address, arguments, question, answer", SETTINGS)
def test_every_address_is_set_and_asked(peer, address, arguments, question, answer):
    assert peer.ask(address, *arguments) == []
    ((answered, values),) = peer.ask(question)
    assert values == answer
    if "/track/" in question:
        assert answered.startswith("/track/")
    else:
        assert answered == question


def events(peer, track=1):
    ((_, (text,)),) = peer.ask(f"/track/{track}/automation")
    return json.loads(text)


def test_the_timeline_is_set_and_asked(peer):
    assert events(peer) == []
    assert peer.ask("/track/1/volume", 0.5, "0s") == []
    assert peer.ask("/track/1/ramp", 0.5, 0.8, "2s", "4s") == []
    assert peer.ask("/track/1/ramp", 0.8, 0.1, 4.0, (240000, "h"), "equalpower") == []
    assert peer.ask("/track/1/volume", 0.3, 7) == []
    assert events(peer) == [
        {"volume": 0.5, "at": "0s"},
        {"ramp": [0.5, 0.8], "from": "2s", "to": "4s"},
        {"ramp": [0.8, 0.1], "from": "4s", "to": "5s", "curve": "equalpower"},
        {"volume": 0.3, "at": "7s"},
    ]
    assert peer.ask("/track/1/automation/clear", "3s", "6s") == []
    assert len(events(peer)) == 2
    assert peer.ask("/track/1/automation/clear") == []
    assert events(peer) == []
    ((address, (said_of, reason)),) = peer.ask("/track/1/ramp", 0.5, 0.8, "4s", "2s")
    assert (address, said_of) == ("/error", "/track/1/ramp") and reason


def test_tracks_come_and_go(peer, tmp_path):
    soundfile.write(tmp_path / "new.wav", steady(RATE, 0.5, 0.5), RATE)
    assert peer.ask("/track/add", "new.wav", "1s") == [("/track/add", [4])]
    assert peer.ask("/track/4/insert", "new.wav", "5s", "250ms", "500ms") == []
    assert peer.ask("/track/4/insert", "new.wav", "1.5s")[0][0] == "/error"
    assert peer.ask("/duck", "music", "new", 0.3, "100ms", 0.2) == []
    ((_, (text,)),) = peer.ask("/tracks")
    tracks = json.loads(text)
    assert [(t["number"], t["name"], t["clips"]) for t in tracks] == [
        (1, "music", 1),
        (2, "voice", 1),
        (3, "chime", 1),
        (4, "new", 2),
    ]
    assert peer.ask("/session/save") == []
    saved = json.loads((tmp_path / "session.json").read_text())
    assert saved["ducks"] == [
        {"track": "music", "under": "new", "to": 0.3, "attack": "0.1s", "release": "0.2s"}
    ]
    assert saved["tracks"][3]["clips"] == [
        {"file": "new.wav", "at": "1s"},
        {"file": "new.wav", "at": "5s", "from": "0.25s", "duration": "0.5s"},
    ]
    assert peer.ask("/track/new/remove") == []
    assert peer.ask("/session/undo") == [("/session/undo", ["remove new"])]
    assert peer.ask("/session/redo") == [("/session/redo", ["remove new"])]
    assert len(json.loads(peer.ask("/tracks")[0][1][0])) == 3
    assert peer.ask("/session/redo")[0][0] == "/error"


def test_sessions_are_saved_and_loaded_by_name(peer, tmp_path):
    peer.ask("/track/1/volume", 0.125)
    assert peer.ask("/session/save", "evening") == []
    peer.ask("/track/1/volume", 0.5)
    assert json.loads((tmp_path / "evening.json").read_text())["tracks"][0]["fader"] == 0.125
    assert [address for address, _ in peer.ask("/session/load", "evening")] == ["/note"], (
        "what was not saved is taken back"
    )
    assert peer.ask("/track/1/volume")[0][1] == [0.125]
    assert peer.ask("/session/load", "evening") == [], "now nothing is"
    assert peer.ask("/session/load", "nothing")[0][0] == "/error"
    for name in ("../evil", "/tmp/evil", "", ".hidden", "a/b"):
        assert peer.ask("/session/save", name)[0][0] == "/error"
    assert sorted(p.name for p in tmp_path.glob("*.json")) == ["evening.json", "session.json"]


def test_the_whole_is_asked(peer):
    status = json.loads(peer.ask("/status")[0][1][0])
    assert (
        status["state"] == "stopped"
        and status["sampleRate"] == RATE
        and status["period"] == 256
        and status["tracks"] == 3
        and status["server"] is True
    )
    assert status["xruns"] >= 0 and status["dropouts"] == 0 and status["frame"] == 0
    assert peer.ask("/version")[0][1][0].startswith("jmix ")
    peer.send("/ping")
    assert peer.receive() == ("/pong", [])
    for number in (1.5, (2**40, "h")):
        peer.send("/ping", number)
        address, (asked, why) = peer.receive()
        assert (address, asked) == ("/error", "/ping") and "whole number" in why, number


def test_meters_tell_peak_and_rms(peer):
    peer.ask("/transport/play")
    wait_until(lambda: peer.ask("/transport/position")[0][1][1] > 0.5, "half a second has played")
    ((_, levels),) = peer.ask("/track/1/meter")
    assert levels[:2] == [0.25, 0.25] and all(abs(level - 0.25) < 1e-3 for level in levels[2:])
    answers = peer.ask("/track/*/meter")
    assert [address for address, _ in answers] == ["/track/1/meter", "/track/2/meter", "/track/3/meter"]
    ((_, levels),) = peer.ask("/master/meter")
    assert levels[:2] == [0.4375, 0.4375]


def test_patterns_reach_every_track_that_matches(peer):
    assert peer.ask("/track/*/mute", 1) == []
    assert [values for _, values in peer.ask("/track/*/mute")] == [[1], [1], [1]]
    assert peer.ask("/track/[12]/mute", 0) == []
    assert [values for _, values in peer.ask("/track/{music,chime}/mute")] == [[0], [1]]
    assert peer.ask("/track/v?ice/mute")[0] == ("/track/2/mute", [0])
    assert peer.ask("/track/x*/mute")[0][0] == "/error"
    assert peer.ask("/track/[1/mute")[0][0] == "/error"


def test_a_question_is_answered_at_the_address_that_was_asked(peer, mixer):
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("send", "voice", "hall", "0.5")
    for question in (
        "/track/2/volume", "/track/voice/volume", "/track/hall/pan", "/bus/hall/volume",
        "/track/voice/automation", "/track/voice/volume/automation", "/track/voice/meter",
        "/track/voice/clips", "/track/voice/sends", "/track/voice/eq", "/track/voice/eq/1/gain",
        "/track/voice/send/hall/volume", "/track/2/send/1/volume", "/master/loudness",
    ):  # fmt: skip
        answers = peer.ask(question)
        assert [address for address, _ in answers] == [question]
    # The shell names strips by their numbers, however they are called.
    assert mixer.json("volume", "voice")["track"] == 2 and mixer.json("volume", "hall")["bus"] == 1
    assert mixer.json("send", "voice", "hall") == mixer.json("send", "2", "1")


REFUSED = [
    ("/track/1/volume/db", [12.1]),
    ("/track/1/volume/db", [math.nan]),
    ("/track/1/volume/db", ["x"]),
    ("/track/1/volume/position", [1.1]),
    ("/track/1/volume/position", [-0.1]),
    ("/track/1/volume/position", [math.nan]),
    ("/track/1/volume/x", []),
    ("/master/volume/x", [1]),
    ("/track/1/volume", [math.nan]),
    ("/track/1/volume", [math.inf]),
    ("/track/1/volume", [-0.1]),
    ("/track/1/volume", [4.5]),
    ("/track/1/volume", ["loud"]),
    ("/track/1/volume", [True]),
    ("/track/1/volume", [b"blob"]),
    ("/track/9/volume", [0.5]),
    ("/track/0/volume", [0.5]),
    ("/track/-1/volume", [0.5]),
    ("/track/nobody/volume", [0.5]),
    ("/track/1/volume", [0.5, "soon"]),
    ("/track/1/volume", [0.5, -1.0]),
    ("/track/1/volume", [0.5, math.nan]),
    ("/track/1/ramp", [0.5]),
    ("/track/1/ramp", [0.5, 0.8, "2s"]),
    ("/track/1/ramp", [0.5, 0.8, "2s", "4s", "wavy"]),
    ("/track/1/ramp", [0.5, math.nan, "2s", "4s"]),
    ("/track/1/ramp", []),
    ("/track/1/fade", [0.5]),
    ("/track/1/fade", [math.nan, 1.0]),
    ("/track/1/mute", ["on"]),
    ("/track/1/mute", [2]),
    ("/track/1/pan", [1.5]),
    ("/track/1/pan", [math.nan]),
    ("/track/1/pan", ["left"]),
    ("/track/1/name", [5]),
    ("/track/1/name", [""]),
    ("/track/1/name", ["voice"]),
    ("/track/1/name", ["12"]),
    ("/track/*/name", ["same"]),
    ("/track/1/fadein", ["x"]),
    ("/track/1/nothing", []),
    ("/track/1", []),
    ("/nothing", []),
    ("/", []),
    ("/track/add", []),
    ("/track/add", ["missing.wav"]),
    ("/track/add", ["/etc/passwd"]),
    ("/track/add", ["../../etc/passwd"]),
    ("/track/add", ["session.json"]),
    ("/track/1/insert", ["music.wav", "1s"]),
    ("/track/1/insert", ["music.wav"]),
    ("/duck", ["music"]),
    ("/duck", ["music", "music", 0.5]),
    ("/duck", ["music", "nobody", 0.5]),
    ("/transport/locate", []),
    ("/transport/locate", [-1.0]),
    ("/transport/locate", [math.nan]),
    ("/transport/locate", ["x"]),
    ("/transport/loop", [2.0, 1.0]),
    ("/transport/loop", [2.0]),
    ("/master/volume", [math.nan]),
    ("/master/pan", [1.5]),
    ("/master/solo", [1]),
    ("/dca/1/pan", [0]),
    ("/session/load", []),
    ("/session/undo", []),
    ("/track/1/automation/clear", ["3s", "1s"]),
    ("/track/1/volume", [1.0, "1s", True, 7]),
]


@pytest.mark.parametrize("address, arguments", REFUSED)
def test_what_is_refused_answers_error_and_changes_nothing(peer, address, arguments, tmp_path):
    def state():
        status = json.loads(peer.ask("/status")[0][1][0])
        return (
            peer.ask("/tracks"),
            peer.ask("/track/*/automation"),
            [status[key] for key in ("state", "frame", "tracks", "unsaved")],
        )

    before = state()
    answers = peer.ask(address, *arguments)
    assert len(answers) == 1 and answers[0][0] == "/error"
    assert answers[0][1][0] == address and len(answers[0][1][1]) > 5
    assert state() == before


def test_a_link_out_of_the_folder_is_not_followed(
    peer, mixers, jackd, make_session, tmp_path, tmp_path_factory
):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    soundfile.write(elsewhere / "far.wav", steady(RATE, 0.5, 0.5), RATE)
    os.symlink(elsewhere / "far.wav", tmp_path / "link.wav")
    for name in ("link.wav", str(elsewhere / "far.wav")):
        ((address, (_, reason)),) = peer.ask("/track/add", name)
        assert address == "/error" and "--media" in reason
    other = mixers(
        "--server", jackd.name, "--name", "other", "--media", elsewhere, make_session(name="other.json")
    ).osc()
    assert other.ask("/track/add", "far.wav") == [("/track/add", [4])]
    other.close()


def test_oscsend_is_understood(mixer, peer):
    subprocess.run(["oscsend", "localhost", str(mixer.port), "/track/2/volume", "f", "0.5"], check=True)
    subprocess.run(
        ["oscsend", f"osc.tcp://127.0.0.1:{mixer.port}", "/track/3/volume", "f", "0.25"], check=True
    )
    subprocess.run(["oscsend", "localhost", str(mixer.port), "/track/1/mute", "T"], check=True)
    subprocess.run(["oscsend", "localhost", str(mixer.port), "/transport/locate", "h", "48000"], check=True)
    wait_until(
        lambda: peer.ask("/track/2/volume")[0][1] == [0.5] and peer.ask("/track/3/volume")[0][1] == [0.25],
        "both have arrived",
    )
    assert peer.ask("/track/1/mute")[0][1] == [1]
    assert peer.ask("/transport/position")[0][1] == [48000, 1.0]


def test_bundles_are_carried_out_now_or_at_their_time(peer):
    peer.client.send(
        bundle(osc_bundle_builder.IMMEDIATELY, ("/track/1/volume", 0.5), ("/track/2/volume", 0.25))
    )
    assert peer.ask("/track/1/volume")[0][1] == [0.5] and peer.ask("/track/2/volume")[0][1] == [0.25]
    peer.client.send(bundle(time.time() + 0.5, ("/track/1/volume", 1.0)))
    peer.client.send(bundle(time.time() - 5, ("/track/2/volume", 1.0)))
    assert peer.ask("/track/2/volume")[0][1] == [1.0]
    assert peer.ask("/track/1/volume")[0][1] == [0.5]
    wait_until(lambda: peer.ask("/track/1/volume")[0][1] == [1.0], "its time has come")


def test_a_message_without_type_tags_asks(peer):
    peer.client._sock.sendto(b"/track/1/volume\0", ("127.0.0.1", peer.client._port))
    assert peer.receive() == ("/track/1/volume", [1.0])


def test_tcp_carries_long_answers_and_survives_nonsense(mixer, tmp_path):
    def framed(address):
        body = address.encode() + b"\0" * (4 - len(address) % 4) + b",\0\0\0"
        return struct.pack(">I", len(body)) + body

    with (
        socket.create_connection(("127.0.0.1", mixer.port), 5) as talk,
        socket.create_connection(("127.0.0.1", mixer.port), 5) as nonsense,
    ):
        nonsense.sendall(b"GET / HTTP/1.1\r\n\r\n")
        for byte in framed("/track/1/name"):
            talk.sendall(bytes([byte]))
        size = struct.unpack(">I", talk.recv(4, socket.MSG_WAITALL))[0]
        assert talk.recv(size, socket.MSG_WAITALL) == b"/track/1/name\0\0\0,s\0\0music\0\0\0"
        assert nonsense.recv(100) == b""


UNREADABLE = [b",[f]\0\0\0\0\0\0\0\0", b",x\0\0", b",f\0\0", b",f\0\0" + bytes(8)]


@pytest.mark.parametrize("tail", UNREADABLE)
def test_arguments_that_cannot_be_read_are_refused(peer, mixer, tail):
    packet = b"/track/1/volume\0" + tail
    peer.client._sock.sendto(packet, ("127.0.0.1", peer.client._port))
    address, (asked, reason) = peer.receive()
    assert address == "/error" and asked == "/track/1/volume" and "type tags" in reason
    assert peer.ask("/track/1/volume") == [("/track/1/volume", [1.0])]
    # The connection stays: what comes behind is carried out.
    ping = b"/ping\0\0\0,i\0\0\0\0\0\7"
    with socket.create_connection(("127.0.0.1", mixer.port), 5) as talk:
        for body in (packet, ping):
            talk.sendall(struct.pack(">I", len(body)) + body)
        said = b""
        while b"/pong" not in said:
            more = talk.recv(4096)
            assert more, f"the mixer has closed the connection: {said}"
            said += more
        assert b"/error" in said


def test_a_pattern_over_kinds_passes_over_what_is_not_there(peer):
    assert peer.ask("/*/1/volume", 0.5) == [] and peer.ask("/*/1/volume") == [("/track/1/volume", [0.5])]
    assert peer.ask("/*/music/mute", 1) == [] and peer.ask("/*/music/mute") == [("/track/1/mute", [1])]
    assert peer.ask("/*/*/volume", 0.25) == []
    ((address, _),) = peer.ask("/*/nobody/volume", 0.5)
    assert address == "/error", "where none is found that is said, once"
    # A bus goes by its name behind /track too: it is meant once all the same.
    assert peer.ask("/bus/add", "hall") == [("/bus/add", [1])] and peer.ask("/bus/hall/volume", 0.5) == []
    assert peer.ask("/*/hall/volume/by", -6.0) == []
    ((address, (volume,)),) = peer.ask("/*/hall/volume")
    assert address == "/bus/1/volume" and volume == pytest.approx(0.5 * 10 ** (-6 / 20))
    assert peer.ask("/*/hall/name", "room") == [] and peer.ask("/bus/room/mute") == [("/bus/room/mute", [0])]
    # What is there counts when it is carried out.
    assert peer.ask("/session/save", "with") == [] and peer.ask("/bus/1/remove") == []
    assert peer.ask("/session/save", "without") == []
    peer.send("/session/load", "with")
    peer.ask("/*/1/mute", 1)
    assert peer.ask("/*/1/mute") == [("/track/1/mute", [1]), ("/bus/1/mute", [1])]


def test_what_a_mixer_says_of_itself_is_not_refused(peer):
    for address in ("/error", "/note", "/notice", "/pong"):
        assert peer.ask(address, "/x", "y") == []
    peer.client._sock.sendto(b"/error\0\0,x\0\0", ("127.0.0.1", peer.client._port))
    assert peer.ask("/track/1/mute") == [("/track/1/mute", [0])]


def test_patterns_under_strip(peer):
    assert peer.ask("/strip/voice/eq/*/gain") == [
        (f"/track/2/eq/{band}/gain", [0.0]) for band in (1, 2, 3, 4)
    ]
    assert [address for address, _ in peer.ask("/strip/voice/{volume,pan}")] == [
        "/track/2/volume",
        "/track/2/pan",
    ]


def test_slip_is_spoken_too(mixer):
    def slip(packet):
        return b"\xc0" + packet.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"

    def receive(talk):
        data = b""
        while not (data.startswith(b"\xc0") and data.endswith(b"\xc0") and len(data) > 2):
            data += talk.recv(4096)
        return data[1:-1].replace(b"\xdb\xdc", b"\xc0").replace(b"\xdb\xdd", b"\xdb")

    with socket.create_connection(("127.0.0.1", mixer.port), 5) as talk:
        number = struct.unpack(">i", b"\xc0\xdb\xdc\xdd")[0]  # every byte that SLIP must escape
        ping = b"/ping\0\0\0,i\0\0" + struct.pack(">i", number)
        for part in (slip(ping)[:7], slip(ping)[7:]):
            talk.sendall(part)
        assert receive(talk) == b"/pong\0\0\0,i\0\0" + struct.pack(">i", number)
        talk.sendall(slip(b"/track/1/name\0\0\0,\0\0\0"))
        assert receive(talk) == b"/track/1/name\0\0\0,s\0\0music\0\0\0"


def test_malformed_datagrams_do_no_harm(mixer, peer):
    for packet in (
        b"",
        b"\0",
        b"/",
        b"/a\0\0,f\0\0",
        b"#bundle\0",
        b"#bundle\0" + b"\xff" * 20,
        b"/track/1/volume\0,ffffff\0",
        os.urandom(2000),
        b"/" * 65000,
    ):
        peer.client._sock.sendto(packet, ("127.0.0.1", peer.client._port))
    *refusals, answer = peer.ask("/track/1/volume")
    assert answer == ("/track/1/volume", [1.0])
    assert [(address, values[0]) for address, values in refusals] == [
        ("/error", "/a"),
        ("/error", "/track/1/volume"),
    ]
    assert mixer.process.poll() is None


def test_only_the_loopback_is_listened_on(mixer):
    listing = subprocess.run(["ss", "-lnutpH"], capture_output=True, text=True).stdout
    mine = [line.split() for line in listing.splitlines() if f"pid={mixer.process.pid}," in line]
    assert sorted(line[0] for line in mine) == ["tcp", "udp"]
    assert {line[4] for line in mine} == {f"127.0.0.1:{mixer.port}"}


def test_who_may_talk_is_said_and_kept(mixers, jackd, make_session):
    session = make_session()
    closed = mixers(
        "--server", jackd.name, "--name", "closed", "--osc-allow", "10.0.0.0/8", "--osc-allow", "::1", session
    )
    assert "for 10.0.0.0/8, ::1 only" in closed.log
    peer = closed.osc()
    peer.client._sock.settimeout(0.5)
    peer.send("/ping", 1)
    with pytest.raises(TimeoutError):
        peer.receive()
    peer.close()
    with socket.create_connection(("127.0.0.1", closed.port), 5) as talk:
        assert talk.recv(1) == b""
    open_to_all = mixers(
        "--server", jackd.name, "--name", "open", "--osc-allow", "127.0.0.0/8", session
    ).osc()
    assert open_to_all.ask("/track/1/mute") == [("/track/1/mute", [0])]
    open_to_all.close()


# MARK: names as patterns, help, other people's namespace


def test_patterns_in_other_parts_of_an_address(peer):
    assert peer.ask("/track/1/{mute,solo}", 1) == []
    assert [values for _, values in peer.ask("/track/1/{mute,solo}")] == [[1], [1]]
    assert {address for address, _ in peer.ask("/track/2/volume/*")} == {
        f"/track/2/volume/{name}" for name in ("db", "position", "touch")
    } | {"/track/2/automation"}
    assert [address for address, _ in peer.ask("/*/mute")] == ["/master/mute", "/monitor/mute"]
    assert (
        len(peer.ask("/tr?ck/*/[mp]*")) == 21
    )  # mute, mutemode, meter, monitor, pan, peak, polarity of three tracks
    assert [address for address, _ in peer.ask("/transport/*")] == [
        "/transport/loop",
        "/transport/stopatend",
        "/transport/position",
        "/transport/state",
    ]
    assert peer.ask("/transport/state") == [("/transport/state", ["stopped"])], "a pattern plays nothing"
    assert len(json.loads(peer.ask("/tracks")[0][1][0])) == 3, "and removes nothing"
    assert [address for address, _ in peer.ask("/session/*")] == [
        "/session/collect",
        "/session/missing",
        "/session/video",
        "/session/history",
        "/session/edition",
    ]
    assert peer.ask("/mixer/*")[0][0] == "/error", "nothing there holds a value"
    assert peer.ask("/[track/1/mute")[0][0] == "/error"


def test_help_tells_every_address_as_the_documentation_does(peer, mixer):
    answers = peer.ask("/help")
    assert all(address == "/help" and len(values) == 4 for address, values in answers)
    paths = [values[0] for _, values in answers]
    assert len(paths) == len(set(paths)) > 40
    for path in (
        "/track/N/volume",
        "/master/fade",
        "/transport/locate",
        "/session/save",
        "/subscribe",
        "/ping",
        "/help",
        "/mixer/channel/set_gain",
    ):
        assert path in paths
    ((_, (path, arguments, answer, line)),) = peer.ask("/help", "/track/2/pan")
    assert (path, answer) == ("/track/N/pan", "f") and "balance" in line
    assert (
        len(peer.ask("/help", "/master/*")) == 17
        # volume, fade, ramp, automation, mute, pan, trim, delay, polarity, gate, eq, comp, limit, loudness,
        # meter, peak, spectrum
    )
    assert peer.ask("/help", "/nothing")[0][0] == "/error"
    with open(os.path.join(ROOT, "docs/osc.md")) as page:
        text = page.read()
    assert text == mixer.ctl("help", "osc"), "docs/osc.md is `jmixctl help osc`"
    for _, (path, arguments, answer, line) in answers:
        assert f"| `{path}` | {arguments} |" in text and line in text


def test_jackminimix_clients_find_their_mixer(peer):
    assert peer.ask("/mixer/get_channel_count") == [("/mixer/channel_count", [3])]
    assert peer.ask("/mixer/channel/set_gain", 2, -6.0) == [("/mixer/channel/gain", [2, -6.0])]
    assert peer.ask("/track/2/volume") == [("/track/2/volume", [pytest.approx(0.5011872)])]
    assert peer.ask("/mixer/channel/get_gain", 2) == [("/mixer/channel/gain", [2, pytest.approx(-6)])]
    assert peer.ask("/mixer/channel/set_gain", 1, -90) == [("/mixer/channel/gain", [1, -90.0])]
    assert peer.ask("/mixer/channel/set_gain", 1, -1000.0) == [("/mixer/channel/gain", [1, -90.0])]
    assert peer.ask("/track/1/volume") == [("/track/1/volume", [0.0])]
    assert peer.ask("/mixer/channel/get_label", 2) == [("/mixer/channel/label", [2, "voice"])]
    assert peer.ask("/mixer/channel/set_label", 2, "host") == [("/mixer/channel/label", [2, "host"])]
    assert peer.ask("/mixer/channel/get_gain", 9)[0][0] == "/error"
    assert peer.ask("/mixer/channel/set_gain", 1, 90.0)[0][0] == "/error"


def test_a_button_that_is_let_go_does_nothing(peer):
    assert peer.ask("/transport/play", 1.0) == []
    assert peer.ask("/transport/play", 0.0) == []
    assert peer.ask("/transport/state") == [("/transport/state", ["rolling"])]
    assert peer.ask("/transport/stop", 0) == []
    assert peer.ask("/transport/state") == [("/transport/state", ["rolling"])]


# MARK: a finger on a fader


@pytest.fixture
def other(mixer):
    other = mixer.osc()
    yield other
    other.close()


def test_while_a_finger_is_on_a_fader_nobody_else_moves_it(peer, other, mixer):
    assert peer.ask("/track/1/volume/touch", 1) == []
    assert other.ask("/track/1/volume/touch") == [("/track/1/volume/touch", [1])]
    for address, arguments in (
        ("/track/1/volume", [0.1]),
        ("/track/1/volume/db", [-20]),
        ("/track/1/volume/position", [0.2]),
        ("/track/1/fade", [0.1, 1.0]),
        ("/track/[1]/volume", [0.1]),
        ("/mixer/channel/set_gain", [1, -20.0]),
        ("/track/1/volume/touch", [1]),
        ("/track/1/volume/touch", [0]),
    ):
        ((said, _),) = other.ask(address, *arguments)
        assert said == "/error", address
    assert other.ask("/track/2/volume", 0.5) == [], "other faders are free"
    assert other.ask("/track/1/mute", 1) == []
    assert peer.ask("/track/1/volume", 0.7) == [] and other.ask("/track/1/volume") == [
        ("/track/1/volume", [pytest.approx(0.7)])
    ]
    assert other.ask("/session/undo")[0][0] == "/error", "nor by a detour"
    assert peer.ask("/track/1/volume/touch", 0) == []
    assert other.ask("/track/1/volume", 0.1) == []
    assert other.ask("/master/volume/touch", True) == []
    assert peer.ask("/master/volume", 0.1)[0][0] == "/error"
    assert other.ask("/master/volume/touch", False) == []


def test_what_moves_others_too_leaves_the_touched_fader_and_says_so(peer, other, mixer):
    mixer.ctl(
        input="volume * 0.5\nvolume master 0.5\npan 1 -1\nscene store low\nvolume * 1\nvolume master 1\npan "
        "1 0\n"
    )
    assert peer.ask("/track/1/volume/touch", 1) == [] and peer.ask("/master/volume/touch", 1) == []

    def faders():
        return [mixer.json("volume", strip)["volume"] for strip in (1, 2, 3, "master")]

    ((address, (said,)),) = other.ask("/scene/recall", "low")
    assert address == "/note" and '"music"' in said and "the master" in said and faders() == [1, 0.5, 0.5, 1]
    assert other.ask("/track/1/pan") == [("/track/1/pan", [-1.0])], "its pan is not the fader"
    assert peer.ask("/track/1/volume/touch", 1) == [], "still held"
    assert other.ask("/session/undo")[0] == ("/session/undo", ["recall scene low"]) and faders() == [
        1,
        1,
        1,
        1,
    ]
    ((address, (said,)),) = other.ask("/track/*/fade", 0.25, 0.1)
    assert address == "/note" and '"music"' in said
    wait_until(lambda: faders() == [1, 0.25, 0.25, 1], "the others have arrived")
    # It is not heard to move either.
    mixer.ctl("play")

    def peaks():
        return [mixer.json("meters")[number]["peakLeft"] for number in (0, 1)]

    wait_until(lambda: min(peaks()) > 0, "it plays")
    time.sleep(0.1)
    before = peaks()
    ((address, (said,)),) = other.ask("/track/*/volume", 0.75)
    assert address == "/note" and faders() == [1, 0.75, 0.75, 1]
    wait_until(lambda: abs(peaks()[1] - 3 * before[1]) < 1e-3, "the other is heard to have moved")
    # Between two questions there may have been no period.
    heard = wait_until(lambda: peaks()[0], "the one that is held is heard")
    assert abs(heard - before[0]) < 1e-3
    # Where its holder has it fade, it fades on.
    assert peer.ask("/track/1/fade", 0.5, 1000.0) == []
    assert other.ask("/track/*/volume", 0.25)[0][0] == "/note" and faders()[1:3] == [0.25, 0.25]
    time.sleep(0.1)
    assert faders()[0] > 0.9
    peer.ask("/track/1/volume", 1.0)
    mixer.ctl("stop")
    assert other.ask("/master/fade", 0.1, 0.1)[0][0] == "/error" and faders()[3] == 1
    shown = subprocess.run(
        [JMIXCTL, "--url", mixer.url, "scene", "recall", "low"], capture_output=True, text=True
    )
    assert shown.returncode == 0 and shown.stdout == "" and '"music"' in shown.stderr


def test_a_pattern_moves_others_while_a_finger_writes(peer, other, mixer):
    mixer.ctl("write", "music", "touch")
    mixer.ctl("play")
    assert peer.ask("/track/1/volume/touch", 1) == [] and peer.ask("/track/1/volume", 0.4) == []
    for address, value, moved in (
        ("/track/*/volume", 0.75, 0.75),
        ("/track/{music,voice}/volume", 0.5, 0.5),
        ("/track/*/volume/by", -6.0, 0.5 * 10 ** (-6 / 20)),
    ):
        ((said, (text,)),) = other.ask(address, value)
        assert said == "/note" and "volume of music" in text and "stays" in text
        assert other.ask("/track/1/volume")[0][1] == pytest.approx([0.4])
        assert other.ask("/track/2/volume")[0][1] == pytest.approx([moved])
    assert other.ask("/track/1/volume", 0.9)[0][0] == "/error", "it alone is refused"
    # So it is where the finger does not write, and another hand does.
    mixer.ctl("write", "music", "off")
    mixer.ctl("write", "voice", "touch")
    ((said, (text,)),) = other.ask("/track/[12]/volume", 0.25)
    assert said == "/note" and "music" in text and "stays" in text
    assert other.ask("/track/2/volume")[0][1] == [0.25]


def test_ones_own_finger_is_in_nobodys_way(peer):
    assert peer.ask("/master/volume/touch", 1) == [] and peer.ask("/master/volume", 0.5) == []
    assert peer.ask("/session/save", "evening") == [] and peer.ask("/master/volume", 0.7) == []
    assert [address for address, _ in peer.ask("/session/load", "evening")] == ["/note"]
    assert peer.ask("/master/volume") == [("/master/volume", [0.5])]


def test_a_fade_ends_under_the_finger(peer, other):
    other.ask("/track/1/fade", 0.0, 60.0)
    assert peer.ask("/track/1/volume/touch", 1) == []
    place = peer.ask("/track/1/volume")[0][1][0]
    assert 0.9 < place <= 1
    time.sleep(0.2)
    assert peer.ask("/track/1/volume")[0][1][0] == place


def test_a_finger_leaves_with_its_connection(peer, mixer):
    client = socket.create_connection(("127.0.0.1", mixer.port))
    message = osc_message_builder.OscMessageBuilder("/track/1/volume/touch")
    message.add_arg(1)
    data = message.build().dgram
    client.sendall(struct.pack(">i", len(data)) + data)
    wait_until(lambda: peer.ask("/track/1/volume/touch") == [("/track/1/volume/touch", [1])], "it is held")
    client.close()
    wait_until(lambda: peer.ask("/track/1/volume", 0.3) == [], "it is free again")


def test_a_finger_of_which_nothing_is_heard_is_gone_and_another_stays(peer, mixer):
    silent, heard = mixer.osc(), mixer.osc()
    assert silent.ask("/track/1/volume/touch", 1) == [] and heard.ask("/track/2/volume/touch", 1) == []

    def is_free():
        # Whatever it says: that it is there.
        heard.ask("/version")
        return peer.ask("/track/1/volume/touch") == [("/track/1/volume/touch", [0])]

    wait_until(is_free, "ten seconds are over")
    assert peer.ask("/track/1/volume", 0.5) == []
    assert peer.ask("/track/2/volume", 0.5) != [], "it is held on"
    silent.close()
    heard.close()


# MARK: time tags


def test_clear_forgets_what_is_pending(peer):
    peer.client.send(bundle(time.time() + 0.4, ("/track/1/volume", 0.25)))
    peer.client.send(bundle(time.time() + 3600, ("/track/2/volume", 0.25)))
    assert peer.ask("/clear") == []
    time.sleep(0.6)
    assert peer.ask("/track/1/volume") == [("/track/1/volume", [1.0])]


class TimedCapture(Capture):
    """Records with each block the frame time at which the server says that it began."""

    def __init__(self, server):
        self.library = ctypes.CDLL("libjack.so.0")
        for name in ("jack_last_frame_time", "jack_time_to_frames"):
            getattr(self.library, name).restype = ctypes.c_uint32
        self.library.jack_get_time.restype = ctypes.c_uint64
        self.pointer = None
        super().__init__(server)
        self.pointer = ctypes.c_void_p(int(jack._ffi.cast("uintptr_t", self.client._ptr)))

    def process(self, _):
        if self.pointer:
            self.blocks.put(
                (self.library.jack_last_frame_time(self.pointer), self.inputs[0].get_array().copy())
            )

    def frame(self, moment):
        """The server's frame time at a moment of the wall clock that is about now."""
        now = self.library.jack_get_time()
        return self.library.jack_time_to_frames(
            self.pointer, ctypes.c_uint64(now - round((time.time() - moment) * 1e6))
        )

    def changes(self):
        """The frames at which the level changed."""
        blocks = self.finish()
        frames = np.concatenate([start + np.arange(len(block)) for start, block in blocks])
        samples = np.concatenate([block for _, block in blocks])
        return frames[np.flatnonzero(np.diff(samples)) + 1], samples


class ClockWatch:
    """Asks again and again, from now on, at which frame a moment will be: the server's clock is an
    estimate, which moves on while the order waits, by frames on an idle machine and by hundreds where a
    period comes late. An order may be carried out at any frame that the server said meanwhile."""

    def __init__(self, capture, moments):
        self.said = [[] for _ in moments]
        self.capture, self.moments = capture, moments
        self.ended = threading.Event()
        # A test that fails in between does not wait for it.
        self.thread = threading.Thread(target=self.ask, daemon=True)
        self.thread.start()

    def ask(self):
        while not self.ended.wait(0.0005):
            now = time.time()
            for moment, said in zip(self.moments, self.said, strict=True):
                if now < moment + 0.03:
                    said.append(self.capture.frame(moment))

    def finish(self):
        self.ended.set()
        self.thread.join()
        return [(min(said), max(said)) for said in self.said]


def assert_kept(frames, said):
    """At a frame that was said, give or take what a watch that is late itself misses: an eighth of a
    period."""
    for frame, (earliest, latest) in zip(frames, said, strict=True):
        assert earliest - 32 <= frame <= latest + 32, (frames, said)


def timed(jackd, moments, act):
    """The frames at which the level changed while `act` was done, the samples, and what the server's clock
    said of the moments, which count from its begin."""
    with TimedCapture(jackd) as capture:
        time.sleep(0.3)
        start = time.time()
        watch = ClockWatch(capture, [start + moment for moment in moments])
        act(start)
        time.sleep(max(0, start + moments[-1] + 0.2 - time.time()))
        frames, samples = capture.changes()
        return frames, samples, watch.finish()


def test_a_time_tag_is_kept_to_the_frame(mixer, jackd, peer):
    peer.ask("/transport/play")
    moments = [0.3 + 0.1003 * n for n in range(12)]

    def send(start):
        # sent in any order
        for n in (3, 1, 2, 0, 7, 6, 5, 4, 8, 11, 10, 9):
            fades = [(f"/track/{track}/fade", float(n % 2), 0.0) for track in (1, 2)]
            peer.client.send(bundle(start + moments[n], *fades))

    frames, samples, said = timed(jackd, moments, send)
    # the first sets the volume to 0, from 1; both tracks change at one frame
    assert len(frames) == 12 and len(set(np.round(samples, 4))) == 2
    assert_kept(frames, said)


def test_a_bundle_plays_and_locates_at_its_time(mixer, jackd, peer):
    def send(start):
        peer.client.send(bundle(start + 0.3, ("/transport/locate", 5.0), ("/transport/play",)))

    frames, samples, said = timed(jackd, [0.3], send)
    assert len(frames) == 1
    assert_kept(frames, said)
