"""Every --json answer and error against the documented schema, docs/answers.schema.json."""

import json
import os
import re
import shlex
import subprocess

import jsonschema
import pytest
import soundfile
from conftest import JMIX, JMIXCTL, ROOT, all_verbs, helped, line_of, run, steady, wait_until

SCHEMA = json.load(open(os.path.join(ROOT, "docs/answers.schema.json")))


def check(name, document):
    validator = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})
    errors = [f"{list(error.path)}: {error.message}" for error in validator.iter_errors(document)]
    assert not errors, (name, errors[:5], document)


@pytest.fixture
def desk(mixer):
    """A mixer that has some of everything."""
    for line in (
        "ramp music 0 1 1s 2s --curve scurve",
        "volume music 0.5 5s",
        "split voice 5s",
        "fadein voice --clip 1 333ms",
        "clip voice 2 gain -3dB",
        "scene store verse",
        "marker add intro 1/3",
        "bus add hall",
        "dca add band music hall",
        "send voice hall -6dB --pre",
        "volume voice 0.5 1s --of send/hall/volume",
        "volume voice on 1s --of mute",
        "ramp voice -1 1 1s 2s --of pan",
        "eq voice hp 80 --slope 24",
        "eq voice 1 lowshelf",
        "eq voice 1 120 -3",
        "eq voice 3 2k 4 1.5",
        "gate voice -40 --hold 20ms",
        "comp voice -20 3 --key music",
        "limit voice -3 --release 50ms",
        "duck voice --by hand --to 0.5",
        "limit master -1",
        "duck music --under chime --to 0.5 --by signal",
        "loop 1s 2s",
        "connect master_1 nobody:in",
        "fadein music 1s",
        "input add mic nobody:out",
        "arm mic on",
        "talkback mic --to hall",
        "talkback mic on",
        "mutegroup band music voice",
        "output music hall",
        "automix hall on",
        "monitor source hall",
        "record 1s 2s",
        "mute chime on",
        "undo",
    ):
        mixer.ctl(*line.split())
    return mixer


QUESTIONS = {
    "volume 1": "controls",
    "volume '*'": "controls",
    "volume master": "controls",
    "mute 3": "controls",
    "solo '*'": "controls",
    "pan 1": "controls",
    "name 2": "controls",
    "fadein 1": "controls",
    "fadeout '*'": "controls",
    "meters": "meters",
    "automation 1": "automation",
    "automation '*'": "automation",
    "clips 2": "clips",
    "clips '*'": "clips",
    "tracks": "tracks",
    "position": "position",
    "loop": "loop",
    "stop-at-end": "stop-at-end",
    "connect": "connect",
    "ports": "ports",
    "status": "status",
    "history": "history",
    "sessions": "sessions",
    "midi": "midi",
    "buses": "buses",
    "dcas": "dcas",
    "channels voice": "controls",
    "channels '*'": "controls",
    "eq voice": "eq",
    "eq music": "eq",
    "eq '*'": "eq",
    "gate voice": "gate",
    "gate '*'": "gate",
    "comp voice": "comp",
    "comp music": "comp",
    "comp '*'": "comp",
    "limit voice": "limit",
    "duck voice": "controls",
    "limit master": "limit",
    "limit music": "limit",
    "limit '*'": "limit",
    "delay voice": "controls",
    "loudness": "loudness",
    "loudness 'bus:*' range": "loudnessRange",
    "loudness 'bus:*'": "loudness",
    "peaks": "peaks",
    "loudness range": "loudnessRange",
    "spectrum voice": "spectrum",
    "spectrum 'bus:*'": "spectrum",
    "peaks voice": "peaks",
    "peaks 'bus:*'": "peaks",
    "sends voice": "sends",
    "sends '*'": "sends",
    "send voice hall": "controls",
    "volume hall": "controls",
    "volume band": "controls",
    "trim 1": "controls",
    "write voice": "controls",
    "write '*' --of pan": "controls",
    "write voice --of send/hall/volume": "controls",
    "polarity '*'": "controls",
    "solo-safe hall": "controls",
    "output '*'": "controls",
    "solo-mode": "solo-mode",
    "direct-outs": "direct-outs",
    "monitor source": "monitoring",
    "monitor level": "monitoring",
    "monitor mono": "monitoring",
    "talkback mic": "controls",
    "soundcheck": "soundcheck",
    "silenced": "silenced",
    "mutegroup": "mute groups",
    "ducks": "ducks",
    "mute-mode voice": "controls",
    "mute-mode '*'": "controls",
    "automix hall": "automix",
    "automix '*'": "automix",
    "automation voice --of mute": "automation",
    "automation voice --of pan": "automation",
    "automation '*' --of send/hall/volume": "automation",
    "bus add hall2": "add",
    "input add guest": "add",
    "input mic": "input",
    "input '*'": "input",
    "arm mic": "controls",
    "monitor '*'": "controls",
    "record": "record",
    "dca add band2": "add",
    "scene list": "scene list",
    "marker list": "marker list",
    "missing": "missing",
    "video": "video",
    "undo": "undo",
    "redo": "redo",
    "add FILE": "add",
    "collect FOLDER": "collect",
}


@pytest.mark.parametrize("line", QUESTIONS)
def test_every_answer_is_as_the_schema_says(desk, tmp_path, line):
    words = [
        word.strip("'").replace("FILE", str(tmp_path / "voice.wav")).replace("FOLDER", str(tmp_path / "copy"))
        for word in line.split()
    ]
    if line == "redo":
        desk.ctl("undo")
    check(QUESTIONS[line], desk.json(*words))


def test_all_verbs_that_answer_are_there(desk, tmp_path):
    """A verb that answers is among the questions: the example of any other prints nothing."""
    soundfile.write(tmp_path / "voice.flac", steady(10 * 48000, 0.5, 0.5), 48000)
    verbs = set(all_verbs())
    answering = {line.split()[0] for line in QUESTIONS} | {"scene", "marker"}
    assert answering < verbs
    # No other session is opened while this one is recorded.
    desk.ctl("record", "off")
    last = ["save", "load", "new", "record", "quit"]
    # What one waits for does not come.
    for verb in [*sorted(verbs - answering - {"wait", *last}), *last]:
        (example,) = re.findall(r"as in: jmixctl (.*)", helped(verb), re.S)
        words = [JMIXCTL, "--url", desk.url, "--json", *shlex.split(example)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=30, cwd=tmp_path)
        assert done.stdout == "", (example, done.stdout)
        # There is no such connection, no such file and no pause.
        refused = verb in ("disconnect", "relink", "strip-silence")
        assert done.returncode == (1 if refused else 0), (example, done.stderr)


@pytest.mark.parametrize(
    "line, code",
    [
        ("volume 9", 1),
        ("volume 1 7", 1),
        ("rmap", 2),
        ("volume", 2),
        ("undo", 1),
        ("locate nowhere", 1),
        ("remove '*'", 1),
        ("add nosuch.wav", 1),
    ],
)
def test_every_refusal_is_an_object(mixer, line, code):
    done = subprocess.run(
        [JMIXCTL, "--url", mixer.url, "--json", *line.replace("'", "").split()],
        capture_output=True,
        text=True,
        timeout=20,
    )
    error = json.loads(done.stderr)
    check("error", error)
    assert done.returncode == error["code"] == code and done.stdout == ""


def test_no_mixer_and_notes_are_objects_too(mixer, tmp_path):
    done = subprocess.run(
        [JMIXCTL, "--url", mixer.url, "fadein", "music", "99s", "--json"],
        capture_output=True,
        text=True,
        timeout=20,
    )
    check("note", json.loads(done.stderr))
    url = mixer.url
    mixer.end()
    done = subprocess.run(
        [JMIXCTL, "--url", url, "--json", "status"], capture_output=True, text=True, timeout=20
    )
    check("error", json.loads(done.stderr))
    assert done.returncode == 3


def test_watch_says_a_line_a_second(desk):
    watch = subprocess.Popen([JMIXCTL, "--url", desk.url, "watch", "--json"], stdout=subprocess.PIPE)
    try:
        for _ in range(2):
            check("watch", json.loads(line_of(watch.stdout, "a line of watch")))
    finally:
        watch.terminate()
        watch.wait(10)
        watch.stdout.close()


def test_the_commands_of_jmix(make_session, tmp_path):
    session = make_session({"a": steady(48000, 0.5, 0.5)})
    for words, name, code in [
        (("check", session), "jmix check", 0),
        (("check", "--unsaved", session), "jmix check --unsaved", 0),
        (("inspect", tmp_path / "a.wav"), "jmix inspect", 0),
        (("render", session, tmp_path / "o.wav"), "jmix render", 0),
        (("render", session, tmp_path / "l.wav", "--limit"), "jmix render", 0),
        (("render", session, "--stems", tmp_path / "stems"), "jmix render", 0),
        (("render", session, tmp_path / "m.wav", "--loudness", -10), "jmix render", 4),
        (("export", session, tmp_path / "o.otio"), "jmix export", 0),
        (("import", tmp_path / "new.json", tmp_path / "o.otio"), "jmix import", 0),
        (("edit", session, "tracks"), "tracks", 0),
        (("edit", session, "clips", "a"), "clips", 0),
    ]:
        check(name, json.loads(run(*words, "--json", code=code).stdout))
    for words, code in [
        (("render", session, tmp_path / "o.wav"), 1),
        (("render", session), 2),
        (("edit", session, "volume", "9"), 1),
        (("check", tmp_path / "nosuch"), 1),
        (("inspect", tmp_path / "nosuch.wav"), 1),
    ]:
        done = subprocess.run([JMIX, *map(str, words), "--json"], capture_output=True, text=True, timeout=20)
        error = json.loads(done.stderr)
        check("error", error)
        assert done.returncode == error["code"] == code, words
    (tmp_path / "bad.json").write_text('{"jmix": 1, "tracks": [{"name": "a", "fader": 9}]}')
    done = subprocess.run(
        [JMIX, "check", tmp_path / "bad.json", "--json"], capture_output=True, text=True, timeout=20
    )
    check("jmix check", json.loads(done.stdout))
    check("error", json.loads(done.stderr))


def test_a_pattern_answers_a_list_however_many_it_means(mixers, jackd, make_session):
    mixer = mixers("--server", jackd.name, "--no-connect", make_session({}))
    for verb in ("meters", "peaks"):
        assert [answer["track"] for answer in mixer.json(verb)] == ["master"], verb
    assert mixer.json("volume", "*") == []
    mixer.ctl("bus", "add", "hall")
    assert [answer["bus"] for answer in mixer.json("volume", "*")] == [1]
    mixer.ctl("input", "add", "mic")
    assert [answer["clips"] for answer in mixer.json("clips", "*")] == [[]]
    assert [answer["automation"] for answer in mixer.json("automation", "m*")] == [[]]
    assert (
        mixer.json("gate", "m*") == [{"track": 1, "name": "mic", "gate": None}]
        and len(mixer.json("loudness", "h*")) == 1
    )
    assert mixer.json("clips", "mic") == [] and mixer.json("gate", "mic") is None
    assert mixer.json("volume", "master")["volume"] == 1
