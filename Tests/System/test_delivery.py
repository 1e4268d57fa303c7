"""What a mix is handed over as: limited, as loud as asked for, tagged, with chapters, to a pipe."""

import io
import json
import os
import signal
import struct
import subprocess

import mutagen
import mutagen.id3
import mutagen.mp3
import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, copy_demo, run, wait_until


@pytest.fixture
def demo(tmp_path):
    return copy_demo(tmp_path)


def level(path):
    (report,) = json.loads(run("inspect", path, "--json").stdout)
    return report["loudness"], 20 * np.log10(report["truePeak"])


@pytest.mark.parametrize(
    "loudness, limit, says",
    [(-16, "-1dB", "-1dB"), (-14, "-1dB", None), (-20, "-3", "-3"), (-23, "-1dB", "-1.0db")],
)
def test_a_limiter_lets_every_loudness_be_reached(demo, tmp_path, loudness, limit, says):
    said = run(
        "render", demo, tmp_path / "out.wav", "--loudness", loudness, "--limit", *([says] if says else [])
    ).stdout
    reached, peak = level(tmp_path / "out.wav")
    assert abs(reached - loudness) < 0.1 and peak <= float(limit.removesuffix("dB")) + 1e-6
    assert f"now {float(loudness)} LUFS" in said


def test_what_is_not_reached_has_its_own_exit_code(demo, tmp_path):
    said = run("render", demo, tmp_path / "loud.wav", "--loudness", -5, code=4).stdout
    assert "--limit makes way" in said and (tmp_path / "loud.wav").exists()
    # An impulse cannot be made loud.
    samples = np.zeros((5 * RATE, 2), np.float32)
    samples[RATE] = 1
    soundfile.write(tmp_path / "click.wav", samples, RATE)
    (tmp_path / "click.json").write_text(
        json.dumps({"jmix": 1, "tracks": [{"name": "click", "clips": [{"file": "click.wav"}]}]})
    )
    result = json.loads(
        run(
            "render",
            tmp_path / "click.json",
            tmp_path / "o.wav",
            "--loudness",
            -10,
            "--limit",
            "--json",
            code=4,
        ).stdout
    )
    assert result["loudness"]["isReached"] is False and result["loudness"]["truePeak"] <= -1


def test_nothing_is_raised_by_more_than_sixty_decibels(tmp_path):
    noise = np.random.default_rng(1).normal(0, 10 ** (-75 / 20), (4 * RATE, 2))
    soundfile.write(tmp_path / "quiet.wav", noise, RATE, subtype="FLOAT")
    (tmp_path / "quiet.json").write_text(
        json.dumps({"jmix": 1, "tracks": [{"name": "quiet", "clips": [{"file": "quiet.wav"}]}]})
    )
    words = ["--loudness", -2, "--limit", "--json"]
    result = json.loads(run("render", tmp_path / "quiet.json", tmp_path / "o.wav", *words, code=4).stdout)
    assert result["loudness"]["gain"] == 60 and result["loudness"]["isReached"] is False


def test_a_limit_alone_leaves_what_is_under_it(demo, tmp_path):
    run("render", demo, tmp_path / "plain.wav")
    run("render", demo, tmp_path / "same.wav", "--limit")
    run("render", demo, tmp_path / "low.wav", "--limit", "-12dB", "--json")
    plain, same = (soundfile.read(tmp_path / name, dtype="float32")[0] for name in ("plain.wav", "same.wav"))
    np.testing.assert_array_equal(plain, same)
    assert level(tmp_path / "low.wav")[1] <= -12
    low = soundfile.read(tmp_path / "low.wav", dtype="float32")[0]
    assert len(low) == len(plain), "what the limiter holds back comes at the end"
    for words in (["--limit", "3dB"], ["--limit", "-50"], ["--loudness", "loud"]):
        run("render", demo, tmp_path / "x.wav", *words, code=2)


def with_markers(demo):
    for name, at in (("Intro", "0s"), ("Die Mitte, ü", "5.5s"), ("End", "12s"), ("behind", "90s")):
        run("edit", demo, "marker", "add", name, at)
    return demo


def test_an_mp3_has_tags_and_chapters(demo, tmp_path):
    with_markers(demo)
    run(
        "render",
        demo,
        tmp_path / "out.mp3",
        "--bitrate",
        "128k",
        "--tag",
        "title=Ein Abend, größer",
        "--tag",
        "artist=wir",
        "--tag",
        "comment=a=b",
        "--from",
        "2s",
    )
    file = mutagen.mp3.MP3(tmp_path / "out.mp3")
    assert (
        file["TIT2"].text == ["Ein Abend, größer"]
        and file["TPE1"].text == ["wir"]
        and file.tags.getall("COMM")[0].text == ["a=b"]
    )
    assert file.info.bitrate == 128000 and abs(file.info.length - 18) < 0.1
    chapters = [
        (frame.sub_frames["TIT2"].text[0], frame.start_time, frame.end_time)
        for frame in file.tags.getall("CHAP")
    ]
    assert chapters == [("Die Mitte, ü", 3500, 10000), ("End", 10000, 18000)]
    (contents,) = file.tags.getall("CTOC")
    assert contents.child_element_ids == ["chp0", "chp1"]
    # The sound behind the tag is what it is without.
    run("render", demo, tmp_path / "plain.mp3", "--bitrate", "128", "--no-chapters", "--from", "2s")
    assert (tmp_path / "out.mp3").read_bytes().endswith((tmp_path / "plain.mp3").read_bytes())


@pytest.mark.parametrize("ending", ["m4a", "mkv", "mov", "opus"])
def test_what_ffmpeg_labels_is_to_the_letter_and_to_the_millisecond(demo, tmp_path, ending):
    """Signs that its own lists have a meaning for; chapters that end where the next begins, and times that
    are rounded, not cut."""
    title = "a=b; c#d\\e, größer"
    # 5000.604 and 7000.104 ms.
    names = {"one=1; #2": 0, "two\\3": 240_029, "three": 336_005}
    for name, frame in names.items():
        run("edit", demo, "marker", "add", name, f"{frame}f")
    out = tmp_path / f"out.{ending}"
    run("render", demo, out, "--tag", f"title={title}")
    words = ["ffprobe", "-v", "error", "-show_chapters", "-show_format", "-show_streams", "-of", "json", out]
    found = json.loads(subprocess.run(words, capture_output=True, check=True, timeout=30).stdout)
    tags = found["format"].get("tags", {}) | found["streams"][0].get("tags", {})
    assert {name.lower(): value for name, value in tags.items()}["title"] == title
    chapters = found["chapters"]
    assert [chapter["tags"]["title"] for chapter in chapters] == list(names)
    starts = [float(chapter["start_time"]) for chapter in chapters]
    assert starts == pytest.approx([frame / RATE for frame in names.values()], abs=0.0005 + 1e-6)
    ends = [float(chapter["end_time"]) for chapter in chapters]
    assert ends == pytest.approx([*starts[1:], float(found["format"]["duration"])], abs=0.03)


def test_a_wav_has_cue_points_with_names(demo, tmp_path):
    with_markers(demo)
    run("render", demo, tmp_path / "out.wav", "--tag", "title=Abend")
    data, place, chunks = (tmp_path / "out.wav").read_bytes(), 12, []
    while place < len(data):
        name, size = struct.unpack_from("<4sI", data, place)
        chunks.append((name, data[place + 8 : place + 8 + size]))
        place += 8 + size + size % 2
    cues = [content for name, content in chunks if name == b"cue "][0]
    points = [
        struct.unpack_from("<II4sIII", cues, 4 + 24 * n) for n in range(struct.unpack_from("<I", cues)[0])
    ]
    assert [point[1] for point in points] == [0, int(5.5 * RATE), 12 * RATE]
    names = [content for name, content in chunks if name == b"LIST" and content.startswith(b"adtl")][0]
    assert all(name.encode() + b"\0" in names for name in ("Intro", "Die Mitte, ü", "End"))
    assert soundfile.SoundFile(tmp_path / "out.wav").title == "Abend"
    run("render", demo, tmp_path / "plain.wav", "--no-chapters")
    np.testing.assert_array_equal(
        soundfile.read(tmp_path / "out.wav")[0], soundfile.read(tmp_path / "plain.wav")[0]
    )
    # Others hold none, and that is said.
    done = run("render", demo, tmp_path / "out.flac", "--tag", "title=Abend")
    assert "chapters" not in done.stderr and mutagen.File(tmp_path / "out.flac")["title"] == ["Abend"]


def test_bit_rates_and_qualities(demo, tmp_path):
    sizes = {}
    for rate in (64, 192):
        run("render", demo, tmp_path / f"{rate}.opus", "--bitrate", rate)
        sizes[rate] = (tmp_path / f"{rate}.opus").stat().st_size * 8 / 20 / 1000
        assert 0.6 * rate < sizes[rate] < 1.3 * rate
    for quality in (0.1, 0.9):
        for kind in ("mp3", "ogg"):
            run("render", demo, tmp_path / f"{quality}.{kind}", "--quality", quality)
    for kind in ("mp3", "ogg"):
        assert (tmp_path / f"0.1.{kind}").stat().st_size < 0.7 * (tmp_path / f"0.9.{kind}").stat().st_size
    for name, words, said in [
        ("x.mp3", ["--bitrate", "100k"], "96, 112"),
        ("x.wav", ["--bitrate", "128"], "keeps all"),
        ("x.ogg", ["--bitrate", "128"], "quality"),
        ("x.mp3", ["--quality", "2"], "0 to 1"),
        ("x.mp3", ["--quality", "0.5", "--bitrate", "128"], "one of them"),
    ]:
        assert said in run("render", demo, tmp_path / name, *words, code=1).stderr
    for words in (["--bitrate", "fast"], ["--tag", "title"], ["--tag", "colour=red"]):
        run("render", demo, tmp_path / "x.mp3", *words, code=2)
    assert not list(tmp_path.glob("x.*"))


def test_a_mix_goes_to_a_pipe(demo, tmp_path):
    before = set(os.listdir("/tmp"))
    run("render", demo, tmp_path / "out.wav")
    done = subprocess.run([JMIX, "render", demo, "-"], capture_output=True, timeout=60)
    assert (
        done.returncode == 0
        and b"peak" in done.stderr
        and len(done.stdout) == (tmp_path / "out.wav").stat().st_size
    )
    # Sample for sample; the header has the time at which it was written.
    np.testing.assert_array_equal(
        soundfile.read(io.BytesIO(done.stdout))[0], soundfile.read(tmp_path / "out.wav")[0]
    )
    done = subprocess.run(
        [JMIX, "render", demo, "-", "--as", "flac", "--format", "pcm16"], capture_output=True, timeout=60
    )
    assert done.stdout.startswith(b"fLaC")
    # Whoever listens has enough.
    done = subprocess.run(
        f"{JMIX} render {demo} - | head -c 10 >/dev/null; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 1 and b"standard output" in done.stderr
    assert not {name for name in set(os.listdir("/tmp")) - before if "jmix." in name}


def test_what_is_no_limit_is_not_none(demo, tmp_path):
    for words in (["--limit=abc"], ["--limit=-1dBTP"], ["--limit=1dB"], ["--limit=nan"]):
        run("render", demo, tmp_path / "x.wav", *words, code=2)
    assert not (tmp_path / "x.wav").exists()


def test_what_cannot_be_made_louder_is_not_crushed(tmp_path):
    rng = np.random.default_rng(1)
    soundfile.write(
        tmp_path / "noise.wav", np.clip(rng.standard_normal((10 * RATE, 2)), -1, 1), RATE, subtype="FLOAT"
    )
    (tmp_path / "noise.json").write_text(
        json.dumps({"jmix": 1, "tracks": [{"name": "noise", "clips": [{"file": "noise.wav"}]}]})
    )
    for loudness in (-1, 0):
        result = json.loads(
            run(
                "render",
                tmp_path / "noise.json",
                tmp_path / "o.wav",
                "--force",
                "--loudness",
                loudness,
                "--limit",
                "--json",
                code=4,
            ).stdout
        )
        assert result["loudness"]["gain"] < 20 and result["loudness"]["truePeak"] <= -1


def test_a_pipe_that_nobody_reads_can_be_left(demo, tmp_path):
    before = set(os.listdir("/tmp"))
    waiting = subprocess.Popen(
        [JMIX, "render", demo, "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    # More than a pipe holds: it waits. Others write there too.
    wait_until(
        lambda: any(
            f"jmix.{waiting.pid}-" in name and name.endswith(".wav")
            for name in set(os.listdir("/tmp")) - before
        ),
        "it has rendered",
    )
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(2)
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait(10) == 130 and "interrupted" in waiting.stderr.read()
    waiting.stdout.close()
    waiting.stderr.close()
    assert not {name for name in set(os.listdir("/tmp")) - before if "jmix." in name}


def test_tags_and_chapters_that_do_not_fit_are_said(demo, tmp_path):
    assert (
        "holds no album, genre"
        in run(
            "render", demo, tmp_path / "o.aiff", "--tag", "title=a", "--tag", "album=b", "--tag", "genre=c"
        ).stderr
    )
    assert "holds no title" in run("render", demo, tmp_path / "o.w64", "--tag", "title=a").stderr
    subprocess.run(
        [JMIX, "edit", demo],
        input="".join(f"marker add m{n} {n}/20\n" for n in range(300)),
        text=True,
        check=True,
        capture_output=True,
        timeout=60,
    )
    assert "255 chapters" in run("render", demo, tmp_path / "o.mp3").stderr
    file = mutagen.mp3.MP3(tmp_path / "o.mp3")
    assert len(file.tags.getall("CHAP")) == 255 == len(file.tags.getall("CTOC")[0].child_element_ids)


def test_a_tag_of_several_lines_is_one_tag(demo, tmp_path):
    run(
        "render",
        demo,
        tmp_path / "o.m4a",
        "--tag",
        "comment=one\r\ntitle=two\r\n[CHAPTER]",
        "--tag",
        "title=three",
    )
    tags = mutagen.File(tmp_path / "o.m4a")
    assert tags["\xa9nam"] == ["three"] and tags["\xa9cmt"][0].splitlines() == [
        "one",
        "title=two",
        "[CHAPTER]",
    ]


def test_a_cover_s_name_is_no_pattern(demo, tmp_path):
    subprocess.run(
        [
            "ffmpeg",
            "-v",
            "error",
            "-f",
            "lavfi",
            "-i",
            "color=red:s=64x64",
            "-frames:v",
            "1",
            tmp_path / "red.png",
        ],
        check=True,
        timeout=30,
    )
    (tmp_path / "red.png").rename(tmp_path / "cover%03d.png")
    run("render", demo, tmp_path / "o.m4a", "--cover", tmp_path / "cover%03d.png")
    assert len(mutagen.File(tmp_path / "o.m4a")["covr"]) == 1
