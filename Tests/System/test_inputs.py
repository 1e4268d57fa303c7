"""Live inputs and recording: what comes in, what is heard of it and when, and what becomes of it on the disk
and on the timeline."""

import json
import os
import shutil
import signal
import subprocess
import time

import jack
import numpy as np
import pytest
import soundfile
from conftest import (
    JMIX,
    JMIXCTL,
    RATE,
    Capture,
    Mixer,
    bundle,
    interposer,
    line_of,
    connections_of,
    ports_of,
    run,
    seconds_of,
    steady,
    wait_until,
)
from pythonosc import osc_bundle_builder
from test_subscribe import Subscriber

pytestmark = pytest.mark.alone


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
        self.blocks.put(
            (self.client.last_frame_time, np.stack([port.get_array().copy() for port in self.inputs], 1))
        )

    def end(self):
        return dict(self.finish())


def together(captured, source):
    """What was heard and what was played, of the periods that both have, in their order."""
    frames = sorted(set(captured) & set(source.blocks))
    return np.concatenate([captured[frame] for frame in frames]), np.concatenate(
        [source.blocks[frame] for frame in frames]
    )


def stretch(part, whole):
    """Where `part` lies in `whole`, both of one side."""
    first = np.flatnonzero(whole[: len(whole) - len(part) + 1] == part[0])
    return next((at for at in first if np.array_equal(whole[at : at + len(part)], part)), None)


@pytest.fixture
def stage(jackd):
    with Source(jackd) as source:
        yield source


def test_what_comes_in_in_a_period_goes_out_in_it(mixers, jackd, stage, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({"music": steady(100, 0, 0)}))
    assert mixer.ctl("input", "add", "mic", "stage:out_1").strip() == "2"
    assert mixer.ctl("input", "add", "keys", "stage:out_1", "stage:out_2").strip() == "3"
    wait_until(
        lambda: all(link["connected"] for link in mixer.json("connect")) and len(mixer.json("connect")) == 3,
        "the inputs are connected",
    )
    mixer.ctl("mute", "keys", "on")
    mixer.ctl("volume", "mic", 0.5)
    time.sleep(0.2)
    with Timed(jackd) as capture:
        wait_until(lambda: capture.blocks.qsize() > 100, "a hundred periods have come")
        heard, played = together(capture.end(), stage)
    assert len(heard) > 50 * 256
    # mono is heard on both sides
    assert np.array_equal(heard[5120:], played[5120:, :1] * np.float32(0.5) * np.ones((1, 2), np.float32))
    mixer.ctl("mute", "mic", "on")
    mixer.ctl("mute", "keys", "off")
    time.sleep(0.2)
    with Timed(jackd) as capture:
        wait_until(lambda: capture.blocks.qsize() > 100, "a hundred periods have come")
        heard, played = together(capture.end(), stage)
    assert np.array_equal(heard[5120:], played[5120:])


def test_a_take_is_a_clip_a_step_and_a_file(mixers, jackd, stage, make_session, tmp_path):
    session = make_session({"music": steady(2 * RATE, 0.25, 0.25)})
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    mixer.ctl("input", "add", "mic", "stage:out_1")
    mixer.ctl("arm", "mic", "on")
    mixer.ctl("record", "1s", "2s")
    assert mixer.json("record") == {"record": True, "from": 1, "to": 2}
    mixer.ctl("play")
    wait_until(lambda: mixer.json("clips", "mic"), "the take is on the timeline")
    mixer.ctl("stop")
    (clip,) = mixer.json("clips", "mic")
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
    # it goes along with the session
    mixer.ctl("collect", tmp_path / "copy")
    wait_until(lambda: (tmp_path / "copy/session.json").exists(), "it is collected")
    copied = json.loads((tmp_path / "copy/session.json").read_text())["tracks"][1]["clips"][0]["file"]
    assert np.array_equal(soundfile.read(tmp_path / "copy" / copied, dtype="float32")[0], samples)
    # and another take over it cuts it
    mixer.ctl("record", "1.25s", "1.5s")
    mixer.ctl("locate", "1s")
    mixer.ctl("play")
    wait_until(lambda: len(mixer.json("clips", "mic")) == 3, "the second take is on the timeline")
    mixer.ctl("stop")
    assert [(clip["file"], clip["at"], clip["duration"]) for clip in mixer.json("clips", "mic")] == [
        ("takes/mic-1.wav", "1s", "0.25s"),
        ("takes/mic-2.wav", "1.25s", "0.25s"),
        ("takes/mic-1.wav", "1.5s", "0.5s"),
    ]


def test_a_show_renders_again(mixers, jackd, stage, make_session, tmp_path):
    n = ((np.arange(4 * RATE) % 8191 + 1) / 16384).astype(np.float32)
    session = make_session(
        {"music": (np.stack([n, -n], 1), {"output": "band", "sends": [{"to": "hall", "volume": 0.5}]})},
        buses=[
            {"name": "hall", "fader": 0.75},
            {"name": "band", "pan": -0.25, "automation": [{"ramp": [1, 0.5], "from": "1s", "to": "2s"}]},
        ],
    )
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
        wait_until(lambda: mixer.json("position")["seconds"] > 3, "three seconds are over")
        mixer.ctl("stop")
        wait_until(
            lambda: mixer.json("clips", "mic") and mixer.json("clips", "keys"),
            "the takes are on the timeline",
        )
        frames = capture.end()
    mixer.ctl("save")
    run("render", session, tmp_path / "out.wav", "--from", "0s", "--to", "2.9s")
    out, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    at = stretch(out[:500, 0], frames[:, 0])
    assert at is not None
    assert np.array_equal(frames[at : at + len(out)], out)
    assert mixer.json("status")["lostFrames"] == 0


def test_a_click_that_comes_back_lies_where_it_was_played(mixers, jackd, make_session, tmp_path):
    click = np.zeros((3 * RATE, 2), np.float32)
    click[[3 * RATE // 2, 2 * RATE]] = 0.5
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({"click": click}))
    mixer.ctl("input", "add", "back", "jmix:master_1")
    mixer.ctl("output", "back", "none")
    mixer.ctl("record", "on")
    wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the loop is made")
    mixer.ctl("play")
    # While it rolls.
    wait_until(lambda: mixer.json("position")["seconds"] > 0.3, "it rolls")
    mixer.ctl("arm", "back", "on")
    wait_until(lambda: mixer.json("position")["seconds"] > 2.5, "the clicks are over")
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("clips", "back"), "the take is on the timeline")
    mixer.ctl("save")
    mixer.ctl("mute", "click", "on")
    mixer.ctl("monitor", "back", "clips")
    mixer.ctl("output", "back", "master")
    mixer.ctl("save")
    run("render", tmp_path / "session.json", tmp_path / "out.wav", "--from", "1.4s", "--to", "2.4s")
    out, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    assert list(np.flatnonzero(out[:, 0])) == [RATE // 10, 6 * RATE // 10]


def test_monitor_says_which_of_both_is_heard(mixers, jackd, stage, make_session):
    """Clips while they play, the input while they do not and while it is armed; or always one of both. From
    the one to the other there is no click."""
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        make_session(
            {"mic": (steady(20 * RATE, 0.75, 0.75), {"input": {"channels": 1, "connect": ["stage:out_1"]}})}
        ),
    )
    wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the input is connected")

    def hears():
        time.sleep(0.1)
        with Timed(jackd) as capture:
            wait_until(lambda: capture.blocks.qsize() > 40, "forty periods have come")
            heard, played = together(capture.end(), stage)
        heard, played = heard[5120:, 0], played[5120:, 0]
        return (
            "input"
            if np.array_equal(heard, played)
            else "clips"
            if (heard == 0.75).all()
            else "nothing"
            if not heard.any()
            else "both"
        )

    assert hears() == "input"
    mixer.ctl("monitor", "mic", "clips")
    assert hears() == "nothing"
    mixer.ctl("play")
    assert hears() == "clips"
    mixer.ctl("monitor", "mic", "input")
    assert hears() == "input"
    mixer.ctl("monitor", "mic", "auto")
    assert hears() == "clips"
    mixer.ctl("arm", "mic", "on")
    assert hears() == "input"
    mixer.ctl("arm", "mic", "off")
    mixer.ctl("stop")
    assert hears() == "input"
    mixer.ctl("panic")
    wait_until(lambda: mixer.json("status")["silenced"], "a panic holds")
    wait_until(lambda: hears() == "nothing", "it is silent")
    # Whoever stops what stands still has heard enough silence.
    mixer.ctl("stop")
    wait_until(lambda: hears() == "input", "it sounds again")
    mixer.ctl("panic")
    mixer.ctl("stop")
    wait_until(lambda: hears() == "nothing", "it is silent")
    # at ports of its own too
    mixer.ctl("output", "mic", "ports")
    wait_until(lambda: mixer.takes("connect", "mic_1", "nobody:in"), "it has ports")
    time.sleep(0.3)
    with Capture(jackd, ("jmix:mic_1", "jmix:mic_2")) as capture:
        wait_until(lambda: capture.blocks.qsize() > 40, "forty periods have come")
        assert not capture.end().any()
    mixer.ctl("undo")
    mixer.ctl("undo")
    mixer.ctl("stop")
    assert hears() == "input"
    mixer.ctl("undo")  # the last that is a step: disarming
    assert mixer.json("arm", "mic") == {"track": 1, "arm": True} and mixer.json("monitor", "mic") == {
        "track": 1,
        "monitor": "auto",
    }


def test_an_input_that_goes_leaves_no_click(mixers, jackd, make_session):
    with Steady(jackd) as source:
        mixer = mixers("--server", jackd.name, "--no-connect", make_session({"music": steady(100, 0, 0)}))
        mixer.ctl("input", "add", "mic", f"{source.client.name}:out")
        wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the input is connected")
        for away, back in (
            (("input", "mic", "off"), ("undo",)),
            (("remove", "mic"), ("undo",)),
            (("mute", "mic", "on"), ("mute", "mic", "off")),
        ):
            time.sleep(0.2)
            with Capture(jackd) as capture:
                wait_until(lambda: capture.blocks.qsize() > 30, "it is heard")
                mixer.ctl(*away)
                wait_until(lambda: capture.blocks.qsize() > 120, "it is not heard any more")
                frames = capture.end()[5120:, 0]
            assert frames[0] == 0.5 and frames[-1] == 0, away
            assert np.abs(np.diff(frames)).max() <= 0.5 / 240 + 1e-6, away
            mixer.ctl(*back)


def test_a_session_that_is_loaded_leaves_no_click(mixers, jackd, make_session, tmp_path):
    """What is heard of the session before fades out, whatever the next one has: its ports are its own."""
    mic = {"name": "mic", "input": {"channels": 1, "connect": ["steady:out"]}}
    with Steady(jackd):
        for number, others in enumerate(([], [mic], [{"name": "talk", "input": {"channels": 1}}])):
            folder = tmp_path / str(number)
            folder.mkdir()
            for name, tracks in (("a", [mic]), ("b", others)):
                (folder / f"{name}.json").write_text(
                    json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": tracks})
                )
            mixer = mixers("--server", jackd.name, "--no-connect", folder / "a.json")
            wait_until(
                lambda: all(link["connected"] for link in mixer.json("connect")), "the input is connected"
            )
            time.sleep(0.2)
            for words in (("load", "b"), ("undo",)):
                with Capture(jackd) as capture:
                    wait_until(lambda: capture.blocks.qsize() > 30, "it is heard")
                    mixer.ctl(*words)
                    wait_until(lambda: capture.blocks.qsize() > 250, "it is crossed over")
                    frames = capture.end()[5120:, 0]
                if words == ("load", "b"):
                    assert frames[0] == 0.5 and 0 in frames, others
                    assert frames[-1] == (0.5 if others == [mic] else 0), others
                # Downwards alone: what is plugged in is heard at once.
                assert np.diff(frames).min() >= -0.5 / 240 - 1e-6, (words, others)
            assert frames[-1] == 0.5, "the session before hears its input again"
            mixer.end()


def test_what_was_plugged_in_by_hand_stays_with_its_session(mixers, jackd, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(
            json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": [{"name": "mic", "input": {"channels": 1}}]})
        )
    with Steady(jackd) as source:
        mixer = mixers("--server", jackd.name, "--no-connect", tmp_path / "a.json")
        wait_until(lambda: ports_of(source.client, "jmix:mic_in_1"), "it has a port")
        source.client.connect("steady:out", "jmix:mic_in_1")
        mixer.ctl("load", "b")
        wait_until(
            lambda: ports_of(source.client, "jmix:mic_in_1") and not connections_of(source.output),
            "the next session has a port of its own",
        )
        time.sleep(0.3)
        assert not connections_of(source.output)


@pytest.mark.parametrize("tap, strip", [("pre", "mic"), ("post", "mic"), ("post", "master")])
def test_ports_of_a_strip_that_goes_and_comes_back(mixers, jackd, make_session, tap, strip):
    """What is heard of it by its own ports is crossed over as the mix is."""
    with Steady(jackd) as source:
        mixer = mixers(
            "--server",
            jackd.name,
            "--no-connect",
            "--direct-outs",
            tap,
            make_session({"music": steady(100, 0, 0)}),
        )
        mixer.ctl("input", "add", "mic", f"{source.client.name}:out")
        wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the input is connected")
        time.sleep(0.2)
        with Capture(jackd, (f"jmix:{strip}_1", f"jmix:{strip}_2")) as capture:
            wait_until(lambda: capture.blocks.qsize() > 30, "it is heard")
            packet = bundle(osc_bundle_builder.IMMEDIATELY, ("/track/mic/remove",), ("/session/undo",))
            mixer.osc().client._sock.sendto(packet.dgram, ("127.0.0.1", mixer.port))
            wait_until(lambda: capture.blocks.qsize() > 120, "it has come back")
            frames = capture.end()[5120:, 0]
        assert frames[0] == 0.5 and frames[-1] == 0.5
        assert np.abs(np.diff(frames)).max() <= 0.5 / 240 + 1e-6


def test_what_is_no_number_is_heard_and_recorded_nowhere(mixers, jackd, make_session, tmp_path):
    """It is counted and said, whether the input is heard or only recorded."""
    with Steady(jackd) as source:
        mixer = mixers("--server", jackd.name, "--no-connect", make_session({"music": steady(100, 0, 0)}))
        mixer.ctl("input", "add", "mic", f"{source.client.name}:out")
        mixer.ctl("monitor", "mic", "clips")
        mixer.ctl("arm", "mic", "on")
        wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the input is connected")
        mixer.ctl("record", "on")
        mixer.ctl("play")
        source.wrong = [np.inf, -np.inf, np.nan]
        wait_until(
            lambda: mixer.json("status")["silencedSamples"] > 0,
            "what is no number is counted while it is not heard",
        )
        wait_until(lambda: "are no numbers" in mixer.log, "it is said")
        mixer.ctl("monitor", "mic", "input")
        with Capture(jackd) as capture:
            wait_until(lambda: capture.blocks.qsize() > 60, "it is heard")
            for strip in mixer.json("meters"):
                assert all(np.isfinite(value) for value in strip.values() if isinstance(value, float)), strip
            heard = capture.end()[5120:, 0]
        mixer.ctl("record", "off")
        mixer.ctl("stop")
        assert set(np.unique(heard)) == {0, 0.5}
        (clip,) = wait_until(lambda: mixer.json("clips", "mic"), "the take is on the timeline")
        samples, _ = soundfile.read(tmp_path / clip["file"], dtype="float32")
        assert set(np.unique(samples)) == {0, 0.5} and (samples == 0).sum() >= 3
        counted = mixer.json("status")["silencedSamples"]
        mixer.ctl("remove", "mic")
        assert mixer.json("status")["silencedSamples"] >= counted


def test_a_track_may_be_called_monitor(mixers, jackd, make_session):
    """The ports of what is on solo have another name then, and play what they are for."""
    tracks = {"monitor": steady(20 * RATE, 0.25, 0.25), "voice": steady(20 * RATE, 0.125, 0.125)}
    mixer = mixers("--server", jackd.name, "--no-connect", "--direct-outs", "post", make_session(tracks))
    mixer.ctl("solo-mode", "pfl")
    mixer.ctl("solo", "voice", "on")
    mixer.ctl("play")
    with jack.Client("looks", servername=jackd.name, no_start_server=True) as client:

        def solos():
            return sorted(port.shortname for port in ports_of(client, "jmix:monitor-") if port.is_output)

        ports = wait_until(lambda: len(solos()) == 2 and solos(), "what is on solo has ports")
        wait_until(lambda: ports_of(client, "jmix:monitor_1"), "so has the track")
    for names, sample in (
        (("jmix:monitor_1", "jmix:monitor_2"), 0.25),
        ([f"jmix:{port}" for port in ports], 0.125),
    ):
        with Capture(jackd, names) as capture:
            wait_until(lambda: capture.blocks.qsize() > 60, "it is heard")
            assert (capture.end()[5120:, 0] == sample).all(), names


class Steady:
    """A program that plays 0.5, and in each period what `wrong` holds."""

    wrong = ()

    def __init__(self, server):
        self.client = jack.Client("steady", servername=server.name, no_start_server=True)
        self.output = self.client.outports.register("out")
        self.client.set_process_callback(self.process)
        self.client.activate()

    def process(self, _):
        samples = self.output.get_array()
        samples[:] = 0.5
        samples[: len(self.wrong)] = self.wrong

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.deactivate()
        self.client.close()


@pytest.fixture
def armed(mixers, jackd, stage, make_session):
    """A mixer whose microphone is armed, with record on; it stands."""

    def start(*words, **options):
        mixer = mixers(
            "--server",
            options.pop("server", jackd).name,
            "--no-connect",
            *words,
            make_session({"music": steady(20 * RATE, 0.25, 0.25)}),
            **options,
        )
        mixer.ctl("input", "add", "mic", "stage:out_1")
        mixer.ctl("arm", "mic", "on")
        mixer.ctl("record", "on")
        return mixer

    return start


def test_a_full_disk_ends_the_recording_and_keeps_what_is_written(
    armed, stage, tmp_path, tmp_path_factory, monkeypatch
):
    monkeypatch.setenv("LD_PRELOAD", str(interposer("full_disk", tmp_path_factory.mktemp("interposer"))))
    monkeypatch.setenv("FULL_DISK", str(tmp_path / "takes"))
    monkeypatch.setenv("FULL_DISK_SWITCH", str(tmp_path / "full"))
    mixer = armed()
    monkeypatch.delenv("LD_PRELOAD")
    mixer.ctl("play")
    take = tmp_path / "takes/mic-1.wav"
    wait_until(lambda: take.exists() and take.stat().st_size > RATE * 4, "about a second is written")
    written = take.stat().st_size
    (tmp_path / "full").touch()
    wait_until(lambda: not mixer.json("record")["record"], "the recording has ended")
    wait_until(lambda: "recording mic has ended" in mixer.log, "it is said")
    assert "No space left" in mixer.log
    (tmp_path / "full").unlink()
    (clip,) = mixer.json("clips", "mic")
    samples, _ = soundfile.read(take, dtype="float32")
    played = np.concatenate([stage.blocks[frame] for frame in sorted(stage.blocks)])
    # All of the file but its header, which is less than 1024 bytes, is sound.
    assert take.stat().st_size >= written and 4 * len(samples) > written - 1024
    assert stretch(samples, played[:, 0]) is not None
    assert mixer.json("position")["state"] == "rolling"
    # and there is another, when there is room
    mixer.ctl("record", "on")
    wait_until(lambda: (tmp_path / "takes/mic-2.wav").exists(), "the next take has begun")
    mixer.ctl("record", "off")
    wait_until(lambda: len(mixer.json("clips", "mic")) == 2, "it is on the timeline")


def test_a_mixer_that_is_killed_leaves_a_whole_file(armed, stage, tmp_path):
    mixer = armed()
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 3, "three seconds are over")
    mixer.end(signal.SIGKILL)
    samples, _ = soundfile.read(tmp_path / "takes/mic-1.wav", dtype="float32")
    played = np.concatenate([stage.blocks[frame] for frame in sorted(stage.blocks)])
    assert len(samples) > 2 * RATE and stretch(samples, played[:, 0]) is not None


def test_a_take_that_is_cut_off_at_its_beginning_has_half_of_it(armed, tmp_path):
    mixer, take = armed(), tmp_path / "takes/mic-1.wav"
    mixer.ctl("play")
    wait_until(lambda: take.exists() and take.stat().st_size > 0.3 * RATE * 4, "0.3 s are written")
    mixer.end(signal.SIGKILL)
    # Its header may be from before the last turn of the recorder, each 50 ms.
    assert 4 * soundfile.info(take).frames >= (take.stat().st_size - 1024) / 2 - 0.05 * RATE * 4


@pytest.mark.parametrize("way", ["--recover", "--discard", "kept aside"])
def test_a_take_that_a_crash_has_ended_is_laid_where_it_belongs(armed, mixers, jackd, tmp_path, way):
    mixer = armed()
    mixer.ctl("save")
    mixer.ctl("locate", "2s")
    # One that has been ended and undone stays out of it.
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 2.5, "it plays")
    mixer.ctl("stop")
    wait_until(lambda: len(mixer.json("clips", "mic")) == 1, "the first take lies there")
    mixer.ctl("undo")
    mixer.ctl("locate", "4s")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 6, "two seconds are over")
    mixer.end(signal.SIGKILL)
    session = tmp_path / "session.json"
    said = run("check", "--unsaved", session, code=1).stdout
    assert "takes/mic-2.wav" in said and "takes/mic-1.wav" not in said
    again = mixers("--server", jackd.name, *([way] if way[0] == "-" else []), session)
    clips = again.json("clips", "mic")
    if way == "--recover":
        (clip,) = clips
        frames = soundfile.info(tmp_path / "takes/mic-2.wav").frames
        assert clip["file"] == "takes/mic-2.wav" and frames > RATE
        # Where it was played to, less the way that the sound took.
        start = seconds_of(clip["at"]) * RATE
        assert 4 * RATE - 4096 <= start <= 4 * RATE
        assert seconds_of(clip["end"]) * RATE - start == pytest.approx(frames, abs=1)
        again.ctl("save")
    else:
        assert clips == []
        kept = json.loads((tmp_path / "session.recovered.json").read_text()) if way[0] == "k" else {}
        assert ("takes/mic-2.wav" in json.dumps(kept)) == (way == "kept aside")
    wait_until(lambda: not list((tmp_path / "takes").glob(".*")), "nothing says any more that it is recorded")
    assert again.end() == 0
    # The takes stay, whatever becomes of their clips.
    assert sorted(path.name for path in (tmp_path / "takes").iterdir()) == ["mic-1.wav", "mic-2.wav"]


def test_a_take_is_found_by_what_its_track_and_session_are_called_by_now(armed, mixers, jackd, tmp_path):
    """Saved under its own name, the track renamed and its name another's, and then saved under another."""
    mixer = armed()
    mixer.ctl("save", "session")
    mixer.ctl("locate", "4s")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 5, "it records")
    mixer.ctl("save", "session")
    mixer.ctl("name", "mic", "vox")
    mixer.ctl("name", "music", "mic")
    mixer.ctl("save", "other")
    wait_until(lambda: mixer.json("position")["seconds"] > 6, "it goes on")
    mixer.end(signal.SIGKILL)
    said = run("check", "--unsaved", tmp_path / "other.json", code=1)
    assert "takes/mic-1.wav" in said.stdout and "jmix run --recover" in said.stderr
    again = mixers("--server", jackd.name, "--recover", tmp_path / "other.json")
    (clip,) = again.json("clips", "vox")
    assert clip["file"] == "takes/mic-1.wav" and seconds_of(clip["at"]) == pytest.approx(4, abs=0.1)
    assert len(again.json("clips", "mic")) == 1


def test_a_take_that_cannot_be_laid_is_named_and_stays_to_be_found(armed, mixers, jackd, tmp_path):
    mixer = armed()
    mixer.ctl("save", "session")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 1, "it records")
    mixer.end(signal.SIGKILL)
    path = tmp_path / "session.json"
    document = json.loads(path.read_text())
    document["tracks"] = [track for track in document["tracks"] if track["name"] != "mic"]
    path.write_text(json.dumps(document))
    for _ in range(2):
        again = mixers("--server", jackd.name, "--recover", path)
        assert 'cannot be laid on the track "mic": there is no track' in again.log
        assert again.end() == 0


def test_a_take_over_a_file_that_is_not_decoded_is_laid_when_that_is_known(armed, mixers, jackd, tmp_path):
    mixer = armed()
    subprocess.run(
        [*"ffmpeg -v error -nostdin -i music.wav -t 6 -c:a flac -f matroska -".split()],
        cwd=tmp_path,
        check=True,
        stdout=open(tmp_path / "live.mka", "wb"),
        timeout=60,
    )
    mixer.ctl("insert", "mic", tmp_path / "live.mka", "0s")
    mixer.ctl("save", "session")
    mixer.ctl("locate", "2s")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 3.5, "it records")
    mixer.end(signal.SIGKILL)
    # Nothing of it is known any more.
    shutil.rmtree(os.path.join(os.environ["XDG_CACHE_HOME"], "jmix", "sounds"), ignore_errors=True)
    again = mixers("--server", jackd.name, "--recover", tmp_path / "session.json")
    clips = again.json("clips", "mic")
    assert [clip["file"] for clip in clips] == ["live.mka", "takes/mic-1.wav", "live.mka"]
    again.ctl("save")
    assert "no problems" in run("check", tmp_path / "session.json").stdout


def test_a_mixer_that_ends_keeps_its_take(armed, tmp_path):
    mixer = armed()
    mixer.ctl("save")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 1, "a second is over")
    assert mixer.end() == 0
    assert "the changes since the last save are kept" in mixer.log
    shown = json.loads(run("check", "--unsaved", "--json", tmp_path / "session.json", code=1).stdout)
    assert "takes/mic-1.wav" in json.dumps(shown)


def test_a_server_that_goes_ends_the_take_and_the_recording_goes_on(mixers, servers, make_session, tmp_path):
    server = servers()
    mixer = mixers(
        "--server", server.name, "--no-connect", make_session({"music": steady(60 * RATE, 0.25, 0.25)})
    )
    with Source(server) as source:
        mixer.ctl("input", "add", "mic", "stage:out_1")
        mixer.ctl("arm", "mic", "on")
        mixer.ctl("record", "on")
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 1, "a second is over")
        server.process.kill()
        server.process.wait(10)
    wait_until(lambda: "is gone" in mixer.log, "it has noticed")
    server = servers(name=server.name)
    wait_until(lambda: "back on the JACK server" in mixer.log, "it is back")
    (first,) = mixer.json("clips", "mic")
    assert first["file"] == "takes/mic-1.wav" and float(first["end"].rstrip("s").split("/")[0]) > 0
    assert mixer.json("record") == {"record": True}
    with Source(server) as source:
        wait_until(lambda: (tmp_path / "takes/mic-2.wav").exists(), "the next take has begun")
        wait_until(
            lambda: all(link["connected"] for link in mixer.json("connect")),
            "the input is connected again",
        )
        time.sleep(0.5)
        mixer.ctl("stop")
        wait_until(lambda: len(mixer.json("clips", "mic")) >= 2, "the second take is on the timeline")
        samples, _ = soundfile.read(tmp_path / "takes/mic-2.wav", dtype="float32")
        assert np.abs(samples).max() > 0


def test_subscribers_are_told_while_something_is_recorded(armed):
    mixer = armed()
    subscriber, peer = Subscriber(mixer.port), mixer.osc()

    def is_told(flag, why):
        def comes():
            subscriber.listen(0.05)
            return subscriber.values.get("/recording") == [flag]

        wait_until(comes, why)
        assert peer.ask("/recording") == [("/recording", [flag])], why

    is_told(0, "record is on, and it stands")
    for words, flag in [
        ("play", 1),
        ("arm mic off", 0),
        ("arm mic on", 1),
        ("record 0s 0.01s", 0),
        ("record on", 1),
        ("record off", 0),
        ("record on", 1),
        ("stop", 0),
    ]:
        mixer.ctl(*words.split())
        is_told(flag, f"after {words}")
    subscriber.close()


def test_another_session_waits_for_the_take(armed, tmp_path):
    mixer = armed()
    mixer.ctl("save", "show")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.5, "it rolls")
    for command in (("new",), ("load", "show")):
        assert "this session is being recorded: record off first" in mixer.ctl(*command, code=1)
    mixer.ctl("record", "off")
    wait_until(lambda: mixer.json("clips", "mic"), "the take is on the timeline")
    mixer.ctl("new")
    assert mixer.json("tracks") == []
    mixer.ctl("undo")
    assert len(mixer.json("clips", "mic")) == 1


@pytest.mark.parametrize("led", [(), ("--transport", "jack")])
@pytest.mark.parametrize(
    "behind, tracks", [((), ["music", "mic"]), (("new",), []), (("load", "session"), ["music", "mic"])]
)
@pytest.mark.parametrize("ending", [("stop",), ("record off",), ("stop", "record off")])
def test_a_save_right_behind_the_end_of_a_take_has_its_clip(armed, tmp_path, ending, behind, tracks, led):
    mixer = armed(*led)
    mixer.ctl("play")
    take = tmp_path / "takes/mic-1.wav"
    wait_until(lambda: take.exists() and take.stat().st_size > RATE, "a quarter of a second is written")
    peer = mixer.osc()
    if "stop" in ending:
        peer.send("/transport/stop")
    if "record off" in ending:
        peer.send("/record", 0)
    peer.send("/session/save")
    if behind and "record off" in ending:
        peer.send(f"/session/{behind[0]}", *behind[1:])
        wait_until(lambda: [track["name"] for track in mixer.json("tracks")] == tracks, "the other is open")
    saved = wait_until(
        lambda: json.loads((tmp_path / "session.json").read_text())["tracks"][1:], "the session is saved"
    )
    wait_until(lambda: not mixer.json("status")["unsaved"], "what was saved is all there is")
    assert [clip["file"] for clip in saved[0]["clips"]] == ["takes/mic-1.wav"]
    mixer.ctl("stop")


@pytest.mark.parametrize("seconds", [0, 0.01, 0.03, 0.06, 0.2])
def test_a_take_is_not_too_short_to_be_saved(armed, tmp_path, seconds):
    mixer = armed()
    peer = mixer.osc()
    for _ in range(4):
        peer.send("/transport/locate", 0)
        peer.send("/transport/play")
        time.sleep(seconds)
        peer.send("/transport/stop")
        peer.ask("/session/save")
        saved = json.loads((tmp_path / "session.json").read_text())["tracks"][1]["clips"]
        time.sleep(0.3)
        assert not mixer.json("status")["unsaved"], "what was saved is all there is"
        assert len(saved) == len(mixer.json("clips", "mic"))
    assert seconds < 0.06 or saved


@pytest.mark.parametrize("end", ["arm", "punch", "panic", "none"])
def test_a_take_that_ends_in_another_way_is_saved_too(armed, tmp_path, end):
    mixer = armed()
    peer = mixer.osc()
    if end == "punch":
        mixer.ctl("record", "0s", "0.4s")
    mixer.ctl("play")
    take = tmp_path / "takes/mic-1.wav"
    wait_until(lambda: take.exists() and take.stat().st_size > RATE, "a quarter of a second is written")
    if end == "punch":
        wait_until(lambda: mixer.json("position")["seconds"] > 0.4, "it is beyond the punch")
    elif end == "arm":
        peer.send("/track/mic/arm", 0)
    elif end == "panic":
        peer.send("/panic", "20ms")
    peer.ask("/session/save")
    saved = json.loads((tmp_path / "session.json").read_text())["tracks"][1]["clips"]
    if end == "none":
        # The recording goes on, and is not waited for.
        assert saved == [] and mixer.json("position")["state"] == "rolling"
    else:
        assert [clip["file"] for clip in saved] == ["takes/mic-1.wav"]
        assert not mixer.json("status")["unsaved"]
    mixer.ctl("stop")


def test_a_loop_records_take_after_take_and_the_last_is_heard(armed, stage, tmp_path):
    mixer = armed()
    mixer.ctl("loop", "1s", "2s")
    mixer.ctl("record", "loop")
    mixer.ctl("locate", "0.5s")
    mixer.ctl("play")
    wait_until(lambda: (tmp_path / "takes/mic-3.wav").exists(), "the third round has begun")
    mixer.ctl("record", "off")
    wait_until(
        lambda: any(clip["file"] == "takes/mic-2.wav" for clip in mixer.json("clips", "mic")),
        "the second take is on the timeline",
    )
    mixer.ctl("stop")
    played = np.concatenate([stage.blocks[frame] for frame in sorted(stage.blocks)])[:, 0]
    first, _ = soundfile.read(tmp_path / "takes/mic-1.wav", dtype="float32")
    second, _ = soundfile.read(tmp_path / "takes/mic-2.wav", dtype="float32")
    assert len(first) == len(second) == RATE
    assert stretch(np.concatenate([first, second]), played) is not None
    clips = mixer.json("clips", "mic")
    assert [clip["file"] for clip in clips] in (["takes/mic-3.wav", "takes/mic-2.wav"], ["takes/mic-2.wav"])
    assert sum(name["name"] == "record mic" for name in mixer.json("history")) >= 2


def test_thirty_two_tracks_are_recorded_while_sixty_four_play(mixers, jackd, make_session, tmp_path):
    count = 32
    with Source(jackd, ports=count, name="choir") as source:
        tracks = [
            {"name": f"mic{n}", "input": {"channels": 1, "connect": [f"choir:out_{n + 1}"]}, "arm": True}
            for n in range(count)
        ]
        session = make_session({f"music{n}": steady(10 * RATE, 0.001, 0.001) for n in range(64)})
        document = json.loads(session.read_text())
        document["tracks"] += tracks
        document["jmix"] = 2
        session.write_text(json.dumps(document))
        mixer = mixers("--server", jackd.name, "--no-connect", session)
        wait_until(
            lambda: sum(link["connected"] for link in mixer.json("connect")) == count,
            "all inputs are connected",
        )
        mixer.ctl("record", "1s", "3s")
        mixer.ctl("play")
        wait_until(
            lambda: sum(bool(track["clips"]) for track in mixer.json("clips", "mic*")) == count,
            "all takes are on the timeline",
            30,
        )
        mixer.ctl("stop")
        blocks = np.concatenate([source.blocks[frame] for frame in sorted(source.blocks)])
    places = set()
    for n in range(count):
        samples, _ = soundfile.read(tmp_path / f"takes/mic{n}-1.wav", dtype="float32")
        assert len(samples) == 2 * RATE
        places.add(stretch(samples, blocks[:, n]))
    assert len(places) == 1 and None not in places
    assert mixer.json("status")["lostFrames"] == 0 and mixer.json("status")["dropouts"] == 0
    assert mixer.json("history")[-1] == {"name": "record 32 tracks", "done": True}


def test_latency_is_said_in_both_directions(mixers, jackd, make_session, tmp_path):
    """A chain: what the first program says of its output comes out behind the mixer, what the last says of
    its input in front of it; a take lies by both of them earlier."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "latency.c")
    subprocess.run(["clang", source, "-o", tmp_path / "latency", "-ljack"], check=True)
    chain = subprocess.Popen(
        [tmp_path / "latency", jackd.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert line_of(chain.stdout, "the chain is there").strip() == "ready"
        mixer = mixers("--server", jackd.name, "--no-connect", make_session({"music": steady(100, 0, 0)}))
        mixer.ctl("input", "add", "mic", "first:out")
        mixer.ctl("connect", "master_1", "last:in")
        wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the chain is connected")

        def says(port, direction, values):
            shown = subprocess.run(
                ["jack_lsp", "-s", jackd.name, "-l", port], capture_output=True, text=True, timeout=10
            ).stdout
            return f"port {direction} latency = [ {values} ]" in shown

        wait_until(lambda: says("jmix:master_1", "capture", "100 200"), "the capture latency comes through")
        wait_until(
            lambda: says("jmix:mic_in_1", "playback", "30 40") or says("jmix:mic_in_1", "playback", "0 40"),
            "the playback latency comes through",
        )
        mixer.ctl("arm", "mic", "on")
        mixer.ctl("record", "2s", "3s")
        mixer.ctl("locate", "1.5s")
        mixer.ctl("play")
        wait_until(lambda: mixer.json("clips", "mic"), "the take is on the timeline")
        mixer.ctl("stop")
        (clip,) = mixer.json("clips", "mic")
        # What was asked for, whatever the latency; what lies there came in 240 frames later than it was
        # played to.
        assert clip["at"] == "2s" and clip["duration"] == "1s" and clip["aired"] == "0.005s"
        # From the least of all ways to the greatest: nothing comes in by this one.
        mixer.ctl("input", "add", "free")
        wait_until(lambda: says("jmix:master_1", "capture", "0 200"), "the least of both comes through")
        mixer.ctl("output", "free", "none")
        # Where the input is heard nowhere there is nothing that comes through.
        mixer.ctl("output", "mic", "none")
        wait_until(lambda: says("jmix:master_1", "capture", "0 0"), "it does not come through any more")
    finally:
        chain.stdin.close()
        chain.wait(10)
        chain.stdout.close()


def test_what_was_not_recorded_is_not_rendered_unless_told(mixers, jackd, make_session, tmp_path):
    session = make_session({"music": steady(2 * RATE, 0.25, 0.25)})
    document = json.loads(session.read_text())
    document["tracks"].append({"name": "mic", "input": {"channels": 2}})
    document["jmix"] = 2
    session.write_text(json.dumps(document))
    assert (
        '"mic"' in run("render", session, tmp_path / "out.wav", code=1).stderr
        and not (tmp_path / "out.wav").exists()
    )
    run("render", session, tmp_path / "out.wav", "--allow-missing")
    document["tracks"][1]["monitor"] = "clips"
    session.write_text(json.dumps(document))
    run("render", session, tmp_path / "out2.wav")


@pytest.mark.parametrize(
    "words, reason",
    [
        (("input", "add", "music"), "already the name"),
        (("input", "add", "2"), "number"),
        (("input", "add", "x", "nowhere"), "no port"),
        (("input", "add", "x", "a:b", "a:c", "a:d"), "one port, mono, or two"),
        (
            (
                "input",
                "add",
                "x",
                "jmix:master_1[",
            ),
            "does not close",
        ),
        (("input", "voice", "off"), "no input"),
        (("input", 9, "a:b"), "no track"),
        (("arm", "music", "on"), "no input"),
        (("monitor", "music", "both"), "auto, input, clips"),
        (("record", "2s", "1s"), "end after it begins"),
        (("record", "loop"), "no loop"),
        (("record", "soon"), "soon"),
        (("input", "hall", "a:b"), "no track"),
        (("arm", "hall"), "no arm"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(refusing, words, reason):
    before = refusing.json("tracks"), refusing.json("history")
    said = subprocess.run(
        [JMIXCTL, "--url", refusing.url, *map(str, words)], capture_output=True, text=True, timeout=20
    )
    assert said.returncode in (1, 2) and reason in said.stderr, said.stderr
    assert (refusing.json("tracks"), refusing.json("history")) == before


@pytest.fixture(scope="module")
def refusing(jackd, tmp_path_factory):
    folder = tmp_path_factory.mktemp("refusing")
    for name in ("music", "voice"):
        soundfile.write(folder / f"{name}.wav", steady(RATE, 0.25, 0.25), RATE, subtype="FLOAT")
    (folder / "s.json").write_text(
        json.dumps(
            {
                "jmix": 2,
                "tracks": [{"name": name, "clips": [{"file": f"{name}.wav"}]} for name in ("music", "voice")],
                "buses": [{"name": "hall"}],
            }
        )
    )
    mixer = Mixer("--server", jackd.name, "--name", "refusing", "--no-connect", folder / "s.json")
    yield mixer
    mixer.end()


def test_names_of_ports_are_told_apart(mixer):
    mixer.ctl("input", "add", "mic")
    assert "its ports would be called" in mixer.ctl("bus", "add", "mic_in", code=1)
    mixer.ctl("bus", "add", "music_in")
    assert "its ports would be called" in mixer.ctl("input", "music", "a:b", code=1)
    # another number of channels keeps the first port
    mixer.ctl("input", "mic", "--stereo")
    assert mixer.json("input", "mic") == {"channels": 2}
    assert mixer.ctl("input", "voice").strip() == "no input"
    mixer.ctl("undo")
    assert mixer.json("input", "mic") == {"channels": 1}


def test_no_more_tracks_are_armed_than_there_is_memory_for(mixers, jackd, tmp_path):
    path = tmp_path / "many.json"
    tracks = [{"name": f"mic{n}", "input": {}, "arm": n < 129} for n in range(130)]
    path.write_text(json.dumps({"jmix": 2, "tracks": tracks}))
    assert "track 129, arm: at most 128 tracks are armed at once" in run("check", path, code=1).stdout
    for track in tracks:
        track["arm"] = False
    path.write_text(json.dumps({"jmix": 2, "tracks": tracks}))
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    assert "at most 128 tracks are armed at once" in mixer.ctl("arm", "*", "on", code=1)
    mixer.ctl("arm", "mic1*", "on")
    assert sum(track["arm"] for track in mixer.json("tracks")) == 41


def test_ports_say_what_they_are_and_what_belongs_together(mixer, jackd):
    mixer.ctl("input", "add", "mic", "--stereo")
    mixer.ctl("output", "voice", "ports")
    with jack.Client("patchbay", servername=jackd.name, no_start_server=True) as client:
        wait_until(
            lambda: ports_of(client, "^jmix:mic_in_2$") and ports_of(client, "^jmix:voice_2$"),
            "the ports are there",
        )

        def told(port, key):
            value, kind = jack.get_property(
                client.get_port_by_name(f"jmix:{port}"), f"http://jackaudio.org/metadata/{key}"
            )
            return value.decode()

        assert told("master_1", "pretty-name") == "Master left" and told("master_2", "port-group") == "Master"
        assert (
            told("mic_in_2", "pretty-name") == "mic in right"
            and told("mic_in_1", "port-group") == told("mic_in_2", "port-group") == "mic in"
        )
        assert told("voice_1", "pretty-name") == "voice left" and told("voice_1", "port-group") == "voice"
        orders = [
            int(told(port, "order"))
            for port in ("master_1", "master_2", "mic_in_1", "mic_in_2", "voice_1", "voice_2")
        ]
        assert orders == sorted(set(orders))


def test_what_libjack_erases_from_its_list_of_ports_stays_readable(
    mixers, jackd, make_session, tmp_path, monkeypatch
):
    """libjack walks that list while ports leave it (Sources/CJackList): what it frees must come to the
    mixer's own function, also in the program that is shipped."""
    monkeypatch.setenv("LD_DEBUG", "bindings")
    monkeypatch.setenv("LD_DEBUG_OUTPUT", str(tmp_path / "bindings"))
    mixer = mixers("--server", jackd.name, "--no-connect", make_session())
    monkeypatch.delenv("LD_DEBUG")
    mixer.ctl("input", "add", "guest")
    mixer.ctl("remove", "guest")
    bindings = tmp_path / f"bindings.{mixer.process.pid}"
    found = wait_until(
        lambda: [
            line
            for line in bindings.read_text().splitlines()
            if "libjack.so" in line.split(" to ")[0] and "symbol `_ZdlPv'" in line
        ],
        "libjack has freed something",
    )
    assert all(" to " + str(JMIX) + " " in line for line in found), found


def test_the_disk_s_room_and_what_is_armed_are_seen(mixers, jackd, make_session, tmp_path):
    """An operator asks before the show: how long can I record, of what, and from where does it come."""
    mixer = mixers("--server", jackd.name, "--no-connect", make_session())

    def room():
        status = mixer.json("status")
        return status["freeBytes"], status["recordingSeconds"]

    wait_until(lambda: room()[0] is not None, "what the disk has left")
    free, seconds = room()
    # Others write on that disk too.
    assert abs(free - shutil.disk_usage(tmp_path).free) < 1e9 and seconds is None
    assert "GB free\n" in mixer.ctl("status") and "arm" not in mixer.ctl("tracks")
    mixer.ctl("input", "add", "mic", "stage:out_1")
    mixer.ctl("input", "add", "keys", "--channels", "2")
    # Nothing is armed: all three channels of 4 bytes a frame.
    free, seconds = room()
    assert seconds == pytest.approx(free / (3 * 4 * RATE))
    mixer.ctl("arm", "mic", "on")
    free, seconds = room()
    assert seconds == pytest.approx(free / (4 * RATE))
    hours, minutes = divmod(int(seconds / 60), 60)
    assert f"GB free, enough to record for {hours} h {minutes} min" in mixer.ctl("status")
    lines = {line.split()[1]: line for line in mixer.ctl("tracks").splitlines()}
    assert lines["mic"].split()[-2:] == ["stage:out_1", "on"]
    assert lines["keys"].split()[-3:] == ["2", "unconnected", "off"] and lines["music"].endswith("off")


def test_recording_where_nothing_can_be_written_is_refused(mixers, jackd, make_session, tmp_path):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({"music": steady(RATE, 0.1, 0.1)}))
    mixer.ctl("input", "add", "mic", "nobody:out")
    mixer.ctl("arm", "mic", "on")
    (tmp_path / "takes").write_text("in the way")
    said = ""

    def is_refused():
        nonlocal said
        done = subprocess.run(
            [JMIXCTL, "--url", mixer.url, "record", "on"], capture_output=True, text=True, timeout=20
        )
        said = done.stderr
        if done.returncode == 0:
            mixer.ctl("record", "off")
        return done.returncode == 1

    # The disk is asked every few seconds, and nobody waits for it.
    wait_until(is_refused, "it is refused")
    assert "nothing can be recorded" in said and "takes is no folder" in said
    (tmp_path / "takes").unlink()
    wait_until(lambda: not is_refused(), "it is taken again")
