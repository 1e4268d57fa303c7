"""What goes by another strip's level: ducks by signal, keys of compressors and gates; against their formulas
in numpy."""

import json
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, Capture, run, wait_until
from test_dynamics import compressed, gated, mixed, speech
from test_live import heard, played


def ducked(key, to, threshold=-40.0, attack=0.01, hold=0.3, release=0.5):
    """The gain at each frame, from the key's samples."""
    levels, limit = np.abs(key).max(axis=1).astype(np.float64), 10 ** (threshold / 20)
    down, up = (abs(1 - to) / (t * RATE) if t else np.inf for t in (attack, release))
    gain, last, gains = 1.0, None, np.empty(len(levels))
    for n, level in enumerate(levels):
        last = n if level >= limit else last
        goal, step = (to, down) if last is not None and n - last <= round(hold * RATE) else (1.0, up)
        gain = goal if abs(goal - gain) <= step else gain + np.sign(goal - gain) * step
        gains[n] = gain
    return gains


def music(frames):
    return (np.random.default_rng(9).uniform(-0.3, 0.3, (frames, 2))).astype(np.float32)


SHORT = {"attack": "0.02s", "hold": "0.05s", "release": "0.1s"}
TIMES = {"attack": 0.02, "hold": 0.05, "release": 0.1}


@pytest.fixture
def show(tmp_path):
    """A voice that only its own port hears, and music; what else is told."""

    def make(seconds=2, ducks=(), buses=(), voice=None, **strip):
        soundfile.write(tmp_path / "voice.wav", speech(seconds * RATE), RATE, subtype="FLOAT")
        soundfile.write(tmp_path / "music.wav", music(seconds * RATE), RATE, subtype="FLOAT")
        session = {
            "jmix": 2,
            "sampleRate": RATE,
            "ducks": list(ducks),
            "buses": list(buses),
            "tracks": [
                {"name": "music", "clips": [{"file": "music.wav"}], **strip},
                {"name": "voice", "output": "none", "clips": [{"file": "voice.wav"}], **(voice or {})},
            ],
        }
        (tmp_path / "s.json").write_text(json.dumps(session))
        return tmp_path / "s.json"

    return make


def duck(**words):
    return {
        "track": "music",
        "under": "voice",
        "to": 0.3,
        "by": "signal",
        "threshold": "-30dB",
        **SHORT,
        **words,
    }


@pytest.mark.parametrize(
    "words,asked",
    [
        ({}, {}),
        ({"to": 1.5, "hold": "0s"}, {"to": 1.5, "hold": 0}),
        ({"attack": "0s", "release": "0s"}, {"attack": 0, "release": 0}),
        ({"threshold": "-120dB"}, {"threshold": -120}),
    ],
)
def test_a_duck_by_signal_is_its_formula_at_every_frame_and_the_same_live(
    mixers, jackd, show, tmp_path, words, asked
):
    path = show(ducks=[duck(**words)])
    mix = mixed(path, tmp_path / "mix.wav")
    settings = {"to": 0.3, "threshold": -30, **TIMES, **asked}
    assert np.abs(mix - music(2 * RATE) * ducked(speech(2 * RATE), **settings)[:, None]).max() < 1e-6
    live = played(mixers, jackd, path)
    assert np.array_equal(live, mix[: len(live)]), "live and rendered are the same, bit for bit"


def test_a_look_ahead_hears_the_key_earlier_and_all_stays_together(mixers, jackd, show, tmp_path):
    """The key goes to a bus whose automation rises, and by a send to another: what is held back there comes
    with the music."""
    ahead = 5000
    rising = {"name": "rising", "automation": [{"ramp": [0, 1], "from": "0s", "to": "1s"}]}
    path = show(
        ducks=[duck(lookahead=f"{ahead}f")],
        buses=[rising, {"name": "second"}],
        voice={"output": "rising", "sends": [{"to": "second", "volume": 0.5, "pre": True}]},
    )
    key = np.vstack([speech(2 * RATE), np.zeros((ahead, 2), np.float32)])
    gains = ducked(key, 0.3, -30, **TIMES)[ahead:]
    ramp = np.minimum(1, np.arange(2 * RATE) / RATE)
    wanted = music(2 * RATE) * gains[:, None] + speech(2 * RATE) * (ramp + 0.5)[:, None]
    mix = mixed(path, tmp_path / "mix.wav")
    assert np.abs(mix - wanted).max() < 1e-6
    for strip, alone in ("rising", ramp), ("second", 0.5 + 0 * ramp):
        run("render", path, tmp_path / f"{strip}.wav", "--of", strip)
        assert (
            np.abs(soundfile.read(tmp_path / f"{strip}.wav")[0] - speech(2 * RATE) * alone[:, None]).max()
            < 1e-6
        ), strip
    run("render", path, "--stems", tmp_path / "stems")
    stems = sum(
        soundfile.read(tmp_path / "stems" / f"{name}.wav")[0] for name in ("music", "rising", "second")
    )
    assert np.abs(stems - wanted).max() < 1e-6
    live = played(mixers, jackd, path)
    assert np.array_equal(live, mix[: len(live)]), "live and rendered are the same, bit for bit"


def test_the_key_is_heard_behind_its_processors_and_before_its_fader(show, tmp_path):
    path = show(
        ducks=[duck()],
        voice={"trim": 0.5, "gate": {"threshold": -20, "hold": "0s"}, "fader": 0, "mute": True},
    )
    key = gated(speech(2 * RATE) * 0.5, -20, hold=0)
    assert (
        np.abs(
            mixed(path, tmp_path / "mix.wav") - music(2 * RATE) * ducked(key, 0.3, -30, **TIMES)[:, None]
        ).max()
        < 1e-6
    )


def test_a_bus_is_a_key_too_and_a_bus_ducks(show, tmp_path):
    path = show(
        ducks=[duck(under="voices")],
        buses=[{"name": "voices", "output": "none"}],
        voice={"output": "voices", "fader": 0.5},
    )
    mix = mixed(path, tmp_path / "mix.wav")
    assert (
        np.abs(mix - music(2 * RATE) * ducked(speech(2 * RATE) * 0.5, 0.3, -30, **TIMES)[:, None]).max()
        < 1e-6
    )
    path = show(ducks=[duck(track="band")], buses=[{"name": "band"}], output="band")
    mix = mixed(path, tmp_path / "mix.wav")
    assert np.abs(mix - music(2 * RATE) * ducked(speech(2 * RATE), 0.3, -30, **TIMES)[:, None]).max() < 1e-6


def test_a_compressor_and_a_gate_go_by_another(show, tmp_path):
    path = show(
        comp={"threshold": -30, "ratio": 6, "key": "voice"},
        gate={"threshold": -35, "hold": "0.02s", "key": "voice"},
    )
    gate = gated(music(2 * RATE), -35, hold=0.02, key=speech(2 * RATE))
    wanted = compressed(gate, -30, 6, key=speech(2 * RATE))
    assert np.abs(mixed(path, tmp_path / "mix.wav") - wanted).max() < 1e-6


def test_the_shell_makes_what_the_file_says(show, tmp_path):
    path = show()
    run(
        "edit",
        path,
        "duck",
        "music",
        "--under",
        "voice",
        "--to",
        0.3,
        "--by",
        "signal",
        "--threshold",
        "-30dB",
        "--attack",
        "20ms",
        "--hold",
        "50ms",
        "--release",
        "100ms",
    )
    run("edit", path, "comp", "music", -20, 3, "--key", "voice")
    session = json.loads(path.read_text())
    assert session["ducks"] == [duck()]
    assert session["tracks"][0]["comp"] == {"threshold": -20, "key": "voice"}
    run("edit", path, "name", "voice", "anna")
    session = json.loads(path.read_text())
    assert session["ducks"][0]["under"] == "anna" and session["tracks"][0]["comp"]["key"] == "anna"
    run("edit", path, "comp", "music", "--key", "off")
    run("edit", path, "duck", "music", "--under", "anna", "--to", 1)
    session = json.loads(path.read_text())
    assert not session.get("ducks") and session["tracks"][0]["comp"] == {"threshold": -20}
    run(
        "edit", path, "duck", "music", "--under", "anna", "--to", 0.5, "--by", "signal", "--lookahead", "10ms"
    )
    assert json.loads(path.read_text())["ducks"][0]["lookahead"] == "0.01s"
    run("edit", path, "gate", "music", -20, "--key", "anna")
    run("edit", path, "remove", "anna")
    session = json.loads(path.read_text())
    assert not session.get("ducks") and session["tracks"][0]["gate"] == {"threshold": -20}


@pytest.mark.parametrize(
    "words,reason",
    [
        (("duck", "voice", "--under", "music", "--to", 0.3, "--by", "signal"), "loop"),
        (("comp", "voice", -20, 3, "--key", "music"), "loop"),
        (("duck", "music", "--under", "band", "--to", 0.3), "--by signal"),
        (("duck", "music", "--under", "voice", "--to", 0.3, "--hold", "1s"), "by signal"),
        (("duck", "music", "--under", "voice", "--to", 0.3, "--lookahead", "1s"), "by signal"),
        (
            ("duck", "music", "--under", "voice", "--to", 0.3, "--by", "signal", "--lookahead", "2s"),
            "0 to 1 s",
        ),
        (
            ("duck", "music", "--under", "voice", "--to", 0.3, "--by", "magic"),
            "by clips, by signal or by hand",
        ),
        (
            ("duck", "music", "--under", "voice", "--to", 0.3, "--by", "signal", "--threshold", "quiet"),
            "-40dB",
        ),
        (("send", "band", "music"), "no bus"),
        (("comp", "music", -20, 3, "--key", "band"), "loop"),
    ],
)
def test_what_cannot_be_is_said(show, words, reason):
    path = show(ducks=[duck()], buses=[{"name": "band"}], output="band")
    before = path.read_text()
    done = subprocess.run([JMIX, "edit", path, *map(str, words)], capture_output=True, text=True, timeout=30)
    assert done.returncode in (1, 2) and reason in done.stderr, done.stderr
    assert path.read_text() == before


def test_loops_in_a_file_are_named_and_broken(show, tmp_path):
    path = show(ducks=[duck()], voice={"comp": {"key": "music"}})
    done = run("check", path, code=1)
    assert "that would be a loop" in done.stdout + done.stderr and "key" in done.stdout + done.stderr


def test_controllers_set_ducks_by_signal(mixers, jackd, show):
    mixer = mixers("--server", jackd.name, "--no-connect", show())
    peer = mixer.osc()
    assert (
        peer.ask(
            "/duck",
            "music",
            "voice",
            0.3,
            "signal",
            "threshold",
            -30.0,
            "attack",
            "20ms",
            "hold",
            "50ms",
            "release",
            0.1,
        )
        == []
    )
    assert peer.ask("/track/1/comp/key", "voice") == [] and peer.ask("/track/1/comp/key") == [
        ("/track/1/comp/key", ["voice"])
    ]
    assert peer.ask("/track/2/duck", "music", 0.3, "signal")[0][0] == "/error"
    mixer.ctl("save")
    session = json.loads(mixer.session.read_text()) if hasattr(mixer, "session") else None
    assert session is None or session["ducks"] == [duck()]
    mixer.ctl("undo")
    mixer.ctl("undo")


def test_a_render_is_the_same_however_it_is_cut_and_live_after_a_locate(mixers, jackd, show, tmp_path):
    path = show(40, ducks=[duck()], comp={"threshold": -30, "ratio": 3, "key": "voice"})
    whole = mixed(path, tmp_path / "mix.wav")
    assert np.array_equal(mixed(path, tmp_path / "jobs.wav", "--jobs", 4), whole)
    for part in (1, 2, 3):
        assert (
            "s before the part"
            in run("render", path, tmp_path / f"p{part}.wav", "--part", f"{part}/3").stderr
        )
    run("join", tmp_path / "joined.wav", *(tmp_path / f"p{part}.wav" for part in (1, 2, 3)))
    assert np.array_equal(soundfile.read(tmp_path / "joined.wav", dtype="float32")[0], whole)
    # Begun anew at 5 s, whatever has been played before.
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    passes = []
    for start in (1, None):
        if start:
            mixer.ctl("play")
            wait_until(lambda: mixer.json("position")["seconds"] > start, "something has been played")
            mixer.ctl("stop")
            wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
        mixer.ctl("locate", "5s")
        with Capture(jackd) as capture:
            mixer.ctl("play")
            wait_until(lambda: mixer.json("position")["seconds"] > 6, "a second has been played")
            mixer.ctl("stop")
            wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
            passes.append(heard(capture.end())[:40000])
    key, sound = speech(40 * RATE)[5 * RATE :][:40000], music(40 * RATE)[5 * RATE :][:40000]
    wanted = compressed(sound, -30, 3, key=key) * ducked(key, 0.3, -30, **TIMES)[:, None]
    for played in passes:
        assert np.abs(played - wanted).max() < 1e-6


def test_a_pair_of_strips_has_one_duck_by_signal(show):
    done = run("check", show(ducks=[duck(), duck(to=0.5)]), code=1)
    assert "already" in done.stdout + done.stderr
    done = run("check", show(comp={"key": "music"}), code=1)
    assert "cannot be its own" in done.stdout + done.stderr


def test_what_is_live_goes_on_at_a_locate(mixers, jackd, show, tmp_path):
    """A delay would leave a gap as long as it is, and a duck under a live voice would let go of the music."""
    from test_inputs import Steady

    path = show(30, ducks=[duck(under="mic", to=0.2, attack="0.2s", hold="2s")])
    session = json.loads(path.read_text())
    session["jmix"] = 3
    soundfile.write(tmp_path / "music.wav", np.full((30 * RATE, 2), 0.25, np.float32), RATE, subtype="FLOAT")
    with Steady(jackd) as source:
        session["tracks"].append(
            {
                "name": "mic",
                "input": {"channels": 1, "connect": [f"{source.client.name}:out"]},
                "delay": "0.5s",
                "monitor": "input",
            }
        )
        path.write_text(json.dumps(session))
        mixer = mixers("--server", jackd.name, "--no-connect", path)
        wait_until(lambda: all(link["connected"] for link in mixer.json("connect")), "the input is connected")
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 2, "the music has ducked")
        with Capture(jackd) as capture:
            wait_until(lambda: capture.blocks.qsize() > 20, "it is heard")
            mixer.ctl("locate", "8s")
            wait_until(lambda: mixer.json("position")["seconds"] > 8.5, "it plays elsewhere")
            frames = capture.end()[20 * 256 :, 0]
    assert np.abs(frames - (0.5 + 0.25 * 0.2)).max() < 1e-4, (frames.min(), frames.max())
