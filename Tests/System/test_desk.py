"""A desk: buses, sends, outputs, DCAs, solo, and the timeline of every control, as the JACK ports give them
and as the formula has them."""

import json

import jack
import numpy as np
import pytest
import soundfile
from conftest import RATE, Capture, Mixer, ports_of, run, steady, wait_until
from test_live import heard
from test_subscribe import Subscriber


def tones(length, seed):
    """Samples of which no two are alike, the same whenever they are made."""
    n = np.arange(length)
    left = ((n * (2 * seed + 3) * 37) % 8191 + 1) / 16384
    return np.stack([left, -left[::-1]], 1).astype(np.float32)


def sides(pan):
    return np.stack([np.minimum(1, 1 - pan), np.minimum(1, 1 + pan)], -1)


def played(mixer, jackd, seconds, ports=("jmix:master_1", "jmix:master_2")):
    """The first seconds of the session, from the first frame on."""
    with Capture(jackd, ports) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > seconds, "the end is reached")
        return heard(capture.end())[: int(seconds * RATE)]


@pytest.fixture(scope="module")
def desk(jackd, tmp_path_factory):
    """A mixer with a bus and a DCA, for all that is refused."""
    folder = tmp_path_factory.mktemp("desk")
    for name in ("music", "voice"):
        soundfile.write(folder / f"{name}.wav", steady(RATE, 0.25, 0.25), RATE, subtype="FLOAT")
    (folder / "s.json").write_text(
        json.dumps(
            {
                "jmix": 2,
                "tracks": [{"name": name, "clips": [{"file": f"{name}.wav"}]} for name in ("music", "voice")],
                "buses": [{"name": "hall"}],
                "dcas": [{"name": "both", "members": ["music"]}],
            }
        )
    )
    mixer = Mixer("--server", jackd.name, "--name", "desk", "--no-connect", folder / "s.json")
    yield mixer
    mixer.end()


def test_buses_sends_and_dcas_are_heard_as_the_formula_has_them_live_and_rendered(
    mixers, jackd, make_session, tmp_path
):
    length = 3 * RATE
    music, voice = tones(length, 1), tones(length, 2)
    session = make_session(
        {
            "music": (
                music,
                {"output": "band", "trim": 0.5, "sends": [{"to": "hall", "volume": 0.5, "pre": True}]},
            ),
            "voice": (
                voice,
                {
                    "fader": 0.5,
                    "pan": 0.5,
                    "polarity": True,
                    "sends": [{"to": "hall", "volume": 0.25, "pan": -0.5}],
                },
            ),
        },
        buses=[
            {"name": "hall", "output": "band", "fader": 0.75},
            {
                "name": "band",
                "pan": -0.25,
                "automation": [{"ramp": [1, 0.5], "from": "1s", "to": "2s"}],
                "lanes": {"trim": [{"value": 0.5, "at": "2s"}]},
            },
        ],
        dcas=[
            {
                "name": "all",
                "fader": 0.5,
                "members": ["voice", "band"],
                "automation": [{"volume": 1, "at": 0}, {"volume": 0.5, "at": "1.5s"}],
            }
        ],
        master={"fader": 0.5, "lanes": {"pan": [{"ramp": [-1, 1], "from": "1s", "to": "2s"}]}},
    )
    path = tmp_path / "session.json"
    document = json.loads(path.read_text())
    document["jmix"] = 2
    path.write_text(json.dumps(document))
    mixer = mixers("--server", jackd.name, "--no-connect", session)
    frames = played(mixer, jackd, 2.9)
    t = (np.arange(length) / RATE)[:, None]
    dca = 0.5 * np.where(t < 1.5, 1, 0.5)
    voice_line = voice.astype(float) * -1 * 0.5 * sides(0.5) * dca
    hall = (music.astype(float) * 0.5 * 0.5 + voice_line * 0.25 * sides(-0.5)) * 0.75
    band_gain = np.clip(1 - 0.5 * (t - 1), 0.5, 1) * np.where(t < 2, 1, 0.5)
    band = (music.astype(float) * 0.5 + hall) * band_gain * sides(-0.25) * dca
    pan = np.where(t < 1, 0, np.clip(-1 + 2 * (t - 1), -1, 1))[:, 0]
    expected = (voice_line + band) * 0.5 * sides(pan)
    assert np.abs(frames - expected[: len(frames)]).max() < 2e-6
    run("render", session, tmp_path / "out.wav")
    out, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    assert np.array_equal(frames, out[: len(frames)])
    assert mixer.json("status")["dropouts"] == 0


def test_a_desk_is_built_and_moved_from_the_shell(mixer, jackd):
    assert mixer.ctl("bus", "add", "hall").strip() == "1"
    assert mixer.ctl("bus", "add", "band").strip() == "2"
    assert mixer.ctl("dca", "add", "both", "music", "voice").strip() == "1"
    mixer.ctl("output", "chime", "none")
    mixer.ctl("output", 1, "band")
    mixer.ctl("send", "voice", "hall", "0.5")
    mixer.ctl("send", "chime", "bus:1", 1, "--pre")
    mixer.ctl("volume", "bus:1", 0.5)
    mixer.ctl("volume", "dca:1", 0.5)
    mixer.ctl("trim", "band", 2)
    frames = played(mixer, jackd, 0.5)
    # music through the band twice as loud, voice, half of it in the hall, and the chime that is nowhere else:
    # all but the chime under the DCA
    assert np.abs(frames - (0.25 * 2 * 0.5 + 0.125 * 0.5 + (0.125 * 0.5 * 0.5 + 0.0625) * 0.5)).max() < 1e-6
    assert mixer.json("buses") == [
        {
            "number": 1,
            "name": "hall",
            "fader": 0.5,
            "pan": 0,
            "mute": False,
            "solo": False,
            "output": "master",
            "sends": 0,
            "trim": 1,
            "polarity": False,
            "soloSafe": False,
            "channels": 2,
            "events": 0,
        },
        {
            "number": 2,
            "name": "band",
            "fader": 1,
            "pan": 0,
            "mute": False,
            "solo": False,
            "output": "master",
            "sends": 0,
            "trim": 2,
            "polarity": False,
            "soloSafe": False,
            "channels": 2,
            "events": 0,
        },
    ]
    assert mixer.json("dcas") == [
        {
            "number": 1,
            "name": "both",
            "fader": 0.5,
            "mute": False,
            "solo": False,
            "members": ["music", "voice"],
            "events": 0,
        }
    ]
    assert mixer.json("sends", "chime") == [
        {"from": "chime", "to": "hall", "volume": 1, "pan": 0, "mute": False, "pre": True, "events": 0}
    ]
    assert mixer.json("send", "voice", "hall") == {"track": 2, "send": "hall", "volume": 0.5}
    assert mixer.json("volume", "band") == {"bus": 2, "volume": 1}
    assert [track["output"] for track in mixer.json("tracks")] == ["band", "master", "none"]
    assert (
        "hall" in mixer.ctl("buses")
        and "music, voice" in mixer.ctl("dcas")
        and "pre" in mixer.ctl("sends", "chime")
    )


def test_a_loop_is_refused_wherever_it_is_asked_for(mixer, tmp_path, make_session):
    for name in ("a", "b", "c"):
        mixer.ctl("bus", "add", name)
    mixer.ctl("output", "a", "b")
    mixer.ctl("send", "b", "c", 0)
    before = mixer.json("buses"), mixer.json("history")
    assert "that would be a loop: a -> b -> c -> a" in mixer.ctl("output", "c", "a", code=1)
    assert "that would be a loop: b -> b" in mixer.ctl("send", "b", "b", 1, code=1)
    osc = mixer.osc()
    ((address, (_, reason)),) = osc.ask("/bus/c/send/a/volume", 1.0)
    assert address == "/error" and "a -> b -> c -> a" in reason
    assert (mixer.json("buses"), mixer.json("history")) == before
    osc.close()
    session = make_session(
        {"t": steady(100, 0, 0)},
        name="loop.json",
        buses=[{"name": "x", "output": "y"}, {"name": "y", "sends": [{"to": "x"}]}],
    )
    done = run("check", session, code=1)
    said = done.stdout + done.stderr
    assert (
        "bus 1, output: that would be a loop: y -> x -> y" in said
        or "bus 2, send 1: that would be a loop: x -> y -> x" in said
    )


def test_a_bus_whose_name_looks_like_a_pattern_is_sent_to(mixers, jackd, make_session):
    mixer = mixers(
        "--server", jackd.name, "--no-connect", make_session(buses=[{"name": "x[1]"}, {"name": "what?"}])
    )
    mixer.ctl("send", "voice", "x[1]", "0dB")
    peer = mixer.osc()
    peer.ask("/track/voice/send/what?/volume", 0.5)
    sends = [(send["to"], send["volume"]) for send in mixer.json("sends", "voice")]
    assert sends == [("x[1]", 1), ("what?", 0.5)]
    # By a pattern no send is made.
    assert "no send" in mixer.ctl("send", "music", "w*", 1, code=1)


@pytest.mark.parametrize(
    "words, reason",
    [
        (("bus", "add", "music"), "already the name of track 1"),
        (("bus", "add", "master"), "the sum of all"),
        (("bus", "add", "7"), "number"),
        (("bus", "add", "ports"), "where a strip goes"),
        (("bus", "add", "bus:2"), "number"),
        (("name", 1, "hall"), "already the name of bus 1"),
        (("bus", "add", "mus*"), "pattern"),
        (("send", 1, "nowhere", 1), "no bus nowhere"),
        (("send", 1, 9, 1), "no bus 9: the session has one bus"),
        (("send", 1, "hall"), "has no send to hall"),
        (("send", 1, "hall", 5), "not a volume"),
        (("send", "both", "hall", 1), "DCA 1 has no sends"),
        (("output", "master", "hall"), "the master has no output"),
        (("output", 1, "voice"), "takes no sound"),
        (("output", 1, "nowhere"), "no bus nowhere: say a bus, master, none or ports"),
        (("send", "master", "hall", 1), "the master has no sends"),
        (("output", 1, 2), "bus:2"),
        (("dca", "both", "assign", "both"), "DCA"),
        (("dca", "hall", "assign", 1), "no DCA hall"),
        (("pan", "both", 1), "DCA 1 has no pan"),
        (("solo", "master", "on"), "the master has no solo"),
        (("clips", "hall"), "only tracks have clips"),
        (("fadein", "hall", "1s"), "only tracks have clips"),
        (("duck", "both", "--under", "voice", "--to", 0.5), "tracks and buses duck"),
        (("duck", "music", "--under", "hall", "--to", 0.5), "only tracks have clips"),
        (("remove", "master"), "stays"),
        (("ramp", 1, -2, 0, "1s", "2s", "--of", "pan"), "-1.0 to 1.0"),
        (("volume", 1, 0.5, "1s", "--of", "send/hall/volume"), "no send to hall"),
        (("trim", 1, "-1"), "it goes from 0 to 4"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(desk, words, reason):
    before = desk.json("tracks"), desk.json("buses"), desk.json("dcas")
    assert reason in desk.ctl(*words, code=1)
    assert (desk.json("tracks"), desk.json("buses"), desk.json("dcas")) == before


def test_a_name_whose_ports_would_be_called_as_those_of_another_is_refused(desk):
    desk.ctl("bus", "add", "a:b")
    assert "ports would be called" in desk.ctl("name", 1, "a-b", code=1)
    desk.ctl("remove", "a:b")


def test_a_bus_that_is_removed_comes_back_with_all_that_led_to_it(mixer, jackd):
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("output", 1, "hall")
    mixer.ctl("send", 2, "hall", 0.5)
    mixer.ctl("ramp", 2, 0.5, 0, "0s", "1s", "--of", "send/hall/volume")
    mixer.ctl("remove", "hall")
    assert (
        mixer.json("buses") == []
        and mixer.json("sends", 2) == []
        and mixer.json("tracks")[0]["output"] == "master"
    )
    assert mixer.ctl("undo").strip() == "remove hall"
    assert mixer.json("buses")[0]["name"] == "hall" and mixer.json("tracks")[0]["output"] == "hall"
    assert mixer.json("automation", 2, "--of", "send/hall/volume") == [
        {"ramp": [0.5, 0], "from": "0s", "to": "1s"}
    ]
    for name in (
        "ramp on send/hall/volume of voice 0s-1s",
        "send from voice to hall",
        "output of music to hall",
        "add bus hall",
    ):
        assert mixer.ctl("undo").strip() == name
    mixer.ctl("redo")
    assert mixer.json("buses")[0]["name"] == "hall"


def test_a_strip_that_goes_to_ports_is_heard_there_and_nowhere_else(mixer, jackd):
    mixer.ctl("bus", "add", "cue")
    mixer.ctl("output", "cue", "ports")
    mixer.ctl("output", "voice", "ports")
    mixer.ctl("send", "music", "cue", 0.5)
    client = jack.Client("look", servername=jackd.name, no_start_server=True)
    wait_until(lambda: len(ports_of(client, "jmix:(cue|voice)_[12]")) == 4, "the strips have ports")
    client.close()
    assert np.abs(played(mixer, jackd, 0.3) - (0.25 + 0.0625)).max() < 1e-6
    for name, level in (("voice", 0.125), ("cue", 0.125)):
        mixer.ctl("stop")
        mixer.ctl("locate", 0)
        assert (
            np.abs(
                played(mixer, jackd, 0.3, (f"jmix:{name}_1", f"jmix:{name}_2"))[RATE // 100 :] - level
            ).max()
            < 1e-6
        )


def test_solo_leaves_what_feeds_it_and_what_it_feeds(mixer, jackd):
    mixer.ctl("bus", "add", "band")
    mixer.ctl("output", "music", "band")
    mixer.ctl("output", "chime", "band")
    mixer.ctl("solo", "band", "on")
    assert np.abs(played(mixer, jackd, 0.3) - (0.25 + 0.0625)).max() < 1e-6
    for words, level in (
        (("solo-safe", "voice", "on"), 0.4375),
        (("mute", "chime", "on"), 0.375),
        (("solo", "band", "off"), 0.375),
        (("solo", "music", "on"), 0.375),
        (("solo-safe", "voice", "off"), 0.25),
    ):
        mixer.ctl("stop")
        mixer.ctl("locate", 0)
        mixer.ctl(*words)
        assert np.abs(played(mixer, jackd, 0.3)[RATE // 100 :] - level).max() < 1e-6, words


def test_what_is_on_solo_is_played_by_itself_and_the_mix_stays(mixer, jackd):
    mixer.ctl("volume", "voice", 0.5)
    mixer.ctl("solo-mode", "pfl")
    mixer.ctl("solo", "voice", "on")
    assert mixer.json("solo-mode") == {"soloMode": "pfl"}
    assert np.abs(played(mixer, jackd, 0.3) - (0.25 + 0.0625 + 0.0625)).max() < 1e-6
    for mode, level in (("pfl", 0.125), ("afl", 0.0625)):
        mixer.ctl("stop")
        mixer.ctl("locate", 0)
        mixer.ctl("solo-mode", mode)
        wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
        assert (
            np.abs(
                played(mixer, jackd, 0.3, ("jmix:monitor_1", "jmix:monitor_2"))[RATE // 100 :] - level
            ).max()
            < 1e-6
        ), mode


def test_every_control_is_automated_over_osc(mixer, jackd):
    osc = mixer.osc()
    assert osc.ask("/bus/add", "hall") == [("/bus/add", [1])]
    for address, *arguments in (
        ("/track/voice/output", "hall"),
        ("/track/1/send/hall", 0.5, "pre"),
        ("/track/1/pan", -1.0, "0.1s"),
        ("/track/1/pan/ramp", -1.0, 1.0, "0.2s", "0.3s"),
        ("/bus/1/mute", 1, "0.25s"),
        ("/bus/hall/ramp", 1.0, 0.5, "0s", "0.1s"),
        ("/track/1/send/1/volume/ramp", 1.0, 0.0, "0s", "0.2s"),
        ("/master/trim", 0.5, "0.15s"),
        ("/track/3/volume", 0.0, "0s"),
    ):
        assert osc.ask(address, *arguments) == [], address
    frames = played(mixer, jackd, 0.4)
    t = np.arange(len(frames)) / RATE
    pan = np.where(t < 0.1, 0, np.where(t < 0.2, -1, np.clip(-1 + 20 * (t - 0.2), -1, 1)))
    gate = np.clip(1 - (t - 0.25) / 0.005, 0, 1)
    hall = (0.125 + 0.25 * 0.5 * np.clip(1 - t / 0.2, 0, 1)) * np.clip(1 - 5 * t, 0.5, 1) * gate
    expected = (0.25 * sides(pan) + hall[:, None]) * np.where(t < 0.15, 1, 0.5)[:, None]
    assert np.abs(frames - expected).max() < 2e-6
    ((address, (text,)),) = osc.ask("/track/1/pan/automation")
    assert address == "/track/1/pan/automation" and json.loads(text) == [
        {"value": -1, "at": "0.1s"},
        {"ramp": [-1, 1], "from": "0.2s", "to": "0.3s"},
    ]
    ((_, (text,)),) = osc.ask("/bus/1/mute/automation")
    assert json.loads(text) == [{"value": True, "at": "0.25s"}]
    osc.close()


def test_a_change_of_a_send_goes_to_every_subscriber_but_the_one_who_made_it(mixer):
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("send", 1, "hall", 1)
    listener, author = (Subscriber(mixer.port, "/track/*/send/*/volume", 100) for _ in range(2))
    for peer in (listener, author):
        wait_until(
            lambda: peer.listen(0.05) and peer.values == {"/track/1/send/hall/volume": [1.0]},
            "the present state comes",
        )
    author.send("/track/1/send/1/volume", 0.25)
    wait_until(
        lambda: listener.listen(0.05) == [("/track/1/send/hall/volume", [0.25])], "the listener is told"
    )
    assert author.listen() == []
    listener.close()
    author.close()
    osc = mixer.osc()
    assert osc.ask("/track/*/send/*/mute", 1) == [] and osc.ask("/track/1/send/hall/mute") == [
        ("/track/1/send/hall/mute", [1])
    ]
    osc.close()


def test_what_one_has_set_of_a_send_is_not_told_to_him(mixer):
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("dca", "add", "all")
    mixer.ctl("send", 1, "hall", 1)
    author = Subscriber(mixer.port, "*", 100)
    author.listen()
    author.send("/track/1/send/hall", 0.25, "pre")
    author.send("/dca/1/assign", "voice")
    came = [address for address, _ in author.listen() if "send" in address or "members" in address]
    assert came == [] and mixer.json("sends", 1)[0]["volume"] == 0.25
    author.close()


def test_a_pan_fades_also_where_the_timeline_is_silent_yet(mixer, jackd):
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("output", "music", "none")
    mixer.ctl("send", "music", "hall", 1)
    for words in (("voice",), ("music", "--of", "send/hall/pan")):
        control = words[1:] or ("--of", "pan")
        mixer.ctl("volume", words[0], 0.5, "100s", *control)
    mixer.ctl("mute", "chime", "on")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.1, "it rolls")
        mixer.ctl("fade", "voice", 1, "100ms", "--of", "pan")
        mixer.ctl("fade", "music", -1, "100ms", "--of", "send/hall/pan")
        place = mixer.json("position")["seconds"]
        wait_until(lambda: mixer.json("position")["seconds"] > place + 0.3, "the fades are over")
        frames = heard(capture.end())
    assert np.abs(frames[0] - 0.375).max() < 1e-6 and np.abs(frames[-1] - [0.25, 0.125]).max() < 1e-6
    assert np.abs(np.diff(frames, axis=0)).max() < 0.375 / 4800 * 1.01 + 1e-6


def test_a_fade_ends_where_its_control_is_set_to_where_it_goes(mixer, jackd):
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("output", "music", "none")
    mixer.ctl("send", "music", "hall", 1)
    mixer.ctl("mute", "chime", "on")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.1, "it rolls")
        mixer.ctl("fade", "voice", 1, "1000s", "--of", "pan")
        mixer.ctl("fade", "voice", 0.5, "1000s", "--of", "trim")
        mixer.ctl("fade", "music", -1, "1000s", "--of", "send/hall/pan")
        mixer.ctl("fade", "music", 0.25, "1000s", "--of", "send/hall/volume")
        # At the end of its range already.
        mixer.ctl("pan", "voice", "--by", 0.1)
        mixer.ctl("trim", "voice", 0.5)
        mixer.ctl("send", "music", "hall", 0.25)
        peer = mixer.osc()
        peer.send("/track/music/send/hall/pan", -1.0)
        peer.close()
        place = mixer.json("position")["seconds"]
        wait_until(lambda: mixer.json("position")["seconds"] > place + 0.2, "the glides are over")
        frames = heard(capture.end())
    assert np.abs(frames[0] - 0.375).max() < 1e-6 and np.abs(frames[-1] - 0.0625).max() < 1e-6


def test_ports_follow_names_that_are_exchanged(mixer, jackd):
    for name in ("music", "voice"):
        mixer.ctl("output", name, "ports")
    client = jack.Client("look", servername=jackd.name, no_start_server=True)
    names = lambda: sorted(port.name for port in ports_of(client, "jmix:.*_1") if "master" not in port.name)
    wait_until(lambda: names() == ["jmix:music_1", "jmix:voice_1"], "the strips have ports")
    mixer.ctl("remove", "music")
    mixer.ctl("name", "voice", "music")
    wait_until(lambda: names() == ["jmix:music_1"], "the port is called as its strip is now")
    client.close()


def test_a_session_is_of_version_2_when_it_has_something_of_it(mixer, tmp_path):
    mixer.ctl("save")
    assert json.loads((tmp_path / "session.json").read_text())["jmix"] == 1
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("save")
    document = json.loads((tmp_path / "session.json").read_text())
    assert document["jmix"] == 2 and document["buses"][0]["name"] == "hall"
    mixer.ctl("remove", "hall")
    mixer.ctl("save")
    assert json.loads((tmp_path / "session.json").read_text())["jmix"] == 1


def test_a_desk_is_edited_without_being_played(make_session, tmp_path):
    session = make_session({"t": steady(RATE, 0.5, 0.5)})
    run(
        "edit",
        session,
        input="bus add hall\nsend t hall 0.5 --pre\nramp hall 0 1 0s 1s\ndca add d t\nvolume d on 500ms "
        "--of mute\n",
    )
    document = json.loads((tmp_path / "session.json").read_text())
    assert document["tracks"][0]["sends"] == [
        {"to": "hall", "volume": 0.5, "pan": 0, "mute": False, "pre": True}
    ]
    assert document["dcas"][0]["lanes"] == {"mute": [{"value": True, "at": "0.5s"}]} and document["dcas"][0][
        "members"
    ] == ["t"]


def test_patterns_mean_strips_of_every_kind_and_addresses_their_own(mixer):
    mixer.ctl("bus", "add", "monitors")
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("dca", "add", "moderators", "voice")
    mixer.ctl("mute", "mo*", "on")
    assert mixer.json("mute", "mo*") == [
        {"bus": 1, "name": "monitors", "mute": True},
        {"dca": 1, "name": "moderators", "mute": True},
    ]
    assert mixer.ctl("mute", "mo*").splitlines() == ["bus:1  monitors  1", "dca:1  moderators  1"]
    mixer.ctl("mute", "mo*", "off")
    # Of an address the pattern is over what it names.
    peer = mixer.osc()
    assert [address for address, _ in peer.ask("/track/*/mute")] == [f"/track/{n}/mute" for n in (1, 2, 3)]
    assert [address for address, _ in peer.ask("/strip/mo*/mute")] == ["/bus/1/mute", "/dca/1/mute"]
    for name, place in (("voice", "track/2"), ("2", "track/2"), ("bus:1", "bus/1"), ("master", "master")):
        assert [address for address, _ in peer.ask(f"/strip/{name}/mute")] == [f"/{place}/mute"]
    assert "there is no bus 7" in peer.ask("/strip/bus:7/mute")[0][1][1]
    # Numbers are tracks, and what a strip has not it is not asked for.
    assert [one.get("track") for one in mixer.json("pan", "[12]")] == [1, 2]
    assert len(mixer.json("pan", "*")) == 5 and len(mixer.json("volume", "*")) == 6
    # No bus is led into itself.
    mixer.ctl("send", "*", "hall", "-6dB")
    assert [len(strip["sends"]) for strip in [{"sends": mixer.json("sends", n)} for n in (1, 2, 3)]] == [
        1
    ] * 3
    assert len(mixer.json("sends", "monitors")) == 1 and mixer.json("sends", "hall") == []
    mixer.ctl("dca", "moderators", "assign", "*")
    assert len(mixer.json("dcas")[0]["members"]) == 5
    assert "no track, bus or DCA matches x*" in mixer.ctl("mute", "x*", "on", code=1)
    assert "* means 6 strips" in mixer.ctl("remove", "*", code=1)
    peer.close()
    for name in ("music", "voice", "chime"):
        mixer.ctl("remove", name)
    assert mixer.json("mute", "*") == [
        {"bus": 1, "name": mixer.json("name", "bus:1")["name"], "mute": False},
        {"bus": 2, "name": mixer.json("name", "bus:2")["name"], "mute": False},
        {"dca": 1, "name": "moderators", "mute": False},
    ]
