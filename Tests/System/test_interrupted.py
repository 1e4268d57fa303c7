"""What is given up in the middle, or finds its name taken, leaves what was there and nothing else."""

import json
import os
import shutil
import signal
import stat
import subprocess
import time

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, run, steady, wait_until

SECONDS = 120


@pytest.fixture
def show(tmp_path):
    """Long enough to be interrupted, and played backwards, so that others need it made anew."""
    soundfile.write(tmp_path / "long.wav", steady(SECONDS * RATE, 0.25, 0.25), RATE, subtype="FLOAT")
    clip = {"file": "long.wav", "reverse": True}
    (tmp_path / "show.json").write_text(
        json.dumps(
            {
                "jmix": 1,
                "sampleRate": RATE,
                "tracks": [{"name": f"t{n}", "clips": [{**clip, "at": f"{n}s"}]} for n in range(3)],
            }
        )
    )
    return tmp_path


def everything(folder):
    return sorted(
        os.path.relpath(os.path.join(base, name), folder)
        for base, folders, names in os.walk(folder)
        for name in folders + names
    )


def interrupted(folder, *words):
    """Interrupts a command once it has written something."""
    before = everything(folder)
    process = subprocess.Popen(
        [JMIX, *map(str, words)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: everything(folder) != before or process.poll() is not None, "it writes")
    assert process.poll() is None, "it takes its time"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130 and "nothing is left of it" in said
    assert everything(folder) == before


@pytest.mark.parametrize("kind", ["ardour", "mlt", "dawproject"])
def test_an_export_that_is_interrupted_leaves_nothing_and_can_be_done_again(show, kind):
    interrupted(show, "export", "show.json", f"out.{kind}")
    run("export", show / "show.json", show / f"out.{kind}")
    before = everything(show)
    # What an earlier one has made stays where a later one is given up.
    process = subprocess.Popen(
        [JMIX, "export", "show.json", f"out.{kind}", "--force"], cwd=show, stderr=subprocess.DEVNULL
    )
    time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    process.wait(20)
    assert everything(show) == before


def test_a_collection_that_is_interrupted_can_be_done_again(show):
    for number in range(8):
        soundfile.write(show / f"{number}.wav", steady(30 * RATE, 0.1, 0.1), RATE, subtype="FLOAT")
    session = json.loads((show / "show.json").read_text())
    session["tracks"] = [{"name": f"track{n}", "clips": [{"file": f"{n}.wav"}]} for n in range(8)]
    (show / "show.json").write_text(json.dumps(session))
    interrupted(show, "collect", "show.json", "copy")
    run("collect", show / "show.json", show / "copy")
    # The folder's only session is meant by the folder.
    assert "no problems" in run("check", show / "copy").stdout


def test_a_collection_that_is_interrupted_as_it_makes_its_folder_leaves_none(show):
    codes = []
    for _ in range(20):
        process = subprocess.Popen(
            [JMIX, "collect", "show.json", "copy"], cwd=show, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        # Without a pause: what matters is the first moment in which the folder is there.
        bound = time.monotonic() + 20
        while not (show / "copy").exists():
            assert time.monotonic() < bound, "the folder is made"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        # It may be done by the time that the signal comes.
        assert process.returncode in (130, 0), said
        assert (show / "copy").exists() == (process.returncode == 0)
        shutil.rmtree(show / "copy", ignore_errors=True)
        codes.append(process.returncode)
    assert 130 in codes, "twenty copies were faster than the signal"


def test_stems_that_are_interrupted_leave_no_folder(show):
    interrupted(show, "render", "show.json", "mix.wav", "--stems", "new/stems")


def test_a_mix_is_no_stem_by_whatever_links(show):
    (show / "stems").mkdir()
    (show / "link").symlink_to("stems")
    words = ("render", show / "show.json", show / "link" / "t0.wav", "--stems", show / "stems")
    assert "is the mix's name and a stem's" in run(*words, code=1).stderr
    assert everything(show / "stems") == []


def test_folders_that_were_asked_for_let_in_whom_the_umask_lets(tmp_path):
    soundfile.write(tmp_path / "a.wav", steady(RATE, 0.25, 0.25), RATE)
    run("new", tmp_path / "s", tmp_path / "a.wav")
    before = os.umask(0o022)
    try:
        run("render", tmp_path / "s.json", "--stems", tmp_path / "deep" / "stems")
    finally:
        os.umask(before)
    for folder in ("deep", "deep/stems"):
        assert stat.S_IMODE(os.stat(tmp_path / folder).st_mode) == 0o755


def test_of_two_renders_to_one_free_name_one_gets_it(show):
    """The other is told, and leaves what is there."""
    processes = [
        subprocess.Popen(
            [JMIX, "render", "show.json", "mix.wav", "--from", f"{n}s", "--to", f"{20 + n}s", "--json"],
            cwd=show,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(2)
    ]
    outcomes = [(process.communicate(timeout=60), process.returncode) for process in processes]
    codes = sorted(code for _, code in outcomes)
    assert codes == [0, 1], outcomes
    assert any(
        "there is such a file by now" in said or "exists already" in said for (_, said), code in outcomes
    )
    assert soundfile.info(show / "mix.wav").frames == 20 * RATE


def test_without_ffmpeg_it_is_said_that_it_was_to_write(show, monkeypatch):
    monkeypatch.setenv("PATH", str(show))
    said = run("render", show / "show.json", show / "mix.m4a", code=1).stderr
    assert "ffmpeg, which writes such files, is not installed" in said


def test_a_session_that_a_changed_file_has_made_overlap_can_be_mended(tmp_path):
    soundfile.write(tmp_path / "a.wav", steady(RATE, 0.25, 0.25), RATE)
    run("new", tmp_path / "s", tmp_path / "a.wav")
    run("edit", tmp_path / "s.json", "append", 1, tmp_path / "a.wav")
    soundfile.write(tmp_path / "a.wav", steady(2 * RATE, 0.25, 0.25), RATE)
    assert "overlaps" in run("check", tmp_path / "s.json", code=1).stdout
    run("edit", tmp_path / "s.json", "move", 1, 2, "2s")
    assert "no problems" in run("check", tmp_path / "s.json").stdout
    assert np.abs(soundfile.read(tmp_path / "a.wav")[0]).max() > 0
