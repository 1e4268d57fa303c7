"""`jmix render` and `jmix check`: exact samples, refusals, nothing left behind."""

import json
import os
import pty
import resource
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, ROOT, Capture, copy_demo, interposer, run, steady, wait_until


def reference_gain(frames):
    t = np.arange(frames) / RATE
    return np.where(t < 2, 0.5, np.where(t < 4, 0.5 + 0.3 * (t - 2) / 2, np.where(t < 7, 0.8, 0.3)))


REFERENCE = [
    {"volume": 0.5, "at": "0s"},
    {"ramp": [0.5, 0.8], "from": "2s", "to": "4s"},
    {"volume": 0.3, "at": "7s"},
]


def test_the_reference_automation_is_within_1e_6_at_every_frame(make_session, tmp_path):
    session = make_session({"a": (steady(10 * RATE, 1, -1), {"automation": REFERENCE})})
    run("render", session, tmp_path / "out.wav")
    out, rate = soundfile.read(tmp_path / "out.wav")
    assert rate == RATE and len(out) == 10 * RATE
    gain = reference_gain(len(out))
    assert np.abs(out[:, 0] - gain).max() < 1e-6
    assert np.abs(out[:, 1] + gain).max() < 1e-6


@pytest.mark.parametrize(
    "container, subtype",
    [
        ("wav", "PCM_16"),
        ("wav", "PCM_24"),
        ("wav", "FLOAT"),
        ("aiff", "PCM_16"),
        ("aiff", "PCM_24"),
        ("aiff", "FLOAT"),
        ("flac", "PCM_16"),
        ("flac", "PCM_24"),
    ],
)
def test_at_unity_the_output_is_the_file_to_the_bit(tmp_path, container, subtype):
    samples = np.random.default_rng(1).uniform(-1, 1, (70001, 2))
    soundfile.write(tmp_path / f"in.{container}", samples, RATE, subtype=subtype)
    (tmp_path / "s.json").write_text(
        json.dumps({"jmix": 1, "tracks": [{"clips": [{"file": f"in.{container}"}]}]})
    )
    whole, _ = soundfile.read(tmp_path / f"in.{container}", dtype="float32")
    run("render", tmp_path / "s.json", tmp_path / "out.wav")
    out, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    assert np.array_equal(out, whole)
    if subtype != "FLOAT":
        kind = "pcm16" if subtype == "PCM_16" else "pcm24"
        for name in ("again.wav", "again.flac", "again.aiff"):
            run("render", tmp_path / "s.json", tmp_path / name, "--format", kind)
            again, _ = soundfile.read(tmp_path / name, dtype="int32")
            original, _ = soundfile.read(tmp_path / f"in.{container}", dtype="int32")
            assert np.array_equal(again, original)


def test_a_44100_sine_is_converted_with_an_error_below_minus_100_db(tmp_path):
    def sine(frames, rate):
        return np.sin(2 * np.pi * 1000 * np.arange(frames) / rate)

    soundfile.write(tmp_path / "in.wav", sine(44100 * 4, 44100), 44100, subtype="FLOAT")
    (tmp_path / "s.json").write_text(
        json.dumps({"jmix": 1, "sampleRate": 48000, "tracks": [{"clips": [{"file": "in.wav"}]}]})
    )
    run("render", tmp_path / "s.json", tmp_path / "out.wav")
    out, _ = soundfile.read(tmp_path / "out.wav")
    assert len(out) == 4 * 48000
    inner = slice(2400, -2400)  # the edges of the sine ring in the filter
    assert np.abs(out[inner, 0] - sine(len(out), 48000)[inner]).max() < 1e-5
    assert np.array_equal(out[:, 0], out[:, 1])


def test_the_demos_are_clean_and_small(tmp_path):
    size = 0
    for name in ("voiceover", "four-tracks"):
        assert "no problems" in run("check", os.path.join(ROOT, "Sessions", name)).stdout
        run("render", os.path.join(ROOT, "Sessions", name), tmp_path / f"{name}.flac")
        out, _ = soundfile.read(tmp_path / f"{name}.flac")
        assert 0.1 < np.abs(out).max() < 1
        folder = os.path.join(ROOT, "Sessions", name)
        size += sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder))
    assert size < 3_000_000


def test_the_music_of_the_demo_ducks_under_the_voice(tmp_path):
    folder = copy_demo(tmp_path)
    session = json.loads((folder / "session.json").read_text())
    for track in session["tracks"][1:]:
        track["mute"] = True
    (folder / "ducked.json").write_text(json.dumps(session))
    session["ducks"] = []
    (folder / "plain.json").write_text(json.dumps(session))
    for name in ("ducked", "plain"):
        run("render", folder / f"{name}.json", tmp_path / f"{name}.wav")
    ducked, plain = (soundfile.read(tmp_path / f"{name}.wav")[0] for name in ("ducked", "plain"))
    voice = slice(int(2.5 * RATE), int(2.5 * RATE) + soundfile.info(folder / "voice-1.flac").frames)
    assert np.abs(ducked[voice] - 0.35 * plain[voice]).max() < 1e-6
    assert np.array_equal(ducked[: int(2.1 * RATE)], plain[: int(2.1 * RATE)])


def test_a_range_and_its_frames(make_session, tmp_path):
    n = np.arange(5 * RATE) / 2**20
    session = make_session({"a": np.stack([n, -n], 1).astype(np.float32)})
    run("render", session, tmp_path / "out.wav", "--from", "96000f", "--to", "2.5s")
    out, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    assert np.array_equal(out[:, 0], n[96000:120000].astype(np.float32))
    run("render", session, tmp_path / "x.wav", "--from", "2s", "--to", "1s", code=1)
    run("render", session, tmp_path / "x.wav", "--from", "soon", code=2)
    run("render", session, tmp_path / "x.wav", "--from", "10s", code=1)


@pytest.mark.parametrize(
    "name", ["out.wav", "out.aiff", "out.w64", "out.rf64", "out.caf", "out.flac", "out.mp3"]
)
def test_the_same_mix_is_the_same_file(make_session, tmp_path, name):
    session = make_session()
    run("render", session, tmp_path / name)
    before = (tmp_path / name).read_bytes()
    # What tells the time of its making tells it in seconds.
    time.sleep(1.1)
    run("render", session, tmp_path / name, "--force")
    assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize("speed", [1, 0.9])
def test_more_tracks_than_files_may_be_open_at_first(tmp_path, cache, speed):
    tracks = []
    for number in range(150):
        soundfile.write(
            tmp_path / f"{number}.wav",
            np.full((RATE, 2), (number + 1) * 2**-18, np.float32),
            RATE,
            subtype="FLOAT",
        )
        tracks.append({"name": f"t{number}", "clips": [{"file": f"{number}.wav", "speed": speed}]})
    (tmp_path / "many.json").write_text(json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": tracks}))
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    run(
        "render",
        tmp_path / "many.json",
        tmp_path / "out.wav",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard)),
    )
    out = soundfile.read(tmp_path / "out.wav", dtype="float32")[0]
    # What is stretched begins and ends with what its passages are blended with.
    assert len(out) == int(RATE / speed + 0.5) and np.allclose(
        out[RATE // 4 : -RATE // 4], 150 * 151 / 2 * 2**-18, rtol=0 if speed == 1 else 0.02, atol=0
    )


@pytest.mark.parametrize("name", ["out.ogg", "out.opus", "out.mp3", "out.w64", "out.caf"])
def test_other_formats_are_written(make_session, tmp_path, name):
    run("render", make_session(), tmp_path / name)
    assert abs(soundfile.info(tmp_path / name).frames - 20 * RATE) < 3000


def test_render_does_not_overwrite_without_force(make_session, tmp_path):
    session = make_session()
    (tmp_path / "out.wav").write_bytes(b"precious")
    assert "--force" in run("render", session, tmp_path / "out.wav", code=1).stderr
    assert (tmp_path / "out.wav").read_bytes() == b"precious"
    run("render", session, tmp_path / "out.wav", "--force")
    assert soundfile.info(tmp_path / "out.wav").frames == 20 * RATE


def test_a_unique_name_where_no_file_system_helps(make_session, tmp_path, monkeypatch):
    library = interposer("plain_disk", tmp_path)
    session, out = make_session({"a": steady(RATE, 0.5, 0.5)}), tmp_path / "out"
    out.mkdir()
    monkeypatch.setenv("LD_PRELOAD", str(library))
    for name in ("mix.wav", "mix-1.wav", "mix-2.wav"):
        assert run("render", session, out / "mix.wav", "--unique").stdout.startswith(str(out / name))
        assert len(soundfile.read(out / name)[0]) == RATE
    assert sorted(os.listdir(out)) == ["mix-1.wav", "mix-2.wav", "mix.wav"]


def test_what_a_disk_takes_little_by_little_is_whole(make_session, tmp_path, monkeypatch):
    library = interposer("plain_disk", tmp_path)
    session = make_session({"a": steady(RATE, 0.5, 0.25)})
    monkeypatch.setenv("LD_PRELOAD", str(library))
    run("collect", session, tmp_path / "tour")
    assert (tmp_path / "tour/a.wav").read_bytes() == (tmp_path / "a.wav").read_bytes()
    run("layout", "touchosc", session, tmp_path / "x.tosc")
    run("check", tmp_path / "tour/session.json")
    monkeypatch.delenv("LD_PRELOAD")
    run("layout", "touchosc", session, tmp_path / "y.tosc")
    assert (tmp_path / "x.tosc").read_bytes() == (tmp_path / "y.tosc").read_bytes()


def test_a_wav_of_more_than_4_gib_is_whole(make_session, tmp_path):
    if shutil.disk_usage(tmp_path).free < 6 << 30:
        pytest.skip("there is no room for 4 GiB")
    late = {"clips": [{"file": "a.wav"}, {"file": "a.wav", "at": "3:07:00"}]}
    session = make_session({"a": (steady(RATE, 0.5, 0.25), late)})
    run("render", session, tmp_path / "long.wav", timeout=300)
    try:
        assert (tmp_path / "long.wav").stat().st_size > 1 << 32
        with soundfile.SoundFile(tmp_path / "long.wav") as file:
            assert file.format == "RF64" and file.frames == (3 * 3600 + 7 * 60 + 1) * RATE
            file.seek(file.frames - RATE - 1)
            heard = file.read()
        assert heard[0].tolist() == [0, 0] and (heard[1:] == [0.5, 0.25]).all()
    finally:
        (tmp_path / "long.wav").unlink()


def test_what_cannot_be_written_is_said_and_leaves_nothing(make_session, tmp_path):
    session = make_session()
    before = sorted(os.listdir(tmp_path))
    for out, code in (
        ("none/out.wav", 1),
        ("out.xyz", 1),
        ("out", 1),
        ("out.wav --format pcm8", 2),
        ("out.flac --format float", 1),
    ):
        words = out.split()
        assert run("render", session, tmp_path / words[0], *words[1:], code=code).stderr.startswith("jmix: ")
    assert sorted(os.listdir(tmp_path)) == before


def test_an_interrupted_render_leaves_nothing(make_session, tmp_path):
    noise = np.random.default_rng(1).uniform(-0.1, 0.1, (20 * RATE, 2)).astype(np.float32)
    session = make_session(
        {
            f"t{i}": (noise, {"clips": [{"file": f"t{i}.wav", "at": f"{20 * k}s"} for k in range(200)]})
            for i in range(8)
        }
    )
    process = subprocess.Popen([JMIX, "render", session, tmp_path / "out.flac"], stderr=subprocess.PIPE)
    wait_until(lambda: any(name.startswith(".out.") for name in os.listdir(tmp_path)), "the temporary file")
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 130
    assert b"interrupted" in process.stderr.read()
    process.stderr.close()
    assert not [name for name in os.listdir(tmp_path) if "out" in name]


@pytest.mark.parametrize("words", [(), ("--jobs", "1")])
def test_a_render_of_a_hundred_years_begins_at_once_and_can_be_ended(make_session, tmp_path, words):
    """What it holds is cut as it is mixed: nothing grows with how long it is."""
    session = make_session({"tone": steady(RATE, 0.25, 0.25)})
    process = subprocess.Popen(
        [JMIX, "render", session, tmp_path / "out.wav", "--to", "3600000000s", *words], stderr=subprocess.PIPE
    )

    def has_begun():
        return any(
            name.startswith(".out.") and os.stat(tmp_path / name).st_size > 1_000_000
            for name in os.listdir(tmp_path)
        )

    wait_until(has_begun, "it writes")
    with open(f"/proc/{process.pid}/statm") as statm:
        assert int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") < 1 << 30
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 130
    process.stderr.close()
    assert not [name for name in os.listdir(tmp_path) if "out" in name]


def test_progress_is_shown_on_a_terminal_and_not_in_a_pipe(make_session, tmp_path):
    session = make_session()
    assert "%" not in run("render", session, tmp_path / "a.wav").stderr
    terminal, inner = pty.openpty()
    process = subprocess.Popen(
        [JMIX, "render", session, tmp_path / "b.wav"], stderr=inner, stdout=subprocess.DEVNULL
    )
    os.close(inner)
    shown = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(terminal)
    assert process.wait(20) == 0
    assert b"100 %" in shown and shown.endswith(b"\r\x1b[K")


# Bad input: a message with its place, exit 1, and what was on disk is unchanged.


def session_of(tmp_path, file, **fields):
    path = tmp_path / "bad.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 1,
                "tracks": [
                    {"name": "good", "clips": []},
                    {"name": "bad", "clips": [{"file": file, **fields}]},
                ],
            }
        )
    )
    return path


def bad_files(tmp_path):
    whole = np.random.default_rng(1).uniform(-1, 1, (RATE, 2))
    for name, options in (
        ("cut.wav", {}),
        ("cut.aiff", {}),
        ("cut.flac", {}),
        ("cut.w64", {"format": "W64"}),
    ):
        soundfile.write(tmp_path / name, whole, RATE, subtype="PCM_16", **options)
        data = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(data[: len(data) // 2])
    (tmp_path / "empty.wav").write_bytes(b"")
    (tmp_path / "text.wav").write_text("no audio in here")
    (tmp_path / "folder.wav").mkdir()
    os.mkfifo(tmp_path / "pipe.wav")
    soundfile.write(tmp_path / "six.wav", np.zeros((100, 6)), RATE)
    return [
        "cut.wav",
        "cut.aiff",
        "empty.wav",
        "text.wav",
        "folder.wav",
        "pipe.wav",
        "six.wav",
        "missing.wav",
        "cut.w64",
    ]


def test_bad_files_are_named_by_their_place(tmp_path):
    for name in bad_files(tmp_path):
        session = session_of(tmp_path, name)
        before = session.read_bytes()
        done = run("check", session, code=1)
        assert "track 2, clip 1, " in done.stdout and len(done.stdout.splitlines()) == 1, (name, done.stdout)
        done = run("render", session, tmp_path / "out.wav", code=1)
        assert "track 2, clip 1, " in done.stderr, name
        assert not (tmp_path / "out.wav").exists()
        assert session.read_bytes() == before


def test_a_file_whose_end_is_missing_is_found_at_the_latest_while_rendering(tmp_path):
    bad_files(tmp_path)
    done = run("render", session_of(tmp_path, "cut.flac"), tmp_path / "out.wav", code=1)
    assert "cut.flac" in done.stderr
    assert not (tmp_path / "out.wav").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(make_session, tmp_path):
    session = make_session()
    os.chmod(tmp_path / "voice.wav", 0)
    assert "track 2, clip 1, file" in run("check", session, code=1).stdout


@pytest.mark.parametrize(
    "fields, place",
    [({"from": "2s"}, "from"), ({"duration": "30s"}, "duration"), ({"channels": [1, 7]}, "channels")],
)
def test_clips_that_their_files_do_not_hold(tmp_path, fields, place):
    soundfile.write(tmp_path / "a.wav", np.zeros((RATE, 2)), RATE)
    done = run("check", session_of(tmp_path, "a.wav", **fields), code=1)
    assert f"track 2, clip 1, {place}: " in done.stdout


def test_overlapping_clips_are_refused(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.zeros((RATE, 2)), RATE)
    path = tmp_path / "s.json"
    clips = [{"file": "a.wav"}, {"file": "a.wav", "at": "999ms"}]
    path.write_text(json.dumps({"jmix": 1, "tracks": [{"clips": clips}]}))
    assert "track 1, clip 2, at: " in run("check", path, code=1).stdout
    clips[1]["at"] = "1s"
    path.write_text(json.dumps({"jmix": 1, "tracks": [{"clips": clips}]}))
    run("check", path)


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ('{"jmix": 1,\n "tracks": [,]}', "line 2"),
        ("[]", "a session"),
        ('{"jmix": 4}', "newer"),
        ("{}", "jmix"),
        (
            '{"jmix": 1, "tracks": [{"name": "a", "automation": [{"volume": 5}]}]}',
            "track 1, automation 1, volume",
        ),
        ("\xff\xfe", ""),
    ],
)
def test_sessions_that_are_none(tmp_path, text, said):
    path = tmp_path / "s.json"
    path.write_bytes(text.encode("latin-1"))
    for words in (
        ["check", path],
        ["render", path, tmp_path / "out.wav"],
        ["run", "--dummy", "--osc-port", "0", path],
    ):
        done = run(*words, code=1)
        assert said in done.stdout + done.stderr
    assert path.read_bytes() == text.encode("latin-1")
    assert os.listdir(tmp_path) == ["s.json"]


def test_sessions_that_are_not_there(tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        assert "no such file" in run("check", path, code=1).stderr.lower()


def test_missing_files_may_be_left_out(make_session, tmp_path):
    session = make_session()
    os.unlink(tmp_path / "voice.wav")
    assert "--allow-missing" in run("render", session, tmp_path / "out.wav", code=1).stderr
    done = run("render", session, tmp_path / "out.wav", "--allow-missing")
    assert "voice.wav" in done.stderr
    out, _ = soundfile.read(tmp_path / "out.wav")
    assert np.all(out == 0.25 + 0.0625)


def test_usage(tmp_path):
    for words in ([], ["--help"], ["render", "--help"], ["--version"]):
        if words:
            run(*words)
    for words in (
        ["render"],
        ["render", "a"],
        ["check"],
        ["--nonsense"],
        ["run", "--osc-port", "x"],
        ["run", "--dummy", "--server", "x"],
    ):
        run(*words, code=2)
    assert "did you mean jmix render?" in run("rendr", cwd=tmp_path, code=2).stderr
    assert "did you mean jmix check?" in run("chek", "x", cwd=tmp_path, code=2).stderr
    assert "did you mean" not in run("evening", cwd=tmp_path, code=1).stderr


def test_what_the_mix_is_made_of_is_not_replaced_by_it(make_session, tmp_path):
    session = make_session({"a": steady(100, 0.5, 0.5)})
    before = (tmp_path / "a.wav").read_bytes()
    for name in ("a.wav", "../" + tmp_path.name + "/a.wav"):
        assert "part of what is rendered" in run("render", session, tmp_path / name, "--force", code=1).stderr
    os.symlink(tmp_path / "a.wav", tmp_path / "link.wav")
    assert (
        "part of what is rendered" in run("render", session, tmp_path / "link.wav", "--force", code=1).stderr
    )
    assert (tmp_path / "a.wav").read_bytes() == before


@pytest.mark.parametrize("rate", [1, 999, 768_001, 16_000_000, 1_000_000_007])
def test_a_header_that_says_anything_is_not_believed(make_session, tmp_path, rate):
    session = make_session({"a": steady(100, 0.5, 0.5)})
    data = bytearray((tmp_path / "a.wav").read_bytes())
    at = data.index(b"fmt ") + 12
    data[at : at + 4] = rate.to_bytes(4, "little")
    (tmp_path / "a.wav").write_bytes(data)
    assert f"its header says {rate} Hz" in run("check", session, code=1).stdout
    assert f"its header says {rate} Hz" in run("render", session, tmp_path / "out.wav", code=1).stderr


def test_scenes_that_cannot_be_told_apart_are_named(make_session, tmp_path):
    scene = {
        "name": "verse",
        "tracks": [{"track": "a", "fader": 1}, {"track": "a", "fader": 0.5}],
        "master": {"fader": 1, "colour": "red"},
    }
    session = make_session({"a": steady(100, 0.5, 0.5)}, scenes=[scene, {"name": "verse"}, {"name": ""}])
    told = run("check", session, code=1).stdout
    assert (
        "is in the scene already" in told
        and "also the name of scene 1" in told
        and "must not be empty" in told
    )
    assert (
        len([line for line in told.splitlines() if ": note: " not in line]) == 3
        and "scene 1 master, colour" in told
    )


def test_a_scene_keeps_what_is_not_known_of_its_master(mixers, jackd, make_session):
    session = make_session(
        {"a": steady(100, 0.5, 0.5)},
        scenes=[{"name": "verse", "tracks": [], "master": {"fader": 1, "colour": "red"}}],
    )
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    mixer.ctl("scene", "store", "verse")
    mixer.ctl("save")
    assert json.loads(session.read_text())["scenes"][0]["master"]["colour"] == "red"


@pytest.mark.parametrize("rate", [48000, 44100])
def test_clips_have_gains_fades_and_crossfades_of_their_own(tmp_path, jackd, mixers, rate):
    """Two clips that cross over by equal power, each with its gain and its fades; live it is the same."""
    for name, level in (("a", 0.5), ("b", 0.25)):
        soundfile.write(
            tmp_path / f"{name}.wav", np.full((3 * rate, 2), level, np.float32), rate, subtype="FLOAT"
        )
    clips = [
        {
            "file": "a.wav",
            "gain": 0.5,
            "fadeIn": "500ms",
            "fadeInCurve": "scurve",
            "from": "500ms",
            "duration": "2s",
        },
        {
            "file": "b.wav",
            "at": "1s",
            "gain": "6dB",
            "crossfade": "1s",
            "fadeOut": "250ms",
            "fadeOutCurve": "equalpower",
            "from": "500ms",
            "duration": "2s",
        },
    ]
    session = tmp_path / "session.json"
    session.write_text(json.dumps({"jmix": 1, "tracks": [{"name": "t", "clips": clips}]}))
    run("check", session)
    run("render", session, tmp_path / "out.wav")
    mixed, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    t = np.arange(3 * RATE) / RATE
    p = np.clip(t - 1, 0, 1)
    first = 0.25 * (1 - np.cos(np.pi * np.clip(t / 0.5, 0, 1))) / 2 * np.cos(np.pi / 2 * p) * (t < 2)
    q = np.clip((t - 2.75) / 0.25, 0, 1)
    second = 0.25 * 10 ** (6 / 20) * np.sin(np.pi / 2 * p) * np.cos(np.pi / 2 * q) * (t >= 1)
    assert len(mixed) == 3 * RATE
    inside = slice(None) if rate == RATE else slice(200, -200)
    np.testing.assert_allclose(
        mixed[inside, 0], (first + second)[inside], atol=1e-6 if rate == RATE else 1e-4
    )
    with Capture(jackd, ()) as capture:
        mixer = mixers("--server", jackd.name, "--no-connect", "--stop-at-end", session)
        for channel in (1, 2):
            mixer.ctl("connect", f"master_{channel}", f"capture:in_{channel}")
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] == 3, "it has played")
        frames = capture.end()
    start = np.flatnonzero(frames[:, 0])[0] - np.flatnonzero(mixed[:, 0])[0]
    np.testing.assert_array_equal(frames[start : start + 3 * RATE - 300], mixed[:-300])


def test_clips_may_overlap_only_by_their_crossfade(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.ones((4 * RATE, 2), np.float32) / 4, RATE)
    for clips, said in [
        ([{"at": 0}, {"at": "3s"}], "overlaps"),
        ([{"at": 0}, {"at": "3s", "crossfade": "2s"}], "clip 2, crossfade"),
        ([{"at": 0, "crossfade": "1s"}], "no clip lies before it"),
        ([{"at": 0}, {"at": "5s", "crossfade": "1s"}], "ends at 4s"),
        ([{"at": 0, "duration": "1s"}, {"at": 0, "crossfade": "1s"}], "begins at 0s"),
        ([{"at": 0}, {"at": "3s", "crossfade": "1s", "duration": "500ms"}], "lasts 0.5s"),
        (
            [{"at": 0}, {"at": "2s", "crossfade": "2s", "duration": "3s"}, {"at": "3s", "crossfade": "2s"}],
            "clip 3, crossfade",
        ),
    ]:
        session = tmp_path / "session.json"
        session.write_text(
            json.dumps(
                {"jmix": 1, "tracks": [{"name": "t", "clips": [{"file": "a.wav", **clip} for clip in clips]}]}
            )
        )
        problems = run("check", session, code=1).stdout.splitlines()
        assert len(problems) == 1 and said in problems[0], problems


def test_fields_that_nobody_knows_are_named_and_kept(tmp_path):
    text = json.dumps(
        {
            "jmix": 1,
            "tracks": [{"name": "a", "Mute": True, "fadr": 0.5, "colour": "red", "clips": []}],
            "ducks": [{"track": "a", "under": "b", "to": 0.5, "att": "1s"}],
        }
    )
    text = text.replace('"clips": []}', '"clips": []}, {"name": "b", "clips": []}')
    (tmp_path / "s.json").write_text(text)
    said = run("check", tmp_path / "s.json").stdout
    assert (
        'track 1, Mute: nobody here knows the field, which is kept: "mute" is known' in said
        and '"fader" is known' in said
        and "track 1, colour" in said
        and '"attack" is known' in said
    )
    done = run("check", tmp_path / "s.json", "--json")
    assert json.loads(done.stdout) == []
    notes = [json.loads(line)["note"] for line in done.stderr.splitlines()]
    assert len(notes) == said.count(": note: ") and any("track 1, Mute" in note for note in notes)
    assert (tmp_path / "s.json").read_text() == text
    (tmp_path / "s.json").write_text('{"jmix": 1, "tracks": [{"name": "a", "fader": 9, "clips": []}]}')
    (problem,) = json.loads(run("check", tmp_path / "s.json", "--json", code=1).stdout)
    assert problem["place"] == "track 1, fader" and problem["in"] == "a"


def test_objects_of_many_keys_are_read_as_fast_as_they_are_long(tmp_path):
    """Time is bounded by the harness: with a search for each key it took minutes."""
    (tmp_path / "s.json").write_text(
        '{"jmix": 1, "tracks": [{"name": "a", ' + ", ".join(f'"k{n}": {n}' for n in range(200_000)) + "}]}"
    )
    run("edit", tmp_path / "s.json", "mute", "a", "on", timeout=60)
    track = json.loads((tmp_path / "s.json").read_text())["tracks"][0]
    assert track["k199999"] == 199_999 and len(track) > 200_000


def test_a_fault_of_ramps_is_said_as_a_refusal_says_it(make_session):
    events = [{"ramp": [0, 1], "from": "1s", "to": "3s"}, {"ramp": [0, 1], "from": "2s", "to": "4s"}]
    path = make_session({"a": steady(RATE, 0, 0), "b": steady(RATE, 0, 0)})
    session = json.loads(path.read_text())
    session["tracks"][1]["automation"] = events
    path.write_text(json.dumps(session))
    (line,) = run("check", path, code=1).stdout.splitlines()
    assert "track 2, automation 2: The time range of a volume ramp must not overlap" in line
    assert "(track 2: 2s-4s overlaps 1s-3s)" in line


def test_an_end_that_is_no_end_is_named(make_session, tmp_path):
    path = make_session({"a": steady(RATE, 0, 0)})
    for words in (("--to", "0s"), ("--from", "0.5s", "--to", "0.5s")):
        said = run("render", path, tmp_path / "out.wav", *words, code=1).stderr
        assert "--to" in said and "is not after --from" in said, said
