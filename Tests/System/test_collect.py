"""new, collect, missing, relink: sessions whole in one folder, and files that have moved."""

import json
import os
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, Terminal, run, steady, wait_until


@pytest.fixture
def scattered(tmp_path):
    """A session whose files lie all over the place, two of them under one name."""
    for folder, level in (("takes", 0.125), ("library", 0.25), ("home", 0.5)):
        (tmp_path / folder).mkdir()
        soundfile.write(tmp_path / folder / "music.wav", steady(RATE, level, level), RATE)
    path = tmp_path / "home" / "show.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 1,
                "custom": [1, 2],
                "tracks": [
                    {
                        "name": "a",
                        "clips": [{"file": "music.wav"}, {"file": "../takes/music.wav", "at": "2s"}],
                    },
                    {
                        "name": "b",
                        "clips": [
                            {"file": str(tmp_path / "library/music.wav"), "at": "4s"},
                            {"file": "music.wav", "at": "6s"},
                        ],
                    },
                ],
            }
        )
    )
    return path


def test_a_collected_session_is_whole_wherever_it_goes(scattered, tmp_path):
    done = subprocess.run([JMIX, "collect", scattered, tmp_path / "stick"], capture_output=True, text=True)
    assert done.returncode == 0 and "the session and 3 files" in done.stdout, done.stderr
    assert sorted(os.listdir(tmp_path / "stick")) == ["music-2.wav", "music-3.wav", "music.wav", "show.json"]
    subprocess.run([JMIX, "render", scattered, tmp_path / "before.wav"], check=True, capture_output=True)
    (tmp_path / "stick").rename(tmp_path / "elsewhere")
    for folder in ("takes", "library", "home"):
        (tmp_path / folder / "music.wav").unlink()
    subprocess.run(
        [JMIX, "render", tmp_path / "elsewhere/show.json", tmp_path / "after.wav"],
        check=True,
        capture_output=True,
    )
    assert np.array_equal(
        soundfile.read(tmp_path / "before.wav")[0], soundfile.read(tmp_path / "after.wav")[0]
    )
    assert json.loads((tmp_path / "elsewhere/show.json").read_text())["custom"] == [1, 2]
    again = subprocess.run(
        [JMIX, "collect", tmp_path / "elsewhere/show.json", tmp_path / "elsewhere"],
        capture_output=True,
        text=True,
    )
    assert again.returncode == 1 and "not empty" in again.stderr
    lost = subprocess.run([JMIX, "collect", scattered, tmp_path / "other"], capture_output=True, text=True)
    assert (
        lost.returncode == 1 and "there is no such file" in lost.stderr and not (tmp_path / "other").exists()
    )


def test_the_mixer_collects_what_it_plays(scattered, mixers, jackd, tmp_path):
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        "--media",
        tmp_path / "library",
        "--media",
        tmp_path / "takes",
        scattered,
    )
    mixer.ctl("volume", "a", 0.25)
    assert "3 files" in mixer.ctl("collect", tmp_path / "home" / "tour")
    assert json.loads((tmp_path / "home/tour/show.json").read_text())["tracks"][0]["fader"] == 0.25
    assert "outside" in mixer.ctl("collect", tmp_path / "tour", code=1)
    assert "not empty" in mixer.ctl("collect", "tour", code=1, cwd=tmp_path / "home")
    peer = mixer.osc()
    assert peer.ask("/session/collect")[0][1][0] == "done"
    for name in ("..", "/", "", "a/b/c"):
        assert peer.ask("/session/collect", name)[0][0] == "/error"


def test_a_new_session_can_be_saved_and_taken_back(scattered, mixers, jackd, tmp_path):
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        "--media",
        tmp_path / "library",
        "--media",
        tmp_path / "takes",
        "--play",
        scattered,
    )
    mixer.ctl("new")
    assert mixer.json("tracks") == [] and mixer.json("status")["session"] is None
    assert "no name yet" in mixer.ctl("save", code=1)
    mixer.ctl("add", "music.wav")
    mixer.ctl("save", "fresh")
    assert json.loads((tmp_path / "home/fresh.json").read_text())["tracks"][0]["clips"] == [
        {"file": "music.wav", "at": "0s"}
    ]
    assert mixer.ctl("undo").strip() == "add music"
    assert mixer.ctl("undo").strip() == "new session"
    assert (
        len(mixer.json("tracks")) == 2
        and mixer.json("status")["session"].endswith("show.json")
        and mixer.json("status")["state"] == "rolling"
    )


def test_missing_files_are_found_by_name_and_never_taken_silently(scattered, mixers, jackd, tmp_path):
    (tmp_path / "home/music.wav").rename(tmp_path / "library/deep.wav")
    deeper = tmp_path / "library/a/b"
    deeper.mkdir(parents=True)
    (tmp_path / "library/deep.wav").rename(deeper / "music.wav")
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        "--media",
        tmp_path / "library",
        "--media",
        tmp_path / "takes",
        scattered,
    )
    (missing,) = mixer.json("missing")
    assert missing["file"] == "music.wav"
    assert set(missing["found"]) == {
        str(tmp_path / "library/music.wav"),
        str(deeper / "music.wav"),
        str(tmp_path / "takes/music.wav"),
    }
    assert f"found: {deeper}/music.wav" in mixer.ctl("missing")
    assert [clip["file"] for clip in mixer.json("clips", "a")] == ["music.wav", "../takes/music.wav"]
    mixer.ctl("relink", "music.wav", deeper / "music.wav")
    assert [clip["file"] for clip in mixer.json("clips", "a")] == [
        str(deeper / "music.wav"),
        "../takes/music.wav",
    ]
    assert mixer.json("missing") == []
    assert "no clip plays" in mixer.ctl("relink", "music.wav", deeper / "music.wav", code=1)
    soundfile.write(deeper / "short.wav", steady(100, 0.5, 0.5), RATE)
    mixer.ctl("insert", "b", deeper / "music.wav", "20s", "--from", "0.5s", "--duration", "0.5s")
    assert "beyond the end of the file" in mixer.ctl(
        "relink", deeper / "music.wav", deeper / "short.wav", code=1
    )
    assert [clip["file"] for clip in mixer.json("clips", "b")][-1] == str(deeper / "music.wav")


def test_a_file_that_goes_while_its_session_is_open_is_missing(mixers, jackd, make_session, tmp_path):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session())
    assert mixer.json("missing") == []
    (tmp_path / "voice.wav").rename(tmp_path / "gone.wav")
    assert [missing["file"] for missing in mixer.json("missing")] == ["voice.wav"]
    (tmp_path / "gone.wav").rename(tmp_path / "voice.wav")
    assert mixer.json("missing") == []


def test_names_may_be_as_long_as_they_can(make_session, tmp_path):
    path = make_session({"short": steady(100, 0.5, 0.5)})
    (tmp_path / "short.wav").rename(tmp_path / ("n" * 251 + ".wav"))
    path.write_text(path.read_text().replace("short.wav", "n" * 251 + ".wav"))
    run("collect", path, tmp_path / "copy")
    assert [file.name for file in (tmp_path / "copy").rglob("n*.wav")] == ["n" * 251 + ".wav"]
    run("render", path, tmp_path / ("m" * 251 + ".wav"))
    run("render", path, tmp_path / ("\u00e9" * 125 + ".wav"))


def test_a_terminal_is_asked_for_each_missing_file(scattered, jackd, tmp_path):
    (tmp_path / "home/music.wav").unlink()
    words = [
        JMIX,
        "run",
        "--server",
        jackd.name,
        "--no-connect",
        "--osc-port",
        "0",
        "--media",
        tmp_path / "library",
        scattered,
    ]
    for answer, expected in (("y\n", str(tmp_path / "library/music.wav")), ("n\n", "music.wav")):
        terminal = Terminal(words)
        terminal.wait_for("Use it? [y/N]")
        terminal.type(answer)
        terminal.wait_for("OSC on 127.0.0.1 port")
        mixer = terminal.mixer()
        assert mixer.json("clips", "b")[1]["file"] == expected
        assert mixer.json("status")["unsaved"] is (expected != "music.wav")
        terminal.end()
        for journal in (tmp_path / "home").glob(".*.journal"):
            journal.unlink()


def test_two_names_of_one_look_are_two_files(tmp_path):
    """A letter with its accent as one sign and as two: to the system these are two files, of which each is
    heard and kept."""
    names = ["caf\u00e9.wav", "cafe\u0301.wav"]
    for name, level in zip(names, (0.25, 0.125)):
        soundfile.write(tmp_path / name, steady(RATE, level, level), RATE, subtype="FLOAT")
    (tmp_path / "s.json").write_text(
        json.dumps(
            {
                "jmix": 1,
                "sampleRate": RATE,
                "tracks": [
                    {"name": f"t{n}", "clips": [{"file": name, "at": f"{n}s"}]}
                    for n, name in enumerate(names)
                ],
            }
        )
    )
    subprocess.run([JMIX, "collect", tmp_path / "s.json", tmp_path / "copy"], check=True, capture_output=True)
    for path in (tmp_path / "s.json", tmp_path / "copy/s.json"):
        subprocess.run(
            [JMIX, "render", path, tmp_path / "mix.wav", "--force"], check=True, capture_output=True
        )
        mix = soundfile.read(tmp_path / "mix.wav")[0]
        assert np.all(mix[:RATE] == 0.25) and np.all(mix[RATE:] == 0.125), path
    assert len(os.listdir(tmp_path / "copy")) == 3
