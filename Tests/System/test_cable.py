"""A cable from the mixer's outputs to one of its inputs, with a latency that it tells: a take holds, in each
frame of the timeline, what was played there."""

import json
import os
import subprocess
from fractions import Fraction

import numpy as np
import pytest
import soundfile
from conftest import RATE, Capture, bundle, line_of, rendered, run, wait_until
from pythonosc import osc_bundle_builder

pytestmark = pytest.mark.alone

LATE = 1792  # with the period that a server puts between an output and an input of one program: 2048


def numbered(frames):
    """A sample that names its frame, exact in a float."""
    n = np.arange(1, frames + 1, dtype=np.float32) / 2**20
    return np.stack([n, n], 1)


@pytest.fixture
def cable(jackd, tmp_path):
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cable.c")
    subprocess.run(["clang", source, "-o", tmp_path / "cable", "-ljack"], check=True)
    process = subprocess.Popen(
        [tmp_path / "cable", jackd.name, str(LATE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert line_of(process.stdout, "the cable is there").strip() == "ready"
    yield process
    process.stdin.close()
    process.wait(10)
    process.stdout.close()


@pytest.fixture
def studio(mixers, jackd, cable, make_session):
    """A track whose samples name their frames."""
    return mixers("--server", jackd.name, "--no-connect", make_session({"guide": numbered(8 * RATE)}))


def frames(time):
    return round(Fraction(time.removesuffix("s")) * RATE)


def check_takes(mixer, folder):
    """Every clip of the mic holds what was played where it lies. Returns where they lie."""
    places = []
    for clip in mixer.json("clips", "mic"):
        samples, _ = soundfile.read(folder / clip["file"], dtype="float32")
        at, begin = frames(clip["at"]), frames(clip.get("from", "0s"))
        part = samples[begin : begin + frames(clip["duration"])]
        wanted = numbered(8 * RATE)[at : at + len(part), 0]
        wrong = np.flatnonzero(part != wanted)
        assert len(wrong) == 0, (
            f"{clip}: {len(wrong)} of {len(part)} frames are wrong, from {wrong[0]}: "
            f"{part[wrong[0]] * 2**20} where {wanted[wrong[0]] * 2**20} belongs"
        )
        places.append((at, at + len(part)))
    return places


def add_mic(mixer):
    mixer.ctl("input", "add", "mic", "cable:out")
    # Its takes are not heard: what goes round the cable is the guide alone.
    mixer.ctl("output", "mic", "none")
    mixer.ctl("arm", "mic", "on")


def test_turns_of_a_loop(studio, tmp_path):
    studio.ctl("connect", "master_1", "cable:in")
    add_mic(studio)
    wait_until(lambda: all(link["connected"] for link in studio.json("connect")), "the cable is plugged in")
    studio.ctl("loop", "2s", "3s")
    studio.ctl("record", "on")
    studio.ctl("locate", "2s")
    studio.ctl("play")
    wait_until(lambda: (tmp_path / "takes/mic-3.wav").exists(), "the third turn has begun")
    studio.ctl("stop")
    studio.ctl("record", "off")
    wait_until(
        lambda: (
            len({clip["file"] for clip in studio.json("clips", "mic")}) == 2
            and not studio.json("status")["recording"]
        ),
        "the takes are on the timeline",
    )
    # The last take is the beginning of a turn, and lies over the one before it, which was whole.
    first, last = check_takes(studio, tmp_path)
    assert first[0] == 2 * RATE and last[1] == 3 * RATE and first[1] == last[0]
    samples, _ = soundfile.read(tmp_path / "takes/mic-2.wav", dtype="float32")
    assert len(samples) == RATE and np.array_equal(samples, numbered(8 * RATE)[2 * RATE : 3 * RATE, 0])


def test_all_in_one_bundle(studio, tmp_path):
    """Input, arm, record and play at once: nothing is recorded before it is known how late it is, and all
    that is lies in its place."""
    studio.ctl("connect", "master_1", "cable:in")
    packet = bundle(
        osc_bundle_builder.IMMEDIATELY,
        ("/input/add", "mic", "cable:out"),
        ("/track/mic/output", "none"),
        ("/track/mic/arm", 1),
        ("/record", 1),
        ("/transport/play",),
    )
    studio.osc().client._sock.sendto(packet.dgram, ("127.0.0.1", studio.port))
    wait_until(lambda: studio.json("position")["frame"] > RATE, "a second is played")
    studio.ctl("stop")
    studio.ctl("record", "off")
    wait_until(lambda: studio.json("clips", "mic"), "the take is on the timeline")
    ((start, end),) = check_takes(studio, tmp_path)
    assert start < RATE // 4 and end > RATE


def change(cable, frames):
    """Makes the cable another length, of which it tells nobody who does not ask."""
    cable.stdin.write(f"{frames}\n")
    cable.stdin.flush()
    assert line_of(cable.stdout, "the cable is another").strip() == "changed"


@pytest.mark.parametrize("changes", ["before it records", "before it is armed"])
def test_a_cable_of_another_length_by_now_is_asked_again(studio, cable, tmp_path, changes):
    studio.ctl("connect", "master_1", "cable:in")
    studio.ctl("input", "add", "mic", "cable:out")
    studio.ctl("output", "mic", "none")
    wait_until(lambda: all(link["connected"] for link in studio.json("connect")), "the cable is plugged in")
    if changes == "before it records":
        studio.ctl("arm", "mic", "on")
        change(cable, 500)
        studio.ctl("record", "on")
        studio.ctl("play")
    else:
        studio.ctl("record", "on")
        studio.ctl("play")
        wait_until(lambda: studio.json("position")["frame"] > RATE // 2, "half a second is played")
        change(cable, 3000)
        studio.ctl("arm", "mic", "on")
    wait_until(lambda: studio.json("position")["frame"] > 2 * RATE, "two seconds are played")
    studio.ctl("stop")
    studio.ctl("record", "off")
    wait_until(lambda: studio.json("clips", "mic"), "the take is on the timeline")
    ((start, end),) = check_takes(studio, tmp_path)
    assert end > 2 * RATE and (start == 0) == (changes == "before it records")


def test_a_cue_bus_heard_by_its_own_ports(studio, tmp_path):
    """Nobody hears the master: what counts is the way out of the ports that somebody hears."""
    studio.ctl("bus", "add", "cue")
    studio.ctl("output", "cue", "ports")
    studio.ctl("send", "guide", "cue", "1", "--pre")
    studio.ctl("connect", "cue_1", "cable:in")
    add_mic(studio)
    wait_until(lambda: all(link["connected"] for link in studio.json("connect")), "the cable is plugged in")
    studio.ctl("record", "on")
    studio.ctl("play")
    wait_until(lambda: studio.json("position")["frame"] > RATE, "a second is played")
    studio.ctl("stop")
    studio.ctl("record", "off")
    wait_until(lambda: studio.json("clips", "mic"), "the take is on the timeline")
    ((start, end),) = check_takes(studio, tmp_path)
    assert start == 0 and end > RATE


def hear_by_cue(studio):
    """The mic hears the guide by a cue bus and the cable."""
    studio.ctl("bus", "add", "cue")
    studio.ctl("output", "cue", "ports")
    studio.ctl("send", "guide", "cue", "1", "--pre")
    studio.ctl("connect", "cue_1", "cable:in")
    studio.ctl("input", "add", "mic", "cable:out")


def record_a_second(studio, jackd):
    """Plays that while it is recorded, and returns what the master's ports gave."""
    with Capture(jackd) as heard:
        heard.hear_more()
        studio.ctl("play")
        wait_until(lambda: studio.json("position")["frame"] > RATE, "a second is played")
        studio.ctl("stop")
        aired = heard.end()
    studio.ctl("record", "off")
    wait_until(lambda: studio.json("clips", "mic"), "the take is on the timeline")
    return aired


def test_a_show_renders_as_it_was_aired(studio, jackd, tmp_path):
    """The mic hears the guide by a cue bus, and comes in late: what the master's ports gave is rendered
    again, from the first frame on; a plain render has the mic where it was played to."""
    hear_by_cue(studio)
    studio.ctl("volume", "mic", 0.5)
    studio.ctl("pan", "mic", -0.25)
    studio.ctl("arm", "mic", "on")
    wait_until(lambda: all(link["connected"] for link in studio.json("connect")), "the cable is plugged in")
    studio.ctl("record", "on")
    aired = record_a_second(studio, jackd)
    (clip,) = studio.json("clips", "mic")
    assert frames(clip["aired"]) >= LATE and clip["at"] == "0s"
    studio.ctl("save")
    assert (
        json.loads((tmp_path / "session.json").read_text())["tracks"][1]["clips"][0]["aired"] == clip["aired"]
    )
    again = rendered(tmp_path / "session.json", "--as-aired", "--to", "1s")
    begin = np.flatnonzero(aired[:, 0])[0]
    assert np.array_equal(again, aired[begin : begin + RATE])
    # What comes in before the cable has brought anything is in no take; the mic is heard behind it.
    plain = rendered(tmp_path / "session.json", "--to", "1s")
    assert not np.array_equal(plain, again)
    # The same of pieces of it, cut and put together, and of a collected copy.
    studio.ctl("split", "mic", "0.02s")
    studio.ctl("split", "mic", "0.6s")
    studio.ctl("save")
    assert np.array_equal(rendered(tmp_path / "session.json", "--as-aired", "--to", "1s"), again)
    run("collect", tmp_path / "session.json", tmp_path / "copy")
    assert np.array_equal(rendered(tmp_path / "copy" / "session.json", "--as-aired", "--to", "1s"), again)


def test_a_show_renders_with_what_processors_remembered(studio, jackd, tmp_path):
    """Before the show is recorded its processors have heard a rehearsal, and let go slowly: they do so again
    where it is rendered, from the first frame on."""
    hear_by_cue(studio)
    studio.ctl("arm", "mic", "on")
    studio.ctl("bus", "add", "voices")
    studio.ctl("output", "mic", "voices")
    studio.ctl("comp", "mic", -60, 4, "--release", "5s")
    studio.ctl("comp", "voices", -50, 3, "--release", "9s", "--key", "mic")
    studio.ctl("delay", "mic", "30ms")
    studio.ctl("gate", "master", -70, "--release", "3s", "--range", 20)
    studio.ctl("duck", "guide", "--under", "mic", "--to", "-12dB", "--by", "signal", "--release", "4s")
    studio.ctl("limit", "master", -30, "--release", "2s")
    wait_until(lambda: all(link["connected"] for link in studio.json("connect")), "the cable is plugged in")
    studio.ctl("locate", "6s")
    studio.ctl("play")
    wait_until(
        lambda: studio.json("position")["frame"] > 6.5 * RATE, "half a second of a rehearsal is played"
    )
    studio.ctl("stop")
    studio.ctl("locate", "0s")
    studio.ctl("record", "on")
    with Capture(jackd) as rehearsal:
        # What is still in the cable and in the delay is over.
        rehearsal.hear_more(20)
    aired = record_a_second(studio, jackd)
    studio.ctl("save")
    again = rendered(tmp_path / "session.json", "--as-aired", "--to", "1s")
    begin = np.flatnonzero(aired[:, 0])[0] - np.flatnonzero(again[:, 0])[0]
    assert np.array_equal(again, aired[begin : begin + RATE])
    # They remembered something: on a desk that begins anew it is another sound.
    studio.ctl("input", "mic", "off")
    studio.ctl("save")
    anew = rendered(tmp_path / "session.json", "--as-aired", "--to", "1s")
    assert not np.array_equal(anew, again)
