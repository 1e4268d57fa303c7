"""What one call of `jmix edit` has done the next takes back."""

import json
import os
import pathlib
import random

import pytest
from conftest import run, steady


@pytest.fixture
def session(make_session):
    return make_session({"music": steady(48000, 0.25, 0.25), "voice": steady(48000, 0.25, 0.25)})


def edit(session, *words, code=0):
    return run("edit", session, *words, code=code)


def stored(session):
    """Where the steps of a session are kept."""
    folder = pathlib.Path(os.environ["XDG_STATE_HOME"]) / "jmix/steps"
    (path,) = [path for path in folder.iterdir() if json_of(path).get("file") == os.path.realpath(session)]
    return path


def json_of(path):
    try:
        return json.loads(path.read_text())
    except ValueError:
        return {}


def steps_of(session):
    return json.loads(run("edit", session, "--json", "history").stdout)


def test_steps_are_taken_back_over_calls(session):
    edit(session, "bus", "add", "hall")
    stored(session).unlink()
    first = session.read_text()
    edit(session, "volume", "music", 0.5)
    second = session.read_text()
    edit(session, "name", "voice", "host")
    third = session.read_text()
    assert [step["name"] for step in steps_of(session)] == ["volume of music", "rename voice to host"]
    assert "rename voice to host" in edit(session, "undo").stdout
    assert session.read_text() == second
    edit(session, "undo")
    assert session.read_text() == first
    assert "nothing to undo" in edit(session, "undo", code=1).stderr
    edit(session, "redo")
    edit(session, "redo")
    assert session.read_text() == third
    assert "nothing to redo" in edit(session, "redo", code=1).stderr
    # What is done behind an undo ends what could have been made again.
    edit(session, "undo")
    edit(session, "pan", "music", 0.5)
    assert [step["name"] for step in steps_of(session)] == ["volume of music", "pan of music"]
    assert "nothing to redo" in edit(session, "redo", code=1).stderr


def test_a_file_that_says_something_else_has_no_steps(session):
    edit(session, "volume", "music", 0.5)
    session.write_text(session.read_text().replace("0.5", "0.75"))
    assert "nothing to undo" in edit(session, "undo", code=1).stderr
    # Nor has one whose steps are torn.
    edit(session, "volume", "music", 0.25)
    steps = stored(session)
    steps.write_text(steps.read_text()[:-10])
    assert "nothing to undo" in edit(session, "undo", code=1).stderr
    edit(session, "volume", "music", 0.125)
    steps.write_text(json.dumps(json_of(steps) | {"done": [{"name": "x", "patch": {}}]}))
    before = session.read_text()
    assert "cannot be read" in edit(session, "undo", code=1).stderr and session.read_text() == before


def test_a_call_that_fails_leaves_them(session):
    edit(session, "volume", "music", 0.5)
    run("edit", session, input="volume music 0.1\nvolume nobody 1\n", code=1)
    assert [step["name"] for step in steps_of(session)] == ["volume of music"]


@pytest.mark.parametrize("seed", range(6))
def test_any_edits_and_any_ways_back(session, seed):
    """Against a list of texts: a step is the text before it."""
    rng = random.Random(seed)
    edit(session, "bus", "add", "hall")
    stored(session).unlink()
    states, at = [session.read_text()], 0
    for _ in range(25):
        what = rng.choice(["edit", "edit", "script", "undo", "redo"])
        if what == "undo":
            edit(session, "undo", code=0 if at > 0 else 1)
            at = max(0, at - 1)
        elif what == "redo":
            edit(session, "redo", code=0 if at + 1 < len(states) else 1)
            at = min(len(states) - 1, at + 1)
        else:
            lines = [
                rng.choice(
                    [
                        f"volume {rng.choice('12')} {rng.randint(1, 99) / 100}",
                        f"ramp 1 {rng.random():.3f} 1 {at}.25s {at}.75s --replace",
                        f"send 1 hall {rng.randint(1, 99) / 100}",
                        f"name 2 v{rng.randint(0, 10**6)}",
                        f"fadein 1 {rng.randint(100, 999)}ms",
                        f"duck 1 --under 2 --to 0.{rng.randint(1, 9)}",
                        f"scene store s{rng.randint(0, 10**6)}",
                    ]
                )
                for _ in range(1 if what == "edit" else 3)
            ]
            for line in lines:
                # Each line is a call, so that each state can be read.
                before = session.read_text()
                run("edit", session, *line.split(), code=0)
                if session.read_text() != before:
                    states[at + 1 :] = [session.read_text()]
                    at += 1
        assert session.read_text() == states[at], (seed, what)


def test_no_more_than_a_hundred_are_kept(session):
    run(
        "edit",
        session,
        input="".join(
            f"pan music {n / 1000}\npan voice {n / 1000}\nmute music {'on' if n % 2 else 'off'}\n"
            for n in range(1, 120)
        ),
    )
    assert 90 <= len(steps_of(session)) <= 100
    edit(session, "undo")


def test_a_link_in_their_place_is_not_followed(session, tmp_path):
    (tmp_path / "victim").write_text("mine")
    edit(session, "volume", "music", 0.75)
    steps = stored(session)
    steps.unlink()
    steps.symlink_to(tmp_path / "victim")
    edit(session, "volume", "music", 0.5)
    assert (tmp_path / "victim").read_text() == "mine"
    edit(session, "volume", "music", 0.25)
    edit(session, "undo")
    assert (tmp_path / "victim").read_text() == "mine"


def test_a_call_that_ends_where_it_began_has_steps_too(session):
    edit(session, "pan", "music", 0.5)
    run("edit", session, input="volume music 0.1\nundo\n")
    assert [(step["name"], step["done"]) for step in steps_of(session)] == [
        ("pan of music", True),
        ("volume of music", False),
    ]
    edit(session, "redo")
    assert json.loads(session.read_text())["tracks"][0]["fader"] == 0.1


def test_a_copy_has_none_and_nothing_lies_beside_a_session(session):
    edit(session, "volume", "music", 0.5)
    copy = session.with_name("copy.json")
    copy.write_text(session.read_text())
    assert steps_of(copy) == []
    names = {path.name for path in session.parent.iterdir()}
    assert names == {"session.json", "session.json~", "copy.json", "music.wav", "voice.wav"}


def test_as_many_sessions_as_there_is_room_for(session, tmp_path, monkeypatch):
    # A folder of its own: what other tests have edited is newer.
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "state/jmix/steps"
    edit(session, "volume", "music", 0.5)
    for number in range(120):
        (folder / f"old-{number}.json").write_text("{}")
        os.utime(folder / f"old-{number}.json", (number, number))
    edit(session, "volume", "music", 0.25)
    assert len(list(folder.iterdir())) == 100 and len(steps_of(session)) == 2
    assert not (folder / "old-0.json").exists() and (folder / "old-119.json").exists()
