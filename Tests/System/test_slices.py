"""A render in slices on several cores, in parts, from any place: the same samples, whatever files the session
plays."""

import json
import os
import random
import shutil
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import RATE, run

SECONDS = 20


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    os.environ["XDG_CACHE_HOME"], before = (
        str(tmp_path_factory.mktemp("cache")),
        os.environ.get("XDG_CACHE_HOME"),
    )
    yield
    os.environ.pop("XDG_CACHE_HOME")
    if before:
        os.environ["XDG_CACHE_HOME"] = before


@pytest.fixture(scope="module")
def show(tmp_path_factory):
    """A session with all that a frame may depend on, of files of all kinds."""
    folder = tmp_path_factory.mktemp("show")
    rng = np.random.default_rng(5)
    t = np.arange(SECONDS * RATE) / RATE
    sound = np.stack(
        [
            0.2 * np.sin(2 * np.pi * (200 + 40 * t) * t) + 0.05 * rng.standard_normal(len(t)),
            0.1 * rng.standard_normal(len(t)) * (np.sin(3 * t) > 0),
        ],
        1,
    ).astype(np.float32)
    soundfile.write(folder / "a.wav", sound, RATE, subtype="PCM_24")
    for name, words in {
        "a.flac": [],
        "cbr.mp3": ["-b:a", "96k"],
        "vbr.mp3": ["-q:a", "9"],
        "low.opus": ["-c:a", "libopus", "-b:a", "24k"],
        "a.ogg": ["-c:a", "libvorbis", "-q:a", "1"],
        "a.m4a": ["-c:a", "aac"],
        "b.wav": ["-ar", "44100"],
        "b.mp3": ["-ar", "22050", "-q:a", "8"],
        "mono.mp3": ["-ac", "1", "-q:a", "4"],
        "mono44.mp3": ["-ac", "1", "-ar", "44100", "-b:a", "96k"],
        "mono.opus": ["-ac", "1", "-c:a", "libopus"],
    }.items():
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", "a.wav", *words, name], cwd=folder, check=True, timeout=120
        )
    # Its last page is cut short by the encoder.
    with soundfile.SoundFile(folder / "cut.ogg", "w", RATE, 2, format="OGG", subtype="VORBIS") as file:
        for start in range(0, 200_000, 8192):
            file.write(sound[start : min(start + 8192, 200_000)])
    files = [
        "a.wav",
        "a.flac",
        "cbr.mp3",
        "vbr.mp3",
        "low.opus",
        "a.ogg",
        "a.m4a",
        "b.wav",
        "b.mp3",
        "cut.ogg",
        "mono.mp3",
        "mono44.mp3",
        "mono.opus",
    ]
    tracks = [
        {
            "name": file,
            "clips": [{"file": file, "at": f"{n * 997}f"}],
            "fader": 0.3,
            "pan": -0.6 + n / 12,
            "sends": [{"to": "echo", "volume": 0.2, "pre": n % 2 == 0}],
            "automation": [
                {"volume": 0.9, "at": "1s"},
                {
                    "ramp": [0.9, 0.4],
                    "from": "3.3s",
                    "to": "17.1s",
                    "curve": ["linear", "scurve", "exponential"][n % 3],
                },
            ],
            "fadeIn": "2s",
            "fadeOut": "3s",
        }
        for n, file in enumerate(files)
    ]
    tracks.append(
        {
            "name": "edited",
            "clips": [
                {"file": "vbr.mp3", "at": "0s", "from": "2s", "duration": "6s", "reverse": True, "gain": 0.5},
                {"file": "a.ogg", "at": "5s", "duration": "7s", "crossfade": "1s"},
                {"file": "cut.ogg", "at": "12s", "reverse": True, "speed": 0.8},
                {"file": "low.opus", "at": "18s", "duration": "3s", "speed": 2, "tape": True},
            ],
        }
    )
    path = folder / "session.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 2,
                "sampleRate": RATE,
                "tracks": tracks,
                "buses": [{"name": "echo", "fader": 0.5, "pan": 0.3}],
                "dcas": [{"name": "all", "members": ["a.wav", "a.flac"], "volume": 0.7}],
                "ducks": [
                    {"track": "a.wav", "under": "edited", "to": 0.3},
                    {"track": "echo", "under": "cut.ogg", "to": 0.5},
                ],
                "markers": [{"name": "half", "at": "10s"}],
            }
        )
    )
    return path


def mixed(show, *words, name="mix.wav"):
    out = show.parent / name
    run("render", show, out, "--force", *words, timeout=120)
    return soundfile.read(out, dtype="float32", always_2d=True)[0]


@pytest.fixture(scope="module")
def whole(show):
    mix = mixed(show, "--jobs", 1)
    assert np.abs(mix).max() > 0.05
    return mix


@pytest.mark.parametrize("jobs", [2, 3, 5, 14])
def test_slices_join_bit_for_bit(show, whole, jobs):
    assert np.array_equal(mixed(show, "--jobs", jobs), whole)


def test_from_any_place_it_is_the_same(show, whole):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    rng = random.Random(seed)
    for _ in range(12):
        start = rng.choice(
            [
                rng.randrange(len(whole) - 100),
                len(whole) - rng.randrange(100, 30_000),
                200_000 + 9 * 997 - rng.randrange(30_000),
            ]
        )
        end = min(len(whole), start + rng.randrange(50, 200_000))
        part = mixed(show, "--from", f"{start}f", "--to", f"{end}f")
        assert np.array_equal(part, whole[start:end]), (
            f"from frame {start}: off by {np.abs(part - whole[start:end]).max()}"
        )


def test_files_that_remember_what_they_decoded_before(tmp_path, show):
    """Each alone, at places near its end above all, against reading it from the beginning."""
    rng = random.Random(3)
    for file in ("vbr.mp3", "cbr.mp3", "low.opus", "a.ogg", "cut.ogg", "a.flac", "mono.mp3", "mono.opus"):
        path = tmp_path / "one.json"
        path.write_text(
            json.dumps(
                {
                    "jmix": 1,
                    "sampleRate": RATE,
                    "tracks": [{"name": "a", "clips": [{"file": str(show.parent / file)}]}],
                }
            )
        )
        sound = mixed(path, "--jobs", 1)
        for start in [len(sound) - rng.randrange(1, 40_000) for _ in range(8)] + [
            rng.randrange(len(sound)) for _ in range(8)
        ]:
            part = mixed(path, "--from", f"{start}f")[:4000]
            assert np.array_equal(part, sound[start : start + 4000]), (file, len(sound) - start)
        path.write_text(path.read_text().replace('"file"', '"reverse": true, "file"'))
        assert np.array_equal(mixed(path), sound[::-1]), file


def test_parts_join_to_the_whole(show, whole, tmp_path):
    parts = [tmp_path / f"part-{n}.wav" for n in range(1, 6)]
    for n, part in enumerate(parts, 1):
        run("render", show, part, "--part", f"{n}/5", timeout=120)
    shuffled = parts[::-1]
    run("join", tmp_path / "out.wav", *shuffled)
    assert np.array_equal(soundfile.read(tmp_path / "out.wav", dtype="float32")[0], whole)
    # What is done to a mix as a whole is done then.
    run("render", show, tmp_path / "loud.flac", "--loudness", "-20", "--limit", "-2dB", timeout=120)
    run("join", tmp_path / "joined.flac", *parts, "--loudness", "-20", "--limit", "-2dB", timeout=120)
    assert np.array_equal(
        soundfile.read(tmp_path / "joined.flac")[0], soundfile.read(tmp_path / "loud.flac")[0]
    )
    # Refused, with the reason.
    assert "part 3 of 5 is missing" in run("join", tmp_path / "x.wav", *parts[:2], *parts[3:], code=1).stderr
    assert (
        "are both part 1/5"
        in run(
            "join", tmp_path / "x.wav", *parts, shutil.copy(parts[0], tmp_path / "again.wav"), code=1
        ).stderr
    )
    assert (
        "does not say of which mix"
        in run("join", tmp_path / "x.wav", *parts, tmp_path / "out.wav", code=1).stderr
    )
    assert "no such file" in run("join", tmp_path / "x.wav", *parts, tmp_path / "none.wav", code=1).stderr
    assert (
        "another mix"
        in run("join", tmp_path / "x.wav", *parts[:4], other_part(show, tmp_path), code=1).stderr
    )
    assert "choose another name" in run("join", parts[2], *parts, "--force", code=1).stderr
    os.truncate(parts[1], os.path.getsize(parts[1]) // 2)
    assert "part-2.wav" in run("join", tmp_path / "x.wav", *parts, code=1).stderr
    assert not (tmp_path / "x.wav").exists()


def other_part(show, folder):
    """Of the same show after an edit."""
    content = json.loads(show.read_text())
    content["tracks"][0]["fader"] = 0.5
    edited = show.parent / "edited.json"
    edited.write_text(json.dumps(content))
    run("render", edited, folder / "other.wav", "--part", "5/5", timeout=120)
    return folder / "other.wav"


def test_what_a_part_cannot_be(show, tmp_path):
    for words in (
        ["--part", "0/3"],
        ["--part", "4/3"],
        ["--part", "a/b"],
        ["--part", "3"],
        ["--part", "1/0"],
        ["--part", "1/2", "--loudness", "-23"],
        ["--part", "1/2", "--format", "pcm16"],
        ["--part", "1/2", "--stems", str(tmp_path / "stems")],
        ["--jobs", "0"],
        ["--jobs", "5000"],
    ):
        run("render", show, tmp_path / "x.wav", *words, code=2)
    run("render", show, tmp_path / "x.flac", "--part", "1/2", code=2)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["a", "ab", "abc", "half", "a name, longer", "über"])
def test_a_wav_with_a_chapter_of_any_name_can_be_read(tmp_path, name):
    soundfile.write(tmp_path / "a.wav", np.full((1000, 2), 0.25, np.float32), RATE, subtype="FLOAT")
    for markers in ([name], [name, "x" + name, name + "yy"]):
        path = tmp_path / "session.json"
        path.write_text(
            json.dumps(
                {
                    "jmix": 1,
                    "sampleRate": RATE,
                    "tracks": [{"name": "a", "clips": [{"file": "a.wav"}]}],
                    "markers": [{"name": text, "at": f"{10 * n}f"} for n, text in enumerate(markers)],
                }
            )
        )
        assert np.array_equal(mixed(path), np.full((1000, 2), 0.25, np.float32))
        told = json.loads(
            subprocess.run(
                ["ffprobe", "-v", "error", "-show_chapters", "-of", "json", tmp_path / "mix.wav"],
                capture_output=True,
                check=True,
            ).stdout
        )
        assert [chapter["tags"]["title"] for chapter in told["chapters"]] == markers
