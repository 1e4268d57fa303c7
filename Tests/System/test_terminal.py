"""The REPL and `jmixctl watch` in a real terminal: what is typed, and what the screen shows."""

import json
import os
import re
import subprocess
import time

import pytest
from conftest import JMIX, JMIXCTL, Mixer, Terminal, wait_until


@pytest.fixture
def terminals():
    made = []

    def start(*words, **options):
        made.append(Terminal([JMIXCTL, *words], **options))
        return made[-1]

    yield start
    for terminal in made:
        terminal.end()


@pytest.fixture
def repl(mixer, terminals, tmp_path):
    # As wide as a line with a file's path is long: one that wraps has no start where the cursor is.
    terminal = terminals(
        "--url", mixer.url.replace("udp", "tcp"), width=200, env={"XDG_STATE_HOME": tmp_path / "state"}
    )
    terminal.wait_for("jmix>")
    return terminal


def last(terminal):
    """The line with the cursor."""
    return terminal.screen.rstrip().splitlines()[-1]


@pytest.mark.parametrize("line", ["wait 60s", "midi learn music"])
def test_a_wait_is_given_up(repl, line):
    repl.line(line)
    wait_until(lambda: line in repl.screen, "the line is typed")
    time.sleep(0.3)
    repl.key("C-c")
    repl.line("name music")
    repl.wait_for("jmix> name music")


def test_a_line_is_carried_out_and_answered(repl, mixer):
    assert "jmix " in repl.screen and "help lists the verbs" in repl.screen
    repl.line("volume music 0.5")
    repl.line("volume music")
    repl.wait_for("0.5  -6.0 dB\njmix>")
    assert mixer.json("volume", 1)["volume"] == 0.5
    repl.line("volume nobody 1")
    repl.wait_for("there is no track nobody")
    repl.line("rmap 1 0 1 0s 1s")
    repl.wait_for("did you mean ramp?")
    repl.line("help ramp")
    repl.wait_for("as in: jmixctl ramp 2 0.5 0.8 2s 4s")
    repl.line("quit")
    repl.wait_for("[ended 0]")


def test_a_person_is_asked_before_a_pattern_takes_several(repl, mixer):
    repl.line("remove *")
    repl.wait_for("remove takes from all of them? [y/N]")
    repl.line("n")
    repl.line("volume 2")
    repl.wait_for("1.0  0.0 dB\njmix>")
    assert len(mixer.json("tracks")) == 3
    repl.line("remove *")
    repl.line("y")
    wait_until(lambda: mixer.json("tracks") == [], "they are gone")


def test_lines_are_edited_and_remembered(repl, mixer, terminals, tmp_path):
    repl.type("volume music 0.9")
    for _ in range(3):
        repl.key("BSpace")
    repl.line("0.25")
    wait_until(lambda: mixer.json("volume", 1)["volume"] == 0.25, "the edited line is done")
    repl.line("mute voice on")
    wait_until(lambda: mixer.json("mute", 2)["mute"], "it is muted")
    repl.key("Up")
    repl.key("Up")
    wait_until(lambda: last(repl).endswith("volume music 0.25"), "the line before the last")
    repl.key("C-a")
    repl.type("help ")
    wait_until(lambda: "help volume music" in last(repl), "the cursor goes to the beginning")
    # Ctrl-C gives up the line and not the program.
    repl.key("C-c")
    repl.key("C-u")
    repl.line("position")
    repl.wait_for("stopped")
    repl.key("C-d")
    repl.wait_for("[ended 0]")
    again = terminals("--url", mixer.url, env={"XDG_STATE_HOME": tmp_path / "state"})
    again.wait_for("jmix>")
    again.key("Up")
    wait_until(lambda: last(again).endswith("jmix> position"), "the history of the last time")
    assert (tmp_path / "state/jmix/history").stat().st_size > 0


def test_tab_completes_verbs_options_tracks_and_files(repl, mixer, tmp_path):
    mixer.ctl("name", 3, "two words")

    def completed(text, expected):
        repl.key("C-u")
        repl.type(text)
        repl.key("Tab")
        wait_until(
            lambda: last(repl) == "jmix> " + expected.rstrip() or last(repl) == "jmix> " + expected,
            f"{text} becomes {expected}: {last(repl)}",
        )

    completed("vol", "volume")
    completed("volume mu", "volume music")
    completed("volume tw", "volume two\\ words")
    completed("volume two\\ w", "volume two\\ words")
    completed('volume "two w', 'volume "two words"')
    completed("ramp 1 0 1 1s 2s --cu", "ramp 1 0 1 1s 2s --curve")
    completed("ramp 1 0 1 1s 2s --curve exp", "ramp 1 0 1 1s 2s --curve exponential")
    completed("mute 1 of", "mute 1 off")
    folder = tmp_path / "some folder"
    folder.mkdir()
    (folder / "a take.wav").touch()
    completed(f"add {tmp_path}/some", f"add {tmp_path}/some\\ folder/")
    completed(f"add {tmp_path}/some\\ folder/a", f"add {tmp_path}/some\\ folder/a\\ take.wav")
    repl.key("C-u")
    repl.type("s")
    repl.key("Tab")
    repl.key("Tab")
    repl.wait_for("silence")
    assert "solo" in repl.screen and "scene" in repl.screen


def test_it_stays_when_the_mixer_goes_and_finds_the_next(mixers, jackd, terminals, make_session, tmp_path):
    session = make_session()
    first = mixers("--server", jackd.name, "--no-connect", session)
    port = first.port
    repl = terminals("--url", f"osc.tcp://127.0.0.1:{port}/", env={"XDG_STATE_HOME": tmp_path / "state"})
    repl.wait_for("jmix>")
    first.end()
    repl.line("status")
    repl.wait_for("no mixer at")
    second = object.__new__(Mixer)
    mixer = mixers("--server", jackd.name, "--no-connect", "--osc-port", str(port), session)
    repl.line("volume music 0.125")
    wait_until(lambda: mixer.json("volume", 1)["volume"] == 0.125, "it has found the next mixer")
    assert repl.screen.count("no mixer at") == 1


def rows(screen):
    """The strips of the picture: number, name, level, the rest."""
    return [
        re.match(
            r"^(.)(\d*) +(\S+) +(\S+(?: dB)?) +([-O]+) \|(.*)\| *(\S*?)(!?) +([M ]?)([S ]?)$", line.ljust(99)
        )
        for line in screen.splitlines()[2:-1]
        if line.strip()
    ]


def test_watch_shows_and_moves_the_mixer(mixer, terminals):
    watch = terminals("watch", "--url", mixer.url.replace("udp", "tcp"), width=110, height=12)
    screen = watch.wait_for("master")
    wait_until(lambda: "session.json" in watch.screen, "the status is there")
    lines = watch.screen.splitlines()
    assert len(lines) == 12 and lines[0].startswith("= stopped  0:00.0 / ") and "0 dropouts" in lines[0]
    assert lines[1].startswith("[#---") and lines[1].endswith("]") and len(lines[1]) == 110
    assert (
        lines[2].startswith(">1    music") and "0.0 dB" in lines[2] and lines[5].strip().startswith("master")
    )
    assert lines[-1].startswith("up/down select")
    # Keys move the selected strip.
    for _ in range(6):
        watch.key("Left")
    watch.wait_for("-6.0 dB")
    assert abs(mixer.json("volume", 1)["volume"] - 10 ** (-6 / 20)) < 1e-6
    watch.key("Down")
    watch.type("ms")
    wait_until(
        lambda: mixer.json("mute", 2)["mute"] and mixer.json("solo", 2)["solo"],
        "the second track is muted and on solo",
    )
    wait_until(
        lambda: (
            watch.screen.splitlines()[3].startswith(">2    voice")
            and watch.screen.splitlines()[3].endswith("MS")
        ),
        "M and S are shown",
    )
    watch.type("ms")
    wait_until(lambda: not mixer.json("solo", 2)["solo"], "and off again")
    # What others do is shown.
    mixer.ctl("volume", "chime", 0.5)
    wait_until(lambda: watch.screen.splitlines()[4].split()[2:4] == ["-6.0", "dB"], "the other's fader")
    # Playing: the playhead and the meters move.
    watch.type(" ")
    watch.wait_for("> rolling")
    wait_until(lambda: "#" in watch.screen.splitlines()[2].split("|")[1], "the meter of the first track")
    # -12 dBFS at -6 dB: -18 dB on the meter, from -60 to +6.
    meter = watch.screen.splitlines()[2].split("|", 1)[1]
    room = meter.rindex("|") if meter.count("|") > 1 else meter.index("|")
    wait_until(
        lambda: (
            abs(watch.screen.splitlines()[2].split("|", 1)[1].count("#") - int((-18.04 + 60) / 66 * room))
            <= 1
        ),
        "as high as the level is",
    )
    assert "-18.0" in watch.screen.splitlines()[2]
    watch.type(" ")
    watch.wait_for("= stopped")
    watch.type("0")
    watch.wait_for("0:00.0 /")
    # Undo takes back the last edit: the fader that another has moved.
    watch.type("z")
    wait_until(lambda: mixer.json("volume", 3)["volume"] == 1, "undone")
    watch.type("q")
    watch.wait_for("[ended 0]")
    assert "up/down" not in watch.screen, "the terminal is as it was"


def test_watch_fits_the_terminal(mixer, terminals):
    for number in range(12):
        mixer.ctl("add", "music.wav")
    watch = terminals("watch", "--url", mixer.url, width=80, height=10)
    watch.wait_for("up/down")
    wait_until(
        lambda: len(watch.screen.splitlines()) == 10 and "master" not in watch.screen,
        "as many strips as there is room for",
    )
    for _ in range(15):
        watch.key("Down")
    watch.wait_for(">     master")
    watch.tmux("resize-window", "-x", "120", "-y", "24")
    wait_until(
        lambda: (
            len(watch.screen.splitlines()) == 24
            and len(watch.screen.splitlines()[1]) == 120
            and ">     master" in watch.screen
            and "  1    music" in watch.screen.replace(" 1 ", "  1 ")
        ),
        "it fills the larger one",
    )
    watch.tmux("resize-window", "-x", "40", "-y", "5")
    wait_until(lambda: len(watch.screen.splitlines()) <= 5, "and the smaller one")


def test_watch_waits_for_a_mixer_and_colours_are_optional(mixers, jackd, terminals, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", "--play", make_session())
    port = mixer.port
    watch = terminals("watch", "--url", f"osc.tcp://127.0.0.1:{port}/")
    plain = terminals("watch", "--url", f"osc.tcp://127.0.0.1:{port}/", env={"NO_COLOR": "1"})
    for terminal in (watch, plain):
        terminal.wait_for("rolling")
        wait_until(lambda: "#" in terminal.screen.splitlines()[2], "a meter moves")
    assert "\x1b[32m#" in watch.colours and "\x1b[3" not in plain.colours
    mixer.end()
    watch.wait_for("waiting for one")
    mixers("--server", jackd.name, "--no-connect", "--osc-port", str(port), make_session())
    watch.wait_for("stopped")


def test_watch_says_that_a_panic_holds(mixer, terminals):
    terminal = terminals("watch", "--url", mixer.url, width=140)
    terminal.wait_for("voice")
    # Where something is heard at a standstill it holds until somebody ends it.
    mixer.ctl("input", "add", "mic", "nobody:out")
    mixer.ctl("panic")
    terminal.wait_for("SILENCED by a panic: space plays on")
    terminal.key("Space")
    wait_until(lambda: "SILENCED" not in terminal.screen, "it is heard again")
    assert mixer.json("silenced") == {"silenced": False}


def test_watch_without_a_terminal_is_plain(mixer):
    for words, check in (
        (["watch"], lambda line: line.startswith("= stopped")),
        (["watch", "--json"], lambda line: json.loads(line)["state"] == "stopped"),
    ):
        process = subprocess.Popen(
            [JMIXCTL, *words, "--url", mixer.url], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
        )
        line = process.stdout.readline()
        assert check(line) and "\x1b" not in line
        process.stdout.close()
        process.wait(10)
    mixer.end()
    done = subprocess.run(
        [JMIXCTL, "watch", "--url", mixer.url.replace("udp", "tcp")],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 3 and "no mixer" in done.stderr
