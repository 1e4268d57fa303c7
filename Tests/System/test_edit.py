"""A session that is made and changed without playing it: jmix new, jmix edit, jmix run --new."""

import json
import os
import signal
import subprocess
import threading

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, rendered, run, steady, wait_until


@pytest.fixture
def folder(tmp_path):
    soundfile.write(tmp_path / "music.wav", steady(10 * RATE, 0.25, 0.25), RATE, subtype="FLOAT")
    soundfile.write(tmp_path / "voice.wav", steady(4 * RATE, 0.5, 0.5), RATE, subtype="FLOAT")
    return tmp_path


def jmix(folder, *words, code=0, **options):
    done = subprocess.run(
        [JMIX, *map(str, words)], capture_output=True, text=True, timeout=60, cwd=folder, **options
    )
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout if code == 0 else done.stderr


BROKEN = [
    ('{"jmix": 1,\n "tracks": [], "tracks": []}', 'line 2, column 16', '"tracks" stands twice'),
    (
        '{"jmix": 1, "tracks": [{"automation": [{"volume": 1, "at": "1s", "ramp": [0, 1], "from": "2s", '
        '"to": "3s"}]}]}',
        "track 1, automation 1",
        "not both",
    ),
    ('{"jmix": 1, "tracks": [{"fadeIn": "1/3000000000"}]}', "fadeIn", "at most 2147483647"),
    (
        '{"jmix": 1, "tracks": [{"clips": [{"file": "a\\n\\u001b[31mb.wav"}]}]}',
        "clip 1, file",
        "a\\n\\u{1B}[31mb",
    ),
]


@pytest.mark.parametrize("text, place, reason", BROKEN)
def test_a_fault_is_one_line_with_its_place(tmp_path, text, place, reason):
    (tmp_path / "s.json").write_text(text)
    said = run("check", tmp_path / "s.json", code=1).stdout.splitlines()
    assert len(said) == 1 and place in said[0] and reason in said[0], said


def test_a_byte_order_mark_is_passed_over(tmp_path):
    (tmp_path / "s.json").write_bytes(b"\xef\xbb\xbf" + b'{"jmix": 1, "tracks": []}')
    assert "no problems" in run("check", tmp_path / "s.json").stdout


def test_from_an_empty_folder_to_a_mix_without_jack(folder):
    assert "2 tracks" in jmix(folder, "new", "show", "music.wav", "voice.wav")
    jmix(folder, "edit", "show", "volume", "music", "-6dB")
    jmix(folder, "edit", "show", "move", "voice", 1, "2s")
    jmix(folder, "edit", "show", "ramp", "music", 0, 1, "0s", "1s")
    assert "nosuch" in jmix(folder, "edit", "show", "-f", "nosuch", code=2)
    jmix(
        folder,
        "edit",
        "show",
        input="duck music --under voice --to 0.5 --attack 500ms --release 500ms\nmute voice on\n",
    )
    assert jmix(folder, "edit", "show", "mute", "voice", "--json") == '{ "track": 2, "mute": true }\n'
    jmix(folder, "render", "show", "out.wav", "--format", "float")
    mixed, _ = soundfile.read(folder / "out.wav", dtype="float32")
    n = np.arange(10 * RATE)
    duck = np.interp(n, np.array([1.5, 2, 6, 6.5]) * RATE, [1, 0.5, 0.5, 1])
    expected = 0.25 * np.minimum(n / RATE, 1) * duck * 10 ** (-6 / 20)
    np.testing.assert_allclose(mixed[:, 0], expected, atol=1e-6)
    names = {name for name in os.listdir(folder) if "~" not in name}
    assert names == {"music.wav", "out.wav", "show.json", "voice.wav"}


def test_a_script_is_done_as_a_whole_or_not_at_all(folder):
    jmix(folder, "new", "show", "music.wav")
    before = (folder / "show.json").read_bytes()
    said = jmix(folder, "edit", "show", code=1, input="volume 1 0.5\nvolume 9 1\nvolume 1 0.25\n")
    assert (
        "line 2: volume 9 1" in said
        and "left as it was" in said
        and (folder / "show.json").read_bytes() == before
    )
    jmix(folder, "edit", "show", "--keep-going", code=1, input="volume 1 0.5\nvolume 9 1\nvolume 1 0.25\n")
    assert jmix(folder, "edit", "show", "volume", 1).strip() == "0.25"
    # What fails is a refusal, what is no command is usage; neither leaves anything behind.
    assert "did you mean ramp" in jmix(folder, "edit", "show", "rmap", code=2)
    assert not [name for name in os.listdir(folder) if name.startswith(".")]


@pytest.mark.parametrize(
    "line",
    [
        "play",
        "stop",
        "locate 1s",
        "loop 1s 2s",
        "position",
        "status",
        "meters",
        "wait 1s",
        "fade 1 0 1s",
        "connect",
        "stop-at-end on",
    ],
)
def test_what_is_heard_needs_a_mixer(folder, line):
    jmix(folder, "new", "show", "music.wav")
    assert "jmix run show.json" in jmix(folder, "edit", "show", *line.split(), code=1)


def test_a_new_session_takes_nobodys_place(folder):
    soundfile.write(folder / "slow.wav", steady(100, 0.5, 0.5), 44100)
    assert "44100 Hz" in jmix(folder, "new", "a", "slow.wav", "music.wav")
    assert json.loads((folder / "a.json").read_text())["sampleRate"] == 44100
    before = (folder / "a.json").read_bytes()
    assert "there is one already" in jmix(folder, "new", "a", code=1) and "there is one already" in jmix(
        folder, "run", "--new", "a.json", code=1
    )
    assert (folder / "a.json").read_bytes() == before
    # Of a session that cannot be made nothing is left.
    assert "nosuch.wav" in jmix(folder, "new", "b", "music.wav", "nosuch.wav", code=1)
    assert "no such folder" in jmix(folder, "new", "x/b", code=1)
    assert sorted(os.listdir(folder)) == ["a.json", "music.wav", "slow.wav", "voice.wav"]
    os.mkdir(folder / "c")
    jmix(folder, "new", "c")
    assert os.listdir(folder / "c") == ["session.json"]


def test_a_mixer_that_has_it_open_does_it(folder, mixers, jackd):
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", "show", cwd=folder)
    saved = (folder / "show.json").read_bytes()
    done = subprocess.run(
        [JMIX, "edit", "show", "add", "music.wav"], capture_output=True, text=True, cwd=folder, timeout=20
    )
    assert done.returncode == 0 and done.stdout == "1\n" and str(mixer.port) in done.stderr
    assert mixer.json("tracks")[0]["name"] == "music" and (folder / "show.json").read_bytes() == saved
    jmix(folder, "edit", "show", "volume", 1, 7, code=1)
    # Also one that has gone on with another session, and back.
    mixer.ctl("save", "other")
    jmix(folder, "edit", "other", "volume", 1, 0.5)
    assert mixer.json("volume", 1)["volume"] == 0.5
    jmix(folder, "edit", "show", "add", "voice.wav")
    assert "voice" in (folder / "show.json").read_text() and len(mixer.json("tracks")) == 1
    mixer.ctl("save")
    mixer.end()
    assert not [name for name in os.listdir(folder) if name.startswith(".")]


def test_what_a_killed_mixer_left_is_not_lost(folder, mixers, jackd):
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", "show", cwd=folder)
    mixer.ctl("add", folder / "music.wav")
    wait_until(lambda: "music" in (folder / ".show.json.journal").read_text(), "the journal has it")
    mixer.process.kill()
    mixer.process.wait(10)
    done = subprocess.run(
        [JMIX, "edit", "show", "tracks"], capture_output=True, text=True, cwd=folder, timeout=20
    )
    assert done.returncode == 0 and "show.recovered.json" in done.stderr and "music" not in done.stdout
    assert "music" in jmix(folder, "edit", "show", "--recover", "tracks")
    assert "music" in (folder / "show.json").read_text(), "what is gone on with is saved"


def test_a_full_disk_is_said(folder):
    jmix(folder, "new", "show", "music.wav")
    before = (folder / "show.json").read_bytes()
    done = subprocess.run(
        ["prlimit", "--fsize=100", JMIX, "edit", "show", "volume", "1", "0.5"],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=20,
    )
    assert done.returncode != 0 and (folder / "show.json").read_bytes() == before


def test_gaps_are_where_no_clip_lies(folder):
    """Against what a model of a second's grid says, of clips at random places."""
    rng = np.random.default_rng(7)
    jmix(folder, "new", "show", "voice.wav")
    jmix(folder, "edit", "show", "clip", "voice", 1, "remove")
    held = np.zeros(60, bool)
    for at in rng.permutation(55)[:20]:
        length = int(rng.integers(1, 4))
        if not held[at : at + length].any():
            jmix(folder, "edit", "show", "insert", "voice", "voice.wav", f"{at}s", "--duration", f"{length}s")
            held[at : at + length] = True
    for minimum, start in ((1, 0), (2, 0), (3, 7), (2, 21)):
        edges = np.flatnonzero(np.diff(np.concatenate(([True], held[start:], [True])).astype(int))) + start
        gaps = [(a, b) for a, b in zip(edges[::2], edges[1::2]) if b - a >= minimum and held[b:].any()]
        words = ("gaps", "voice", "--min", f"{minimum}s", "--from", f"{start}s")
        told = json.loads(jmix(folder, "edit", "show", *words, "--json"))
        assert told == [{"from": f"{a}s", "to": f"{b}s"} for a, b in gaps] and len(told) > 1
    jmix(folder, "edit", "show", "input", "add", "mic")
    assert jmix(folder, "edit", "show", "gaps", "mic") == "no gap\n"
    of_all = json.loads(jmix(folder, "edit", "show", "gaps", "*", "--json"))
    assert [answer.get("name") for answer in of_all] == ["voice", "mic"] and of_all[1]["gaps"] == []


def test_behind_a_clip_of_unknown_length_no_gap_is_told(folder):
    (folder / "show.json").write_text(
        json.dumps(
            {
                "jmix": 1,
                "tracks": [
                    {
                        "name": "a",
                        "clips": [
                            {"file": "voice.wav", "at": "2s", "duration": "1s"},
                            {"file": "gone.wav", "at": "5s"},
                            {"file": "voice.wav", "at": "20s", "duration": "2s"},
                            {"file": "gone.wav", "at": "30s"},
                        ],
                    }
                ],
            }
        )
    )

    def gaps(*words):
        told = json.loads(jmix(folder, "edit", "show", "gaps", "a", *words, "--json"))
        return [(gap["from"], gap["to"]) for gap in told]

    assert gaps() == [("0s", "2s"), ("3s", "5s"), ("22s", "30s")]
    assert gaps("--from", "6s") == [("22s", "30s")] and gaps("--min", "3s") == [("22s", "30s")]


def speech(folder, rate=RATE):
    """Words of a second with pauses of 0.2, 1 and 2 s, between silences."""
    rng, parts, at, words = np.random.default_rng(1), [], 0, []
    for word, pause in ((0, 0.7), (1, 0.2), (1, 1), (1.5, 2), (1, 1)):
        sound = rng.uniform(0.1, 0.3, int(word * rate)) * np.where(np.arange(int(word * rate)) % 2, 1, -1)
        words.append((at, at + word))
        parts += [sound, np.full(int(pause * rate), 0.001)]
        at += word + pause
    soundfile.write(folder / "speech.wav", np.concatenate(parts), rate, subtype="FLOAT")


@pytest.mark.parametrize("rate", [RATE, 44100])
def test_pauses_are_taken_out_and_ducks_follow(folder, rate):
    speech(folder, rate)
    jmix(folder, "new", "show", "--sample-rate", RATE, "music.wav", "speech.wav")
    jmix(
        folder,
        "edit",
        "show",
        "duck",
        "music",
        "--under",
        "speech",
        "--to",
        "0.5",
        "--attack",
        "100ms",
        "--release",
        "100ms",
    )
    jmix(folder, "render", "show", "before.wav")
    done = subprocess.run(
        [JMIX, "edit", "show", "strip-silence", "speech"],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=20,
    )
    # 0.65 s before the first word, 0.9 and 1.9 s between, 0.95 s behind the last; a converted file rings a
    # little on.
    assert (
        done.returncode == 0
        and "4 pauses taken out, 0:04." in done.stderr
        and abs(float(done.stderr.split("0:0")[1].split()[0]) - 4.4) < 0.005
    )
    clips = json.loads(jmix(folder, "edit", "show", "clips", "speech", "--json"))
    edges = [
        (
            float(clip["at"].removesuffix("s").split("/")[0])
            / float((clip["at"].removesuffix("s").split("/") + [1])[1]),
            clip["end"],
        )
        for clip in clips
    ]
    assert [round(start, 2) for start, _ in edges] == [0.65, 3.85, 7.35]
    jmix(folder, "render", "show", "after.wav")
    before, after = (soundfile.read(folder / name)[0][:, 0] for name in ("before.wav", "after.wav"))
    # Between the words the music comes back; where there are words it is as it was.
    music = 0.25
    assert abs(after[int(6.5 * RATE)] - music) < 1e-6 and abs(before[int(6.5 * RATE)] - music) > 0.1
    inside = slice(int(1 * RATE), int(1.6 * RATE))
    np.testing.assert_allclose(after[inside], before[inside], atol=1e-6)
    assert "no pause" in jmix(folder, "edit", "show", "strip-silence", "speech", code=1)
    # Shorter and louder ones too, if that is asked.
    done = subprocess.run(
        [
            JMIX,
            "edit",
            "show",
            "strip-silence",
            "speech",
            "--threshold",
            "-50dB",
            "--min",
            "100ms",
            "--pad",
            "0",
        ],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=20,
    )
    assert done.returncode == 0 and "1 pause taken out" in done.stderr
    assert len(json.loads(jmix(folder, "edit", "show", "clips", "speech", "--json"))) == 4


def killed(folder, mixers, jackd):
    """A session whose mixer was killed with a change that was not saved."""
    mixer = mixers("--server", jackd.name, "--no-connect", "--new", "show", cwd=folder)
    mixer.ctl("add", folder / "music.wav")
    wait_until(lambda: "music" in (folder / ".show.json.journal").read_text(), "the journal has it")
    mixer.process.kill()
    mixer.process.wait(10)


def test_what_an_edit_kept_aside_is_opened_as_it_says(folder, mixers, jackd):
    killed(folder, mixers, jackd)
    done = subprocess.run(
        [JMIX, "edit", "show", "marker", "add", "here", "1s"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=20,
    )
    (aside,) = folder.glob("show.recovered*.json")
    assert done.returncode == 0 and aside.name in done.stderr
    assert "until this session is saved --recover goes on" in done.stderr
    assert "jmix run FILE opens" in done.stderr
    # It is saved by now.
    said = subprocess.run(
        [JMIX, "edit", "show", "--recover", "status"], cwd=folder, capture_output=True, text=True, timeout=20
    )
    assert "what is older jmix check --unsaved lists, and jmix run FILE opens" in said.stderr
    mixer = mixers("--server", jackd.name, "--no-connect", aside, cwd=folder)
    assert [track["name"] for track in mixer.json("tracks")][-1] == "music"


def test_an_edit_that_fails_leaves_what_was_recovered(folder, mixers, jackd):
    killed(folder, mixers, jackd)
    for line in ("volume 9 1", "rmap"):
        subprocess.run(
            [JMIX, "edit", "show", "--recover", *line.split()], cwd=folder, capture_output=True, timeout=20
        )
        assert "unsaved changes are kept" in jmix(folder, "check", "show", "--unsaved", code=1), line
    jmix(folder, "edit", "show", "--recover", code=1, input="volume 1 0.5\nvolume 9 1\n")
    assert "unsaved changes are kept" in jmix(folder, "check", "show", "--unsaved", code=1)
    assert json.loads(jmix(folder, "edit", "show", "--recover", "tracks", "--json"))[0]["fader"] == 1


def test_what_was_saved_while_it_waited_is_what_is_played(folder, mixers, servers):
    jmix(folder, "new", "show", "music.wav")
    name = f"jmix-test-{os.getpid()}-waits"

    def come():
        jmix(folder, "edit", "show", "volume", "1", "0.25")
        servers(name=name)

    later = threading.Timer(1, come)
    later.start()
    try:
        mixer = mixers("--server", name, "--no-connect", "--wait-for-server", "show", cwd=folder)
        assert mixer.json("volume", 1)["volume"] == 0.25
        mixer.end()
    finally:
        later.join()


def test_a_new_session_loses_nothing_of_one_that_had_its_name(folder, mixers, jackd):
    killed(folder, mixers, jackd)
    os.rename(folder / "show.json", folder / "elsewhere")
    done = subprocess.run(
        [JMIX, "new", "show", "voice.wav"], cwd=folder, capture_output=True, text=True, timeout=20
    )
    assert (
        done.returncode == 0
        and "show.recovered.json" in done.stderr
        and "music" in (folder / "show.recovered.json").read_text()
    )
    mixer = mixers("--server", jackd.name, "--no-connect", "show", cwd=folder)
    os.unlink(folder / "show.json")
    assert (
        "has one of that name open" in jmix(folder, "new", "show", code=1)
        and not (folder / "show.json").exists()
    )
    mixer.end()


def test_words_of_verbs_are_no_options(folder):
    jmix(folder, "new", "show", "music.wav")
    jmix(folder, "edit", "show", "volume", "1", "-inf")
    assert jmix(folder, "edit", "show", "--json", "volume", "1") == '{ "track": 1, "volume": 0 }\n'
    jmix(folder, "edit", "show", "ramp", "1", "-inf", "-6dB", "1s", "2s", "--replace")
    jmix(folder, "edit", "show", "--", "volume", "1", "-3dB")
    assert "usage" in jmix(folder, "edit", "--help").lower()


def test_a_script_saves_nothing_before_its_end(folder):
    jmix(folder, "new", "show", "music.wav")
    before = (folder / "show.json").read_bytes()
    jmix(folder, "edit", "show", code=2, input="volume 1 0.7\nsave\nbogus\n")
    assert (folder / "show.json").read_bytes() == before
    jmix(folder, "edit", "show", input="volume 1 0.7\nsave\n")
    assert jmix(folder, "edit", "show", "volume", "1").strip() == "0.7"
    for line in ("load show", "new", "save other"):
        assert "one session is edited at a time" in jmix(folder, "edit", "show", code=1, input=line)
    # By itself it is a copy.
    jmix(folder, "edit", "show", "save", "other")
    assert (folder / "other.json").exists()


def test_edits_at_once_wait_for_each_other(folder):
    jmix(folder, "new", "show", "music.wav")
    edits = [
        subprocess.Popen(
            [JMIX, "edit", "show", "marker", "add", f"m{n}", f"{n}s"], cwd=folder, stderr=subprocess.PIPE
        )
        for n in range(8)
    ]
    for edit in edits:
        assert edit.wait(30) == 0, edit.stderr.read()
        edit.stderr.close()
    assert len(json.loads(jmix(folder, "edit", "show", "marker", "list", "--json"))) == 8


def test_a_link_leads_to_the_same_mixer(folder, mixers, jackd):
    jmix(folder, "new", "show", "music.wav")
    os.symlink("show.json", folder / "link.json")
    mixer = mixers("--server", jackd.name, "--no-connect", "show", cwd=folder)
    jmix(folder, "edit", "link", "volume", "1", "0.5")
    assert mixer.json("volume", 1)["volume"] == 0.5
    mixer.end()


def test_a_pause_of_one_clip_is_not_taken_out_of_another(folder):
    quiet = np.concatenate([np.full(5 * RATE, 0.5), np.zeros(5 * RATE)])
    soundfile.write(folder / "a.wav", quiet, RATE, subtype="FLOAT")
    soundfile.write(folder / "b.wav", np.full(12 * RATE, 0.25), RATE, subtype="FLOAT")
    jmix(folder, "new", "show", "a.wav")
    jmix(folder, "edit", "show", "append", "a", "b.wav", "--crossfade", "2s")
    jmix(folder, "render", "show", "before.wav")
    jmix(folder, "edit", "show", "strip-silence", "a", "--pad", "0")
    assert "no problems" in jmix(folder, "check", "show")
    jmix(folder, "render", "show", "after.wav")
    before, after = (soundfile.read(folder / name)[0] for name in ("before.wav", "after.wav"))
    np.testing.assert_allclose(after, before, atol=1e-7)
    assert len(json.loads(jmix(folder, "edit", "show", "clips", "a", "--json"))) == 3


def test_thousands_of_pauses_hold_nobody_up(folder, mixers, jackd):
    clicks = np.zeros(600 * RATE, np.float32)
    clicks[:: RATE // 10] = 0.5
    soundfile.write(folder / "clicks.wav", clicks, RATE)
    jmix(folder, "new", "show", "clicks.wav")
    mixer = mixers("--server", jackd.name, "--no-connect", "show", cwd=folder)
    mixer.ctl("strip-silence", 1, "--min", "50ms", "--pad", "5ms")
    assert mixer.json("tracks")[0]["clips"] > 5900
    assert "at least 0.01s" in mixer.ctl("strip-silence", 1, "--min", "0", code=1)
    mixer.end()


def test_a_playlist_with_a_missing_file_can_be_opened_and_mended(folder, mixers, jackd):
    jmix(folder, "new", "show", "music.wav")
    jmix(folder, "edit", "show", "append", "music", "voice.wav", "--crossfade", "2s")
    jmix(folder, "edit", "show", "append", "music", "music.wav", "--crossfade", "1s")
    os.rename(folder / "voice.wav", folder / "moved.wav")
    assert (
        "voice.wav"
        in subprocess.run([JMIX, "check", "show"], cwd=folder, capture_output=True, text=True).stdout
    )
    jmix(folder, "render", "show", "out.wav", "--allow-missing")
    jmix(folder, "edit", "show", "relink", "voice.wav", "moved.wav")
    assert "no problems" in jmix(folder, "check", "show")
    # One that is shorter now plays as far as it can.
    soundfile.write(folder / "moved.wav", steady(3 * RATE, 0.5, 0.5), RATE)
    mixer = mixers("--server", jackd.name, "--no-connect", "show", cwd=folder)
    assert "clip 3, crossfade" in mixer.log and len(mixer.json("clips", 1)) == 3
    mixer.end()


def test_a_mixer_waits_for_an_edit_and_has_what_it_saved(folder, mixers, jackd):
    jmix(folder, "new", "show", "music.wav")
    edit = subprocess.Popen(
        [JMIX, "edit", "show"], cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    edit.stdin.write("volume 1 0.25\n")
    edit.stdin.flush()
    wait_until(lambda: (folder / ".show.json.journal").exists(), "the edit has the lock")
    threading.Timer(0.7, lambda: edit.communicate(timeout=20)).start()
    mixer = mixers("--server", jackd.name, "--no-connect", "show", cwd=folder)
    assert mixer.json("volume", 1)["volume"] == 0.25 and "another jmix" not in mixer.log
    jmix(folder, "edit", "show", "volume", 1, 0.5)
    assert mixer.json("volume", 1)["volume"] == 0.5, "and is asked from then on"
    mixer.ctl("save")
    mixer.end()


def test_nothing_is_saved_over_what_another_mixer_plays(folder, mixers, jackd):
    jmix(folder, "new", "one", "music.wav")
    jmix(folder, "new", "two", "voice.wav")
    first = mixers("--server", jackd.name, "--no-connect", "--name", "first", "one", cwd=folder)
    second = mixers("--server", jackd.name, "--no-connect", "--name", "second", "two", cwd=folder)
    before = (folder / "one.json").read_bytes()
    assert (
        "another jmix has one.json open" in second.ctl("save", "one", code=1)
        and (folder / "one.json").read_bytes() == before
    )
    second.ctl("save", "two")
    second.ctl("save", "three")
    first.end()
    second.ctl("save", "one")
    second.end()


def test_what_two_mixers_keep_at_once_is_kept_twice(folder, mixers, jackd):
    jmix(folder, "new", "show", "music.wav")
    running = [
        mixers("--server", jackd.name, "--no-connect", "--name", f"m{n}", "show", cwd=folder)
        for n in range(3)
    ]
    for n, mixer in enumerate(running):
        mixer.ctl("volume", 1, f"0.{n + 1}")
    for mixer in running:
        mixer.process.send_signal(signal.SIGTERM)
    for mixer in running:
        mixer.end()
    kept = json.loads(
        subprocess.run(
            [JMIX, "check", "show", "--unsaved", "--json"], cwd=folder, capture_output=True, text=True
        ).stdout
    )
    assert sorted(change["after"] for item in kept for change in item["changes"]) == [0.1, 0.2, 0.3]


def test_a_clip_is_removed_and_nothing_else(mixer, make_session, tmp_path):
    for words in (
        ("append", 1, "music.wav", "--from", "1s", "--duration", "3s", "--crossfade", "1s"),
        ("append", 1, "music.wav", "--duration", "2s", "--crossfade", "500ms"),
    ):
        mixer.ctl(*words)
    before = mixer.json("clips", "1")
    assert len(before) == 3
    mixer.ctl("clip", 1, 2, "remove")
    after = mixer.json("clips", "1")
    assert [clip["at"] for clip in after] == [before[0]["at"], before[2]["at"]] and after[1].get(
        "crossfade", "0s"
    ) == "0s"
    assert "remove clip 2 of music" in mixer.ctl("undo")
    assert mixer.json("clips", "1") == before
    assert "has no clip 9" in mixer.ctl("clip", 1, 9, "remove", code=1) or "clip" in mixer.ctl(
        "clip", 1, 9, "remove", code=1
    )


def test_a_bed_is_repeated_without_a_gap_and_what_follows_makes_room(make_session):
    bed = np.random.default_rng(3).uniform(-0.5, 0.5, (RATE // 3, 2)).astype(np.float32)
    end = steady(100, 0.75, -0.75)
    path = make_session({"bed": bed, "end": end})
    run("edit", path, "append", 1, path.parent / "end.wav")
    run("edit", path, "remove", "end")
    refusal = run("edit", path, "repeat", "bed", 1, 3, code=1).stderr
    assert "overlaps clip 2" in refusal and refusal.rstrip().endswith(": --push makes room")
    assert "at most 100000 clips" in run("edit", path, "repeat", "bed", 1, 100000, code=1).stderr
    run("edit", path, "repeat", "bed", 1, 3, "--push")
    assert np.array_equal(rendered(path), np.concatenate([bed, bed, bed, bed, end]))
    assert "repeat clip 1 of bed 3 times" in run("edit", path, "undo").stdout
    assert np.array_equal(rendered(path), np.concatenate([bed, end]))


def test_what_crosses_over_from_a_clip_crosses_over_from_its_last_repetition(make_session):
    n = RATE // 2
    path = make_session({"bed": steady(RATE, 0.5, 0.5), "end": steady(RATE, 0.25, 0.25)})
    run("edit", path, "append", 1, path.parent / "end.wav", "--crossfade", "0.5s", "--curve", "linear")
    run("edit", path, "remove", "end")
    before = rendered(path)
    assert len(before) == 3 * n
    run("edit", path, "repeat", "bed", 1, 2, "--push")
    assert np.array_equal(rendered(path), np.concatenate([steady(2 * RATE, 0.5, 0.5), before]))


def test_a_clip_is_trimmed_and_pulled_out_again(mixer, make_session, tmp_path):
    """Wherever its edges are, what is heard in between lies where it lay, to the sample; beyond its file it
    is not pulled."""
    count = 10 * RATE
    samples = np.stack([np.arange(count), -np.arange(count)], 1).astype(np.float32) / count
    path = make_session({"line": samples}, name="trim.json")
    rng = np.random.default_rng(5)
    for _ in range(12):
        first, last = sorted(rng.integers(0, count, 2))
        if first == last:
            continue
        run("edit", path, "clip", "line", 1, "trim", f"{first}f", f"{last}f")
        run("render", path, tmp_path / "out.wav", "--force", "--to", "10s")
        out, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
        expected = np.zeros((count, 2), np.float32)
        expected[first:last] = samples[first:last]
        out = (
            np.concatenate([out, np.zeros((count - len(out), 2), np.float32)])
            if len(out) < count
            else out[:count]
        )
        assert np.array_equal(out, expected), (first, last)
    said = run("edit", path, "clip", "line", 1, "trim", "0s", "11s", code=1).stderr
    assert "does not hold" in said
    run("edit", path, "clip", "line", 1, "trim", "2s", "4s")
    run("edit", path, "move", "line", 1, "1s")
    assert "does not hold" in run("edit", path, "clip", "line", 1, "trim", "0s", "14s", code=1).stderr
    run("edit", path, "append", "line", "line.wav")
    assert "overlaps" in run("edit", path, "clip", "line", 1, "trim", "1s", "5s", code=1).stderr
    assert "clip 9" in run("edit", path, "clip", "line", 9, "trim", "1s", "5s", code=1).stderr


def test_a_duck_by_clips_under_what_is_heard_live_is_told(folder):
    jmix(folder, "new", "show", "music.wav", "voice.wav")
    jmix(folder, "edit", "show", "input", "add", "mic")
    done = subprocess.run(
        [JMIX, "edit", "show", "duck", "music", "--under", "mic", "--to", "0.3"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
    )
    assert done.returncode == 0 and "mic is heard live and has no clips" in done.stdout + done.stderr
    assert "--by signal" in done.stdout + done.stderr
    assert "duck 1: mic is heard live" in jmix(folder, "check", "show")
    # What has clips lowers it, and so does a live voice by how loud it is.
    jmix(folder, "edit", "show", "duck", "music", "--under", "mic", "--to", "0.3", "--by", "signal")
    assert "heard live" not in jmix(folder, "check", "show")
    jmix(folder, "edit", "show", input="duck music --under mic --to 1\nduck music --under voice --to 0.3\n")
    assert "heard live" not in jmix(folder, "check", "show")


def test_ports_that_would_be_called_alike_are_told(folder, mixers, jackd):
    """As the server has them: inputs come first, then what is heard by ports, in the order of the strips."""
    names = ["a:b", "a-b", "mic_in", "mic"]
    tracks = [{"name": name} | ({"input": {"channels": 1}} if name == "mic" else {}) for name in names]
    show = {"jmix": 2, "sampleRate": RATE, "tracks": tracks}
    (folder / "ports.json").write_text(json.dumps(show))
    assert "note:" not in jmix(folder, "check", "ports")
    (folder / "ports.json").write_text(json.dumps(show | {"directOuts": "post"}))
    said = jmix(folder, "check", "ports")
    assert said.count("note:") == 2, said
    assert "track 2: its port would be called a-b_1, as that of a:b is" in said
    assert "track 3: its port would be called mic_in_1, as that of mic is" in said
    mixer = mixers("--server", jackd.name, "--no-connect", folder / "ports.json")
    own = [port["port"] for port in mixer.json("ports") if port["own"]]
    assert own.count("a-b_1") == own.count("mic_in_1") == 1, own
    wait_until(lambda: "jmix check" in mixer.log, "the log says so")


def test_clips_are_placed_by_the_playhead_by_markers_and_by_where_they_lie(mixer, tmp_path):
    """Places that people say without a figure, each against the time that it stands for."""
    soundfile.write(tmp_path / "jingle.wav", steady(RATE, 0.5, 0.5), RATE, subtype="FLOAT")

    def starts(track):
        return [clip["at"] for clip in mixer.json("clips", track)]

    mixer.ctl("marker", "add", "verse", "30s")
    mixer.ctl("locate", "28s")
    wait_until(lambda: mixer.json("position")["seconds"] == 28, "the playhead at 28 s")
    for place in ("here", "+5s", "-7s", "verse", "40.5s"):
        mixer.ctl("insert", 1, "jingle.wav", place)
    assert starts(1) == ["0s", "21s", "28s", "30s", "33s", "40.5s"]
    mixer.ctl("insert", 1, "jingle.wav", "end")
    assert starts(1)[-1] == "41.5s"
    number = int(mixer.ctl("add", "jingle.wav", "here").split()[-1])
    assert starts(number) == ["28s"]
    # A clip is moved from where it lies; never before the start.
    mixer.ctl("move", number, 1, "+1.5s")
    assert starts(number) == ["29.5s"]
    assert "move clip 1 of jingle by 1.5s" in mixer.ctl("history")
    for place, at in (("-2s", "27.5s"), ("verse", "30s"), ("here", "28s"), ("-60s", "0s"), ("end", "42.5s")):
        mixer.ctl("move", number, 1, place)
        assert starts(number) == [at], place
    mixer.ctl("locate", "43s")
    wait_until(lambda: mixer.json("position")["seconds"] == 43, "the playhead at 43 s")
    mixer.ctl("split", number, "here")
    assert starts(number) == ["42.5s", "43s"]
    refused = mixer.ctl("insert", 1, "jingle.wav", "chorus", code=1)
    assert '"chorus" is not a time' in refused and "marker list" in refused
    before = starts(number)
    mixer.ctl("move", number, 2, "3599999999s")
    mixer.ctl("move", number, 2, "+3599999999s", code=1)
    assert starts(number) == [before[0], "3599999999s"]
    # Who calls a marker so means it.
    mixer.ctl("marker", "add", "here", "50s")
    mixer.ctl("move", number, 2, "here")
    assert starts(number) == [before[0], "50s"]


def test_without_a_playhead_a_place_is_a_time_a_marker_or_the_end(folder):
    jmix(folder, "new", "show", "music.wav", "voice.wav")
    jmix(folder, "edit", "show", "marker", "add", "verse", "30s")
    jmix(folder, "edit", "show", "insert", "voice", "voice.wav", "verse")
    jmix(folder, "edit", "show", "insert", "music", "voice.wav", "end")
    jmix(folder, "edit", "show", "move", "voice", 1, "+1s")
    for words in (
        ("insert", "voice", "voice.wav", "here"),
        ("move", "voice", 1, "here"),
        ("add", "voice.wav", "+1s"),
    ):
        assert "mixer" in jmix(folder, "edit", "show", *words, code=1), words
    music, voice = json.loads((folder / "show.json").read_text())["tracks"]
    assert [clip.get("at", "0s") for clip in voice["clips"]] == ["1s", "30s"]
    assert [clip.get("at", "0s") for clip in music["clips"]] == ["0s", "34s"]
