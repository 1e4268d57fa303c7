"""A bad disk while it plays: the track fades to silence without a click, is counted and said once, and comes back in its place; the others go on untouched."""
import os
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import RATE, Capture, wait_until

SLOPE = 1 / 240  # full level in 5 ms


@pytest.fixture(scope="session")
def interposer(tmp_path_factory):
    library = tmp_path_factory.mktemp("interposer") / "slow_disk.so"
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "slow_disk.c")
    subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture
def bad_disk(mixers, jackd, make_session, interposer, tmp_path, monkeypatch):
    """A mixer with a steady track on a good file (left) and a numbered one on the bad disk (right), and the two switches of the disk."""
    n = np.arange(60 * RATE) / (60 * RATE) * 0.5 + 0.25
    monkeypatch.setenv("LD_PRELOAD", str(interposer))
    monkeypatch.setenv("SLOW_DISK_STALL", str(tmp_path / "stall"))
    monkeypatch.setenv("SLOW_DISK_FAIL", str(tmp_path / "fail"))
    good, slow = np.zeros((60 * RATE, 2), np.float32), np.zeros((60 * RATE, 2), np.float32)
    good[:, 0], slow[:, 1] = n, n
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({"good": good, "slow": slow}))
    monkeypatch.delenv("LD_PRELOAD")
    return mixer, n.astype(np.float32), tmp_path / "stall", tmp_path / "fail"


def play_through(jackd, mixer, n, spoil, mend):
    """Plays, spoils the disk until the track is silent, mends it, and returns what was heard of both tracks from frame 0 on."""
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.3, "it plays")
        spoil()
        wait_until(lambda: mixer.json("status")["dropouts"] == 1, "the dropout is counted", 20)
        place = mixer.json("position")["seconds"]
        wait_until(lambda: mixer.json("position")["seconds"] > place + 0.5, "it is silent for a while")
        mend()
        place = mixer.json("position")["seconds"]
        wait_until(lambda: mixer.json("position")["seconds"] > place + 1.5, "it is back")
        frames = capture.end()
    start = np.flatnonzero(frames[:, 0] > 0)[0]
    return frames[start:, 0], frames[start:, 1]


def check(good, slow, n):
    assert np.array_equal(good, n[: len(good)]), "the other track has noticed"
    silent = np.flatnonzero(slow == 0)
    assert len(silent) > RATE * 0.4 and np.all(np.diff(silent) == 1), "one gap, and only one"
    before, after = silent[0], silent[-1] + 1
    assert np.array_equal(slow[: before - 240], n[: before - 240])
    assert np.array_equal(slow[after + 240 :], n[after + 240 : len(slow)]), "it is back in the right place"
    assert np.abs(np.diff(slow)).max() < SLOPE, "a click"


def test_a_disk_that_stalls(bad_disk, jackd):
    mixer, n, stall, _ = bad_disk
    check(*play_through(jackd, mixer, n, stall.touch, stall.unlink), n)
    assert [stream["dropouts"] for stream in mixer.json("status")["streams"]] == [0, 1]


def test_a_disk_that_returns_errors(bad_disk, jackd):
    mixer, n, _, fail = bad_disk
    check(*play_through(jackd, mixer, n, fail.touch, fail.unlink), n)
    assert mixer.log.count("slow.wav") == 1


def test_a_file_that_is_cut_short_while_it_plays_and_made_whole_again(bad_disk, jackd, tmp_path):
    mixer, n, _, _ = bad_disk
    path = tmp_path / "slow.wav"
    whole = path.read_bytes()

    def mend():
        with open(path, "r+b") as file:  # the same file, as a copy that goes on
            file.write(whole)

    check(*play_through(jackd, mixer, n, lambda: os.truncate(path, 100_000), mend), n)
    assert mixer.log.count("slow.wav") == 1


def test_a_file_that_is_deleted_while_it_plays_plays_on(bad_disk, jackd, tmp_path):
    mixer, n, _, _ = bad_disk
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.3, "it plays")
        os.unlink(tmp_path / "slow.wav")
        wait_until(lambda: mixer.json("position")["seconds"] > 4, "it plays on", 20)
        frames = capture.end()
    start = np.flatnonzero(frames[:, 1] > 0)[0]
    assert np.array_equal(frames[start:, 1], n[: len(frames) - start])
