"""Strips of other channels than two: their files, their ports, their takes, what is written of them, and what
is refused."""

import json
import struct
import subprocess
import time

import jack
import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, Capture, ports_of, run, wait_until

DOWN = np.float32(0.5**0.5)
SURROUND = [f"jmix:surround_{n}" for n in range(1, 7)]


def numbered(frames, channels):
    """A sample that names its frame and its channel, exact in a float."""
    n = np.arange(1, frames + 1)[:, None] * 8 + np.arange(channels)
    return (n / 2**23).astype(np.float32)


@pytest.fixture
def looker(jackd):
    """A client that looks at ports."""
    client = jack.Client("looker", servername=jackd.name, no_start_server=True)
    yield client
    client.close()


def own_ports(looker):
    return [port.name for port in ports_of(looker, "jmix:")]


@pytest.fixture
def film(tmp_path):
    """A session with a film's sound on a bus of six channels."""
    soundfile.write(tmp_path / "film.wav", numbered(4 * RATE, 6), RATE, subtype="FLOAT", format="WAVEX")
    (tmp_path / "s.json").write_text(
        json.dumps(
            {
                "jmix": 3,
                "sampleRate": RATE,
                "tracks": [
                    {"name": "film", "channels": 6, "output": "surround", "clips": [{"file": "film.wav"}]}
                ],
                "buses": [{"name": "surround", "channels": 6}],
            }
        )
    )
    return tmp_path / "s.json"


def mask(path):
    """Of a WAV the channels that its header tells of, and where they are heard from."""
    head = path.read_bytes()[:128]
    at = head.index(b"fmt ") + 8
    tag, channels = struct.unpack_from("<HH", head, at)
    assert tag == 0xFFFE
    return channels, struct.unpack_from("<I", head, at + 20)[0]


@pytest.mark.parametrize("channels, bits", [(6, 0x60F), (8, 0x63F), (12, 0x2D63F)])
def test_a_file_of_many_channels_keeps_them_on_a_bus_of_as_many(tmp_path, channels, bits):
    soundfile.write(tmp_path / "a.wav", numbered(100_000, channels), RATE, subtype="FLOAT")
    run("new", tmp_path / "s")
    for words in (["add", "a.wav"], ["bus", "add", "wide", "--channels", channels], ["output", "a", "wide"]):
        run("edit", tmp_path / "s", *words, cwd=tmp_path)
    assert json.loads((tmp_path / "s.json").read_text())["jmix"] == 3
    run("render", tmp_path / "s", tmp_path / "out.wav", "--of", "wide")
    samples, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    assert np.array_equal(samples, numbered(100_000, channels))
    assert mask(tmp_path / "out.wav") == (channels, bits)


def test_the_mix_of_it_is_stereo_as_the_table_says(film, tmp_path):
    run("render", film, tmp_path / "mix.wav")
    mix, _ = soundfile.read(tmp_path / "mix.wav", dtype="float32")
    x = numbered(4 * RATE, 6)
    wanted = np.stack(
        [x[:, 0] + DOWN * x[:, 2] + DOWN * x[:, 4], x[:, 1] + DOWN * x[:, 2] + DOWN * x[:, 5]], 1
    )
    assert np.abs(mix - wanted).max() < 1e-6
    run("render", film, tmp_path / "b.wav", "--stems", tmp_path / "stems")
    stem, _ = soundfile.read(tmp_path / "stems/surround.wav", dtype="float32")
    assert np.array_equal(stem, mix), "what enters the master is what the stem holds"


def test_other_programs_read_it(film, tmp_path):
    run("render", film, tmp_path / "s.flac", "--of", "surround")
    for name in ("s.flac", "film.wav"):
        probe = subprocess.run(
            [
                "ffprobe",
                "-v",
                "error",
                "-show_entries",
                "stream=channels,channel_layout",
                "-of",
                "json",
                tmp_path / name,
            ],
            capture_output=True,
            text=True,
            check=True,
            timeout=30,
        )
        assert json.loads(probe.stdout)["streams"][0]["channels"] == 6
    run("render", film, tmp_path / "s.wav", "--of", "surround")
    probe = subprocess.run(
        [
            "ffprobe",
            "-v",
            "error",
            "-show_entries",
            "stream=channel_layout",
            "-of",
            "csv=p=0",
            tmp_path / "s.wav",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert probe.stdout.strip() == "5.1(side)"


def test_loudness_counts_where_a_channel_is_heard_from(film, tmp_path):
    noise = np.random.default_rng(1).normal(0, 0.05, (4 * RATE, 6)).astype(np.float32)
    soundfile.write(tmp_path / "film.wav", noise, RATE, subtype="FLOAT", format="WAVEX")
    done = run(
        "render",
        film,
        tmp_path / "s.wav",
        "--of",
        "surround",
        "--loudness",
        "-23",
        "--limit",
        "-3dB",
        "--json",
    )
    told = json.loads(done.stdout)["loudness"]
    meter = subprocess.run(
        [
            "ffmpeg",
            "-hide_banner",
            "-nostats",
            "-i",
            tmp_path / "s.wav",
            "-af",
            "ebur128=peak=true",
            "-f",
            "null",
            "-",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stderr
    integrated = float(meter.rsplit("I:", 1)[1].split()[0])
    assert abs(integrated + 23) < 0.15, (told, integrated)


def test_its_ports_play_it_and_ports_are_recorded_with_all_channels(mixers, jackd, looker, film, tmp_path):
    mixer = mixers("--server", jackd.name, "--no-connect", film)
    mixer.ctl("output", "surround", "ports")
    mixer.ctl("input", "add", "room", "--channels", "6")
    mixer.ctl("output", "room", "none")
    wait_until(
        lambda: {*SURROUND, *(f"jmix:room_in_{n}" for n in range(1, 7))} <= set(own_ports(looker)),
        "both have six ports",
    )
    for n in range(1, 7):
        mixer.ctl("connect", f"room_in_{n}", f"jmix:surround_{n}")
    mixer.ctl("arm", "room", "on")
    mixer.ctl("record", "on")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 1.5, "it has played")
    meter = mixer.json("meters")
    wide = next(strip for strip in meter if strip.get("bus") == 1)
    assert len(wide["further"]) == 4 and all(channel["peak"] > 0 for channel in wide["further"])
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("clips", "room"), "the take lies on the timeline")
    clip = mixer.json("clips", "room")[0]
    take, _ = soundfile.read(tmp_path / clip["file"], dtype="float32")
    at = round(float(clip["at"].removesuffix("s")) * RATE) if "/" not in clip["at"] else None
    assert take.shape[1] == 6 and mask(tmp_path / clip["file"]) == (6, 0x60F)
    begin = round(take[2000, 0] * 2**23 / 8) - 1 - 2000
    assert at is None or begin == at, "it lies where it was played"
    # The stop fades, and so does what is heard before all is connected.
    assert np.array_equal(take[1000:48000], numbered(4 * RATE, 6)[begin + 1000 : begin + 48000])


def test_channels_are_changed_while_it_plays(mixers, jackd, looker, film):
    mixer = mixers("--server", jackd.name, "--no-connect", film)
    mixer.ctl("play")
    mixer.ctl("output", "surround", "ports")
    for channels, count in ((2, 2), (12, 12), (1, 1), (6, 6)):
        mixer.ctl("channels", "surround", channels)
        wait_until(
            lambda: sum(port.startswith("jmix:surround_") for port in own_ports(looker)) == count,
            f"it has {count} ports",
        )
    assert mixer.json("channels", "bus:1") == {"bus": 1, "channels": 6}
    mixer.ctl("undo")
    assert mixer.json("channels", "surround")["channels"] == 1
    assert mixer.json("status")["dropouts"] == 0


def test_fewer_channels_let_go_of_what_the_others_were_connected_to(film):
    for words in (
        ["connect", "surround_6", "a:6"],
        ["connect", "surround_1", "a:1"],
        ["channels", "surround", "2"],
    ):
        run("edit", film, *words)
    run("check", film)
    assert [link["port"] for link in json.loads(film.read_text())["connections"]] == ["surround_1"]
    run("edit", film, "input", "film", "--channels", "6")
    run("edit", film, "connect", "film_in_6", "a:6")
    run("edit", film, "input", "film", "--stereo")
    run("check", film)
    document = json.loads(film.read_text())
    # Its clips are heard as before: only its input has fewer.
    assert document["tracks"][0]["channels"] == 6 and len(document["connections"]) == 1


@pytest.mark.parametrize(
    "codec, suffix", [("libvorbis", "ogg"), ("libopus", "opus"), ("flac", "flac"), ("aac", "m4a")]
)
def test_a_channel_is_heard_where_it_belongs_whatever_the_kind_of_file(tmp_path, codec, suffix):
    t = np.arange(2 * RATE) / RATE
    tones = [300, 500, 700, 60, 1100, 1300]
    soundfile.write(
        tmp_path / "s.wav",
        np.stack([np.sin(2 * np.pi * hz * t) * 0.2 for hz in tones], 1).astype(np.float32),
        RATE,
        subtype="FLOAT",
        format="WAVEX",
    )
    subprocess.run(
        [
            "ffmpeg",
            "-v",
            "error",
            "-i",
            tmp_path / "s.wav",
            "-af",
            "channelmap=channel_layout=5.1",
            "-c:a",
            codec,
            tmp_path / f"film.{suffix}",
        ],
        check=True,
        timeout=60,
    )
    (tmp_path / "s.json").write_text(
        json.dumps(
            {
                "jmix": 3,
                "sampleRate": RATE,
                "tracks": [{"name": "film", "channels": 6, "clips": [{"file": f"film.{suffix}"}]}],
            }
        )
    )
    run("render", tmp_path / "s.json", tmp_path / "out.wav", "--of", "film")
    samples, _ = soundfile.read(tmp_path / "out.wav")
    part = samples[RATE // 2 : RATE // 2 + RATE]
    assert [int(np.argmax(np.abs(np.fft.rfft(part[:, channel])))) for channel in range(6)] == tones


def test_ports_cross_over_when_a_strip_gets_other_channels(mixers, jackd, tmp_path):
    soundfile.write(tmp_path / "a.wav", np.full((20 * RATE, 2), 0.1, np.float32), RATE, subtype="FLOAT")
    (tmp_path / "s.json").write_text(
        json.dumps(
            {
                "jmix": 3,
                "sampleRate": RATE,
                "tracks": [{"name": "a", "output": "w", "clips": [{"file": "a.wav"}]}],
                "buses": [{"name": "w", "channels": 6}],
            }
        )
    )
    mixer = mixers("--server", jackd.name, "--no-connect", "--direct-outs", "post", tmp_path / "s.json")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.3, "it plays")
    with Capture(jackd, ("jmix:w_1", "jmix:w_2")) as capture:
        for channels in (8, 12, 6, 2, 6, 8):
            mixer.ctl("channels", "w", channels)
            wait_until(lambda: mixer.json("channels", "w")["channels"] == channels, "it has them")
            time.sleep(0.3)  # what is waited for is what would be wrong meanwhile
        samples = capture.end()
    # From where both ports of the capture are connected to where the first is not any more.
    both = np.flatnonzero(np.all(samples != 0, 1))
    samples = samples[both[0] : both[-1] + 1]
    assert len(samples) > 6 * 0.3 * RATE
    wrong = np.flatnonzero(np.any(np.abs(samples - np.float32(0.1)) > 1e-6, 1))
    assert len(wrong) == 0, (
        f"the same sound on the same ports all along: {len(wrong)} frames differ, from {wrong[0]}: "
        f"{samples[wrong[0]]}"
    )


def test_a_matrix_in_a_file_has_numbers(film):
    run("edit", film, "bus", "add", "phones")
    run("edit", film, "send", "film", "phones", "1")
    session = json.loads(film.read_text())
    session["tracks"][0]["sends"][0]["matrix"] = [["-6dB", 1]]
    film.write_text(json.dumps(session))
    said = run("check", film, code=1).stdout
    assert "matrix" in said and "it is a text, where a gain as a number belongs" in said


def test_a_send_has_a_matrix_of_its_own(film, tmp_path):
    """Its sound is a table of sums, for each channel of the bus; it goes with the channels."""
    gains = [[0.5, 0, 0, 0, 0.25, 0], [0, -0.5, 0.125, 0, 0, 1]]
    text = "/".join(",".join(str(gain) for gain in row) for row in gains)
    run("edit", film, "bus", "add", "phones")
    run("edit", film, "output", "phones", "none")
    run("edit", film, "send", "film", "phones", "1", "--pre", "--matrix", text)
    send = json.loads(film.read_text())["tracks"][0]["sends"][0]
    assert send["matrix"] == gains and send["pre"] and json.loads(film.read_text())["jmix"] == 3
    run("render", film, tmp_path / "out.wav", "--of", "phones")
    samples, _ = soundfile.read(tmp_path / "out.wav", dtype="float64")
    wanted = numbered(4 * RATE, 6).astype(np.float64) @ np.array(gains).T
    assert np.max(np.abs(samples - wanted)) < 1e-6
    said = run("edit", film, "sends", "film").stdout
    assert "0.5,0,0,0,0.25,0/0,-0.5,0.125,0,0,1" in said
    run("edit", film, "send", "film", "phones", "--matrix", "standard")
    assert "matrix" not in json.loads(film.read_text())["tracks"][0]["sends"][0]
    run("edit", film, "send", "film", "phones", "--matrix", text)
    run("edit", film, "channels", "phones", "1")
    assert "matrix" not in json.loads(film.read_text())["tracks"][0]["sends"][0]
    run("check", film)


def test_a_matrix_changes_while_it_is_heard(mixers, jackd, looker, film):
    """Left is heard on the right from one moment on; who subscribes is told."""
    mixer = mixers("--server", jackd.name, film)
    mixer.ctl("bus", "add", "phones")
    mixer.ctl("output", "phones", "ports")
    mixer.ctl("send", "film", "phones", "1", "--pre")
    with Capture(jackd, ("jmix:phones_1", "jmix:phones_2")) as capture:
        mixer.ctl("play")
        mixer.ctl("send", "film", "phones", "--matrix", "0,0,0,0,0,0/1,0,0,0,0,0")
        capture.hear_more(1.5 * RATE / 256)
        samples = capture.end()
    peer = mixer.osc()
    asked = peer.ask("/track/1/send/phones/matrix")
    assert asked == [("/track/1/send/phones/matrix", ["0,0,0,0,0,0/1,0,0,0,0,0"])]
    peer.close()
    # Behind the crossfade: the left channel of the file, frame by frame, on the right alone.
    left, right = samples[-RATE:].T
    frame = int(round(float(right[0]) * 2**23)) // 8
    assert np.array_equal(right, numbered(4 * RATE, 6)[frame - 1 : frame - 1 + RATE, 0])
    assert not left.any()
    assert mixer.json("status")["dropouts"] == 0


@pytest.mark.parametrize(
    "words, reason",
    [
        (["send", "film", "surround", "1", "--matrix", "1,0/0,1"], "2 rows of 2"),
        (["send", "film", "none", "--matrix", "1"], "none"),
        (["channels", "film", "2"], "the file has 6 channels"),
        (["channels", "film", "5"], "no number of channels"),
        (["channels", "master", "6"], "master"),
        (["bus", "add", "b", "--channels", "3"], "no number of channels"),
        (["input", "add", "m", "--channels", "1", "a:1", "a:2"], "mono"),
        (["connect", "film_7", "a:1"], "no port"),
    ],
)
def test_what_cannot_be_is_said(film, words, reason):
    done = subprocess.run([JMIX, "edit", film, *words], capture_output=True, text=True, timeout=30)
    assert done.returncode in (1, 2) and reason in done.stderr, done.stderr
    assert json.loads(film.read_text())["tracks"][0]["channels"] == 6


def matrix(gains):
    """A session with a send of two channels to a bus of two."""
    return {"tracks": [{"name": "a", "sends": [{"to": "b", "matrix": gains}]}], "buses": [{"name": "b"}]}


@pytest.mark.parametrize(
    "change, place",
    [
        ({"tracks": [{"name": "a", "channels": 5}]}, "track 1, channels"),
        ({"tracks": [{"name": "a", "channels": "6"}]}, "track 1, channels"),
        ({"buses": [{"name": "a", "channels": 0}]}, "bus 1, channels"),
        ({"tracks": [{"name": "a", "input": {"channels": 3}}]}, "track 1, input, channels"),
        ({"tracks": [{"name": "a", "clips": [{"file": "film.wav"}]}]}, "track 1, clip 1, channels"),
        ({"tracks": [{"name": "a"}], "connections": [{"port": "a_3", "to": "b:c"}]}, "connection 1, port"),
        (matrix([[1, 0]]), "track 1, send 1, matrix"),
        (matrix([[1, 0], [0]]), "track 1, send 1, matrix"),
        (matrix([[5, 0], [0, 1]]), "track 1, send 1, matrix"),
        (matrix("1,0/0,1"), "track 1, send 1, matrix"),
    ],
)
def test_faults_are_named_by_their_place(film, change, place):
    film.write_text(json.dumps({"jmix": 3, **change}))
    done = run("check", film, code=1)
    assert place in done.stdout + done.stderr
