"""A long run with a restless operator; see scripts/soak."""
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time

from conftest import ROOT, JackServer, Mixer
from pythonosc import osc_bundle_builder, osc_message_builder


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


class Operator:
    """Does something at random, as thirty people at one desk would."""

    def __init__(self, mixer, seed):
        self.peer, self.random = mixer.osc(), random.Random(seed)

    def time(self):
        return round(self.random.uniform(0, 15), 3)

    def act(self):
        choose, track = self.random.random, self.random.randint(1, 4)
        kind = self.random.choice(["locate", "fader", "fader", "fader", "ramp", "clear", "pan", "mute", "fade", "loop", "duck", "add", "undo", "stop", "ask", "rename", "bundle", "touch"])
        if kind == "locate":
            return self.peer.ask("/transport/locate", self.time())
        if kind == "fader":
            for _ in range(20):
                self.peer.send(f"/track/{track}/volume", choose())
            return self.peer.ask("/ping", 0)
        if kind == "ramp":
            start = self.time()
            return self.peer.ask(f"/track/{track}/ramp", choose(), choose(), start, start + 0.5, "scurve", True)
        if kind == "clear":
            return self.peer.ask(f"/track/{track}/automation/clear")
        if kind == "pan":
            return self.peer.ask(f"/track/{track}/pan", self.random.uniform(-1, 1))
        if kind == "mute":
            return self.peer.ask(f"/track/{track}/mute", self.random.randint(0, 1))
        if kind == "fade":
            return self.peer.ask(f"/track/{track}/fade", choose(), 0.3)
        if kind == "loop":
            start = self.time()
            return self.peer.ask("/transport/loop", start, start + 1) if choose() < 0.5 else self.peer.ask("/transport/loop", False)
        if kind == "duck":
            return self.peer.ask("/duck", 1, 4, choose(), 0.1, 0.1)
        if kind == "add":
            (address, arguments), = self.peer.ask("/track/add", "pad.flac", self.time())
            return self.peer.ask(f"/track/{arguments[0]}/remove") if address == "/track/add" else None
        if kind == "undo":
            return self.peer.ask("/session/undo")
        if kind == "stop":
            self.peer.ask("/transport/stop")
            return self.peer.ask("/transport/play")
        if kind == "rename":
            return self.peer.ask(f"/track/{track}/name", f"name{track}-{self.random.randint(1, 3)}")
        if kind == "bundle":
            bundle = osc_bundle_builder.OscBundleBuilder(time.time() + choose() / 5)
            for address, argument in ((f"/track/{track}/volume", choose()), ("/master/mute", 0), ("/transport/locate", self.time())):
                message = osc_message_builder.OscMessageBuilder(address)
                message.add_arg(argument)
                bundle.add_content(message.build())
            return self.peer.client.send(bundle.build())
        if kind == "touch":
            return self.peer.ask(f"/track/{track}/volume/touch", self.random.randint(0, 1))
        return self.peer.ask("/track/*/meter")


def main(minutes=10.0, seed=1):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(ROOT, "Sessions/four-tracks"), folder, dirs_exist_ok=True)
        server = JackServer(period=64, synchronous=False)
        mixer = Mixer("--server", server.name, "--play", "--direct-outs", "post", folder)
        operator = Operator(mixer, seed)
        start, acts, first, code = time.monotonic(), 0, None, 0
        try:
            for minute in range(1, int(minutes) + 1):
                while time.monotonic() < start + 60 * minute:
                    operator.act()
                    acts += 1
                    time.sleep(0.02)
                # Undo brings removed tracks back: they go, so that every minute ends with the same session.
                while len(mixer.json("tracks")) > 4:
                    mixer.ctl("remove", 5)
                time.sleep(0.5)
                status = mixer.json("status")
                now = memory(mixer.process.pid)
                first = first or now
                files = len(os.listdir(f"/proc/{mixer.process.pid}/fd"))
                print(f"minute {minute}: {acts} acts, {now:.1f} MiB, {files} files, {status['dropouts']} dropouts, {status['xruns']} xruns, "
                      f"{status['latePeriods']} late of {status['periods']} periods, callback {json.dumps(status['callbackMicroseconds'])}", flush=True)
                # What can be undone (64 MiB) and remembered places (64 MiB) fill up first.
                if status["dropouts"] or now > first + 110 or files > 30:
                    code = 1
        finally:
            ended = mixer.end()
            server.end()
        print(mixer.log, end="")
        return code or ended


if __name__ == "__main__":
    # Ended from outside, it still ends what it has started.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(1))
    sys.exit(main(*map(float, sys.argv[1:])))
