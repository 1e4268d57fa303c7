"""What libsndfile does not read: decoded once by a real ffmpeg, in its place to the frame, whatever the
container; and files that lie."""

import json
import os
import random
import subprocess
import time

import numpy as np
import pytest
import soundfile
from conftest import Capture, interposer, JMIX, RATE, rendered, run, wait_until

LENGTH = 3 * RATE + 123

pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture
def noise(tmp_path):
    """Known content, of 16 bits, that no codec finds easy to shift."""
    samples = (np.random.default_rng(7).standard_normal((LENGTH, 2)) * 3000).astype(np.int16)
    samples[1000], samples[-1] = 30000, -30000
    soundfile.write(tmp_path / "noise.wav", samples, RATE, subtype="PCM_16")
    return samples.astype(np.float32) / 32768


def ffmpeg(*words, cwd):
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-nostdin", *map(str, words)], cwd=cwd, check=True, timeout=120
    )


def session(folder, file, rate=RATE, **fields):
    path = folder / "session.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 1,
                "sampleRate": rate,
                "tracks": [{"name": "media", "clips": [{"file": file, **fields}]}],
            }
        )
    )
    return path


def inspected(path):
    return json.loads(run("inspect", path, "--json").stdout)[0]


def lag(heard, played):
    """How many frames later than it was played something is heard."""
    size = 1 << 19
    spectrum = np.fft.rfft(heard[:200_000, 0], size) * np.conj(np.fft.rfft(played[:100_000, 0], size))
    place = int(np.argmax(np.fft.irfft(spectrum, size)))
    return place - size if place > size // 2 else place


VIDEO = ["-f", "lavfi", "-i", "testsrc=d=4:s=160x120:r=25"]


@pytest.mark.parametrize(
    "name,words",
    [
        ("alac.m4a", ["-c:a", "alac"]),
        ("pcm.mov", ["-c:a", "pcm_s16le"]),
        ("flac.mkv", ["-c:a", "flac"]),
        ("pcm.mkv", ["-c:a", "pcm_s16le"]),
        ("pcm.avi", ["-c:a", "pcm_s16le"]),
        ("wv.mka", ["-c:a", "wavpack"]),
        ("alac.caf", ["-c:a", "alac"]),
    ],
)
def test_what_loses_nothing_comes_out_as_it_went_in(noise, tmp_path, name, words):
    ffmpeg("-i", "noise.wav", *words, name, cwd=tmp_path)
    report = inspected(tmp_path / name)
    assert (report["frames"], report["channels"], report["sampleRate"], report["notes"], report["fault"]) == (
        LENGTH,
        2,
        RATE,
        [],
        None,
    )
    assert np.array_equal(rendered(session(tmp_path, name)), noise)


@pytest.mark.parametrize(
    "name,words",
    [
        ("alac.mov", ["-c:a", "alac", "-movie_timescale", RATE]),
        ("pcm.mov", ["-c:a", "pcm_s16le", "-movie_timescale", RATE]),
        ("pcm.mkv", ["-c:a", "pcm_s16le"]),
    ],
)
def test_sound_that_begins_later_than_its_movie_has_silence_before_it(noise, tmp_path, name, words):
    ffmpeg(*VIDEO, "-itsoffset", 1, "-i", "noise.wav", "-c:v", "mpeg4", *words, name, cwd=tmp_path)
    heard = rendered(session(tmp_path, name))
    assert len(heard) == RATE + LENGTH and not heard[:RATE].any() and np.array_equal(heard[RATE:], noise)
    assert inspected(tmp_path / name)["media"]["picture"] == "mpeg4, 160 x 120, 25.0 frames a second"


@pytest.mark.parametrize(
    "name,words,starts",
    [
        ("aac.m4a", ["-c:a", "aac", "-movie_timescale", RATE], 0),
        ("late.mp4", ["-c:a", "aac", "-movie_timescale", RATE], RATE),
        ("opus.webm", ["-c:a", "libopus", "-b:a", "256k"], 0),
        ("opus.mkv", ["-c:a", "libopus", "-b:a", "256k"], 0),
        ("vorbis.webm", ["-c:a", "libvorbis"], 0),
    ],
)
def test_what_loses_something_lies_where_it_belongs_and_is_as_long(noise, tmp_path, name, words, starts):
    delay = (
        [*VIDEO, "-itsoffset", starts / RATE, "-i", "noise.wav", "-c:v", "mpeg4"]
        if starts
        else ["-i", "noise.wav"]
    )
    ffmpeg(*delay, *words, name, cwd=tmp_path)
    report = inspected(tmp_path / name)
    assert report["notes"] == [] and report["fault"] is None
    assert (
        report["frames"] == starts + LENGTH or name == "vorbis.webm" and 0 <= report["frames"] - LENGTH < 2048
    )
    assert lag(rendered(session(tmp_path, name)), noise) == starts


@pytest.mark.parametrize(
    "name,words,late",
    [
        ("aac.mkv", ["-c:a", "aac"], 2112),
        ("a.aac", ["-c:a", "aac"], 2112),
        ("a.ts", ["-c:a", "aac"], 2112),
        ("a.ac3", ["-c:a", "ac3"], 256),
        ("ac3.mp4", ["-c:a", "ac3"], 256),
        ("a.wma", ["-c:a", "wmav2"], 2048),
    ],
)
def test_where_the_place_cannot_be_known_inspect_says_so(noise, tmp_path, name, words, late):
    ffmpeg("-i", "noise.wav", *words, name, cwd=tmp_path)
    report = inspected(tmp_path / name)
    assert len(report["notes"]) == 1 and "late" in report["notes"][0] and report["fault"] is None
    assert abs(lag(rendered(session(tmp_path, name)), noise)) <= late


def test_every_place_is_reached_exactly(noise, tmp_path):
    ffmpeg("-i", "noise.wav", "-c:a", "aac", "a.m4a", cwd=tmp_path)
    path = session(tmp_path, "a.m4a")
    whole = rendered(path)
    seed = random.randrange(1 << 32)
    print("seed", seed)
    for start in random.Random(seed).sample(range(len(whole) - 1), 12):
        assert np.array_equal(rendered(path, "--from", f"{start}f"), whole[start:])
    at_another_rate = rendered(session(tmp_path, "a.m4a", rate=44100))
    assert abs(len(at_another_rate) - len(whole) * 44100 / RATE) <= 1


def test_it_plays_live_what_it_renders(mixers, jackd, noise, tmp_path):
    ffmpeg("-i", "noise.wav", "-c:a", "libopus", "a.webm", cwd=tmp_path)
    path = session(tmp_path, "a.webm")
    whole = rendered(path)
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    wait_until(lambda: mixer.json("status")["decoding"] == [], "it is decoded")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("status")["seconds"] > 2, "it plays")
        mixer.ctl("stop")
        heard = capture.end()
    first = int(np.argmax(heard.any(axis=1)))
    skipped = int(np.argmax(whole.any(axis=1)))
    count = int(1.5 * RATE)
    # The ramp up of a start is 5 ms.
    assert np.array_equal(heard[first - skipped + 480 : first - skipped + count], whole[480:count])
    assert mixer.json("status")["dropouts"] == 0


def wrapper(folder, text, program="ffmpeg"):
    """Another ffmpeg before the real one in the path."""
    folder.mkdir(exist_ok=True)
    script = folder / program
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_it_plays_while_it_is_still_being_decoded(mixers, jackd, tmp_path, monkeypatch):
    length = 40 * RATE
    ramp = (np.arange(length) % 30000).astype(np.int16)
    soundfile.write(tmp_path / "ramp.wav", np.stack([ramp, ramp], 1), RATE, subtype="PCM_16")
    ffmpeg("-i", "ramp.wav", "-c:a", "alac", "slow.m4a", cwd=tmp_path)
    # Four times as fast as it plays.
    monkeypatch.setenv("PATH", wrapper(tmp_path / "slow", 'exec /usr/bin/ffmpeg -readrate 4 "$@"'))
    mixer = mixers("--server", jackd.name, "--no-connect", session(tmp_path, "slow.m4a"))
    status = mixer.json("status")
    assert [one["file"] for one in status["decoding"]] == [str(tmp_path / "slow.m4a")] and status["decoding"][
        0
    ]["done"] < 0.9
    assert "slow.m4a (" in mixer.ctl("status")
    assert status["end"] == 40
    wait_until(
        lambda: (mixer.json("status")["decoding"] or [{"done": 1}])[0]["done"] > 0.1,
        "a little of it is there",
    )
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("status")["seconds"] > 1.5, "it plays")
        assert mixer.json("status")["decoding"], "it is still being decoded"
        # What has not come yet is silent, and heard as soon as it is there: the clock does not wait.
        mixer.ctl("locate", "30s")
        mixer.ctl("play")
        wait_until(lambda: mixer.json("status")["decoding"] == [], "all of it is decoded")
        mixer.ctl("locate", "30s")
        mixer.ctl("play")
        wait_until(lambda: mixer.json("status")["seconds"] > 31, "it plays where it had not been")
        mixer.ctl("stop")
        heard = capture.end()[:, 0] * 32768
    # Runs in which each frame is the next of the ramp.
    steps = np.diff(heard)
    breaks = np.flatnonzero((steps != 1) & (steps != -29999))
    assert np.diff(breaks).max() > 0.9 * RATE, "a second of it, frame for frame"
    assert "slow.m4a is decoded" in mixer.log


def test_of_a_sound_half_of_it_is_decoded_and_the_rest_is_no_silence(mixers, jackd, tmp_path, monkeypatch):
    """What is read ahead where nothing has come yet is read again when it has come."""
    ramp = (np.arange(20 * RATE) % 30000).astype(np.int16)
    soundfile.write(tmp_path / "ramp.wav", np.stack([ramp, ramp], 1), RATE, subtype="PCM_16")
    ffmpeg("-i", "ramp.wav", "-c:a", "alac", "half.m4a", cwd=tmp_path)
    half = 10 * RATE * 2 * 4
    monkeypatch.setenv(
        "PATH",
        wrapper(
            tmp_path / "slow",
            f'case "$*" in *pipe:1*) /usr/bin/ffmpeg "$@" | (dd bs=4096 count={half // 4096} iflag=fullblock '
            f'2>/dev/null; for i in $(seq 600); do [ -e {tmp_path}/go ] && break; sleep 0.05; done; cat);; '
            f'*) exec '
            f'/usr/bin/ffmpeg "$@";; esac',
        ),
    )
    mixer = mixers("--server", jackd.name, "--no-connect", session(tmp_path, "half.m4a"))

    def done():
        return (mixer.json("status")["decoding"] or [{"done": 1}])[0]["done"]

    wait_until(lambda: 0.4 < done() < 0.6, "half of it is decoded")
    time.sleep(0.3)
    edge = done() * 20
    mixer.ctl("locate", f"{edge - 0.2:.3f}s")
    time.sleep(0.5)
    (tmp_path / "go").touch()
    wait_until(lambda: mixer.json("status")["decoding"] == [], "all of it is decoded")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("status")["seconds"] > edge + 2, "it plays beyond that")
        mixer.ctl("stop")
        heard = capture.end()[:, 0] * 32768
    steps = np.diff(heard)
    breaks = np.append(np.flatnonzero((steps != 1) & (steps != -29999)), len(steps))
    # Of silence in between there would be more than a second: what is read ahead.
    assert np.diff(breaks).max() > RATE, "frame for frame, over where there was nothing yet"


def test_what_is_decoded_is_kept_for_all_sessions_and_made_anew_where_it_was_damaged(
    noise, cache, tmp_path, monkeypatch
):
    ffmpeg("-i", "noise.wav", "-c:a", "alac", "a.m4a", cwd=tmp_path)
    assert np.array_equal(rendered(session(tmp_path, "a.m4a")), noise)
    (tmp_path / "other").mkdir()
    (tmp_path / "a.m4a").rename(tmp_path / "other" / "b.m4a")
    counted = wrapper(
        tmp_path / "counting",
        f'case "$*" in *pipe:1*) echo decoded >> {tmp_path}/runs;; esac; exec /usr/bin/ffmpeg "$@"',
    )
    monkeypatch.setenv("PATH", counted)
    path = session(tmp_path / "other", "b.m4a")
    assert np.array_equal(rendered(path), noise) and not (tmp_path / "runs").exists()
    (kept,) = cache.glob("*.sound")
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    whole = kept.read_bytes()
    for runs in range(1, 7):
        harm = bytearray(whole)
        if runs % 3 == 0:
            harm = harm[: dice.randrange(len(harm))]
        else:
            harm[dice.choice([dice.randrange(1100), dice.randrange(4096, len(harm))])] ^= 1 << dice.randrange(
                8
            )
        kept.write_bytes(harm)
        assert np.array_equal(rendered(path), noise)
        assert (tmp_path / "runs").read_text().count("decoded") == runs
        assert kept.read_bytes() == whole
    assert not list(cache.glob(".*")), "nothing unfinished is left"


def test_without_ffmpeg_it_is_named_and_all_else_plays(mixers, jackd, noise, tmp_path, monkeypatch):
    ffmpeg("-i", "noise.wav", "-c:a", "aac", "a.m4a", cwd=tmp_path)
    path = session(tmp_path, "a.m4a")
    content = json.loads(path.read_text())
    content["tracks"].append({"name": "plain", "clips": [{"file": "noise.wav"}]})
    path.write_text(json.dumps(content))
    (tmp_path / "bin").mkdir()
    for tool in os.listdir("/usr/bin"):
        if not tool.startswith("ff"):
            os.symlink(f"/usr/bin/{tool}", tmp_path / "bin" / tool)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    told = run("check", path, code=1)
    assert (
        "track 1, clip 1, file" in told.stdout + told.stderr
        and "apt install ffmpeg" in told.stdout + told.stderr
    )
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("status")["seconds"] > 1, "it plays")
        assert np.abs(capture.end()).max() > 0.01


def test_a_file_that_ends_early_is_said_and_plays_as_far_as_it_goes(mixers, jackd, noise, tmp_path):
    ffmpeg("-i", "noise.wav", "-c:a", "alac", "-movflags", "+faststart", "a.m4a", cwd=tmp_path)
    whole = (tmp_path / "a.m4a").read_bytes()
    (tmp_path / "cut.m4a").write_bytes(whole[: len(whole) // 2])
    path = session(tmp_path, "cut.m4a")
    told = run("check", path, code=1)
    assert "the file is truncated: its sound ends after" in told.stdout + told.stderr
    assert "truncated" in inspected(tmp_path / "cut.m4a")["fault"]
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("status")["seconds"] > 1, "it plays")
        mixer.ctl("stop")
        heard = capture.end()
    first = int(np.argmax(heard.any(axis=1)))
    assert np.array_equal(heard[first + 960 : first + RATE // 2], noise[960 : RATE // 2])


def test_rates_and_layouts_that_change_midway_go_on_in_the_first_ones(noise, tmp_path):
    ffmpeg("-i", "noise.wav", "-c:a", "aac", "a.aac", cwd=tmp_path)
    ffmpeg("-i", "noise.wav", "-c:a", "aac", "-ar", 44100, "-ac", 1, "b.aac", cwd=tmp_path)
    (tmp_path / "both.aac").write_bytes((tmp_path / "a.aac").read_bytes() + (tmp_path / "b.aac").read_bytes())
    report = inspected(tmp_path / "both.aac")
    assert (report["sampleRate"], report["channels"]) == (RATE, 2)
    assert abs(report["frames"] - 2 * LENGTH) < 8192


def test_what_is_no_sound_is_refused_and_nothing_else_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv(
        "PATH", wrapper(tmp_path / "watched", f'echo asked >> {tmp_path}/asked; exec /usr/bin/ffmpeg "$@"')
    )
    (tmp_path / "list.m4a").write_text("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n")
    (tmp_path / "concat.mp4").write_text("ffconcat version 1.0\nfile /etc/hostname\n")
    (tmp_path / "empty.mp4").write_bytes(b"")
    (tmp_path / "short.mp4").write_bytes(b"\0\0\0\x18ftypmp42")
    (tmp_path / "zeros.mp4").write_bytes(b"\0\0\0\x18ftypmp42" + bytes(4096))
    for name in ("list.m4a", "concat.mp4", "empty.mp4", "short.mp4", "zeros.mp4"):
        told = run("inspect", tmp_path / name, code=1)
        assert name in told.stderr, told.stderr
    ffmpeg(*VIDEO, "-c:v", "mpeg4", "silent.mp4", cwd=tmp_path)
    assert "there is no sound in it" in run("inspect", tmp_path / "silent.mp4", code=1).stderr


def test_files_that_lie_are_refused_or_read_and_never_crash(noise, tmp_path):
    ffmpeg(
        "-i",
        "noise.wav",
        "-t",
        1,
        "-c:a",
        "aac",
        "-metadata",
        "title=Evening",
        "-movflags",
        "+faststart",
        "a.m4a",
        cwd=tmp_path,
    )
    ffmpeg("-i", "noise.wav", "-t", 1, "-c:a", "libopus", "a.webm", cwd=tmp_path)
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    for number in range(24):
        source = dice.choice(["a.m4a", "a.webm"])
        harm = bytearray((tmp_path / source).read_bytes())
        for _ in range(dice.choice([1, 4, 40])):
            harm[dice.randrange(min(len(harm), dice.choice([600, len(harm)])))] = dice.choice(
                [0, 0x7F, 0xFF, dice.randrange(256)]
            )
        if dice.random() < 0.2:
            harm = harm[: dice.randrange(20, len(harm))]
        path = tmp_path / f"{number}-{source}"
        path.write_bytes(harm)
        done = subprocess.run([JMIX, "inspect", path, "--json"], capture_output=True, text=True, timeout=120)
        assert done.returncode in (0, 1), (path, done.returncode, done.stderr)
        assert done.returncode == 0 or str(path) in json.loads(done.stderr)["error"], done.stderr


def test_labels_chapters_and_covers_are_told(noise, tmp_path):
    (tmp_path / "labels.txt").write_text(
        ";FFMETADATA1\ntitle=Evening\nartist=Ensemble\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1500\n"
        "title=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1500\nEND=3000\ntitle=Two\n"
    )
    ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64:d=0.1", "-frames:v", 1, "cover.png", cwd=tmp_path)
    ffmpeg(
        "-i",
        "noise.wav",
        "-i",
        "labels.txt",
        "-i",
        "cover.png",
        "-map_metadata",
        1,
        "-map",
        0,
        "-map",
        2,
        "-c:a",
        "aac",
        "-c:v",
        "png",
        "-disposition:v",
        "attached_pic",
        "a.m4a",
        cwd=tmp_path,
    )
    media = inspected(tmp_path / "a.m4a")["media"]
    assert (
        media["tags"] == {"title": "Evening", "artist": "Ensemble"}
        and media["picture"] is None
        and media["cover"] == "png, 64 x 64"
    )
    assert [(one["name"], one["at"]) for one in media["chapters"]] == [("One", 0), ("Two", 1.5)]
    text = run("inspect", tmp_path / "a.m4a").stdout
    assert "title      Evening" in text and "0:01.500 Two" in text


def test_a_movie_becomes_a_session_and_its_waveform_is_drawn(noise, tmp_path):
    ffmpeg(*VIDEO, "-i", "noise.wav", "-c:v", "mpeg4", "-c:a", "aac", "movie.mp4", cwd=tmp_path)
    (tmp_path / "show").mkdir()
    run("new", tmp_path / "show", tmp_path / "movie.mp4")
    assert lag(rendered(tmp_path / "show" / "session.json"), noise) == 0
    run("plot", tmp_path / "show", tmp_path / "show.svg")
    assert (tmp_path / "show.svg").stat().st_size > 1000


def test_any_sound_of_a_file_is_played(noise, tmp_path):
    other = np.ascontiguousarray(noise[::-1])
    soundfile.write(tmp_path / "other.wav", (other * 32768).astype(np.int16), RATE, subtype="PCM_16")
    ffmpeg(
        *VIDEO,
        "-i",
        "noise.wav",
        "-i",
        "other.wav",
        "-map",
        0,
        "-map",
        1,
        "-map",
        2,
        "-c:v",
        "mpeg4",
        "-c:a",
        "alac",
        "-metadata:s:a:1",
        "language=deu",
        "-metadata:s:a:1",
        "title=Ton",
        "two.mp4",
        cwd=tmp_path,
    )
    assert np.array_equal(rendered(session(tmp_path, "two.mp4")), noise)
    assert np.array_equal(rendered(session(tmp_path, "two.mp4", stream=2)), other)
    sounds = inspected(tmp_path / "two.mp4")["media"]["sounds"]
    assert [one["language"] for one in sounds] == [None, "deu"] and "sound 2    alac, 2 channels, deu" in run(
        "inspect", tmp_path / "two.mp4"
    ).stdout
    # Both at once, and the document keeps what it says.
    path = tmp_path / "both.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 1,
                "sampleRate": RATE,
                "tracks": [
                    {"name": "one", "clips": [{"file": "two.mp4"}]},
                    {"name": "two", "clips": [{"file": "two.mp4", "stream": 2}]},
                ],
            }
        )
    )
    assert np.array_equal(rendered(path), noise + other)
    run("edit", path, "volume", "two", "0.5")
    assert [
        clip.get("stream") for track in json.loads(path.read_text())["tracks"] for clip in track["clips"]
    ] == [None, 2]
    for stream, says in (
        (3, "stream 3 was asked for, it has 2"),
        (0, "stream"),
        (1.5, "1.5 is not the number of a sound"),
    ):
        told = run("check", session(tmp_path, "two.mp4", stream=stream), code=1)
        assert says in told.stdout + told.stderr
    told = run("check", session(tmp_path, "noise.wav", stream=2), code=1)
    assert "stream 2 was asked for: it has one" in told.stdout + told.stderr


@pytest.mark.parametrize(
    "layout, count",
    [
        ("mono", 1),
        ("3.0", 3),
        ("quad", 4),
        ("4.0", 4),
        ("5.0", 5),
        ("5.1", 6),
        ("5.1(side)", 6),
        ("6.1", 7),
        ("7.1", 8),
    ],
)
def test_channels_stay_what_and_where_they_are(tmp_path, layout, count):
    samples = (np.random.default_rng(count).standard_normal((RATE, count)) * 3000).astype(np.int16)
    soundfile.write(tmp_path / "many.wav", samples, RATE, subtype="PCM_16")
    ffmpeg("-channel_layout", layout, "-i", "many.wav", "-c:a", "flac", "many.mkv", cwd=tmp_path)
    # The file's own order, as ffmpeg has it without mixing.
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", tmp_path / "many.mkv", "-f", "s16le", "-"],
        capture_output=True,
        check=True,
    ).stdout
    expected = np.frombuffer(raw, "<i2").reshape(-1, count).astype(np.float32) / 32768
    assert inspected(tmp_path / "many.mkv")["channels"] == count
    for channel in range(count):
        heard = rendered(session(tmp_path, "many.mkv", channels=[channel + 1, count - channel]))
        assert np.array_equal(heard, expected[:, [channel, count - channel - 1]]), channel


def test_a_file_that_is_replaced_while_it_waits_is_not_kept_under_the_others_name(
    noise, cache, tmp_path, monkeypatch
):
    soundfile.write(tmp_path / "loud.wav", np.full((RATE, 2), 20000, np.int16), RATE, subtype="PCM_16")
    ffmpeg("-i", "noise.wav", "-c:a", "alac", "quiet.m4a", cwd=tmp_path)
    ffmpeg("-i", "loud.wav", "-c:a", "alac", "loud.m4a", cwd=tmp_path)
    (tmp_path / "third.m4a").write_bytes((tmp_path / "quiet.m4a").read_bytes())
    monkeypatch.setenv(
        "PATH",
        wrapper(
            tmp_path / "slow",
            f'case "$*" in *pipe:1*) touch {tmp_path}/begun; while [ ! -e {tmp_path}/go ]; do sleep 0.05; '
            f'done;; esac; exec /usr/bin/ffmpeg "$@"',
        ),
    )
    check = subprocess.Popen(
        [JMIX, "check", session(tmp_path, "third.m4a")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    wait_until(lambda: (tmp_path / "begun").exists(), "it begins to be decoded")
    (tmp_path / "third.m4a").write_bytes((tmp_path / "loud.m4a").read_bytes())
    (tmp_path / "go").touch()
    assert "no problems" in check.communicate(timeout=30)[0], "as it is now"
    assert np.array_equal(
        rendered(session(tmp_path, "third.m4a")), np.full((RATE, 2), np.float32(20000 / 32768))
    )
    assert np.array_equal(rendered(session(tmp_path, "quiet.m4a")), noise)


def test_a_long_file_that_is_edited_in_place_is_decoded_anew(tmp_path):
    soundfile.write(tmp_path / "long.wav", np.zeros((20_000_000, 2), np.int16), RATE, subtype="PCM_16")
    ffmpeg("-i", "long.wav", "-c:a", "pcm_s16le", "long.mov", cwd=tmp_path)
    assert inspected(tmp_path / "long.mov")["peak"] == 0
    # Of a long file not all is looked at, but when it was changed: this lies between two pieces of 1 MiB.
    size, piece = (tmp_path / "long.mov").stat().st_size, 1 << 20
    begin, end = (size - piece) * 31 // 63 + piece + 1000, (size - piece) * 32 // 63 - 1000
    assert end - begin > 100_000
    with open(tmp_path / "long.mov", "r+b") as file:
        file.seek(begin // 4 * 4)
        file.write(b"\x00\x40" * 50_000)
    assert inspected(tmp_path / "long.mov")["peak"] == 0.5


def test_others_play_while_one_is_not_decoded_yet(mixers, jackd, noise, tmp_path, monkeypatch):
    ffmpeg("-i", "noise.wav", "-c:a", "alac", "a.m4a", cwd=tmp_path)
    path = session(tmp_path, "a.m4a")
    content = json.loads(path.read_text())
    soundfile.write(tmp_path / "steady.wav", np.full((20 * RATE, 2), 0.25, np.float32), RATE, subtype="FLOAT")
    content["tracks"].append({"name": "plain", "clips": [{"file": "steady.wav"}]})
    path.write_text(json.dumps(content))
    monkeypatch.setenv(
        "PATH",
        wrapper(
            tmp_path / "slow",
            f'case "$*" in *pipe:1*) while [ ! -e {tmp_path}/go ]; do sleep 0.05; done;; esac; exec '
            f'/usr/bin/ffmpeg "$@"',
        ),
    )
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("status")["seconds"] > 1, "it plays")
        mixer.ctl("locate", "2s")
        wait_until(lambda: mixer.json("status")["seconds"] > 2.5, "it plays from there")
        assert mixer.json("status")["decoding"]
        (tmp_path / "go").touch()
        wait_until(lambda: mixer.json("status")["decoding"] == [], "it is decoded")
        mixer.ctl("locate", "0s")
        wait_until(lambda: 0.5 < mixer.json("status")["seconds"] < 2, "it plays from the beginning")
        mixer.ctl("stop")
        heard = capture.end()
    assert (heard[:, 0] == 0.25).sum() > RATE, "one alone"
    assert len(np.unique(heard[:, 0])) > 10_000, "both"


def test_what_cannot_be_decoded_is_said_once_and_not_tried_all_the_time(
    mixers, jackd, noise, tmp_path, monkeypatch
):
    ffmpeg("-i", "noise.wav", "-c:a", "alac", "-movflags", "+faststart", "dead.m4a", cwd=tmp_path)
    data = bytearray((tmp_path / "dead.m4a").read_bytes())
    start = data.index(b"mdat") + 4
    data[start:] = b"\xff" * (len(data) - start)
    (tmp_path / "dead.m4a").write_bytes(data)
    path = session(tmp_path, "dead.m4a")
    told = run("check", path, code=1)
    assert "dead.m4a" in told.stdout + told.stderr
    monkeypatch.setenv(
        "PATH",
        wrapper(
            tmp_path / "counting",
            f'case "$*" in *pipe:1*) echo run >> {tmp_path}/runs;; esac; exec /usr/bin/ffmpeg "$@"',
        ),
    )
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    mixer.ctl("play")
    wait_until(lambda: mixer.json("status")["decoding"] == [], "it has been tried")
    # Three rounds of who watches the files.
    wait_until(lambda: "dead.m4a" in mixer.log, "it is said")
    mixer.ctl("locate", "1s")
    with pytest.raises(AssertionError):
        wait_until(lambda: len((tmp_path / "runs").read_text().split()) > 1, "it is tried again", 4)
    assert "is decoded" not in mixer.log


def test_lengths_that_are_guesses_are_no_fault(noise, tmp_path):
    silence = np.concatenate([np.zeros((20 * RATE, 2), np.int16), (noise * 32768).astype(np.int16)])
    soundfile.write(tmp_path / "late.wav", silence, RATE, subtype="PCM_16")
    ffmpeg("-i", "late.wav", "-c:a", "aac", "-b:a", "64k", "late.aac", cwd=tmp_path)
    report = inspected(tmp_path / "late.aac")
    assert report["fault"] is None and abs(report["frames"] - len(silence)) < 4096
    run("check", session(tmp_path, "late.aac"))


def test_a_damaged_middle_does_not_lose_the_end(tmp_path):
    ffmpeg("-f", "lavfi", "-i", "sine=d=900:r=48000", "-c:a", "ac3", "a.ac3", cwd=tmp_path)
    data = bytearray((tmp_path / "a.ac3").read_bytes())
    dice = random.Random(3)
    for place in range(1000, len(data) // 2, 300):
        data[place] ^= dice.randrange(1, 256)
    (tmp_path / "a.ac3").write_bytes(data)
    report = inspected(tmp_path / "a.ac3")
    assert report["fault"] is None and report["frames"] > 0.95 * 900 * RATE


@pytest.mark.parametrize("kind", ["mp3", "ogg", "flac"])
def test_whatever_is_damaged_the_rest_is_played(mixers, jackd, noise, tmp_path, kind):
    """Also where a file fails in the midst of a piece, and in freewheel, where no time passes."""
    data = np.tile(noise, (6, 1))[: 12 * RATE]
    soundfile.write(tmp_path / f"whole.{kind}", data, RATE)
    soundfile.write(tmp_path / "late.wav", data[:RATE], RATE, subtype="FLOAT")
    whole = (tmp_path / f"whole.{kind}").read_bytes()
    dice = random.Random(11)
    mixer = mixers("--server", jackd.name, "--no-connect", session(tmp_path, "late.wav"))
    for number in range(6):
        damaged = bytearray(whole)
        place, length = dice.randrange(len(whole) // 4, len(whole) // 2), dice.choice([200, 2000, 6000])
        damaged[place : place + length] = dice.randbytes(length)
        if number % 3 == 2:
            del damaged[place:]
        (tmp_path / f"{number}.{kind}").write_bytes(damaged)
        track = {
            "name": "a",
            "clips": [{"file": f"{number}.{kind}"}, {"file": "late.wav", "at": "13s"}],
        }
        (tmp_path / "next.json").write_text(json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": [track]}))
        if not mixer.takes("load", str(tmp_path / "next.json")):
            continue
        with Capture(jackd) as capture:
            capture.client.set_freewheel(True)
            mixer.ctl("play")
            wait_until(lambda: mixer.json("position")["seconds"] > 15, f"the end is reached, {number}", 60)
            capture.client.set_freewheel(False)
            frames = capture.end()
        mixer.ctl("stop")
        mixer.ctl("locate", "0s")
        sounding = np.flatnonzero(frames.any(axis=1))
        last = frames[sounding[-1] - RATE + 1 : sounding[-1] + 1]
        assert np.array_equal(last[1000:], data[1000:RATE].astype(np.float32)), number
    assert mixer.end() == 0


def test_a_clock_on_a_wall_is_no_silence(noise, cache, tmp_path):
    ffmpeg("-i", "noise.wav", "-c:a", "flac", "-output_ts_offset", 1_600_000_000, "wall.mkv", cwd=tmp_path)
    assert np.array_equal(rendered(session(tmp_path, "wall.mkv")), noise)


def test_no_descriptor_is_closed_that_is_anothers(noise, tmp_path, tmp_path_factory):
    ffmpeg("-i", "noise.wav", "-c:a", "aac", "a.m4a", cwd=tmp_path)
    library = interposer("closes", tmp_path_factory.mktemp("interposer"))
    run(
        "inspect",
        tmp_path / "a.m4a",
        tmp_path / "noise.wav",
        env=os.environ | {"LD_PRELOAD": str(library), "CLOSES": str(tmp_path / "closes")},
    )
    assert not (tmp_path / "closes").exists(), (tmp_path / "closes").read_text()
