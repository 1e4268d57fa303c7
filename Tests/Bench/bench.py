"""Measures jmix, beside whatever else is installed, and writes docs/performance.md and docs/performance.svg;
see scripts/bench."""

import json
import os
import pathlib
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import soundfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "Tests/System"))
import jack  # noqa: E402
import web  # noqa: E402
from conftest import JMIX, JMIXCTL, RATE, JackServer, Mixer, wait_until  # noqa: E402

QUICK = "--quick" in sys.argv
EVENTS = [
    {"volume": 0.5, "at": "0s"},
    {"ramp": [0.5, 0.8], "from": "2s", "to": "4s"},
    {"volume": 0.3, "at": "7s"},
]
work = pathlib.Path(tempfile.mkdtemp(prefix="jmix-bench-"))
# In memory: a render of jmix waits until the disk has the file, and none of the others does.
outputs = pathlib.Path(tempfile.mkdtemp(prefix="jmix-bench-", dir="/dev/shm"))
on_disk = work / "outputs"


def material(count, seconds, subtype="PCM_24", suffix="wav"):
    rng, t = np.random.default_rng(1), np.arange(RATE * seconds) / RATE
    paths = []
    for i in range(count):
        tone = np.stack([np.sin(2 * np.pi * 110 * 2 ** (i / 12) * f * t) for f in (1, 1.003)], 1) * 0.3
        path = work / f"{subtype}-{seconds}-{i}.{suffix}"
        soundfile.write(
            path, (tone + rng.normal(0, 0.01, tone.shape)).astype(np.float32), RATE, subtype=subtype
        )
        paths.append(path)
    return paths


EQUALISER = {
    "bands": [
        {"type": "lowshelf", "freq": 120, "gain": -3},
        {"freq": 400, "gain": 4},
        {"freq": 2500, "gain": -5, "q": 2},
        {"type": "highshelf", "freq": 8000, "gain": 3},
    ]
}
VOICE = {"eq": EQUALISER, "comp": {"threshold": -24, "ratio": 3, "knee": 6}}
EVERYTHING = VOICE | {
    "eq": EQUALISER | {"hp": 80, "lp": 16000},
    "gate": {"threshold": -50},
    "limit": {"level": -1},
    "delay": "12ms",
}
# So many strips have one at the most.
MOST = {"limit": 64, "delay": 64}


def session(files, count, events=EVENTS, buses=0, sends=0, **strip):
    """Tracks, each with sends to so many of the buses, and with what else a strip has."""
    path = work / f"session-{count}-{buses}-{'-'.join(strip)}.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 2 if buses or strip else 1,
                "sampleRate": RATE,
                "tracks": [
                    {
                        "name": f"t{n}",
                        "clips": [{"file": str(files[n % len(files)])}],
                        "automation": events,
                        **{name: value for name, value in strip.items() if n < MOST.get(name, count)},
                        **(
                            {
                                "sends": [
                                    {"to": f"b{(n + send) % buses}", "volume": 0.1} for send in range(sends)
                                ]
                            }
                            if buses
                            else {}
                        ),
                    }
                    for n in range(count)
                ],
                **({"buses": [{"name": f"b{n}"} for n in range(buses)]} if buses else {}),
            }
        )
    )
    return path


def steady_session():
    """One track at one level, so that every change is the fader's."""
    soundfile.write(work / "steady.wav", np.full((RATE * 60, 2), 0.25, np.float32), RATE, subtype="FLOAT")
    path = work / "steady.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 1,
                "sampleRate": RATE,
                "tracks": [{"name": "steady", "clips": [{"file": str(work / "steady.wav")}]}],
            }
        )
    )
    return path


def timed(words):
    """Wall and processor seconds of a command."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def side_by_side(jobs, rounds):
    """The medians of each job's wall and processor time, the jobs taken in turn; the first round only warms
    up. What they write is new each time: to take an old file's memory from it is nobody's work."""
    results = {name: [] for name in jobs}
    for _ in range(rounds + 1):
        for name, words in jobs.items():
            for folder in (outputs, on_disk):
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
            results[name].append(timed(words))
    return {
        name: tuple(statistics.median(values) for values in zip(*times[1:]))
        for name, times in results.items()
    }


# MARK: offline

ONE_CORE = "jmix on one core"
TO_DISK = "jmix, until the disk has the file"


def offline(files):
    floor = work / "floor"
    subprocess.run(["cc", "-O3", "-march=native", "-o", floor, HERE / "floor.c", "-lsndfile"], check=True)
    render = [JMIX, "render", session(files, len(files)), outputs / "jmix.wav"]
    jobs = {
        "libsndfile, one thread, C": [floor, outputs / "floor.wav", *files],
        "jmix": render,
        ONE_CORE: ["taskset", "-c", min(os.sched_getaffinity(0)), *render],
        TO_DISK: [*render[:-1], on_disk / "jmix.wav"],
    }
    if shutil.which("ecasound"):
        chains = [
            word
            for n, file in enumerate(files)
            for word in (
                f"-a:{n + 1}",
                "-i",
                file,
                "-ea:100",
                "-klg:1,0,100,6,0,0.5,2,0.5,4,0.8,6.99999,0.8,7,0.3,60,0.3",
            )
        ]
        jobs["ecasound"] = [
            "ecasound",
            "-q",
            "-b:4096",
            "-z:nointbuf",
            "-z:nodb",
            *chains,
            "-a:all",
            "-f:f32_le,2,48000",
            "-o",
            outputs / "eca.wav",
        ]
    if shutil.which("sox"):
        jobs["sox (one gain)"] = [
            "sox",
            "-V1",
            "-m",
            *[word for file in files for word in ("-v", "0.5", file)],
            "-e",
            "floating-point",
            "-b",
            "32",
            outputs / "sox.wav",
        ]
    if shutil.which("ffmpeg"):
        volume = "volume='if(lt(t,2),0.5,if(lt(t,4),0.5+0.15*(t-2),if(lt(t,7),0.8,0.3)))':eval=frame"
        graph = (
            ";".join(f"[{n}:a]{volume}[a{n}]" for n in range(len(files)))
            + ";"
            + "".join(f"[a{n}]" for n in range(len(files)))
            + f"amix=inputs={len(files)}:normalize=0[o]"
        )
        jobs["ffmpeg"] = [
            "ffmpeg",
            "-v",
            "error",
            "-y",
            *[word for file in files for word in ("-i", file)],
            "-filter_complex",
            graph,
            "-map",
            "[o]",
            "-c:a",
            "pcm_f32le",
            outputs / "ff.wav",
        ]
    return side_by_side(jobs, 3 if QUICK else 9)


def flac(count, seconds):
    files = material(8, seconds, "PCM_24", "flac")
    one_by_one = "; ".join(
        f"flac -s -d -f -o {outputs}/out.wav {files[n % len(files)]}" for n in range(count)
    )
    return side_by_side(
        {
            "flac -d": ["sh", "-c", one_by_one],
            "jmix": [JMIX, "render", session(files, count), outputs / "jmix.wav"],
        },
        1 if QUICK else 2,
    )


def versus_ardour(files, count):
    """Processor seconds of an equaliser and a compressor on each track, by jmix and by Ardour's a-eq and
    a-comp: what a render takes with them, less what it takes without."""

    def ardour(path):
        folder = work / f"{path.stem}.ardour"
        folder.mkdir()
        subprocess.run([JMIX, "export", path, folder / "show.ardour"], stdout=subprocess.DEVNULL, check=True)
        # One run in ten of Debian's ends with a damaged heap: it is run again.
        return [
            "sh",
            "-c",
            f"for turn in 1 2 3 4 5; do ardour7-export -b float -o {outputs}/ardour.wav {folder} show && "
            f"exit; done",
        ]

    dry, wet = session(files, count), session(files, count, **VOICE)
    used = side_by_side(
        {
            "jmix": [JMIX, "render", dry, outputs / "jmix.wav"],
            "jmix, voices": [JMIX, "render", wet, outputs / "jmix-voices.wav"],
            "Ardour": ardour(dry),
            "Ardour, voices": ardour(wet),
        },
        # The median of three does not count a run that ended so.
        3,
    )
    return [used[f"{name}, voices"][1] - used[name][1] for name in ("jmix", "Ardour")]


def shared_gain(files, count):
    """How much of a core an automix of so many microphones takes: a render with it, less one without."""
    plain = session(files, count, buses=1)
    document = json.loads(plain.read_text())
    for track in document["tracks"]:
        track["output"] = "b0"
    plain.write_text(json.dumps(document))
    shared = work / "automix.json"
    document["buses"][0]["automix"] = {}
    shared.write_text(json.dumps(document))
    used = side_by_side(
        {path.stem: [JMIX, "render", path, outputs / "jmix.wav"] for path in (plain, shared)},
        3 if QUICK else 9,
    )
    return (used[shared.stem][1] - used[plain.stem][1]) / 60


def everything_on(files, count, seconds):
    """All processors on each strip at 64 frames: in words."""
    server = JackServer(period=64, synchronous=False)
    try:
        _, idle, before = observe(server, os.getpid(), seconds)
        _, load, xruns, status, _ = play(server, files, count, seconds, **EVERYTHING)
    finally:
        server.end()
    times = status["callbackMicroseconds"]
    return (
        f"{xruns} at a load of {load:.0f} % (the server alone: {before}); median {times['median']} us, "
        f"99.9 % {times['percentile999']}; {status['latePeriods']} of {status['periods']} late"
    )


# MARK: real time


def cpu(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid):
    return (
        next(
            int(line.split()[1])
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
            if line.startswith("VmRSS")
        )
        / 1024
    )


def start_scsynth(server, files, count, buses=0, sends=0):
    """SuperCollider's synthesis server with one DiskIn and one envelope for each file, and an In for each
    bus."""
    from pythonosc import udp_client
    from supriya import Envelope, SynthDefBuilder
    from supriya.ugens import DiskIn, EnvGen, In, Out, compile_synthdefs

    with SynthDefBuilder(buf=0, **{f"to{send}": 0 for send in range(sends)}) as builder:
        envelope = EnvGen.kr(
            envelope=Envelope(amplitudes=[0.5, 0.5, 0.8, 0.8, 0.3], durations=[2, 2, 3, 0.001])
        )
        sound = DiskIn.ar(channel_count=2, buffer_id=builder["buf"], loop=1) * envelope
        Out.ar(bus=0, source=sound)
        for send in range(sends):
            Out.ar(bus=builder[f"to{send}"], source=sound * 0.1)
    with SynthDefBuilder(of=0) as of_bus:
        Out.ar(bus=0, source=In.ar(channel_count=2, bus=of_bus["of"]))
    process = subprocess.Popen(
        [
            "scsynth",
            "-u",
            "57117",
            "-b",
            "16384",
            "-n",
            "16384",
            "-m",
            "1048576",
            "-a",
            "1024",
            "-i",
            "0",
            "-o",
            "2",
            "-z",
            "64",
            "-B",
            "127.0.0.1",
        ],
        env=dict(os.environ, JACK_DEFAULT_SERVER=server.name, SC_JACK_DEFAULT_OUTPUTS=""),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(3)
    client = udp_client.SimpleUDPClient("127.0.0.1", 57117)
    client.send_message("/d_recv", [compile_synthdefs(builder.build(name="trk"), of_bus.build(name="bus"))])
    time.sleep(0.5)
    for n in range(count):
        client.send_message("/b_alloc", [n, 32768, 2])
        time.sleep(0.001)
    for n in range(count):
        client.send_message("/b_read", [n, str(files[n % len(files)]), 0, 32768, 0, 1])
        time.sleep(0.003)
    time.sleep(1)
    for n in range(buses):
        client.send_message("/s_new", ["bus", 20000 + n, 0, 0, "of", 16 + 2 * n])
    for n in range(count):
        client.send_message(
            "/s_new",
            [
                "trk",
                1000 + n,
                0,
                0,
                "buf",
                n,
                *[word for send in range(sends) for word in (f"to{send}", 16 + 2 * ((n + send) % buses))],
            ],
        )
        time.sleep(0.0005)
    time.sleep(2)
    return process


def observe(server, pid, seconds):
    """Processor share of a process, the server's load and its xruns while it runs."""
    client, xruns, loads = jack.Client("observer", servername=server.name, no_start_server=True), [0], []
    client.set_xrun_callback(lambda _: xruns.__setitem__(0, xruns[0] + 1))
    client.activate()
    before, start = cpu(pid), time.monotonic()
    while time.monotonic() < start + seconds:
        time.sleep(0.25)
        loads.append(client.cpu_load())
    share = (cpu(pid) - before) / (time.monotonic() - start)
    client.close()
    return share, statistics.median(loads), xruns[0]


def play(server, files, count, seconds=10, **desk):
    """What jmix takes, and what it says of itself."""
    mixer = Mixer("--server", server.name, "--no-connect", "--play", "--loop", session(files, count, **desk))
    try:
        wait_until(lambda: mixer.json("position")["seconds"] > 2, "it plays", 60)
        share, load, xruns = observe(server, mixer.process.pid, seconds)
        # Over TCP: of thousands of tracks it is longer than a datagram.
        status = json.loads(mixer.ctl("status", "--json", url=mixer.url.replace("udp", "tcp")))
        return share, load, xruns, status, memory(mixer.process.pid)
    finally:
        mixer.end()


def end_scsynth(process):
    """Ended from outside, it leaves its shared memory."""
    process.kill()
    process.wait(10)
    pathlib.Path("/dev/shm/SuperColliderServer_57117").unlink(missing_ok=True)


def versus_scsynth(files, count, period, **desk):
    server = JackServer(period=period, synchronous=False)
    ours, theirs = [], []
    try:
        for _ in range(1 if QUICK else 3):
            process = start_scsynth(server, files, count, **desk)
            theirs.append(observe(server, process.pid, 10)[0])
            end_scsynth(process)
            ours.append(play(server, files, count, **desk)[0])
    finally:
        server.end()
    return statistics.median(ours), statistics.median(theirs)


def most_tracks(files, has_peer, seconds):
    """The most tracks, doubling, with which a server of 256 frames has no more xruns than with nothing at all
    on it, in words: how many, with what load and
    xruns, and what comes after."""

    def on_a_server(measure, *words):
        server = JackServer(period=256, synchronous=False)
        try:
            return measure(server, *words)
        finally:
            server.end()

    def nothing(server):
        return observe(server, os.getpid(), seconds)[2]

    def ours(server, count):
        _, load, xruns, status, _ = play(server, files, count, seconds)
        return load, xruns, status["dropouts"] == 0

    def theirs(server, count):
        process = start_scsynth(server, files, count)
        try:
            _, load, xruns = observe(server, process.pid, seconds)
            return load, xruns, process.poll() is None
        finally:
            end_scsynth(process)

    idle = on_a_server(nothing)

    def fits(measure):
        best, said = "none", []
        for count in (1024, 2048, 4096, 8192):
            try:
                load, xruns, is_well = on_a_server(measure, count)
            except Exception:  # noqa: BLE001: it does not even start with so many
                said.append(f"{count} do not start")
                break
            said.append(f"{count}: {xruns} at a load of {load:.0f} %{'' if is_well else ', and dropouts'}")
            if is_well and xruns <= idle:
                best = count
            if load > 80:
                break
        return f"{best} ({'; '.join(said)})"

    return idle, fits(ours), (fits(theirs) if has_peer else None)


def longest_callbacks(files, count, seconds):
    """Of runs in turn: what the mixer says of its callback, and what a plain callback in C over as much
    memory takes, on this machine in this minute."""
    floor = work / "callback_floor"
    subprocess.run(
        ["cc", "-O3", "-march=native", "-o", floor, HERE / "callback_floor.c", "-ljack"], check=True
    )
    ours, theirs = [], []
    for _ in range(1 if QUICK else 3):
        server = JackServer(period=64, synchronous=False)
        try:
            status, used = play(server, files, count, seconds)[3:]
            ours.append(
                status["callbackMicroseconds"] | {"late": status["latePeriods"], "periods": status["periods"]}
            )
            theirs.append(
                json.loads(
                    subprocess.run(
                        [floor, server.name, str(count), "32768", str(seconds)],
                        capture_output=True,
                        text=True,
                        check=True,
                    ).stdout
                )
            )
        finally:
            server.end()

    def words(runs):
        return ", ".join(f"{run['longest']:.0f}" for run in runs) + (
            f" us; median {statistics.median(run['median'] for run in runs)}, 99.9 % "
            f"{statistics.median(run['percentile999'] for run in runs)}"
            f"; {sum(run['late'] for run in runs)} of {sum(run['periods'] for run in runs)} late"
        )

    return words(ours), words(theirs), used


def first_sound(files, count):
    """Seconds from the start of the program to the first sample."""
    server = JackServer(period=256)
    heard = []
    client = jack.Client("ear", servername=server.name, no_start_server=True)
    ear = client.inports.register("in")

    def process(_):
        if not heard and ear.get_array().any():
            heard.append(time.monotonic())

    client.set_process_callback(process)
    client.activate()
    path = session(files, count)
    times = []
    try:
        for _ in range(3):
            heard.clear()
            start = time.monotonic()
            mixer = Mixer(
                "--server", server.name, "--no-connect", "--connect", "master_1=ear:in", "--play", path
            )
            wait_until(lambda: heard, "it sounds", 30)
            times.append(heard[0] - start)
            mixer.end()
    finally:
        client.close()
        server.end()
    return min(times)


def fader_latency(period):
    """Periods from sending a fader message to the start of the period with the first changed sample."""
    server = JackServer(period=period)
    folder = work / "steady"
    folder.mkdir(exist_ok=True)
    soundfile.write(folder / "steady.wav", np.full((RATE * 60, 2), 0.5, np.float32), RATE, subtype="FLOAT")
    (folder / "session.json").write_text(
        json.dumps({"jmix": 1, "tracks": [{"name": "a", "clips": [{"file": "steady.wav"}]}]})
    )
    client, changes, last = jack.Client("ear", servername=server.name, no_start_server=True), [], [0.5]
    ear = client.inports.register("in")

    def process(_):
        block = ear.get_array()
        if block[-1] != last[0]:
            changes.append(time.monotonic())
            last[0] = block[-1]

    client.set_process_callback(process)
    client.activate()
    mixer = Mixer("--server", server.name, "--no-connect", "--connect", "master_1=ear:in", "--play", folder)
    peer, delays = mixer.osc(), []
    try:
        wait_until(lambda: mixer.json("position")["seconds"] > 1, "it plays")
        for n in range(50 if QUICK else 200):
            time.sleep(0.03 + 0.001 * (n % 17))
            changes.clear()
            start = time.monotonic()
            peer.send("/track/1/volume", 0.25 + 0.5 * (n % 2))
            wait_until(lambda: changes, "it changes")
            delays.append((changes[0] - start) * RATE / period)
    finally:
        peer.close()
        mixer.end()
        client.close()
        server.end()
    return statistics.median(delays), max(delays)


def command_time(files):
    server = JackServer()
    mixer = Mixer("--server", server.name, "--no-connect", session(files, 4))
    try:
        url = f"osc.tcp://127.0.0.1:{mixer.port}/"
        times = {"jmixctl": [], "oscsend": []}
        for _ in range(50 if QUICK else 200):
            times["jmixctl"].append(timed([JMIXCTL, "--url", url, "volume", "1", "0.5"])[0])
            times["oscsend"].append(
                timed(["oscsend", f"osc.udp://127.0.0.1:{mixer.port}/", "/track/1/volume", "f", "0.5"])[0]
            )
        return {name: statistics.median(values) * 1000 for name, values in times.items()}
    finally:
        mixer.end()
        server.end()


def growth(files):
    def callback(count, period):
        server = JackServer(period=period, synchronous=False)
        try:
            return play(server, files, count, 4 if QUICK else 8)[3]["callbackMicroseconds"]
        finally:
            server.end()

    tracks = {count: callback(count, 64) for count in (1, 8, 64, 512)}
    periods = {period: callback(64, period) for period in (32, 64, 128, 256, 512, 1024)}
    for name, rows in (("tracks", tracks), ("periods", periods)):
        (work / f"{name}.dat").write_text(
            "".join(f"{key} {row['median']} {row['percentile999']}\n" for key, row in rows.items())
        )
    if shutil.which("gnuplot"):
        subprocess.run(
            [
                "gnuplot",
                "-e",
                f"data='{work}'; output='{ROOT}/docs/performance.svg'",
                HERE / "growth.gnuplot",
            ],
            check=True,
        )
    return tracks, periods


def instructions(folder):
    """Instructions for one track's block of 64 frames: they repeat exactly, whatever the machine does
    besides."""
    if not shutil.which("valgrind"):
        return None

    # valgrind stumbles over the debug information of this compiler.
    bench = work / "Bench"
    subprocess.run(["strip", "--strip-debug", "-o", bench, ROOT / ".build/release/Bench"], check=True)

    def count(blocks):
        out = work / "callgrind.out"
        subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={out}",
                "--toggle-collect=*AudioSide*render*",
                bench,
                folder,
                "render",
                "64",
                "64",
                str(blocks),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return next(
            int(line.split()[1])
            for line in out.read_text().splitlines()
            if line.startswith(("summary:", "totals:"))
        )

    return (count(400) - count(200)) / 200 / 64


class Report:
    """What was found: rows of a table, each beside its target, and lines of text."""

    def __init__(self):
        self.rows, self.text = [], []

    def row(self, work, target, found):
        self.rows.append((work, target, found))


def measure_offline(report, files):
    mix = offline(files)
    floor, ours, alone = mix["libsndfile, one thread, C"], mix["jmix"], mix[ONE_CORE]
    cores = len(os.sched_getaffinity(0))
    report.row(
        f"offline, 32 x 60 s, 24-bit WAV: wall time on {cores} cores",
        "0.35 of the C floor's",
        f"{ours[0] / floor[0]:.2f}",
    )
    report.row("the same: processor time", "1.0 of the floor's", f"{ours[1] / floor[1]:.2f}")
    report.row(
        "the same on one core: wall time",
        "",
        f"{alone[0] / floor[0]:.2f}: {alone[0] / ours[0]:.2f} times as long",
    )
    report.text.append(
        "Offline, seconds (wall, processor): "
        + " · ".join(f"{name} {wall:.2f}, {used:.2f}" for name, (wall, used) in mix.items())
    )


def measure_flac(report):
    count, seconds = (40, 60) if QUICK else (200, 300)
    result = flac(count, seconds)
    ours, theirs = result["jmix"][0], result["flac -d"][0]
    report.row(f"offline, {count} x {seconds} s, FLAC", "0.6 of `flac -d`", f"{ours / theirs:.2f}")
    report.text.append(f"FLAC: flac -d one after another {theirs:.1f} s, jmix {ours:.1f} s.")


def measure_beside_scsynth(report, files):
    def said(mine, theirs):
        return f"{mine / theirs:.2f} ({100 * mine:.1f} % against {100 * theirs:.1f} %)"

    report.row(
        "real time, 512 tracks, 64 frames: processor",
        "0.4 of scsynth's",
        said(*versus_scsynth(files, 512, 64)),
    )
    report.row(
        "the same with 128 tracks, 16 buses, 8 sends a track",
        "0.5 of scsynth's",
        said(*versus_scsynth(files, 128, 64, buses=16, sends=8)),
    )


def measure_processors(report, files):
    if shutil.which("ardour7-export"):
        mine, theirs = versus_ardour(files, 64)
        report.row(
            "64 strips with an equaliser of four bands and a compressor: processor",
            "0.5 of Ardour's a-eq and a-comp",
            f"{mine / theirs:.2f} ({mine:.1f} s against {theirs:.1f} s)",
        )
    report.row("an automix of 32 microphones: of a core", "2 %", f"{100 * shared_gain(files, 32):.2f} %")
    report.row(
        "256 strips with gate, equaliser with passes and compressor, 64 of them with delay and limiter, "
        "64 frames: xruns",
        "0",
        everything_on(files, 256, 10 if QUICK else 30),
    )


def measure_limits(report, files, has_peer):
    seconds = 10 if QUICK else 60
    idle, said, peer = most_tracks(files, has_peer, seconds)
    report.row(
        f"most stereo tracks at 256 frames with no xrun in {seconds} s (the server alone: {idle})",
        "2 x scsynth's",
        said + (f" against {peer}" if peer else ""),
    )
    said, floor_said, used = longest_callbacks(files, 512, 8 if QUICK else 20)
    report.row("callback, 512 tracks, 64 frames: longest of each run", "40 % of the period (533 us)", said)
    report.row("a plain loop in C over as much memory, in turn with these runs", "", floor_said)
    report.row("memory with 512 tracks", "572 MiB", f"{used:.0f} MiB")


def measure_commands(report, files):
    commands = command_time(files)
    ours, theirs = commands["jmixctl"], commands["oscsend"]
    report.row(
        "`jmixctl volume 1 0.5`, start to exit",
        "10 ms; 6 x oscsend",
        f"{ours:.1f} ms; {ours / theirs:.1f} x ({theirs:.1f} ms)",
    )
    median, longest = fader_latency(256)
    report.row(
        "fader message to the period of the first changed sample, in periods of 256",
        "2",
        f"median {median:.1f}, longest {longest:.1f}",
    )
    report.row(
        "start of `jmix run` with 512 tracks to the first sound", "1 s", f"{first_sound(files, 512):.2f} s"
    )


def measure_page(report, files):
    desk = session(files, 64)
    report.row(
        "50 pages that are told 64 meters 30 times a second",
        "10 % of a core",
        f"{100 * web.pages_that_listen(desk, cpu):.1f} %",
    )
    rate, edits, ready, delays = web.in_a_browser(desk, steady_session())
    report.row(
        "the page with 64 strips, in headless Chromium without a graphics card",
        "60 pictures a second",
        f"{rate:.0f}",
    )
    report.row(
        "the page, from the request until it can be used", "300 ms", f"{statistics.median(ready):.0f} ms"
    )
    report.row(
        "an edit by somebody else until it stands on the page's timeline of 64 tracks",
        "100 ms",
        f"median {statistics.median(edits):.0f} ms, longest {max(edits):.0f} ms",
    )
    report.row(
        "a key on a fader of the page to the period of the first changed sample, 256 frames",
        "30 ms",
        f"median {statistics.median(delays):.0f} ms, longest {max(delays):.0f} ms",
    )


def measure_parts(report, parts):
    """The engine's parts by themselves, and what instructions a track's block takes: name and value."""
    command = [ROOT / ".build/release/Bench", parts]
    kernels = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    few, many = (
        kernels[f"render a track with {count} ramps, 64 frames, ns a block"] for count in (10, 100000)
    )
    report.row(
        "100,000 automation events against 10: a block", "the same", f"{many:.0f} ns against {few:.0f} ns"
    )
    off = kernels["512 tracks whose processors are off, against none, 64 frames: times"]
    report.row("512 tracks whose processors are off, against none: a block", "1.01", f"{off:.3f}")
    duck = kernels["a duck by signal, 64 frames: a block, us"]
    report.row("a duck by signal: a block of 64 frames", "1 us", f"{duck:.2f} us")
    counted = instructions(parts)
    if counted:
        kernels["instructions for a track's block of 64 frames (callgrind)"] = counted
    return kernels


def head():
    processor = next(
        line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")
    )
    return [
        "# Performance",
        "",
        f"Measured by `scripts/bench{' --quick' if QUICK else ''}` on {processor}, {os.cpu_count()} cores, "
        f"Linux {platform.release().split('-')[0]}, {time.strftime('%Y-%m-%d')}. All figures of a row come "
        f"from one run,",
        "the programs taken in turn; files are in the page cache, and renders are written into memory. "
        "The machine is shared: what is longest is often somebody else's.",
    ]


def table(title, rows):
    """A table of Markdown between empty lines."""
    lines = [f"| {' | '.join(str(cell) for cell in row)} |" for row in [title, ["---"] * len(title), *rows]]
    return ["", *lines, ""]


def written(report, kernels, tracks, periods):
    """The page as it is written."""

    def callbacks(rows):
        return [(key, row["median"], row["percentile999"]) for key, row in rows.items()]

    return "\n".join(
        [
            *head(),
            *table(("work", "target", "measured"), report.rows),
            *[line + "\n" for line in report.text],
            "## The parts",
            *table(
                ("part", ""),
                [(name, f"{value:.{1 if value >= 10 else 2}f}") for name, value in kernels.items()],
            ),
            "## How cost grows",
            "",
            "![callback by tracks and by period](performance.svg)",
            *table(("stereo tracks, 64 frames", "median us", "99.9 % us"), callbacks(tracks)),
            *table(("frames a period, 64 tracks", "median us", "99.9 % us"), callbacks(periods))[1:],
            (HERE / "limits.md").read_text(),
        ]
    )


def main():
    files = material(32, 60)
    parts = work / "parts"
    parts.mkdir()
    shutil.copy(files[0], parts / "t.wav")
    data, _ = soundfile.read(files[0], dtype="int32")
    soundfile.write(parts / "t.flac", data, RATE, subtype="PCM_24")
    has_peer = (
        bool(shutil.which("scsynth"))
        and subprocess.run([sys.executable, "-c", "import supriya"], capture_output=True).returncode == 0
    )

    report = Report()
    measure_offline(report, files)
    if shutil.which("flac"):
        measure_flac(report)
    if has_peer:
        measure_beside_scsynth(report, files)
    measure_processors(report, files)
    measure_limits(report, files, has_peer)
    measure_commands(report, files)
    if shutil.which("chromium-headless-shell"):
        measure_page(report, files)
    kernels = measure_parts(report, parts)
    page = written(report, kernels, *growth(files))
    (ROOT / "docs/performance.md").write_text(page)
    print(page)


if __name__ == "__main__":
    try:
        main()
    finally:
        shutil.rmtree(work)
        shutil.rmtree(outputs)
