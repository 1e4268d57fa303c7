"""jmix run --video-sync: a real mpv, without a screen, is where the mixer is."""

import json
import os
import random
import signal
import socket
import subprocess
import time

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, line_of, wait_until

FRAME = 1 / 25


class Picture:
    """What mpv says of itself, asked beside the mixer."""

    def __init__(self, folder, movie):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        # Its name is there a moment before somebody listens.
        wait_until(lambda: self.socket.connect_ex(str(folder / "picture")) == 0, "mpv listens")
        self.lines = self.socket.makefile("rb")
        self.events = []
        self.waits_for(movie)

    def waits_for(self, movie):
        wait_until(lambda: (self.get("path") or "").endswith(movie), f"mpv has {movie}")

    def is_at(self, mixer, seen=lambda place: place + 1):
        """The frame that is shown lies between where the mixer was before that was asked and where it was
        behind; what of the movie is seen there."""
        before = seen(mixer.json("position")["seconds"])
        shown = self.get("time-pos")
        after = seen(mixer.json("position")["seconds"])
        return shown is not None and before - 1.5 * FRAME <= shown <= after + FRAME / 2

    def has_ended(self):
        try:
            return not self.lines.readline()
        except ConnectionResetError:
            return True

    def get(self, name):
        self.socket.sendall(json.dumps({"command": ["get_property", name], "request_id": 7}).encode() + b"\n")
        while True:
            answer = json.loads(self.lines.readline())
            self.events.append(answer.get("event"))
            if answer.get("request_id") == 7:
                return answer.get("data")


@pytest.fixture
def film(tmp_path, monkeypatch):
    """Twenty seconds, shown on no screen; mpv listens for the test too."""
    subprocess.run(
        [
            "ffmpeg",
            "-v",
            "error",
            "-f",
            "lavfi",
            "-i",
            "testsrc=d=20:s=64x48:r=25",
            "-c:v",
            "mpeg4",
            "-g",
            "25",
            "film.mp4",
        ],
        cwd=tmp_path,
        check=True,
        timeout=60,
    )
    (tmp_path / "mpv").mkdir()
    (tmp_path / "mpv" / "mpv.conf").write_text(f"vo=null\ninput-ipc-server={tmp_path}/picture\n")
    monkeypatch.setenv("MPV_HOME", str(tmp_path / "mpv"))
    soundfile.write(tmp_path / "a.wav", np.zeros((20 * RATE, 2), np.float32), RATE)
    path = tmp_path / "session.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 1,
                "sampleRate": RATE,
                "tracks": [{"name": "a", "clips": [{"file": "a.wav"}]}],
                "video": {"file": "film.mp4", "at": "1s", "from": "2s"},
            }
        )
    )
    return path


def test_the_picture_is_where_the_mixer_is(film, tmp_path, mixers, jackd):
    mixer = mixers("--server", jackd.name, "--no-connect", "--video-sync", film)
    picture = Picture(tmp_path, "film.mp4")

    def shows(seconds):
        shown = picture.get("time-pos")
        return shown is not None and abs(shown - seconds) < FRAME

    def follows(what):
        """It comes there, and stays."""
        wait_until(lambda: all(picture.is_at(mixer) for _ in range(20)), what)

    wait_until(lambda: picture.get("pause") is True and shows(1), "it stands where the mixer stands")
    mixer.ctl("locate", "5s")
    wait_until(lambda: shows(6), "it goes where the mixer goes")
    # The very frame, wherever in it that is, but for its last half millisecond. On its way there mpv says
    # where it was sent, which is where no frame begins.
    frames = {3.001: 4.0, 3.019: 4.0, 5: 6, 3.021: 4.0, 3.0394: 4.0, 12.9: 13.88, 12.96: 13.96, 12.98: 13.96}
    for seconds, begins in frames.items():
        mixer.ctl("locate", f"{seconds}s")
        wait_until(
            lambda: (shown := picture.get("time-pos")) is not None and abs(shown - begins) < 1e-6,
            lambda: f"it shows the frame of {seconds} s, not that of {picture.get('time-pos')}",
        )
    mixer.ctl("locate", "5s")
    mixer.ctl("play")
    follows("it plays along")
    mixer.ctl("locate", "10s")
    follows("it plays on from elsewhere")
    mixer.ctl("loop", "3s", "4s")
    mixer.ctl("locate", "3s")
    follows("it goes round the loop")
    mixer.ctl("loop", "off")
    mixer.ctl("stop")
    wait_until(lambda: picture.get("pause") is True and picture.is_at(mixer), "it stands again")
    # Another place of the movie, and none.
    mixer.ctl("video", "film.mp4", "0s")
    wait_until(lambda: shows(mixer.json("position")["seconds"]), "the movie lies elsewhere")
    mixer.ctl("video", "off")
    wait_until(picture.has_ended, "mpv has ended")


def test_beyond_its_end_and_whatever_else_happens_to_it(film, tmp_path, mixers, jackd):
    mixer = mixers("--server", jackd.name, "--no-connect", "--video-sync", film)
    picture = Picture(tmp_path, "film.mp4")

    def plays_along():
        return picture.is_at(mixer) and picture.get("pause") is False

    # The last frame stands, and it goes on where it is seen again.
    mixer.ctl("locate", "18s")
    mixer.ctl("play")
    wait_until(plays_along, "it plays")
    wait_until(lambda: mixer.json("position")["seconds"] > 19.5, "the movie is over")
    wait_until(
        lambda: picture.get("pause") is True and picture.get("time-pos") > 20 - 1.5 * FRAME,
        "it stands at its end",
    )
    mixer.ctl("loop", "5s", "6s")
    mixer.ctl("locate", "5s")
    wait_until(plays_along, "it plays again")
    # Somebody else pauses it.
    picture.socket.sendall(b'{"command": ["set_property", "pause", true]}\n')
    wait_until(plays_along, "it goes on")
    # It is stopped for so long that it cannot take all it is told; the mixer stops meanwhile.
    process = picture.get("pid")
    os.kill(process, signal.SIGSTOP)
    mixer.ctl("loop", "off")
    # What lies between them holds some 40 messages, and each of these is one or two.
    for number in range(200):
        mixer.ctl("locate", f"{5 + number % 2 * 10}s")
        time.sleep(0.025)
    mixer.ctl("stop")
    mixer.ctl("locate", "3s")
    # Another movie meanwhile is not lost.
    (tmp_path / "other.mp4").write_bytes((tmp_path / "film.mp4").read_bytes())
    mixer.ctl("video", "other.mp4", "1s", "--from", "2s")
    assert mixer.json("position")["seconds"] == 3
    os.kill(process, signal.SIGCONT)
    picture.waits_for("other.mp4")
    wait_until(
        lambda: picture.get("pause") is True and abs((picture.get("time-pos") or 0) - 4) < FRAME,
        "it stands where the mixer stands",
        20,
    )
    mixer.ctl("play")
    wait_until(plays_along, "it plays along")


def test_the_picture_waits_for_what_is_heard(film, tmp_path, mixers, jackd):
    """What lies behind the mixer says that it is heard half a second later."""
    subprocess.run(
        [
            "clang",
            os.path.join(os.path.dirname(os.path.abspath(__file__)), "latency.c"),
            "-o",
            tmp_path / "latency",
            "-ljack",
        ],
        check=True,
    )
    chain = subprocess.Popen(
        [tmp_path / "latency", jackd.name, str(RATE // 2)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert line_of(chain.stdout, "the chain is there").strip() == "ready"
        mixer = mixers("--server", jackd.name, "--no-connect", "--video-sync", film)
        mixer.ctl("connect", "master_1", "last:in")
        wait_until(lambda: mixer.json("status")["latency"] == RATE // 2, "the latency comes through")
        picture = Picture(tmp_path, "film.mp4")
        mixer.ctl("locate", "5s")
        mixer.ctl("play")

        def heard(begin=0.0, end=1e9):
            """In a loop, what is heard is still its end while the mixer is at its beginning again."""
            return lambda place: 1 + (place - 0.5 if place - 0.5 >= begin else place - 0.5 + end - begin)

        wait_until(
            lambda: all(picture.is_at(mixer, heard()) for _ in range(20)), "it plays along with what is heard"
        )
        mixer.ctl("loop", "8s", "10s")
        mixer.ctl("locate", "8s")
        wait_until(
            lambda: all(picture.is_at(mixer, heard(8, 10)) for _ in range(20)),
            "it goes round with what is heard",
        )
    finally:
        chain.communicate(timeout=10)


# Their frames a second and their seconds.
MOVIES = {"film.mp4": (25, 20), "short.mov": (30, 4), "slow.mkv": (12, 9)}


def test_whatever_is_done_in_whatever_order(film, tmp_path, mixers, jackd):
    """Against a model of few lines: what is seen, frame by frame, is a movie's time `from` at `at`, its first
    frame before and its last behind."""
    for name, (rate, length) in MOVIES.items():
        if name != "film.mp4":
            subprocess.run(
                [
                    "ffmpeg",
                    "-v",
                    "error",
                    "-f",
                    "lavfi",
                    "-i",
                    f"testsrc=d={length}:s=64x48:r={rate}",
                    "-c:v",
                    "mpeg4",
                    name,
                ],
                cwd=tmp_path,
                check=True,
                timeout=60,
            )
    session = json.loads(film.read_text())
    (tmp_path / "other.json").write_text(
        json.dumps({**session, "video": {"file": "slow.mkv", "at": "4s", "from": "500ms"}})
    )
    (tmp_path / "blind.json").write_text(
        json.dumps({key: value for key, value in session.items() if key != "video"})
    )
    loads = {"session": ("film.mp4", 1, 2), "other": ("slow.mkv", 4, 0.5), "blind": None}
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    mixer = mixers("--server", jackd.name, "--no-connect", "--video-sync", film)
    (movie, picture), done = (loads["session"], Picture(tmp_path, "film.mp4")), []

    def time_of(position):
        rate, length = MOVIES[movie[0]]
        place = position - movie[1] + movie[2]
        return min(max(place, 0), length - 0.5 / rate)

    def is_right():
        """mpv shows the frame of a moment between two questions, and stands where the model stands."""
        before = mixer.json("position")
        shown, pauses, is_on_its_way = picture.get("time-pos"), picture.get("pause"), picture.get("seeking")
        after = mixer.json("position")
        frame = 1 / MOVIES[movie[0]][0]
        if (
            shown is None
            or is_on_its_way
            or after["seconds"] < before["seconds"]
            or before["state"] != after["state"]
        ):
            return False
        first, last = time_of(before["seconds"]), time_of(after["seconds"])
        if first == last:
            return pauses and shown <= first + 0.002 < shown + frame + 0.003
        return not pauses and first - 1.5 * frame <= shown <= last + frame / 2

    def act():
        nonlocal movie
        what = dice.choice(
            [
                "play",
                "play",
                "stop",
                "locate",
                "locate",
                "loop",
                "loop off",
                "video",
                "video",
                "video off",
                "load",
                "pause",
                "seek",
            ]
        )
        words = what.split()
        if what == "locate":
            words.append(f"{dice.choice([0, dice.uniform(0, 20), dice.uniform(0, 20), 60]):.4f}s")
        if what == "loop":
            begin = dice.uniform(0, 15)
            words += [f"{begin:.3f}s", f"{begin + dice.uniform(0.7, 4):.3f}s"]
        if what == "video":
            movie = (
                dice.choice(list(MOVIES)),
                dice.choice([0, round(dice.uniform(0, 10), 3)]),
                dice.choice([0, round(dice.uniform(0, 3), 3)]),
            )
            words += [movie[0], f"{movie[1]}s", "--from", f"{movie[2]}s"]
        if what == "video off":
            movie = None
        if what == "load":
            words.append(dice.choice(list(loads)))
            movie = loads[words[1]]
        done.append(" ".join(words))
        if what in ("pause", "seek"):
            # Somebody else, at the picture itself.
            if picture:
                command = (
                    ["set_property", "pause", dice.random() < 0.5]
                    if what == "pause"
                    else ["seek", dice.uniform(-3, 3)]
                )
                picture.socket.sendall(json.dumps({"command": command}).encode() + b"\n")
        else:
            mixer.ctl(*words)

    for _ in range(30):
        for _ in range(dice.choice([1, 1, 2, 5])):
            act()
            # A player that is to end is another's socket; it is let go of first.
            if movie is None and picture:
                wait_until(picture.has_ended, f"mpv has ended; {done}")
                (tmp_path / "picture").unlink()
                picture = None
            if movie and not picture:
                picture = Picture(tmp_path, movie[0])
        if movie:
            picture.waits_for(movie[0])
            wait_until(
                lambda: all(is_right() for _ in range(5)),
                f"the picture is where {movie} lies; seed {seed}: {done}",
                20,
            )


def test_a_movie_whose_sound_is_longer_than_its_picture(film, tmp_path, mixers, jackd):
    """It is left at its last picture, and not sought again and again."""
    subprocess.run(
        [
            "ffmpeg",
            "-v",
            "error",
            "-i",
            "film.mp4",
            "-f",
            "lavfi",
            "-i",
            "anullsrc=d=20",
            "-map",
            "0:v",
            "-map",
            "1:a",
            "-t",
            "20",
            "-c:v",
            "mpeg4",
            "-vf",
            "trim=end=4",
            "short.mp4",
        ],
        cwd=tmp_path,
        check=True,
        timeout=60,
    )
    mixer = mixers("--server", jackd.name, "--no-connect", "--video-sync", film)
    mixer.ctl("video", "short.mp4")
    picture = Picture(tmp_path, "short.mp4")
    mixer.ctl("locate", "3s")
    mixer.ctl("play")
    wait_until(lambda: picture.get("eof-reached"), "the picture is over")
    assert picture.get("duration") > 15
    wait_until(lambda: mixer.json("position")["seconds"] > 6, "the mixer rolls on")
    picture.events.clear()
    wait_until(lambda: mixer.json("position")["seconds"] > 8, "it rolls on")
    picture.get("pause")
    assert "seek" not in picture.events and picture.get("time-pos") > 3.5
    mixer.ctl("locate", "1s")
    wait_until(lambda: 1 <= picture.get("time-pos") < 3.5, "it is seen again")


def test_a_player_that_hangs_up_and_lives_on(film, tmp_path, mixers, jackd, monkeypatch):
    """As one whose window does not close: it is let go of, and nothing turns round for it."""
    fake = tmp_path / "bin" / "mpv"
    fake.parent.mkdir()
    fake.write_text(
        '#!/bin/bash\nfor word; do :; done\nn=${word##*/}\neval "exec $n>&- $n<&-"\nexec sleep 100\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    mixer = mixers("--server", jackd.name, "--no-connect", "--video-sync", film)
    wait_until(lambda: "the picture is closed" in mixer.log, "it is let go of")
    assert mixer.json("position")["seconds"] == 0


def test_without_mpv_it_says_so(film, tmp_path):
    done = subprocess.run(
        [JMIX, "run", "--dummy", "--video-sync", str(film)],
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert done.returncode == 1 and "apt install mpv" in done.stderr
