"""`jmix run` on a real JACK server: what its ports play, compared with the formula and with the render."""

import json
import os
import signal
import subprocess
import threading
import time

import jack
import numpy as np
import pytest
import soundfile
from conftest import (
    JMIX,
    JMIXCTL,
    RATE,
    Capture,
    bundle,
    children,
    run,
    running,
    steady,
    wait_until,
)
from test_render import REFERENCE, reference_gain

pytestmark = pytest.mark.alone


def heard(frames):
    """From the first frame that is not silence on."""
    return frames[np.flatnonzero(np.abs(frames).max(1) > 0)[0] :]


def played(mixers, server, path, seconds=1, frames=40000):
    """What a mixer plays of a session from its first frame that is not silence on."""
    mixer = mixers("--server", server.name, "--no-connect", path)
    with Capture(server) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > seconds, f"{seconds} s have been played")
        return heard(capture.end())[:frames]


def test_the_reference_automation_is_heard_frame_by_frame(mixers, jackd, make_session, tmp_path):
    n = (np.arange(9 * RATE) % 8191 + 1) / 8192
    session = make_session({"a": (np.stack([n, -n], 1).astype(np.float32), {"automation": REFERENCE})})
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 9, "the end is reached")
        frames = heard(capture.end())[: 9 * RATE]
    gain = reference_gain(9 * RATE)
    assert np.abs(frames[:, 0] - n * gain).max() < 1e-6
    assert np.abs(frames[:, 1] + n * gain).max() < 1e-6
    run("render", session, tmp_path / "out.wav")
    out, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    assert np.array_equal(frames, out)
    assert mixer.json("status")["dropouts"] == 0


def test_a_ramp_from_the_shell_changes_what_is_heard(mixer, jackd):
    mixer.ctl("locate", "1.5s")
    mixer.ctl("mute", 1, "on")
    mixer.ctl("mute", 3, "on")
    mixer.ctl("ramp", 2, 0.5, 0.8, "2s", "4s")
    said = mixer.ctl("ramp", 2, 0.1, 0.2, "3s", "5s", code=1)
    assert (
        "The time range of a volume ramp must not overlap the time range of an existing volume ramp (track "
        "2: 3s-5s overlaps 2s-4s)" in said
    )
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 4.2, "4.2 s are reached")
        frames = heard(capture.end())
    t = 1.5 + np.arange(int(2.7 * RATE)) / RATE
    gain = np.where(t < 2, 1, np.where(t < 4, 0.5 + 0.3 * (t - 2) / 2, 0.8))
    assert np.abs(frames[: len(t), 0] - 0.125 * gain).max() < 1e-6


def test_a_ramp_while_it_plays_is_heard_from_then_on(mixer, jackd):
    mixer.ctl("mute", 1, "on")
    mixer.ctl("mute", 3, "on")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        mixer.ctl("ramp", 2, 0.5, 0.8, "2s", "4s")
        wait_until(lambda: mixer.json("position")["seconds"] > 4.2, "4.2 s are reached")
        frames = heard(capture.end())
    t = np.arange(int(4.2 * RATE)) / RATE
    gain = np.where(t < 2, 1, np.where(t < 4, 0.5 + 0.3 * (t - 2) / 2, 0.8))
    assert np.abs(frames[: len(t), 0] - 0.125 * gain).max() < 1e-6


def test_a_locate_lands_on_the_frame_without_a_click(mixers, jackd, make_session):
    n = np.arange(20 * RATE) / 2**21
    mixer = mixers(
        "--server", jackd.name, "--no-connect", make_session({"a": np.stack([n, n], 1).astype(np.float32)})
    )
    with Capture(jackd) as capture:
        mixer.ctl("locate", "480000f")
        assert mixer.json("position")["frame"] == 480000
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["frame"] > 490000, "it rolls")
        mixer.ctl("locate", "2s")
        wait_until(lambda: 100_000 < mixer.json("position")["frame"] < 480_000, "it has gone back")
        mixer.ctl("stop")
        wait_until(lambda: mixer.json("status")["state"] == "stopped", "it has stopped")
        frames = heard(capture.end())[:, 0]
    index = np.round(frames.astype(np.float64) * 2**21).astype(int)
    jump = np.flatnonzero(np.diff(index) < -100)[0]
    assert np.array_equal(index[: jump - 1000], 480000 + np.arange(jump - 1000))
    # 5 ms of crossing, then frame upon frame, and no step in the samples on the way.
    crossed = jump + np.flatnonzero((np.diff(index[jump:], append=0) == 1))[0]
    run_on = index[crossed + 240 : crossed + 3000]
    assert np.array_equal(run_on, run_on[0] + np.arange(len(run_on)))
    assert 96240 <= run_on[0] <= 96480
    assert np.abs(np.diff(frames)).max() < 0.5 / 240


def test_a_loop_is_gapless(mixers, jackd, make_session):
    n = (np.arange(4 * RATE) + 1) / 2**18
    mixer = mixers(
        "--server", jackd.name, "--no-connect", make_session({"a": np.stack([n, n], 1).astype(np.float32)})
    )
    mixer.ctl("loop", "10000f", "15000f")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        time.sleep(1)
        frames = heard(capture.end())[:, 0]
    index = np.round(frames.astype(np.float64) * 2**18).astype(int) - 1
    assert len(index) > 20000
    expected = np.concatenate([np.arange(15000)] + [np.arange(10000, 15000)] * (len(index) // 5000))
    assert np.array_equal(index, expected[: len(index)])
    mixer.ctl("loop", "2s", "1s", code=1)
    mixer.ctl("loop", "off")


def test_fader_moves_glide_and_fades_arrive(mixer, jackd):
    with Capture(jackd) as capture:
        mixer.ctl("play")
        mixer.ctl("volume", 1, 0)
        mixer.ctl("fade", 2, 0.5, "300ms")
        time.sleep(0.1)
        assert 0.5 < float(mixer.ctl("volume", 2)) < 1
        time.sleep(0.6)
        assert float(mixer.ctl("volume", 2)) == 0.5
        mixer.ctl("pan", 3, 1)
        mixer.ctl("volume", "master", "-6dB")
        time.sleep(0.3)
        frames = heard(capture.end())
    assert frames[0].tolist() == [0.4375, 0.4375]
    assert np.abs(np.diff(frames, axis=0)).max() < 0.5 / 240
    assert np.abs(frames[-100:] - np.array([0.0625, 0.125]) * 10 ** (-6 / 20)).max() < 1e-6


def test_the_ports_are_connected_to_the_first_playback_ports_unless_told_not_to(mixers, jackd, make_session):
    def connections():
        probe = jack.Client("probe", servername=jackd.name, no_start_server=True)
        names = [
            [other.name for other in probe.get_all_connections(probe.get_port_by_name(f"jmix:master_{i}"))]
            for i in (1, 2)
        ]
        probe.close()
        return names

    session = make_session()
    mixer = mixers("--server", jackd.name, session)
    assert connections() == [["system:playback_1"], ["system:playback_2"]]
    assert mixer.end() == 0
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    assert connections() == [[], []]
    assert mixer.end() == 0


def connected(server, port):
    probe = jack.Client("probe", servername=server.name, no_start_server=True)
    names = {other.name for other in probe.get_all_connections(probe.get_port_by_name(port))}
    probe.close()
    return names


def test_connections_are_made_as_told_and_again_on_a_server_that_came_back(mixers, servers, make_session):
    server = servers()
    mixer = mixers(
        "--server",
        server.name,
        "--connect",
        "master_1=system:playback_2",
        "--connect",
        "master_2=late:in_1",
        make_session(),
    )
    wait_until(lambda: connected(server, "jmix:master_1") == {"system:playback_2"}, "the first is connected")
    late = jack.Client("late", servername=server.name, no_start_server=True)
    late.inports.register("in_1")
    late.activate()
    wait_until(lambda: connected(server, "jmix:master_2") == {"late:in_1"}, "the late one is connected")
    late.connect("jmix:master_1", "system:playback_1")
    time.sleep(0.6)
    server.process.kill()
    server.process.wait(10)
    wait_until(lambda: mixer.json("status")["server"] is False, "the mixer has noticed")
    late.close()
    server = servers(name=server.name)
    wait_until(lambda: mixer.json("status")["server"] is True, "the mixer is back")
    wait_until(
        lambda: connected(server, "jmix:master_1") == {"system:playback_1", "system:playback_2"},
        "what was connected is connected",
    )
    assert connected(server, "jmix:master_2") == set()
    assert mixer.end() == 0


def test_what_options_name_that_is_not_there_is_said(mixers, jackd, make_session, tmp_path):
    mixer = mixers(
        "--server",
        jackd.name,
        "--connect",
        "master_1=nosuch:in",
        "--media",
        tmp_path / "nosuch",
        "--period",
        64,
        make_session(),
    )
    wait_until(
        lambda: "master_1 is not connected to nosuch:in: there is no such port" in mixer.log,
        "the port is said",
    )
    assert (
        f"--media {tmp_path / 'nosuch'}: there is no such folder" in mixer.log
        and "--period is for the private server" in mixer.log
    )
    assert mixer.json("status")["period"] != 64 and mixer.log.count("nosuch:in") == 1
    refused = subprocess.run(
        [JMIX, "run", "--server", jackd.name, "--name", "other", "--osc-bind", "8.8.8.8", "--osc-port", "0"],
        capture_output=True,
        text=True,
    )
    assert refused.returncode == 1 and "8.8.8.8" in refused.stderr and "another jmix" not in refused.stderr


def test_no_server_and_a_taken_name_are_said(mixers, jackd, make_session):
    session = make_session()
    said = run("run", "--server", "nobody", "--osc-port", "0", session, code=3).stderr
    assert "no JACK server 'nobody' is running: start one with" in said and "--dummy" in said
    mixers("--server", jackd.name, session)
    said = run("run", "--server", jackd.name, "--osc-port", "0", session, code=1).stderr
    assert "the name 'jmix' is taken" in said and "--name" in said
    mixers("--server", jackd.name, "--name", "other", session)


def test_a_taken_osc_port_is_said(mixer, jackd, make_session):
    said = run(
        "run",
        "--server",
        jackd.name,
        "--name",
        "second",
        "--osc-port",
        mixer.port,
        make_session(name="b.json"),
        code=1,
    ).stderr
    assert str(mixer.port) in said and "--osc-port" in said


def test_another_rate_is_converted_and_said_once(mixers, servers, make_session):
    server = servers(rate=44100)
    n = np.sin(2 * np.pi * 1000 * np.arange(4 * RATE) / RATE) * 0.5
    mixer = mixers(
        "--server",
        server.name,
        "--no-connect",
        make_session({"a": np.stack([n, n], 1).astype(np.float32)}),
    )
    assert mixer.log.count("44100 Hz, the session at 48000 Hz") == 1
    with Capture(server) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 2, "2 s are reached")
        assert mixer.json("status")["sampleRate"] == 44100
        frames = heard(capture.end())[2205:80000, 0]
    t = (2205 + np.arange(len(frames))) / 44100
    # Silence before the sine's first sample: which frame was first heard may be off by one.
    best = min(np.abs(frames - 0.5 * np.sin(2 * np.pi * 1000 * (t + k / 44100))).max() for k in (0, 1, 2))
    assert best < 1e-4
    assert mixer.end() == 0


def test_signals_fade_out_and_end_everything(mixers, make_session):
    for number in (signal.SIGINT, signal.SIGTERM):
        mixer = mixers("--dummy", make_session())
        mixer.ctl("play")
        time.sleep(0.3)
        name, servers = mixer.json("status")["serverName"], children(mixer.process)
        assert list(servers.values()) == ["jackd"]
        assert mixer.end(number) == 0
        assert not any(map(running, servers))
        assert [entry for entry in os.listdir("/dev/shm") if name in entry] == []


def falling(frames, level, seconds):
    """What is heard last falls in a straight line from a level to silence, within so many seconds; that may
    begin with the first frame."""
    left = frames[:, 0].astype(np.float64)
    n = np.arange(int(seconds * RATE))
    begun = np.flatnonzero(left)[-1] + 1 - len(n)
    assert begun >= 0 and np.abs(left[begun : begun + len(n)] - level * (1 - n / len(n))).max() < 1e-6
    assert (
        np.abs(left[:begun] - level).max(initial=0) < 1e-7
        or np.abs(np.diff(left[:begun])).max() < level / 230
    ), "before it only a fade in"


def test_a_stop_over_a_time_fades_and_leaves_the_faders(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({"a": steady(60 * RATE, 0.5, 0.5)}))
    mixer.ctl("stop", "1s")
    assert mixer.ctl("play") == "" and mixer.json("position")["state"] == "rolling", (
        "what stands still has nothing to fade"
    )
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands still")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("meters")[0]["peakLeft"] > 0, "it plays")
        mixer.ctl("stop", "400ms")
        assert mixer.json("position")["state"] == "rolling" and mixer.json("volume", "master")["volume"] == 1
        mixer.ctl("mute", "master", "on")
        mixer.ctl("mute", "master", "off")
        wait_until(lambda: mixer.json("position")["state"] == "stopped", "it has faded and stopped")
        frames = heard(capture.end())
    falling(frames, 0.5, 0.4)
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("meters")[0]["peakLeft"] > 0, "it plays again")
        mixer.ctl("stop", "30s")
        mixer.ctl("play")
        time.sleep(0.3)
        frames = heard(capture.end())
    assert abs(frames[-1, 0] - 0.5) < 1e-7 and np.abs(np.diff(frames[:, 0])).max() < 0.5 / 230, (
        "a play takes it back"
    )


def test_a_panic_waits_for_nothing(mixers, jackd, make_session):
    mixer = mixers(
        "--server", jackd.name, "--no-connect", "--play", make_session({"a": steady(60 * RATE, 0.5, 0.5)})
    )
    wait_until(lambda: mixer.json("meters")[0]["peakLeft"] > 0, "it plays")
    mixer.ctl("stop", "40s")
    mixer.ctl("panic", "200ms")
    mixer.ctl("stop", "40s")
    wait_until(
        lambda: mixer.json("position")["state"] == "stopped", "it has stopped, whoever wants it slower"
    )


def test_panic_silences_whoever_holds_what(mixers, jackd, make_session):
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        make_session({"a": steady(60 * RATE, 0.5, 0.5), "b": steady(60 * RATE, 0.25, 0.25)}),
    )
    holder, peer = mixer.osc(), mixer.osc()
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("meters")[0]["peakLeft"] > 0, "it plays")
        for address in ("/track/1/volume/touch", "/master/volume/touch"):
            assert holder.ask(address, 1) == []
        holder.client.send(bundle(time.time() + 0.6, ("/transport/play",), ("/master/volume", 0.5)))
        holder.ask("/ping", 1)
        assert peer.ask("/panic", 1) == [] and peer.ask("/panic", 0) == [], "a button, and let go"
        wait_until(lambda: mixer.json("position")["state"] == "stopped", "it has stopped")
        time.sleep(0.4)  # what was pending for then is forgotten
        assert mixer.json("position")["state"] == "stopped"
        frames = heard(capture.end())
    falling(frames, 0.75, 0.5)
    assert [mixer.json("volume", strip)["volume"] for strip in (1, "master")] == [1, 1]
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0, "it plays again")
        time.sleep(0.2)
        frames = heard(capture.end())
    assert abs(frames[-1, 0] - 0.75) < 1e-7, "all is as it was"
    holder.close()
    peer.close()


def test_the_end_is_a_fade_and_not_a_cut(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", "--play", make_session())
    with Capture(jackd) as capture:
        time.sleep(0.5)
        assert mixer.end() == 0
        frames = capture.end()[:, 0]
    assert frames[-1] == 0
    frames = frames[np.flatnonzero(frames)[0] :]  # the capture may have begun when it played already
    assert np.abs(np.diff(frames)).max() < 0.5 / 240


def test_a_killed_mixer_takes_its_private_server_along(mixers, make_session):
    mixer = mixers("--dummy", make_session())
    servers = children(mixer.process)
    assert list(servers.values()) == ["jackd"]
    mixer.process.kill()
    wait_until(lambda: not any(map(running, servers)), "jackd has ended")


def test_private_servers_that_were_killed_leave_room_for_others(mixers, make_session):
    # libjack's list has room for eight.
    session = make_session()
    for _ in range(10):
        mixer = mixers("--dummy", session)
        (server,) = children(mixer.process)
        os.kill(server, signal.SIGKILL)
        mixer.process.kill()
        mixer.process.wait(10)
        # One that is still being torn down counts as alive, and keeps its place in the list.
        wait_until(lambda: not os.path.exists(f"/proc/{server}"), "the killed server is gone")


def test_missing_files_are_said_and_the_rest_plays(mixers, jackd, make_session, tmp_path):
    session = make_session()
    os.unlink(tmp_path / "voice.wav")
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    assert "track 2, clip 1, file: " in mixer.log
    with Capture(jackd) as capture:
        mixer.ctl("play")
        time.sleep(0.5)
        frames = heard(capture.end())
    assert np.all(frames == 0.25 + 0.0625)


def test_a_server_that_is_gone_is_called_what_it_was(mixers, servers, make_session, monkeypatch):
    server = servers()
    monkeypatch.setenv("JACK_DEFAULT_SERVER", server.name)
    mixer = mixers("--no-connect", make_session())
    assert mixer.json("status")["serverName"] == server.name
    server.process.kill()
    server.process.wait(10)
    wait_until(lambda: mixer.json("status")["server"] is False, "the mixer has noticed")
    assert mixer.json("status")["serverName"] == server.name
    assert f"waiting for '{server.name}'" in mixer.ctl("status")


def test_the_server_is_killed_and_comes_back(mixers, servers, make_session):
    server = servers()
    mixer = mixers("--server", server.name, "--no-connect", "--play", make_session())
    wait_until(lambda: mixer.json("position")["seconds"] > 1, "1 s is reached")
    mixer.ctl("volume", 1, 0.5)
    server.process.kill()
    server.process.wait(10)
    wait_until(lambda: mixer.json("status")["server"] is False, "the mixer has noticed")
    place = mixer.json("position")["seconds"]
    mixer.ctl("volume", 2, 0.25)
    server = servers(rate=44100, period=512, name=server.name)
    wait_until(lambda: mixer.json("status")["server"] is True, "the mixer is back")
    wait_until(lambda: mixer.json("position")["seconds"] > place + 0.2, "it rolls on")
    assert mixer.json("status")["sampleRate"] == 44100 and mixer.json("status")["period"] == 512
    assert [track["fader"] for track in mixer.json("tracks")] == [0.5, 0.25, 1]
    assert mixer.end() == 0


def test_a_place_and_a_loop_are_times_where_a_server_comes_back_at_another_rate(
    mixers, servers, make_session
):
    server = servers()
    mixer = mixers("--server", server.name, "--no-connect", make_session())
    mixer.ctl("locate", "3s")
    mixer.ctl("loop", "1.5s", "2.5s")
    before = mixer.json("loop")
    server.process.kill()
    server.process.wait(10)
    wait_until(lambda: mixer.json("status")["server"] is False, "the mixer has noticed")
    server = servers(rate=44100, name=server.name)
    wait_until(lambda: mixer.json("status")["server"] is True, "the mixer is back")
    assert mixer.json("position") == {"state": "stopped", "frame": 3 * RATE, "seconds": 3}
    assert mixer.json("loop") == before
    # It goes round there, too.
    mixer.ctl("locate", "2.4s")
    mixer.ctl("play")
    wait_until(lambda: 1.5 <= mixer.json("position")["seconds"] < 2.2, "it goes back")
    assert mixer.end() == 0


def test_a_freewheeling_export_is_the_render_to_the_bit(mixers, servers, make_session, tmp_path):
    server = servers()
    n = np.random.default_rng(1).uniform(-0.9, 0.9, (60 * RATE, 2)).astype(np.float32)
    session = make_session(
        {f"t{i}": (n[i * 1000 :], {"automation": REFERENCE, "fader": 0.3}) for i in range(8)}
    )
    mixer = mixers("--server", server.name, "--no-connect", session)
    run("render", session, tmp_path / "out.flac", "--format", "pcm24")
    run("render", session, tmp_path / "out.wav")
    with Capture(server) as capture:
        capture.client.set_freewheel(True)
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 61, "the end is reached", 60)
        capture.client.set_freewheel(False)
        frames = heard(capture.end())
    out, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    assert np.array_equal(frames[: len(out)], out)
    assert mixer.json("status")["dropouts"] == 0
    assert mixer.end() == 0


def test_the_period_changes_while_it_plays(mixers, servers, make_session):
    server = servers()
    n = (np.arange(10 * RATE) + 1) / 2**20
    mixer = mixers(
        "--server",
        server.name,
        "--no-connect",
        make_session({"a": np.stack([n, n], 1).astype(np.float32)}),
    )
    mixer.ctl("play")
    for period in (64, 1024, 4096, 128):
        control = jack.Client("control", servername=server.name, no_start_server=True)
        control.blocksize = period
        control.close()
        wait_until(lambda: mixer.json("status")["period"] == period, "the new period is known")
        with Capture(server) as capture:
            time.sleep(0.3)
            frames = capture.end()[:, 0]
        index = np.round(frames[np.flatnonzero(frames)[0] :].astype(np.float64) * 2**20).astype(int)
        assert np.all(np.diff(index) == 1), "frames keep their order"
    assert mixer.json("status")["dropouts"] == 0
    assert mixer.end() == 0


def test_a_client_that_freezes_the_graph_does_no_harm(mixers, servers, make_session):
    server = servers(synchronous=False)
    mixer = mixers("--server", server.name, "--no-connect", "--play", make_session())
    frozen = jack.Client("frozen", servername=server.name, no_start_server=True)
    frozen.inports.register("in")
    release = threading.Event()
    frozen.set_process_callback(lambda _: release.wait(20))
    frozen.activate()
    frozen.connect("jmix:master_1", "frozen:in")
    time.sleep(1)
    assert mixer.json("status")["tracks"] == 3  # answers while the graph stands still
    mixer.ctl("volume", 1, 0.5)
    mixer.ctl("locate", "5s")
    release.set()
    frozen.deactivate()
    frozen.close()
    wait_until(
        lambda: mixer.json("status")["server"] and mixer.json("position")["seconds"] > 5.5,
        "it plays on",
        20,
    )
    assert mixer.ctl("volume", 1).strip() == "0.5"
    assert mixer.end() == 0


def test_a_panic_holds_over_a_server_that_is_lost(mixers, servers, make_session):
    server = servers()
    mixer = mixers("--server", server.name, "--no-connect", make_session({"a": steady(20 * RATE, 0.5, 0.5)}))
    mixer.ctl("play")
    mixer.ctl("panic", "10ms")
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it has stopped")
    name = server.name
    server.end()
    wait_until(lambda: not mixer.json("status")["server"], "the server is gone")
    servers(name=name)
    wait_until(lambda: mixer.json("status")["server"], "it is back")
    assert mixer.json("silenced") == {"silenced": True}
    mixer.ctl("play")
    assert mixer.json("silenced") == {"silenced": False}


def test_a_server_that_comes_back_does_not_bring_back_what_was_fading(mixers, servers, make_session):
    for words in ([], ["--transport", "jack"]):
        server = servers()
        mixer = mixers("--server", server.name, "--no-connect", *words, make_session())
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.3, "it plays")
        mixer.ctl("stop", "60s")
        server.process.kill()
        server.process.wait(10)
        wait_until(lambda: mixer.json("status")["server"] is False, "the mixer has noticed")
        server = servers(name=server.name)
        wait_until(lambda: mixer.json("status")["server"] is True, "the mixer is back")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.3, "it is where it was")
        place = mixer.json("position")
        time.sleep(0.5)
        assert place["state"] == "stopped" and mixer.json("position") == place
        assert mixer.end() == 0


def test_a_script_of_thousands_of_changes_is_heard_to_its_end(mixer, jackd):
    lines = (
        ["play"] + [f"volume {i % 3 + 1} {i % 7 / 10}" for i in range(3000)] + ["volume * 0", "volume 2 1"]
    )
    done = subprocess.run(
        [JMIXCTL, "--url", mixer.url], input="\n".join(lines), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    with Capture(jackd) as capture:
        time.sleep(0.3)
        frames = capture.end()
    assert np.all(frames[-1000:] == 0.125)


def test_a_locate_counts_from_where_it_stands(mixer):
    mixer.ctl("locate", "4s")
    for words, there in [
        ("+1.5s", 5.5),
        ("-2s", 3.5),
        ("-96000f", 1.5),
        ("-10s", 0),
        ("end", 20),
        ("+500ms", 20.5),
    ]:
        mixer.ctl("locate", words)
        assert mixer.json("position")["seconds"] == there


def test_it_stops_where_the_last_clip_ends(mixers, jackd, make_session):
    ramp = (np.arange(2 * RATE) / (2 * RATE)).astype(np.float32)
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        "--stop-at-end",
        make_session({"ramp": np.stack([ramp, ramp], axis=1)}),
    )
    assert mixer.json("stop-at-end") == {"stopAtEnd": True}
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(
            lambda: mixer.json("position") == {"state": "stopped", "frame": 2 * RATE, "seconds": 2},
            "it stands at the end",
        )
        samples = capture.end()[:, 0]
    heard = samples[np.flatnonzero(samples)[0] : np.flatnonzero(samples)[-1] + 1]
    np.testing.assert_array_equal(heard, ramp[1:], err_msg="to the last frame")
    # Whoever plays on from there means to; a loop that ends there goes on.
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 2.2, "it plays on behind the end")
    mixer.ctl("loop", "1.5s", "2s")
    mixer.ctl("locate", "1.9s")
    wait_until(lambda: 1.5 <= mixer.json("position")["seconds"] < 1.8, "it loops")
    mixer.ctl("loop", "off")
    mixer.ctl("stop-at-end", "off")
    wait_until(lambda: mixer.json("position")["seconds"] > 2.1, "it plays past the end")


def test_a_fader_moves_by_decibels(mixer):
    mixer.ctl("volume", "music", "--by", "-6dB")
    mixer.ctl("volume", "music", "--by", "-6 dB")
    assert mixer.json("volume", 1)["volume"] == pytest.approx(10 ** (-12 / 20), rel=1e-6)
    mixer.ctl("volume", "voice", "-inf")
    # All of a pattern, or none.
    assert "+12 dB" in mixer.ctl("volume", "*", "--by", "13dB", code=1)
    assert mixer.json("volume", 3)["volume"] == 1
    mixer.ctl("volume", "*", "--by", "1dB")
    levels = [item["volume"] for item in mixer.json("volume", "*")]
    assert levels == pytest.approx([10 ** (-11 / 20), 0, 10 ** (1 / 20)], rel=1e-6)
    mixer.ctl("undo")
    assert mixer.json("volume", 3)["volume"] == 1
    mixer.ctl("volume", "master", "--by", "-3dB")
    assert mixer.json("volume", "master")["volume"] == pytest.approx(10 ** (-3 / 20), rel=1e-6)


def test_an_end_that_moves_is_met_and_one_that_was_passed_is_not(mixers, jackd, make_session):
    session = make_session({"short": steady(2 * RATE, 0.25, 0.25), "long": steady(30 * RATE, 0.25, 0.25)})
    mixer = mixers("--server", jackd.name, "--no-connect", "--stop-at-end", session)
    mixer.ctl("locate", "4s")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 4.1, "it rolls")
    mixer.ctl("remove", "long")
    wait_until(
        lambda: mixer.json("position") == {"state": "stopped", "frame": 2 * RATE, "seconds": 2},
        "it has met the end",
    )
    # Whoever goes behind the end while it rolls means to.
    mixer.ctl("undo")
    for start, there in ((0, 31), (29, 30.25)):
        mixer.ctl("locate", f"{start}s")
        mixer.ctl("play")
        wait_until(lambda: start < mixer.json("position")["seconds"] < start + 1, "it plays")
        mixer.ctl("locate", f"{there}s")
        wait_until(lambda: mixer.json("position")["seconds"] > there + 0.2, "it plays on there")
        assert mixer.json("position")["state"] == "rolling"
        mixer.ctl("stop")


def test_markers_are_gone_to_by_their_names(mixer):
    mixer.ctl("marker", "add", "1st verse", "2s")
    mixer.ctl("marker", "add", "Ü", "1/3")
    mixer.ctl("locate", "1st verse")
    assert mixer.json("position")["seconds"] == 2
    mixer.ctl("marker", "add", "here")
    mixer.ctl("locate", "Ü")
    assert mixer.json("position")["frame"] == 16000
    mixer.ctl("locate", "here")
    assert mixer.json("position")["seconds"] == 2
    for name in ("2s", "1:30", "end", "+5s", "-x", "7"):
        assert "taken for a time" in mixer.ctl("marker", "add", name, "1s", code=1)
    assert "not a time" in mixer.ctl("locate", "nowhere", code=1)
    assert [marker["name"] for marker in mixer.json("marker", "list")] == ["Ü", "1st verse", "here"]
    mixer.ctl("marker", "remove", "here")
    assert "there is no marker" in mixer.ctl("marker", "remove", "here", code=1)


def test_one_duck_under_several_goes_down_once(tmp_path):
    """While the host speaks, or the guest, or both; two ducks would multiply."""
    for name, level, seconds in (("music", 0.5, 20), ("host", 0.25, 4), ("guest", 0.125, 4)):
        soundfile.write(tmp_path / f"{name}.wav", steady(seconds * RATE, level, level), RATE, subtype="FLOAT")
    run("new", tmp_path / "show", *(tmp_path / f"{name}.wav" for name in ("music", "host", "guest")))
    path = tmp_path / "show.json"
    run("edit", path, "move", "host", 1, "4s")
    run("edit", path, "move", "guest", 1, "6s")
    run(
        "edit",
        path,
        "duck",
        "music",
        "--under",
        "host,guest",
        "--to",
        0.25,
        "--attack",
        "1s",
        "--release",
        "2s",
    )
    run("render", path, tmp_path / "mix.wav", "--format", "float")
    mix = soundfile.read(tmp_path / "mix.wav", dtype="float64")[0][:, 0]
    n = np.arange(20 * RATE)
    # Down over the second before 4 s, up over the two behind 10 s.
    gain = np.interp(n, np.array([3, 4, 10, 12]) * RATE, [1, 0.25, 0.25, 1])
    speech = 0.25 * ((n >= 4 * RATE) & (n < 8 * RATE)) + 0.125 * ((n >= 6 * RATE) & (n < 10 * RATE))
    np.testing.assert_allclose(mix, 0.5 * gain + speech, atol=1e-6)
    document = json.loads(path.read_text())
    assert document["ducks"][0]["under"] == ["host", "guest"]
    assert json.loads(run("edit", path, "ducks", "--json").stdout) == document["ducks"]
    assert "host, guest" in run("edit", path, "ducks").stdout
    # The same two in the other order are the same duck; one that goes leaves the other.
    run("edit", path, "duck", "music", "--under", "guest,host", "--to", 0.5)
    assert [duck["to"] for duck in json.loads(path.read_text())["ducks"]] == [0.5]
    run("edit", path, "remove", "host")
    assert [duck["under"] for duck in json.loads(path.read_text())["ducks"]] == ["guest"]
    for words, reason in (
        (("--under", "guest,nobody"), "no track nobody"),
        (("--under", "guest,music"), "cannot duck under itself"),
        (("--under", "guest,music", "--by", "signal"), "send them to a bus"),
    ):
        said = run("edit", path, "duck", "music", *words, "--to", 0.5, code=1).stderr
        assert reason in said or "itself" in said, said
    document = json.loads(path.read_text())
    document["ducks"][0]["under"] = ["guest", "guest"]
    path.write_text(json.dumps(document))
    assert "each once" in run("check", path, code=1).stdout
