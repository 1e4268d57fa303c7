"""Equalisers: live and rendered against the W3C's Audio EQ Cookbook in numpy, from the shell, from OSC and in
the session's file."""

import json
import os
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, run, wait_until
from test_live import played
from test_subscribe import Subscriber


def noise(frames, seed=1):
    return np.random.default_rng(seed).normal(0, 0.05, (frames, 2)).astype(np.float32)


def biquad(kind, frequency, gain=0.0, q=0.5**0.5):
    """b and a as the Cookbook writes them."""
    w, A = 2 * np.pi * frequency / RATE, 10 ** (gain / 40)
    c, alpha = np.cos(w), np.sin(w) / (2 * q)
    if kind == "hp":
        return [(1 + c) / 2, -(1 + c), (1 + c) / 2], [1 + alpha, -2 * c, 1 - alpha]
    if kind == "lp":
        return [(1 - c) / 2, 1 - c, (1 - c) / 2], [1 + alpha, -2 * c, 1 - alpha]
    if kind == "bell":
        return [1 + alpha * A, -2 * c, 1 - alpha * A], [1 + alpha / A, -2 * c, 1 - alpha / A]
    root, s = 2 * np.sqrt(A) * alpha, 1 if kind == "lowshelf" else -1
    return (
        [
            A * ((A + 1) - s * (A - 1) * c + root),
            s * 2 * A * ((A - 1) - s * (A + 1) * c),
            A * ((A + 1) - s * (A - 1) * c - root),
        ],
        [
            (A + 1) + s * (A - 1) * c + root,
            -s * 2 * ((A - 1) + s * (A + 1) * c),
            (A + 1) + s * (A - 1) * c - root,
        ],
    )


def filtered(samples, *sections):
    y = samples.astype(np.float64)
    for b, a in sections:
        x, y = y, np.zeros_like(y)
        x1 = x2 = y1 = y2 = np.zeros(2)
        for n in range(len(x)):
            y0 = (b[0] * x[n] + b[1] * x1 + b[2] * x2 - a[1] * y1 - a[2] * y2) / a[0]
            x1, x2, y1, y2 = x[n], x1, y0, y1
            y[n] = y0
    return y


VOICE = [
    biquad("hp", 80),
    biquad("hp", 80),
    biquad("lowshelf", 120, -3),
    biquad("bell", 2000, 4, 1.5),
    biquad("highshelf", 8000, 5),
]
EQ = {
    "hp": 80,
    "hpSlope": 24,
    "bands": [
        {"type": "lowshelf", "freq": 120, "gain": -3},
        {"freq": 400, "gain": 0},
        {"freq": 2000, "gain": 4, "q": 1.5},
        {"type": "highshelf", "freq": 8000, "gain": 5},
    ],
}
WORDS = (
    ("hp", "80", "--slope", 24),
    ("1", "lowshelf"),
    ("1", "120", "-3"),
    ("3", "2k", "4dB", "1.5"),
    ("4", "highshelf"),
    ("4", "8kHz", "5"),
)


@pytest.fixture
def show(tmp_path):
    soundfile.write(tmp_path / "voice.wav", noise(2 * RATE), RATE, subtype="FLOAT")
    (tmp_path / "s.json").write_text(
        json.dumps(
            {
                "jmix": 2,
                "sampleRate": RATE,
                "tracks": [{"name": "voice", "clips": [{"file": "voice.wav"}], "eq": EQ}],
            }
        )
    )
    return tmp_path / "s.json"


def mixed(path, out, *words):
    run("render", path, out, "--force", *words)
    return soundfile.read(out, dtype="float32")[0]


def test_it_is_the_cookbooks_and_the_same_live(mixers, jackd, show, tmp_path):
    mix = mixed(show, tmp_path / "mix.wav")
    wanted = filtered(noise(20000), *VOICE)
    assert np.abs(mix[:20000] - wanted).max() < 1e-6
    live = played(mixers, jackd, show)
    assert np.array_equal(live, mix[: len(live)]), "live and rendered are the same, bit for bit"


def test_the_shell_makes_what_the_file_says(show, tmp_path):
    run("new", tmp_path / "t", tmp_path / "voice.wav")
    for words in WORDS:
        run("edit", tmp_path / "t", "eq", "voice", *words)
    assert json.loads((tmp_path / "t.json").read_text())["tracks"][0]["eq"] == EQ
    assert np.array_equal(mixed(tmp_path / "t", tmp_path / "a.wav"), mixed(show, tmp_path / "b.wav"))
    assert "high pass  80 Hz  24 dB/octave" in run("edit", tmp_path / "t", "eq", "voice").stdout
    run("edit", tmp_path / "t", "eq", "voice", "off")
    assert np.array_equal(mixed(tmp_path / "t", tmp_path / "c.wav"), noise(2 * RATE))
    run("edit", tmp_path / "t", "eq", "voice", "clear")
    assert "eq" not in json.loads((tmp_path / "t.json").read_text())["tracks"][0]
    run("edit", tmp_path / "t", "eq", "master", "hp", "100Hz")
    assert (
        np.abs(
            mixed(tmp_path / "t", tmp_path / "d.wav")[:9000] - filtered(noise(9000), biquad("hp", 100))
        ).max()
        < 1e-6
    )


def test_controllers_move_it_and_are_told(mixers, jackd, show):
    mixer = mixers("--server", jackd.name, "--no-connect", show)
    peer, other = mixer.osc(), mixer.osc()
    assert json.loads(peer.ask("/track/1/eq")[0][1][0]) == EQ
    assert peer.ask("/track/voice/eq/3/gain") == [("/track/voice/eq/3/gain", [4.0])]
    assert peer.ask("/track/1/eq/*/freq") == [
        (f"/track/1/eq/{band}/freq", [float(hz)]) for band, hz in ((1, 120), (2, 400), (3, 2000), (4, 8000))
    ]
    peer.send("/track/1/eq/2/gain", -6.0)
    peer.send("/track/1/eq/on", False)
    peer.send("/master/eq/2/q", 3.0)
    assert peer.ask("/master/eq/2/q") == [("/master/eq/2/q", [3.0])]
    assert other.ask("/track/1/eq/2/gain") == [("/track/1/eq/2/gain", [-6.0])] and other.ask(
        "/track/1/eq/on"
    ) == [("/track/1/eq/on", [0])]
    assert mixer.ctl("undo").strip() == "eq of master"
    for address in (
        "/track/1/eq/9/gain",
        "/track/1/eq/BAND/gain",
        "/master/eq/BAND/freq",
        "/track/*/eq/BAND/q",
        "/track/1/eq/0/q",
    ):
        for value in ((), (1.0,)):
            assert {answer for answer, _ in peer.ask(address, *value)} == {"/error"}, address
    assert mixer.process.poll() is None
    mixer.ctl("name", 1, "BAND")
    assert peer.ask("/track/BAND/eq/3/gain") == [("/track/BAND/eq/3/gain", [4.0])] and peer.ask(
        "/track/BAND/mute"
    ) == [("/track/BAND/mute", [0])]


def test_that_an_equaliser_is_gone_is_told(mixers, jackd, show):
    mixer = mixers("--server", jackd.name, "--no-connect", show)
    subscriber = Subscriber(mixer.port)

    def told(value):
        def hears():
            subscriber.listen(0.1)
            return subscriber.values.get("/track/1/eq/3/gain") == [value]

        wait_until(hears, what=f"{value} dB")

    mixer.ctl("eq", "voice", "3", "2k", "5")
    told(5.0)
    mixer.ctl("eq", "voice", "clear")
    told(0.0)
    mixer.ctl("undo")
    told(5.0)
    subscriber.close()


def test_a_render_is_the_same_however_it_is_cut(show, tmp_path):
    soundfile.write(tmp_path / "voice.wav", noise(40 * RATE), RATE, subtype="FLOAT")
    whole = mixed(show, tmp_path / "mix.wav")
    assert np.array_equal(mixed(show, tmp_path / "jobs.wav", "--jobs", 4), whole)
    for part in (1, 2, 3):
        said = run("render", show, tmp_path / f"p{part}.wav", "--part", f"{part}/3").stderr
        assert "10 s before" in said
    run("join", tmp_path / "joined.wav", *(tmp_path / f"p{part}.wav" for part in (1, 2, 3)))
    assert np.array_equal(soundfile.read(tmp_path / "joined.wav", dtype="float32")[0], whole)


def test_the_bytes_are_the_same_on_another_processor(show, tmp_path):
    """Without what newer processors have, glibc's functions give other bits: none of them is heard."""
    mixed(show, tmp_path / "a.wav")
    environment = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F"}
    subprocess.run(
        [JMIX, "render", show, tmp_path / "b.wav"],
        env=environment,
        check=True,
        timeout=60,
        capture_output=True,
    )
    assert (tmp_path / "a.wav").read_bytes() == (tmp_path / "b.wav").read_bytes()


@pytest.mark.parametrize(
    "words, reason",
    [
        (("hp", "5"), "10.0"),
        (("hp", "loud"), "no frequency"),
        (("5", "100", "3"), "band"),
        (("2", "100", "30"), "24.0"),
        (("2", "100", "3", "0"), "0.1"),
        (("2", "lowshelf"), "bell"),
        (("hp", "80", "--slope", "18"), "12 or 24"),
        (("lp", "--slope", "24"), "frequency first"),
        (("2", "nan", "3"), "frequency"),
        (("sideways",), "takes on, off"),
    ],
)
def test_what_cannot_be_is_said(show, words, reason):
    before = show.read_text()
    done = subprocess.run(
        [JMIX, "edit", show, "eq", "voice", *words], capture_output=True, text=True, timeout=30
    )
    assert done.returncode in (1, 2) and reason in done.stderr, done.stderr
    assert show.read_text() == before


@pytest.mark.parametrize(
    "eq, place",
    [
        ({"hp": 5}, "eq, hp"),
        ({"lp": "x"}, "eq, lp"),
        ({"hp": 80, "hpSlope": 18}, "eq, hpSlope"),
        ({"hpSlope": 24}, "eq, hpSlope"),
        ({"bands": [{}, {"type": "lowshelf"}]}, "eq, band 2, type"),
        ({"bands": [{"gain": 25}]}, "eq, band 1, gain"),
        ({"bands": [{"q": 0}]}, "eq, band 1, q"),
        ({"bands": [{}] * 5}, "eq, bands"),
        ({"bands": [7]}, "eq, band 1"),
        ({"on": 1}, "eq, on"),
        (7, "eq"),
    ],
)
def test_faults_are_named_by_their_place(show, eq, place):
    show.write_text(json.dumps({"jmix": 2, "tracks": [{"name": "voice", "eq": eq}]}))
    done = run("check", show, code=1)
    assert f"track 1, {place}" in done.stdout + done.stderr


def test_what_is_not_known_is_kept(show):
    eq = {**EQ, "tilt": 3, "bands": [{**band, "colour": number} for number, band in enumerate(EQ["bands"])]}
    show.write_text(
        json.dumps(
            {
                "jmix": 2,
                "sampleRate": RATE,
                "tracks": [{"name": "voice", "clips": [{"file": "voice.wav"}], "eq": eq}],
            }
        )
    )
    run("edit", show, "mute", "voice", "on")
    assert json.loads(show.read_text())["tracks"][0]["eq"] == eq
