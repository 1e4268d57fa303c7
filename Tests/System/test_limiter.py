"""Limiters: their formula in numpy, what meters read behind them, that all stays together beside them, live
and rendered."""

import json
import subprocess

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, run, wait_until
from test_dynamics import mixed, speech
from test_live import heard, played

LATENCY = 152
MARGIN = 0.12


def taps(side, shape):
    """For the quarters 1 to 3 behind a frame, of the frames from 1 - side to side."""
    frames = np.arange(1 - side, side + 1)
    return [
        np.sinc(q / 4 - frames) * np.i0(shape * np.sqrt(1 - ((q / 4 - frames) / side) ** 2)) / np.i0(shape)
        for q in (1, 2, 3)
    ]


def quarters(x, kernels):
    side = len(kernels[0]) // 2
    return np.stack([x] + [np.convolve(x, k[::-1])[side : side + len(x)] for k in kernels], 1).ravel()


def highest(points, each):
    """For each frame the highest of its points between the frame before and the one behind."""
    points = np.abs(points).reshape(-1, each)
    behind = points[:, 1:].max(axis=1)
    return np.maximum(np.maximum(points[:, 0], behind), np.concatenate([[0], behind[:-1]]))


# The filter of Annex 2 of BS.1770-5, phase by phase.
PRINTED = np.array(
    [
        [
            0.0017089843750,
            0.0109863281250,
            -0.0196533203125,
            0.0332031250000,
            -0.0594482421875,
            0.1373291015625,
        ]
        + [0.9721679687500, -0.1022949218750, 0.0476074218750, -0.0266113281250, 0.0148925781250]
        + [-0.0083007812500],
        [-0.0291748046875, 0.0292968750000, -0.0517578125000, 0.0891113281250, -0.1665039062500]
        + [0.4650878906250, 0.7797851562500, -0.2003173828125, 0.1015625000000, -0.0582275390625]
        + [0.0330810546875, -0.0189208984375],
    ]
)
PRINTED = np.concatenate([PRINTED, PRINTED[::-1, ::-1]])


def printed_peaks(x):
    """For each frame the highest of the points that a meter by that filter has on either side of it."""
    points = np.max([np.abs(np.convolve(x, phase)) for phase in PRINTED], axis=0)
    behind = points[6 : 6 + len(x)]
    return np.maximum(behind, np.concatenate([[0], behind[:-1]]))


def short_peaks(x):
    return highest(quarters(x, taps(16, 9)), 4)


def long_peaks(x):
    points = quarters(x, taps(48, 3))
    z = np.pad(points, (2, 3))
    n = len(points)
    between = (
        150 * (z[2 : n + 2] + z[3 : n + 3]) - 25 * (z[1 : n + 1] + z[4 : n + 4]) + 3 * (z[:n] + z[5 : n + 5])
    ) / 256
    return highest(np.stack([points, between], 1).ravel(), 8)


def held(asked, reach, back):
    least = np.lib.stride_tricks.sliding_window_view(np.concatenate([asked, np.ones(reach)]), reach + 1).min(
        axis=1
    )
    level, steps = 1.0, np.empty(len(asked))
    for n, wanted in enumerate(least):
        level += (1 - level) * back
        level = min(1.0 if level > 1 - 1e-9 else level, wanted)
        steps[n] = np.floor(level * 2**30) / 2**30
    return np.convolve(np.concatenate([np.ones(reach), steps]), np.ones(reach + 1) / (reach + 1), "valid")


def limited(samples, level, release=0.1):
    """What `LimiterLine` says, of a mix with silence before it."""
    reach, back, ceiling = (
        int(0.0015 * RATE + 0.5),
        1 - np.exp(-1 / (release * RATE)),
        10 ** ((level - MARGIN) / 20),
    )
    x = np.pad(samples.astype(np.float64), ((300, 300), (0, 0)))
    k = np.arange(-23, 24)
    top = (0.5 + 0.5 * np.cos(np.pi * k / 24)) / 24 * np.where(k % 2, -1, 1)
    band = np.stack([np.convolve(side, top, "same") for side in x.T], 1)
    loudest, margin = 0.0, np.empty(len(x))
    for n, value in enumerate(np.abs(band).max(axis=1)):
        loudest = max(value, loudest * 199 / 200)
        margin[n] = 3 * loudest
    over = np.max([short_peaks(side) for side in x.T], axis=0) + margin - ceiling
    share = 1 - held(np.where(over > 0, 1 - np.minimum(1, 2 * over / np.maximum(margin, 1e-9)), 1), 8, back)
    rest = x - share[:, None] * band
    rest[:300] = 0
    peaks = np.max(
        [looked(side) for side in rest.T for looked in (short_peaks, printed_peaks, long_peaks)], axis=0
    )
    gain = held(np.where(peaks > ceiling, ceiling / np.maximum(peaks, ceiling), 1), reach, back)
    return (rest * gain[:, None])[300:-300]


def true_peak(samples):
    """By an oversampling of eight times by the whole spectrum, in dB; without the ends, which go round."""
    n, worst = len(samples), 0
    for side in samples.T:
        spectrum = np.zeros(4 * n + 1, complex)
        spectrum[: n // 2 + 1] = np.fft.rfft(side)
        worst = max(worst, np.abs(np.fft.irfft(spectrum, 8 * n) * 8)[8000:-8000].max())
    return 20 * np.log10(worst)


def meter(path):
    said = subprocess.run(
        ["ffmpeg", "-nostats", "-i", path, "-af", "ebur128=peak=true", "-f", "null", "-"],
        capture_output=True,
        text=True,
        timeout=60,
    ).stderr
    return float(said.split("Peak:")[-1].split()[0])


def noise(frames, gain, seed=4):
    samples = np.random.default_rng(seed).uniform(-1, 1, (frames, 2)) * gain
    samples[: frames // 8] *= 0.05
    samples[frames // 3 : frames // 2] *= 0.3
    samples[:64] = samples[-400:] = 0
    return samples.astype(np.float32)


@pytest.fixture
def show(tmp_path):
    def make(samples, other=None, **session):
        soundfile.write(tmp_path / "loud.wav", samples, RATE, subtype="FLOAT")
        tracks = [{"name": "loud", "clips": [{"file": "loud.wav"}], **session.pop("strip", {})}]
        if other is not None:
            soundfile.write(tmp_path / "other.wav", other, RATE, subtype="FLOAT")
            tracks.append({"name": "other", "clips": [{"file": "other.wav"}], **session.pop("beside", {})})
        (tmp_path / "s.json").write_text(
            json.dumps({"jmix": 2, "sampleRate": RATE, "tracks": tracks, **session})
        )
        return tmp_path / "s.json"

    return make


@pytest.mark.parametrize("level,release", [(-6, 0.1), (-1, 0.1), (-20, 0.02)])
def test_a_limiter_is_its_formula_and_the_same_live(mixers, jackd, show, tmp_path, level, release):
    samples = noise(2 * RATE, 1.4)
    setting = level if release == 0.1 else {"level": level, "release": f"{release}s"}
    path = show(samples, master={"limit": setting})
    mix = mixed(path, tmp_path / "mix.wav")
    assert np.abs(mix - limited(samples, level, release)).max() < 1e-6
    live = played(mixers, jackd, path)
    mix = heard(mix)
    assert np.array_equal(live, mix[: len(live)]), "live and rendered are the same, bit for bit"


def printed_meter(samples):
    return 20 * np.log10(max(printed_peaks(side).max() for side in samples.T))


@pytest.mark.parametrize(
    "name",
    [
        "noise",
        "square",
        "close to half the rate",
        "clicks",
        "speech",
        "a burst",
        "bursts",
        "a quarter of the rate",
    ],
)
def test_no_meter_reads_more(show, tmp_path, name):
    n = np.arange(3 * RATE)
    burst = np.random.default_rng(8).normal(0, 1, 3 * RATE)
    sides = {
        "noise": noise(3 * RATE, 5.0),
        "square": np.sign(np.sin(n * 2 * np.pi * 997 / RATE)) * 2,
        "close to half the rate": 3 * np.sin(n * np.pi * 0.98) * (1 + np.sin(n / 3000)),
        "clicks": (n % 4800 == 0) * 4.0,
        "speech": speech(3 * RATE) * 4,
        "a burst": burst * np.where(n < RATE, 0.02, 1),
        "bursts": burst * np.where(n // 6000 % 2, 3, 0.02),
        "a quarter of the rate": 2 * np.sin(2 * np.pi * 12_144 / RATE * n),
    }
    samples = np.asarray(sides[name], np.float32)
    samples = samples if samples.ndim == 2 else np.stack([samples, samples[::-1]], 1)
    samples[:64] = samples[-400:] = 0
    run("render", show(samples, strip={"limit": -6}), tmp_path / "mix.wav")
    mix = soundfile.read(tmp_path / "mix.wav")[0]
    assert meter(tmp_path / "mix.wav") <= -5.9
    assert true_peak(mix) <= -5.9 and printed_meter(mix) <= -5.9
    run("render", show(samples), tmp_path / "limited.wav", "--limit", "-6dB")
    mix = soundfile.read(tmp_path / "limited.wav")[0]
    assert meter(tmp_path / "limited.wav") <= -5.9
    assert true_peak(mix) <= -5.9 and printed_meter(mix) <= -5.9


def test_what_is_beside_a_limiter_waits_for_it(show, tmp_path):
    loud, other = noise(RATE, 1.4), (0.2 * speech(RATE)).astype(np.float32)
    path = show(
        loud,
        other,
        buses=[
            {"name": "band", "limit": 0},
            {"name": "wet", "automation": [{"ramp": [0, 1], "from": "0s", "to": "0.5s"}]},
        ],
        strip={"limit": -6, "output": "band", "sends": [{"to": "wet", "volume": 0.5, "pre": True}]},
        beside={"automation": [{"ramp": [1, 0], "from": "0s", "to": "1s"}]},
    )
    rising, falling = (
        np.minimum(1, np.arange(RATE) * 2 / RATE)[:, None],
        (1 - np.arange(RATE) / RATE)[:, None],
    )
    wanted = limited(limited(loud, -6), 0) + other * falling + 0.5 * loud * rising
    assert np.abs(mixed(path, tmp_path / "mix.wav") - wanted).max() < 2e-6
    run("render", path, "--stems", tmp_path / "stems")
    stems = sum(soundfile.read(tmp_path / "stems" / f"{name}.wav")[0] for name in ("band", "wet", "other"))
    assert np.abs(stems - wanted).max() < 2e-6


def test_what_is_quiet_passes_as_it_is(show, tmp_path):
    quiet = (0.2 * speech(RATE)).astype(np.float32)
    assert np.array_equal(mixed(show(quiet, master={"limit": -1}), tmp_path / "mix.wav"), quiet)


def test_shell_file_and_controllers_set_it(mixers, jackd, show):
    path = show(noise(RATE, 1.4))
    run("edit", path, "limit", "loud", "-3dB", "--release", "50ms")
    assert json.loads(path.read_text())["tracks"][0]["limit"] == {"level": -3, "release": "0.05s"}
    run("edit", path, "limit", "loud", "--release", "100ms")
    assert json.loads(path.read_text())["tracks"][0]["limit"] == -3
    run("edit", path, "limit", "loud", "off")
    assert json.loads(path.read_text())["tracks"][0]["limit"] == {"on": False, "level": -3}
    run("edit", path, "limit", "loud", "clear")
    assert "limit" not in json.loads(path.read_text())["tracks"][0]
    done = subprocess.run(
        [JMIX, "edit", path, "limit", "loud", "3"], capture_output=True, text=True, timeout=30
    )
    assert done.returncode != 0 and "-40" in done.stderr
    mixer = mixers("--server", jackd.name, "--no-connect", path)
    peer = mixer.osc()
    assert peer.ask("/master/limit", -6.0) == []
    assert peer.ask("/master/limit") == [("/master/limit", ["-6"])]
    assert peer.ask("/master/limit/level") == [("/master/limit/level", [-6.0])]
    mixer.ctl("play")
    wait_until(lambda: peer.ask("/master/limit/reduction")[0][1][0] > 1, "the limiter lowers")
    assert mixer.ctl("limit", "master").strip() == "on  level -6"
    assert peer.ask("/master/limit", "off") == []
    assert mixer.json("limit", "master") == {"on": False, "level": -6}
    mixer.ctl("undo")
    assert mixer.json("limit", "master") == -6


def test_the_server_is_told_how_late_what_comes_in_is(mixers, jackd, show):
    def says(port, direction, frames):
        shown = subprocess.run(
            ["jack_lsp", "-s", jackd.name, "-l", port], capture_output=True, text=True, timeout=10
        ).stdout
        return f"port {direction} latency = [ {frames} {frames} ]" in shown

    mixer = mixers(
        "--server", jackd.name, "--no-connect", show(np.zeros((64, 2), np.float32), master={"limit": -1})
    )
    mixer.ctl("input", "add", "mic", "system:capture_1")
    mixer.ctl("connect", "master_1", "system:playback_1")
    wait_until(lambda: mixer.json("status")["latency"] >= LATENCY, "the mixer says that it is late")
    before = [
        line
        for line in subprocess.run(
            ["jack_lsp", "-s", jackd.name, "-l", "jmix:master_1"], capture_output=True, text=True, timeout=10
        ).stdout.splitlines()
        if "capture latency" in line
    ][0].split()[5]
    mixer.ctl("limit", "master", "off")
    wait_until(
        lambda: says("jmix:master_1", "capture", int(before) - LATENCY),
        "the server knows that it is late no more",
        20,
    )


@pytest.mark.parametrize("outs", ["off", "post"])
def test_a_strip_that_goes_nowhere_makes_the_mix_late_where_it_has_ports(mixers, jackd, make_session, outs):
    """`--direct-outs` gives it some: that is known from the start, and an edit changes nothing."""
    silence = np.zeros((RATE, 2), np.float32)
    session = make_session({"a": silence, "b": (silence, {"output": "none", "limit": -1})})
    mixer = mixers("--server", jackd.name, "--no-connect", "--direct-outs", outs, session)
    latency = LATENCY if outs == "post" else 0
    for second in range(2):
        wait_until(lambda: mixer.json("status")["latency"] == latency, f"a latency of {latency} with {outs}")
        mixer.ctl("ramp", "a", "0.5", "0.8", f"{second}s", f"{second + 1}s")
        mixer.json("tracks")
