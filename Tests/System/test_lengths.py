"""How long a file lasts that ffmpeg decodes is a guess until it is decoded: nothing is cut or placed by a
guess, and it makes no difference whether the file was decoded before."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, rendered, run, seconds_of, wait_until
from test_media import ffmpeg, wrapper

pytestmark = pytest.mark.usefixtures("cache")

LENGTH = 6 * RATE
SLOW = 'case "$*" in *pipe:1*) exec /usr/bin/ffmpeg -readrate 2 "$@";; esac; exec /usr/bin/ffmpeg "$@"'


@pytest.fixture
def files(tmp_path):
    """Files whose headers do not say how long they are, and one that does."""
    dice = np.random.default_rng(5)
    soundfile.write(tmp_path / "plain.wav", dice.uniform(-0.3, 0.3, (2 * RATE, 2)), RATE, subtype="PCM_16")
    soundfile.write(tmp_path / "noise.wav", dice.uniform(-0.3, 0.3, (LENGTH, 2)), RATE, subtype="PCM_16")
    # Written to a pipe, none of them can be told its length at the end.
    for name, words in (
        ("live.mka", ["-c:a", "flac", "-f", "matroska"]),
        ("cast.aac", ["-c:a", "aac", "-f", "adts"]),
        ("plain.mp3", ["-c:a", "libmp3lame", "-write_xing", "0", "-id3v2_version", "0", "-f", "mp3"]),
    ):
        with open(tmp_path / name, "wb") as out:
            subprocess.run(
                ["ffmpeg", "-v", "error", "-nostdin", "-i", "noise.wav", *words, "-"],
                cwd=tmp_path,
                check=True,
                timeout=60,
                stdout=out,
            )
    (tmp_path / "noise.wav").unlink()
    return tmp_path


@pytest.fixture
def slow(files, monkeypatch):
    """A decoder that takes three seconds for each of them."""
    monkeypatch.setenv("PATH", wrapper(files / "slow", SLOW))
    return files


@pytest.fixture
def new(mixers, jackd, slow):
    """A mixer with an empty session beside those files, and a client that asks it."""
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", slow / "show.json")
    peer = mixer.osc()
    yield mixer, peer
    peer.close()


def clips(mixer, track=1):
    return mixer.json("clips", track)


def test_a_cut_waits_until_the_length_is_known(new, slow):
    mixer, peer = new
    mixer.ctl("add", slow / "live.mka")
    assert clips(mixer)[0]["estimated"] is True
    assert "~" in mixer.ctl("clips", 1)
    # Backwards it begins where it ends; and it is cut half a second behind that.
    peer.send("/track/1/clip/reverse", 1, 1)
    peer.send("/track/1/split", "0.5s")
    # What is asked behind that is done meanwhile, by the same client too.
    peer.send("/track/1/volume", 0.25)
    wait_until(lambda: mixer.json("volume", 1)["volume"] == 0.25, "the fader moves meanwhile", 2)
    assert len(clips(mixer)) == 1 and mixer.json("status")["decoding"], "the cut waits"
    wait_until(lambda: len(clips(mixer)) == 2, "it is cut")
    first, second = clips(mixer)
    assert first["reverse"] and second["reverse"] and "estimated" not in second
    assert (seconds_of(first["from"]), seconds_of(first["duration"])) == (5.5, 0.5)
    assert (seconds_of(second.get("from", "0s")), seconds_of(second["end"])) == (0, 6)


@pytest.fixture
def gates(files, monkeypatch):
    """Programs that read a sound wait as long as there is a gate of their name."""
    gates = {}
    for program, asked in (("ffmpeg", "*pipe:1*"), ("ffprobe", "*")):
        gates[program] = files / f"{program}.gate"
        wait = f'case "$*" in {asked}) while [ -e "{gates[program]}" ]; do sleep 0.01; done;; esac'
        path = wrapper(files / "gated", f'{wait}\nexec /usr/bin/{program} "$@"', program)
    monkeypatch.setenv("PATH", path)
    return gates


def test_a_question_waits_for_no_length_and_holds_up_nobody(mixers, jackd, files, gates):
    """What is decoded does not end; undo takes back a change, not the question behind it."""
    gates["ffmpeg"].touch()
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", files / "show.json")
    mixer.ctl("add", files / "live.mka")
    mixer.ctl("add", files / "plain.wav")
    mixer.ctl("volume", 2, 0.3)
    assert mixer.json("status")["decoding"]
    for question in ("gaps", "clips"):
        assert len(mixer.json(question, "*")) == 2
    assert mixer.json("gaps", 1) == [] and mixer.json("status")["waitingEdits"] == 0
    mixer.ctl("split", 2, "0.3s")
    assert len(clips(mixer, 2)) == 2
    mixer.ctl("undo")
    mixer.ctl("undo")
    assert mixer.json("volume", 2)["volume"] == 1 and len(clips(mixer, 2)) == 1
    gates["ffmpeg"].unlink()


def test_a_save_that_waited_is_none_of_another_session(mixers, jackd, files, gates):
    """It stands behind a load that takes its time; and nothing that comes meanwhile gets before it."""
    other = {"jmix": 1, "tracks": [{"name": "other", "clips": [{"file": "cast.aac"}]}]}
    (files / "other.json").write_text(json.dumps(other))
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", files / "show.json")
    one, two, three = mixer.osc(), mixer.osc(), mixer.osc()
    gates["ffmpeg"].touch()
    mixer.ctl("add", files / "live.mka")
    one.send("/track/1/append", str(files / "live.mka"))
    one.send("/session/save", "mine")
    wait_until(lambda: mixer.json("status")["waitingEdits"] == 2, "both wait")
    gates["ffprobe"].touch()
    two.send("/session/load", "other")
    gates["ffmpeg"].unlink()
    wait_until(lambda: len(clips(mixer)) == 2, "it is appended")
    three.send("/track/1/split", 1.0)
    time.sleep(0.3)
    assert len(clips(mixer)) == 2 and mixer.json("status")["waitingEdits"] == 2, (
        "the save, and what is behind"
    )
    gates["ffprobe"].unlink()
    for peer, asked in ((one, "/session/save"), (three, "/track/1/split")):
        address, words = peer.receive()
        assert (address, words[0]) == ("/error", asked) and "another session was opened" in words[1]
    status = mixer.json("status")
    assert status["session"].endswith("other.json") and status["waitingEdits"] == 0
    assert not (files / "mine.json").exists() and [t["name"] for t in mixer.json("tracks")] == ["other"]
    # And one whose turn comes is done.
    mixer.ctl("save", "later")
    assert (files / "later.json").exists()
    for peer in (one, two, three):
        peer.close()


def test_the_shell_waits_for_it_and_says_why(mixers, jackd, slow):
    """Longer than it waits for a mixer of which nothing is heard."""
    ffmpeg("-stream_loop", 2, "-i", "live.mka", "-c", "copy", "long.mka", cwd=slow)
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", slow / "show.json")
    mixer.ctl("add", slow / "long.mka")
    done = subprocess.run(
        [os.path.join(os.path.dirname(JMIX), "jmixctl"), "--url", mixer.url, "split", "1", "17s"],
        capture_output=True,
        text=True,
        timeout=40,
    )
    assert done.returncode == 0 and "the mixer is at work on that" in done.stderr
    assert len(clips(mixer)) == 2 and seconds_of(clips(mixer)[1]["end"]) == pytest.approx(18, abs=0.1)


def test_what_waits_can_be_undone_and_is_not_done_to_another_session(mixers, jackd, slow):
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", slow / "show.json")
    mixer.ctl("save", "other")
    mixer.ctl("save", "show")
    peer = mixer.osc()
    try:
        mixer.ctl("add", slow / "cast.aac")
        peer.send("/track/1/split", "1s")
        peer.send("/session/undo")
        address, arguments = peer.receive()
        assert (address, arguments[0]) == ("/error", "/track/1/split") and "undone while" in arguments[1], (
            arguments
        )
        assert peer.receive()[0] == "/note"
        peer.send("/track/1/split", "1s")
        wait_until(lambda: mixer.json("status")["decoding"], "it is still being decoded")
        mixer.ctl("save")
        mixer.ctl("load", "other")
        address, arguments = peer.receive()
        assert address == "/error" and "another session was opened" in arguments[1]
        assert mixer.json("tracks") == []
    finally:
        peer.close()


def test_steps_of_clips_behind_an_edit_that_waits_are_all_done(new, slow):
    mixer, peer = new
    mixer.ctl("add", slow / "live.mka")
    mixer.ctl("add", slow / "plain.wav")
    peer.send("/track/1/split", 1.0)
    for _ in range(3):
        peer.send("/track/2/clip/gain/by", 1, -2.0)
    peer.send("/track/1/clip/gain/by", 2, -6.0)
    wait_until(lambda: len(clips(mixer)) == 2, "it is cut")
    wait_until(lambda: clips(mixer)[1].get("gain", 1) != 1, "the part that it made is lower")
    assert float(clips(mixer, 2)[0]["gain"]) == pytest.approx(10 ** (-6 / 20))
    assert float(clips(mixer)[1]["gain"]) == pytest.approx(10 ** (-6 / 20))


def test_a_take_over_a_file_that_is_being_decoded_cuts_it_where_it_belongs(mixers, jackd, slow):
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", slow / "show.json")
    mixer.ctl("input", "add", "mic")
    mixer.ctl("arm", "mic", "on")
    mixer.ctl("record", "on")
    mixer.ctl("add", slow / "live.mka")
    # It is laid on the track of the input before its length is known.
    peer = mixer.osc()
    peer.send("/track/mic/append", str(slow / "live.mka"))
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.6, "it records")
    mixer.ctl("stop")
    wait_until(lambda: len(clips(mixer, "mic")) == 2, "both lie there")
    take, rest = clips(mixer, "mic")
    peer.close()
    assert take["file"].startswith("takes/") and rest["file"] == "live.mka"
    assert seconds_of(rest["end"]) >= 6 and seconds_of(take["end"]) <= seconds_of(rest["at"])


def test_an_undo_takes_back_what_was_done_last(new, slow):
    mixer, peer = new
    mixer.ctl("add", slow / "cast.aac")
    peer.send("/track/1/split", "1s")
    peer.send("/track/1/volume", 0.25)
    wait_until(lambda: mixer.json("volume", 1)["volume"] == 0.25, "the fader has moved")
    peer.send("/session/undo")
    wait_until(lambda: mixer.json("volume", 1)["volume"] == 1, "that is taken back")
    wait_until(lambda: len(clips(mixer)) == 2, "the cut is made all the same")


def test_what_waits_when_the_mixer_ends_is_told_and_a_save_behind_it_has_it(new, slow):
    mixer, peer = new
    mixer.ctl("add", slow / "live.mka")
    peer.send("/track/1/split", "1s")
    peer.send("/session/save")
    wait_until(lambda: '"tracks": []' not in (slow / "show.json").read_text(), "it is saved")
    assert len(json.loads((slow / "show.json").read_text())["tracks"][0]["clips"]) == 2
    mixer.ctl("add", slow / "cast.aac")
    peer.send("/track/2/split", "1s")
    wait_until(lambda: mixer.json("tracks") and mixer.json("status")["decoding"], "it waits")
    mixer.process.send_signal(signal.SIGTERM)
    while (heard := peer.receive())[0] != "/error":
        assert heard[0] in ("/note", "/session/save"), heard
    assert "the mixer was ended" in heard[1][1]


def test_many_edits_that_wait_hold_up_nobody(mixers, jackd, slow):
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", slow / "show.json")
    peer, other = mixer.osc(), mixer.osc()
    try:
        mixer.ctl("add", slow / "live.mka")
        for turn in range(600):
            peer.send("/track/1/split", f"{1 + turn / 200}s")
            # All come by one socket: what was sent before has been read then, and none is lost.
            if turn % 50 == 0:
                other.ask("/ping")
        wait_until(lambda: len(clips(mixer)) > 1, "the first is made")
        slowest = 0
        while len(clips(mixer)) < 500:
            begun = time.monotonic()
            other.ask("/ping")
            slowest = max(slowest, time.monotonic() - begun)
        print("slowest answer", slowest)
        wait_until(lambda: len(clips(mixer)) == 601, "all are made")
    finally:
        peer.close()
        other.close()


def script(dice, count):
    """Edits of which each may be refused."""

    def at():
        return f"{dice.randrange(0, 9000) / 1000}s"

    lines = ["append 1 live.mka", "append 1 cast.aac", "append 2 plain.mp3", "append 2 plain.wav"]
    for _ in range(count):
        track, number = dice.randint(1, 2), dice.randint(1, 5)
        lines.append(
            dice.choice(
                [
                    f"append {track} {dice.choice(['live.mka', 'cast.aac', 'plain.mp3', 'plain.wav'])}",
                    f"insert {track} {dice.choice(['live.mka', 'plain.mp3'])} {at()} --push",
                    f"split {track} {at()}",
                    f"move {track} {number} {at()} --push",
                    f"move {track} {number} end",
                    f"clip {track} {number} reverse {dice.choice(['on', 'off'])}",
                    f"remove-range {track} {at()} {at()}",
                    f"clip {track} {number} trim {at()} {at()}",
                    f"silence {track} {at()} 0.3s",
                    f"clip {track} {number} remove",
                ]
            )
        )
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("turn", range(4))
def test_edits_come_to_the_same_with_a_cold_and_with_a_warm_cache(files, tmp_path, monkeypatch, turn):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    lines = script(random.Random(seed), 25)
    found = []
    for name, cache in (("cold", "one"), ("warm", "one"), ("cold again", "two")):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / cache))
        folder = shutil.copytree(files, tmp_path / name, ignore=shutil.ignore_patterns("one", "two", "cold*"))
        (folder / "show.json").write_text(
            json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": [{"name": "a"}, {"name": "b"}]})
        )
        done = subprocess.run(
            [JMIX, "edit", "show", "--keep-going"],
            input=lines,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=folder,
        )
        found.append(((folder / "show.json").read_text(), done.stderr))
    assert found[0] == found[1] == found[2], lines
    assert "cannot" not in run("check", folder / "show.json", code=0).stderr
    assert len(rendered(folder / "show.json")) > 2 * RATE
