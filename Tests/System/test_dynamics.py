"""Compressors and gates: live and rendered against their formulas in numpy, from the shell, from OSC and in
the session's file."""

import json
import os
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, Capture, run, steady, wait_until
from test_live import heard, played
from test_subscribe import Subscriber


def speech(frames, seed=1):
    """Noise that goes from loud to quiet and back, some ten times a second, with pauses."""
    random = np.random.default_rng(seed)
    levels = random.choice([0.0, 0.001, 0.01, 0.05, 0.2, 0.7, 0.9], frames // 4000 + 1)
    loudness = np.repeat(levels, 4000)[:frames]
    return (random.uniform(-1, 1, (frames, 2)) * loudness[:, None] * [1, 0.5]).astype(np.float32)


def level(samples):
    return 20 * np.log10(np.maximum(np.abs(samples).max(axis=1).astype(np.float64), 1e-15))


def smoothed(wanted, up, down):
    """The branching smoother; the time constants in seconds."""
    a, r = (np.exp(-1 / (t * RATE)) if t else 0.0 for t in (up, down))
    y, out = 0.0, np.empty(len(wanted))
    for n, x in enumerate(wanted):
        c = a if x > y else r
        y = out[n] = c * y + (1 - c) * x
    return out


def compressed(samples, threshold, ratio, knee=6.0, attack=0.01, release=0.15, makeup=0.0, key=None):
    over = level(samples if key is None else key) - threshold
    slope = 1 - 1 / ratio
    x = np.where(
        2 * over <= -knee,
        0,
        np.where(
            2 * over >= knee, slope * over, slope * (over + knee / 2) ** 2 / np.where(knee == 0, 1, 2 * knee)
        ),
    )
    return samples * (10 ** ((makeup - smoothed(x, attack, release)) / 20))[:, None]


def gated(samples, threshold, close=None, range_=120.0, attack=0.001, hold=0.1, release=0.1, key=None):
    levels, close = level(samples if key is None else key), threshold - 6 if close is None else close
    last, x = None, np.empty(len(levels))
    for n, decibels in enumerate(levels):
        if decibels >= threshold or last is not None and decibels >= close:
            last = n
        if last is not None and n - last > round(hold * RATE):
            last = None
        x[n] = 0 if last is not None else 144 if range_ >= 120 else range_
    y = smoothed(x, release, attack)
    gain = 10 ** (-y / 20)
    gain[(y >= 120)] = 0
    return samples * gain[:, None]


@pytest.fixture
def show(tmp_path):
    def make(seconds=2, **strip):
        soundfile.write(tmp_path / "voice.wav", speech(seconds * RATE), RATE, subtype="FLOAT")
        session = {
            "jmix": 2,
            "sampleRate": RATE,
            "tracks": [{"name": "voice", "clips": [{"file": "voice.wav"}], **strip}],
        }
        (tmp_path / "s.json").write_text(json.dumps(session))
        return tmp_path / "s.json"

    return make


def mixed(path, out, *words):
    run("render", path, out, "--force", *words)
    return soundfile.read(out, dtype="float32")[0]


COMP = {"threshold": -24, "ratio": 4, "attack": "0.005s", "release": "0.08s", "makeup": 3}
GATE = {"threshold": -30, "hold": "0.02s", "release": "0.03s"}


@pytest.mark.parametrize(
    "comp",
    [
        COMP,
        {"threshold": -12, "ratio": 1000, "knee": 0, "attack": "0s", "release": "1s"},
        {"threshold": -60, "ratio": 1.5, "knee": 48},
    ],
)
def test_a_compressor_is_its_formula_and_the_same_live(mixers, jackd, show, tmp_path, comp):
    path = show(comp=comp)
    mix = mixed(path, tmp_path / "mix.wav")
    words = {name: float(str(comp[name]).rstrip("s")) for name in comp}
    ratio = words.pop("ratio")
    wanted = compressed(speech(2 * RATE), ratio=np.inf if ratio == 1000 else ratio, **words)
    assert np.abs(mix - wanted).max() < 1e-6
    sound = played(mixers, jackd, path)
    start = int(np.flatnonzero(mix.any(axis=1))[0])
    assert np.array_equal(sound, mix[start : start + len(sound)]), (
        "live and rendered are the same, bit for bit"
    )


@pytest.mark.parametrize(
    "gate,words",
    [
        (GATE, {"hold": 0.02, "release": 0.03}),
        (
            {"threshold": -30, "close": -50, "range": 12, "hold": "0s"},
            {"close": -50, "range_": 12, "hold": 0},
        ),
        (
            {"threshold": -30, "attack": "0s", "hold": "0s", "release": "0s"},
            {"attack": 0, "hold": 0, "release": 0},
        ),
    ],
)
def test_a_gate_is_its_formula(show, tmp_path, gate, words):
    mix = mixed(show(gate=gate), tmp_path / "mix.wav")
    wanted = gated(speech(2 * RATE), -30, **words)
    assert np.abs(mix - wanted).max() < 1e-6
    if words.get("release") == 0:
        assert not mix[np.abs(wanted).max(axis=1) == 0].any()


def test_a_gate_begins_open_however_late_its_strip_is(mixers, jackd, make_session, tmp_path):
    """A limiter, a look-ahead and a monitor elsewhere make a strip later; it is no other for that: not even
    in its first frames, which are loud."""
    loud = np.random.default_rng(3).uniform(-0.4, 0.4, (3 * RATE, 2)).astype(np.float32)
    gate = {"threshold": -50, "attack": "0.05s", "hold": "0s", "release": "0.005s"}
    quiet = np.zeros((3 * RATE, 2), np.float32)
    path = make_session({"voice": (loud, {"gate": gate}), "quiet": quiet}, jmix=2)
    wanted = mixed(path, tmp_path / "mix.wav")
    formula = gated(loud, -50, attack=0.05, hold=0, release=0.005)
    assert np.abs(wanted - formula).max() < 1e-6 and np.array_equal(wanted[0], loud[0])
    duck = ("quiet", "--under", "voice", "--to", 0.3, "--by", "signal", "--lookahead")
    for words in (("limit", "quiet", -1), ("duck", *duck, "100ms"), ("duck", *duck, "1s")):
        run("edit", path, *words)
        assert np.array_equal(mixed(path, tmp_path / "mix.wav"), wanted), words
        assert np.array_equal(mixed(path, tmp_path / "mix.wav", "--of", "voice"), wanted), words
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    for source in ("solo", "voice"):
        mixer.ctl("monitor", "source", source)
        mixer.ctl("locate", 0)
        with Capture(jackd) as capture:
            mixer.ctl("play")
            wait_until(lambda: mixer.json("position")["seconds"] > 2, "2 s have been played")
            sound = heard(capture.end())[:20000]
        mixer.ctl("stop")
        assert np.array_equal(sound, wanted[:20000]), source


def test_the_gate_stands_before_the_compressor(show, tmp_path):
    mix = mixed(show(gate=GATE, comp=COMP, trim=0.5), tmp_path / "mix.wav")
    wanted = compressed(
        gated(speech(2 * RATE) * 0.5, -30, hold=0.02, release=0.03),
        -24,
        4,
        attack=0.005,
        release=0.08,
        makeup=3,
    )
    assert np.abs(mix - wanted).max() < 1e-6


def test_the_master_has_them_too(show, tmp_path):
    path = show()
    run("edit", path, "comp", "master", -24, "4:1", "--attack", "5ms", "--release", "80ms", "--makeup", "3dB")
    assert json.loads(path.read_text())["master"]["comp"] == COMP
    assert (
        np.abs(
            mixed(path, tmp_path / "mix.wav")
            - compressed(speech(2 * RATE), -24, 4, attack=0.005, release=0.08, makeup=3)
        ).max()
        < 1e-6
    )


def test_the_shell_makes_what_the_file_says(show, tmp_path):
    path = show()
    plain = mixed(path, tmp_path / "a.wav")
    run("edit", path, "comp", "voice", -24, 4, "--attack", "5ms", "--release", "80ms", "--makeup", 3)
    run("edit", path, "gate", "voice", "-30dB", "--hold", "20ms", "--release", "30ms")
    track = json.loads(path.read_text())["tracks"][0]
    assert track["comp"] == COMP and track["gate"] == GATE
    assert (
        run("edit", path, "comp", "voice").stdout.strip()
        == "on  threshold -24  ratio 4  attack 0.005s  release 0.08s  makeup 3"
    )
    run("edit", path, "comp", "voice", "--ratio", "inf")
    assert json.loads(path.read_text())["tracks"][0]["comp"]["ratio"] == 1000
    run("edit", path, "comp", "voice", "off")
    run("edit", path, "gate", "voice", "clear")
    track = json.loads(path.read_text())["tracks"][0]
    assert track["comp"] == {"on": False, **COMP, "ratio": 1000} and "gate" not in track
    assert np.array_equal(mixed(path, tmp_path / "b.wav"), plain)
    assert run("edit", path, "gate", "voice").stdout.strip() == "no gate"


def test_controllers_move_it_and_are_told(mixers, jackd, show):
    mixer = mixers("--server", jackd.name, "--no-connect", show(60, comp=COMP))
    peer, other = mixer.osc(), mixer.osc()
    subscriber = Subscriber(mixer.port)
    assert json.loads(peer.ask("/track/1/comp")[0][1][0]) == COMP
    assert peer.ask("/track/voice/comp/threshold") == [("/track/voice/comp/threshold", [-24.0])]
    assert peer.ask("/track/1/comp/attack") == [("/track/1/comp/attack", [5.0])], "in milliseconds"
    peer.send("/track/1/comp/release", 250.0)
    peer.send("/master/gate/threshold", -60.0)
    assert peer.ask("/master/gate/close") == [("/master/gate/close", [-66.0])]
    assert other.ask("/track/1/comp/release") == [("/track/1/comp/release", [250.0])]
    assert json.loads(peer.ask("/master/gate")[0][1][0]) == {"threshold": -60}
    assert mixer.ctl("undo").strip() == "gate of master"
    assert peer.ask("/track/1/comp", "threshold", -30.0, "ratio", 2.0) == []
    assert json.loads(other.ask("/track/1/comp")[0][1][0]) == {
        **COMP,
        "threshold": -30,
        "ratio": 2,
        "release": "0.25s",
    }
    for address, value in (
        ("/track/1/comp/ratio", 0.5),
        ("/track/1/comp/threshold", 30.0),
        ("/track/1/comp/reduction", 3.0),
        ("/track/1/comp/key", "nobody"),
        ("/track/1/comp/key", "voice"),
    ):
        assert {answer for answer, _ in peer.ask(address, value)} == {"/error"}, address
    mixer.ctl("play")

    def lowers():
        subscriber.listen(0.1)
        return (subscriber.values.get("/track/1/comp/reduction") or [0])[0] > 1

    wait_until(lowers, what="a subscriber is told of the reduction", seconds=20)
    assert 0 <= peer.ask("/track/1/comp/reduction")[0][1][0] < 100
    subscriber.close()


def test_a_render_is_the_same_however_it_is_cut(show, tmp_path):
    path = show(40, comp=COMP, gate=GATE)
    whole = mixed(path, tmp_path / "mix.wav")
    assert np.array_equal(mixed(path, tmp_path / "jobs.wav", "--jobs", 4), whole)
    for part in (1, 2, 3):
        said = run("render", path, tmp_path / f"p{part}.wav", "--part", f"{part}/3").stderr
        assert "before the part is mixed too" in said
    run("join", tmp_path / "joined.wav", *(tmp_path / f"p{part}.wav" for part in (1, 2, 3)))
    assert np.array_equal(soundfile.read(tmp_path / "joined.wav", dtype="float32")[0], whole)
    said = run("render", path, tmp_path / "from.wav", "--from", "1s").stderr
    assert "processors begin at 1s" in said, said


def test_the_bytes_are_the_same_on_another_processor(show, tmp_path):
    path = show(comp=COMP, gate=GATE)
    mix = mixed(path, tmp_path / "mix.wav")
    environment = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F"}
    subprocess.run([JMIX, "render", path, tmp_path / "old.wav"], check=True, env=environment, timeout=60)
    assert np.array_equal(soundfile.read(tmp_path / "old.wav", dtype="float32")[0], mix)


@pytest.mark.parametrize(
    "words,reason",
    [
        (("comp", "voice", "loud", 3), "no threshold"),
        (("comp", "voice", -20, 0.5), "1.0 to 1000.0"),
        (("comp", "voice", -20), "the ratio"),
        (("gate", "voice", -20, "--hold", "100f"), "no frames"),
        (("gate", "voice", -20, "--hold", "2h"), "not a time"),
        (("comp", "nobody", -20, 3), "nobody"),
        (("comp", "voice", -20, 3, "--key", "voice"), "cannot be its own"),
        (("comp", "voice", -20, 3, "--key", "master"), "a track or a bus"),
    ],
)
def test_what_cannot_be_is_said(show, words, reason):
    path = show()
    before = path.read_text()
    done = subprocess.run([JMIX, "edit", path, *map(str, words)], capture_output=True, text=True, timeout=30)
    assert done.returncode in (1, 2) and reason in done.stderr, done.stderr
    assert path.read_text() == before


@pytest.mark.parametrize(
    "strip,place",
    [
        ({"comp": {"threshold": "loud"}}, "comp, threshold"),
        ({"comp": {"ratio": 0}}, "comp, ratio"),
        ({"gate": {"threshold": -30, "hold": "61s"}}, "gate, hold"),
        ({"comp": {"threshold": -20, "key": "nobody"}}, "comp, key"),
        ({"gate": []}, "gate"),
        ({"gate": {"on": 1}}, "gate, on"),
    ],
)
def test_faults_are_named_by_their_place(show, strip, place):
    done = run("check", show(**strip), code=1)
    assert f"track 1, {place}" in done.stdout + done.stderr


def test_what_is_not_known_is_kept(show):
    path = show(comp={**COMP, "colour": "warm"})
    run("edit", path, "comp", "voice", "--makeup", 1)
    assert json.loads(path.read_text())["tracks"][0]["comp"] == {**COMP, "makeup": 1, "colour": "warm"}


@pytest.mark.parametrize(
    "asked,frames",
    [
        ("12ms", 576),
        ("0.5s", 24000),
        ("12m", round(12 / 343.2 * RATE)),
        ("40ft", round(40 * 0.3048 / 343.2 * RATE)),
        ("2s", 2 * RATE),
    ],
)
def test_a_delay_is_exact_to_the_frame_and_the_same_live(mixers, jackd, show, tmp_path, asked, frames):
    path = show(4)
    run("edit", path, "delay", "voice", asked)
    session = json.loads(path.read_text())
    assert session["jmix"] == 3 and session["tracks"][0]["delay"].endswith("s")
    mix, sound = mixed(path, tmp_path / "mix.wav"), speech(4 * RATE)
    assert not mix[:frames].any() and np.array_equal(mix[frames:], sound[: len(mix) - frames])
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    peer = mixer.osc()
    assert peer.ask("/track/1/delay") == [("/track/1/delay", [session["tracks"][0]["delay"]])]
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 3, "three seconds have been played")
        live = heard(capture.end())[:40000]
    sounding = sound[int(np.flatnonzero(sound.any(axis=1))[0]) :]
    assert np.array_equal(live, sounding[: len(live)])
    mixer.ctl("delay", "voice", "off")
    assert peer.ask("/track/1/delay") == [("/track/1/delay", ["0s"])]
    assert peer.ask("/track/1/delay", 0.25) == [] and peer.ask("/track/1/delay") == [
        ("/track/1/delay", ["0.25s"])
    ]
    for value in ("3s", "-1ms", "100f", "700m", "far", 2.5):
        assert peer.ask("/track/1/delay", value)[0][0] == "/error"


def test_a_part_remembers_what_opened_a_gate_long_ago(show, tmp_path):
    path = show(40, gate={"threshold": -20, "hold": "60s"})
    sound = np.full((40 * RATE, 2), 0.003, np.float32)
    sound[:RATE] = 0.5
    soundfile.write(tmp_path / "voice.wav", sound, RATE, subtype="FLOAT")
    whole = mixed(path, tmp_path / "mix.wav")
    assert whole[30 * RATE, 0] > 0.002
    for part in (1, 2):
        run("render", path, tmp_path / f"p{part}.wav", "--part", f"{part}/2")
    run("join", tmp_path / "joined.wav", tmp_path / "p1.wav", tmp_path / "p2.wav")
    assert np.array_equal(soundfile.read(tmp_path / "joined.wav", dtype="float32")[0], whole)


def test_a_gate_closes_below_where_it_opens(mixers, jackd, show):
    path = show()
    done = subprocess.run(
        [JMIX, "edit", path, "gate", "voice", "-60", "--close", "0"],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 1 and "closes below where it opens" in done.stderr
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    peer = mixer.osc()
    # In whichever order.
    assert peer.ask("/track/1/gate", "close", -50.0, "threshold", -30.0) == [] and peer.ask(
        "/track/1/gate/close"
    ) == [("/track/1/gate/close", [-50.0])]
    # What was set in range stays so.
    mixer.ctl("gate", "voice", 24, "--close", -168)
    mixer.ctl("gate", "voice", -120)
    mixer.ctl("save")
    run("check", path)
    assert peer.ask("/track/1/gate/close", 0.0)[0][0] == "/error"
    mixer.ctl("name", "voice", "off")
    mixer.ctl("bus", "add", "b")
    assert peer.ask("/bus/1/comp/key", "off") == [] and peer.ask("/bus/1/comp/key") == [
        ("/bus/1/comp/key", ["off"])
    ]
    for words in (("comp", 1, -20, "0x10"), ("comp", 1, "-20dB:1", 3), ("comp", 1, -20, "3dB")):
        mixer.ctl(*words, code=2)
    mixer.ctl("delay", 1, "0x10m", code=1)


@pytest.mark.parametrize("asked, frames", [("1ms", 48), ("10ms", 480), ("100ms", 4800)])
def test_a_delay_is_turned_on_and_off_without_a_step(mixers, jackd, make_session, asked, frames):
    tracks = {"music": steady(20 * RATE, 0.5, 0.5)}
    mixer = mixers("--server", jackd.name, "--no-connect", make_session(tracks))
    mixer.ctl("play")
    with Capture(jackd) as capture:
        wait_until(lambda: capture.blocks.qsize() > 20, "it is heard")
        mixer.ctl("delay", "music", asked)
        wait_until(lambda: mixer.json("delay", "music")["delay"] != "0s", "it is on")
        capture.hear_more(frames // 256 + 20)
        mixer.ctl("delay", "music", "off")
        capture.hear_more(20)
        samples = capture.end()[:, 0]
    samples = samples[int(np.flatnonzero(samples == 0.5)[0]) :]
    # 5 ms from the one to the other, and nothing faster.
    assert np.abs(np.diff(samples)).max() <= 1.01 * 0.5 / 240, np.abs(np.diff(samples)).max()
    assert samples[-1] == 0.5 and (samples == 0).sum() >= frames - 240
    assert (np.diff(np.flatnonzero(samples < 0.5)) > 1).sum() == 0, "one gap, and none when it is turned off"


def test_what_is_not_live_is_silent_at_a_standstill_also_behind_a_delay(mixers, jackd, show):
    """Another track's input has everything mixed at a standstill."""
    path = show(20)
    session = json.loads(path.read_text())
    session["jmix"] = 3
    session["tracks"][0]["output"] = "b"
    session["tracks"].append({"name": "mic", "input": {"channels": 1}, "output": "none"})
    session["buses"] = [{"name": "b", "delay": "1s", "comp": {"threshold": -60, "ratio": 10}}]
    path.write_text(json.dumps(session))
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 3, "three seconds have been played")
        assert mixer.osc().ask("/bus/1/comp/reduction")[0][1][0] >= 0
        mixer.ctl("stop")
        wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
        end = capture.blocks.qsize()
        wait_until(lambda: capture.blocks.qsize() > end + 60, "it stands for a while")
        frames = capture.end()
    assert not frames[-40 * 256 :].any()
    assert mixer.osc().ask("/bus/1/comp/reduction")[0][1][0] == 0


def test_so_many_strips_have_a_delay_and_no_more(mixers, jackd, show):
    path = show()
    session = json.loads(path.read_text())
    session["jmix"] = 3
    session["tracks"] += [{"name": f"t{number}", "clips": [], "delay": "1ms"} for number in range(63)]
    path.write_text(json.dumps(session))
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    mixer.ctl("delay", "voice", "2ms")
    assert "at most 64" in mixer.ctl("delay", "master", "1ms", code=1)
    mixer.ctl("delay", "*", "3ms")
    mixer.ctl("delay", "t0", "off")
    mixer.ctl("delay", "master", "1ms")
    session["tracks"] += [
        {"name": "more", "clips": [], "delay": "1ms"},
        {"name": "most", "clips": [], "delay": "1ms"},
    ]
    path.write_text(json.dumps(session))
    done = run("check", path, code=1)
    assert "at most 64" in done.stdout + done.stderr


def test_a_compressor_behind_a_duck_is_noted(show):
    path = show(output="band")
    session = json.loads(path.read_text())
    session["tracks"].append({"name": "talk", "clips": [{"file": "voice.wav", "duration": "1s"}]})
    session["buses"] = [{"name": "band"}]
    session["ducks"] = [{"track": "voice", "under": "talk", "to": 0.3}]
    for strip, says in (("band", "compressor of band"), ("master", "compressor of master"), (None, None)):
        session["buses"][0]["comp"], session["master"] = (
            {"on": strip == "band"},
            {"comp": {"on": strip == "master"}},
        )
        path.write_text(json.dumps(session))
        said = run("check", path).stdout
        assert ("note: duck 1" in said and says in said) if says else "note" not in said, said
