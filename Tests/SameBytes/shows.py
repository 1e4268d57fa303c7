"""Shows with every processor, from seeds: the same text and the same sound on every machine. Whole numbers
alone make the sound."""

import json
import os
import random
import struct

import numpy as np

RATE = 48000
CURVES = ["linear", "scurve", "equalpower", "exponential"]
# Bursts of a tenth of a second: from beyond full scale down to what is denormal.
LEVELS = [2.0, 1.0, 2**-4, 2**-10, 2**-20, 0, 1.0, 2**-126, 2**-140, 2**-2]
# The speakers of a WAV's channels.
MASKS = {1: 4, 2: 3, 6: 0x60F, 8: 0x63F, 12: 0x2D63F}


def noise(seed, count):
    """splitmix64, its upper 24 bits."""
    state = (
        np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, count + 1, dtype=np.uint64)
    ).astype(np.uint64)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((state ^ (state >> np.uint64(31))) >> np.uint64(40)).astype(np.float64) / 2**23 - 1


def write_wav(path, channels, frames):
    levels = np.array(LEVELS)[np.arange(frames) // 4800 % 10]
    sound = (
        np.stack([noise(c * 77 + channels, frames) * levels for c in range(channels)], axis=1)
        .astype("<f4")
        .tobytes()
    )
    fmt = struct.pack(
        "<HHIIHHHHI", 0xFFFE, channels, RATE, RATE * 4 * channels, 4 * channels, 32, 22, 32, MASKS[channels]
    )
    fmt += bytes.fromhex("0300000000001000800000aa00389b71")
    head = b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack("<I", len(sound))
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", len(head) + len(sound)) + head + sound)


class Show:
    """A session from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self, low, high):
        return round(self.random.uniform(low, high), 4)

    def time(self, low, high):
        return f"{self.random.randint(low, high)}ms"

    def chance(self, share):
        return self.random.random() < share

    def lane(self, low, high, rising=False, switch=False):
        """Points and ramps, one behind another; `rising`: it never touches 0, so that it may go by ratios."""
        events, at = [], self.random.randint(0, 300)
        for _ in range(self.random.randint(1, 4)):
            if switch:
                events.append({"value": self.chance(0.5), "at": f"{at}ms"})
            elif self.chance(0.4):
                events.append({"value": self.number(low, high), "at": f"{at}ms"})
            else:
                end = at + self.random.randint(50, 500)
                curve = self.random.choice(CURVES if rising else CURVES[:3])
                ramp = [self.number(low, high), self.number(low, high)]
                events.append({"ramp": ramp, "from": f"{at}ms", "to": f"{end}ms", "curve": curve})
                at = end
            at += self.random.randint(10, 300)
        return events

    def automation(self):
        events = self.lane(0.05, 2, rising=True)
        return [
            {("volume" if key == "value" else key): value for key, value in event.items()} for event in events
        ]

    def equaliser(self):
        count = self.random.randint(1, 4)
        bands = [
            {"freq": self.number(30, 20000), "gain": self.number(-24, 24), "q": self.number(0.1, 20)}
            for _ in range(count)
        ]
        made = {"bands": bands}
        if self.chance(0.5):
            made["hp"], made["hpSlope"] = self.number(20, 400), self.random.choice([12, 24])
        if self.chance(0.5):
            made["lp"], made["lpSlope"] = self.number(800, 30000), self.random.choice([12, 24])
        if self.chance(0.5):
            bands[0]["type"] = "lowshelf"
        if count == 4 and self.chance(0.5):
            bands[3]["type"] = "highshelf"
        return made

    def gate(self):
        threshold = self.number(-60, -5)
        return {
            "threshold": threshold,
            "close": round(threshold - self.number(0, 12), 4),
            "range": self.random.choice([120, self.number(5, 80)]),
            "attack": self.time(0, 20),
            "hold": self.time(0, 100),
            "release": self.time(0, 200),
        }

    def compressor(self):
        return {
            "threshold": self.number(-50, 0),
            "ratio": self.random.choice([1000, self.number(1, 20)]),
            "knee": self.random.choice([0, self.number(0, 20)]),
            "attack": self.time(0, 50),
            "release": self.time(1, 400),
            "makeup": self.number(-6, 12),
        }

    def lanes(self, strip):
        ranges = {"pan": (-1, 1), "trim": (0.1, 2, True), "mute": (0, 1, False, True)}
        if "eq" in strip:
            band = self.random.randint(1, len(strip["eq"]["bands"]))
            ranges |= {
                f"eq/{band}/gain": (-24, 24),
                f"eq/{band}/freq": (30, 20000, True),
                f"eq/{band}/q": (0.2, 20, True),
            }
            if "hp" in strip["eq"]:
                ranges["eq/hp"] = (20, 400, True)
            if "lp" in strip["eq"]:
                ranges["eq/lp"] = (800, 20000, True)
        if "comp" in strip:
            ranges |= {
                "comp/threshold": (-40, 0),
                "comp/ratio": (1, 20, True),
                "comp/knee": (0, 12),
                "comp/makeup": (-6, 6),
            }
        if "gate" in strip:
            ranges |= {"gate/threshold": (-60, -10), "gate/range": (5, 120)}
        return {name: self.lane(*ends) for name, ends in ranges.items() if self.chance(0.5)}

    def processed(self, strip, share=0.5):
        for name, make in (
            ("eq", self.equaliser),
            ("gate", self.gate),
            ("comp", self.compressor),
            ("automation", self.automation),
        ):
            if self.chance(share):
                strip[name] = make()
        if self.chance(share / 2):
            strip["delay"] = self.time(1, 200)
        if self.chance(share / 2):
            strip["limit"] = {"level": self.number(-20, 0), "release": self.time(5, 300)}
        if self.chance(share):
            strip["lanes"] = self.lanes(strip)
        return strip

    def clips(self, channels):
        files = [count for count in MASKS if count <= channels]
        at, clips = self.random.randint(0, 4000), []
        for _ in range(self.random.randint(1, 3)):
            length = self.random.randint(2000, 40000)
            clip = {
                "file": f"m{self.random.choice(files)}.wav",
                "at": f"{at}f",
                "from": f"{self.random.randint(0, 4000)}f",
                "duration": f"{length}f",
                "gain": self.random.choice([1, self.number(0.1, 2), "-7.3dB"]),
            }
            for fade in ("fadeIn", "fadeOut"):
                if self.chance(0.5):
                    clip[fade], clip[f"{fade}Curve"] = (
                        f"{self.random.randint(1, 800)}f",
                        self.random.choice(CURVES[:3]),
                    )
            clips.append(clip)
            at += length + self.random.randint(0, 3000)
        return clips

    def track(self, number):
        channels = self.random.choice([2, 2, 2, 1, 6, 8, 12])
        fader = self.random.choice([1, self.number(0, 1.5), f"{self.random.randint(-400, 60) / 10}dB"])
        track = {
            "name": f"t{number}",
            "fader": fader,
            "pan": self.random.choice([0, self.number(-1, 1)]),
            "trim": self.random.choice([1, self.number(0.2, 2)]),
            "polarity": self.chance(0.2),
            "clips": self.clips(channels),
            "output": self.random.choice(["band", "panel", "master", "panel"]),
            "automixing": {"weight": self.number(0.2, 3), "priority": self.random.randint(0, 2)},
        }
        if channels != 2:
            track["channels"] = channels
        if self.chance(0.3):
            track["fadeIn"] = self.time(10, 300)
        if self.chance(0.5):
            track["sends"] = [
                {
                    "to": "hall",
                    "volume": self.number(0, 1),
                    "pan": self.random.choice([0, self.number(-1, 1)]),
                    "pre": self.chance(0.5),
                    "automation": self.automation(),
                    "lanes": {"pan": self.lane(-1, 1)},
                }
            ]
        return self.processed(track)

    def ducks(self, names):
        """From earlier tracks to later ones alone, so that there is no loop."""
        for place, name in enumerate(names[:-1]):
            duck = {"track": name, "under": self.random.choice(names[place + 1 :]), "to": self.number(0, 0.8)}
            if self.chance(0.5):
                yield duck | {
                    "by": "signal",
                    "threshold": f"{self.random.randint(-60, -5)}dB",
                    "attack": self.time(0, 40),
                    "hold": self.time(0, 200),
                    "release": self.time(1, 300),
                    "lookahead": self.time(0, 20),
                }
            elif self.chance(0.5):
                yield duck | {"attack": self.time(0, 200), "release": self.time(0, 300)}

    def session(self):
        tracks = [self.track(number) for number in range(self.random.randint(2, 6))]
        names = [track["name"] for track in tracks]
        for place, track in enumerate(tracks[:-1]):
            for name in ("comp", "gate"):
                if name in track and self.chance(0.5):
                    track[name]["key"] = self.random.choice(names[place + 1 :])
        buses = [
            self.processed({"name": "hall", "fader": self.number(0.2, 1)}),
            self.processed({"name": "band", "channels": self.random.choice([2, 6, 12])}),
            self.processed({"name": "panel"}, 0.3),
        ]
        buses[2]["automix"] = {"attack": self.time(1, 30), "release": self.time(20, 300)}
        dca = {
            "name": "all",
            "fader": self.number(0.5, 1),
            "members": self.random.sample(names, 2),
            "automation": self.automation(),
        }
        return {
            "jmix": 3,
            "sampleRate": RATE,
            "tracks": tracks,
            "buses": buses,
            "dcas": [dca],
            "ducks": list(self.ducks(names)),
            "master": self.processed({"fader": self.number(0.3, 1)}, 0.6),
        }


def write_shows(folder, count):
    """Writes the sessions 1.json and on, and their files; returns the sessions' paths."""
    os.makedirs(folder, exist_ok=True)
    for channels in MASKS:
        write_wav(os.path.join(folder, f"m{channels}.wav"), channels, 2 * RATE if channels < 3 else RATE)
    paths = [os.path.join(folder, f"{seed}.json") for seed in range(1, count + 1)]
    for seed, path in enumerate(paths, 1):
        with open(path, "w") as file:
            json.dump(Show(seed).session(), file, indent=1)
    return paths
