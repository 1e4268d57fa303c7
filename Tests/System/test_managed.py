"""Under a session manager (NSM) and under systemd: the conversation message by message."""

import json
import os
import socket
import subprocess

import jack
import pytest
import soundfile
from conftest import JMIX, RATE, Mixer, steady, wait_until
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder


class SessionManager:
    """The server's side of the NSM API, as far as a client meets it."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(10)
        self.url = f"osc.udp://127.0.0.1:{self.socket.getsockname()[1]}/"
        self.client = None

    def receive(self, address=None):
        """The next message, or the next at `address`, with what came before it passed over."""
        while True:
            data, self.client = self.socket.recvfrom(65536)
            message = OscMessage(data)
            if address is None or message.address == address:
                return message.address, message.params

    def send(self, address, *values):
        builder = OscMessageBuilder(address)
        for value in values:
            builder.add_arg(value)
        self.socket.sendto(builder.build().dgram, self.client)

    def welcome(self):
        self.send(
            "/reply",
            "/nsm/server/announce",
            "welcome",
            "Test Manager",
            ":server-control:broadcast:optional-gui:",
        )


@pytest.fixture
def manager():
    manager = SessionManager()
    yield manager
    manager.socket.close()


@pytest.fixture
def managed(manager, jackd):
    """A mixer that has announced itself."""
    environment = dict(os.environ, NSM_URL=manager.url)
    mixer = object.__new__(Mixer)
    mixer.process = subprocess.Popen(
        [JMIX, "run", "--server", jackd.name, "--no-connect", "--osc-port", "0"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    mixer.lines = []
    import threading

    mixer.reader = threading.Thread(target=mixer.read, daemon=True)
    mixer.reader.start()
    yield mixer
    mixer.end()


def clients(server):
    """The JACK clients that have ports of a mixer."""
    probe = jack.Client("probe", servername=server.name, no_start_server=True)
    names = {port.name.split(":")[0] for port in probe.get_ports("master_1$")}
    probe.close()
    return names


def test_the_conversation(manager, managed, jackd, tmp_path):
    address, (name, capabilities, executable, major, minor, process) = manager.receive()
    assert address == "/nsm/server/announce" and name == "jmix" and capabilities == ":switch:dirty:message:"
    assert executable == JMIX and (major, minor) == (1, 1) and process == managed.process.pid
    assert clients(jackd) == set(), "no JACK client before the first open"
    manager.welcome()

    # A project that does not exist is made, and the JACK client is called as the manager says.
    first = tmp_path / "jmix.nABCD"
    manager.send("/nsm/client/open", str(first), "a song", "jmix.nABCD")
    assert manager.receive("/reply") == ("/reply", ["/nsm/client/open", "0 tracks"])
    assert json.loads((first / "session.json").read_text())["jmix"] == 1
    assert clients(jackd) == {"jmix.nABCD"}
    assert manager.receive() == ("/nsm/client/is_clean", [])
    assert "managed by Test Manager" in managed.log

    # Unsaved, saved, told as it happens.
    soundfile.write(first / "tone.wav", steady(RATE, 0.25, 0.25), RATE)
    managed.ctl("add", first / "tone.wav")
    assert manager.receive() == ("/nsm/client/is_dirty", [])
    manager.send("/nsm/client/save")
    assert manager.receive() == ("/reply", ["/nsm/client/save", "saved"])
    assert manager.receive() == ("/nsm/client/is_clean", [])
    assert json.loads((first / "session.json").read_text())["tracks"][0]["name"] == "tone"
    manager.send("/nsm/client/session_is_loaded")

    # A file outside is answered with what to do here: the folder is moved as a whole.
    soundfile.write(tmp_path / "outside.wav", steady(100, 0.5, 0.5), RATE)
    assert f"copy it there, as cp {tmp_path / 'outside.wav'} {first}/" in managed.ctl(
        "add", tmp_path / "outside.wav", code=1
    )

    # Where it is saved and what is open is the manager's to say; new empties the session in place.
    assert "session manager" in managed.ctl("save", "elsewhere", code=1) and "session manager" in managed.ctl(
        "load", "session", code=1
    )
    managed.ctl("new")
    assert managed.json("tracks") == [] and managed.json("status")["session"] == str(first / "session.json")
    managed.ctl("undo")

    # Another project: another session, another name, no way back by undo.
    second = tmp_path / "jmix.nEFGH"
    second.mkdir()
    (second / "session.json").write_text(
        json.dumps({"jmix": 1, "tracks": [{"name": "a"}, {"name": "b", "clips": [{"file": "gone.wav"}]}]})
    )
    manager.send("/nsm/client/open", str(second), "another song", "jmix.nEFGH")
    assert manager.receive("/reply") == ("/reply", ["/nsm/client/open", "2 tracks"])
    assert manager.receive() == ("/nsm/client/message", [2, "gone.wav is missing; it is left silent"])
    assert manager.receive() == ("/nsm/client/is_clean", [])
    assert clients(jackd) == {"jmix.nEFGH"}
    assert [track["name"] for track in managed.json("tracks")] == ["a", "b"]
    assert "nothing to undo" in managed.ctl("undo", code=1)

    # A project that is broken: the error, and what was open stays open.
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/session.json").write_text("{")
    manager.send("/nsm/client/open", str(tmp_path / "broken"), "broken", "jmix.nIJKL")
    address, (path, code, reason) = manager.receive()
    assert (address, path, code) == ("/error", "/nsm/client/open", -9) and "session.json" in reason
    assert len(managed.json("tracks")) == 2
    manager.send("/nsm/client/open", "/proc/nowhere/x", "none", "jmix.nIJKL")
    assert manager.receive()[1][:2] == ["/nsm/client/open", -10]

    # What cannot be saved is said.
    managed.ctl("volume", 1, 0.5)
    assert manager.receive() == ("/nsm/client/is_dirty", [])
    subprocess.run(["rm", "-r", second], check=True)
    manager.send("/nsm/client/save")
    address, (path, code, reason) = manager.receive()
    assert (address, path, code) == ("/error", "/nsm/client/save", -1) and "cannot write" in reason

    # SIGTERM: it closes cleanly, without a question.
    managed.process.terminate()
    assert managed.process.wait(10) == 0
    wait_until(lambda: clients(jackd) == set(), "its client is gone")


def test_what_was_not_saved_is_kept_when_the_manager_opens_the_same_again(manager, managed, tmp_path):
    manager.receive("/nsm/server/announce")
    manager.welcome()
    project = tmp_path / "jmix.nABCD"
    manager.send("/nsm/client/open", str(project), "a song", "jmix.nABCD")
    assert manager.receive("/reply") == ("/reply", ["/nsm/client/open", "0 tracks"])
    wait_until(lambda: managed.port, "its port is said")
    managed.ctl("volume", "master", 0.5)
    manager.send("/nsm/client/open", str(project), "a song", "jmix.nABCD")
    assert manager.receive("/reply") == ("/reply", ["/nsm/client/open", "0 tracks"])
    kept = project / "session.recovered.json"
    wait_until(kept.exists, "it is kept")
    assert (
        json.loads(kept.read_text())["master"]["fader"] == 0.5
        and managed.json("volume", "master")["volume"] == 1
    )
    wait_until(lambda: str(kept) in managed.log, "and said")


def test_a_first_project_that_is_broken_is_an_error(manager, managed, tmp_path):
    manager.receive()
    manager.welcome()
    (tmp_path / "session.json").write_text('{"jmix": 99}')
    manager.send("/nsm/client/open", str(tmp_path), "new", "jmix.n1")
    address, (path, code, reason) = manager.receive()
    assert (address, path, code) == (
        "/error",
        "/nsm/client/open",
        -9,
    ) and "newer than this program reads" in reason
    assert managed.process.wait(10) == 1


@pytest.mark.parametrize("answer", ["refused", "silent", "nobody", "nonsense"])
def test_without_a_manager_that_wants_it_the_mixer_goes_on_alone(manager, jackd, answer):
    url = {"nobody": "osc.udp://127.0.0.1:9/", "nonsense": "here"}.get(answer, manager.url)
    process = subprocess.Popen(
        [JMIX, "run", "--server", jackd.name, "--no-connect", "--osc-port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, NSM_URL=url),
    )
    if answer == "refused":
        manager.receive()
        manager.send("/error", "/nsm/server/announce", -2, "incompatible")
    lines = [process.stderr.readline()]
    while "OSC on" not in lines[-1]:
        lines.append(process.stderr.readline())
    process.terminate()
    assert process.wait(10) == 0
    assert "going on without" in "".join(lines)


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_is_told_when_it_is_ready_and_when_it_ends(jackd, tmp_path, abstract):
    notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    name = f"jmix-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    notices.bind("\0" + name if abstract else name)
    notices.settimeout(10)
    process = subprocess.Popen(
        [JMIX, "run", "--server", jackd.name, "--no-connect", "--osc-port", "0"],
        stderr=subprocess.DEVNULL,
        env=dict(os.environ, NOTIFY_SOCKET=("@" if abstract else "") + name),
    )
    ready = notices.recv(4096).decode().splitlines()
    assert (
        ready[0] == "READY=1" and ready[1].startswith("STATUS=JACK server") and "OSC on 127.0.0.1" in ready[1]
    )
    process.terminate()
    assert notices.recv(4096) == b"STOPPING=1"
    assert process.wait(10) == 0
    notices.close()
