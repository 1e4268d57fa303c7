"""jmix plot and jmix inspect: pictures that show what is played, and what is in files."""

import json
import struct
import subprocess
import zlib

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE


def jmix(*words, code=0):
    result = subprocess.run([JMIX, *map(str, words)], capture_output=True, text=True)
    assert result.returncode == code, result.stderr
    return result


def pixels(path):
    """The picture as rows of RGB; 8 bits a channel, as cairo writes them."""
    data, place, packed = path.read_bytes(), 8, b""
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place : place + 8])
        body = data[place + 8 : place + 8 + length]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
        place += length + 12
    size = {2: 3, 6: 4}[colour]
    lines, before = [], np.zeros(width * size, np.uint8)
    raw = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, -1)
    for line in raw:
        kind, line = line[0], line[1:].astype(np.uint8).copy()
        if kind == 2:
            line += before
        elif kind:
            for i in range(len(line)):
                left = int(line[i - size]) if i >= size else 0
                up, corner = int(before[i]), int(before[i - size]) if i >= size else 0
                guess = left + up - corner
                paeth = min((left, up, corner), key=lambda value: abs(guess - value))
                line[i] = (
                    int(line[i]) + (left if kind == 1 else (left + up) // 2 if kind == 3 else paeth)
                ) & 255
        lines.append(line)
        before = line
    return np.array(lines).reshape(height, width, size)[:, :, :3].astype(int)


@pytest.fixture
def session(tmp_path):
    soundfile.write(tmp_path / "half.wav", np.full((10 * RATE, 2), 0.5), RATE)
    path = tmp_path / "session.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 1,
                "tracks": [
                    {
                        "name": "music",
                        "clips": [{"file": "half.wav"}],
                        "fadeOut": "2s",
                        "automation": [
                            {"volume": 0.5, "at": "0s"},
                            {"ramp": [0.2, 0.8], "from": "2s", "to": "4s"},
                            {"volume": 0.4, "at": "7s"},
                        ],
                    },
                    {"name": "voice", "clips": [{"file": "half.wav", "at": "5s", "duration": "1s"}]},
                ],
                "ducks": [
                    {"track": "music", "under": "voice", "to": 0.5, "attack": "500ms", "release": "500ms"}
                ],
            }
        )
    )
    return path


@pytest.mark.parametrize("theme, colour", [("light", (0xD1, 0x48, 0x0A)), ("dark", (0xFF, 0x9A, 0x4D))])
def test_the_line_is_the_volume_that_is_played(session, tmp_path, theme, colour):
    picture = tmp_path / "plot.png"
    jmix("plot", session, picture, "--theme", theme)
    image = pixels(picture)
    # The page's measures: names 180, right 52, top 46, two rows of 120.
    left, right, bottom, height = 180, 1600 - 52, 46 + 120 - 3 - 1.5, 111

    def volume(t):
        value = 0.5 if t < 2 else 0.2 + 0.3 * (t - 2) if t < 4 else 0.8 if t < 7 else 0.4
        duck = np.interp(t, [4.5, 5, 6, 6.5], [1, 0.5, 0.5, 1])
        return value * duck * min(1, (10 - t) / 2)

    for t in (0.5, 1.5, 2.5, 3.2, 4.2, 4.8, 5.5, 6.2, 6.8, 7.5, 8.5, 9.5):
        x = round(left + t / 10 * (right - left))
        distance = np.abs(image[46:166, x] - colour).sum(axis=1)
        y = 46 + np.flatnonzero(distance < 60).mean()
        assert abs(y - (bottom - volume(t) * height)) < 2.5, t


@pytest.mark.parametrize("lookahead, from_time", [(0, 0), (0.25, 0), (0.25, 4)])
def test_ducks_by_signal_are_drawn(session, tmp_path, lookahead, from_time):
    document = json.loads(session.read_text())
    del document["tracks"][0]["automation"], document["tracks"][0]["fadeOut"]
    # The voice is muted and another is on solo: it ducks all the same. It is at -6 dBFS from 5 s to 6 s.
    document["tracks"][1]["mute"] = document["tracks"][0]["solo"] = True
    document["ducks"][0] |= {"by": "signal", "threshold": -20, "hold": "300ms", "lookahead": f"{lookahead}s"}
    # Another goes by it too, further down.
    document["tracks"].append({"name": "bed", "clips": [{"file": "half.wav"}]})
    document["ducks"].append(document["ducks"][0] | {"track": "bed", "to": 0.2})
    document["jmix"] = 2
    session.write_text(json.dumps(document))
    picture = tmp_path / "plot.png"
    jmix("plot", session, picture, "--from", f"{from_time}s")
    image = pixels(picture)
    left, right, height = 180, 1600 - 52, 111
    for top, to in ((46, 0.5), (46 + 240, 0.2)):
        for t in (4.5, 4.9, 5.2, 5.4, 5.7, 6.2, 6.5, 6.7, 7, 9):
            gain = np.interp(t, np.array([5, 5.5, 6.3, 6.8]) - lookahead, [1, to, to, 1])
            x = round(left + (t - from_time) / (10 - from_time) * (right - left))
            distance = np.abs(image[top : top + 120, x] - (0xD1, 0x48, 0x0A)).sum(axis=1)
            y = top + np.flatnonzero(distance < 60).mean()
            assert abs(y - (top + 120 - 3 - 1.5 - gain * height)) < 2.5, (to, t)


def test_an_equaliser_s_curve_is_drawn(session, tmp_path):
    document = json.loads(session.read_text())
    document["tracks"][1]["eq"] = {
        "hp": 80,
        "hpSlope": 24,
        "lp": 12000,
        "bands": [
            {"type": "lowshelf", "freq": 200, "gain": 6},
            {"type": "bell", "freq": 1000, "gain": -12, "q": 2},
        ],
    }
    document["jmix"] = 2
    session.write_text(json.dumps(document))
    picture = tmp_path / "eq.png"
    assert "voice" in jmix("plot", session, picture, "--eq", "voice").stdout
    image = pixels(picture)
    assert image.shape[:2] == (800, 1600)

    def response(f):
        """The biquads of the Audio EQ Cookbook, at 48 kHz."""
        total, z = 0, np.exp(-2j * np.pi * f / RATE)

        def add(b, a):
            nonlocal total
            total += 20 * np.log10(abs((b[0] + b[1] * z + b[2] * z * z) / (a[0] + a[1] * z + a[2] * z * z)))

        for _ in range(2):
            w = 2 * np.pi * 80 / RATE
            c, alpha = np.cos(w), np.sin(w) / np.sqrt(2)
            add([(1 + c) / 2, -1 - c, (1 + c) / 2], [1 + alpha, -2 * c, 1 - alpha])
        w = 2 * np.pi * 12000 / RATE
        c, alpha = np.cos(w), np.sin(w) / np.sqrt(2)
        add([(1 - c) / 2, 1 - c, (1 - c) / 2], [1 + alpha, -2 * c, 1 - alpha])
        A, w = 10 ** (6 / 40), 2 * np.pi * 200 / RATE
        c, alpha = np.cos(w), np.sin(w) / np.sqrt(2)
        root = 2 * np.sqrt(A) * alpha
        add(
            [
                A * (A + 1 - (A - 1) * c + root),
                2 * A * (A - 1 - (A + 1) * c),
                A * (A + 1 - (A - 1) * c - root),
            ],
            [A + 1 + (A - 1) * c + root, -2 * (A - 1 + (A + 1) * c), A + 1 + (A - 1) * c - root],
        )
        A, w = 10 ** (-12 / 40), 2 * np.pi * 1000 / RATE
        c, alpha = np.cos(w), np.sin(w) / 4
        add([1 + alpha * A, -2 * c, 1 - alpha * A], [1 + alpha / A, -2 * c, 1 - alpha / A])
        return total

    # From 20 Hz to 20 kHz, from -24 to 24 dB.
    left, right, top, bottom = 52, 1580, 40, 766
    for f in (60, 80, 100, 150, 200, 300, 500, 800, 950, 1050, 2000, 5000, 11000, 13000, 16000):
        x = round(left + np.log(f / 20) / np.log(1000) * (right - left))
        f = 20 * 1000 ** ((x + 0.5 - left) / (right - left))
        distance = np.abs(image[top:bottom, x] - (0xD1, 0x48, 0x0A)).sum(axis=1)
        y = top + np.flatnonzero(distance < 60).mean()
        assert abs(y - ((top + bottom) / 2 - response(f) / 24 * (bottom - top) / 2)) < 4, f
    assert "no equaliser" in jmix("plot", session, tmp_path / "no.png", "--eq", "music", code=1).stderr
    assert "--eq nobody" in jmix("plot", session, tmp_path / "no.png", "--eq", "nobody", code=1).stderr
    assert (
        "leave them out"
        in jmix("plot", session, tmp_path / "no.png", "--eq", "voice", "--from", "1s", code=2).stderr
    )


@pytest.mark.parametrize("ending, magic", [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_every_format_is_written_whole_or_not_at_all(session, tmp_path, ending, magic):
    picture = tmp_path / f"plot.{ending}"
    jmix("plot", session, picture, "--width", 800)
    assert picture.read_bytes().startswith(magic)
    assert "exists already" in jmix("plot", session, picture, code=1).stderr
    jmix("plot", session, picture, "--force", "--from", "2s", "--to", "4s")
    assert "cannot write" in jmix("plot", session, tmp_path / f"none/plot.{ending}", code=1).stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["half.wav", f"plot.{ending}", "session.json"]


def test_forty_tracks_missing_files_and_nothing_at_all(session, tmp_path):
    document = json.loads(session.read_text())
    document["tracks"] = [
        dict(document["tracks"][0], name=f"track {number} of a very long name") for number in range(40)
    ] + [{"name": "gone", "clips": [{"file": "gone.wav", "at": "1s"}]}]
    document["ducks"] = []
    session.write_text(json.dumps(document))
    said = jmix("plot", session, tmp_path / "forty.png")
    assert "gone.wav" in said.stderr and "41 tracks" in said.stdout
    assert struct.unpack(">II", (tmp_path / "forty.png").read_bytes()[16:24]) == (1600, 46 + 41 * 44 + 34)
    session.write_text('{"jmix": 1}')
    jmix("plot", session, tmp_path / "empty.svg")
    for words in (["plot.gif"], ["plot.png", "--width", 10], ["plot.png", "--theme", "pink"]):
        jmix("plot", session, tmp_path / words[0], *words[1:], code=2)
    jmix("plot", session, tmp_path / "x.png", "--from", "5s", "--to", "2s", code=1)


def test_inspect_tells_format_duration_peaks_and_loudness(tmp_path):
    t = np.arange(10 * RATE) / RATE
    # EBU Tech 3341, case 1: a stereo sine of 1 kHz at -23 dBFS measures -23 LUFS.
    soundfile.write(
        tmp_path / "tone.wav",
        np.stack([10 ** (-23 / 20) * np.sin(2 * np.pi * 1000 * t)] * 2, axis=1),
        RATE,
        "PCM_24",
    )
    # The same file in one channel is heard on both sides.
    soundfile.write(tmp_path / "mono.flac", 0.5 * np.sin(2 * np.pi * 997 * t[:RATE]), RATE)
    tone, mono = json.loads(jmix("inspect", tmp_path / "tone.wav", tmp_path / "mono.flac", "--json").stdout)
    assert abs(tone["loudness"] + 23) < 0.1 and abs(20 * np.log10(tone["truePeak"]) + 23) < 0.1
    assert (
        tone["frames"] == 10 * RATE
        and tone["duration"] == "10s"
        and tone["channels"] == 2
        and "24 bit" in tone["format"]
    )
    assert abs(mono["peak"] - 0.5) < 1e-3 and abs(mono["loudness"] + 6.0) < 0.2
    text = jmix("inspect", tmp_path / "tone.wav").stdout
    assert "-23.0 LUFS" in text and "0:10.000 (480000 frames)" in text
    soundfile.write(tmp_path / "silent.wav", np.zeros((RATE, 2)), RATE)
    assert "-inf LUFS" in jmix("inspect", tmp_path / "silent.wav").stdout
    failed = jmix("inspect", tmp_path / "gone.wav", tmp_path / "tone.wav", code=1)
    assert "there is no such file" in failed.stderr and "LUFS" in failed.stdout


def test_render_brings_the_mix_to_a_loudness(session, tmp_path):
    rng = np.random.default_rng(1)
    soundfile.write(tmp_path / "half.wav", 0.1 * rng.standard_normal((10 * RATE, 2)), RATE, "FLOAT")
    said = jmix("render", session, tmp_path / "out.wav", "--loudness", -23).stdout
    (report,) = json.loads(jmix("inspect", tmp_path / "out.wav", "--json").stdout)
    assert abs(report["loudness"] + 23) < 0.05
    jmix("render", session, tmp_path / "plain.wav")
    plain, out = soundfile.read(tmp_path / "plain.wav")[0], soundfile.read(tmp_path / "out.wav")[0]
    gain = out[1000, 0] / plain[1000, 0]
    assert np.allclose(out, plain * gain, atol=1e-7)
    assert f"gain of {'+' if gain > 1 else ''}{round(20 * np.log10(gain), 1)} dB" in said
    # Too loud for its peaks: as loud as they let it.
    said = jmix("render", session, tmp_path / "loud.wav", "--loudness", -1, code=4).stdout
    (report,) = json.loads(jmix("inspect", tmp_path / "loud.wav", "--json").stdout)
    assert -1.1 < 20 * np.log10(report["truePeak"]) <= -1 and "true peak above -1.0 dBTP" in said
    jmix("render", session, tmp_path / "x.wav", "--loudness", 3, code=2)


def test_render_finds_a_free_name(session, tmp_path):
    for name in ("out.flac", "out-1.flac", "out-2.flac"):
        assert (tmp_path / name).name in jmix("render", session, tmp_path / "out.flac", "--unique").stdout
        assert (tmp_path / name).exists()
    jmix("render", session, tmp_path / "out.flac", "--unique", "--force", code=2)
    assert jmix("render", session, tmp_path / "out.flac", code=1).stderr.count("--unique")


def test_the_line_may_include_the_fader_and_nothing_is_filled_beside_clips(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.zeros((4 * RATE, 2)), RATE)
    session = tmp_path / "s.json"
    session.write_text(
        json.dumps(
            {
                "jmix": 1,
                "tracks": [
                    {"name": "t", "fader": 0.25, "clips": [{"file": "a.wav"}, {"file": "a.wav", "at": "12s"}]}
                ],
            }
        )
    )

    def drawn(*words):
        jmix("plot", session, tmp_path / "p.png", "--force", "--width", 1600, *words)
        return pixels(tmp_path / "p.png").astype(int)

    def line(picture, x):
        """The row of the volume's line in a column."""
        column = picture[:, x]
        return int(np.flatnonzero((abs(column - [0xD1, 0x48, 0x0A]) < 40).all(axis=1))[0])

    def x(seconds):
        return int(180 + seconds / 16 * (1600 - 180 - 52))

    plain, faders = drawn(), drawn("--with-faders")
    height = faders.shape[0] - 46 - 34 - 6
    assert abs(line(faders, x(2)) - line(plain, x(2)) - 0.75 * height) < 6
    # Under the line it is tinted where a clip is, and nowhere else: the row's own grey.
    for seconds, isClip in ((2, True), (6, False), (13, True), (10, False)):
        assert (list(plain[100, x(seconds)]) == [0xF3, 0xF4, 0xF6]) != isClip, seconds


def test_an_hour_of_many_clips_is_readable(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.full((20 * RATE, 2), 0.5), RATE)
    clips = [{"file": "a.wav", "at": f"{18 * n}s", "duration": "17s"} for n in range(200)]
    (tmp_path / "s.json").write_text(json.dumps({"jmix": 1, "tracks": [{"name": "t", "clips": clips}]}))
    few, many = tmp_path / "few.svg", tmp_path / "many.svg"
    jmix("plot", tmp_path / "s.json", few, "--to", "60s")
    jmix("plot", tmp_path / "s.json", many)
    # Letters are drawn as glyphs: of the names of clips that are a few pixels wide there is none.
    assert many.read_text().count("<use") < few.read_text().count("<use") + 20
