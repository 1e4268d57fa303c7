"""Several clients at once, against a page of obvious code: random commands, edits behind edits that wait for
a decoder, clients that go before their answer, undo under held faders, load and save between."""

import copy
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
from pythonosc import osc_message_builder
from pythonosc.osc_message import OscMessage
from test_media import wrapper

pytestmark = pytest.mark.usefixtures("cache")

# A decoder waits as long as there is a file of the sound's name in the folder of gates.
GATED = """for word; do case "$word" in file:*) name=$(basename "$word");; esac; done
case "$*" in *pipe:1*) while [ -e "$(dirname "$0")/$name" ]; do sleep 0.01; done;; esac
exec /usr/bin/ffmpeg "$@\""""
GUESSED = [f"live{n}.mka" for n in range(6)]
LENGTHS = {"plain.wav": 2.0} | dict.fromkeys(GUESSED, 3.0)


class Refused(Exception):
    pass


class Gone(Exception):
    """What was asked for is not there any more."""


class Desk:
    """What the contract says of tracks, clips, steps, documents, fingers, and edits that wait."""

    def __init__(self):
        self.tracks, self.name, self.saved, self.changes = [], "show", [], 0
        self.files = {"show": [], "other": []}
        self.done, self.undone = [], []
        self.touches = {}  # the client with a finger on the fader of a track, by its id
        self.waiting = []  # (client, command, changes when it was asked)
        self.known = {"plain.wav"}
        self.asked = []  # files that a decoder has, or will have, in its order
        self.ids = 0
        self.refused = {}  # what each client is told, in its order

    # What commands do

    def track(self, number):
        if not 1 <= number <= len(self.tracks):
            raise Refused
        return self.tracks[number - 1]

    def end(self, clip):
        length = clip["duration"]
        return clip["at"] + (LENGTHS[clip["file"]] - clip["from"] if length is None else length)

    def new_track(self, name, clips=()):
        self.ids += 1
        return {"id": self.ids, "name": name, "fader": 1.0, "mute": False, "clips": list(clips)}

    def free_name(self, stem):
        names, number = {track["name"] for track in self.tracks}, 2
        name = stem
        while name in names:
            name, number = f"{stem}-{number}", number + 1
        return name

    def add(self, _, file):
        self.tracks.append(self.new_track(self.free_name(file.split(".")[0]), [whole(file, 0)]))

    def remove(self, _, number):
        self.tracks.remove(self.track(number))

    def volume(self, client, number, value):
        track = self.track(number)
        if track["fader"] != value and self.touches.get(track["id"], client) != client:
            raise Refused
        track["fader"] = value

    def mute(self, _, number, value):
        self.track(number)["mute"] = bool(value)

    def append(self, _, number, file):
        clips = self.track(number)["clips"]
        clips.append(whole(file, max(map(self.end, clips), default=0)))

    def split(self, _, number, time):
        clips = self.track(number)["clips"]
        for index, clip in enumerate(clips):
            if clip["at"] < time < self.end(clip):
                head, tail = dict(clip), dict(clip)
                head["duration"] = time - clip["at"]
                tail["at"], tail["from"] = time, clip["from"] + time - clip["at"]
                if clip["duration"] is not None:
                    tail["duration"] = clip["duration"] - head["duration"]
                clips[index : index + 1] = [head, tail]
                return
        raise Refused

    def cut(self, _, number, clip):
        clips = self.track(number)["clips"]
        if not 1 <= clip <= len(clips):
            raise Refused
        del clips[clip - 1]

    def move(self, _, number, clip, time):
        clips = self.track(number)["clips"]
        if not 1 <= clip <= len(clips):
            raise Refused
        moved = clips[clip - 1] | {"at": time}
        others = clips[: clip - 1] + clips[clip:]
        if any(time < self.end(other) and other["at"] < self.end(moved) for other in others):
            raise Refused
        clips[:] = sorted([*others, moved], key=lambda clip: clip["at"])

    # Steps and documents

    @property
    def is_swept(self):
        """The last step that can be taken back is a fader's."""
        return bool(self.done) and self.done[-1][0] == "volume"

    def present(self, kind):
        tracks = copy.deepcopy(self.tracks)
        return kind, (tracks, self.name, copy.deepcopy(self.saved)) if kind == "document" else tracks

    def restore(self, kind, state):
        if kind == "document":
            self.go_to(*state)
        else:
            self.tracks = state
        self.changes += 1

    def go_to(self, tracks, name, saved):
        """Another document: fingers end, and what waits is given up."""
        self.tracks, self.name, self.saved = copy.deepcopy(tracks), name, copy.deepcopy(saved)
        self.touches = {}
        for client, command, _ in self.waiting:
            self.refuse(client, command)
        self.waiting = []

    def step(self, client, forward):
        source, target = (self.undone, self.done) if forward else (self.done, self.undone)
        if not source:
            raise Refused
        kind, state = source[-1]
        if kind != "document":
            before = {track["id"]: track["fader"] for track in self.tracks}
            for track in state:
                holder = self.touches.get(track["id"], client)
                if holder != client and before.get(track["id"], track["fader"]) != track["fader"]:
                    raise Refused
        source.pop()
        target.append(self.present(kind))
        self.restore(kind, state)

    def redo(self, client):
        self.step(client, True)

    def undo(self, client):
        own = [n for n, entry in enumerate(self.waiting) if entry[0] == client and entry[2] == self.changes]
        if own:
            self.refuse(client, self.waiting.pop(own[-1])[1])
        else:
            self.step(client, False)

    def save(self, _, name=None):
        self.name = name or self.name
        if not self.name:
            raise Refused
        self.files[self.name] = self.saved = copy.deepcopy(self.tracks)

    def load(self, _, name):
        self.open(
            [self.new_track(t["name"]) | {k: t[k] for k in t if k != "id"} for t in self.files[name]], name
        )

    def new(self, _):
        self.open([], None)

    def open(self, tracks, name):
        self.done.append(self.present("document"))
        self.undone = []
        self.go_to(tracks, name, tracks)
        self.changes += 1

    def touch(self, client, number, is_on):
        track = self.track(number)["id"]
        if self.touches.get(track, client) != client:
            raise Refused
        if is_on:
            self.touches[track] = client
        else:
            self.touches.pop(track, None)

    def leave(self, client):
        self.touches = {track: owner for track, owner in self.touches.items() if owner != client}

    # What waits

    def measured(self, verb, words):
        """The files by whose lengths a command places or cuts."""
        if verb not in ("append", "split", "cut", "move"):
            return set()
        is_there = 1 <= words[0] <= len(self.tracks)
        files = {clip["file"] for clip in self.tracks[words[0] - 1]["clips"]} if is_there else set()
        return files | ({words[1]} if verb == "append" else set())

    def ask(self, client, verb, *words):
        for word in words:
            if word in LENGTHS and word not in self.known and word not in self.asked:
                self.asked.append(word)
        edits = ("add", "remove", "append", "split", "cut", "move")
        waits_behind = verb in edits and self.waiting
        waits_behind = waits_behind or verb == "save" and any(entry[0] == client for entry in self.waiting)
        if waits_behind or not self.measured(verb, words) <= self.known:
            self.waiting.append((client, (verb, *words), self.changes))
        else:
            self.carry_out(client, verb, *words)
            # What the first that waits has to do with may have gone.
            self.go_on()

    def carry_out(self, client, verb, *words):
        before = self.present(verb)
        try:
            getattr(self, verb)(client, *words)
        except Refused:
            self.refuse(client, (verb, *words))
        if self.tracks != before[1] and verb not in ("undo", "redo", "load", "new"):
            self.done.append(before)
            self.undone = []
            self.changes += 1

    def decoded(self, file):
        self.known.add(file)
        self.asked.remove(file)
        self.go_on()

    def go_on(self):
        """What waits is done in its order, as far as all is known."""
        while self.waiting and self.measured(self.waiting[0][1][0], self.waiting[0][1][1:]) <= self.known:
            client, command, _ = self.waiting.pop(0)
            self.carry_out(client, *command)

    def refuse(self, client, command):
        self.refused.setdefault(client, []).append(address(*command)[0])

    # What is seen of it

    def seen(self):
        return {
            "tracks": [self.seen_track(track) for track in self.tracks],
            "steps": (len(self.done), len(self.undone)),
            "session": self.name,
            "waiting": len(self.waiting),
            "unsaved": self.tracks != self.saved,
        }

    def seen_track(self, track):
        clips = []
        for clip in track["clips"]:
            is_known = clip["duration"] is not None or clip["file"] in self.known
            clips.append((clip["file"], clip["at"], clip["from"], self.end(clip) if is_known else None))
        return track["name"], track["fader"], track["mute"], track["id"] in self.touches, clips


def whole(file, at):
    return {"file": file, "at": at, "from": 0, "duration": None}


def address(verb, *words):
    """A command as OSC."""
    times = [f"{word}s" if verb in ("split", "move") and word is words[-1] else word for word in words]
    return {
        "add": ("/track/add", *words),
        "redo": ("/session/redo",),
        "undo": ("/session/undo",),
        "save": ("/session/save", *words),
        "load": ("/session/load", *words),
        "new": ("/session/new",),
    }.get(verb) or (
        f"/track/{words[0]}/" + {"cut": "clip/remove", "touch": "volume/touch"}.get(verb, verb),
        *times[1:],
    )


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
