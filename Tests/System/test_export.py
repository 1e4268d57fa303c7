"""What ffmpeg writes of a mix: m4a, pictures beside the sound whose packets are as they were, covers,
chapters; each in its place to the frame."""

import json
import os
import struct
import subprocess

import mutagen
import mutagen.flac
import mutagen.id3
import mutagen.mp4
import mutagen.oggopus
import numpy as np
import pytest
import soundfile
from conftest import JMIX, RATE, run, wait_until
from test_media import VIDEO, ffmpeg, lag

LENGTH = 4 * RATE + 321


@pytest.fixture
def show(tmp_path):
    """A session of known content at half its level, and what it renders to."""
    samples = (np.random.default_rng(3).standard_normal((LENGTH, 2)) * 3000).astype(np.int16)
    soundfile.write(tmp_path / "noise.wav", samples, RATE, subtype="PCM_16")
    path = tmp_path / "show.json"
    path.write_text(
        json.dumps(
            {
                "jmix": 1,
                "sampleRate": RATE,
                "tracks": [{"name": "noise", "fader": 0.5, "clips": [{"file": "noise.wav"}]}],
                "markers": [{"name": "Intro", "at": "0s"}, {"name": "Die Mitte; ü = #2\\x", "at": "2s"}],
            }
        )
    )
    run("render", path, tmp_path / "show.wav", "--no-chapters")
    return path


def mix(folder):
    return soundfile.read(folder / "show.wav", dtype="float32")[0]


def whole(samples, steps):
    """To the nearest step, halves away from 0."""
    scaled = samples * np.float32(steps)
    return np.trunc(scaled + np.copysign(np.float32(0.5), scaled)) / np.float32(steps)


def decoded(path, *words):
    """As ffmpeg hears it, not as jmix does."""
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, *words, "-map", "0:a:0", "-ac", "2", "-f", "f32le", "-"],
        capture_output=True,
        check=True,
    ).stdout
    return np.frombuffer(raw, "<f4").reshape(-1, 2)


def probed(path, *words):
    return json.loads(
        subprocess.run(
            ["ffprobe", "-v", "error", "-of", "json", *words, path],
            capture_output=True,
            check=True,
            text=True,
        ).stdout
    )


def packets(path, stream="v:0", *words):
    """Times and hashes of packets."""
    return [
        (float(one["pts_time"]), one["data_hash"])
        for one in probed(path, *words, "-select_streams", stream, "-show_packets", "-show_data_hash", "md5")[
            "packets"
        ]
    ]


def edits(path, kind):
    """The edit list of a QuickTime's first track of that kind: (how long, from which time of its own; None
    for nothing), in seconds."""
    data = path.read_bytes()

    def atoms(start, end):
        while start + 8 <= end:
            size, name = struct.unpack_from(">I4s", data, start)
            yield name, start + 8, start + size
            start += size

    def inside(place, *names):
        for name in names:
            place = next(((start, end) for found, start, end in atoms(*place) if found == name), None)
            if place is None:
                return None
        return place

    moov = inside((0, len(data)), b"moov")
    movie_scale = struct.unpack_from(">I", data, inside(moov, b"mvhd")[0] + 12)[0]
    for name, start, end in atoms(*moov):
        if name != b"trak" or data[inside((start, end), b"mdia", b"hdlr")[0] + 8 :][:4] != kind:
            continue
        scale = struct.unpack_from(">I", data, inside((start, end), b"mdia", b"mdhd")[0] + 12)[0]
        place = inside((start, end), b"edts", b"elst")
        if place is None:
            return [(None, 0.0)]
        count = struct.unpack_from(">I", data, place[0] + 4)[0]
        found = [struct.unpack_from(">Ii", data, place[0] + 8 + 12 * n) for n in range(count)]
        return [(length / movie_scale, None if time < 0 else time / scale) for length, time in found]


def shown(path):
    """Times and hashes of the pictures of a QuickTime, by its edit list as it stands: readers move the first
    picture to where the edit begins, if it begins within one."""
    start, begin = 0.0, 0.0
    for length, time in edits(path, b"vide"):
        if time is None:
            start += length
        else:
            begin = time
    return [(time - begin + start, hash) for time, hash in packets(path, "v:0", "-ignore_editlist", "1")]


CHAPTERS = ["Intro", "Die Mitte; ü = #2\\x"]


@pytest.fixture
def cover(tmp_path):
    ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64:d=0.1", "-frames:v", 1, "cover.png", cwd=tmp_path)
    return tmp_path / "cover.png"


def test_m4a_with_all_that_can_be_said(show, cover, tmp_path):
    run(
        "render",
        show,
        tmp_path / "out.m4a",
        "--bitrate",
        "192k",
        "--tag",
        "title=Evening, ü",
        "--tag",
        "artist=Ensemble",
        "--cover",
        cover,
    )
    file = mutagen.mp4.MP4(tmp_path / "out.m4a")
    assert (
        file["\xa9nam"] == ["Evening, ü"]
        and file["\xa9ART"] == ["Ensemble"]
        and bytes(file["covr"][0]) == cover.read_bytes()
    )
    assert abs(file.info.bitrate - 192_000) < 20_000
    assert [
        one["tags"]["title"] for one in probed(tmp_path / "out.m4a", "-show_chapters")["chapters"]
    ] == CHAPTERS
    # Heard again by jmix: as long, and in its place.
    (report,) = json.loads(run("inspect", tmp_path / "out.m4a", "--json").stdout)
    assert report["frames"] == LENGTH and [
        (one["name"], one["at"]) for one in report["media"]["chapters"]
    ] == [(CHAPTERS[0], 0), (CHAPTERS[1], 2)]
    assert lag(decoded(tmp_path / "out.m4a"), mix(tmp_path)) == 0


def test_a_cover_is_what_it_holds_and_not_what_its_name_says(show, cover, tmp_path):
    ffmpeg("-i", cover, "photo.jpg", cwd=tmp_path)
    (tmp_path / "c.jpg").write_bytes(cover.read_bytes())
    (tmp_path / "c%03d.png").write_bytes((tmp_path / "photo.jpg").read_bytes())
    for name in ("c.jpg", "c%03d.png"):
        run("render", show, tmp_path / "out.m4a", "--force", "--cover", tmp_path / name)
        assert bytes(mutagen.mp4.MP4(tmp_path / "out.m4a")["covr"][0]) == (tmp_path / name).read_bytes()


@pytest.mark.parametrize("name", ["out.opus", "out.ogg", "out.flac"])
def test_covers_and_chapters_of_vorbis_comments(show, cover, tmp_path, name):
    run("render", show, tmp_path / f"plain-{name}", "--no-chapters")
    run("render", show, tmp_path / name, "--cover", cover, "--tag", "title=Evening")
    file = mutagen.File(tmp_path / name)
    assert (
        file["title"] == ["Evening"]
        and [file[f"CHAPTER00{n}NAME"][0] for n in (0, 1)] == CHAPTERS
        and file["CHAPTER001"] == ["00:00:02.000"]
    )
    if name.endswith("flac"):
        (picture,) = file.pictures
    else:
        import base64

        picture = mutagen.flac.Picture(base64.b64decode(file["metadata_block_picture"][0]))
    assert (
        (picture.type, picture.mime, picture.data) == (3, "image/png", cover.read_bytes())
        or name.endswith("flac")
        and picture.data == cover.read_bytes()
    )
    # The sound is what it is without them.
    assert np.array_equal(soundfile.read(tmp_path / name)[0], soundfile.read(tmp_path / f"plain-{name}")[0])


def test_a_cover_of_an_mp3(show, cover, tmp_path):
    run("render", show, tmp_path / "out.mp3", "--cover", cover)
    tags = mutagen.id3.ID3(tmp_path / "out.mp3")
    assert (tags["APIC:"].mime, tags["APIC:"].data) == ("image/png", cover.read_bytes()) and len(
        tags.getall("CHAP")
    ) == 2


@pytest.mark.parametrize(
    "name, words, steps",
    [
        ("out.mov", [], 1 << 23),
        ("out.mkv", [], 1 << 23),
        ("out.mov", ["--format", "pcm16"], 1 << 15),
        ("out.mkv", ["--format", "pcm16"], 1 << 15),
        ("out.mov", ["--format", "float"], None),
        ("out.mkv", ["--format", "float"], None),
    ],
)
def test_containers_that_lose_nothing_hold_the_mix_itself(show, tmp_path, name, words, steps):
    run("render", show, tmp_path / name, *words)
    expected = mix(tmp_path)
    if steps:
        expected = whole(expected, steps)
    assert np.array_equal(decoded(tmp_path / name), expected)


@pytest.fixture
def movie(tmp_path):
    """Six seconds of h264 with whole pictures every second, frames out of order, its own sound and a
    subtitle."""
    (tmp_path / "words.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nHello\n")
    ffmpeg(
        "-f",
        "lavfi",
        "-i",
        "testsrc=d=6:s=160x120:r=25",
        "-f",
        "lavfi",
        "-i",
        "anoisesrc=d=6:seed=5:r=48000",
        "-i",
        "words.srt",
        "-c:v",
        "libx264",
        "-g",
        25,
        "-bf",
        2,
        "-c:a",
        "aac",
        "-c:s",
        "mov_text",
        "-map",
        0,
        "-map",
        1,
        "-map",
        2,
        "movie.mp4",
        cwd=tmp_path,
    )
    return tmp_path / "movie.mp4"


@pytest.mark.parametrize("name", ["out.mp4", "out.mov", "out.mkv"])
def test_the_packets_of_a_picture_are_as_they_were_and_the_mix_lies_beside_them(show, movie, tmp_path, name):
    run("render", show, tmp_path / name, "--video", movie)
    assert packets(tmp_path / name) == packets(movie)
    kinds = [one["codec_type"] for one in probed(tmp_path / name, "-show_streams")["streams"]]
    # Chapters of a QuickTime are a stream too.
    assert kinds in (["video", "audio"], ["video", "audio", "data"])
    heard = decoded(tmp_path / name)
    start = float(
        probed(tmp_path / name, "-show_streams", "-select_streams", "a")["streams"][0]["start_time"]
    )
    assert start == 0
    if name.endswith("mp4"):
        assert lag(heard, mix(tmp_path)) == 0
    else:
        assert np.array_equal(heard, whole(mix(tmp_path), 1 << 23))


def test_a_session_names_its_movie(movie, tmp_path):
    """new sets it, a render as a movie has it, in its place; and it goes wherever the session goes."""
    run("new", tmp_path / "film", movie)
    film = tmp_path / "film.json"
    assert json.loads(film.read_text())["video"] == {"file": "movie.mp4"}
    run("render", film, tmp_path / "out.mp4")
    assert packets(tmp_path / "out.mp4") == packets(movie)
    run("render", film, tmp_path / "sound.mp4", "--no-video")
    run("render", film, tmp_path / "sound.wav")
    assert [one["codec_type"] for one in probed(tmp_path / "sound.mp4", "-show_streams")["streams"]] == [
        "audio"
    ]
    # From 2 s of the movie on, a second late: what --video-at -1s shows.
    run("edit", film, "video", "movie.mp4", "1s", "--from", "2s")
    assert run("edit", film, "video").stdout == "movie.mp4 at 1s from 2s\n"
    run("render", film, tmp_path / "own.mp4", "--from", "1s")
    run("render", film, tmp_path / "told.mp4", "--from", "1s", "--video", movie, "--video-at", "-1s")
    assert packets(tmp_path / "own.mp4") == packets(tmp_path / "told.mp4")
    run("collect", film, tmp_path / "copy")
    assert (
        json.loads((tmp_path / "copy" / "film.json").read_text())["video"]
        == {"file": "movie.mp4", "at": "1s", "from": "2s"}
        and (tmp_path / "copy" / "movie.mp4").exists()
    )
    run("edit", film, "video", "off")
    assert "video" not in json.loads(film.read_text()) and run("edit", film, "video").stdout == "no video\n"
    # One without a sound has no track.
    ffmpeg("-i", movie, "-map", "0:v", "-c", "copy", "silent.mp4", cwd=tmp_path)
    assert "silent.mp4 is left out" in run("new", tmp_path / "still", movie, tmp_path / "silent.mp4").stderr
    run("new", tmp_path / "quiet", tmp_path / "silent.mp4")
    assert len(json.loads((tmp_path / "still.json").read_text())["tracks"]) == 1
    assert (
        json.loads((tmp_path / "quiet.json").read_text())["video"] == {"file": "silent.mp4"}
        and json.loads((tmp_path / "quiet.json").read_text())["tracks"] == []
    )


def test_a_movie_that_is_missing_keeps_nobody_from_the_sound(show, movie, tmp_path):
    session = json.loads(show.read_text())
    session["video"] = {"file": "gone.mp4"}
    show.write_text(json.dumps(session))
    assert "video, file: " in run("check", show, code=1).stdout
    assert "gone.mp4" in run("render", show, tmp_path / "mix.wav").stderr
    assert "--no-video" in run("render", show, tmp_path / "mix.mp4", code=1).stderr
    assert "the mix has no picture" in run("render", show, tmp_path / "mix.mp4", "--allow-missing").stderr
    assert [one["codec_type"] for one in probed(tmp_path / "mix.mp4", "-show_streams")["streams"]][
        0
    ] == "audio"
    assert "no moving picture" in run("edit", show, "relink", "gone.mp4", "noise.wav", code=1).stderr
    assert "gone.mp4" in run("collect", show, tmp_path / "copy", code=1).stderr
    run("edit", show, "relink", "gone.mp4", "movie.mp4")
    assert json.loads(show.read_text())["video"] == {"file": "movie.mp4"}
    run("check", show)
    (tmp_path / "noise2.wav").write_bytes((tmp_path / "noise.wav").read_bytes())
    assert "no moving picture" in run("edit", show, "video", "noise2.wav", code=1).stderr
    for wrong, place in [
        ({"at": "0s"}, "video, file"),
        ({"file": "movie.mp4", "at": -1}, "video, at"),
        (7, "video"),
    ]:
        show.write_text(json.dumps({**session, "video": wrong}))
        assert place in run("check", show, code=1).stdout


def test_other_streams_go_along_if_asked(show, movie, tmp_path):
    run("render", show, tmp_path / "out.mp4", "--video", movie, "--keep-streams")
    streams = probed(tmp_path / "out.mp4", "-show_streams")["streams"]
    assert [one["codec_type"] for one in streams] == ["video", "audio", "audio", "subtitle", "data"]
    assert packets(tmp_path / "out.mp4", "a:1") == packets(movie, "a:0")
    assert lag(decoded(tmp_path / "out.mp4"), mix(tmp_path)) == 0


@pytest.mark.parametrize("name", ["out.mov", "out.mkv"])
@pytest.mark.parametrize(
    "words, begin",
    [
        (["--from", "1.5s", "--to", "3s"], 1.5),
        (["--video-at", "0.5s"], -0.5),
        (["--video-at", "-1.25s"], 1.25),
        (["--from", "2s", "--to", "3s", "--video-at", "1s"], 1),
        (["--from", "1s", "--video-at", "2s"], -1),
    ],
)
def test_a_part_and_an_offset_keep_picture_and_sound_together(show, movie, tmp_path, name, words, begin):
    run("render", show, tmp_path / name, "--video", movie, *words)
    before, after = (
        packets(movie),
        shown(tmp_path / name) if name.endswith("mov") else packets(tmp_path / name),
    )
    # The first sample stands at this time.
    streams = {one["codec_type"]: one for one in probed(tmp_path / name, "-show_streams")["streams"]}
    zero = float(streams["audio"]["start_time"])
    times = {hash: time for time, hash in before}
    assert set(hash for _, hash in after) <= set(times) and len(after) > 10
    shifts = [time - zero - (times[hash] - begin) for time, hash in after]
    assert max(map(abs, shifts)) <= (0.0001 if name.endswith("mov") else 0.001), shifts
    # Nothing that is to be seen is missing: all that the movie has from there on.
    length = float(words[3].rstrip("s")) - float(words[1].rstrip("s")) if "--to" in words else 99
    wanted = {hash for time, hash in before if begin <= time < begin + length - 0.1}
    assert wanted <= {hash for _, hash in after}


def test_a_movie_gets_its_own_sound_mixed(movie, tmp_path):
    (tmp_path / "cut").mkdir()
    run("new", tmp_path / "cut", movie)
    run("render", tmp_path / "cut", tmp_path / "out.mp4", "--video", movie)
    assert lag(decoded(tmp_path / "out.mp4"), decoded(movie)) == 0 and packets(
        tmp_path / "out.mp4"
    ) == packets(movie)


def test_what_cannot_be_written_is_said_and_nothing_is_left(show, movie, cover, tmp_path, monkeypatch):
    def refused(*words, code=1):
        before = set(os.listdir(tmp_path))
        told = run("render", show, *words, code=code).stderr
        assert set(os.listdir(tmp_path)) == before
        return told

    assert "holds no moving picture" in refused(tmp_path / "x.wav", "--video", movie, code=2)
    assert "belong to --video" in refused(tmp_path / "x.mp4", "--video-at", "1s", code=2)
    assert "there is no such file" in refused(tmp_path / "x.mp4", "--video", tmp_path / "none.mp4")
    assert "no moving picture in it" in refused(tmp_path / "x.mp4", "--video", tmp_path / "noise.wav")
    assert "ffmpeg" in refused(tmp_path / "x.mp4", "--video", show)
    assert "holds no cover" in refused(tmp_path / "x.wav", "--cover", cover) and "holds no cover" in refused(
        tmp_path / "x.mkv", "--cover", cover
    )
    assert "a cover is a JPEG or a PNG" in refused(tmp_path / "x.m4a", "--cover", show)
    assert "there is no such picture" in refused(tmp_path / "x.mp3", "--cover", tmp_path / "none.png")
    assert "m4a has no bit rate of 8" in refused(tmp_path / "x.m4a", "--bitrate", "8k")
    assert "m4a does not hold pcm24" in refused(tmp_path / "x.m4a", "--format", "pcm24")
    (tmp_path / "bin").mkdir()
    for tool in os.listdir("/usr/bin"):
        if not tool.startswith("ff"):
            os.symlink(f"/usr/bin/{tool}", tmp_path / "bin" / tool)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert "apt install ffmpeg" in refused(tmp_path / "x.m4a")
    run("render", show, tmp_path / "plain.opus", "--tag", "title=Evening")
    assert mutagen.File(tmp_path / "plain.opus")["title"] == ["Evening"]


def test_what_is_read_is_not_replaced(show, movie, cover, tmp_path):
    document = json.loads(show.read_text())
    own = show.with_name("own.json")
    own.write_text(json.dumps({**document, "video": {"file": movie.name}}))
    assert "is part of what is rendered" in run("render", own, movie, "--force", code=1).stderr
    for words in ([movie, "--video", movie], [tmp_path / "cover.mp3", "--cover", tmp_path / "cover.mp3"]):
        if not words[0].exists():
            words[0].write_bytes(cover.read_bytes())
        before = words[0].read_bytes()
        assert "is part of what is rendered" in run("render", show, *words, "--force", code=1).stderr
        assert words[0].read_bytes() == before
    # Nor are the session and what it was before its last saves, by whatever name.
    run("edit", own, "volume", "1", "0.123")
    saved = own.with_name("own.json~")
    before = saved.read_bytes()
    for name in (own.with_name("earlier.wav"), own.with_name("present.wav")):
        name.symlink_to(saved if "earlier" in name.name else own)
        assert "is part of what is rendered" in run("render", own, name, "--force", code=1).stderr
    # A picture and a layout go there no more than a sound.
    for name, words in (("p.svg", ["plot", own]), ("l.tosc", ["layout", "touchosc", own])):
        own.with_name(name).symlink_to(own)
        said = run(*words, own.with_name(name), "--force", code=1).stderr
        assert "is part of the session" in said, said
    assert saved.read_bytes() == before


def test_a_movie_beside_the_mix_altogether_is_refused(show, movie, tmp_path):
    for words in (["--video-at", "10s", "--to", "4s"], ["--video-at", "-20s"]):
        assert (
            "nothing of it lies where the mix does"
            in run("render", show, tmp_path / "x.mp4", "--video", movie, *words, code=1).stderr
        )
    run("render", show, tmp_path / "near.mp4", "--video", movie, "--from", "0.3s", "--video-at", "0.30001s")


def test_a_kind_that_the_name_does_not_say(show, cover, tmp_path):
    run("render", show, tmp_path / "plain", "--as", "ogg", "--cover", cover)
    run("render", show, tmp_path / "sound.wav", "--as", "flac", "--force")
    assert mutagen.File(tmp_path / "plain")["CHAPTER001NAME"] == [CHAPTERS[1]] and mutagen.flac.FLAC(
        tmp_path / "sound.wav"
    )["CHAPTER001NAME"] == [CHAPTERS[1]]


def test_an_interrupted_export_leaves_nothing(show, tmp_path, monkeypatch):
    (tmp_path / "slow").mkdir()
    script = tmp_path / "slow" / "ffmpeg"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/slow/begun\nexec sleep 60\n")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/slow:{os.environ['PATH']}")
    before = set(os.listdir(tmp_path))
    render = subprocess.Popen(
        [JMIX, "render", show, tmp_path / "out.m4a"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: (tmp_path / "slow" / "begun").exists(), "ffmpeg has begun")
    render.send_signal(2)
    assert render.wait(20) == 130 and "interrupted" in render.stderr.read()
    assert set(os.listdir(tmp_path)) == before
