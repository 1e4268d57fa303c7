"""Scenes keep what strips' sound goes through, recall it at once or as a fade, and leave alone what they do
not know."""

import json

import numpy as np
import soundfile
from conftest import RATE, Capture, run, wait_until
from test_live import heard


def session(tmp_path):
    soundfile.write(tmp_path / "tone.wav", np.full((30 * RATE, 2), 0.25, np.float32), RATE, subtype="FLOAT")
    (tmp_path / "s.json").write_text(
        json.dumps(
            {
                "jmix": 1,
                "tracks": [{"name": name, "clips": [{"file": "tone.wav"}]} for name in ("voice", "music")],
                "buses": [{"name": "band"}],
            }
        )
    )
    return tmp_path / "s.json"


def edit(path, *lines):
    for line in lines:
        run("edit", path, *line.split())
    return json.loads(path.read_text())


def test_a_scene_keeps_processors_and_a_file_keeps_them(tmp_path):
    path = session(tmp_path)
    before = edit(path, "scene store plain")
    assert "processors" not in before["scenes"][0]["tracks"][0]
    saved = edit(
        path,
        "comp voice -20 3 --key music",
        "eq voice hp 80",
        "gate band -40",
        "limit master -1",
        "delay music 12ms",
        "scene store rich",
    )
    rich = saved["scenes"][1]
    assert rich["tracks"][0]["processors"] == {"eq": {"hp": 80}, "comp": {"threshold": -20}} and rich[
        "tracks"
    ][1]["processors"] == {"delay": "0.012s"}
    assert rich["buses"][0]["processors"] == {"gate": {"threshold": -40}} and rich["master"][
        "processors"
    ] == {"limit": -1}
    edit(
        path,
        "comp voice -10 8",
        "eq voice clear",
        "gate band clear",
        "limit master clear",
        "delay music off",
        "scene recall rich --only volume",
    )
    now = edit(path, "scene recall plain")
    assert "eq" not in now["tracks"][0] and now["tracks"][0]["comp"] == {
        "threshold": -10,
        "ratio": 8,
        "key": "music",
    }, "what a scene does not know stays"
    now = edit(path, "scene recall rich")
    assert now["tracks"][0]["comp"] == {"threshold": -20, "key": "music"} and now["tracks"][0]["eq"] == {
        "hp": 80
    }
    assert (
        now["buses"][0]["gate"] == {"threshold": -40}
        and now["master"]["limit"] == -1
        and now["tracks"][1]["delay"] == "0.012s"
    )
    run("check", path)


def test_faults_in_a_scene_are_named_by_their_place(tmp_path):
    path = session(tmp_path)
    kept = edit(path, "gate band -40", "scene store rich")
    kept["scenes"][0]["tracks"][0]["processors"] = {"comp": {"ratio": 0}}
    path.write_text(json.dumps(kept))
    done = run("check", path, code=1)
    assert "processors, comp, ratio" in done.stdout + done.stderr


def test_it_is_recalled_as_a_fade_and_what_is_late_stays_together(mixers, jackd, tmp_path):
    path = session(tmp_path)
    edit(
        path,
        "mute music on",
        "limit voice -20",
        "limit voice off",
        "comp voice -30 4",
        "comp voice off",
        "scene store open",
        "comp voice -30 4",
        "comp voice --knee 0",
        "limit voice -1",
        "scene store low",
        "scene recall open",
    )
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    mixer.ctl("play")
    with Capture(jackd) as capture:
        wait_until(lambda: mixer.json("position")["seconds"] > 0.5, "it plays")
        assert mixer.json("status")["latency"] == 0
        mixer.ctl("scene", "recall", "low", "1s")
        wait_until(lambda: mixer.json("status")["latency"] == 152, "the limiter is told")
        wait_until(lambda: mixer.json("position")["seconds"] > 2.5, "it is there")
        frames = heard(capture.end())[:, 0]
    # What is above -30 dB comes out by 4 less.
    low = 0.25 * 10 ** (-(30 + 20 * np.log10(0.25)) * 0.75 / 20)
    assert abs(frames[-100:].mean() - low) < 1e-4 and abs(frames[1000] - 0.25) < 1e-6
    falling = np.flatnonzero((frames < 0.249) & (frames > low * 1.01))
    assert 0.5 * RATE < falling[-1] - falling[0] < 1.2 * RATE
    assert np.abs(np.diff(frames)).max() < 0.002, "nothing clicks"
    mixer.ctl("undo")
    wait_until(lambda: mixer.json("status")["latency"] == 0, "the limiter is gone again")
