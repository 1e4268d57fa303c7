"""Every command of the README is run, as a stranger would: the demo in one terminal, the rest in a second
shell."""

import glob
import os
import pty
import re
import shlex
import shutil
import signal
import socket
import subprocess
import threading

import pytest
import soundfile
from conftest import BUILD, ROOT, wait_until


def commands():
    text = open(os.path.join(ROOT, "README.md")).read()
    lines = [line.strip().split(" # ")[0].strip() for line in text.splitlines() if line.startswith("    ")]
    return [line for line in lines if re.match(r"(\.build/release/|scripts/|oscsend )", line)]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_three_recordings_become_an_mp3(tmp_path):
    text = open(os.path.join(ROOT, "README.md")).read()
    lines = re.search(r"```sh\n(.*?)```", text, re.S)[1].splitlines()
    for name, file in (("music", "music"), ("voice", "voice-1"), ("jingle", "chime")):
        shutil.copy(os.path.join(ROOT, f"Sessions/voiceover/{file}.flac"), tmp_path / f"{name}.flac")
    for line in lines:
        done = subprocess.run(
            shlex.split(line),
            cwd=tmp_path,
            env={**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr)
    with soundfile.SoundFile(tmp_path / "show.mp3") as file:
        assert file.format == "MP3" and abs(file.frames / file.samplerate - 20) < 2


@pytest.fixture
def nothing_unsaved():
    """What is tried at the demo is not saved, and would be asked for at its next start."""
    journal = os.path.join(ROOT, "Sessions/voiceover/.session.json.journal")

    def forget():
        if os.path.exists(journal):
            os.unlink(journal)

    forget()
    yield
    forget()


def test_the_demo_runs_on_a_terminal_and_obeys_a_second_shell(tmp_path, nothing_unsaved):
    assert "scripts/run" in commands() and "scripts/test" in commands()  # this is run by scripts/test
    for name in (".build", "Sessions", "scripts", "Sources", "Package.swift", "Tests"):
        os.symlink(os.path.join(ROOT, name), tmp_path / name)
    port = free_port()
    environment = {
        **os.environ,
        "JMIX_URL": f"osc.udp://127.0.0.1:{port}/",
        "JACK_DEFAULT_SERVER": "none-of-this-name",
        "TERM": "xterm",
    }
    takes = os.path.join(ROOT, "Sessions/voiceover/takes")
    before = set(glob.glob(f"{takes}/*"))
    terminal, inner = pty.openpty()
    demo = subprocess.Popen(
        ["scripts/run", "--osc-port", str(port), "--web", "0"],
        cwd=ROOT,
        env=environment,
        stdin=inner,
        stdout=inner,
        stderr=inner,
        start_new_session=True,
    )
    os.close(inner)
    shown = []

    def read():
        while True:
            try:
                part = os.read(terminal, 4096)
            except OSError:
                return
            if not part:
                return
            shown.append(part.decode(errors="replace"))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        wait_until(lambda: "rolling" in "".join(shown) or demo.poll() is not None, "the demo plays", 240)
        assert "in a second shell" in "".join(shown)
        page = re.search(r"the page is (http://127\.0\.0\.1:\d+/\?token=\w+)", "".join(shown))
        assert page, "its address is said first of all"
        for line in commands():
            if line.startswith("scripts/"):
                continue
            words = shlex.split(line.replace(" 7770 ", f" {port} "))
            done = subprocess.run(
                words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=30
            )
            assert done.returncode == 0, (line, done.stdout, done.stderr)
        for word in ("music", "voice", "chime", "master", "dropouts", "|#"):  # the last: a meter that moves
            wait_until(
                lambda: word in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", "".join(shown)),
                f"the picture shows {word}",
            )
    finally:
        os.killpg(demo.pid, signal.SIGINT)
        code = demo.wait(20)
        reader.join(5)
        os.close(terminal)
        # What it has recorded is nobody's.
        for take in set(glob.glob(f"{takes}/*")) - before:
            os.unlink(take)
        if os.path.isdir(takes) and not os.listdir(takes):
            os.rmdir(takes)
    assert code == 0
