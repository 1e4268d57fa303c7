"""What a mixer meets beside its own users: terminals that nobody reads, peers that never listen, folders and
names of every kind."""

import json
import os
import resource
import signal
import socket
import stat
import subprocess
import threading
import time

import numpy as np
import pytest
import soundfile
from conftest import (
    JMIX,
    JMIXCTL,
    RATE,
    Mixer,
    Terminal,
    bundle,
    line_of,
    run,
    steady,
    wait_until,
)
from pythonosc import osc_message_builder


def message(address, *arguments):
    builder = osc_message_builder.OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(argument)
    return builder.build().dgram


def framed(packet):
    return len(packet).to_bytes(4, "big") + packet


def connect(port):
    peer = socket.create_connection(("127.0.0.1", port), timeout=5)
    peer.settimeout(5)
    return peer


# MARK: Terminals


def test_a_pipe_that_nobody_reads_holds_up_nobody(jackd, make_session):
    """Standard error is full from the start: it answers, plays, and ends when it is told to."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 65536)
    except BlockingIOError:
        os.set_blocking(writing, True)
    probe = socket.socket()
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
    probe.close()
    process = subprocess.Popen(
        [JMIX, "run", "--server", jackd.name, "--no-connect", "--osc-port", str(port), make_session()],
        stderr=writing,
        stdout=writing,
    )
    os.close(writing)
    try:
        url = f"osc.tcp://127.0.0.1:{port}/"
        wait_until(
            lambda: subprocess.run([JMIXCTL, "--url", url, "status"], capture_output=True).returncode == 0,
            "it answers",
        )
        for n in range(50):  # each says something in the log
            subprocess.run([JMIXCTL, "--url", url, "play"], check=True, capture_output=True, timeout=10)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)
        os.close(reading)


def test_a_terminal_that_is_stopped_holds_up_nobody(jackd, make_session):
    session = make_session()
    terminal = Terminal([JMIX, "run", "--server", jackd.name, "--no-connect", "--osc-port", "0", session])
    try:
        screen = terminal.wait_for("stopped")
        port = (
            int(screen.split("OSC on 127.0.0.1 port ")[1].split()[0].rstrip(","))
            if "OSC on" in screen
            else None
        )
        if port is None:
            wait_until(lambda: "port" in terminal.tmux("capture-pane", "-p", "-S", "-50"), "it says its port")
            port = int(
                terminal.tmux("capture-pane", "-p", "-S", "-50")
                .replace("\n", "")
                .split("127.0.0.1 port ")[1]
                .split()[0]
                .rstrip(",")
            )
        terminal.key("C-s")
        time.sleep(0.5)  # pictures pile up
        for n in range(20):
            subprocess.run(
                [JMIXCTL, "--url", f"osc.tcp://127.0.0.1:{port}/", "volume", "1", str(n / 20)],
                check=True,
                capture_output=True,
                timeout=10,
            )
        terminal.key("C-q")
        terminal.wait_for("-0.4 dB")
        terminal.key("C-c")
        terminal.wait_for("[ended 0]")
    finally:
        terminal.end()


def test_samples_beyond_all_measure_are_shown_as_what_they_are(jackd, make_session):
    session = make_session({"a": steady(20 * RATE, 1e30, -1e30), "b": steady(20 * RATE, 3e38, 3e38)})
    terminal = Terminal(
        [JMIX, "run", "--server", jackd.name, "--no-connect", "--osc-port", "0", "--play", session]
    )
    try:
        terminal.wait_for("rolling")
        terminal.wait_for("600.0")  # dB: 1e30
        terminal.key("C-c")
        terminal.wait_for("[ended 0]")
    finally:
        terminal.end()


# MARK: Peers


def test_idle_connections_make_room(mixer):
    idle = [connect(mixer.port) for _ in range(70)]
    assert mixer.ctl("volume", "1", url=f"osc.tcp://127.0.0.1:{mixer.port}/").strip() == "1.0"
    # One that talks keeps its place before those that say nothing.
    talker = connect(mixer.port)
    for number in range(70):
        talker.sendall(framed(message("/ping", number)))
        assert talker.recv(100)
        idle.append(connect(mixer.port))
    talker.sendall(framed(message("/ping", 99)))
    assert talker.recv(100)
    for peer in idle + [talker]:
        peer.close()


def test_peers_that_ask_much_and_never_read_keep_nobody_waiting(mixer):
    greedy = [connect(mixer.port) for _ in range(10)]
    question = framed(message("/help"))
    for peer in greedy:
        peer.setblocking(False)
        try:
            peer.sendall(question * 2000)
        except BlockingIOError:
            pass
    # Ten turns of others lie between two of ours, and no more.
    for number in range(20):
        answers = mixer.osc().ask("/track/1/volume")
        assert answers == [("/track/1/volume", [1.0])]
    for peer in greedy:
        peer.close()


def test_what_a_client_said_before_it_closed_is_done(mixer):
    for last in (0.5, 0.25, 0.75):
        peer = connect(mixer.port)
        peer.sendall(
            b"".join(framed(message("/track/1/volume", n / 1000)) for n in range(500))
            + framed(message("/track/1/volume", last))
        )
        peer.close()
        wait_until(lambda: float(mixer.ctl("volume", 1)) == last, "the last of it is done")


def test_a_client_that_asks_twenty_thousand_times_at_once_is_answered_each_time(mixer):
    peer = connect(mixer.port)
    peer.settimeout(20)
    peer.sendall(b"".join(framed(message("/ping", n)) for n in range(20_000)))
    expected, heard = 20_000 * len(framed(message("/pong", 0))), b""
    while len(heard) < expected:
        part = peer.recv(65536)
        assert part, f"closed after {len(heard)} of {expected} bytes"
        heard += part
    assert heard[-len(framed(message("/pong", 0))) :] == framed(message("/pong", 19_999))
    peer.close()


def test_a_pipe_in_the_place_of_a_session_holds_up_nobody(mixer, tmp_path):
    """What is no file is not waited for; a stop needs no order."""
    os.mkfifo(tmp_path / "hangs.json")
    peer = mixer.osc()
    mixer.ctl("play")
    peer.send("/session/load", "hangs")
    peer.send("/transport/stop")
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stops")
    assert "no file" in mixer.ctl("load", "hangs", code=1)
    assert "hangs" not in mixer.ctl("sessions")
    mixer.ctl("save", "other")
    peer.close()


def test_a_peer_with_a_packet_of_thousands_of_questions_lets_others_talk(mixer):
    greedy = connect(mixer.port)
    greedy.sendall(framed(bundle(1 / 2**32, *[("/help",)] * 3000).dgram))
    for number in range(50):
        assert mixer.osc().ask("/track/1/volume") == [("/track/1/volume", [1.0])]
    greedy.close()


def test_a_slip_stream_without_end_is_given_up(mixer):
    peer = connect(mixer.port)
    peer.sendall(b"\xc0")
    try:
        for _ in range(200):
            peer.sendall(b"\x01" * 65536)
        given_up = False
    except (BrokenPipeError, ConnectionResetError):
        given_up = True
    assert given_up
    assert mixer.ctl("volume", "1").strip() == "1.0"


def test_as_many_tracks_as_there_may_be_are_listed(mixers, jackd, tmp_path):
    """Their list is longer than any packet that the mixer takes itself."""
    names = [f"{number} " + "n" * 80 for number in range(16384)]
    (tmp_path / "many.json").write_text(
        json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": [{"name": name} for name in names]})
    )
    mixer = mixers("--server", jackd.name, "--no-connect", tmp_path / "many.json")
    assert [track["name"] for track in mixer.json("tracks")] == names
    assert len(mixer.ctl("tracks").splitlines()) == 16385
    assert mixer.end() == 0


def test_orders_behind_a_file_keep_their_order(mixer, tmp_path):
    """`add` waits for the disk; what the same client says behind it waits too, in one packet or in many."""
    soundfile.write(tmp_path / "new.wav", steady(RATE, 0.5, 0.5), RATE, subtype="FLOAT")
    peer = mixer.osc()
    peer.send("/track/add", "new.wav")
    peer.send("/track/4/volume", 0.25)
    peer.send("/track/4/name", "late")
    assert peer.ask("/track/late/volume") == [("/track/add", [4]), ("/track/late/volume", [0.25])]
    peer.client._sock.sendto(
        bundle(1 / 2**32, ("/track/add", "new.wav"), ("/track/5/volume", 0.75), ("/track/5/volume",)).dgram,
        ("127.0.0.1", mixer.port),
    )
    assert peer.ask("/track/5/name") == [
        ("/track/add", [5]),
        ("/track/5/volume", [0.75]),
        ("/track/5/name", ["new"]),
    ]
    peer.close()


# MARK: Names and folders


@pytest.mark.parametrize("name", ["jürgen", "日本", "two words"])
def test_a_folder_may_have_any_letters(mixers, jackd, tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    soundfile.write(folder / "söng.wav", steady(RATE, 0.5, 0.5), RATE, subtype="FLOAT")
    (folder / "s.json").write_text('{"jmix": 1}')
    mixer = mixers("--server", jackd.name, "--no-connect", folder / "s.json")
    assert mixer.ctl("add", folder / "söng.wav").strip() == "1"
    mixer.ctl("save")
    assert json.loads((folder / "s.json").read_text())["tracks"][0]["clips"][0]["file"] == "söng.wav"


def test_an_exact_name_wins_over_a_pattern(mixers, jackd, make_session):
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        make_session(
            {
                "Song [final]": steady(100, 0, 0),
                "{x}": steady(100, 0, 0),
                "x": steady(100, 0, 0),
                "a[b": steady(100, 0, 0),
            }
        ),
    )
    for track, value in (("Song [final]", 0.5), ("{x}", 0.25), ("a[b", 0.75)):
        mixer.ctl("volume", track, value)
        assert float(mixer.ctl("volume", track)) == value
    assert float(mixer.ctl("volume", "x")) == 1
    peer = mixer.osc()
    assert peer.ask("/track/{x}/mute", 1) == []
    assert peer.ask("/track/x/mute") == [("/track/x/mute", [0])]
    peer.close()


def test_a_new_name_makes_no_pattern(mixers, jackd, make_session, tmp_path):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session())
    for name in ("*", "a?", "Song [final]", "{x,y}"):
        assert "makes a pattern" in mixer.ctl("name", "1", name, code=1)
    soundfile.write(tmp_path / "Song [final] {2}.wav", steady(100, 0, 0), RATE)
    number = int(mixer.ctl("add", "Song [final] {2}.wav"))
    assert mixer.json("tracks")[number - 1]["name"] == "Song _final_ _2_"
    mixer.ctl("remove", "Song _final_ _2_")


def test_names_that_cannot_be_are_refused_as_what_they_are(mixer):
    assert "control characters" in mixer.ctl("name", "1", "a\u0085b", code=1)
    assert "at most 100 bytes" in mixer.ctl("name", "1", "x" * 4000, code=1)
    assert "at most 4096 bytes" in mixer.ctl("name", "1", "x" * 60000, code=1)
    assert "too long" in mixer.ctl("name", "1", "x" * 100_000, code=1)


def test_a_saved_file_keeps_its_group(mixers, jackd, make_session):
    """A folder that several share: who saves does not take the session from the others."""
    session = make_session()
    others = (
        [4321] if os.geteuid() == 0 else [group for group in os.getgroups() if group != session.stat().st_gid]
    )
    if not others:
        pytest.skip("whoever runs this is in one group alone, and may give no file to another")
    os.chown(session, -1, others[0])
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    inode = session.stat().st_ino
    mixer.ctl("volume", 1, 0.5)
    mixer.ctl("save")
    assert session.stat().st_ino != inode, "another file has taken its place"
    assert session.stat().st_gid == others[0]


def test_a_saved_file_keeps_its_mode(mixers, jackd, make_session):
    session = make_session()
    os.chmod(session, 0o664)
    before = os.umask(0o077)
    try:
        mixer = mixers("--server", jackd.name, "--no-connect", session)
        mixer.ctl("volume", 1, 0.5)
        mixer.ctl("save")
    finally:
        os.umask(before)
    assert stat.S_IMODE(session.stat().st_mode) == 0o664


def test_a_link_in_the_journals_place_is_not_followed(mixers, jackd, make_session, tmp_path):
    session = make_session()
    victim = tmp_path / "victim"
    victim.write_text("precious")
    os.symlink(victim, tmp_path / ".session.json.journal")
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    wait_until(lambda: "unsaved changes would be lost" in mixer.log, "it says that it keeps no journal")
    mixer.ctl("volume", 1, 0.5)
    mixer.ctl("save")
    assert mixer.end() == 0
    assert victim.read_text() == "precious"


# MARK: The rest


def test_who_may_move_the_faders_is_said(mixers, jackd, make_session):
    session = make_session()
    everyone = mixers("--server", jackd.name, "--no-connect", "--osc-bind", "0.0.0.0", session)
    wait_until(lambda: "may move the faders" in everyone.log, "it says so")
    everyone.end()
    some = mixers(
        "--server", jackd.name, "--no-connect", "--osc-bind", "0.0.0.0", "--osc-allow", "127.0.0.0/8", session
    )
    local = mixers("--server", jackd.name, "--name", "other", "--no-connect", session)
    assert "may move the faders" not in some.log + local.log


def test_a_wait_that_is_too_long_is_refused_and_an_hour_is_an_hour():
    done = subprocess.run([JMIXCTL, "wait", "9999999999999s"], capture_output=True, text=True, timeout=10)
    assert done.returncode == 1 and "3600000000s" in done.stderr
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([JMIXCTL, "wait", "4295s"], timeout=2)  # 2^32 microseconds


def test_a_loop_that_is_too_short_is_refused(mixer):
    assert "at least 1 ms" in mixer.ctl("loop", "0f", "47f", code=1)
    mixer.ctl("loop", "0f", "48f")


def test_a_server_that_comes_late_is_waited_for(mixers, servers, make_session):
    name = f"jmix-test-{os.getpid()}-late"
    lonely = subprocess.run(
        [JMIX, "run", "--server", name, "--osc-port", "0", make_session()],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert lonely.returncode == 3
    waiting = subprocess.Popen(
        [JMIX, "run", "--server", name, "--osc-port", "0", "--wait-for-server", make_session()],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = line_of(waiting.stderr, "it waits")
        assert "waiting for a JACK server" in line and name in line and "pw-jack" in line
    finally:
        # Who is told to end does not wait on.
        waiting.send_signal(signal.SIGTERM)
        assert waiting.wait(10) == 0
        waiting.stderr.close()
    come = threading.Timer(1, lambda: servers(name=name))
    come.start()
    try:
        mixer = mixers("--server", name, "--no-connect", "--wait-for-server", make_session())
        assert "waiting" in mixer.log and mixer.json("status")["server"] is True
        mixer.end()
    finally:
        come.join()
