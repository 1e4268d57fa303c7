"""Files whose names are told from others by their bytes alone: a letter with its accent as one sign and as
two is one text to many programs, and two files to the system."""

import contextlib
import fcntl
import json
import os
import pathlib
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile

import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, rendered, run, steady, wait_until

COMPOSED, DECOMPOSED = "caf\u00e9.wav", "cafe\u0301.wav"


@pytest.fixture
def two(tmp_path):
    """A session of one second of each: the second follows the first."""
    for name, level in ((COMPOSED, 0.25), (DECOMPOSED, 0.125)):
        soundfile.write(tmp_path / name, steady(RATE, level, level), RATE, subtype="FLOAT")
    path = tmp_path / "s.json"
    tracks = [
        {"name": f"t{n}", "clips": [{"file": name, "at": f"{n}s"}]}
        for n, name in enumerate((COMPOSED, DECOMPOSED))
    ]
    path.write_text(json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": tracks}, ensure_ascii=False))
    return path


def files(path):
    return [clip["file"] for track in json.loads(path.read_text())["tracks"] for clip in track["clips"]]


def levels(path):
    mix = rendered(path)
    return [float(np.unique(mix[n * RATE : (n + 1) * RATE])[0]) for n in range(2)]


def test_a_clip_is_led_from_one_to_the_other(two):
    run("edit", two, "relink", COMPOSED, DECOMPOSED)
    assert files(two) == [DECOMPOSED, DECOMPOSED]
    assert levels(two) == [0.125, 0.125]
    assert len(json.loads(run("edit", two, "history", "--json").stdout)) == 1
    run("edit", two, "undo")
    assert files(two) == [COMPOSED, DECOMPOSED]


def test_a_mixer_leads_a_clip_from_one_to_the_other(two, jackd, mixers):
    mixer = mixers("--server", jackd.name, "--no-connect", two)
    mixer.ctl("relink", DECOMPOSED, COMPOSED)
    assert mixer.json("clips", "t1")[0]["file"] == COMPOSED
    assert mixer.json("status")["unsaved"] is True
    mixer.ctl("append", "t0", DECOMPOSED)
    assert [clip["file"] for clip in mixer.json("clips", "t0")] == [COMPOSED, DECOMPOSED]


def test_what_the_session_keeps_for_others_stays_apart(two):
    document = json.loads(two.read_text())
    document |= {COMPOSED: 1, DECOMPOSED: 2} | {f"x{n}": n for n in range(40)}
    two.write_text(json.dumps(document, ensure_ascii=False))
    run("edit", two, "volume", "t0", "0.5")
    saved = json.loads(two.read_text())
    assert (saved[COMPOSED], saved[DECOMPOSED]) == (1, 2)


def test_ardour_is_given_two_sources(two, tmp_path):
    run("export", two, tmp_path / "a.ardour")
    tree = ElementTree.parse(tmp_path / "a.ardour")
    sources = {source.get("id"): source.get("name") for source in tree.iter("Source")}
    played = [sources[region.get("source-0")] for region in tree.iter("Region") if region.get("source-0")]
    assert sorted({os.path.basename(name) for name in played}) == sorted([COMPOSED, DECOMPOSED])


def test_a_dawproject_holds_both_and_gives_both_back(two, tmp_path):
    run("export", two, tmp_path / "a.dawproject")
    run("import", tmp_path / "again.json", tmp_path / "a.dawproject")
    assert levels(tmp_path / "again.json") == [0.25, 0.125]


def test_an_edit_decision_list_names_two_reels(two, tmp_path):
    run("export", two, tmp_path / "a.edl")
    lines = (tmp_path / "a.edl").read_text().splitlines()
    reels = {line.split()[1] for line in lines if line[:3].isdigit()}
    assert len(reels) == 2, lines


def test_an_import_into_a_folder_of_its_name_is_the_file(two, tmp_path):
    """The sounds of the archive go to a folder called as the archive; the session is the file that was
    named."""
    run("export", two, tmp_path / "show.dawproject")
    run("import", tmp_path / "show", tmp_path / "show.dawproject")
    assert (tmp_path / "show.json").exists()
    run("check", tmp_path / "show.json")
    run("check", tmp_path / "show")
    assert levels(tmp_path / "show.json") == [0.25, 0.125]


@pytest.mark.parametrize("kind", ["otio", "edl", "mlt", "ardour", "dawproject"])
def test_of_two_exports_to_one_free_name_one_is_refused(two, tmp_path, kind):
    out = tmp_path / f"a.{kind}"
    started = [
        subprocess.Popen(
            [JMIX, "export", two, out], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    said = [process.communicate(timeout=60)[1] for process in started]
    codes = [process.returncode for process in started]
    assert sorted(codes) == [0, 1, 1, 1], said
    assert all("such a file" in text or "exists already" in text for text in said if text), said


@pytest.mark.parametrize("kind", ["mlt", "ardour"])
def test_who_loses_leaves_the_sounds_of_who_wins(two, tmp_path, kind):
    """Clips at another speed are files of their own, beside the document."""
    for name in ("t0", "t1"):
        run("edit", two, "clip", name, 1, "speed", "1.5")
    for number in range(4):
        out = tmp_path / f"{number}" / f"a.{kind}"
        out.parent.mkdir()
        started = [
            subprocess.Popen([JMIX, "export", two, out], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(3)
        ]
        said = [process.communicate(timeout=60)[1] for process in started]
        assert sorted(process.returncode for process in started) == [0, 1, 1], said
        document, sounds = out.read_text(), list(out.parent.rglob("*.wav"))
        assert len(sounds) == 2 and all(sound.name in document for sound in sounds), (document, sounds)


@contextlib.contextmanager
def held_folder(folder):
    """As another export holds it that writes its sounds there."""
    folder.mkdir()
    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(descriptor)


def has_open(process, folder):
    links = pathlib.Path(f"/proc/{process.pid}/fd").iterdir()
    with contextlib.suppress(FileNotFoundError):
        return any(os.readlink(link) == str(folder) for link in links)
    return False


@pytest.mark.parametrize("ends", ["the other wins", "a signal"])
def test_an_export_waits_for_one_that_writes_its_sounds_there(two, tmp_path, ends):
    run("edit", two, "clip", "t0", 1, "speed", "1.5")
    out, sounds = tmp_path / "a.mlt", tmp_path / "a-sounds"
    with held_folder(sounds):
        export = subprocess.Popen([JMIX, "export", two, out], stderr=subprocess.PIPE, text=True)
        wait_until(lambda: has_open(export, sounds), "the export comes to the folder of its sounds")
        if ends == "a signal":
            export.terminate()
        else:
            out.write_text("the other's")
            (sounds / "t0.wav").write_text("the other's")
    said = export.communicate(timeout=30)[1]
    if ends == "a signal":
        assert export.returncode == 130 and "interrupted" in said and not out.exists()
    else:
        assert export.returncode == 1 and "there is such a file by now" in said
        assert out.read_text() == (sounds / "t0.wav").read_text() == "the other's"
        assert [sound.name for sound in sounds.iterdir()] == ["t0.wav"]


@pytest.mark.parametrize("leads", ["to a folder", "nowhere"])
def test_the_folder_of_an_exports_sounds_may_be_a_link(two, tmp_path, leads):
    run("edit", two, "clip", "t0", 1, "speed", "1.5")
    elsewhere = tmp_path / "elsewhere"
    if leads == "to a folder":
        elsewhere.mkdir()
    (tmp_path / "a-sounds").symlink_to(elsewhere)
    if leads == "to a folder":
        run("export", two, tmp_path / "a.mlt")
        assert list(elsewhere.glob("*.wav"))
    else:
        assert "cannot make" in run("export", two, tmp_path / "a.mlt", code=1).stderr
        assert not (tmp_path / "a.mlt").exists()


def test_a_name_means_a_folder_only_where_that_holds_sessions(two, tmp_path):
    (tmp_path / "s").mkdir()
    assert "no problems" in run("check", tmp_path / "s").stdout
    assert "no problems" in run("check", f"{tmp_path / 's'}/").stdout
    run("new", tmp_path / "s", tmp_path / COMPOSED)
    assert (tmp_path / "s/session.json").exists(), "a folder that is named is to hold the new session"
    (tmp_path / "s/session.json").rename(tmp_path / "s/one.json")
    shutil.copy(tmp_path / "s/one.json", tmp_path / "s/two.json")
    # Which of the two nobody knows, and it is not the one beside the folder.
    run("check", tmp_path / "s", code=1)


def test_a_dawproject_of_64_bit_sizes_is_read(two, tmp_path):
    """Other programs write them for what may grow."""
    run("export", two, tmp_path / "a.dawproject")
    with (
        zipfile.ZipFile(tmp_path / "a.dawproject") as old,
        zipfile.ZipFile(tmp_path / "b.dawproject", "w") as new,
    ):
        for name in old.namelist():
            with new.open(name, "w", force_zip64=True) as entry:
                entry.write(old.read(name))
    run("import", tmp_path / "again.json", tmp_path / "b.dawproject")
    assert levels(tmp_path / "again.json") == [0.25, 0.125]


def test_a_name_that_is_no_utf8_is_refused_with_the_way_out(two):
    name = os.fsencode(two.parent) + b"/lat\xe9.wav"
    shutil.copy(two.parent / COMPOSED, name)
    done = subprocess.run([JMIX, "edit", two, "add", name], capture_output=True, timeout=60)
    assert done.returncode == 1 and b"if its name is no UTF-8, rename it" in done.stderr


def test_sessions_whose_names_differ_in_unicode_form_are_two(mixers, tmp_path, make_session):
    """One is played, and saved under the name of the other: that one has it, and is open from then on."""
    source = make_session()
    names = ["caf\u00e9.json", "cafe\u0301.json"]
    for name in names:
        shutil.copy(source, tmp_path / name)
    before = (tmp_path / names[0]).read_bytes()
    mixer = mixers("--dummy", tmp_path / names[0])
    mixer.ctl("name", 1, "new")
    mixer.ctl("save", "cafe\u0301")
    assert (tmp_path / names[0]).read_bytes() == before
    assert json.loads((tmp_path / names[1]).read_text())["tracks"][0]["name"] == "new"
    mixer.ctl("name", 1, "newer")
    mixer.ctl("save")
    assert json.loads((tmp_path / names[1]).read_text())["tracks"][0]["name"] == "newer"
    assert (tmp_path / names[0]).read_bytes() == before
