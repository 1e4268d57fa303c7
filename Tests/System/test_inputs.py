"""Live inputs and recording: what comes in, what is heard of it and when, and what becomes of it on the disk and on the timeline."""
import json
import time

import jack
import numpy as np
import pytest
import soundfile
from conftest import RATE, Capture, Mixer, run, steady, wait_until


def noise(block, side, length=256):
    """What comes in in a period: no two samples alike, all exact in a float."""
    n = np.arange(block * length, (block + 1) * length, dtype=np.int64) + 1_000_003 * side
    return (((n * 2654435761) % 65521 - 32760) / 65536).astype(np.float32)


class Source:
    """A program that plays noise, of which every period can be told by the server's frame."""

    def __init__(self, server, ports=2, name="stage"):
        self.client = jack.Client(name, servername=server.name, no_start_server=True)
        self.outputs = [self.client.outports.register(f"out_{i + 1}") for i in range(ports)]
        self.blocks = {}
        self.number = 0
        self.client.set_process_callback(self.process)
        self.client.activate()

    def process(self, frames):
        block = np.stack([noise(self.number, side, frames) for side in range(len(self.outputs))], 1)
        for port, samples in zip(self.outputs, block.T):
            port.get_array()[:] = samples
        self.blocks[self.client.last_frame_time] = block
        self.number += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.deactivate()
        self.client.close()


class Timed(Capture):
    """Keeps for each period the server's frame."""

    def process(self, _):
        self.blocks.put((self.client.last_frame_time, np.stack([port.get_array().copy() for port in self.inputs], 1)))

    def end(self):
        return dict(self.finish())


def together(captured, source):
    """What was heard and what was played, of the periods that both have, in their order."""
    frames = sorted(set(captured) & set(source.blocks))
    return np.concatenate([captured[frame] for frame in frames]), np.concatenate([source.blocks[frame] for frame in frames])


def stretch(part, whole):
    """Where `part` lies in `whole`, both of one side."""
    first = np.flatnonzero(whole[: len(whole) - len(part) + 1] == part[0])
    return next((at for at in first if np.array_equal(whole[at: at + len(part)], part)), None)


@pytest.fixture
def stage(jackd):
    with Source(jackd) as source:
        yield source


def test_what_comes_in_in_a_period_goes_out_in_it(mixers, jackd, stage, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({"music": steady(100, 0, 0)}))
    assert mixer.ctl("input", "add", "mic", "stage:out_1").strip() == "2"
    assert mixer.ctl("input", "add", "keys", "stage:out_1", "stage:out_2").strip() == "3"
    wait_until(lambda: all(link["connected"] for link in mixer.json("connect")) and len(mixer.json("connect")) == 3, "the inputs are connected")
    mixer.ctl("mute", "keys", "on")
    mixer.ctl("volume", "mic", 0.5)
    time.sleep(0.2)
    with Timed(jackd) as capture:
        wait_until(lambda: capture.blocks.qsize() > 100, "a hundred periods have come")
        heard, played = together(capture.end(), stage)
    assert len(heard) > 50 * 256
    # mono is heard on both sides
    assert np.array_equal(heard[256:], played[256:, :1] * np.float32(0.5) * np.ones((1, 2), np.float32))
    mixer.ctl("mute", "mic", "on")
    mixer.ctl("mute", "keys", "off")
    time.sleep(0.2)
    with Timed(jackd) as capture:
        wait_until(lambda: capture.blocks.qsize() > 100, "a hundred periods have come")
        heard, played = together(capture.end(), stage)
    assert np.array_equal(heard[256:], played[256:])


def test_a_take_is_a_clip_a_step_and_a_file(mixers, jackd, stage, make_session, tmp_path):
    session = make_session({"music": steady(2 * RATE, 0.25, 0.25)})
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    mixer.ctl("input", "add", "mic", "stage:out_1")
    mixer.ctl("arm", "mic", "on")
    mixer.ctl("record", "1s", "2s")
    assert mixer.json("record") == {"record": True, "from": 1, "to": 2}
    mixer.ctl("play")
    wait_until(lambda: mixer.json("clips", "mic"), "the take is on the timeline", 20)
    mixer.ctl("stop")
    clip, = mixer.json("clips", "mic")
    assert clip["file"] == "takes/mic-1.wav" and clip["at"] == "1s" and clip["duration"] == "1s"
    file = tmp_path / "takes/mic-1.wav"
    samples, _ = soundfile.read(file, dtype="float32")
    played = np.concatenate([stage.blocks[frame] for frame in sorted(stage.blocks)])
    assert len(samples) == RATE and stretch(samples, played[:, 0]) is not None
    assert soundfile.info(file).subtype == "FLOAT"
    assert mixer.json("history")[-1] == {"name": "record mic", "done": True}
    mixer.ctl("undo")
    assert mixer.json("clips", "mic") == [] and file.exists()
    mixer.ctl("redo")
    assert len(mixer.json("clips", "mic")) == 1


def test_a_show_renders_again(mixers, jackd, stage, make_session, tmp_path):
    n = ((np.arange(4 * RATE) % 8191 + 1) / 16384).astype(np.float32)
    session = make_session(
        {"music": (np.stack([n, -n], 1), {"output": "band", "sends": [{"to": "hall", "volume": 0.5}]})},
        buses=[{"name": "hall", "fader": 0.75}, {"name": "band", "pan": -0.25, "automation": [{"ramp": [1, 0.5], "from": "1s", "to": "2s"}]}])
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    mixer.ctl("input", "add", "mic", "stage:out_1")
    mixer.ctl("input", "add", "keys", "stage:out_1", "stage:out_2")
    mixer.ctl("send", "mic", "hall", 0.5)
    mixer.ctl("output", "keys", "band")
    mixer.ctl("pan", "mic", 0.3)
    mixer.ctl("volume", "mic", 0.7)
    for track in ("mic", "keys"):
        mixer.ctl("arm", track, "on")
    mixer.ctl("record", "on")
    time.sleep(0.3)
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 3, "three seconds are over", 20)
        mixer.ctl("stop")
        wait_until(lambda: mixer.json("clips", "mic") and mixer.json("clips", "keys"), "the takes are on the timeline")
        frames = capture.end()
    mixer.ctl("save")
    run("render", session, tmp_path / "out.wav", "--from", "0s", "--to", "2.9s")
    out, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    at = stretch(out[:500, 0], frames[:, 0])
    assert at is not None
    assert np.array_equal(frames[at: at + len(out)], out)
    assert mixer.json("status")["lostFrames"] == 0


def test_a_click_that_comes_back_lies_where_it_was_played(mixers, jackd, make_session, tmp_path):
    click = np.zeros((2 * RATE, 2), np.float32)
    click[[RATE // 2, RATE]] = 0.5
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({"click": click}))
    mixer.ctl("input", "add", "back", "jmix:master_1")
    mixer.ctl("output", "back", "none")
    mixer.ctl("arm", "back", "on")
    mixer.ctl("record", "on")
    wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the loop is made")
    mixer.ctl("record", "on")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 1.5, "the clicks are over", 20)
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("clips", "back"), "the take is on the timeline")
    mixer.ctl("save")
    mixer.ctl("mute", "click", "on")
    mixer.ctl("monitor", "back", "clips")
    mixer.ctl("output", "back", "master")
    mixer.ctl("save")
    run("render", tmp_path / "session.json", tmp_path / "out.wav", "--to", "1.4s")
    out, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    assert list(np.flatnonzero(out[:, 0])) == [RATE // 2, RATE]
