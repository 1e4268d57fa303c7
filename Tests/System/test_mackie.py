"""Mackie Control: a surface of the tests' own, with motors, fingers and faults, on real JACK MIDI ports."""

import math
import random
import time

import pytest
from conftest import ports_of, wait_until
from surface import Surface

GREATEST = 16383


def position(gain):
    return 0 if gain <= 0 else min(1, max(0, (6 * math.log2(gain) + 192) / 198) ** 8)


def gain(share):
    return 0 if share <= 0 else 2 ** ((share**0.125 * 198 - 192) / 6)


class Mackie(Surface):
    """What a unit has: motors that go where they are told, unless a finger is on them."""

    def touch(self, fader, down=True, unit=0):
        self.send(0x90, 0x70 if fader == 8 else 0x68 + fader, 127 if down else 0, unit=unit)

    def move(self, fader, value, unit=0):
        self.send(0xE0 + fader, value & 127, value >> 7, unit=unit)

    def press(self, key, unit=0):
        self.send(0x90, key, 127, unit=unit)
        self.send(0x90, key, 0, unit=unit)

    def turn(self, pot, steps, unit=0):
        self.send(0xB0, 0x10 + pot, steps if steps >= 0 else 0x40 - steps, unit=unit)

    def motor(self, fader, unit=0):
        """Where it was told to go, in 14 bits; None if it never was."""
        data = self.last(0xE0 + fader, unit=unit)
        return None if data is None else data[1] << 7 | data[0]

    def light(self, key, unit=0):
        data = self.last(0x90, key, unit=unit)
        return None if data is None else data[0]

    def text(self, line, unit=0):
        head = bytes([0xF0, 0, 0, 0x66, 0x14 if unit == 0 else 0x15, 0x12, 0x38 * line])
        data = self.last(*head, unit=unit)
        return None if data is None else data[:-1].decode()

    def digits(self):
        """The ten digits from the left, with points."""
        codes = [(self.last(0xB0, 0x40 + place) or b" ")[0] for place in range(9, -1, -1)]
        return "".join(chr(code & 0x3F) + ("." if code & 0x40 else "") for code in codes)

    def stands(self, fader, share, unit=0):
        """The motor has come to within a step of ten bits."""
        wait_until(
            lambda: (found := self.motor(fader, unit)) is not None and abs(found - share * GREATEST) <= 17,
            lambda: f"fader {fader} stands at {share}, not {self.motor(fader, unit)}",
        )


@pytest.fixture
def mackie(jackd):
    surface = Mackie(jackd, units=2)
    yield surface
    surface.close()


@pytest.fixture
def desk(mixer, mackie):
    mixer.ctl("midi", "map", "mackie", "2")
    mackie.join(0, "mackie")
    mackie.join(1, "mackie_2")
    return mixer


def value(mixer, *words):
    return float(mixer.ctl(*words).split()[0])


def test_everything_is_told_when_a_unit_comes_and_when_it_says_that_it_knows_nothing(desk, mackie):
    mackie.stands(0, position(1))
    mackie.stands(8, position(1))
    mackie.stands(7, 0, unit=1)
    assert mackie.text(0).split() == ["music", "voice", "chime"]
    assert mackie.text(1).split() == ["C", "C", "C"]
    assert len(mackie.text(0)) == 56
    assert mackie.text(0, unit=1).strip() == ""
    assert mackie.light(0x5D) == 127 and mackie.light(0x5E) == 0
    wait_until(lambda: mackie.digits() == "000.00.00.000", "the clock")
    mackie.forget()
    time.sleep(0.3)
    assert mackie.heard() == []
    # As it says when it is switched on.
    mackie.send(0xF0, 0, 0, 0x66, 0x14, 1, *b"ZT00001", 1, 2, 3, 4, 0xF7)
    mackie.stands(0, position(1))
    wait_until(lambda: (mackie.text(0) or "").startswith("music"), "its text comes again")
    assert mackie.heard(unit=1) == []
    mackie.leave(1, "mackie_2")
    desk.ctl("volume", "music", "0.5")
    mackie.stands(0, position(0.5))
    time.sleep(0.3)
    mackie.join(1, "mackie_2")
    mackie.stands(7, 0, unit=1)
    # It never says what locks a real unit.
    assert not any(m[:4] == b"\xf0\x00\x00\x66" and m[5] == 4 for m in mackie.heard() + mackie.heard(1))


def test_a_finger_a_move_and_a_motor(desk, mackie):
    mackie.stands(1, position(1))
    mackie.forget()
    mackie.touch(1)
    for share in (0.7, 0.6, 0.5, 0.4):
        mackie.move(1, int(share * GREATEST))
    expected = gain(int(0.4 * GREATEST) / GREATEST)
    wait_until(lambda: value(desk, "volume", "voice") == pytest.approx(expected, rel=1e-5), "it has moved")
    # Nobody else moves it, and it is told nothing.
    desk.ctl("volume", "voice", "1", code=1)
    assert mackie.motor(1) is None
    mackie.touch(1, False)
    wait_until(lambda: desk.takes("volume", "voice", "0.25"), "it is let go")
    mackie.stands(1, position(0.25))
    mackie.move(8, 8000)
    wait_until(
        lambda: value(desk, "volume", "master") == pytest.approx(gain(8000 / GREATEST), rel=1e-5), "master"
    )


def test_motors_show_what_is_heard_and_a_hand_moves_that(desk, mackie):
    desk.ctl("volume", "music", "0.5", "0s")
    desk.ctl("volume", "music", "0.5")
    mackie.stands(0, position(0.25))
    mackie.touch(0)
    mackie.move(0, int(position(0.125) * GREATEST))
    wait_until(lambda: value(desk, "volume", "music") == pytest.approx(0.25, rel=1e-3), "fader x automation")
    mackie.touch(0, False)
    # A ramp is followed while it plays.
    desk.ctl("automation", "music", "clear")
    desk.ctl("volume", "music", "1")
    desk.ctl("ramp", "music", "0", "1", "0s", "2s")
    mackie.stands(0, 0)
    before = len(mackie.heard())
    desk.ctl("play")
    mackie.stands(0, position(1))
    told = [m[2] << 7 | m[1] for m in mackie.heard()[before:] if m[0] == 0xE0]
    assert told == sorted(told) and len(told) > 20
    wait_until(lambda: mackie.light(0x5E) == 127, "play is lit")
    wait_until(lambda: mackie.digits() > "000.00.01.000", "the clock runs")
    wait_until(lambda: [m for m in mackie.heard()[before:] if m[0] == 0xD0], "the meters move")


def is_on(mixer, question, on):
    wait_until(lambda: mixer.json(question, "voice")[question] is on, f"{question} is {on}")


def is_lit(mackie, key, on):
    wait_until(lambda: mackie.light(key) == 127 * on, f"light {key} is {on}")


def test_buttons_and_lights(desk, mackie):
    for row, question in ((0x10, "mute"), (0x08, "solo")):
        for on in (True, False):
            mackie.press(row + 1)
            is_on(desk, question, on)
            is_lit(mackie, row + 1, on)
    desk.ctl("input", "add", "mic")
    mackie.press(3)
    wait_until(lambda: desk.json("arm", "mic")["arm"] is True, "armed")
    wait_until(lambda: mackie.light(3) == 127, "its light")
    mackie.press(0x5E)
    wait_until(lambda: desk.json("position")["state"] == "rolling", "it plays")
    mackie.press(0x5D)
    wait_until(lambda: desk.json("position")["state"] == "stopped", "it stops")
    mackie.press(0x5D)
    wait_until(lambda: desk.json("position")["frame"] == 0, "it goes to the start")
    mackie.press(0x5C)
    wait_until(lambda: desk.json("position")["seconds"] == 5, "forward")
    mackie.send(0xB0, 0x3C, 3)
    mackie.send(0xB0, 0x3C, 0x41)
    wait_until(lambda: desk.json("position")["seconds"] == pytest.approx(5.2), "the wheel")
    mackie.press(0x56)
    wait_until(lambda: mackie.light(0x56) == 127, "the loop is on")
    mackie.press(0x51)
    wait_until(lambda: desk.json("arm", "mic")["arm"] is False, "undone")


def test_pots_banks_sends_and_flip(desk, mackie):
    for number in range(20):
        desk.ctl("input", "add", f"in{number}")
    desk.ctl("bus", "add", "hall")
    desk.ctl("send", "voice", "hall", "0.5")
    mackie.turn(1, 10)
    wait_until(lambda: value(desk, "pan", "voice") == pytest.approx(20 / 127, abs=1e-5), "ten steps")
    mackie.turn(1, -40)
    wait_until(lambda: value(desk, "pan", "voice") == pytest.approx(-60 / 127, abs=1e-5), "back")
    wait_until(lambda: mackie.text(1)[7:14].strip() == "L47", "its value")
    mackie.press(0x21)
    wait_until(lambda: value(desk, "pan", "voice") == 0, "pressed: the middle")
    mackie.press(0x29)
    wait_until(lambda: mackie.text(1)[7:14].strip() == "-6.0", "the send's level")
    mackie.press(0x32)
    mackie.stands(1, position(0.5))
    mackie.touch(1)
    mackie.move(1, int(position(0.25) * GREATEST))
    wait_until(lambda: desk.json("sends", "voice")[0]["volume"] == pytest.approx(0.25, rel=1e-3), "a send's")
    mackie.touch(1, False)
    mackie.press(0x32)
    mackie.stands(1, position(1))
    # Sixteen on, then one back.
    mackie.press(0x2F)
    wait_until(lambda: mackie.text(0).split()[0] == "in13", "the next bank")
    mackie.press(0x30)
    wait_until(lambda: mackie.text(0).split()[0] == "in12", "one back")
    mackie.press(0x2E)
    wait_until(lambda: mackie.text(0).split()[0] == "music", "the first bank")
    mackie.press(0x2F)
    mackie.press(0x2F)
    wait_until(lambda: mackie.text(0).split()[0] == "in13", "there is no third")
    wait_until(
        lambda: "hall" in mackie.text(0, unit=1) or "hall" in mackie.text(0), "buses stand behind tracks"
    )


def test_a_hand_that_is_gone_holds_nothing(desk, mackie):
    mackie.stands(0, position(1))
    mackie.touch(0)
    wait_until(lambda: touched(desk, "music"), "touched")
    mackie.leave(0, "mackie")
    wait_until(lambda: desk.json("volume", "music") and not touched(desk, "music"), "let go")
    mackie.join(0, "mackie")
    mackie.touch(0)
    wait_until(lambda: touched(desk, "music"), "touched again")
    desk.ctl("midi", "map", "off")
    wait_until(lambda: not touched(desk, "music"), "the surface is off")
    wait_until(lambda: not ports_of(mackie.client, "jmix:mackie", is_midi=True), "its ports are gone")


def touched(mixer, strip):
    peer = mixer.osc()
    try:
        return bool(peer.ask(f"/track/{strip}/volume/touch")[0][1][0])
    finally:
        peer.close()


def is_touched(mixer, strip, on=True):
    wait_until(lambda: touched(mixer, strip) is on, f"a finger on {strip}: {on}")


def test_no_byte_goes_to_a_fader_under_a_finger(desk, mackie):
    """Two hundred gestures while others move the same faders, mute, solo and load the mixer."""
    dice = random.Random(7)
    print("seed 7")
    peer = desk.osc()
    mackie.stands(0, position(1))
    held = set()
    for gesture in range(200):
        fader = dice.randrange(3)
        if fader in held:
            for _ in range(dice.randrange(4)):
                mackie.move(fader, dice.randrange(GREATEST + 1))
            mackie.touch(fader, False)
            held.discard(fader)
        else:
            mackie.touch(fader)
            wait_until(lambda: mackie.waiting[0].empty(), "it is sent")
            is_touched(desk, ("music", "voice", "chime")[fader])
            time.sleep(0.03)
            held.add(fader)
            mackie.forget()
        for strip in ("music", "voice", "chime"):
            peer.send(f"/track/{strip}/volume", dice.random())
            peer.send(f"/track/{strip}/mute", dice.randrange(2))
        for other in held:
            assert not [m for m in mackie.heard() if m[0] == 0xE0 + other], (gesture, other)
    for fader in held:
        mackie.touch(fader, False)
    for strip, level in (("music", 0.5), ("voice", 0.25), ("chime", 1)):
        is_touched(desk, strip, False)
        desk.ctl("volume", strip, level)
    for fader, level in enumerate((0.5, 0.25, 1)):
        mackie.stands(fader, position(level))
    peer.close()


def test_a_finger_stays_where_it_is_when_other_strips_come(desk, mackie):
    for number in range(20):
        desk.ctl("input", "add", f"in{number}")
    mackie.stands(3, position(1))
    mackie.touch(0)
    wait_until(lambda: touched(desk, "music"), "touched")
    mackie.forget()
    mackie.press(0x2F)
    wait_until(lambda: (mackie.text(0) or "").startswith("in13"), "the next bank")
    wait_until(lambda: not touched(desk, "music"), "the strip before is let go")
    desk.ctl("volume", "in13", "0.25")
    time.sleep(0.2)
    assert mackie.motor(0) is None, "the finger is still there"
    mackie.move(0, int(position(0.5) * GREATEST))
    wait_until(lambda: touched(desk, "in13"), "it holds what it moves")
    mackie.touch(0, False)
    wait_until(lambda: not touched(desk, "in13"), "let go")
    # An extender that is taken off, and a map of more units, are no matter to it.
    mackie.touch(1)
    wait_until(lambda: touched(desk, "in14"), "touched")
    mackie.forget()
    mackie.leave(1, "mackie_2")
    desk.ctl("midi", "map", "mackie", "3")
    time.sleep(0.4)
    assert touched(desk, "in14") and mackie.motor(1) is None


def test_a_strip_is_let_go_whatever_it_is_called_by_then(desk, mackie):
    mackie.stands(1, position(1))
    mackie.touch(1)
    wait_until(lambda: touched(desk, "voice"), "touched")
    desk.ctl("name", "voice", "speaker")
    mackie.touch(1, False)
    wait_until(lambda: not touched(desk, "speaker"), "let go under another name")
    mackie.touch(1)
    wait_until(lambda: touched(desk, "speaker"), "touched")
    # Taken away under the finger, and brought back when that is gone.
    peer = desk.osc()
    peer.send("/track/3/name", "bell")
    mackie.touch(1, False)
    wait_until(lambda: not touched(desk, "speaker"), "let go")
    peer.close()


def test_the_modes_of_the_strip_that_is_selected(desk, mackie):
    mackie.stands(0, position(1))
    mackie.press(0x19)
    wait_until(lambda: mackie.light(0x19) == 127, "voice is selected")
    is_lit(mackie, 0x4A, True)
    mackie.press(0x4D)
    wait_until(lambda: desk.json("write", "voice")["write"] == "touch", "touch")
    is_lit(mackie, 0x4D, True)
    assert desk.json("write", "music")["write"] == "read"
    mackie.press(0x4D)
    wait_until(lambda: desk.json("write", "voice")["write"] == "read", "back")
    mackie.press(0x4A)
    wait_until(lambda: desk.json("write", "voice")["write"] == "off", "off")
    # It is the strip that is selected, not its place.
    mackie.press(0x4A)
    desk.ctl("remove", "music")
    wait_until(lambda: mackie.light(0x18) == 127, "it has moved")
    mackie.press(0x4E)
    wait_until(lambda: desk.json("write", "voice")["write"] == "latch", "latch")
    assert desk.json("write", "chime")["write"] == "read"


def test_a_hand_brings_a_strip_up_from_silence(desk, mackie):
    desk.ctl("volume", "music", "0.5", "0s")
    desk.ctl("volume", "music", "0")
    mackie.stands(0, 0)
    mackie.move(0, int(position(0.5) * GREATEST))
    wait_until(lambda: value(desk, "volume", "music") == pytest.approx(1, rel=1e-3), "0.5 is heard")


def test_a_unit_that_is_replugged_at_once_is_told_everything(desk, mackie):
    mackie.stands(0, position(1))
    for _ in range(3):
        mackie.forget()
        mackie.leave(0, "mackie")
        mackie.join(0, "mackie")
        mackie.stands(0, position(1))
