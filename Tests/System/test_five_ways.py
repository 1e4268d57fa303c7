"""The same gesture by OSC, by MIDI, as an X32 has it, by the page's WebSocket and from the shell: the same
session."""

import json
import math
import os
import random
import time

import pytest
from conftest import OscPeer, steady, wait_until
from surface import Surface
from test_desks import Remote
from test_web import Web, packet
from websocket import Socket

RATE = 48000
TRACKS = ("music", "voice", "chime")
# Each control by its place in the session, with its controller and how the desk has it.
CONTROLS = (
    [(name, "volume", f"/ch/0{n}/mix/fader") for n, name in enumerate(TRACKS, 1)]
    + [(name, "mute", f"/ch/0{n}/mix/on") for n, name in enumerate(TRACKS, 1)]
    + [(name, "solo", f"/-stat/solosw/0{n}") for n, name in enumerate(TRACKS, 1)]
    + [(name, "pan", f"/ch/0{n}/mix/pan") for n, name in enumerate(TRACKS, 1)]
    + [(name, "send/hall/volume", f"/ch/0{n}/mix/01/level") for n, name in enumerate(TRACKS, 1)]
    + [("hall", "volume", "/bus/01/mix/fader"), ("master", "volume", "/main/st/mix/fader")]
    + [("all", "volume", "/dca/1/fader"), ("all", "mute", "/dca/1/on")]
)
WAYS = ("osc", "midi", "x32", "page", "shell")


def gain(share):
    """Ardour's law."""
    return 0.0 if share <= 0 else 2 ** ((share**0.125 * 198 - 192) / 6)


def desk_position(volume):
    """Where a fader of the desk stands."""
    if volume <= 0:
        return 0.0
    level = 20 * math.log10(volume)
    if level >= -10:
        return (level + 30) / 40
    if level >= -30:
        return (level + 50) / 80
    return (level + 70) / 160 if level >= -60 else (level + 90) / 480


def is_switch(control):
    return control in ("mute", "solo")


def address(strip, control):
    return f"/master/{control}" if strip == "master" else f"/track/{strip}/{control}"


class Ways:
    """Five mixers, each driven in a way of its own."""

    def __init__(self, mixers, jackd, make_session):
        bindings = [
            {
                "message": f"cc {number + 1} 40"
                if is_switch(control)
                else f"cc14 {number % 16 + 1} {number // 16 + 1}",
                "strip": strip,
                **(
                    {"send": "hall", "control": "volume"}
                    if control.startswith("send")
                    else {"control": control}
                ),
            }
            for number, (strip, control, _) in enumerate(CONTROLS)
        ]
        # Switches by controllers of their own.
        for number, (_, control, _) in enumerate(CONTROLS):
            if is_switch(control):
                bindings[number]["message"] = f"cc {number % 16 + 1} {40 + number // 16}"
        self.mixers, self.paths = {}, {}
        for way in WAYS:
            path = make_session(
                name=f"{way}.json",
                tracks={
                    name: (steady(RATE, 0.1, 0.1), {"sends": [{"to": "hall", "volume": 1}]})
                    for name in TRACKS
                },
                buses=[{"name": "hall"}],
                dcas=[{"name": "all", "members": ["music"]}],
                midi={"bindings": bindings},
            )
            self.paths[way] = path
            extra = {"x32": ["--x32", "0"], "page": ["--web", "0"]}.get(way, [])
            self.mixers[way] = mixers("--server", jackd.name, "--name", way, "--no-connect", *extra, path)
        self.osc = {way: OscPeer(self.mixers[way].port) for way in WAYS}
        self.surface = Surface(jackd)
        self.surface.join(0, "midi", mixer="midi")
        log = self.mixers["x32"]
        wait_until(lambda: "X32 find" in log.log, "it says where")
        self.x32 = Remote(int(log.log.split("an X32 find the mixer on 127.0.0.1 port ")[1].split()[0]))
        web = Web(self.mixers["page"])
        self.page = Socket(web.port, f"Authorization: Bearer {web.token}")
        assert self.page.status == 101

    def close(self):
        for peer in self.osc.values():
            peer.close()
        self.surface.close()
        self.x32.close()
        self.page.socket.close()

    def move(self, number, raw):
        """The same gesture in all ways; raw is a flag, or a place of 14 bits."""
        strip, control, desk = CONTROLS[number]
        if is_switch(control):
            value = bool(raw)
            self.surface.send(0xB0 + number % 16, 40 + number // 16, 127 * value)
            self.x32.send(desk, int(value != (control == "mute")))
        else:
            share = raw / 16383
            value = share * 2 - 1 if control == "pan" else gain(share)
            channel, controller = number % 16, number // 16 + 1
            self.surface.send(0xB0 + channel, controller, raw >> 7)
            self.surface.send(0xB0 + channel, controller + 32, raw & 127)
            self.x32.send(desk, share if control == "pan" else desk_position(value))
        word = int(value) if is_switch(control) else value
        self.osc["osc"].send(address(strip, control), word if is_switch(control) else (value, "d"))
        self.page.send(2, packet(address(strip, control), word if is_switch(control) else (value, "d")))
        if control.startswith("send"):
            words = ["send", strip, "hall", repr(value)]
        else:
            words = [control, strip, ("on" if value else "off") if is_switch(control) else repr(value)]
        self.mixers["shell"].ctl(*words)
        return value

    def stands(self, number, value):
        strip, control, _ = CONTROLS[number]
        for way in WAYS:
            wait_until(
                lambda way=way: (
                    self.osc[way].ask(address(strip, control))[0][1][0]
                    == pytest.approx(value, rel=3e-6, abs=1e-6)
                ),
                f"{strip} {control} stands at {value} by {way}",
            )

    def session(self, way):
        self.mixers[way].ctl("save")
        found = json.loads(self.paths[way].read_text())
        found.pop("desks", None)
        return found


def alike(one, other):
    """The same but for what floats of four bytes lose on the way."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return one == pytest.approx(other, rel=3e-6, abs=1e-6)
    return one == other


def test_two_hundred_gestures_by_five_ways(mixers, jackd, make_session):
    seed = int(os.environ.get("JMIX_SEED", "5"))
    print(f"seed {seed}")
    dice = random.Random(seed)
    ways = Ways(mixers, jackd, make_session)
    try:
        last = None
        for _ in range(200):
            number = dice.randrange(len(CONTROLS))
            if is_switch(CONTROLS[number][1]):
                raw = dice.randrange(2)
            else:
                raw = dice.choice([0, 16383, dice.randrange(400, 16384)])
            value = ways.move(number, raw)
            ways.stands(number, value)
            last = number
        assert last is not None
        time.sleep(0.3)
        sessions = {way: ways.session(way) for way in WAYS}
        for way in WAYS[1:]:
            assert alike(sessions["osc"], sessions[way]), way
        steps = {way: [step["name"] for step in ways.mixers[way].json("history")] for way in WAYS}
        for way in WAYS[1:]:
            assert steps[way] == steps["osc"], way
    finally:
        ways.close()
