"""jmixctl: verbs, exit codes, answers, the REPL."""

import json
import os
import shlex
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import JMIXCTL, RATE, Capture, steady, wait_until


@pytest.mark.parametrize(
    "words, typed",
    [(["--url", "bad", "status"], ""), (["-f", "/nope"], ""), ([], 'name "x'), ([], "volume 9\n")],
)
def test_with_json_whatever_is_refused_is_an_object(mixer, words, typed):
    address = [] if "--url" in words else ["--url", mixer.url]
    done = subprocess.run([JMIXCTL, "--json", *address, *words], input=typed, capture_output=True, text=True)
    assert done.returncode in (1, 2) and done.stderr
    assert all(isinstance(json.loads(line), dict) for line in done.stderr.splitlines())


def test_no_mixer_is_exit_3(mixer):
    port = mixer.port
    mixer.end()
    for transport in ("udp", "tcp"):
        done = subprocess.run(
            [JMIXCTL, "--url", f"osc.{transport}://127.0.0.1:{port}/", "status"],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 3 and "no mixer" in done.stderr
    done = subprocess.run(
        [JMIXCTL, "play"],
        capture_output=True,
        text=True,
        env={**os.environ, "JMIX_URL": f"osc.udp://127.0.0.1:{port}/"},
    )
    assert done.returncode == 3


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "volume",
        "volume 1 1 1s 1s",
        "mute 1 maybe",
        "ramp 2 0.5 0.8 2s",
        "ramp 2 0.5 0.8 2s 4s --curve",
        "play 1 2",
        "--url nowhere status",
        "pan 1 left",
        "locate",
        "duck 1 --to 0.5",
        "volume 1 0.5 --nonsense",
    ],
)
def test_usage_is_exit_2(mixer, line):
    if line:
        assert mixer.ctl(*line.split(), code=2).startswith("jmixctl: ")


@pytest.mark.parametrize(
    "line, said",
    [
        ("volume 9 0.5", "no track 9"),
        ("volume nobody 1", "no track nobody"),
        ("volume 1 5", "0 to 4"),
        ("volume 1 nan", "not a volume"),
        ("pan 1 2", "-1"),
        ("locate soon", "not a time"),
        ("add missing.wav", "missing.wav"),
        ("load missing", "missing"),
        ("undo", "nothing to undo"),
        ("loop 2s 1s", "end after"),
        ("fade 1 0 1s --curve wavy", "wavy"),
        ("ramp 1 0 1 1s 2s --curve exponential", "above 0"),
        ("name 1 voice", "already"),
    ],
)
def test_refusals_are_exit_1_with_the_reason(mixer, line, said):
    assert said in mixer.ctl(*line.split(), code=1)


def test_values_are_set_and_printed(mixer):
    for line, question, answer in [
        ("volume 1 0.8", "volume 1", "0.8"),
        ("volume voice -6dB", "volume 2", "0.5011872"),
        ("volume 1 -inf", "volume 1", "0.0"),
        ("pan 1 -0.5", "pan 1", "-0.5"),
        ("pan music 1", "pan 1", "1.0"),
        ("mute 1 on", "mute 1", "1"),
        ("solo 2 on", "solo 2", "1"),
        ("name 3 bell", "name 3", "bell"),
        ("volume master 0.5", "volume master", "0.5"),
        ("mute master on", "mute master", "1"),
        ("fadein 1 500ms", "fadein 1", "0.5s"),
        ("locate 1:30", "position", "1:30.000  stopped  frame 4320000"),
        ("loop 1s 2s", "loop", "1.0  2.0"),
    ]:
        assert mixer.ctl(*line.split()) == ""
        assert mixer.ctl(*question.split()).strip() == answer


def test_switches_are_true_or_false(mixer):
    mixer.ctl("mute", 2, "on")
    assert mixer.json("mute", 2) == {"track": 2, "mute": True} and mixer.json("solo", 1) == {
        "track": 1,
        "solo": False,
    }
    assert mixer.json("mute", "*") == [
        {"track": 1, "name": "music", "mute": False},
        {"track": 2, "name": "voice", "mute": True},
        {"track": 3, "name": "chime", "mute": False},
    ]
    assert mixer.json("mute", "master") == {"track": "master", "mute": False}


def test_json_has_the_contracts_shapes(mixer):
    status = mixer.json("status")
    assert status["state"] == "stopped" and status["server"] is True and status["tracks"] == 3
    assert {"frame", "sampleRate", "period", "xruns", "dropouts"} <= set(status)
    assert mixer.json("position") == {"state": "stopped", "frame": 0, "seconds": 0}
    tracks = mixer.json("tracks")
    assert [track["number"] for track in tracks] == [1, 2, 3]
    assert {"name", "fader", "pan", "mute", "solo"} <= set(tracks[0])
    mixer.ctl("volume", 2, "0.5", "0s")
    mixer.ctl("ramp", 2, 0.5, 0.8, "2s", "4s")
    mixer.ctl("volume", 2, "0.3", "7s")
    assert mixer.json("automation", 2) == [
        {"volume": 0.5, "at": "0s"},
        {"ramp": [0.5, 0.8], "from": "2s", "to": "4s"},
        {"volume": 0.3, "at": "7s"},
    ]
    assert mixer.json("volume", 1) == {"track": 1, "volume": 1}
    assert [reading["track"] for reading in mixer.json("meters")] == [1, 2, 3, "master"]
    names = [strip["name"] for strip in mixer.json("tracks")]
    for question in ("meters", "peaks"):
        assert [one.get("name") for one in mixer.json(question)][:3] == names, question


def test_what_a_pattern_takes_from_several_is_said_first(mixer):
    said = mixer.ctl("remove", "*", code=1)
    assert "* means 3 tracks: music, voice," in said and "--all" in said and len(mixer.json("tracks")) == 3
    mixer.ctl(input="ramp * 0 1 1s 2s\n")
    for words in (
        ["automation", "*", "clear"],
        ["automation", "*", "remove", 1],
        ["remove-range", "*", "0s", "1s"],
    ):
        assert "--all" in mixer.ctl(*words, code=1)
        assert len(mixer.json("automation", 1)) == 1
        mixer.ctl(*words, "--all")
        mixer.ctl("undo")
    mixer.ctl("remove", "v*")
    assert [track["name"] for track in mixer.json("tracks")] == ["music", "chime"], "one that is meant is one"
    assert "no track, bus or DCA matches x*" in mixer.ctl("remove", "x*", code=1)
    mixer.ctl("remove", "*", "--all")
    assert mixer.json("tracks") == []


def test_replace_makes_room(mixer):
    mixer.ctl("ramp", 2, 0.5, 0.8, "2s", "4s")
    mixer.ctl("ramp", 2, 0.1, 0.2, "3s", "5s", "--replace")
    assert mixer.json("automation", 2) == [{"ramp": [0.1, 0.2], "from": "3s", "to": "5s"}]
    mixer.ctl("automation", 2, "clear")
    assert mixer.json("automation", 2) == []


def test_files_are_added_as_seen_from_here(mixer, tmp_path):
    folder = tmp_path / "deeper"
    folder.mkdir()
    soundfile.write(folder / "sting two.wav", steady(RATE, 0.5, 0.5), RATE)
    assert mixer.ctl("add", "sting two.wav", "2s", cwd=folder).strip() == "4"
    mixer.ctl("insert", 4, "deeper/sting two.wav", "10s", "--from", "0.5s")
    mixer.ctl("duck", 1, "--under", 4, "--to", "-12dB", "--release", "1s")
    mixer.ctl("save")
    saved = json.loads((tmp_path / "session.json").read_text())
    assert saved["tracks"][3]["name"] == "sting two"
    assert [clip["file"] for clip in saved["tracks"][3]["clips"]] == ["deeper/sting two.wav"] * 2
    assert saved["ducks"][0]["attack"] == "0.5s" and saved["ducks"][0]["release"] == "1s"
    mixer.ctl("remove", "sting two")
    assert len(mixer.json("tracks")) == 3


def test_clips_are_edited(mixer, tmp_path):
    """The clips of a track against what each edit says, and a table and JSON of them."""

    def clips():
        return [
            (clip["file"], clip["at"], clip.get("from", "0s"), clip["end"]) for clip in mixer.json("clips", 4)
        ]

    soundfile.write(tmp_path / "long.wav", steady(10 * RATE, 0.5, 0.5), RATE)
    mixer.ctl("add", "long.wav", "1s")
    mixer.ctl("split", 4, "3s")
    assert clips() == [("long.wav", "1s", "0s", "3s"), ("long.wav", "3s", "2s", "11s")]
    said = mixer.ctl("insert", 4, "long.wav", "2s", "--duration", "1s", code=1)
    assert "overlaps" in said and "track 4: 2s-3s overlaps clip 1, 1s-3s" in said and "--push" in said
    mixer.ctl("insert", 4, "long.wav", "2s", "--from", "5s", "--duration", "1s", "--push")
    assert clips() == [
        ("long.wav", "1s", "0s", "2s"),
        ("long.wav", "2s", "5s", "3s"),
        ("long.wav", "3s", "1s", "4s"),
        ("long.wav", "4s", "2s", "12s"),
    ]
    mixer.ctl("silence", 4, "2.5s", "500ms")
    assert [clip[1:] for clip in clips()] == [
        ("1s", "0s", "2s"),
        ("2s", "5s", "2.5s"),
        ("3s", "5.5s", "3.5s"),
        ("3.5s", "1s", "4.5s"),
        ("4.5s", "2s", "12.5s"),
    ]
    mixer.ctl("remove-range", 4, "2s", "3.5s")
    assert [clip[1:] for clip in clips()] == [("1s", "0s", "2s"), ("2s", "1s", "3s"), ("3s", "2s", "11s")]
    mixer.ctl("remove-range", 4, "2s", "3s", "--gap")
    assert [clip[1:] for clip in clips()] == [("1s", "0s", "2s"), ("3s", "2s", "11s")]
    mixer.ctl("move", 4, 2, "20s")
    mixer.ctl("append", 4, "long.wav", "--from", "9s")
    assert [clip[1:] for clip in clips()] == [("1s", "0s", "2s"), ("20s", "2s", "28s"), ("28s", "9s", "29s")]
    mixer.ctl("move", 4, 3, "1s", "--push")
    assert [clip[1:] for clip in clips()] == [("1s", "9s", "2s"), ("2s", "0s", "3s"), ("21s", "2s", "29s")]
    assert mixer.ctl("clips", 4).splitlines()[0].split() == ["#", "at", "end", "from", "file"]
    assert mixer.ctl("clips", 4).splitlines()[3].split() == [
        "3",
        "0:21.000",
        "0:29.000",
        "0:02.000",
        "long.wav",
    ]
    before = clips()
    for words in (
        ["split", 4, "15s"],
        ["move", 4, 9, "0s"],
        ["move", 4, 1, "2.5s"],
        ["silence", 4, "1s", "0s"],
        ["remove-range", 4, "3s", "2s"],
    ):
        assert mixer.ctl(*words, code=1)
    mixer.ctl("move", 4, 0, "1s", code=2)
    assert clips() == before
    assert [step["name"] for step in mixer.json("history")][1:3] == [
        "split long at 3s",
        "insert long on long",
    ]
    for _ in range(8):
        mixer.ctl("undo")
    assert clips() == [("long.wav", "1s", "0s", "11s")]


def test_what_is_in_the_way_and_what_is_too_long_is_said(mixer):
    mixer.ctl("ramp", 1, 0, 1, "1s", "3s")
    for words in (["ramp", 1, 0, 1, "2s", "4s"], ["volume", 1, 0.5, "2s"], ["ramp", 1, 0, 1, "0s", "2s"]):
        assert "--replace" in mixer.ctl(*words, code=1)
        mixer.ctl(*words, "--replace")
        mixer.ctl("undo")
    said = subprocess.run(
        [JMIXCTL, "--url", mixer.url, "fadein", "music", "99s"], capture_output=True, text=True
    )
    assert (
        said.returncode == 0
        and "plays for 0:20.000: a fade of 1:39.000 is not over by then" in said.stderr
        and mixer.json("fadein", 1)["fadeIn"] == "99s"
    )


def test_people_read_levels_clocks_and_columns(mixer):
    mixer.ctl("volume", 2, "-6dB")
    mixer.ctl("locate", "1:02:03.25")
    assert mixer.ctl("position").strip() == "1:02:03.250  stopped  frame 178716000"
    tracks = [line.split() for line in mixer.ctl("tracks").splitlines()]
    assert tracks[0] == ["#", "name", "fader", "level", "pan", "mute", "solo", "clips", "events"]
    assert tracks[2][:6] == ["2", "voice", "0.501", "-6.0", "dB", "0"]
    meters = [line.split() for line in mixer.ctl("meters").splitlines()]
    assert meters[0] == ["strip", "name", "peak", "L", "peak", "R", "RMS", "L", "RMS", "R"]
    assert [row[0] for row in meters[1:]] == ["1", "2", "3", "master"]
    assert meters[1][1:] == ["music", *["-inf"] * 4]
    peaks = [line.split()[:2] for line in mixer.ctl("peaks").splitlines()]
    assert peaks[:3] == [["1", "music"], ["2", "voice"], ["3", "chime"]]
    mixer.ctl("bus", "add", "hall")
    meters = [line.split() for line in mixer.ctl("meters").splitlines()]
    assert meters[4][:2] == ["bus:1", "hall"] and meters[5][0] == "master", "a bus has its name as well"
    status = mixer.ctl("status").splitlines()
    assert len(status) <= 10 and not any(mark in line for line in status for mark in "{}[]")
    assert any(
        line.startswith("transport") and "stopped at 1:02:03.250 of 0:20.000" in line for line in status
    )
    assert any(line.startswith("session") and "session.json, with unsaved changes" in line for line in status)


def test_events_are_a_table_and_can_be_moved(mixer):
    mixer.ctl("volume", 2, 0.5, "0s")
    mixer.ctl("ramp", 2, 0.5, 0.8, "2s", "4s", "--curve", "scurve")
    assert [line.split() for line in mixer.ctl("automation", 2).splitlines()] == [
        ["#", "event", "volume", "from", "to", "curve"],
        ["1", "point", "0.5", "(-6.0", "dB)", "0:00.000"],
        ["2", "ramp", "0.5", "(-6.0", "dB)", "to", "0.8", "(-1.9", "dB)", "0:02.000", "0:04.000", "scurve"],
    ]
    mixer.ctl("automation", 2, "move", 2, "10s")
    mixer.ctl("automation", 2, "remove", 1)
    assert mixer.json("automation", 2) == [
        {"ramp": [0.5, 0.8], "from": "10s", "to": "12s", "curve": "scurve"}
    ]
    assert "no event 2" in mixer.ctl("automation", 2, "remove", 2, code=1)


def test_a_split_is_not_heard(mixers, jackd, tmp_path):
    """Cut to pieces while it plays, the file goes on to the bit."""
    count = 6 * RATE
    samples = np.arange(count, dtype=np.float32) / 2**20
    soundfile.write(tmp_path / "count.wav", np.stack([samples, samples], axis=1), RATE, "FLOAT")
    (tmp_path / "count.json").write_text(
        json.dumps({"jmix": 1, "tracks": [{"name": "count", "clips": [{"file": "count.wav"}]}]})
    )
    mixer = mixers("--server", jackd.name, "--no-connect", tmp_path / "count.json")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        for tenths in range(5, 40, 3):
            mixer.ctl("split", 1, f"{tenths * 100 + 1}ms")
        wait_until(lambda: mixer.json("position")["seconds"] > 4.5, "it has played them")
        heard = capture.end()[:, 0]
    assert len(mixer.json("clips", 1)) == 13
    start = int(np.flatnonzero(heard)[0]) - 1
    assert np.array_equal(heard[start : start + 4 * RATE], samples[: 4 * RATE])


def test_undo_and_redo(mixer):
    for volume in (0.9, 0.8, 0.7):
        mixer.ctl("volume", 1, volume)
    mixer.ctl("ramp", 2, 0, 1, "1s", "2s")
    mixer.ctl("undo")
    assert mixer.json("automation", 2) == []
    mixer.ctl("undo")  # the fader's sweep is one step
    assert mixer.ctl("volume", 1).strip() == "1.0"
    mixer.ctl("redo")
    mixer.ctl("redo")
    assert mixer.ctl("volume", 1).strip() == "0.7"
    assert len(mixer.json("automation", 2)) == 1
    # What changes nothing is not among the steps; a fade is called one.
    mixer.ctl("ramp", "voice", 0, 1, "1s", "2s", "--replace")
    mixer.ctl("mute", "music", "off")
    assert mixer.json("history") == [
        {"name": "volume of music", "done": True},
        {"name": "ramp on voice 1s-2s", "done": True},
    ]
    mixer.ctl("fade", "chime", "-6dB", "10ms")
    assert mixer.json("history")[-1]["name"] == "fade of chime to -6.0 dB"
    mixer.ctl("undo")
    assert mixer.ctl("undo").strip() == "ramp on voice 1s-2s"
    assert "taken back" in mixer.ctl("history")


def test_two_faders_swept_at_once_are_two_steps(mixer):
    mixer.ctl(
        input="".join(f"volume {track} {volume}\n" for volume in (0.9, 0.8, 0.7, 0.6) for track in (1, 2, 3))
    )
    assert [step["name"] for step in mixer.json("history")] == [
        "volume of music",
        "volume of voice",
        "volume of chime",
    ]
    mixer.ctl(input="undo\nundo\nundo\n")
    assert [track["fader"] for track in mixer.json("tracks")] == [1, 1, 1]
    mixer.ctl(input="redo\nredo\nredo\n")
    assert [track["fader"] for track in mixer.json("tracks")] == [0.6, 0.6, 0.6]


def test_the_repl_reads_line_by_line_and_stops_at_a_failure(mixer):
    def repl(text, code):
        done = subprocess.run(
            [JMIXCTL, "--url", mixer.url], input=text, capture_output=True, text=True, timeout=20
        )
        assert done.returncode == code, done
        return done

    done = repl("volume 1 0.5\n# a comment\n\nvolume 1\nname 1 'lead voice'\nname 1\nhelp ramp\n", 0)
    assert done.stdout.splitlines()[:2] == ["0.5", "lead voice"] and "ramp STRIP" in done.stdout
    done = repl("volume 1 0.25\nvolume 9 1\nvolume 1 0.75\n", 1)
    assert "line 2" in done.stderr
    assert mixer.ctl("volume", 1).strip() == "0.25"
    repl("quit\nvolume 1 1\n", 0)
    repl("name 1 'open\n", 2)


def test_help_names_every_verb():
    done = subprocess.run([JMIXCTL, "help"], capture_output=True, text=True)
    assert done.returncode == 0
    for verb in shlex.split(
        "volume ramp fade mute solo pan name automation fadein fadeout add insert append clips split move "
        "silence remove-range remove duck play stop locate loop position tracks status meters save load "
        "undo redo history scene wait"
    ):
        assert f"  {verb}" in done.stdout
        assert (
            verb in subprocess.run([JMIXCTL, "help", verb], capture_output=True, text=True, check=True).stdout
        )
    assert subprocess.run([JMIXCTL, "--version"], capture_output=True, text=True).stdout.startswith(
        "jmixctl "
    )


def test_an_answer_too_long_for_a_datagram_is_asked_over_tcp(mixers, jackd, make_session):
    automation = [{"volume": (i % 9) / 10, "at": f"{i}ms"} for i in range(5000)]
    mixer = mixers(
        "--server", jackd.name, make_session({"a": (steady(RATE, 1, 1), {"automation": automation})})
    )
    [(address, said)] = mixer.osc().ask("/track/1/volume/automation")
    assert address == "/error" and "TCP" in said[-1]
    assert len(mixer.json("automation", 1)) == 5000
    assert (
        len(json.loads(mixer.ctl("automation", 1, "--json", url=f"osc.tcp://127.0.0.1:{mixer.port}/")))
        == 5000
    )


def test_scripts_from_a_file_stop_at_the_first_failure_or_keep_going(mixer, tmp_path):
    script = tmp_path / "show.jmix"
    script.write_text("# the show\nvolume 1 0.5\n\nvolume 9 1\nvolume 2 0.25\n")
    error = mixer.ctl("-f", script, code=1)
    assert "track 9" in error and "show.jmix, line 4: volume 9 1" in error
    assert [track["fader"] for track in mixer.json("tracks")] == [0.5, 1, 1]
    assert "line 4" in mixer.ctl("-f", script, "--keep-going", code=1)
    assert [track["fader"] for track in mixer.json("tracks")] == [0.5, 0.25, 1]
    assert "nothing.jmix" in mixer.ctl("-f", tmp_path / "nothing.jmix", code=2)


def test_a_script_waits(mixer):
    assert "play first" in mixer.ctl("wait", "until", "1s", code=1)
    mixer.ctl(input="play\nwait until 500ms\nvolume 1 0.5\nwait 200ms\nwait until 36000f\nstop\n")
    position = mixer.json("position")
    assert position["seconds"] >= 0.75 and position["state"] == "stopped"
    assert mixer.ctl("volume", 1).strip() == "0.5"


def test_all_strips_that_a_pattern_means_answer(mixers, jackd, make_session):
    """Datagrams of so many would not all find room where they arrive."""
    soundfile.write(make_session({}).parent / "a.wav", np.zeros((48000, 2), np.float32), 48000)
    session = make_session({}, tracks_of_files=["a.wav"] * 1500)
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    for question in ("name", "volume", "clips", "meters"):
        answers = mixer.json(question, *([] if question == "meters" else ["*"]))
        assert len(answers) == 1500 + (question == "meters"), question
    lines = mixer.ctl("name", "*").splitlines()
    assert [line.split()[0] for line in lines] == [str(number) for number in range(1, 1501)]
