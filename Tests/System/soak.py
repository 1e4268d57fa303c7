"""A long run with a restless operator; see scripts/soak."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

import jack
import numpy as np
import soundfile
import witness
from conftest import RATE, ROOT, JackServer, Mixer, line_of, wait_until
from pythonosc import osc_bundle_builder, osc_message_builder


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


class Operator:
    """Does something at random, as thirty people at one desk would."""

    def __init__(self, mixer, seed, oracle):
        self.peer, self.random, self.oracle = mixer.osc(), random.Random(seed), oracle
        # A machine that does much else beside may keep a server waiting, and what is asked of it.
        self.peer.client._sock.settimeout(30)

    def time(self):
        return round(self.random.uniform(0, 15), 3)

    def target(self):
        """A time to go to: anywhere, often backwards, often to the start. The oracle is told."""
        time = self.random.choice([0.0, self.time(), self.random.uniform(0, 1)])
        self.oracle.targets.add(round(time * RATE))
        return float(time)

    def act(self):
        choose, track = self.random.random, self.random.randint(1, 4)
        kind = self.random.choice(
            [
                "locate",
                "fader",
                "fader",
                "fader",
                "ramp",
                "clear",
                "pan",
                "mute",
                "fade",
                "loop",
                "duck",
                "add",
                "undo",
                "stop",
                "ask",
                "rename",
                "bundle",
                "touch",
                "input",
                "record",
            ]
        )
        if kind == "locate":
            return self.peer.ask("/transport/locate", (self.target(), "d"))
        if kind == "fader":
            for _ in range(20):
                self.peer.send(f"/track/{track}/volume", choose())
            return self.peer.ask("/ping", 0)
        if kind == "ramp":
            start = self.time()
            return self.peer.ask(
                f"/track/{track}/ramp", choose(), choose(), start, start + 0.5, "scurve", True
            )
        if kind == "clear":
            return self.peer.ask(f"/track/{track}/automation/clear")
        if kind == "pan":
            return self.peer.ask(f"/track/{track}/pan", self.random.uniform(-1, 1))
        if kind == "mute":
            return self.peer.ask(f"/track/{track}/mute", self.random.randint(0, 1))
        if kind == "fade":
            return self.peer.ask(f"/track/{track}/fade", choose(), 0.3)
        if kind == "loop":
            start = self.target()
            self.oracle.loops.add((round(start * RATE), round((start + 1) * RATE)))
            return (
                self.peer.ask("/transport/loop", (start, "d"), (start + 1, "d"))
                if choose() < 0.5
                else self.peer.ask("/transport/loop", False)
            )
        if kind == "duck":
            return self.peer.ask("/duck", 1, 4, choose(), 0.1, 0.1)
        if kind == "add":
            ((address, arguments),) = self.peer.ask("/track/add", "pad.flac", self.time())
            return self.peer.ask(f"/track/{arguments[0]}/remove") if address == "/track/add" else None
        if kind == "input":
            ((address, arguments),) = self.peer.ask(
                "/input/add", f"guest{self.random.randint(1, 9)}", "jmix:master_1"
            )
            if address != "/input/add":
                return None
            self.peer.ask(f"/track/{arguments[0]}/output", "none")
            self.peer.ask(f"/track/{arguments[0]}/arm", 1)
            return None if choose() < 0.5 else self.peer.ask(f"/track/{arguments[0]}/remove")
        if kind == "record":
            return self.peer.ask("/record", self.random.choice([0, 1, 1, "loop"]))
        if kind == "undo":
            return self.peer.ask("/session/undo")
        if kind == "stop":
            self.peer.ask("/transport/stop")
            if choose() < 0.5:
                time.sleep(choose() / 10)
            if choose() < 0.3:
                self.peer.ask("/transport/locate", (self.target(), "d"))
            return self.peer.ask("/transport/play")
        if kind == "rename":
            return self.peer.ask(f"/track/{track}/name", f"name{track}-{self.random.randint(1, 3)}")
        if kind == "bundle":
            bundle = osc_bundle_builder.OscBundleBuilder(time.time() + choose() / 5)
            for address, argument in (
                (f"/track/{track}/volume", choose()),
                ("/master/mute", 0),
                ("/transport/locate", (self.target(), "d")),
            ):
                message = osc_message_builder.OscMessageBuilder(address)
                message.add_arg(*argument) if isinstance(argument, tuple) else message.add_arg(argument)
                bundle.add_content(message.build())
            return self.peer.client.send(bundle.build())
        if kind == "touch":
            return self.peer.ask(f"/track/{track}/volume/touch", self.random.randint(0, 1))
        return self.peer.ask("/track/*/meter")


LATE = 1792  # frames of a cable from the witness to the track that records it


def cable(server, folder):
    """A client that gives what it hears so much later, and says so."""
    program = os.path.join(folder, "cable")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cable.c")
    subprocess.run(["clang", source, "-o", program, "-ljack"], check=True)
    process = subprocess.Popen(
        [program, server.name, str(LATE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert line_of(process.stdout, "the cable is there").strip() == "ready"
    return process


class Takes:
    """What was recorded over the cable: each frame of a take is what the witness played at that frame of the
    timeline, but where playing went elsewhere within a fade."""

    def __init__(self, mixer, folder):
        self.mixer, self.folder = mixer, folder
        self.clips = self.frames = self.fades = 0
        self.faults = []

    def check(self):
        """Looks at all takes that lie on the timeline, and takes them off it."""
        for clip in self.mixer.json("clips", "mic"):
            at, begin, length = (
                round(Fraction(clip.get(field, "0s").removesuffix("s")) * RATE)
                for field in ("at", "from", "duration")
            )
            take, _ = soundfile.read(
                os.path.join(self.folder, clip["file"]), dtype="float32", start=begin, frames=length
            )
            wanted = witness.samples(40 * RATE)[at : at + len(take)]
            # What could not be written in time is silent, and said; a fade may lie right beside it.
            wrong = np.flatnonzero((take[: len(wanted)] != wanted) & (take[: len(wanted)] != 0))
            # Wrong frames in a row, a stop within a fade apart: longer than a fade out and a fade in none is.
            for part in np.split(wrong, np.flatnonzero(np.diff(wrong) > witness.FADE) + 1):
                self.fades += len(part) > 0
                if len(part) and part[-1] - part[0] > 4 * witness.FADE:
                    self.faults.append(
                        f"{clip}: wrong from {part[0]} to {part[-1]}: {take[part[0]] / witness.SCALE:.2f} "
                        f"where {wanted[part[0]] / witness.SCALE:.0f} belongs"
                    )
            self.clips, self.frames = self.clips + 1, self.frames + len(take)
        self.mixer.ctl("remove-range", "mic", "0s", "60s", "--gap")


def main(minutes=10.0, seed=1):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(ROOT, "Sessions/four-tracks"), folder, dirs_exist_ok=True)
        length = 40 * RATE
        soundfile.write(os.path.join(folder, "witness.wav"), witness.samples(length), RATE, subtype="FLOAT")
        path = os.path.join(folder, "session.json")
        session = json.load(open(path))
        session["jmix"] = 2
        session["tracks"].append({"name": "witness", "clips": [{"file": "witness.wav"}]})
        session["tracks"].append(
            {"name": "mic", "input": {"channels": 1, "connect": ["cable:out"]}, "output": "none", "arm": True}
        )
        session["connections"] = [{"port": "witness_1", "to": "cable:in"}]
        json.dump(session, open(path, "w"))
        oracle = witness.Oracle(length)
        # Synchronous: what captures misses nothing.
        server = JackServer(period=128)
        delay = cable(server, folder)
        mixer = Mixer("--server", server.name, "--direct-outs", "pre", folder)
        takes = Takes(mixer, folder)
        port = wait_until(
            lambda: next((name for name in ports(server) if "witness" in name and name.endswith("1")), None),
            "the witness has its ports",
        )
        capture = subprocess.Popen(
            [
                sys.executable,
                "-c",
                witness.CAPTURE,
                os.path.dirname(os.path.abspath(__file__)),
                server.name,
                port,
            ],
            stdout=subprocess.PIPE,
        )
        listener = witness.Listener(capture, oracle)
        wait_until(
            lambda: any(name.startswith("witness-capture") for name in ports(server)), "the capture listens"
        )
        mixer.ctl("play")
        operator = Operator(mixer, seed, oracle)
        start, acts, first, code = time.monotonic(), 0, None, 0
        try:
            for minute in range(1, int(minutes) + 1):
                while time.monotonic() < start + 60 * minute:
                    try:
                        operator.act()
                    except TimeoutError:
                        code = mixer.process.poll()
                        state = "runs" if code is None else f"has ended with {code}"
                        sys.exit(f"no answer after {acts} acts; the mixer {state}")
                    acts += 1
                    time.sleep(0.02)
                # Undo brings removed tracks back: they go, so that every minute ends with the same session.
                while len(mixer.json("tracks")) > 6:
                    mixer.ctl("remove", 7)
                time.sleep(0.5)
                takes.check()
                status = mixer.json("status")
                now = memory(mixer.process.pid)
                first = first or now
                files = len(os.listdir(f"/proc/{mixer.process.pid}/fd"))
                with listener.lock:
                    faults = list(oracle.faults)
                    told = (
                        f"{oracle.frames / RATE:.0f} s compared: {oracle.crossfades} crossfades, "
                        f"{oracle.jumps} jumps of loops, {oracle.stops} stops, {oracle.several} of several "
                        f"at once, {oracle.missed} blocks that the capture missed, {len(faults)} faults; "
                        f"{takes.clips} takes of {takes.frames / RATE:.0f} s, {takes.fades} fades in them, "
                        f"{len(takes.faults)} faults"
                    )
                print(
                    f"minute {minute}: {acts} acts, {now:.1f} MiB, {files} files, {status['dropouts']} "
                    f"dropouts, {status['xruns']} xruns, "
                    f"{status['latePeriods']} late of {status['periods']} periods, callback "
                    f"{json.dumps(status['callbackMicroseconds'])}; {told}",
                    flush=True,
                )
                for fault in (faults + takes.faults)[:5]:
                    print(f"    {fault}", flush=True)
                # What can be undone (64 MiB) and remembered positions (64 MiB) fill up first, and the
                # allocator keeps a little beside.
                if status["dropouts"] or faults or takes.faults or now > first + 170 or files > 40:
                    code = 1
        finally:
            listener.end()
            ended = mixer.end()
            delay.stdin.close()
            delay.wait(10)
            delay.stdout.close()
            server.end()
        print(mixer.log, end="")
        return code or ended


def ports(server):
    client = jack.Client("look", servername=server.name, no_start_server=True)
    try:
        return [port.name for port in client.get_ports()]
    finally:
        client.close()


if __name__ == "__main__":
    # Ended from outside, it still ends what it has started.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(1))
    sys.exit(main(*map(float, sys.argv[1:])))
