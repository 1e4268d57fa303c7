"""A bad disk while it plays: the track fades to silence without a click, is counted and said once, and comes
back in its place; the others go on untouched."""

import os
import signal
import subprocess
import time

import numpy as np
import pytest
import soundfile
from conftest import RATE, Capture, bundle, interposer, run, wait_until

pytestmark = pytest.mark.alone

SLOPE = 1 / 240  # full level in 5 ms


@pytest.fixture(scope="session")
def slow_disk(tmp_path_factory):
    return interposer("slow_disk", tmp_path_factory.mktemp("interposer"))


@pytest.fixture
def bad_disk(mixers, jackd, make_session, slow_disk, tmp_path, monkeypatch):
    """A mixer with a steady track on a good file (left) and a numbered one on the bad disk (right), and the
    two switches of the disk."""
    n = np.arange(60 * RATE) / (60 * RATE) * 0.5 + 0.25
    monkeypatch.setenv("LD_PRELOAD", str(slow_disk))
    monkeypatch.setenv("SLOW_DISK_STALL", str(tmp_path / "stall"))
    monkeypatch.setenv("SLOW_DISK_FAIL", str(tmp_path / "fail"))
    good, slow = np.zeros((60 * RATE, 2), np.float32), np.zeros((60 * RATE, 2), np.float32)
    good[:, 0], slow[:, 1] = n, n
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({"good": good, "slow": slow}))
    monkeypatch.delenv("LD_PRELOAD")
    return mixer, n.astype(np.float32), tmp_path / "stall", tmp_path / "fail"


def play_through(jackd, mixer, n, spoil, mend):
    """Plays, spoils the disk until the track is silent, mends it, and returns what was heard of both tracks
    from frame 0 on."""
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.3, "it plays")
        spoil()
        wait_until(lambda: mixer.json("status")["dropouts"] == 1, "the dropout is counted")
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
    assert len([line for line in mixer.log.splitlines() if "slow.wav" in line and "warning" in line]) == 1


def test_a_file_that_is_deleted_while_it_plays_plays_on(bad_disk, jackd, tmp_path):
    mixer, n, _, _ = bad_disk
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.3, "it plays")
        os.unlink(tmp_path / "slow.wav")
        wait_until(lambda: mixer.json("position")["seconds"] > 4, "it plays on")
        frames = capture.end()
    start = np.flatnonzero(frames[:, 1] > 0)[0]
    assert np.array_equal(frames[start:, 1], n[: len(frames) - start])


def heard_of(capture):
    frames = capture.end()
    start = np.flatnonzero(frames[:, 0] > 0)[0]
    return frames[start:, 0], frames[start:, 1]


def roll(mixer, seconds):
    place = mixer.json("position")["seconds"]
    wait_until(lambda: mixer.json("position")["seconds"] > place + seconds, "it rolls on")


def test_a_file_that_is_replaced_while_it_plays_is_heard_in_its_place(bad_disk, jackd, tmp_path):
    mixer, n, _, _ = bad_disk
    other = np.zeros((60 * RATE, 2), np.float32)
    other[:, 1] = -n
    soundfile.write(tmp_path / "other.wav", other, RATE, subtype="FLOAT")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        roll(mixer, 0.3)
        os.replace(tmp_path / "other.wav", tmp_path / "slow.wav")
        wait_until(lambda: "slow.wav has changed" in mixer.log, "it is noticed")
        roll(mixer, 1)
        good, slow = heard_of(capture)
    assert np.array_equal(good, n[: len(good)])
    change = np.flatnonzero(slow != n[: len(slow)])[0]
    assert np.array_equal(slow[change + 240 :], -n[change + 240 : len(slow)]), (
        "the new file, at the same place"
    )
    assert np.abs(np.diff(slow)).max() < 2 * SLOPE, "a click"
    assert mixer.json("status")["dropouts"] == 0


def test_a_pipe_in_a_file_s_place_is_silence_until_the_file_is_back(bad_disk, jackd, tmp_path):
    mixer, n, _, _ = bad_disk
    os.link(tmp_path / "slow.wav", tmp_path / "kept.wav")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        roll(mixer, 0.3)
        os.mkfifo(tmp_path / "pipe")
        os.replace(tmp_path / "pipe", tmp_path / "slow.wav")
        wait_until(lambda: "it is a pipe" in mixer.log, "it is said")
        roll(mixer, 0.5)
        os.replace(tmp_path / "kept.wav", tmp_path / "slow.wav")
        wait_until(lambda: "slow.wav has changed" in mixer.log, "the file is back")
        roll(mixer, 1)
        good, slow = heard_of(capture)
    check(good, slow, n)
    assert mixer.log.count("it is a pipe") == 1


def test_a_file_that_appears_while_it_plays_is_heard(mixers, jackd, make_session, tmp_path):
    n = (np.arange(20 * RATE) / (20 * RATE) * 0.5 + 0.25).astype(np.float32)
    session = make_session({"good": np.stack([n, 0 * n], 1), "late": np.stack([0 * n, n], 1)})
    os.rename(tmp_path / "late.wav", tmp_path / "hidden.wav")
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    with Capture(jackd) as capture:
        mixer.ctl("play")
        roll(mixer, 0.3)
        os.rename(tmp_path / "hidden.wav", tmp_path / "late.wav")
        wait_until(lambda: "late.wav has changed" in mixer.log, "it is noticed")
        roll(mixer, 1)
        good, late = heard_of(capture)
    begin = np.flatnonzero(late)[0]
    assert np.array_equal(good, n[: len(good)]) and np.array_equal(
        late[begin + 240 :], n[begin + 240 : len(late)]
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="takes a right away that only root has")
def test_a_file_that_is_made_unreadable_plays_on_and_is_said_at_the_next_locate(
    mixers, jackd, make_session, tmp_path
):
    n = (np.arange(20 * RATE) / (20 * RATE) * 0.5 + 0.25).astype(np.float32)
    session = make_session({"good": np.stack([n, 0 * n], 1), "shy": np.stack([0 * n, n], 1)})
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        session,
        under=["setpriv", "--bounding-set=-dac_override,-dac_read_search"],
    )
    with Capture(jackd) as capture:
        mixer.ctl("play")
        roll(mixer, 0.3)
        os.chmod(tmp_path / "shy.wav", 0)
        roll(mixer, 2)
        good, shy = heard_of(capture)
    assert np.array_equal(good, n[: len(good)]) and np.array_equal(shy, n[: len(shy)])
    with Capture(jackd) as capture:
        mixer.ctl("locate", "10.123s")
        wait_until(lambda: "cannot be read" in mixer.log, "it is said")
        roll(mixer, 0.3)
        os.chmod(tmp_path / "shy.wav", 0o644)
        roll(mixer, 2)
        frames = capture.end()
    frames = frames[np.flatnonzero(np.all(frames != 0, axis=1))[0] :]  # from where both sides are connected
    assert np.abs(np.diff(frames, axis=0)).max() < SLOPE, "a click"
    assert mixer.log.count("shy.wav") == 1
    # what is heard at the end is in its place: both tracks play the same numbers
    assert frames[-1, 0] == frames[-1, 1] != 0
    assert np.count_nonzero(frames[:, 1] == 0) > 1000, "it was silent for a while"


def test_the_start_of_a_clip_is_heard_at_once_whatever_the_disk_does(
    mixers, jackd, make_session, slow_disk, tmp_path, monkeypatch
):
    n = ((np.arange(60 * RATE) + 1) / 2**22).astype(np.float32)
    stall = tmp_path / "stall"
    monkeypatch.setenv("LD_PRELOAD", str(slow_disk))
    monkeypatch.setenv("SLOW_DISK_STALL", str(stall))
    monkeypatch.setenv("SLOW_DISK_FAIL", str(tmp_path / "fail"))
    clips = [
        {"file": "slow.wav", "duration": "1s"},
        {"file": "slow.wav", "at": "20s", "from": "30s", "duration": "5s"},
    ]
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        make_session({"slow": (np.stack([n, n], 1), {"clips": clips})}),
    )
    monkeypatch.delenv("LD_PRELOAD")
    time.sleep(1)  # the disk has nothing else to do
    stall.touch()
    try:
        with Capture(jackd) as capture:
            mixer.ctl("locate", "20s")
            mixer.ctl("play")
            wait_until(lambda: mixer.json("position")["seconds"] > 20.3, "it plays")
            frames = capture.end()[:, 0]
    finally:
        stall.unlink()
    start = np.flatnonzero(frames)[0]
    assert np.array_equal(frames[start : start + 3000], n[30 * RATE : 30 * RATE + 3000])


def test_a_bundle_locates_at_its_time_whatever_the_disk_does_then(bad_disk, jackd):
    mixer, n, stall, _ = bad_disk
    peer = mixer.osc()
    moment = time.time() + 1
    peer.client.send(bundle(moment, ("/transport/locate", 30.0), ("/transport/play",)))
    time.sleep(0.5)  # what is to come has been read
    stall.touch()
    try:
        with Capture(jackd) as capture:
            wait_until(lambda: mixer.json("position")["seconds"] > 30.3, "it plays")
            assert time.time() < moment + 2
            frames = capture.end()[:, 1]
    finally:
        stall.unlink()
        peer.close()
    start = np.flatnonzero(frames)[0]
    assert np.array_equal(frames[start : start + 3000], n[30 * RATE : 30 * RATE + 3000])


def test_a_panic_goes_before_what_waits_for_a_disk(bad_disk, make_session):
    mixer, _, stall, _ = bad_disk
    waiting, other = mixer.osc(), mixer.osc()
    (stall.parent / "slow-too.wav").write_bytes((stall.parent / "slow.wav").read_bytes())
    stall.touch()
    try:
        waiting.send("/track/add", "slow-too.wav")
        waiting.send("/transport/play")
        mixer.ctl("position")  # others are answered
        assert other.ask("/panic") == []
    finally:
        stall.unlink()
    wait_until(lambda: len(mixer.json("tracks")) == 3, "the disk has answered")
    mixer.ctl("position")
    time.sleep(0.2)
    assert mixer.json("position")["state"] == "stopped"
    waiting.close()
    other.close()


def test_64_tracks_from_one_slow_disk_start_in_time_and_never_drop_out(
    mixers, jackd, make_session, slow_disk, tmp_path, monkeypatch
):
    """The disk delivers 1.5 times what 64 stereo tracks of 24 bits need; nothing comes from the page cache
    faster than that."""
    rng = np.random.default_rng(1)
    for n in range(8):
        soundfile.write(
            tmp_path / f"slow{n}.wav", rng.uniform(-1, 1, (15 * RATE, 2)) / 64, RATE, subtype="PCM_24"
        )
    session = make_session({}, tracks_of_files=[f"slow{n % 8}.wav" for n in range(64)])
    monkeypatch.setenv("LD_PRELOAD", str(slow_disk))
    monkeypatch.setenv("SLOW_DISK_STALL", str(tmp_path / "stall"))
    monkeypatch.setenv("SLOW_DISK_FAIL", str(tmp_path / "fail"))
    monkeypatch.setenv("SLOW_DISK_RATE", str(int(1.5 * 64 * RATE * 6)))
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    monkeypatch.delenv("LD_PRELOAD")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 5, "it plays")
        mixer.ctl("locate", "7.77s")
        wait_until(lambda: mixer.json("position")["seconds"] > 12, "it plays there")
        frames = capture.end()
    assert mixer.json("status")["dropouts"] == 0
    run("render", session, tmp_path / "mix.wav")
    expected, _ = soundfile.read(tmp_path / "mix.wav", dtype="float32")
    start = np.flatnonzero(frames[:, 0])[0]
    assert np.array_equal(frames[start : start + 4 * RATE], expected[: 4 * RATE])
    places = np.flatnonzero(expected[:, 0] == frames[-1, 0]) + 1
    assert any(
        place > 7 * RATE and np.array_equal(frames[-1000:], expected[place - 1000 : place])
        for place in places
    ), "and it is in the right place"


def test_who_quits_waits_for_no_more_than_what_is_being_read(
    mixers, jackd, make_session, slow_disk, tmp_path, monkeypatch
):
    """Sixty full tracks want a piece each, of a disk that has just stopped: behind the end each disk thread
    reads the one that it waits for, and no other."""
    n = np.zeros((60 * RATE, 2), np.float32)
    stall, count = tmp_path / "stall", tmp_path / "count"
    monkeypatch.setenv("LD_PRELOAD", str(slow_disk))
    monkeypatch.setenv("SLOW_DISK_STALL", str(stall))
    monkeypatch.setenv("SLOW_DISK_FAIL", str(tmp_path / "fail"))
    monkeypatch.setenv("SLOW_DISK_COUNT", str(count))
    session = make_session({"slow": n}, tracks_of_files=["slow.wav"] * 59)
    mixer = mixers("--server", jackd.name, "--no-connect", session, "--play")
    monkeypatch.delenv("LD_PRELOAD")
    wait_until(lambda: mixer.json("position")["seconds"] > 1.5, "all is read ahead")
    stall.touch()
    try:
        place = mixer.json("position")["seconds"]
        wait_until(lambda: mixer.json("position")["seconds"] > place + 0.3, "every track wants a piece")
        count.unlink()
        mixer.process.send_signal(signal.SIGINT)
        time.sleep(0.5)  # the signal has come, and the mixer waits for its disk threads
    finally:
        stall.unlink()
    mixer.process.wait(20)
    # A piece of floats is two reads.
    assert len(count.read_bytes()) <= 4 * 2
