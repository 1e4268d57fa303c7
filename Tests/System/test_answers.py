"""Every --json answer and error against the schema that says what it may be: that of the verbs is what
`jmixctl help schema` prints, that of the commands of jmix is docs/answers.schema.json."""

import json
import os
import re
import shlex
import subprocess

import jsonschema
import pytest
import soundfile
from conftest import JMIX, JMIXCTL, ROOT, all_verbs, helped, line_of, run, steady, wait_until

OF_VERBS = json.loads(subprocess.run([JMIXCTL, "help", "schema"], capture_output=True, check=True).stdout)
OF_COMMANDS = json.load(open(os.path.join(ROOT, "docs/answers.schema.json")))


def check(name, document, schema=OF_VERBS):
    validator = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})
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


QUESTIONS = [
    "volume 1",
    "volume '*'",
    "volume master",
    "volume music --of pan",
    "volume '*' --of mute",
    "volume voice --of send/hall/volume",
    "volume voice --of eq/2/gain",
    "gaps 1",
    "gaps '*'",
    "mute 3",
    "solo '*'",
    "pan 1",
    "name 2",
    "fadein 1",
    "fadeout '*'",
    "meters",
    "automation 1",
    "automation '*'",
    "clips 2",
    "clips '*'",
    "tracks",
    "position",
    "loop",
    "stop-at-end",
    "connect",
    "ports",
    "status",
    "history",
    "sessions",
    "midi",
    "buses",
    "dcas",
    "channels voice",
    "channels '*'",
    "eq voice",
    "eq music",
    "eq '*'",
    "gate voice",
    "gate '*'",
    "comp voice",
    "comp music",
    "comp '*'",
    "limit voice",
    "duck voice",
    "limit master",
    "limit music",
    "limit '*'",
    "delay voice",
    "loudness",
    "loudness 'bus:*' range",
    "loudness 'bus:*'",
    "peaks",
    "loudness range",
    "spectrum voice",
    "spectrum 'bus:*'",
    "peaks voice",
    "peaks 'bus:*'",
    "sends voice",
    "sends '*'",
    "send voice hall",
    "volume hall",
    "volume band",
    "trim 1",
    "write voice",
    "write '*' --of pan",
    "write voice --of send/hall/volume",
    "polarity '*'",
    "solo-safe hall",
    "output '*'",
    "solo-mode",
    "direct-outs",
    "monitor source",
    "monitor level",
    "monitor mono",
    "talkback mic",
    "soundcheck",
    "silenced",
    "mutegroup",
    "ducks",
    "mute-mode voice",
    "mute-mode '*'",
    "automix hall",
    "automix '*'",
    "automation voice --of mute",
    "automation voice --of pan",
    "automation '*' --of send/hall/volume",
    "bus add hall2",
    "input add guest",
    "input mic",
    "input '*'",
    "arm mic",
    "monitor '*'",
    "record",
    "dca add band2",
    "scene list",
    "marker list",
    "missing",
    "video",
    "undo",
    "redo",
    "add FILE",
    "collect FOLDER",
]


@pytest.mark.parametrize("line", QUESTIONS)
def test_every_answer_is_as_the_schema_says(desk, tmp_path, line):
    words = [
        word.strip("'").replace("FILE", str(tmp_path / "voice.wav")).replace("FOLDER", str(tmp_path / "copy"))
        for word in line.split()
    ]
    if line == "redo":
        desk.ctl("undo")
    check(words[0], desk.json(*words))


def test_what_an_example_prints_is_as_the_schema_says(desk, tmp_path):
    """A verb that the schema does not name prints nothing; an example may name what this desk has not."""
    for name in ("voice", "jingle"):
        soundfile.write(tmp_path / f"{name}.flac", steady(10 * 48000, 0.5, 0.5), 48000)
    # No other session is opened while this one is recorded.
    desk.ctl("record", "off")
    last = ["save", "load", "new", "record", "quit"]
    answered = set()
    # What one waits for does not come.
    for verb in [*sorted(set(all_verbs()) - {"wait", *last}), *last]:
        example = re.findall(rf"as in: jmixctl ({verb}(?: .*)?)$", helped(verb), re.M)[0]
        words = [JMIXCTL, "--url", desk.url, "--json", *shlex.split(example)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=30, cwd=tmp_path)
        if done.returncode:
            check("error", json.loads(done.stderr))
        elif done.stdout:
            check(verb, json.loads(done.stdout))
            answered.add(verb)
    assert answered > {"add", "bus", "clips", "history", "loudness", "status", "tracks", "undo"}


def test_the_schema_is_one(desk):
    jsonschema.Draft202012Validator.check_schema(OF_VERBS)
    jsonschema.Draft202012Validator.check_schema(OF_COMMANDS)
    # What a verb of another answers is none of its own.
    for verb, other in [("history", "tracks"), ("undo", "redo"), ("eq voice", "gate"), ("clips 2", "sends")]:
        with pytest.raises(AssertionError):
            check(other, desk.json(*verb.split()))


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
            check("watch", json.loads(line_of(watch.stdout, "a line of watch")), OF_COMMANDS)
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
        schema = OF_COMMANDS if name.startswith("jmix") else OF_VERBS
        check(name, json.loads(run(*words, "--json", code=code).stdout), schema)
    for words, code in [
        (("render", session, tmp_path / "o.wav"), 1),
        (("render", session), 2),
        (("edit", session, "volume", "9"), 1),
        (("check", tmp_path / "nosuch"), 1),
        (("inspect", tmp_path / "nosuch.wav"), 1),
    ]:
        done = subprocess.run([JMIX, *map(str, words), "--json"], capture_output=True, text=True, timeout=20)
        error = json.loads(done.stderr)
        check("error", error, OF_COMMANDS)
        assert done.returncode == error["code"] == code, words
    (tmp_path / "bad.json").write_text('{"jmix": 1, "tracks": [{"name": "a", "fader": 9}]}')
    done = subprocess.run(
        [JMIX, "check", tmp_path / "bad.json", "--json"], capture_output=True, text=True, timeout=20
    )
    check("jmix check", json.loads(done.stdout), OF_COMMANDS)
    check("error", json.loads(done.stderr), OF_COMMANDS)


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
