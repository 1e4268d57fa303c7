"""A good JACK client: the server's transport, ports for single tracks, metadata, latency."""

import json
import os
import time

import jack
import numpy as np
import pytest
import soundfile
from conftest import RATE, Capture, ports_of, run, steady, wait_until

pytestmark = pytest.mark.alone


def seek(client, frame):
    client.transport_frame = frame


@pytest.fixture
def peer(jackd):
    client = jack.Client("peer", servername=jackd.name, no_start_server=True)
    yield client
    client.transport_stop()
    wait_until(lambda: client.transport_state == jack.STOPPED, "the transport stops")
    seek(client, 0)
    client.close()


class TransportCapture(Capture):
    """Records with each block whether the server's transport rolled, and where; None for a block that was
    read when the next was being written already."""

    def process(self, frames):
        state, position = self.client.transport_query_struct()
        block = np.stack([port.get_array().copy() for port in self.inputs], 1)
        self.blocks.put(
            (
                state == jack.ROLLING,
                position.frame,
                block if self.client.frames_since_cycle_start < frames else None,
            )
        )

    def end(self):
        return self.finish()


@pytest.fixture
def numbered(mixers, jackd, make_session):
    """A mixer that follows the server's transport, with a track whose samples name their frames."""
    n = (np.arange(60 * RATE) + 1) / 2**22
    samples = np.stack([n, -n], 1).astype(np.float32)
    mixer = mixers(
        "--server", jackd.name, "--no-connect", "--transport", "jack", make_session({"ramp": samples})
    )
    return mixer, samples


def expect_in_place(blocks, samples):
    """Where the transport rolled: the very frames. The cycle after a start or a jump is heard whole, but for
    the fades of a stop."""
    rolled = 0
    for (was, _, _), (rolls, frame, block) in zip(blocks, blocks[1:]):
        if rolls and was and block is not None:
            assert np.array_equal(block, samples[frame : frame + len(block)]), frame
            rolled += len(block)
    return rolled


def test_it_follows_the_server_s_transport_frame_by_frame(numbered, jackd, peer):
    mixer, samples = numbered
    with TransportCapture(jackd) as capture:
        seek(peer, RATE * 7 + 13)
        peer.transport_start()
        wait_until(lambda: mixer.json("status")["state"] == "rolling", "jmix says that it rolls")
        wait_until(lambda: peer.transport_frame > RATE * 8, "it rolls")
        seek(peer, RATE * 30 + 5)  # while rolling
        wait_until(lambda: peer.transport_frame > RATE * 31, "it rolls there")
        peer.transport_stop()
        wait_until(lambda: mixer.json("status")["state"] == "stopped", "jmix says that it stopped")
        place = peer.transport_frame
        wait_until(lambda: mixer.json("position")["frame"] == place, "it stands where the transport stands")
        peer.transport_start()
        wait_until(lambda: peer.transport_frame > place + RATE // 2, "it rolls on")
        blocks = capture.end()
    starts = [frame for (was, _, _), (rolls, frame, _) in zip(blocks, blocks[1:]) if rolls and not was]
    assert starts[0] == RATE * 7 + 13 and RATE * 30 + 5 in starts and place in starts
    # the very first frame of each start is heard: the server has waited for the mixer
    for (was, _, _), (rolls, frame, block) in zip(blocks, blocks[1:]):
        if rolls and not was and block is not None:
            assert np.array_equal(block, samples[frame : frame + len(block)])
    assert expect_in_place(blocks, samples) > 2 * RATE


def test_its_own_play_stop_and_locate_drive_the_server_s_transport(numbered, peer):
    mixer, _ = numbered
    mixer.ctl("locate", "5s")
    wait_until(lambda: peer.transport_frame == 5 * RATE, "the transport is there")
    mixer.ctl("play")
    wait_until(lambda: peer.transport_state == jack.ROLLING, "the transport rolls")
    wait_until(lambda: peer.transport_frame > 5.2 * RATE, "it moves")
    mixer.ctl("stop")
    wait_until(lambda: peer.transport_state == jack.STOPPED, "the transport stops")
    assert "100 ms" in mixer.ctl("loop", "1s", "1.05s", code=1)


def test_a_mixer_that_joins_a_rolling_transport_falls_in(mixers, jackd, make_session, peer):
    n = (np.arange(60 * RATE) + 1) / 2**22
    samples = np.stack([n, n], 1).astype(np.float32)
    peer.transport_start()
    wait_until(lambda: peer.transport_frame > RATE // 2, "it rolls")
    mixers("--server", jackd.name, "--no-connect", "--transport", "jack", make_session({"ramp": samples}))
    place = peer.transport_frame
    with TransportCapture(jackd) as capture:
        wait_until(lambda: peer.transport_frame > place + 2 * RATE, "it plays for a while")
        blocks = capture.end()
    heard = [(frame, block) for _, frame, block in blocks if block is not None and block.any()]
    assert len(heard) > 100
    for frame, block in heard[1:]:
        assert np.array_equal(block, samples[frame : frame + len(block)])


def test_a_loop_turns_the_server_s_transport_round(mixers, jackd, make_session, peer):
    n = (np.arange(60 * RATE) + 1) / 2**22
    samples = np.stack([n, n], 1).astype(np.float32)
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        "--transport",
        "jack",
        "--direct-outs",
        "post",
        make_session({"ramp": samples}),
    )
    mixer.ctl("loop", "1s", "1.5s")
    mixer.ctl("locate", "0.5s")
    wait_until(lambda: peer.transport_frame == RATE // 2, "the transport is there")
    with TransportCapture(jackd) as capture:
        mixer.ctl("play")
        turns, last = 0, 0

        def turned():
            nonlocal turns, last
            # Between two periods the frame is an estimate, which goes back a little where a period came late:
            # that is no turn.
            frame = peer.transport_frame
            turns, last = turns + (frame < last - RATE // 4), frame
            return turns >= 4

        # Each time all streams begin anew, and the server waits for them up to two seconds.
        wait_until(turned, "it has gone round four times")
        mixer.ctl("loop", "off")
        wait_until(lambda: peer.transport_frame > 1.8 * RATE, "it goes on")
        blocks = capture.end()
    rolling = [
        (frame, block) for state, frame, block in blocks if block is not None and block.any() and state
    ]
    assert len(rolling) > 100
    # All that follow hear the same place at the same time; the end is met to within two periods and what the
    # control thread is late.
    within = [frame for frame, _ in rolling]
    jumps = [(a, b) for a, b in zip(within, within[1:]) if b < a]
    assert len(jumps) >= 4 and all(b - RATE <= 256 and abs(a - 1.5 * RATE) < 2048 for a, b in jumps), jumps
    exact = sum(np.array_equal(block, samples[frame : frame + len(block)]) for frame, block in rolling)
    assert exact >= len(rolling) - 4 * len(jumps) - 4, (exact, len(rolling))


# MARK: direct outs


def ports(jackd):
    client = jack.Client("look", servername=jackd.name, no_start_server=True)
    try:
        return [port.shortname for port in ports_of(client, "jmix:", is_audio=True, is_output=True)]
    finally:
        client.close()


def test_direct_outs_follow_the_tracks(mixers, jackd, make_session, tmp_path):
    mixer = mixers("--server", jackd.name, "--no-connect", "--direct-outs", "post", make_session())
    expected = ["master_1", "master_2", "music_1", "music_2", "voice_1", "voice_2", "chime_1", "chime_2"]
    wait_until(lambda: ports(jackd) == expected, "two ports a track")
    with Capture(jackd, ("jmix:voice_1", "jmix:voice_2")) as capture:
        mixer.ctl("name", "voice", "host: one")
        wait_until(
            lambda: "host- one_1" in ports(jackd) and "voice_1" not in ports(jackd), "they are renamed"
        )
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.3, "it plays")
        frames = capture.end()
    assert frames.max() == 0.125, "renamed ports stay connected"
    mixer.ctl("remove", "music")
    wait_until(lambda: "music_1" not in ports(jackd), "a removed track's ports go")
    soundfile.write(tmp_path / "jingle.wav", np.ones((RATE, 2)) * 0.5, RATE)
    mixer.ctl("add", "jingle.wav")
    wait_until(lambda: "jingle_1" in ports(jackd), "a new track's ports come")
    mixer.ctl("undo")
    wait_until(lambda: "jingle_1" not in ports(jackd), "and go with it")


@pytest.mark.parametrize("tap", ["pre", "post"])
def test_what_a_direct_out_carries(mixers, jackd, make_session, tap):
    tone = np.sin(np.arange(20 * RATE) * 0.01).astype(np.float32)
    samples = np.stack([tone, -tone], 1)
    music = {"pan": 0.5, "fader": 0.5, "automation": [{"ramp": [0, 1], "from": "0s", "to": "4s"}]}
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        "--direct-outs",
        tap,
        make_session({"music": (samples, music), "other": samples}),
    )
    wait_until(lambda: "music_2" in ports(jackd), "the ports are there")
    mixer.ctl("volume", "master", 0.25)
    with Capture(jackd, ("jmix:music_1", "jmix:music_2")) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.5, "it plays")
        mixer.ctl("stop")
        wait_until(lambda: mixer.json("status")["state"] == "stopped", "it stops")
        frames = capture.end()
    start = np.flatnonzero(np.abs(frames).sum(1) > 0)[0] - 1  # the first sample is 0
    heard = frames[start:]
    end = np.flatnonzero(np.abs(heard).sum(1) > 0)[-1]
    n = np.arange(end - 400)
    expected = samples[: len(n)].astype(np.float64)
    if tap == "post":
        expected = expected * (n / (4 * RATE))[:, None] * 0.5 * np.array([0.5, 1])
        assert np.abs(heard[: len(n)] - expected).max() < 1e-6
    else:
        assert np.array_equal(heard[: len(n)], samples[: len(n)]), "pre: the clips as they are"
    assert np.abs(np.diff(heard, axis=0)).max() < 0.02, "a stop fades here too"


def test_pre_fader_outs_cross_over_at_a_locate(mixers, jackd, make_session):
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        "--direct-outs",
        "pre",
        make_session({"a": (np.ones((20 * RATE, 2), np.float32) * 0.5, {"fader": 0.0})}),
    )
    wait_until(lambda: "a_1" in ports(jackd), "the ports are there")
    with Capture(jackd, ("jmix:a_1", "jmix:a_2")) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.2, "it plays")
        mixer.ctl("locate", "10s")
        wait_until(lambda: mixer.json("position")["seconds"] > 10.2, "it plays there")
        frames = capture.end()
    heard = frames[np.flatnonzero(frames[:, 0])[0] :]
    assert np.all(heard == 0.5), "the same level before and after: the crossing is not heard"


def test_metadata_and_latency(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--direct-outs", "post", make_session())
    wait_until(lambda: "chime_2" in ports(jackd), "the ports are there")
    client = jack.Client("look", servername=jackd.name, no_start_server=True)
    try:

        def described(name):
            found = {
                key: value[0].decode()
                for key, value in jack.get_properties(client.get_port_by_name(name)).items()
            }
            return found.get(jack.METADATA_PRETTY_NAME), found.get("http://jackaudio.org/metadata/order")

        assert described("jmix:master_1") == ("Master left", "0")
        assert described("jmix:voice_2") == ("voice right", "5")
        mixer.ctl("name", "voice", "host")
        wait_until(lambda: "host_1" in ports(jackd), "it is renamed")
        assert described("jmix:host_1") == ("host left", "4")
        # jackd's dummy sound card plays a period later, and runs one more behind unless it is synchronous.
        wait_until(lambda: mixer.json("status")["latency"] == client.blocksize, "the latency is told")
    finally:
        client.close()


# MARK: many


def test_512_stereo_tracks_at_64_frames(mixers, servers, make_session, tmp_path):
    rng = np.random.default_rng(1)
    for n in range(32):
        soundfile.write(
            tmp_path / f"{n}.wav", rng.uniform(-1, 1, (6 * RATE, 2)) / 512, RATE, subtype="PCM_24"
        )
    session = make_session({}, tracks_of_files=[f"{n % 32}.wav" for n in range(512)])
    server = servers(period=64)
    mixer = mixers("--server", server.name, "--no-connect", session)
    with Capture(server) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 5, "it plays")
        frames = capture.end()
    status = mixer.json("status")
    assert status["tracks"] == 512 and status["period"] == 64 and status["dropouts"] == 0
    run("render", session, tmp_path / "mix.wav")
    expected, _ = soundfile.read(tmp_path / "mix.wav", dtype="float32")
    heard = frames[np.flatnonzero(frames[:, 0])[0] :][: len(expected)]
    assert len(heard) > 4 * RATE and np.array_equal(heard, expected[: len(heard)])


@pytest.mark.skipif(os.geteuid() != 0, reason="takes a right away that only root has")
def test_without_the_right_to_real_time_it_says_so_once_and_plays(mixers, jackd, make_session):
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        "--play",
        make_session(),
        under=["setpriv", "--bounding-set=-sys_nice", "prlimit", "--rtprio=0:0"],
    )
    wait_until(lambda: "real-time priority" in mixer.log, "it is said")
    wait_until(lambda: mixer.json("position")["seconds"] > 1, "it plays")
    assert mixer.log.count("real-time priority") == 1 and mixer.json("status")["realtime"] is False
    assert mixer.json("meters")[0]["peakLeft"] == 0.25


def test_a_track_that_goes_and_comes_back_at_once_is_on_its_port_again(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", "--play", "--direct-outs", "post", make_session())
    wait_until(lambda: "voice_1" in ports(jackd), "the ports are there")
    mixer.ctl(input="remove voice\nundo\n" * 20)
    place = mixer.json("position")["seconds"]
    wait_until(
        lambda: "voice_1" in ports(jackd) and mixer.json("position")["seconds"] > place + 0.5, "it plays on"
    )
    with Capture(jackd, ("jmix:voice_1", "jmix:voice_2")) as capture:
        place = mixer.json("position")["seconds"]
        wait_until(lambda: mixer.json("position")["seconds"] > place + 0.3, "it plays on")
        assert capture.end().max() == 0.125


def test_a_stop_takes_back_what_was_falling_silent(numbered, jackd, peer):
    mixer, samples = numbered
    mixer.ctl("play")
    wait_until(
        lambda: peer.transport_state == jack.ROLLING and mixer.json("position")["seconds"] > 0.3, "it plays"
    )
    for stop in (lambda: mixer.ctl("stop"), peer.transport_stop):
        mixer.ctl("stop", "2s")
        stop()
        wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
        time.sleep(0.3)
        with TransportCapture(jackd) as capture:
            peer.transport_start()
            time.sleep(2.5)  # longer than the fade would have taken
            blocks = capture.end()
        assert expect_in_place(blocks, samples) > RATE and peer.transport_state == jack.ROLLING


def test_ports_are_connected_now_or_when_the_other_is_there(mixers, servers, make_session, tmp_path):
    server = servers()
    mixer = mixers("--server", server.name, "--no-connect", make_session())
    assert mixer.json("connect") == []
    assert mixer.noted("connect", "master_1", "system:playback_2") == ""
    assert "there is no port late:in yet" in mixer.noted("connect", "master_2", "late:in")
    assert mixer.json("connect") == [
        {"port": "master_1", "other": "system:playback_2", "connected": True},
        {"port": "master_2", "other": "late:in", "connected": False},
    ]
    assert json.loads((tmp_path / "session.json").read_text()).get("connections") is None
    late = jack.Client("late", servername=server.name, no_start_server=True)
    port = late.inports.register("in")
    late.activate()
    wait_until(
        lambda: [item["connected"] for item in mixer.json("connect")] == [True, True],
        "it is connected when it is there",
    )
    assert [other.name for other in late.get_all_connections(port)] == ["jmix:master_2"]
    for words, said in [
        ("master_9 late:in", "no port master_9"),
        ("master_1 jmix:master_2", "no input"),
        ("master_1 nowhere", "CLIENT:PORT"),
        ("master_1 system:capture_1", "no input"),
    ]:
        assert said in mixer.ctl("connect", *words.split(), code=1)
    mixer.ctl("disconnect", "master_2", "late:in")
    assert late.get_all_connections(port) == []
    assert "connected to nothing" in mixer.ctl("disconnect", "master_2", code=1)
    assert "system:playback_2" in mixer.ctl("disconnect", "master_1", "late:in", code=1)
    # What was taken away does not come back with the server; what was made does.
    mixer.ctl("connect", "master_1", "system:playback_1")
    # By its whole name as well.
    mixer.ctl("connect", "jmix:master_2", "late:in")
    assert [other.name for other in late.get_all_connections(port)] == ["jmix:master_2"]
    mixer.ctl("disconnect", "jmix:master_2", "late:in")
    assert "no port jmux:master_1" in mixer.ctl("connect", "jmux:master_1", "late:in", code=1)
    mixer.ctl("disconnect", "master_1", "system:playback_2")
    late.close()
    name = server.name
    server.end()
    wait_until(lambda: not mixer.json("status")["server"], "the server is gone")
    mixer.ctl("connect", "master_2", "system:playback_2")
    mixer.ctl("disconnect", "master_1")
    server = servers(name=name)
    wait_until(
        lambda: (
            [(item["port"], item["other"], item["connected"]) for item in mixer.json("connect")]
            == [("master_2", "system:playback_2", True)]
        ),
        "back as it was asked",
    )
    mixer.end()


def test_a_port_that_goes_and_comes_back_is_connected_again(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session())
    mixer.ctl("connect", "master_1", "guest:in")
    for _ in range(2):
        guest = jack.Client("guest", servername=jackd.name, no_start_server=True)
        port = guest.inports.register("in")
        guest.activate()
        wait_until(
            lambda: [other.name for other in guest.get_all_connections(port)] == ["jmix:master_1"],
            "it is connected each time that it comes",
        )
        guest.close()
        wait_until(
            lambda: [item["connected"] for item in mixer.json("connect")] == [False], "it is seen to be gone"
        )


def test_ports_of_a_strip_follow_its_channels(mixers, jackd, make_session, peer):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session())
    mixer.ctl("bus", "add", "hall", "--channels", "6")
    mixer.ctl("direct-outs", "post")
    for channels in (6, 2, 8, 1):
        mixer.ctl("channels", "hall", channels)
        expected = [f"jmix:hall_{n + 1}" for n in range(channels)]
        wait_until(
            lambda: sorted(port.name for port in ports_of(peer, "jmix:hall_")) == expected,
            f"it has {channels} ports",
        )


def test_a_session_keeps_its_connections(mixers, servers, make_session, tmp_path):
    server = servers()

    def made(mixer):
        return {(item["port"], item["other"]) for item in mixer.json("connect") if item["connected"]}

    def desk(name):
        client = jack.Client(name, servername=server.name, no_start_server=True)
        for port in ("to_1", "to_2"):
            client.inports.register(port)
        client.activate()
        return client

    mixer = mixers("--server", server.name, make_session())
    mixer.ctl("output", "voice", "ports")
    mixer.ctl("connect", "voice_1", "vm:to_1")
    mixer.ctl("connect", "master_1", "any*:to_?")
    mixer.ctl("disconnect", "master_2")
    first = desk("vm")
    wait_until(lambda: ("voice_1", "vm:to_1") in made(mixer), "it is connected when the other comes")
    mixer.ctl("name", "voice", "lead")
    wait_until(lambda: ("lead_1", "vm:to_1") in made(mixer), "a strip that is renamed keeps it")
    first.close()
    again = desk("vm-01")
    wait_until(
        lambda: ("lead_1", "vm-01:to_1") in made(mixer),
        "also where the other comes back under another number",
    )
    several = desk("anything")
    wait_until(
        lambda: {("master_1", "anything:to_1"), ("master_1", "anything:to_2")} <= made(mixer),
        "a pattern means all that match it",
    )
    # What somebody else takes away stays away; what is removed and undone is back.
    several.disconnect("jmix:master_1", "anything:to_2")
    mixer.ctl("remove", "lead")
    wait_until(lambda: ("lead_1", "vm-01:to_1") not in made(mixer), "its ports go with it")
    mixer.ctl("undo")
    wait_until(lambda: ("lead_1", "vm-01:to_1") in made(mixer), "and come back")
    assert ("master_1", "anything:to_2") not in made(mixer)
    for _ in range(5):
        # Also where it goes and comes back before anybody has looked.
        mixer.ctl(input="remove lead\nundo\n")
        wait_until(lambda: ("lead_1", "vm-01:to_1") in made(mixer), "it comes back at once, too")
        wait_until(
            lambda: {("lead_1", "vm-01:to_1"), ("master_1", "anything:to_1")} <= made(mixer),
            "and all else stays",
        )
    mixer.ctl("save")
    document = json.loads((tmp_path / "session.json").read_text())
    assert document["connections"] == [
        {"port": "lead_1", "to": "vm:to_1"},
        {"port": "master_1", "to": "any*:to_?"},
    ]
    mixer.end()
    other = mixers("--server", server.name, tmp_path / "session.json")
    wait_until(
        lambda: {("lead_1", "vm-01:to_1"), ("master_1", "anything:to_1")} <= made(other),
        "the next run makes them again",
    )
    assert not any(name.startswith("system:") for _, name in made(other)), (
        "and the playback ports are not wanted"
    )
    other.ctl("disconnect", "lead_1", "vm:to_1")
    wait_until(
        lambda: ("lead_1", "vm-01:to_1") not in made(other), "what is not wanted any more is taken away"
    )
    assert other.ctl("undo").strip() == "disconnect lead_1 from vm:to_1"
    wait_until(lambda: ("lead_1", "vm-01:to_1") in made(other), "undo brings it back")
    other.end()
    for client in (again, several):
        client.close()


def test_direct_outs_are_switched_while_it_plays(mixers, jackd, make_session):
    session = make_session({"music": steady(20 * RATE, 0.5, 0.25)})
    mixer = mixers("--server", jackd.name, "--no-connect", "--play", session)
    client = jack.Client("looks", servername=jackd.name, no_start_server=True)

    def has_ports():
        return len(ports_of(client, "^jmix:music_")) == 2

    def heard():
        with Capture(jackd, ("jmix:music_1", "jmix:music_2")) as capture:
            time.sleep(0.2)
            return capture.end()[-100:]

    mixer.ctl("volume", "music", 0.5)
    assert mixer.json("direct-outs") == {"directOuts": "off"} and not has_ports()
    mixer.ctl("direct-outs", "post")
    wait_until(has_ports, "the strip has ports")
    assert np.array_equal(heard(), steady(100, 0.25, 0.125))
    mixer.ctl("direct-outs", "pre")
    wait_until(lambda: np.array_equal(heard(), steady(100, 0.5, 0.25)), "it is heard before the fader")
    mixer.ctl("save")
    assert json.loads(session.read_text())["directOuts"] == "pre"
    assert "off, pre, post" in mixer.ctl("direct-outs", "all", code=1)
    mixer.ctl("direct-outs", "off")
    wait_until(lambda: not has_ports(), "the ports go")
    assert "direct outs off" in mixer.ctl("undo")
    wait_until(has_ports, "and come again")
    client.close()
    # What the session says counts, else the option.
    mixer.ctl("new")
    assert mixer.json("direct-outs") == {"directOuts": "off"}
    mixer.end()
    told = mixers("--server", jackd.name, "--no-connect", "--direct-outs", "post", make_session())
    assert told.json("direct-outs") == {"directOuts": "post"}
