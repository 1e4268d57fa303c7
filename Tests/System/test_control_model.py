"""Several clients at once, against a page of obvious code: random commands, edits behind edits that wait for
a decoder, clients that go before their answer, undo under held faders, load and save between."""

import json
import os
import random
import socket
import struct
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import RATE, seconds_of, wait_until
from plain_console import GUESSED, LENGTHS, Desk, address
from pythonosc import osc_message_builder
from pythonosc.osc_message import OscMessage
from test_media import wrapper

pytestmark = pytest.mark.usefixtures("cache")

# A decoder waits as long as there is a file of the sound's name in the folder of gates.
GATED = """for word; do case "$word" in file:*) name=$(basename "$word");; esac; done
case "$*" in *pipe:1*) while [ -e "$(dirname "$0")/$name" ]; do sleep 0.01; done;; esac
exec /usr/bin/ffmpeg "$@\""""


class Gone(Exception):
    """What was asked for is not there any more."""


class Client:
    """One line of OSC over TCP."""

    def __init__(self, mixer):
        self.socket = socket.create_connection(("127.0.0.1", mixer.port), 5)
        self.socket.settimeout(10)
        self.refused = []
        self.number = 0

    def send(self, address, *words):
        message = osc_message_builder.OscMessageBuilder(address)
        for word in words:
            message.add_arg(word)
        body = message.build().dgram
        self.socket.sendall(struct.pack(">I", len(body)) + body)

    def receive(self):
        size = struct.unpack(">I", self.socket.recv(4, socket.MSG_WAITALL))[0]
        message = OscMessage(self.socket.recv(size, socket.MSG_WAITALL))
        if message.address == "/error":
            self.refused.append(message.params[0])
        return message.address, list(message.params)

    def ask(self, *command):
        self.send(*command)
        while (answer := self.receive())[0] != command[0]:
            if answer[0] == "/error" and answer[1][0] == command[0]:
                raise Gone
        return answer[1]

    def is_heard(self):
        """What was sent before this is done, or waits for a decoder: the edition is asked for behind it."""
        self.ask("/session/edition")

    def finish(self):
        self.number += 1
        self.send("/ping", self.number)
        while self.receive() != ("/pong", [self.number]):
            pass

    def renew(self):
        """Fingers of whom nothing is heard for ten seconds are gone."""
        self.ask("/version")

    def close(self):
        self.socket.close()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", wrapper(tmp_path / "gates", GATED))
    dice = np.random.default_rng(7)
    soundfile.write(tmp_path / "plain.wav", np.zeros((2 * RATE, 2)), RATE)
    for name in GUESSED:
        noise = dice.uniform(-0.3, 0.3, (3 * RATE, 2))
        soundfile.write(tmp_path / "noise.wav", noise, RATE, subtype="PCM_16")
        words = [
            "ffmpeg",
            "-v",
            "error",
            "-nostdin",
            "-i",
            "noise.wav",
            "-c:a",
            "flac",
            "-f",
            "matroska",
            "-",
        ]
        with open(tmp_path / name, "wb") as out:
            subprocess.run(words, cwd=tmp_path, check=True, timeout=60, stdout=out)
        (tmp_path / "gates" / name).touch()
    return tmp_path


def seen(witness):
    """What a client that only looks sees."""
    tracks = []
    for number, track in enumerate(json.loads(witness.ask("/tracks")[0]), 1):
        clips = [
            (
                clip["file"],
                seconds_of(clip["at"]),
                seconds_of(clip.get("from", "0s")),
                None if clip.get("estimated") else seconds_of(clip["end"]),
            )
            for clip in json.loads(witness.ask(f"/track/{number}/clips")[0])
        ]
        is_touched = witness.ask(f"/track/{number}/volume/touch")[0] == 1
        tracks.append((track["name"], track["fader"], track["mute"], is_touched, clips))
    status = json.loads(witness.ask("/status")[0])
    steps = [step["done"] for step in json.loads(witness.ask("/session/history")[0])]
    return {
        "tracks": tracks,
        "steps": (sum(steps), len(steps) - sum(steps)),
        "session": status["session"] and os.path.basename(status["session"]).removesuffix(".json"),
        "waiting": status["waitingEdits"],
        "unsaved": status["unsaved"],
    }


class Dice:
    """What the clients ask for next."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def command(self, desk, client):
        number = self.random.randint(1, len(desk.tracks) + (self.random.random() < 0.1) or 1)
        # A decoder has two files at a time: no more are asked for.
        fresh = [name for name in GUESSED if name in desk.known | set(desk.asked)]
        if len(desk.asked) < 2:
            fresh += [name for name in GUESSED if name not in fresh][:1] * 3
        file = self.random.choice(["plain.wav", *fresh])
        time = self.random.randint(0, 40) / 4
        held = [desk.tracks.index(t) + 1 for t in desk.tracks if desk.touches.get(t["id"]) == client]
        choices = {
            ("add", file): 3 if len(desk.tracks) < 4 else 0,
            ("remove", number): 1,
            # A fader that is moved again within a second goes on with its step: here each move is one.
            ("volume", number, self.random.randint(0, 16) / 8): 0 if desk.is_swept else 5,
            ("mute", number, self.random.randint(0, 1)): 4,
            ("append", number, file): 4,
            ("split", number, time): 5,
            ("cut", number, self.random.randint(1, 3)): 1,
            ("move", number, self.random.randint(1, 3), time): 3,
            ("undo",): 4,
            ("redo",): 3,
            ("save",): 2,
            ("save", self.random.choice(["show", "other"])): 1,
            ("load", self.random.choice(["show", "other"])): 0.7,
            ("new",): 0.4,
            ("touch", number, 1): 4,
            ("touch", held[0] if held else 0, 0): 2 if held else 0,
        }
        return self.random.choices(list(choices), list(choices.values()))[0]


@pytest.mark.parametrize("seed", range(int(os.environ.get("JMIX_CONTROL_SEEDS", 4))))
def test_any_clients_in_any_order_are_as_the_contract_says(mixers, jackd, folder, seed):
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", folder / "show.json")
    for name in ("other", "show"):
        mixer.ctl("save", name)
    desk, dice = Desk(), Dice(seed)
    witness = Client(mixer)
    clients = {number: Client(mixer) for number in range(3)}
    said = []

    def told():
        for number, client in clients.items():
            assert client.refused == desk.refused.get(number, []), f"seed {seed}, client {number}: {said}"

    def agrees(why):
        last = {}

        def is_seen():
            nonlocal last
            try:
                last = seen(witness)
            except Gone:
                return False
            return last == desk.seen()

        wait_until(is_seen, lambda: f"seed {seed}, {why}: {last}\nexpected {desk.seen()}\n{said[-40:]}")

    def open_gate(file):
        (folder / "gates" / file).unlink()
        desk.decoded(file)
        said.append(("decoded", file))
        agrees(said[-1])

    for _ in range(120):
        number = dice.random.choice(list(clients))
        chance = dice.random.random()
        if chance < 0.08 and desk.asked:
            open_gate(dice.random.choice(desk.asked[:2]))
        elif chance < 0.12:
            # It goes, whatever it has asked for and not been answered.
            clients.pop(number).close()
            desk.leave(number)
            said.append((number, "goes"))
            number = max([*clients, *desk.refused, number]) + 1
            clients[number] = Client(mixer)
        else:
            command = dice.command(desk, number)
            said.append((number, *command))
            words = [str(folder / word) if word in LENGTHS else word for word in command[1:]]
            clients[number].send(*address(command[0], *words))
            clients[number].is_heard()
            desk.ask(number, *command)
        agrees(said[-1])
        for client in clients.values():
            client.renew()
    while desk.asked:
        open_gate(desk.asked[0])
    for client in clients.values():
        client.finish()
    told()
    # What was saved is what it was when its turn came.
    for name, tracks in desk.files.items():
        saved = json.loads((folder / f"{name}.json").read_text())["tracks"]
        assert [(t["name"], t.get("fader", 1), t.get("mute", False), len(t["clips"])) for t in saved] == [
            (t["name"], t["fader"], t["mute"], len(t["clips"])) for t in tracks
        ], (seed, name)
    for client in [witness, *clients.values()]:
        client.close()
