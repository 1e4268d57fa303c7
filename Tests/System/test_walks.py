"""Whole jobs, from an empty folder to the finished thing, as the people do them who asked for it: with
README, docs and --help alone."""

import json
import os
import shutil
import socket
import subprocess

import jack
import mutagen.mp3
import numpy as np
import pytest
import soundfile
from conftest import BUILD, JMIX, JMIXCTL, RATE, ROOT, Capture, Terminal, run, steady, wait_until


@pytest.fixture
def shell(tmp_path):
    """Runs lines as a person types them, in an empty folder, with both programs installed."""
    environment = {**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}

    def type_line(line, code=0, **more):
        done = subprocess.run(
            line,
            shell=True,
            executable="/bin/bash",
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=60,
            env={**environment, **more},
        )
        assert done.returncode == code, (line, done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr

    return type_line


def speech(path, seconds, seed=1):
    """Words and pauses."""
    rng = np.random.default_rng(seed)
    parts, length = [], 0
    while length < seconds * RATE:
        word, pause = int(rng.uniform(0.8, 1.6) * RATE), int(rng.uniform(0.7, 1.5) * RATE)
        tone = np.sin(2 * np.pi * 180 * np.arange(word) / RATE) * rng.uniform(0.15, 0.4)
        parts += [tone, np.zeros(pause)]
        length += word + pause
    soundfile.write(path, np.concatenate(parts)[: int(seconds * RATE)], RATE)


def test_a_podcaster(shell, tmp_path):
    """Three recordings, music that makes way for the speech and not for its pauses, chapters, one loud
    file."""
    t = np.arange(40 * RATE) / RATE
    soundfile.write(
        tmp_path / "music.flac",
        0.4 * np.stack([np.sin(2 * np.pi * 220 * t), np.sin(2 * np.pi * 277 * t)], 1),
        RATE,
    )
    speech(tmp_path / "talk.wav", 30)
    soundfile.write(tmp_path / "jingle.wav", 0.5 * np.sin(2 * np.pi * 880 * t[: 2 * RATE]), RATE)
    said = shell("jmix new episode jingle.wav music.flac talk.wav")
    assert "3 tracks" in said
    shell("jmix edit episode -f - <<< ''", code=2)
    (tmp_path / "script").write_text("""
        move talk 1 5s
        move music 1 1s            # the jingle runs into it
        strip-silence talk --min 0.6s
        duck music --under talk --to -12dB --attack 300ms --release 500ms
        fadein music 1s
        fadeout music 4s
        marker add Opening 0
        marker add Talk 5s
        marker add Outro 35s
    """)
    assert "taken out" in shell("jmix edit episode -f script")
    assert "no problems" in shell("jmix check episode")
    shell("jmix plot episode episode.svg")
    said = shell(
        "jmix render episode episode.mp3 --loudness -16 --limit --bitrate 128k --tag title='Episode 1' "
        "--tag artist=Us"
    )
    assert "now -16.0 LUFS" in said
    file = mutagen.mp3.MP3(tmp_path / "episode.mp3")
    assert [frame.sub_frames["TIT2"].text[0] for frame in file.tags.getall("CHAP")] == [
        "Opening",
        "Talk",
        "Outro",
    ] and file["TIT2"].text == ["Episode 1"]
    assert abs(file.info.length - 41) < 0.1
    # While nobody speaks the music is up, also between two words.
    shell("jmix edit episode mute talk on")
    shell("jmix edit episode mute jingle on")
    shell("jmix render episode bed.wav")
    bed = soundfile.read(tmp_path / "bed.wav")[0]
    clips = json.loads(shell("jmix edit episode clips talk --json"))
    assert len(clips) > 8
    level = [np.abs(bed[n : n + RATE // 20]).max() for n in range(6 * RATE, 34 * RATE, RATE // 20)]
    assert min(level) < 0.11 and max(level) > 0.39, "down under the words, up between them"


def test_a_theatre_operator(tmp_path, jackd, mixers, servers, shell):
    """Cues in scenes, a finger on a fader, a panic, the way back after the server has gone; and tomorrow
    everything is as it was."""
    for name, level in (("rain", 0.25), ("thunder", 0.5), ("waltz", 0.125)):
        soundfile.write(tmp_path / f"{name}.wav", steady(120 * RATE, level, level), RATE, subtype="FLOAT")
    server = servers()
    mixer = mixers("--server", server.name, "--no-connect", "--new", "play", cwd=tmp_path)
    at = {"JMIX_URL": mixer.url}
    for name in ("rain", "thunder", "waltz"):
        shell(f"jmixctl add {name}.wav", **at)
    for line in (
        "volume '*' 0",
        "volume rain 1",
        "scene store act1",
        "volume rain 0",
        "volume waltz 0.5",
        "scene store act2",
        "loop on",
        "save",
    ):
        shell(f"jmixctl {line}", **at)
    shell("jmixctl scene recall act1", **at)
    shell("jmixctl play", **at)
    with Capture(server) as capture:
        shell("jmixctl scene recall act2 200ms", **at)
        wait_until(
            lambda: (
                abs(mixer.json("volume", "waltz")["volume"] - 0.5) < 1e-6
                and mixer.json("volume", "rain")["volume"] == 0
            ),
            "the scene is there",
        )
        capture.hear_more()
        heard = capture.end()[-256:]
    np.testing.assert_allclose(heard, 0.0625, atol=1e-6)
    # A slip is taken back; somebody's finger stays.
    shell("jmixctl remove thunder", **at)
    assert "remove thunder" in shell("jmixctl undo", **at)
    with_finger = mixer.osc()
    with_finger.ask("/track/1/volume/touch", 1)
    assert "finger" in shell("jmixctl scene recall act1", **at)
    shell("jmixctl panic 100ms", **at)
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it is silent and stands")
    with_finger.close()
    # The server goes and comes back.
    shell("jmixctl play", **at)
    name = server.name
    server.process.kill()
    server.process.wait(10)
    wait_until(lambda: not mixer.json("status")["server"], "it is noticed")
    shell("jmixctl volume waltz 0.75", **at)
    server = servers(name=name)
    wait_until(lambda: mixer.json("status")["server"], "it is back")
    wait_until(lambda: mixer.json("position")["state"] == "rolling", "and plays on")
    assert "unsaved" in shell("jmixctl status", **at)
    mixer.end()
    said = shell("jmix check play --unsaved", code=1)
    assert "fader" in said and "--recover" in said
    again = mixers("--server", server.name, "--no-connect", "--recover", "play", cwd=tmp_path)
    assert again.json("volume", "waltz")["volume"] == 0.75
    again.ctl("save")
    again.end()


def test_a_daw_user(tmp_path, jackd, mixers, shell):
    """Each track on ports of its own, connected by name, in step with the transport and round its loop; the
    stems are the render."""
    n = (np.arange(8 * RATE) % 8191 + 1) / 16384
    for name, sign in (("drums", 1), ("bass", -1)):
        soundfile.write(tmp_path / f"{name}.wav", np.stack([n, sign * n], 1), RATE, subtype="FLOAT")
    shell("jmix new song drums.wav bass.wav")
    daw = jack.Client("daw", servername=jackd.name, no_start_server=True)
    inputs = [daw.inports.register(f"in_{i}") for i in (1, 2)]
    daw.activate()
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        "--transport",
        "jack",
        "--direct-outs",
        "post",
        "song",
        cwd=tmp_path,
    )
    at = {"JMIX_URL": mixer.url}
    try:
        wait_until(
            lambda: any(port.name == "jmix:drums_1" for port in daw.get_ports(is_audio=True)),
            "the tracks have ports",
        )
        for channel in (1, 2):
            shell(f"jmixctl connect drums_{channel} daw:in_{channel}", **at)
        assert "daw:in_1" in shell("jmixctl connect", **at)
        daw.transport_frame = 2 * RATE
        wait_until(lambda: mixer.json("position")["seconds"] == 2, "the mixer goes along")
        shell("jmixctl loop 2s 3s", **at)
        daw.transport_start()
        seen = []
        wait_until(
            lambda: seen.append(daw.transport_frame) or any(b < a for a, b in zip(seen, seen[1:])),
            "it goes round",
        )
        daw.transport_stop()
        wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
        shell("jmixctl volume drums --by -6dB", **at)
        shell("jmixctl save", **at)
        mixer.end()
    finally:
        daw.transport_stop()
        daw.close()
    shell("jmix render song mix.wav")
    mixed = soundfile.read(tmp_path / "mix.wav", dtype="float32")[0]
    np.testing.assert_allclose(mixed[:, 0], n * (10 ** (-6 / 20) + 1), atol=2e-6)


def test_a_system_administrator(tmp_path, shell):
    """Installs, reads the manual, lets one network in, pipes a mix on, and takes it all away again."""
    prefix = tmp_path / "usr"
    subprocess.run(
        [os.path.join(ROOT, "scripts/install"), prefix], check=True, capture_output=True, timeout=300
    )
    path = {"PATH": f"{prefix}/bin:{os.environ['PATH']}"}
    for page in ("jmix.1", "jmixctl.1"):
        assert {"jmix.1": "wait\\-for\\-server", "jmixctl.1": "strip\\-silence"}[page] in (
            prefix / "share/man/man1" / page
        ).read_text()
    unit = (prefix / "share/systemd/user/jmix.service").read_text()
    assert "--wait-for-server" in unit and "TimeoutStartSec=infinity" in unit
    soundfile.write(tmp_path / "a.wav", steady(RATE, 0.5, 0.5), RATE)
    shell("jmix new a a.wav", **path)
    assert int(shell("jmix render a - --as flac 2>/dev/null | wc -c", **path)) > 100
    assert "did you mean jmix render" in shell(
        "jmix rendr a o.wav", code=2, **path
    ) and "jmix render" in shell("jmixctl render a o.wav", code=2, **path)
    done = json.loads(shell("jmix render a o.wav --json", **path))
    assert done["frames"] == RATE and done["loudness"] is None
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        assert "no mixer" in shell(
            f"jmixctl --url osc.tcp://127.0.0.1:{probe.getsockname()[1]}/ status", code=3, **path
        )
    subprocess.run(
        [os.path.join(ROOT, "scripts/install"), "--remove", prefix],
        check=True,
        capture_output=True,
        timeout=60,
    )
    assert not [name for _, _, names in os.walk(prefix) for name in names]


def test_a_first_evening_at_the_prompt(tmp_path):
    """A person at a terminal: a session is edited line by line, Tab and history and all, and is there in the
    morning."""
    soundfile.write(tmp_path / "song.wav", steady(3 * RATE, 0.5, 0.5), RATE)
    run("new", tmp_path / "first", tmp_path / "song.wav")
    terminal = Terminal([JMIX, "edit", tmp_path / "first"], width=220)
    try:
        terminal.wait_for("saved at the end")
        terminal.line("tracks")
        assert "0.0 dB" in terminal.wait_for("song")
        terminal.line("volume song --by -6dB")
        terminal.line("play")
        terminal.wait_for("that is for a mixer that plays")
        terminal.line("ramp song 0 1 0s 1s")
        terminal.line("automation song")
        terminal.wait_for("ramp")
        terminal.line("quit")
        terminal.wait_for("[ended 0]")
    finally:
        terminal.end()
    session = json.loads((tmp_path / "first.json").read_text())
    assert abs(session["tracks"][0]["fader"] - 10 ** (-6 / 20)) < 1e-9 and session["tracks"][0]["automation"]
