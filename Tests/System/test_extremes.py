"""Every address and every verb with the largest, the smallest and the strangest well-formed values: all are
taken or refused, and nothing breaks.

What is tried is made from the mixer's own tables. JMIX_SEED repeats a run."""

import json
import os
import random
import re
import subprocess

import pytest
from conftest import JMIXCTL, RATE, all_verbs, helped, run, steady

pytestmark = pytest.mark.alone

SEED = int(os.environ.get("JMIX_SEED", random.randrange(2**32)))

TIMES = [
    "0",
    "1/2147483647",
    "0.000000000000001s",
    "3600000000s",
    "3600000000.000001s",
    "153722867280912930s",
    "999999999999999999s",
    "192153584101141s",
    "1000000:00:00",
    "28800000000000f",
    "9223372036854775807f",
    "9223372036854775807/1",
    "9223372036854775807/2147483647",
    "2s",
    "4s",
    "-1s",
]
OSC_TIMES = TIMES + [
    (0, "h"),
    (2**63 - 1, "h"),
    (-(2**63), "h"),
    (28_800_000_000_000, "h"),
    (28_800_000_000_001, "h"),
    (2**31 - 1, "i"),
    (-(2**31), "i"),
    (3.4e38, "f"),
    (1e-45, "f"),
    (1.7e308, "d"),
    (3.6e9, "d"),
    (5e-324, "d"),
    (float("nan"), "d"),
    (float("inf"), "f"),
    (2.0, "f"),
]
VOLUMES = ["0", "4", "-inf", "12dB", "1e-300", "0.5", "1e300", "-0"]
OSC_VOLUMES = VOLUMES + [
    (0.0, "f"),
    (4.0, "f"),
    (5e-324, "d"),
    (-0.0, "d"),
    (float("nan"), "f"),
    (2**63 - 1, "h"),
    (0.5, "f"),
]
NUMBERS = [
    "0",
    "1",
    "-1",
    "2147483648",
    "-9223372036854775808",
    "9223372036854775807",
    "1e300",
    "-1e-300",
    "nan",
    "inf",
    "0.5",
]
OSC_NUMBERS = [
    (0, "i"),
    (1, "i"),
    (-1, "i"),
    (2**31 - 1, "i"),
    (-(2**31), "i"),
    (2**63 - 1, "h"),
    (-(2**63), "h"),
    (2147483648.0, "d"),
    (1.7e308, "d"),
    (float("nan"), "d"),
    (0.5, "f"),
]
TRACKS = [
    "1",
    "2",
    "music",
    "0",
    "-1",
    "-9223372036854775808",
    "9223372036854775807",
    "99999999999999999999",
    "*",
    "[!a]",
    "{1,2}",
    "master",
    "\u0085",
    "",
]
TEXTS = [
    "music",
    "voice",
    "a",
    "x" * 100,
    "x" * 30000,
    "*",
    "[",
    "{}",
    "\u0085",
    "é" * 50,
    " ",
    "--",
    "-",
    "../x",
    "off",
    "linear",
    "exponential",
    "",
]
FILES = ["music.wav", "voice.wav", "nothing.wav", "", "/", "..", "x" * 5000, "music.wav\u0085"]
SWITCHES = ["on", "off", "1", "0", "2"]


def kind(token):
    """What a word of the tables' argument lists stands for."""
    token = token.strip("[]")
    if re.fullmatch(r"V\d?", token):
        return VOLUMES, OSC_VOLUMES
    if token in ("TIME", "DURATION", "T", "T0", "T1"):
        return TIMES, OSC_TIMES + [(True, "T")]
    if token in ("f", "i", "N", "HZ", "-1..1", "1..4"):
        return NUMBERS, OSC_NUMBERS
    if token in ("TRACK", "UNDER", "TARGET"):
        return TRACKS, TRACKS + OSC_NUMBERS
    if token in ("FILE",):
        return FILES, FILES
    if token in ("switch", "on|off"):
        return SWITCHES, [(True, "T"), (False, "F"), (1, "i"), (0, "i"), (7, "i")]
    return TEXTS, TEXTS + OSC_NUMBERS + OSC_TIMES


def osc_argument(value):
    value, tag = value if isinstance(value, tuple) else (value, "s")
    return (value, tag)


@pytest.fixture
def played(mixers, jackd, make_session):
    mixer = mixers(
        "--server",
        jackd.name,
        "--no-connect",
        make_session(
            {
                "music": steady(2 * RATE, 0.25, 0.25),
                "voice": (steady(RATE, 0.125, 0.125), {"clips": [{"file": "voice.wav", "at": "0.5s"}]}),
            }
        ),
    )
    mixer.ctl("play")
    return mixer


def ends_whole(mixer, tmp_path, what):
    """It still answers, and what it saves is a session."""
    assert mixer.process.poll() is None, f"the mixer has ended after {what}, seed {SEED}"
    mixer.ctl("save", "extremes")
    found = subprocess.run(
        [JMIXCTL.removesuffix("ctl"), "check", tmp_path / "extremes.json"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert found.returncode == 0, f"after {what}, seed {SEED}: {found.stdout}"
    for words in (
        ["plot", tmp_path / "extremes.json", tmp_path / "plot.svg", "--force"],
        ["render", tmp_path / "extremes.json", tmp_path / "out.wav", "--force", "--to", "1s"],
    ):
        done = subprocess.run(
            [JMIXCTL.removesuffix("ctl"), *words], capture_output=True, text=True, timeout=60
        )
        assert done.returncode >= 0, f"{words[0]} ended by a signal after {what}, seed {SEED}: {done.stderr}"


def test_every_address_with_every_extreme(played, tmp_path):
    rng = random.Random(SEED)
    # What is sent may subscribe: answers are read elsewhere.
    peer, asker = played.osc(), played.osc()
    table = [(path, arguments) for address, (path, arguments, *_) in asker.ask("/help") if address == "/help"]
    assert len(table) > 50
    sent = 0
    for path, arguments in table:
        for _ in range(60):
            form = rng.choice(arguments.split(" · ")).split()
            values = [
                osc_argument(rng.choice(kind(token)[1])) for token in form[: rng.randrange(len(form) + 1)]
            ]
            # All alike, too: both ends of a range at the very end of time.
            if values and rng.random() < 0.2:
                values = [values[-1]] * len(values)
            if sum(len(str(value)) for value, _ in values) > 60000:
                continue  # no datagram
            numbers = ["1", "2", "music", "*", "-9223372036854775808", "9223372036854775807", "0"]
            address = path.replace("/N/", f"/{rng.choice(numbers)}/")
            peer.send(address, *values)
            sent += 1
        assert played.process.poll() is None, f"the mixer has ended at {path}, seed {SEED}"
        asker.ask("/session/load", "session")
    peer.close()
    asker.close()
    assert sent > 3000
    played.ctl("play")
    ends_whole(played, tmp_path, "all addresses")


def test_every_verb_with_every_extreme(played, tmp_path):
    rng = random.Random(SEED)
    usages = [helped(verb).splitlines()[0] for verb in all_verbs() if verb not in ("wait", "collect", "quit")]
    assert len(usages) > 30
    lines = []
    for usage in usages:
        verb, *tokens = usage.split()
        for _ in range(30):
            words, options = [verb], iter(tokens)
            for token in options:
                name = token.strip("[]")
                if name.startswith("--"):
                    takes = not token.endswith("]")
                    value = next(options, "T") if takes else None
                    if rng.random() < 0.5:
                        words += [name] + ([rng.choice(kind(value)[0])] if takes else [])
                elif rng.random() < 0.85:
                    words.append(rng.choice(kind(name)[0]))
            lines.append(
                " ".join(
                    json.dumps(word, ensure_ascii=False)
                    if not re.fullmatch(r"[\w.:/*\[\]{},!+-]+", word)
                    else word
                    for word in words
                )
            )
        lines.append("load session")
    script = tmp_path / "script"
    script.write_text("\n".join(line for line in lines if "\n" not in line) + "\n")
    done = subprocess.run(
        [JMIXCTL, "--url", played.url.replace("udp", "tcp"), "--keep-going", "-f", script],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
    )
    assert done.returncode in (1, 2), f"seed {SEED}: {done.returncode} {done.stderr[-400:]}"
    assert "no mixer" not in done.stderr, f"seed {SEED}: {done.stderr[-400:]}"
    ends_whole(played, tmp_path, "all verbs")


SECONDS = ["153722867280912930s", "999999999999999999s", "192153584101141s", "3600000001s"]


@pytest.mark.parametrize(
    "field, value",
    [
        (field, value)
        for value in SECONDS
        for field in ("fadeIn", "fadeOut", "at", "from", "duration", "attack", "point", "ramp")
    ],
)
def test_a_session_with_an_extreme_is_refused_by_its_place(make_session, tmp_path, field, value):
    track = {"clips": [{"file": "a.wav"}]}
    fields = {}
    if field in ("at", "from", "duration"):
        track["clips"][0][field] = value
    elif field == "attack":
        fields["ducks"] = [{"track": "a", "under": "b", "to": 0.5, "attack": value}]
    elif field == "point":
        track["automation"] = [{"volume": 0.5, "at": value}]
    elif field == "ramp":
        track["automation"] = [{"ramp": [0, 1], "from": "0s", "to": value}]
    else:
        track[field] = value
    session = make_session({"a": (steady(100, 1, 1), track), "b": steady(100, 1, 1)}, **fields)
    told = run("check", session, code=1).stdout
    assert value in told and "3600000000s" in told, told
    for words in (["render", session, tmp_path / "out.wav"], ["plot", session, tmp_path / "plot.svg"]):
        run(*words, code=1)


def test_the_latest_times_are_played(make_session, tmp_path):
    """At the very end of the timeline, and rendered there to the frame."""
    session = make_session(
        {
            "a": (
                steady(100, 0.5, 0.5),
                {
                    "fadeOut": "3600000000s",
                    "clips": [{"file": "a.wav", "at": "3600000000s"}],
                    "automation": [{"volume": 0.5, "at": "3600000000s"}],
                },
            )
        }
    )
    run("check", session)
    run("render", session, tmp_path / "out.wav", "--from", "3600000000s")
    import soundfile

    out, _ = soundfile.read(tmp_path / "out.wav")
    assert len(out) == 100
