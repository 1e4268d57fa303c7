"""What the contract says of tracks, clips, steps, documents, fingers and edits that wait, as obviously as it
can be said: what the mixer is compared with."""

import copy

GUESSED = [f"live{n}.mka" for n in range(6)]
LENGTHS = {"plain.wav": 2.0} | dict.fromkeys(GUESSED, 3.0)


class Refused(Exception):
    pass


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
