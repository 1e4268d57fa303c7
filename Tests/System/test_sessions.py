"""Sessions lose nothing: the journal of unsaved changes, the version before, who else has it open."""

import json
import os
import pathlib
import random
import signal
import subprocess
import time

import numpy as np
import pytest
import soundfile
from conftest import RATE, Capture, interposer, run, steady, wait_until


def start(mixers, jackd, session, *words, **options):
    return mixers("--server", jackd.name, "--no-connect", *words, session, **options)


def journal(session):
    return session.parent / f".{session.name}.journal"


def written(session, mixer):
    """Waits until the journal says what the mixer has: at most a tenth of a second."""
    before = -1
    while (size := journal(session).stat().st_size) != before or size == 0:
        before = size
        time.sleep(0.25)


def faders(mixer):
    return [track["fader"] for track in mixer.json("tracks")]


def kill(mixer):
    mixer.end(signal.SIGKILL)


@pytest.fixture
def crashed(mixers, jackd, make_session):
    """A session whose mixer was killed with unsaved changes."""
    session = make_session()
    mixer = start(mixers, jackd, session)
    mixer.ctl("volume", 1, 0.25)
    mixer.ctl("ramp", 2, 0, 1, "1s", "2s")
    mixer.ctl("name", 3, "bell")
    written(session, mixer)
    kill(mixer)
    return session


def test_what_a_killed_mixer_had_not_saved_is_recovered(crashed, mixers, jackd):
    before = crashed.read_text()
    mixer = start(mixers, jackd, crashed, "--recover")
    assert faders(mixer) == [0.25, 1, 1] and mixer.json("automation", 2) == [
        {"ramp": [0, 1], "from": "1s", "to": "2s"}
    ]
    assert [track["name"] for track in mixer.json("tracks")] == ["music", "voice", "bell"]
    assert mixer.json("status")["unsaved"] is True and crashed.read_text() == before
    kill(mixer)  # at once, with nothing new: still kept
    mixer = start(mixers, jackd, crashed, "--recover")
    assert faders(mixer) == [0.25, 1, 1]
    mixer.ctl("volume", 2, 0.5)
    mixer.ctl("save")
    assert mixer.json("status")["unsaved"] is False
    kill(mixer)
    mixer = start(mixers, jackd, crashed)
    assert "unsaved changes" not in mixer.log and faders(mixer) == [0.25, 0.5, 1]
    assert mixer.end() == 0
    assert not journal(crashed).exists()


def test_without_a_word_they_are_kept_aside(crashed, mixers, jackd):
    mixer = start(mixers, jackd, crashed)
    aside = crashed.parent / "session.recovered.json"
    assert str(aside) in mixer.log and faders(mixer) == [1, 1, 1]
    mixer.ctl("load", "session.recovered")
    assert faders(mixer) == [0.25, 1, 1]
    mixer.ctl("load", "session")
    assert mixer.end() == 0 and not journal(crashed).exists()


def test_the_newest_that_was_kept_is_recovered(mixers, jackd, make_session):
    session = make_session()
    mixer = start(mixers, jackd, session)
    mixer.ctl("volume", 1, 0.5)
    assert mixer.end() == 0
    mixer = start(mixers, jackd, session)
    aside = session.parent / "session.recovered.json"
    assert str(aside) in mixer.log and faders(mixer) == [1, 1, 1]
    assert mixer.json("sessions") == ["session"]
    assert mixer.end() == 0
    mixer = start(mixers, jackd, session)
    assert str(aside) in mixer.log and mixer.end() == 0, "as long as it is not decided"
    listed = run("check", "--unsaved", session, code=1).stdout
    assert str(aside) in listed and "    track 1, fader: 1 -> 0.5\n" in listed
    (kept,) = json.loads(run("check", "--unsaved", "--json", session, code=1).stdout)
    assert kept["file"] == str(aside) and kept["changes"] == [
        {"place": "track 1, fader", "before": 1, "after": 0.5}
    ]
    mixer = start(mixers, jackd, session, "--recover")
    assert faders(mixer) == [0.5, 1, 1] and mixer.json("status")["unsaved"] is True
    listed = run("check", "--unsaved", session, code=1).stdout
    assert listed.index(journal(session).name) < listed.index(aside.name), (
        "what the mixer that runs has not saved"
    )
    mixer.ctl("save")
    assert "no unsaved changes" in run("check", "--unsaved", session).stdout
    mixer.ctl("volume", 1, 0.75)
    mixer.ctl("save")
    assert mixer.end() == 0
    listed = run("check", "--unsaved", session).stdout
    assert f"before {session} was saved" in listed and "no unsaved changes" in listed
    mixer = start(mixers, jackd, session, "--recover")
    assert faders(mixer) == [0.75, 1, 1] and "what is older jmix check --unsaved lists" in mixer.log


def test_what_is_kept_is_its_own_sessions(mixers, jackd, make_session):
    session = make_session()
    for _ in range(2):
        mixer = mixers("--server", jackd.name, "--no-connect", cwd=session.parent)
        if not _:
            mixer.ctl("add", session.parent / "music.wav")
        assert mixer.end() == 0
    assert "untitled.recovered.json" in mixer.log
    mixer = start(mixers, jackd, session, "--recover")
    assert "nothing is kept" in mixer.log and len(mixer.json("tracks")) == 3
    assert "is a name for what was kept" in mixer.ctl("save", "session.recovered-2", code=1)


def test_discard_drops_what_was_kept_aside_too(mixers, jackd, make_session):
    session = make_session()
    mixer = start(mixers, jackd, session)
    mixer.ctl("volume", 1, 0.5)
    mixer.end()
    start(mixers, jackd, session).end()
    mixer = start(mixers, jackd, session, "--discard")
    assert f"{session.parent / 'session.recovered.json'} is dropped" in mixer.log and mixer.end() == 0
    mixer = start(mixers, jackd, session, "--recover")
    assert "nothing is kept" in mixer.log and faders(mixer) == [1, 1, 1]


def test_of_a_journal_and_a_file_the_newer_is_gone_on_with_and_the_other_kept(mixers, jackd, make_session):
    session = make_session()
    first = start(mixers, jackd, session)
    first.ctl("volume", 1, 0.5)
    written(session, first)
    second = start(mixers, jackd, session, "--name", "other")
    kill(first)
    second.ctl("volume", 1, 0.25)
    assert second.end() == 0 and "--recover" in second.log
    mixer = start(mixers, jackd, session, "--recover")
    assert faders(mixer) == [0.25, 1, 1] and "lists what is older" in mixer.log
    assert sorted(
        json.loads(path.read_text())["tracks"][0]["fader"]
        for path in session.parent.glob("session.recovered*.json")
    ) == [0.25, 0.5]


def test_a_journal_that_is_gone_keeps_nothing_and_says_so(mixers, jackd, make_session):
    session = make_session()
    mixer = start(mixers, jackd, session)
    mixer.ctl("volume", 1, 0.5)
    written(session, mixer)
    journal(session).unlink()
    kept = session.parent / "session.recovered.json"
    assert (
        mixer.end() == 0
        and str(kept) in mixer.log
        and json.loads(kept.read_text())["tracks"][0]["fader"] == 0.5
    )


def test_what_a_recovered_session_lacks_is_said(mixers, jackd, make_session):
    session = make_session()
    mixer = start(mixers, jackd, session)
    extra = session.parent / "extra.wav"
    extra.write_bytes((session.parent / "music.wav").read_bytes())
    mixer.ctl("add", extra)
    assert mixer.end() == 0
    extra.unlink()
    log = start(mixers, jackd, session, "--recover").log
    assert 'extra.wav: there is no such file (in "extra"); it is left silent' in log


def test_an_end_while_another_document_is_opened_keeps_what_came_last(
    mixers, jackd, make_session, tmp_path_factory, monkeypatch
):
    switches = tmp_path_factory.mktemp("switches")
    monkeypatch.setenv("LD_PRELOAD", str(interposer("slow_disk", switches)))
    monkeypatch.setenv("SLOW_DISK_STALL", str(switches / "stall"))
    monkeypatch.setenv("SLOW_DISK_FAIL", str(switches / "fail"))
    session = make_session()
    slow = session.rename(session.parent / "slow.json")
    mixer = start(mixers, jackd, slow)
    monkeypatch.delenv("LD_PRELOAD")
    mixer.ctl("save", "other")
    mixer.ctl("load", "slow")
    mixer.ctl("load", "other")
    peer = mixer.osc()
    (switches / "stall").touch()
    try:
        peer.send("/session/undo")
        wait_until(lambda: mixer.json("status")["session"].endswith("slow.json"), "it is back at the other")
        mixer.ctl("volume", 1, 0.5)
        assert mixer.end() == 0 and "slow.recovered.json" in mixer.log
    finally:
        (switches / "stall").unlink()
    assert json.loads((session.parent / "slow.recovered.json").read_text())["tracks"][0]["fader"] == 0.5


def test_what_cannot_be_kept_beside_the_session_is_kept_elsewhere(
    mixers, jackd, make_session, tmp_path_factory
):
    session = make_session()
    library, state = interposer("full_disk", session.parent), tmp_path_factory.mktemp("state")

    def full(folder, *words):
        return start(
            mixers,
            jackd,
            session,
            *words,
            under=["env", f"LD_PRELOAD={library}", f"FULL_DISK={folder}", f"XDG_STATE_HOME={state}"],
        )

    mixer = full(session.parent)
    mixer.ctl("volume", 1, 0.5)
    wait_until(lambda: "cannot be written" in mixer.log, "the journal's fault is said")
    assert "No space left" in mixer.ctl("save", code=1)
    assert mixer.end() == 0
    kept = state / "jmix/unsaved" / str(session.parent)[1:] / "session.recovered.json"
    assert str(kept) in mixer.log and json.loads(kept.read_text())["tracks"][0]["fader"] == 0.5
    mixer = full("/nosuch", "--recover")
    assert faders(mixer) == [0.5, 1, 1] and mixer.end() == 0
    mixer = full(session.parent.parent, "--recover")
    mixer.ctl("volume", 1, 0.25)
    assert mixer.end() == 1 and "changes since the last save are lost" in mixer.log


def test_they_are_dropped_when_told(crashed, mixers, jackd):
    mixer = start(mixers, jackd, crashed, "--discard")
    assert faders(mixer) == [1, 1, 1] and mixer.end() == 0
    assert sorted(path.name for path in crashed.parent.glob("*.json")) == ["session.json"]
    assert "unsaved changes" not in start(mixers, jackd, crashed).log


def test_a_journal_is_good_up_to_where_it_is_torn(crashed, mixers, jackd):
    text = journal(crashed).read_bytes()
    lines = text.splitlines(keepends=True)
    assert len(lines) >= 2
    journal(crashed).write_bytes(b"".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2])
    mixer = start(mixers, jackd, crashed, "--recover")
    assert faders(mixer)[0] in (0.25, 1)  # what the whole lines say
    kill(mixer)
    journal(crashed).write_bytes(lines[0][:40])
    assert "nothing is kept" in start(mixers, jackd, crashed, "--recover").log


def test_changes_are_kept_at_a_clean_end_too(mixers, jackd, make_session):
    session = make_session()
    mixer = start(mixers, jackd, session)
    mixer.ctl("volume", 1, 0.5)
    assert mixer.end() == 0 and "--recover" in mixer.log
    assert faders(start(mixers, jackd, session, "--recover")) == [0.5, 1, 1]


def test_a_take_without_a_sound_is_said_nothing_of(mixers, jackd, make_session):
    session = make_session()
    takes = session.parent / "takes"
    takes.mkdir()
    soundfile.write(takes / "voice-1.wav", np.zeros((0, 2)), RATE, subtype="FLOAT")
    mark = takes / ".voice-1.wav.recording"
    mark.write_text("session.json\nvoice\n0\n0\n")
    mixer = start(mixers, jackd, session, "--recover")
    wait_until(lambda: not mark.exists(), "nobody looks for the take any more")
    assert "voice-1.wav" not in mixer.log and len(mixer.json("clips", "voice")) == 1


def test_a_second_mixer_on_a_session_is_told(mixers, jackd, make_session):
    session = make_session()
    start(mixers, jackd, session)
    second = start(mixers, jackd, session, "--name", "other")
    assert "another jmix has this session open" in second.log
    second.ctl("volume", 1, 0.5)
    assert second.end() == 0
    assert json.loads((session.parent / "session.recovered.json").read_text())["tracks"][0]["fader"] == 0.5


def test_the_five_versions_before_are_kept(mixers, jackd, make_session):
    session = make_session()
    mixer = start(mixers, jackd, session)
    first = session.read_text()
    mixer.ctl("volume", 1, 0.5)
    mixer.ctl("save")
    assert (session.parent / "session.json~").read_text() == first
    second = session.read_text()
    versions = [first, second]
    for level in (0.25, 0.125, 0.75, 0.375, 0.625):
        mixer.ctl("volume", 1, level)
        mixer.ctl("save")
        mixer.ctl("save")
        versions.append(session.read_text())
    kept = ["session.json~", *(f"session.json~{number}" for number in range(2, 6))]
    assert [(session.parent / name).read_text() for name in kept] == versions[-2:-7:-1]
    assert sorted(path.name for path in session.parent.glob("session.json~*")) == sorted(kept)


def test_what_another_program_wrote_is_kept_and_said(mixers, jackd, make_session):
    session = make_session()
    mixer = start(mixers, jackd, session)
    document = json.loads(session.read_text())
    session.write_text(json.dumps(document, indent=8))  # the same session in other lines
    mixer.ctl("volume", 1, 0.5)
    assert mixer.noted("save") == ""
    document["tracks"][1]["fader"] = 0.25
    theirs = json.dumps(document)
    session.write_text(theirs)
    mixer.ctl("volume", 1, 0.125)
    said = mixer.noted("save")
    assert "session.json was changed by another program" in said and "kept as session.json~" in said
    wait_until(lambda: "session.json was changed by another program" in mixer.log, "the log says so too")
    assert (session.parent / "session.json~").read_text() == theirs
    assert [track.get("fader", 1) for track in json.loads(session.read_text())["tracks"][:2]] == [0.125, 1]
    mixer.ctl("volume", 1, 0.25)
    assert mixer.noted("save") == ""
    session.write_text("no session at all")
    mixer.ctl("volume", 1, 0.5)
    assert "another program" in mixer.noted("save")
    assert (session.parent / "session.json~").read_text() == "no session at all"
    # The mixer's own changes are nobody else's, in whatever order strips and sends came and went.
    for words in (
        ("bus", "add", "hall"),
        ("input", "add", "mic"),
        ("send", "voice", "hall", 1),
        ("send", "music", "hall", 1),
        ("remove", "music"),
        ("undo",),
        ("load", "session"),
        ("undo",),
    ):
        mixer.ctl(*words)
        assert mixer.noted("save") == "", words
        mixer.ctl("volume", "voice", 0.5)
        mixer.ctl("volume", "voice", 0.25)
        assert mixer.noted("save") == "", words


def test_a_full_disk_refuses_and_the_old_file_is_whole(mixers, jackd, make_session, tmp_path):
    session = make_session()
    mount = tmp_path / "full"
    mount.mkdir()
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", mount], capture_output=True
        ).returncode
        != 0
    ):
        pytest.skip("no tmpfs can be mounted here")
    mixer = None
    try:
        small = mount / "s.json"
        small.write_text(
            json.dumps(
                {"jmix": 1, "tracks": [{"name": "music", "clips": [{"file": str(tmp_path / "music.wav")}]}]}
            )
        )
        mixer = start(mixers, jackd, small, "--media", tmp_path)
        filler = os.open(mount / "filler", os.O_WRONLY | os.O_CREAT)
        with pytest.raises(OSError):
            while True:
                os.write(filler, b"x" * 1024)
        os.close(filler)
        before = small.read_text()
        mixer.ctl("volume", 1, 0.5)
        assert "space" in mixer.ctl("save", code=1)
        assert small.read_text() == before, "the old file is whole"
        assert sorted(path.name for path in mount.iterdir() if not path.name.startswith(".")) == [
            "filler",
            "s.json",
        ], "nothing is left lying"
        (mount / "filler").unlink()
        mixer.ctl("save")
        assert json.loads(small.read_text())["tracks"][0]["fader"] == 0.5
    finally:
        if mixer:
            mixer.end()
        subprocess.run(["umount", mount], check=True)


def test_kills_at_random_moments_tear_nothing_and_lose_nothing_saved(mixers, jackd, make_session):
    """JMIX_KILLS says how many (20 unless told)."""
    session = make_session()
    rng = random.Random(3)
    asked, saved, kills = [1.0], 0, int(os.environ.get("JMIX_KILLS", "20"))
    for _ in range(kills):
        mixer = start(mixers, jackd, session, "--recover")
        value = round(faders(mixer)[0], 5)
        # What was last saved, or something that was asked for later; never anything else, never anything
        # older.
        assert value in asked[saved:], (value, asked[saved:])
        asked, saved = asked[: asked.index(value) + 1], min(saved, asked.index(value))
        peer = mixer.osc()
        end = time.monotonic() + rng.uniform(0.01, 0.3)
        while time.monotonic() < end:
            asked.append(round(rng.uniform(0, 1), 5))
            peer.send("/track/1/volume", asked[-1])
            if rng.random() < 0.2:
                assert peer.ask("/session/save") == []  # it is done
                saved = len(asked) - 1
            elif rng.random() < 0.2:
                peer.send("/session/save")  # it may be under way
            time.sleep(0.002)
        mixer.end(signal.SIGKILL)
        peer.close()
        run("check", session)


@pytest.mark.parametrize("seed", range(4))
def test_undo_after_anything_is_the_very_session_and_redo_the_other(mixers, jackd, make_session, seed):
    session = make_session()
    mixer = start(mixers, jackd, session)
    peer, rng = mixer.osc(), random.Random(seed)
    peer.ask("/session/save", "first")

    def act():
        track = rng.randint(1, 4)
        start = round(rng.uniform(0, 10), 2)
        return peer.ask(
            *rng.choice(
                [
                    (f"/track/{track}/volume", rng.random()),
                    ("/track/*/volume", rng.random()),
                    (f"/track/{track}/pan", rng.uniform(-1, 1)),
                    (f"/track/{track}/mute", rng.randint(0, 1)),
                    (f"/track/{track}/solo", rng.randint(0, 1)),
                    ("/master/volume", rng.random()),
                    ("/master/mute", rng.randint(0, 1)),
                    (f"/track/{track}/name", f"n{rng.randint(1, 9)}"),
                    (f"/track/{track}/ramp", rng.random(), rng.random(), start, start + 1, "scurve", True),
                    (f"/track/{track}/volume", rng.random(), start, True),
                    (f"/track/{track}/automation/clear",),
                    (f"/track/{track}/fadein", rng.random()),
                    ("/duck", 1, 2, rng.random()),
                    ("/track/add", "music.wav", start),
                    (f"/track/{track}/insert", "voice.wav", 30.0 + start, 0.0, 0.5),
                    (f"/track/{track}/remove",),
                    ("/scene/store", f"s{rng.randint(1, 3)}"),
                    (f"/track/{track}/split", start),
                    (f"/track/{track}/silence", start, 0.5),
                    (f"/track/{track}/removerange", start, start + 0.5, rng.random() < 0.5),
                    (f"/track/{track}/move", 1, start, True),
                    (f"/track/{track}/append", "chime.wav"),
                    (f"/track/{track}/automation/remove", 1),
                    ("/session/relink", "music.wav", "voice.wav"),
                    ("/scene/recall", f"s{rng.randint(1, 3)}"),
                    ("/scene/remove", f"s{rng.randint(1, 3)}"),
                    (f"/track/{track}/fade", rng.random(), 0.05),
                    ("/session/undo",),
                    ("/session/redo",),
                ]
            )
        )

    for _ in range(150):
        act()
    peer.ask("/session/save", "last")
    while peer.ask("/session/undo")[0][0] != "/error":
        pass
    peer.ask("/session/save", "again")
    assert json.loads((session.parent / "again.json").read_text()) == json.loads(
        (session.parent / "first.json").read_text()
    )
    while peer.ask("/session/redo")[0][0] != "/error":
        pass
    assert all(step["done"] for step in mixer.json("history")), "redo leaves nothing taken back"
    peer.close()


def test_the_order_of_keys_that_a_person_chose_is_kept(mixers, jackd, make_session):
    session = make_session()
    document = json.loads(session.read_text())
    for track in document["tracks"]:
        track["clips"] = [{"at": "1s", **clip} for clip in track["clips"]]
    document = {
        "tracks": [dict(reversed(track.items())) for track in document["tracks"]],
        "mine": {"z": 1, "a": [2]},
        "jmix": 1,
    }
    session.write_text(json.dumps(document))
    mixer = start(mixers, jackd, session)
    mixer.ctl("volume", 2, 0.5)
    mixer.ctl("add", "music.wav")
    mixer.ctl("remove", 1)
    mixer.ctl("save")
    saved = json.loads(session.read_text())
    assert list(saved)[:3] == ["tracks", "mine", "jmix"] and list(saved["mine"]) == ["z", "a"]
    for track in saved["tracks"][:2]:
        before = next(old for old in document["tracks"] if old["name"] == track["name"])
        assert list(track)[: len(before)] == list(before) and [list(clip) for clip in track["clips"]] == [
            ["at", "file"]
        ]


def test_a_session_that_is_loaded_says_what_is_missing(mixers, jackd, make_session, tmp_path):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session())
    gap = {"jmix": 1, "tracks": [{"name": "m", "clips": [{"file": "nope.wav"}]}]}
    (pathlib.Path(make_session()).parent / "gap.json").write_text(json.dumps(gap))
    peer, other = mixer.osc(), mixer.osc()
    other.ask("/subscribe", "/notice")
    notes = [values[0] for address, values in peer.ask("/session/load", "gap") if address == "/note"]
    assert any("track 1, clip 1, file" in note and "left silent" in note for note in notes), notes
    wait_until(lambda: "left silent" in mixer.log, "the log has it too")


def test_a_session_of_another_rate_that_is_loaded_says_what_becomes_of_it(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session())
    other = {"jmix": 1, "sampleRate": 44100, "tracks": []}
    (pathlib.Path(make_session()).parent / "other.json").write_text(json.dumps(other))
    rates = f"the JACK server runs at {RATE} Hz, the session at 44100 Hz"
    told = mixer.said("load", "other")[1]
    assert rates in told, told
    wait_until(lambda: rates in mixer.log, "the log has it too")


def test_unsaved_changes_of_a_session_that_is_loaded_are_kept_aside(mixers, jackd, make_session):
    session = make_session()
    mixer = start(mixers, jackd, session)
    mixer.ctl("save", "other")
    mixer.ctl("volume", 1, 0.25)
    peer = mixer.osc()
    ((address, (said,)),) = peer.ask("/session/load", "session")  # leaves other with an unsaved change
    assert address == "/note" and "the session before had unsaved changes: they are kept beside it" in said
    ((address, (said,)),) = peer.ask("/session/load", "other")
    assert address == "/note" and "other.recovered.json" in said and faders(mixer) == [1, 1, 1]
    mixer.ctl("volume", 1, 0.5)
    ((address, (said,)),) = peer.ask("/session/load", "other")
    assert address == "/note" and "undo leads to it" in said and faders(mixer) == [1, 1, 1]
    mixer.ctl("undo")
    assert faders(mixer) == [0.5, 1, 1]
    peer.close()
    mixer.ctl("load", "session")
    mixer.ctl("load", "other")
    mixer.ctl("load", "other.recovered")
    assert faders(mixer) == [0.25, 1, 1]


# MARK: scenes


def test_scenes_are_stored_recalled_and_saved(mixers, jackd, make_session):
    session = make_session()
    mixer = start(mixers, jackd, session)
    mixer.ctl(input="volume 1 0.25\npan 2 -0.5\nmute 3 on\nvolume master 0.5\nscene store verse\n")
    mixer.ctl(input="volume * 1\npan * 0\nmute * off\nvolume master 1\nscene store chorus\n")
    assert mixer.json("scene", "list") == ["verse", "chorus"]
    mixer.ctl("scene", "recall", "verse")
    tracks = mixer.json("tracks")
    assert [track["fader"] for track in tracks] == [0.25, 1, 1] and [track["pan"] for track in tracks] == [
        0,
        -0.5,
        0,
    ]
    assert [track["mute"] for track in tracks] == [False, False, True] and mixer.ctl(
        "volume", "master"
    ).strip() == "0.5"
    assert mixer.ctl("undo").strip() == "recall scene verse" and faders(mixer) == [1, 1, 1]
    assert "chorus" in mixer.ctl("scene", "recall", "bridge", code=1)
    mixer.ctl("name", 1, "song")
    mixer.ctl("save")
    saved = json.loads(session.read_text())["scenes"]
    assert [scene["name"] for scene in saved] == ["verse", "chorus"] and saved[0]["tracks"][0] == {
        "track": "song",
        "fader": 0.25,
        "pan": 0,
        "mute": False,
    }
    run("check", session)
    mixer.ctl("scene", "remove", "chorus")
    mixer.ctl("undo")
    assert mixer.json("scene", "list") == ["verse", "chorus"]
    mixer.ctl("remove", "song")
    mixer.ctl("scene", "recall", "verse")
    mixer.end()
    mixer = start(mixers, jackd, session, "--discard")
    mixer.ctl("scene", "recall", "verse")
    assert faders(mixer) == [0.25, 1, 1]


def test_a_scene_is_recalled_as_a_fade(mixers, jackd, make_session):
    mixer = start(mixers, jackd, make_session({"a": steady(20 * RATE, 0.5, 0.5)}))
    mixer.ctl(input="volume 1 0\npan 1 1\nscene store end\nvolume 1 1\npan 1 0\nplay\n")
    with Capture(jackd) as capture:
        wait_until(lambda: mixer.json("position")["seconds"] > 0.2, "it plays")
        mixer.ctl("scene", "recall", "end", "500ms")
        wait_until(lambda: mixer.json("meters")[0]["peakLeft"] == 0, "the fade has ended")
        frames = capture.end()
    left = frames[:, 0]
    begin = np.flatnonzero(np.diff(left[np.flatnonzero(left)[0] :]))[0] + np.flatnonzero(left)[0]
    p = np.clip((np.arange(RATE // 2 + 500) - 1) / (RATE // 2), 0, 1)
    expected = 0.5 * (1 - p)  # the fader
    heard = frames[begin : begin + len(p)]
    assert np.abs(heard[:, 1] - expected).max() < 1e-4
    assert np.abs(heard[:, 0] - expected * (1 - p)).max() < 1e-4  # and the balance


def test_a_render_says_what_is_not_saved_and_takes_it_if_asked(mixers, jackd, make_session, tmp_path):
    def peak(*words):
        said = run("render", session, tmp_path / "mix.wav", "--force", *words).stderr
        return round(float(abs(soundfile.read(tmp_path / "mix.wav")[0]).max()), 3), said

    session = make_session({"a": (steady(RATE, 0.5, 0.5), {})})
    mixer = start(mixers, jackd, session)
    assert peak() == (0.5, "") and peak("--live") == (0.5, "")
    mixer.ctl("volume", 1, 0.5)
    written(session, mixer)
    level, said = peak()
    assert level == 0.5 and "has changes that are not saved" in said and "--live" in said
    assert peak("--live") == (0.25, "")
    mixer.ctl("save")
    assert peak() == (0.25, "")
    mixer.ctl("volume", 1, 0.25)
    mixer.ctl("name", 1, "lead")
    written(session, mixer)
    kill(mixer)
    level, said = peak()
    assert level == 0.25 and "has changes that are not saved" in said
    assert peak("--live") == (0.125, "")
    assert (
        "not saved" in run("export", session, tmp_path / "mix.otio").stderr
        and "lead" not in (tmp_path / "mix.otio").read_text()
    )
    said = run("collect", session, tmp_path / "copy").stderr
    assert "has changes that are not saved" in said and "jmixctl save" in said
    assert "has changes that are not saved" in run("plot", session, tmp_path / "plot.svg").stderr
    run("export", session, tmp_path / "mix.otio", "--live", "--force")
    assert "lead" in (tmp_path / "mix.otio").read_text()


def test_quit_ends_the_mixer_and_keeps_what_was_not_saved(mixers, jackd, make_session):
    path = make_session()
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    mixer.ctl("volume", "voice", "0.25")
    peer = mixer.osc()
    # Who sends every address, or hits one by mistake, ends nothing.
    for words in ([], ["yes"], [1], [True]):
        answers = peer.ask("/quit", *words)
        assert [address for address, _ in answers] == ["/error"], (words, answers)
    assert mixer.json("volume", "voice")["volume"] == 0.25
    assert mixer.ctl("quit") == ""
    assert mixer.process.wait(15) == 0
    again = mixers("--server", jackd.name, "--no-connect", "--recover", path)
    assert again.json("volume", "voice")["volume"] == 0.25
