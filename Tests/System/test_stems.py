"""A file for each strip that goes to the master, in the pass that makes the mix: they add up to it, to the
bit."""

import json
import os
import resource
import signal
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, run, wait_until


@pytest.fixture
def desk(tmp_path):
    """Tracks straight to the master and through buses, sends, ramps, a duck, pans, a DCA; one goes
    nowhere."""
    dice = np.random.default_rng(11)
    for name in "abcd":
        soundfile.write(
            tmp_path / f"{name}.wav",
            (dice.standard_normal((3 * RATE, 2)) * 0.1).astype(np.float32),
            RATE,
            subtype="FLOAT",
        )
    path = tmp_path / "desk.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 2,
                "sampleRate": RATE,
                "tracks": [
                    {
                        "name": "a",
                        "fader": 0.7,
                        "pan": 0.3,
                        "clips": [{"file": "a.wav"}],
                        "automation": [{"ramp": [0, 1], "from": "0s", "to": "1s"}],
                        "sends": [{"to": "hall", "volume": 0.4}],
                    },
                    {"name": "b c", "output": "band", "clips": [{"file": "b.wav", "at": "0.5s"}]},
                    {"name": "d", "clips": [{"file": "c.wav"}], "fadeOut": "1s"},
                    {
                        "name": "none",
                        "output": "none",
                        "clips": [{"file": "d.wav"}],
                        "sends": [{"to": "hall", "pre": True}],
                    },
                ],
                "buses": [{"name": "hall", "output": "band"}, {"name": "band", "fader": 0.9, "pan": -0.2}],
                "dcas": [{"name": "all", "fader": 0.8, "members": ["a", "band"]}],
                "ducks": [{"track": "a", "under": "d", "to": 0.5}],
            }
        )
    )
    return path


def sound(path):
    return soundfile.read(path, dtype="float32")[0]


@pytest.mark.parametrize("words", [[], ["--from", "0.7s", "--to", "2.1s"]])
def test_stems_add_up_to_the_mix(desk, tmp_path, words):
    told = json.loads(
        run("render", desk, tmp_path / "mix.wav", "--stems", tmp_path / "stems", "--json", *words).stdout
    )
    names = [os.path.basename(name) for name in told["stems"]]
    assert names == ["a.wav", "d.wav", "band.wav"] and sorted(os.listdir(tmp_path / "stems")) == sorted(names)
    mix = sound(tmp_path / "mix.wav")
    total = np.zeros_like(mix)
    for name in told["stems"]:
        total += sound(name)
    assert mix.any() and np.array_equal(total, mix)
    # The mix is what it is without them, and they are what they are without it.
    run("render", desk, tmp_path / "alone.wav", *words)
    assert np.array_equal(sound(tmp_path / "alone.wav"), mix)
    said = run("render", desk, "--stems", tmp_path / "again", *words).stdout
    assert "3 stems" in said
    for name in names:
        assert np.array_equal(sound(tmp_path / "again" / name), sound(tmp_path / "stems" / name))


@pytest.mark.parametrize("words", [[], ["--jobs", "1"], ["--from", "0.7s", "--to", "2.1s"]])
def test_one_strip_in_place_of_the_mix(desk, tmp_path, words):
    """What goes to the master is what its stem is; what goes elsewhere is there too."""
    limits = [word for word in words if word not in ("--jobs", "1")]
    run("render", desk, "--stems", tmp_path / "stems", *limits)
    for name in ("a", "d", "band"):
        run("render", desk, tmp_path / "one.wav", "--of", name, "--force", *words)
        assert np.array_equal(sound(tmp_path / "one.wav"), sound(tmp_path / "stems" / f"{name}.wav")), name
    for name in ("none", "4"):
        run("render", desk, tmp_path / "one.wav", "--of", name, "--force", *words)
        start, count = (int(0.7 * RATE), int(1.4 * RATE)) if limits else (0, 3 * RATE)
        assert np.array_equal(
            sound(tmp_path / "one.wav")[:count], sound(tmp_path / "d.wav")[start : start + count]
        ), name
    run("render", desk, tmp_path / "mix.wav", *limits)
    run("render", desk, tmp_path / "one.wav", "--of", "master", "--force", *words)
    assert np.array_equal(sound(tmp_path / "one.wav"), sound(tmp_path / "mix.wav"))


def test_what_is_no_strip_with_a_sound(desk, tmp_path):
    for words, code, said in (
        (("--of", "all"), 1, "a DCA has no sound of its own"),
        (("--of", "nobody"), 1, "no track and no bus of that name"),
        (("--of", "5"), 1, "no track of that number"),
        (("--of", "a", "--stems", tmp_path / "s"), 2, "one of them"),
        (("--of", "a", "--part", "1/2"), 2, "--of is for the whole"),
    ):
        assert said in run("render", desk, tmp_path / "one.wav", *words, code=code).stderr
    assert not (tmp_path / "one.wav").exists() and not (tmp_path / "s").exists()


def test_kinds_of_stems_and_what_is_done_to_the_mix_alone(desk, tmp_path):
    run("render", desk, "--stems", tmp_path / "flacs", "--as", "flac", "--format", "pcm16")
    assert (
        sorted(os.listdir(tmp_path / "flacs")) == ["a.flac", "band.flac", "d.flac"]
        and soundfile.info(tmp_path / "flacs" / "a.flac").subtype == "PCM_16"
    )
    run("render", desk, tmp_path / "plain.wav", "--stems", tmp_path / "one")
    run("render", desk, tmp_path / "loud.wav", "--stems", tmp_path / "two", "--loudness", "-20", "--limit")
    for name in os.listdir(tmp_path / "one"):
        assert np.array_equal(sound(tmp_path / "one" / name), sound(tmp_path / "two" / name))


def test_all_are_replaced_or_none(desk, tmp_path):
    """The last of the stems cannot get its name: what has theirs, and the mix's, stays."""
    stems = tmp_path / "stems"
    (stems / "band.wav").mkdir(parents=True)
    (stems / "d.wav").write_bytes(b"mine")
    (tmp_path / "mix.wav").write_bytes(b"mine too")
    said = run("render", desk, tmp_path / "mix.wav", "--stems", stems, "--force", code=1).stderr
    assert "band.wav" in said and "directory" in said
    # Of "a" there was none, and there is none.
    assert sorted(os.listdir(stems)) == ["band.wav", "d.wav"]
    assert (stems / "d.wav").read_bytes() == b"mine" and (tmp_path / "mix.wav").read_bytes() == b"mine too"
    # The other way round: the mix cannot get its name, which comes behind those of the stems.
    (stems / "band.wav").rmdir()
    (tmp_path / "folder.wav").mkdir()
    said = run("render", desk, tmp_path / "folder.wav", "--stems", stems, "--force", code=1).stderr
    assert "folder.wav" in said
    assert os.listdir(stems) == ["d.wav"] and (stems / "d.wav").read_bytes() == b"mine"
    run("render", desk, tmp_path / "mix.wav", "--stems", stems, "--force")
    assert sorted(os.listdir(stems)) == ["a.wav", "band.wav", "d.wav"]


def test_what_no_other_name_may_be_given_to_comes_back_too(desk, tmp_path):
    """In a folder of several users the system refuses second names for files of others."""
    if os.geteuid() != 0:
        pytest.skip("only root may become another")
    stems = tmp_path / "stems"
    (stems / "band.wav").mkdir(parents=True)
    (stems / "d.wav").write_bytes(b"theirs")
    for folder in (stems, tmp_path, *tmp_path.parents[:3]):
        folder.chmod(folder.stat().st_mode | 0o755)
    stems.chmod(0o777)

    def as_nobody(*words):
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
        return subprocess.run(
            [*other, JMIX, *map(str, words)], capture_output=True, text=True, env=environment
        )

    if as_nobody("check", desk).returncode:
        pytest.skip("another may not come to where this lies")
    done = as_nobody("render", desk, "--stems", stems, "--force")
    assert done.returncode == 1 and "band.wav" in done.stderr, done.stderr
    assert (stems / "d.wav").read_bytes() == b"theirs"
    assert sorted(os.listdir(stems)) == ["band.wav", "d.wav"]


def test_what_is_refused_leaves_nothing(desk, tmp_path):
    assert "say what to write" in run("render", desk, code=2).stderr
    (tmp_path / "stems").mkdir()
    (tmp_path / "stems" / "d.wav").write_bytes(b"mine")
    assert (
        "d.wav: there is such a file already"
        in run("render", desk, tmp_path / "mix.wav", "--stems", tmp_path / "stems", code=1).stderr
    )
    assert os.listdir(tmp_path / "stems") == ["d.wav"] and not (tmp_path / "mix.wav").exists()
    run("render", desk, "--stems", tmp_path / "stems", "--force")
    assert len(os.listdir(tmp_path / "stems")) == 3
    # A stem would replace what is played.
    session = json.loads(desk.read_text())
    session["tracks"][0]["clips"][0]["file"] = "stems/d.wav"
    desk.write_text(json.dumps(session))
    before = (tmp_path / "stems" / "d.wav").read_bytes()
    assert (
        "is part of what is rendered"
        in run("render", desk, "--stems", tmp_path / "stems", "--force", code=1).stderr
    )
    assert (tmp_path / "stems" / "d.wav").read_bytes() == before
    assert "cannot be made" in run("render", desk, "--stems", desk / "x", code=1).stderr
    # The second file is too short: nothing is left of any.
    whole = (tmp_path / "c.wav").read_bytes()
    (tmp_path / "c.wav").write_bytes(whole)
    assert (
        "there is no format"
        in run("render", desk, "--stems", tmp_path / "new", "--format", "pcm20", code=2).stderr
        and not (tmp_path / "new").exists()
    )


def test_stems_of_many_tracks_take_two_open_files_each(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.full((RATE // 10, 2), 0.5, np.float32), RATE, subtype="FLOAT")
    path = tmp_path / "many.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 1,
                "sampleRate": RATE,
                "tracks": [{"name": f"t{n}", "clips": [{"file": "a.wav"}]} for n in range(450)],
            }
        )
    )
    run(
        "render",
        path,
        "--stems",
        tmp_path / "stems",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024)),
    )
    assert len(os.listdir(tmp_path / "stems")) == 450


def test_stems_that_are_cancelled_leave_those_that_were_there(desk, tmp_path):
    run("render", desk, tmp_path / "mix.wav", "--stems", tmp_path / "stems")
    before = {
        path.name: path.read_bytes() for path in (*(tmp_path / "stems").iterdir(), tmp_path / "mix.wav")
    }
    long = json.loads(desk.read_text())
    for track in long["tracks"]:
        track["clips"] = [{**track["clips"][0], "at": f"{4 * n}s"} for n in range(2000)]
    desk.write_text(json.dumps(long))

    def cancel(stems):
        process = subprocess.Popen(
            [JMIX, "render", desk, tmp_path / "mix.wav", "--force", "--stems", stems], stderr=subprocess.PIPE
        )
        wait_until(
            lambda: stems.exists() and any(name.startswith(".") for name in os.listdir(stems)),
            "stems are being written",
        )
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130 and b"interrupted" in process.stderr.read()
        process.stderr.close()

    cancel(tmp_path / "stems")
    assert {
        path.name: path.read_bytes() for path in (*(tmp_path / "stems").iterdir(), tmp_path / "mix.wav")
    } == before
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]
    # A folder that was made for them goes with them.
    cancel(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_the_mix_takes_no_stem_s_name(desk, tmp_path):
    (tmp_path / "stems").mkdir()
    said = run(
        "render", desk, tmp_path / "stems/d.wav", "--stems", tmp_path / "stems", "--force", code=1
    ).stderr
    assert "a stem's" in said and not os.listdir(tmp_path / "stems")
