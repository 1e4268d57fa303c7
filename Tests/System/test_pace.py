"""Clips that play slower, faster, higher, lower or backwards: by the session, by verbs, by OSC; live as
offline, to the bit."""

import json
import os
import random

import numpy as np
import pytest
import soundfile
from conftest import Capture, RATE, rendered, run, wait_until

LENGTH = 4 * RATE + 77

pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture
def noise(tmp_path):
    samples = (np.random.default_rng(11).standard_normal((LENGTH, 2)) / 12).astype(np.float32)
    soundfile.write(tmp_path / "noise.wav", samples, RATE, subtype="FLOAT")
    return samples


def session(folder, *clips, rate=RATE, name="session.json"):
    path = folder / name
    path.write_text(
        json.dumps(
            {
                "jmix": 1,
                "sampleRate": rate,
                "tracks": [{"name": "a", "clips": [{"file": "noise.wav", **clip} for clip in clips]}],
            }
        )
    )
    return path


def test_backwards_is_the_stretch_of_the_file_from_its_end(noise, tmp_path):
    assert np.array_equal(rendered(session(tmp_path, {"reverse": True})), noise[::-1])
    assert np.array_equal(
        rendered(session(tmp_path, {"reverse": True, "from": "48000f", "duration": "96000f"})),
        noise[48000:144000][::-1],
    )
    assert np.array_equal(
        rendered(session(tmp_path, {"reverse": True, "from": "48000f"})), noise[48000:][::-1]
    )


def test_speed_counts_from_and_duration_in_the_file(noise, tmp_path):
    whole = rendered(session(tmp_path, {"speed": 1.25}))
    assert len(whole) == round(LENGTH / 1.25)
    part = rendered(session(tmp_path, {"speed": 1.25, "from": "1s", "duration": "2s"}))
    assert np.array_equal(part, whole[38400 : 38400 + 76800])
    back = rendered(session(tmp_path, {"speed": 1.25, "reverse": True}))
    assert np.array_equal(back, whole[::-1])
    # Heard backwards, what lies from 1 s to 3 s of the file begins so long before the sound's end.
    part = rendered(session(tmp_path, {"speed": 1.25, "reverse": True, "from": "1s", "duration": "2s"}))
    start = round((LENGTH / RATE - 3) / 1.25 * RATE)
    assert np.array_equal(part, back[start : start + 76800])
    # Unity is the file itself.
    assert np.array_equal(
        rendered(session(tmp_path, {"speed": 1, "pitch": 0, "stretcher": "rubberband"})), noise
    )


def test_it_is_made_once_and_kept(noise, tmp_path, cache):
    path = session(
        tmp_path,
        {"speed": 0.5},
        {"at": "20s", "speed": 0.5, "from": "1s", "reverse": True},
        {"at": "40s", "speed": 2, "tape": True},
    )
    first = rendered(path)
    kept = {name: os.stat(cache / name).st_ino for name in os.listdir(cache)}
    assert len(kept) == 2
    assert np.array_equal(rendered(path), first)
    assert {name: os.stat(cache / name).st_ino for name in os.listdir(cache)} == kept
    # The same file under another name is the same sound.
    os.rename(tmp_path / "noise.wav", tmp_path / "other.wav")
    path.write_text(path.read_text().replace("noise.wav", "other.wav"))
    assert np.array_equal(rendered(path), first) and len(os.listdir(cache)) == 2


def test_the_sound_of_a_movie_is_decoded_first(noise, tmp_path, cache):
    import subprocess

    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", "noise.wav", "-c:a", "pcm_f32le", "a.mov"],
        cwd=tmp_path,
        check=True,
        timeout=60,
    )
    plain = rendered(session(tmp_path, {"speed": 0.8, "reverse": True}))
    assert np.array_equal(
        rendered(session(tmp_path, {"file": "a.mov", "speed": 0.8, "reverse": True})), plain
    )
    assert len(os.listdir(cache)) == 3


def test_what_is_heard_is_what_is_rendered(mixers, jackd, noise, tmp_path):
    """From any place, in any order, while it is still being made too."""
    path = session(
        tmp_path,
        {"speed": 0.61},
        {"at": "8s", "speed": 3, "tape": True, "reverse": True},
        {"at": "10s", "reverse": True, "from": "1s", "fadeIn": "0.5s"},
        {"at": "14s", "pitch": -4, "speed": 1.7},
    )
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("status")["seconds"] > 2, "it plays")
        mixer.ctl("stop")
        wait_until(lambda: mixer.json("status")["state"] == "stopped", "it stands")
        wait_until(lambda: not mixer.json("status").get("decoding"), "all is made")
        seed = random.randrange(1 << 32)
        print("seed", seed)
        rng = random.Random(seed)
        places = [0.0] + [round(rng.uniform(0, 16), 4) for _ in range(5)]
        for place in places:
            mixer.ctl("locate", place)
            mixer.ctl("play")
            wait_until(lambda: mixer.json("status")["seconds"] > place + 0.7, "it plays")
            mixer.ctl("stop")
            wait_until(lambda: mixer.json("status")["state"] == "stopped", "it stands")
        heard = capture.end()
    mix = np.concatenate([rendered(path), np.zeros((20 * RATE, 2), np.float32)])
    ends = 0
    for place in places:
        frame = round(place * RATE)
        # Past the fade of the start.
        wanted = mix[frame + 2400 : frame + 2400 + RATE // 4]
        if not wanted.any():
            continue
        first = np.flatnonzero(heard[:, 0] == wanted[200, 0])
        assert any(np.array_equal(heard[at - 200 : at - 200 + len(wanted)], wanted) for at in first), (
            f"what is rendered from {place} s is not heard"
        )
        ends += 1
    assert ends


def test_verbs(mixers, jackd, noise, tmp_path):
    path = session(tmp_path, {}, {"at": "6s"})
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    mixer.ctl("clip", "a", 1, "speed", 0.8)
    assert mixer.json("clips", "a")[0]["speed"] == 0.8
    assert mixer.json("clips", "a")[0]["end"] == "5.002s"
    # It would lie on the next: refused, and nothing has changed.
    told = mixer.ctl("clip", "a", 1, "speed", 0.5, code=1)
    assert "overlaps clip 2" in told
    assert mixer.json("clips", "a")[0]["speed"] == 0.8
    for words, wrong in (
        ("speed", 5),
        ("speed", 0.1),
        ("pitch", 30),
        ("tape", "perhaps"),
        ("stretcher", "zita"),
        ("reverse", 7),
    ):
        mixer.ctl("clip", "a", 1, words, wrong, code=2 if words in ("tape", "reverse") else 1)
    mixer.ctl("clip", "a", 1, "pitch", 2.5)
    assert "a tape's pitch goes with its speed" in mixer.ctl("clip", "a", 1, "tape", "on", code=1)
    peer = mixer.osc()
    assert (
        peer.ask("/track/1/clip/pitch", 1, 0.0) == []
        and peer.ask("/track/1/clip/tape", 1, 1) == []
        and peer.ask("/track/1/clip/reverse", 2, 1) == []
    )
    assert [address for address, _ in peer.ask("/track/1/clip/speed", 3, 1.0)] == ["/error"]
    clips = mixer.json("clips", "a")
    assert (clips[0]["tape"], clips[0].get("pitch"), clips[1]["reverse"]) == (True, None, True)
    assert "reverse of clip 2" in mixer.ctl("undo")
    assert "reverse" not in mixer.json("clips", "a")[1]
    # Cut in two it sounds on, and a piece that is trimmed stays where it was.
    mixer.ctl("clip", "a", 1, "reverse", "on")
    mixer.ctl("split", "a", "2s")
    mixer.ctl("clip", "a", 2, "trim", "2.5s", "4s")
    mixer.ctl("save")
    whole = rendered(session(tmp_path, {"speed": 0.8, "tape": True, "reverse": True}, name="whole.json"))
    parts = rendered(path)
    assert (
        np.array_equal(parts[: 2 * RATE], whole[: 2 * RATE]) and not parts[2 * RATE : int(2.5 * RATE)].any()
    )
    assert np.array_equal(parts[int(2.5 * RATE) : 4 * RATE], whole[int(2.5 * RATE) : 4 * RATE])


def test_without_rubber_band_the_message_names_it(noise, tmp_path, monkeypatch):
    path = session(tmp_path, {"speed": 1.5, "stretcher": "rubberband"})
    assert len(rendered(path)) == round(LENGTH / 1.5)
    (tmp_path / "bin").mkdir()
    for tool in os.listdir("/usr/bin"):
        if tool != "rubberband":
            os.symlink(f"/usr/bin/{tool}", tmp_path / "bin" / tool)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    told = run("check", path, code=1)
    assert (
        "track 1, clip 1, file" in told.stdout + told.stderr
        and "apt install rubberband-cli" in told.stdout + told.stderr
    )


def test_rubber_band_keeps_the_level_and_what_is_beyond_full(noise, tmp_path):
    loud = np.clip(noise * 12, -0.99, 0.99)
    wild = loud.copy()
    wild[1000] = 2e38
    soundfile.write(tmp_path / "noise.wav", wild, RATE, subtype="FLOAT")
    assert len(rendered(session(tmp_path, {"speed": 1.1, "stretcher": "rubberband"}))) == round(LENGTH / 1.1)
    for name, samples in (("full", loud), ("beyond", noise * 30)):
        soundfile.write(tmp_path / "noise.wav", samples, RATE, subtype="FLOAT")
        made = rendered(session(tmp_path, {"speed": 1.1, "stretcher": "rubberband"}))
        assert np.sqrt((made**2).mean()) == pytest.approx(np.sqrt((samples**2).mean()), rel=0.1), name


def test_a_file_that_changes_while_it_is_stretched_holds_up_nobody(noise, tmp_path, monkeypatch):
    """Who stretches what had to be decoded waits for that sound, and for no other that the file has
    become."""
    import subprocess

    def movie():
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", "noise.wav", "-c:a", "pcm_f32le", "b.mov"],
            cwd=tmp_path,
            check=True,
            timeout=60,
        )
        os.rename(tmp_path / "b.mov", tmp_path / "a.mov")

    (tmp_path / "bin").mkdir()
    slow = tmp_path / "bin" / "rubberband"
    slow.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] || {{ touch {tmp_path}/begun; sleep 2; }}\nexec '
        f'/usr/bin/rubberband "$@"\n'
    )
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    movie()
    path = session(tmp_path, {"file": "a.mov"})
    run("check", path)
    clips = [
        {"speed": 1.1, "stretcher": "rubberband"},
        {"speed": 1.2, "stretcher": "rubberband"},
        {"speed": 1.3},
        {"speed": 1.4},
    ]
    path = session(tmp_path, *({"file": "a.mov", "at": f"{10 * n}s", **clip} for n, clip in enumerate(clips)))
    from conftest import JMIX

    check = subprocess.Popen(
        [JMIX, "check", str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    wait_until(lambda: (tmp_path / "begun").exists(), "the first is being stretched")
    soundfile.write(tmp_path / "noise.wav", noise[::-1], RATE, subtype="FLOAT")
    movie()
    told, _ = check.communicate(timeout=60)
    assert check.returncode in (0, 1), told


def test_a_knob_on_the_speed_leaves_nothing_open(mixers, jackd, noise, tmp_path):
    mixer = mixers("--server", jackd.name, "--no-connect", session(tmp_path, {}))
    peer = mixer.osc()
    opened = lambda: len(os.listdir(f"/proc/{mixer.process.pid}/fd"))
    before = opened()
    for step in range(150):
        assert peer.ask("/track/1/clip/speed", 1, 1 + step / 1000) == []
    for step in range(100):
        assert peer.ask("/undo") is not None
        if step % 10 == 0:
            assert peer.ask("/track/1/clip/speed", 1, 2 + step / 1000) == []
    wait_until(lambda: not mixer.json("status").get("decoding"), "all is made", 60)
    mixer.ctl("new")
    mixer.ctl("add", tmp_path / "noise.wav")
    for step in range(70):
        assert peer.ask("/track/1/clip/pitch", 1, 1 + step / 100) == []
    wait_until(lambda: not mixer.json("status").get("decoding"), "all is made", 60)
    wait_until(lambda: opened() < before + 230, f"no more is open than can be had back: {before}, {opened()}")


def test_what_could_not_be_is_tried_again(mixers, jackd, noise, tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    for tool in os.listdir("/usr/bin"):
        if tool != "rubberband":
            os.symlink(f"/usr/bin/{tool}", tmp_path / "bin" / tool)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    mixer = mixers("--server", jackd.name, "--no-connect", session(tmp_path, {"speed": 1.5}))
    assert "rubberband-cli" in mixer.ctl("clip", "a", 1, "stretcher", "rubberband", code=1)
    os.symlink("/usr/bin/rubberband", tmp_path / "bin" / "rubberband")
    mixer.ctl("clip", "a", 1, "stretcher", "rubberband")


def test_fades_take_what_they_took_of_the_file(mixers, jackd, noise, tmp_path):
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        session(tmp_path, {"fadeIn": "2s", "fadeOut": "1.5s", "reverse": True}),
    )
    mixer.ctl("clip", "a", 1, "speed", 4)
    clip = mixer.json("clips", "a")[0]
    assert (clip["fadeIn"], clip["fadeOut"]) == ("0.5s", "0.375s")
    assert "4x, reverse" in mixer.ctl("clips", "a")


def test_a_file_of_a_low_rate_is_long_enough(noise, tmp_path):
    soundfile.write(tmp_path / "noise.wav", noise[:8001], 8000, subtype="FLOAT")
    for speed in (3.9, 0.3, 1.7):
        run("check", session(tmp_path, {"speed": speed, "duration": "8001/8000"}))


def test_what_cannot_be_is_named_with_its_place(noise, tmp_path):
    for clip, words in (
        ({"speed": 4.5}, "speed: 4.5 is out of range"),
        ({"speed": 2, "from": "5s"}, "from: 5s is beyond the end"),
        ({"speed": 2, "duration": "5s"}, "duration: 5s is longer"),
        ({"pitch": 3, "tape": True}, "pitch: a tape's"),
    ):
        told = run("check", session(tmp_path, clip), code=1)
        assert f"track 1, clip 1, {words}" in told.stdout + told.stderr, told
    # Sixteen channels are SoundTouch's most; as a tape and backwards there is no limit.
    soundfile.write(tmp_path / "noise.wav", np.tile(noise[:RATE, :1], (1, 18)), RATE, subtype="FLOAT")
    told = run("render", session(tmp_path, {"speed": 2, "channels": [1, 18]}), tmp_path / "x.wav", code=1)
    assert "18 channels" in told.stderr
    assert (
        len(rendered(session(tmp_path, {"speed": 2, "tape": True, "reverse": True, "channels": [1, 18]})))
        == RATE // 2
    )
