"""Edits that move what lies behind: a cut through the whole timeline, pauses that close up, room behind a
crossfade."""

import json
from fractions import Fraction

import numpy as np
import pytest
from conftest import RATE, rendered, run, seconds_of, steady


def edit(session, *words, code=0):
    return run("edit", session, *words, code=code)


def clips(session, number):
    return [
        (seconds_of(clip.get("at", "0s")), clip["file"])
        for clip in json.loads(session.read_text())["tracks"][number]["clips"]
    ]


@pytest.fixture
def show(make_session):
    """Two tracks of which every frame says where it was."""
    ramp = np.arange(1, 6 * RATE + 1, dtype=np.float32) / 2**20
    session = make_session({"one": np.stack([ramp, ramp], 1), "two": steady(6 * RATE, 0.25, 0.25)})
    for words in (
        ("ramp", "two", 0, 1, "1s", "5s"),
        ("volume", "master", 0.5, "2.5s"),
        ("marker", "add", "news", "2.5s"),
        ("marker", "add", "music", "4s"),
    ):
        edit(session, *words)
    return session


def test_a_cut_of_all_tracks_takes_automation_and_markers_along(show):
    before = rendered(show)
    edit(show, "remove-range", "*", "2s", "3s", "--all")
    assert np.allclose(rendered(show), np.concatenate([before[: 2 * RATE], before[3 * RATE :]]), atol=1e-7)
    document = json.loads(show.read_text())
    assert [(m["name"], m["at"]) for m in document["markers"]] == [("music", "3s")]


def test_automation_can_stay(show):
    before = json.loads(show.read_text())
    edit(show, "remove-range", "*", "2s", "3s", "--all", "--keep-automation")
    after = json.loads(show.read_text())
    assert after["markers"] == before["markers"] and after["master"] == before["master"]
    assert after["tracks"][1]["automation"] == before["tracks"][1]["automation"]
    # Of one track, and with a gap, nothing else moves.
    edit(show, "remove-range", "one", "1s", "2s")
    edit(show, "remove-range", "*", "1s", "2s", "--all", "--gap")
    assert json.loads(show.read_text())["markers"] == before["markers"]


def test_a_movie_comes_along_where_its_picture_begins_behind(show):
    def place(video, start, end):
        """Where the movie's time 0 lies after a cut, and what was said."""
        document = json.loads(show.read_text())
        document["video"] = {"file": "film.mp4", **video}
        show.write_text(json.dumps(document))
        edit(show, "remove-range", "*", start, end, "--all", "--keep-automation", "--gap")
        assert json.loads(show.read_text())["video"] == document["video"], "a gap moves nothing"
        said = edit(show, "remove-range", "*", start, end, "--all").stderr
        said = "".join(line for line in said.splitlines() if "no such file" not in line)
        video = json.loads(show.read_text())["video"]
        return seconds_of(video.get("at", "0s")) - seconds_of(video.get("from", "0s")), said

    assert place({"at": "3s"}, "1s", "2s") == (2, "")
    # Its very beginning is taken out, and what is left is seen with the same sound.
    assert place({"at": "1s", "from": "0.5s"}, "0.25s", "1.25s") == (-0.5, "")
    assert place({"at": "0.5s"}, "0s", "1s") == (-0.5, "")
    # What is seen from the timeline's beginning on, though it begins before that.
    assert place({"from": "10s"}, "0s", "0.5s") == (-10.5, "")
    assert place({"at": "2s", "from": "10s"}, "0s", "0.25s") == (-8.25, "")
    where, said = place({"from": "10s"}, "0.5s", "0.75s")
    assert where == -10 and "the movie is not cut" in said
    where, said = place({"at": "1s"}, "1.5s", "1.75s")
    assert where == 1 and "the movie is not cut" in said and "1.5s" in said and "0.25s" in said


def test_a_curve_that_cannot_be_cut_is_said(show):
    edit(show, "ramp", "one", 0, 1, "1s", "3s", "--curve", "scurve")
    before = show.read_text()
    said = edit(show, "remove-range", "*", "2s", "2.5s", "--all", code=1).stderr
    assert "scurve" in said and "one" in said and "--keep-automation" in said
    assert show.read_text() == before


def test_pauses_close_up(make_session):
    speech = np.zeros((5 * RATE, 2), np.float32)
    for start, level in ((0, 0.25), (2, 0.5), (4, 0.125)):
        speech[start * RATE : (start + 1) * RATE] = level
    session = make_session({"voice": speech, "music": steady(5 * RATE, 0.1, 0.1)})
    edit(session, "mute", "music", "on")
    said = edit(session, "strip-silence", "voice", "--pad", "0s", "--close").stderr
    assert "2 pauses taken out" in said
    mix = rendered(session)[: 3 * RATE, 0]
    assert np.array_equal(mix, np.repeat(np.array([0.25, 0.5, 0.125], np.float32), RATE))
    assert "one track" in edit(session, "strip-silence", "*", "--close", "--all", code=1).stderr


def test_room_behind_a_crossfade(make_session, tmp_path):
    session = make_session({"a": steady(4 * RATE, 0.5, 0.5), "b": steady(2 * RATE, 0.25, 0.25)})
    edit(session, "split", 1, "2s")
    edit(session, "insert", 1, tmp_path / "b.wav", "1s", "--push", "--crossfade", "1s", "--curve", "linear")
    assert clips(session, 0) == [(0, "a.wav"), (1, "b.wav"), (3, "a.wav")]
    edit(session, "mute", 2, "on")
    mix = rendered(session)[:, 0]
    fall = np.arange(RATE) / RATE
    assert np.allclose(mix[RATE : 2 * RATE], 0.5 * (1 - fall) + 0.25 * fall, atol=1e-4)
    assert np.array_equal(mix[3 * RATE :], np.full(2 * RATE, 0.5, np.float32)) and len(mix) == 5 * RATE
    # What it would cross over from crosses over itself there.
    before = session.read_text()
    said = edit(
        session, "insert", 1, tmp_path / "b.wav", "0.5s", "--push", "--crossfade", "1s", code=1
    ).stderr
    assert "on its way at 1.5s" in said and session.read_text() == before
    # The same by moving.
    edit(session, "remove", 2)
    edit(session, "move", 1, 3, "6s")
    edit(session, "move", 1, 3, "2s", "--push", "--crossfade", "1s")
    assert [at for at, _ in clips(session, 0)] == [0, 1, 2]


def test_room_behind_a_crossfade_in_the_middle_of_a_clip(make_session, tmp_path):
    """The clip is cut where the crossfade ends: all of it is heard, the rest behind what was laid in."""
    ramp = np.repeat(np.linspace(0, 1, 4 * RATE, dtype=np.float32)[:, None], 2, axis=1)
    session = make_session({"a": ramp, "b": steady(2 * RATE, 0.25, 0.25)})
    edit(
        session, "insert", 1, tmp_path / "b.wav", "1s", "--push", "--crossfade", "500ms", "--curve", "linear"
    )
    assert clips(session, 0) == [(0, "a.wav"), (1, "b.wav"), (3, "a.wav")]
    edit(session, "mute", 2, "on")
    mix = rendered(session)[:, 0]
    half = RATE // 2
    rise = np.arange(half) / half
    crossed = ramp[RATE : RATE + half, 0] * (1 - rise) + 0.25 * rise
    assert np.array_equal(mix[:RATE], ramp[:RATE, 0])
    assert np.allclose(mix[RATE : RATE + half], crossed, atol=1e-4)
    assert np.array_equal(mix[3 * RATE :], ramp[RATE + half :, 0])
    for _ in range(2):
        edit(session, "undo")
    assert clips(session, 0) == [(0, "a.wav")]


def test_many_cuts_between_frames_keep_all_together(make_session):
    """Clips are cut between frames: automation and markers go with them."""
    session = make_session({"one": steady(10 * RATE, 0.5, 0.5)})
    edit(session, "split", "one", "9s")
    for words in (("ramp", "one", 1, 0.5, "9s", "10s"), ("marker", "add", "last", "9s")):
        edit(session, *words)
    run("edit", session, input="remove-range '*' 3s 3.10001s --all\n" * 30)
    document = json.loads(session.read_text())
    track = document["tracks"][0]
    last = seconds_of(track["clips"][-1]["at"])
    assert last < 6.1 and len(track["clips"]) == 3
    assert seconds_of(track["automation"][0]["from"]) == last
    assert seconds_of(document["markers"][0]["at"]) == last


def test_ramps_that_touch_go_on_touching(make_session):
    """At times that no timescale has in common."""
    session = make_session({"one": steady(10 * RATE, 0.5, 0.5)})
    times = [Fraction(n * 1_234_567_891 + n**3 * 7, 10**9) for n in range(1, 8)]
    text = [f"{float(time):.9f}s" for time in times]
    for start, end in zip(text, text[1:]):
        edit(session, "ramp", "one", 0.25, 1, start, end)
    for cut in range(12):
        first = 11_111 * (cut + 1)
        edit(session, "remove-range", "*", f"{first}f", f"{first + 333 + cut}f", "--all")
    assert "no problems" in run("check", session).stdout


def test_only_the_star_means_the_whole_timeline(show):
    edit(show, "name", "two", "one too")
    before = json.loads(show.read_text())
    edit(show, "remove-range", "one*", "1s", "2s", "--all")
    after = json.loads(show.read_text())
    assert after["markers"] == before["markers"] and after["master"] == before["master"]


def test_thousands_of_pauses_close_up(make_session):
    """Against what is left of the samples."""
    speech = np.tile(np.repeat(np.array([[0.25], [0.0]], np.float32), RATE // 20, 0), (600, 2))
    session = make_session({"voice": speech})
    said = edit(session, "strip-silence", "voice", "--min", "20ms", "--pad", "0s", "--close").stderr
    assert "600 pauses" in said or "599 pauses" in said
    mix = rendered(session)[:, 0]
    assert np.array_equal(mix[: 599 * RATE // 20], np.full(599 * RATE // 20, 0.25, np.float32))
