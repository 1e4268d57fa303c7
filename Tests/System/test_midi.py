"""What MIDI moves: messages that are learned, and what is told back, by real JACK MIDI ports."""

import json
import math
import random
import subprocess
import time

import pytest
from conftest import JMIXCTL, ports_of, run, wait_until
from surface import Surface

pytestmark = pytest.mark.alone


def position(gain):
    """Ardour's law, as the documents give it."""
    return 0 if gain <= 0 else min(1, max(0, (6 * math.log2(gain) + 192) / 198) ** 8)


@pytest.fixture
def surface(jackd):
    surface = Surface(jackd)
    yield surface
    surface.close()


@pytest.fixture
def bound(mixer, surface):
    surface.join(0, "midi")
    return mixer


def learn(mixer, surface, words, *messages, code=0):
    """Sends the messages until somebody has learned: when they are waited for nobody knows."""
    process = subprocess.Popen(
        [JMIXCTL, "--url", mixer.url, "midi", "learn", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None:
        for message in messages:
            surface.send(*message)
        time.sleep(0.1)
    out, error = process.communicate(timeout=15)
    assert process.returncode == code, (out, error)
    return out.strip() if code == 0 else error.strip()


def value(mixer, *words):
    return float(mixer.ctl(*words).split()[0])


def stands(mixer, strip, share):
    """The fader comes to stand there, from 0 to 1."""
    wait_until(
        lambda: position(value(mixer, "volume", strip)) == pytest.approx(share, abs=1e-5),
        f"the fader of {strip} stands at {share}",
    )


def test_the_ports_are_there_and_a_controller_is_learned_and_is_told_back(bound, surface):
    names = {port.name for port in ports_of(surface.client, "jmix:.*midi", is_midi=True)}
    assert names == {"jmix:midi_in", "jmix:midi_out"}
    assert learn(bound, surface, ["voice"], [0xB0, 7, 64]) == "cc 1 7"
    for number in (0, 1, 64, 99, 127):
        surface.send(0xB0, 7, number)
        stands(bound, "voice", number / 127)
    assert bound.json("midi", "list") == {
        "bindings": [{"message": "cc 1 7", "strip": "voice", "control": "volume"}]
    }
    assert bound.ctl("midi").split() == ["1", "cc", "1", "7", "jump", "voice", "volume"]
    # Whoever moves the fader elsewhere is followed by the motor.
    bound.ctl("volume", "voice", "0.5")
    expected = bytes([round(position(0.5) * 127)])
    wait_until(lambda: surface.last(0xB0, 7) == expected, "the surface is told")
    bound.ctl("midi", "remove", "1")
    assert bound.json("midi") == {}
    bound.ctl("undo")
    assert len(bound.json("midi")["bindings"]) == 1


def test_a_hand_that_moves_is_told_nothing(bound, surface):
    learn(bound, surface, ["music"], [0xB0, 20, 10])
    wait_until(lambda: surface.last(0xB0, 20), "where the fader stands is told first")
    surface.forget()
    for number in range(0, 128, 4):
        surface.send(0xB0, 20, number)
        time.sleep(0.01)
    stands(bound, "music", 124 / 127)
    time.sleep(0.5)
    assert surface.heard() == []


def mutes(mixer, muted):
    wait_until(lambda: mixer.json("mute", "voice")["mute"] is muted, f"mute is {muted}")


def lights(surface, value):
    wait_until(lambda: surface.last(0x90, 60) == bytes([value]), f"its light is {value}")


def test_keys_switch_or_hold(bound, surface):
    press, release = [0x90, 60, 100], [0x80, 60, 0]
    assert learn(bound, surface, ["voice", "--of", "mute"], press, release) == "note 1 60"
    wait_until(lambda: surface.last(0x90, 60) == b"\x00", "its light is off")
    for muted in (True, False):
        surface.send(*press)
        surface.send(*release)
        mutes(bound, muted)
        lights(surface, 127 * muted)
    learn(bound, surface, ["voice", "--of", "mute", "--mode", "momentary"], [0x91, 61, 1])
    surface.send(0x91, 61, 0)
    wait_until(lambda: bound.json("mute", "voice")["mute"] is False, "it is heard")
    surface.send(0x91, 61, 1)
    wait_until(lambda: bound.json("mute", "voice")["mute"] is True, "it is muted while the key is down")
    surface.send(0x91, 61, 0)
    wait_until(lambda: bound.json("mute", "voice")["mute"] is False, "and heard again")


def test_fourteen_bits_three_ways(bound, surface):
    assert learn(bound, surface, ["music"], [0xB2, 1, 50], [0xB2, 33, 17]) == "cc14 3 1"
    surface.send(0xB2, 1, 100)
    surface.send(0xB2, 33, 5)
    stands(bound, "music", (100 * 128 + 5) / 16383)
    nrpn = [0xB2, 99, 2], [0xB2, 98, 44], [0xB2, 6, 3], [0xB2, 38, 1]
    assert learn(bound, surface, ["voice"], *nrpn) == "nrpn 3 300"
    for message in ([0xB2, 99, 2], [0xB2, 98, 44], [0xB2, 6, 90], [0xB2, 38, 77]):
        surface.send(*message)
    stands(bound, "voice", (90 * 128 + 77) / 16383)
    assert learn(bound, surface, ["chime", "--of", "pan"], [0xE0, 0, 64]) == "bend 1"
    surface.send(0xE0, 127, 127)
    wait_until(lambda: value(bound, "pan", "chime") == 1, "pan to the right")
    surface.forget()
    time.sleep(0.3)
    bound.ctl("volume", "music", "0.7")
    bound.ctl("volume", "voice", "0.3")
    bound.ctl("pan", "chime", "-0.5")
    number = round(position(0.7) * 16383)
    wait_until(lambda: surface.last(0xB2, 1) == bytes([number >> 7]), "upper half")
    wait_until(lambda: surface.last(0xB2, 33) == bytes([number & 127]), "lower half")
    number = round(position(0.3) * 16383)
    wait_until(lambda: surface.last(0xB2, 38) == bytes([number & 127]), "data")
    assert surface.last(0xB2, 99) == bytes([2]) and surface.last(0xB2, 98) == bytes([44])
    assert surface.last(0xB2, 6) == bytes([number >> 7])
    number = round(0.25 * 16383)
    wait_until(lambda: surface.last(0xE0) == bytes([number & 127, number >> 7]), "bend")


def test_pick_up_scaled_and_relative(bound, surface):
    bound.ctl("bus", "add", "hall")
    bound.ctl("send", "voice", "hall", "0.5")
    words = ["voice", "--of", "send/hall/volume", "--mode", "pickup"]
    learn(bound, surface, words, [0xB0, 70, 0])
    for number in (0, 20, 40):
        surface.send(0xB0, 70, number)
    surface.send(0xB0, 71, 0)
    time.sleep(0.2)
    send = lambda: bound.json("sends", "voice")[0]["volume"]
    assert send() == 0.5
    surface.send(0xB0, 70, 100)
    wait_until(lambda: position(send()) == pytest.approx(100 / 127, abs=1e-5), "it has passed it")

    bound.ctl("pan", "voice", "0")
    learn(bound, surface, ["voice", "--of", "pan", "--mode", "scaled"], [0xB0, 72, 32])
    surface.send(0xB0, 72, 32)
    surface.send(0xB0, 72, 80)
    # From the middle by the share of what is left: 48 of 95 steps.
    wait_until(lambda: value(bound, "pan", "voice") == pytest.approx(48 / 95, abs=1e-5), "scaled up")

    learn(bound, surface, ["music", "--of", "pan", "--mode", "relative"], [0xB0, 73, 1])
    bound.ctl("pan", "music", "0")
    surface.send(0xB0, 73, 10)
    wait_until(lambda: value(bound, "pan", "music") == pytest.approx(20 / 127, abs=1e-5), "ten steps up")
    surface.send(0xB0, 73, 128 - 20)
    wait_until(lambda: value(bound, "pan", "music") == pytest.approx(-20 / 127, abs=1e-5), "twenty down")


def test_a_program_recalls_a_scene(bound, surface):
    bound.ctl("volume", "voice", "0.25")
    bound.ctl("scene", "store", "soft")
    bound.ctl("volume", "voice", "1")
    assert learn(bound, surface, ["--do", "scene recall soft"], [0xC0, 4]) == "program 1 5"
    surface.send(0xC0, 4)
    wait_until(lambda: value(bound, "volume", "voice") == 0.25, "the scene is recalled")
    assert bound.json("midi")["bindings"] == [
        {"message": "program 1 5", "do": "scene recall soft", "mode": "toggle"}
    ]


def test_what_is_refused_says_why(bound, surface):
    for words, reason in (
        (("midi", "learn", "nobody"), "nobody"),
        (("midi", "learn", "*"), "means 3 strips"),
        (("midi", "learn", "voice", "--of", "name"), "no control that MIDI moves"),
        (("midi", "learn", "voice", "--mode", "fast"), "no way in which MIDI moves"),
        (("midi", "learn", "--do", "dance"), "there is no verb"),
        (("midi", "learn", "--do", "midi list"), "nothing that a message can do"),
        (("midi", "map", "nosuch"), "nothing is stored as nosuch"),
        (("midi", "map", "mackie", "5"), "1 to 4 units"),
        (("midi", "remove", "1"), "there is no binding 1"),
        (("midi", "store", "a/b"), "plain name"),
        (("midi", "dance"), "midi takes"),
        (("midi", "store", "mackie"), "but mackie and off"),
    ):
        usage = any(word in reason for word in ("no control", "no way", "units", "takes"))
        assert reason in bound.ctl(*words, code=2 if usage else None or (2 if "verb" in reason else 1))
    peer = bound.osc()
    other = bound.osc()
    peer.send("/midi/learn", "voice")
    wait_until(lambda: other.ask("/midi/list"), "the mixer has heard that")
    other.send("/midi/learn", "music")
    answer = peer.receive()
    assert answer[0] == "/error" and "somebody else has begun" in answer[1][1]
    surface.send(0xB0, 5, 5)
    assert other.receive() == ("/midi/learn", ["cc 1 5"])
    other.close()
    # Nobody moves anything: it says so after ten seconds.
    peer.client._sock.settimeout(15)
    peer.send("/midi/learn", "voice")
    answer = peer.receive()
    assert answer[0] == "/error" and "within 10 s" in answer[1][1]
    peer.close()


def test_it_is_kept_with_the_session_and_as_the_users_own(
    mixers, jackd, make_session, surface, monkeypatch, tmp_path
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = make_session()
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    surface.join(0, "midi")
    learn(mixer, surface, ["voice"], [0xB0, 7, 64])
    learn(mixer, surface, ["music", "--of", "mute"], [0x90, 1, 64], [0x90, 1, 0])
    mixer.ctl("connect", "midi_in", "surface:out_1")
    mixer.ctl("connect", "midi_out", "surface:in_1")
    mixer.ctl("midi", "store", "box")
    mixer.ctl("name", "voice", "speaker")
    mixer.ctl("save")
    kept = json.loads(path.read_text())
    assert kept["jmix"] == 3
    assert kept["midi"]["bindings"][0] == {"message": "cc 1 7", "strip": "speaker", "control": "volume"}
    ports = {entry["port"] for entry in kept["connections"]}
    assert ports == {"midi_in", "midi_out"}
    mixer.end()
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    wait_until(lambda: len(surface.client.get_all_connections(surface.outputs[0])) == 1, "connected again")
    wait_until(lambda: len(surface.client.get_all_connections(surface.inputs[0])) == 1, "and back")
    surface.send(0xB0, 7, 20)
    stands(mixer, "speaker", 20 / 127)
    # The order of strips does not matter, nor do those that are not there.
    mixer.ctl("midi", "map", "off")
    mixer.ctl("midi", "remove", "1")
    mixer.ctl("midi", "remove", "1")
    # What is not there is named.
    peer = mixer.osc()
    notes = [words[0] for address, words in peer.ask("/midi/map", "box") if address == "/note"]
    assert len(notes) == 1 and "voice" in notes[0]
    peer.close()
    assert [binding["strip"] for binding in mixer.json("midi")["bindings"]] == ["music"]
    mixer.ctl("remove", "music")
    assert mixer.json("midi") == {}
    mixer.ctl("undo")
    assert [binding["strip"] for binding in mixer.json("midi")["bindings"]] == ["music"]


@pytest.mark.parametrize("seed", [1, 2])
def test_hostile_bytes_change_nothing_that_is_heard(bound, surface, jackd, seed):
    learn(bound, surface, ["chime"], [0xBF, 127, 1])
    bound.ctl("midi", "map", "mackie")
    wait_until(lambda: ports_of(surface.client, "jmix:mackie", is_midi=True), "the ports of the surface")
    bound.ctl("volume", "chime", "1")
    dice = random.Random(seed)
    bound.ctl("play")
    for _ in range(100):
        for _ in range(100):
            size = dice.choice([1, 2, 3, 3, 3, 17, 200])
            data = [dice.randrange(256) for _ in range(size)]
            if data[0] == 0xBF:
                data[0] = 0
            surface.send(*data)
        time.sleep(0.01)
    wait_until(lambda: surface.waiting[0].empty(), "all has been sent")
    assert bound.json("status")["dropouts"] == 0
    assert value(bound, "volume", "voice") == 1 and value(bound, "volume", "music") == 1


def test_a_controller_above_32_stands_for_itself_unless_both_halves_move(bound, surface):
    words = ["voice", "--of", "mute", "--mode", "toggle"]
    assert learn(bound, surface, words, [0xB0, 40, 127], [0xB0, 40, 0]) == "cc 1 40"
    # Some send no more than 127, each time that they are pressed.
    for muted in (True, False, True):
        surface.send(0xB0, 40, 127)
        mutes(bound, muted)
    assert learn(bound, surface, ["music"], [0xB0, 8, 1], [0xB0, 40, 127]) == "cc14 1 8"
    surface.send(0xB0, 8, 100)
    surface.send(0xB0, 40, 3)
    stands(bound, "music", (100 * 128 + 3) / 16383)
    surface.send(0xB0, 8, 20)
    stands(bound, "music", (20 * 128 + 3) / 16383)


def test_what_is_gone_does_not_come_back_by_a_message(bound, surface):
    bound.ctl("bus", "add", "hall")
    bound.ctl("send", "voice", "hall", "0.5")
    learn(bound, surface, ["voice", "--of", "send/hall/volume"], [0xB0, 70, 64])
    bound.ctl("send", "voice", "hall", "off")
    surface.send(0xB0, 70, 100)
    surface.send(0xB0, 70, 90)
    learn(bound, surface, ["chime"], [0xB0, 71, 1])
    assert bound.json("sends", "voice") == []


def test_whoever_learns_may_do_else_meanwhile_and_give_up(bound, surface):
    peer = bound.osc()
    peer.send("/midi/learn", "voice")
    peer.send("/track/1/volume", 0.5)
    wait_until(lambda: value(bound, "volume", "music") == 0.5, "that waits for nothing")
    bound.ctl("midi", "learn", "off")
    address, words = peer.receive()
    assert address == "/error" and "ended" in words[1]
    surface.send(0xB0, 9, 9)
    # A session that is loaded meanwhile has other strips.
    bound.ctl("save", "other")
    peer.send("/midi/learn", "voice")
    wait_until(lambda: bound.takes("load", "session"), "another session")
    address, words = peer.receive()
    assert address == "/error" and "another session" in words[1]
    peer.close()
    surface.send(0xB0, 9, 10)
    assert bound.json("midi") == {}


def test_more_than_a_queue_holds_is_told_bit_by_bit(mixers, jackd, surface, make_session):
    bindings = [
        {"message": f"nrpn {number // 40 + 1} {number}", "strip": "music", "control": "volume"}
        for number in range(400)
    ]
    mixers("--server", jackd.name, "--no-connect", make_session(midi={"bindings": bindings}))
    surface.join(0, "midi")

    def told():
        heard = surface.heard()
        chosen, found = {}, set()
        for message in heard:
            channel = message[0] & 15
            if message[1] in (99, 98):
                chosen.setdefault(channel, {})[message[1]] = message[2]
            elif message[1] == 38:
                found.add((channel, chosen[channel][99] << 7 | chosen[channel][98]))
        return found

    wait_until(lambda: told() == {(number // 40, number) for number in range(400)}, "each of them is told")


def test_ports_that_come_back_are_connected_again(mixers, jackd, make_session, surface):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session())
    mixer.ctl("midi", "map", "mackie")
    mixer.ctl("connect", "mackie_in", "surface:out_1")
    wait_until(lambda: surface.client.get_all_connections(surface.outputs[0]), "connected")
    for _ in range(5):
        mixer.ctl("midi", "map", "off")
        mixer.ctl("midi", "map", "mackie")
        wait_until(lambda: surface.client.get_all_connections(surface.outputs[0]), "connected again")
        time.sleep(0.1)
    assert len(surface.client.get_all_connections(surface.outputs[0])) == 1


def test_check_names_what_moves_nothing(make_session):
    bindings = [
        {"message": "cc 1 1", "strip": "voice", "control": "nonsense"},
        {"message": "cc 1 2", "do": "dance now"},
        {"message": "cc 1 3", "strip": "voice", "control": "pan"},
        {"message": "cc 1 4", "strip": "nobody", "control": "pan"},
        {"message": "loud", "strip": "voice", "control": "pan"},
    ]
    said = run("check", make_session(midi={"bindings": bindings}), code=1).stdout
    for part in (
        'MIDI binding 1: "nonsense" is nothing',
        'MIDI binding 2: there is no verb "dance"',
        'binding 4, strip: there is no strip "nobody"',
        'binding 5, message: "loud" is no message',
    ):
        assert part in said, (part, said)
    assert "MIDI binding 3" not in said
