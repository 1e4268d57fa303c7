"""The two programs from outside: a real jackd, real files, other people's clients."""

import contextlib
import fcntl
import json
import os
import queue
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import jack
import numpy as np
import pytest
import soundfile
from pythonosc import osc_bundle_builder, osc_message_builder, udp_client
from _pytest.runner import runtestprotocol
from pythonosc.osc_message import OscMessage

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# scripts/test has RealtimeSanitizer in the programs (scripts/sanitize).
# Where .build/release leads: each build makes that link anew, and for a moment it is not there.
BUILD = os.path.realpath(os.environ.get("JMIX_BUILD", os.path.join(ROOT, ".build/release")))
JMIX = os.path.join(BUILD, "jmix")
JMIXCTL = os.path.join(BUILD, "jmixctl")
RATE = 48000


def wait_until(condition, what, seconds=30.0):
    """Waits for a condition; how long that takes decides nothing. `what` says what is waited for, or is asked
    for that at the end."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"still not after {seconds} s: {what() if callable(what) else what}"
        time.sleep(0.01)
    return value


def helped(*words):
    """What jmixctl's help says of these words; without any, all verbs."""
    done = subprocess.run([JMIXCTL, "help", *words], capture_output=True, text=True, check=True, timeout=20)
    return done.stdout


def all_verbs():
    return re.findall(r"^  ([a-z-]+)", helped(), re.M)


def ports_of(client, pattern="", **kind):
    """The ports of that name that there are. The list is names, each of which is looked up: one may have gone
    meanwhile."""
    for _ in range(100):
        try:
            return client.get_ports(pattern, **kind)
        except jack.JackError:
            time.sleep(0.01)
    raise AssertionError(f"ports like {pattern} go each time that they are looked at")


def connections_of(port):
    """What a port is connected to. These are names too, of ports that may have gone meanwhile."""
    for _ in range(100):
        try:
            return port.connections
        except jack.JackError:
            time.sleep(0.01)
    raise AssertionError(f"ports that {port.name} is connected to go each time that they are looked at")


def line_of(stream, what, seconds=30.0):
    """The next line that a process says, waited for no longer than that."""
    end, said = time.monotonic() + seconds, b""
    while not said.endswith(b"\n"):
        ready, _, _ = select.select([stream], [], [], max(0, end - time.monotonic()))
        assert ready, f"no line within {seconds} s, but {said}: {what}"
        # By the letter: what a buffer held, nobody could wait for.
        letter = os.read(stream.fileno(), 1)
        if not letter:
            break
        said += letter
    return said.decode()


class JackServer:
    """A dummy JACK server of the test's own, in real time where that is allowed, synchronous unless told
    otherwise, so that no client misses a period."""

    def __init__(self, rate=RATE, period=256, name=None, synchronous=True):
        self.name = name or f"jmix-test-{os.getpid()}-{time.monotonic_ns()}"
        self.output = tempfile.TemporaryFile()
        realtime = ["-R", "-P", "70"] if os.geteuid() == 0 else ["-r"]
        self.process = subprocess.Popen(
            [
                "jackd",
                "-n",
                self.name,
                *realtime,
                *(["-S"] if synchronous else []),
                "-d",
                "dummy",
                "-r",
                str(rate),
                "-p",
                str(period),
            ],
            stdout=self.output,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until(self.answers, "jackd takes clients")
        except AssertionError as error:
            code = self.process.poll()
            self.process.kill()
            self.process.wait(10)
            self.output.seek(0)
            raise AssertionError(f"{error}; it ended: {code}; it said {self.output.read()}")

    def answers(self):
        try:
            jack.Client("probe", servername=self.name, no_start_server=True).close()
            return True
        except jack.JackOpenError:
            return False

    def end(self):
        """How it ended: 0 unless something ended it before."""
        self.process.terminate()
        self.output.close()
        return self.process.wait(10)


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "alone: strains the machine or its real time; one other runs beside it"
    )


# What failed while the JACK server missed a period, and was run again: told beside the report, for tests that
# run side by side do so in processes of their own.
AGAIN = []
# So often the machine may be held up by others while a process runs tests; beyond that it is the mixer's own
# fault.
MOST_AGAIN = 4
again = 0


@contextlib.contextmanager
def tests_beside(are_there):
    """Other processes run tests of the project meanwhile, or wait until this is over. Who is to be alone
    holds the gate until those that run have ended, so that no other begins."""

    def lock(file, kind):
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False

    with open(os.path.join(ROOT, ".build/tests.gate"), "w") as gate:
        with open(os.path.join(ROOT, ".build/tests.room"), "w") as room:
            wait_until(lambda: lock(gate, fcntl.LOCK_EX), "a test that is to be alone has begun", 900)
            kind = fcntl.LOCK_SH if are_there else fcntl.LOCK_EX
            wait_until(lambda: lock(room, kind), "the tests beside this one have ended", 900)
            fcntl.flock(gate, fcntl.LOCK_UN)
            yield


def pytest_runtest_protocol(item, nextitem):
    """Where the JACK server missed a period during a test that failed, something held it up: mostly the
    machine, which others use too. Such a test is run again, at most twice, the last time with no other beside
    it, and what failed is shown at the end."""
    global again
    texts = []
    for attempt in range(3):
        Capture.late = 0
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        with tests_beside(are_there=attempt < 2):
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = [report for report in reports if report.failed]
        if attempt == 2 or not failed or not Capture.late or again >= MOST_AGAIN:
            break
        again += 1
        texts.append((f"{item.nodeid}: {Capture.late} xruns", failed[0].longreprtext))
    reports[0].user_properties += [("again", text) for text in texts]
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def pytest_runtest_logreport(report):
    if report.when == "setup":
        AGAIN.extend(text for name, text in report.user_properties if name == "again")


def pytest_terminal_summary(terminalreporter):
    for what, text in AGAIN:
        terminalreporter.write_line(f"run again, for the JACK server was late: {what}")
        terminalreporter.write_line("\n".join(text.splitlines()[-12:]))


jack.set_error_function(lambda _: None)
jack.set_info_function(lambda _: None)


# libjack keeps a registry of its servers in /dev/shm, and semaphores of those that were killed; the metadata
# of ports are a data base in /tmp or /dev/shm, which a server leaves behind.
SHARED = {place: set() for place in ("/dev/shm", "/tmp")}


def pytest_sessionstart():
    for place, names in SHARED.items():
        names.update(os.listdir(place))


def pytest_sessionfinish():
    """What these tests made goes with them, and nobody else's: all of it where they have a /dev/shm of their
    own (scripts/alone), else what bears their name. Not before the last of them has ended: this process is on
    the registry."""
    for place, before in SHARED.items():
        for name in set(os.listdir(place)) - before:
            path = os.path.join(place, name)
            is_own = f"jmix-test-{os.getpid()}-" in name or (
                place == "/dev/shm" and "JMIX_ALONE" in os.environ
            )
            if is_own and name.startswith("jack_db-"):
                shutil.rmtree(path)
            elif is_own and name.startswith("jack"):
                os.unlink(path)


def running(pid):
    """The name of a process that has not ended, and its parent's number; None without one."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            head, _, rest = stat.read().rpartition(")")
    except OSError:
        return None
    state, parent = rest.split()[:2]
    return None if state == "Z" else (head.partition("(")[2], int(parent))


def children(process):
    """The processes that a process has started and that run, by their numbers and names."""
    found = {int(pid): running(pid) for pid in os.listdir("/proc") if pid.isdigit()}
    return {pid: of[0] for pid, of in found.items() if of and of[1] == process.pid}


def interposer(name, folder):
    """Builds one of the libraries here that stand before the system's."""
    library = folder / f"{name}.so"
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.c")
    subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory):
    """Nothing is kept among the states of the user's own programs."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="session", autouse=True)
def toolchain():
    """A program that crashes says where: the runtime that it carries asks the toolchain's tool for that."""
    swift = shutil.which("swift")
    if swift:
        os.environ.setdefault("SWIFT_ROOT", os.path.dirname(os.path.dirname(os.path.realpath(swift))))


@pytest.fixture(scope="session")
def jackd():
    server = JackServer()
    yield server
    server.end()


class Mixer:
    """A running jmix, driven by jmixctl and by python-osc."""

    def __init__(self, *words, cwd=None, under=()):
        """under: a command that starts it, as setpriv does."""
        self.process = subprocess.Popen(
            [*under, JMIX, "run", "--osc-port", "0", *map(str, words)],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=cwd,
        )
        self.lines = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        try:
            wait_until(lambda: self.port or self.process.poll() is not None, "jmix says its port")
        except AssertionError:
            self.end(signal.SIGKILL)
            raise

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line)

    @property
    def log(self):
        return "".join(self.lines)

    @property
    def port(self):
        found = re.search(r"OSC on \S+ port (\d+)", self.log)
        return int(found[1]) if found else None

    @property
    def url(self):
        return f"osc.udp://127.0.0.1:{self.running_port}/"

    @property
    def running_port(self):
        port = self.port
        assert port, f"jmix ended before it said its port: {self.process.poll()}; it said {self.log}"
        return port

    def said(self, *words, code=0, url=None, **options):
        """What jmixctl prints, and what it says beside that."""
        done = subprocess.run(
            [JMIXCTL, "--url", url or self.url, *map(str, words)],
            capture_output=True,
            text=True,
            timeout=20,
            **options,
        )
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout, done.stderr

    def ctl(self, *words, code=0, **options):
        return self.said(*words, code=code, **options)[0 if code == 0 else 1]

    def takes(self, *words):
        """Whether it carries a command out, which it may refuse."""
        return (
            subprocess.run([JMIXCTL, "--url", self.url, *words], capture_output=True, timeout=20).returncode
            == 0
        )

    def noted(self, *words):
        """What is noted beside the answer of a command that is carried out."""
        return self.said(*words)[1]

    def json(self, *words):
        return json.loads(self.ctl(*words, "--json"))

    def osc(self):
        return OscPeer(self.running_port)

    def end(self, number=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(60)
        self.reader.join(5)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


class Terminal:
    """A program in a real terminal, which tmux is: what is typed, and what the screen shows."""

    def __init__(self, words, width=100, height=30, env=()):
        self.socket = f"jmix-test-{os.getpid()}-{time.monotonic_ns()}"
        # What the program says last is still to be read when it has ended.
        command = " ".join(shlex.quote(str(word)) for word in words) + "; echo [ended $?]; sleep 60"
        # A shell that Ctrl-C ends would take the screen along; with a trap of its own its child still gets
        # the signal as ever.
        command = "trap : INT; " + command
        assignments = " ".join(f"{name}={shlex.quote(str(value))}" for name, value in dict(env).items())
        self.tmux(
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-x",
            str(width),
            "-y",
            str(height),
            f"env LC_ALL=C.UTF-8 {assignments} sh -c {shlex.quote(command)}",
        )

    def tmux(self, *words):
        return subprocess.run(
            ["tmux", "-L", self.socket, *words], capture_output=True, text=True, check=True
        ).stdout

    @property
    def screen(self):
        return self.tmux("capture-pane", "-p")

    @property
    def colours(self):
        """The screen with its escape sequences."""
        return self.tmux("capture-pane", "-p", "-e")

    def type(self, text):
        self.tmux("send-keys", "-l", "--", text)

    def key(self, *names):
        self.tmux("send-keys", *names)

    def line(self, text):
        self.type(text)
        self.key("Enter")

    def wait_for(self, text):
        last = ""

        def shows():
            nonlocal last
            last = self.screen
            return text in last

        wait_until(shows, lambda: f"{text!r} on the screen:\n{last}")
        return last

    def mixer(self):
        """The mixer that runs in it, to be asked from elsewhere."""
        mixer = object.__new__(Mixer)
        mixer.lines = [self.screen]
        return mixer

    def end(self):
        """Also what ran in it has ended then: the next may have the same name on its JACK server."""
        try:
            programs = below(int(self.tmux("display-message", "-p", "#{pane_pid}")))
        except subprocess.CalledProcessError:
            return
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)
        wait_until(lambda: not any(map(runs, programs)), f"{programs} have ended")


def stat(process):
    """State and parent of a process, or nothing."""
    try:
        state, parent = open(f"/proc/{process}/stat").read().rsplit(")", 1)[1].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return state, int(parent)


def runs(process):
    return (stat(process) or "Z")[0] != "Z"


def below(process):
    """The processes that it has started, and those that these have."""
    everyone = {int(name): stat(name) for name in os.listdir("/proc") if name.isdigit()}
    own = [child for child, known in everyone.items() if known and known[1] == process]
    return own + [further for child in own for further in below(child)]


def bundle(when, *messages):
    """A packet whose messages are meant for a moment of the wall clock."""
    builder = osc_bundle_builder.OscBundleBuilder(when)
    for address, *arguments in messages:
        message = osc_message_builder.OscMessageBuilder(address)
        for argument in arguments:
            message.add_arg(argument)
        builder.add_content(message.build())
    return builder.build()


class OscPeer:
    """python-osc over UDP, from one socket, so that answers find it."""

    def __init__(self, port):
        self.client = udp_client.UDPClient("127.0.0.1", port)
        self.client._sock.settimeout(5)
        # Room for all that /help answers at once: hundreds of datagrams, of which a standard buffer loses
        # some. As root it is had, whatever the system's limit.
        for option in (getattr(socket, "SO_RCVBUFFORCE", 33), socket.SO_RCVBUF):
            try:
                self.client._sock.setsockopt(socket.SOL_SOCKET, option, 1 << 22)
                break
            except PermissionError:
                continue

    def send(self, address, *arguments):
        message = osc_message_builder.OscMessageBuilder(address)
        for argument in arguments:
            if isinstance(argument, tuple):
                message.add_arg(*argument)
            else:
                message.add_arg(argument)
        self.client.send(message.build())

    def receive(self):
        message = OscMessage(self.client._sock.recv(65536))
        return message.address, list(message.params)

    def ask(self, address, *arguments):
        """What came back before the answer to a ping that was sent behind."""
        self.send(address, *arguments)
        self.number = getattr(self, "number", 0) + 1
        self.send("/ping", self.number)
        answers = []
        while (answer := self.receive()) != ("/pong", [self.number]):
            answers.append(answer)
        return answers

    def close(self):
        self.client._sock.close()


@pytest.fixture
def servers():
    """Starts JACK servers, and ends those that the test has left running once its mixers have ended.

    libjack's list has room for eight servers. One that was killed, or that ended under a client (jackd dies
    of SIGPIPE then), keeps its place until another of its name comes."""
    started = []

    def start(**options):
        server = JackServer(**options)
        started.append(server)
        return server

    yield start
    ends = {server.name: server.end() for server in started}
    for name in (name for name, code in ends.items() if code != 0):
        assert JackServer(name=name).end() == 0


@pytest.fixture
def mixers(servers):
    """Starts mixers, and ends those that the test has left running."""
    started = []

    def start(*words, **options):
        mixer = Mixer(*words, **options)
        started.append(mixer)
        return mixer

    yield start
    for mixer in started:
        mixer.end(signal.SIGTERM)


@pytest.fixture
def mixer(mixers, jackd, make_session):
    """A mixer on the test server with three tracks of steady tones."""
    return mixers("--server", jackd.name, "--no-connect", make_session())


def steady(length, left, right):
    return np.tile(np.array([[left, right]], dtype=np.float32), (length, 1))


@pytest.fixture
def make_session(tmp_path):
    """Writes a session with its files and returns its path. Tracks: name -> samples, or (samples, fields);
    beside them one for each file that is there."""

    def make(tracks=None, name="session.json", rate=RATE, tracks_of_files=(), **fields):
        if tracks is None:
            tracks = {
                "music": steady(20 * RATE, 0.25, 0.25),
                "voice": steady(20 * RATE, 0.125, 0.125),
                "chime": steady(20 * RATE, 0.0625, 0.0625),
            }
        listed = []
        for track, content in tracks.items():
            samples, extra = content if isinstance(content, tuple) else (content, {})
            soundfile.write(tmp_path / f"{track}.wav", samples, rate, subtype="FLOAT")
            listed.append({"name": track, "clips": [{"file": f"{track}.wav"}], **extra})
        listed += [{"name": f"t{n}", "clips": [{"file": file}]} for n, file in enumerate(tracks_of_files)]
        path = tmp_path / name
        path.write_text(json.dumps({"jmix": 1, "sampleRate": rate, "tracks": listed, **fields}))
        return path

    return make


class Capture:
    """Records two ports frame by frame."""

    # Xruns that all captures of a test have seen.
    late = 0

    def __init__(self, server, ports=("jmix:master_1", "jmix:master_2")):
        self.client = jack.Client("capture", servername=server.name, no_start_server=True)
        self.inputs = [self.client.inports.register(f"in_{i}") for i in (1, 2)]
        self.blocks = queue.SimpleQueue()
        self.xruns = 0
        self.has_ended = False
        # Once its ports are being disconnected it hears silence, which is no one's.
        self.client.set_process_callback(lambda frames: None if self.has_ended else self.process(frames))
        self.client.set_xrun_callback(self.count)
        self.client.activate()
        for source, target in zip(ports, self.inputs):
            self.client.connect(source, target)

    def process(self, _):
        self.blocks.put(np.stack([port.get_array().copy() for port in self.inputs], 1))

    def count(self, _):
        self.xruns += 1
        Capture.late += 1

    def hear_more(self, periods=2):
        """Waits until so many periods more have come: what a mixer says holds from the end of its last
        period."""
        wanted = self.blocks.qsize() + periods
        wait_until(lambda: self.blocks.qsize() >= wanted, f"{periods} more periods are captured")

    def end(self):
        """All frames since the start, two columns."""
        return np.concatenate(self.finish())

    def finish(self):
        """Ends, and returns what `process` has put down, block by block."""
        self.has_ended = True
        self.client.deactivate()
        self.client.close()
        if self.xruns:
            # Shown where what follows fails.
            print(f"the machine was late: the server had {self.xruns} xruns during this capture")
        blocks = []
        while not self.blocks.empty():
            blocks.append(self.blocks.get())
        return blocks

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()


def seconds_of(text):
    """The seconds of an exact time, as documents have it: 5s, 0.5s, 73216/48000."""
    number, _, scale = text.removesuffix("s").partition("/")
    return int(number) / int(scale) if scale else float(number)


def run(*words, code=0, timeout=60, **options):
    done = subprocess.run(
        [JMIX, *map(str, words)], capture_output=True, text=True, timeout=timeout, **options
    )
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done


def rendered(path, *words):
    """What a session's mix is, as floats."""
    out = path.parent / "mix.wav"
    run("render", path, out, "--force", *words)
    return soundfile.read(out, dtype="float32", always_2d=True)[0]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "jmix" / "sounds"


def copy_demo(tmp_path, name="voiceover"):
    return shutil.copytree(os.path.join(ROOT, "Sessions", name), tmp_path / name)
