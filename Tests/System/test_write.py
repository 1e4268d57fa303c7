"""Automation that hands write while it plays: what was heard in the pass is what the replay plays, and that
is the formula of its ramps."""

import json
import random
import subprocess
import time

import numpy as np
import pytest
import soundfile
from conftest import JMIXCTL, RATE, Capture, run, wait_until
from pythonosc.osc_packet import OscPacket

pytestmark = pytest.mark.alone

LEVEL = 0.25
SECONDS = 12


@pytest.fixture
def desk(tmp_path):
    """A track whose left side is a constant and whose right side says the frame: the two of them tell what
    was heard where."""
    frames = np.arange(SECONDS * RATE)
    sound = np.stack([np.full(len(frames), LEVEL), (frames + 1) * LEVEL / 2**20], 1).astype(np.float32)
    soundfile.write(tmp_path / "a.wav", sound, RATE, subtype="FLOAT")
    (tmp_path / "s.json").write_text(
        json.dumps({"jmix": 1, "sampleRate": RATE, "tracks": [{"name": "a", "clips": [{"file": "a.wav"}]}]})
    )
    return tmp_path / "s.json"


def gains(samples):
    """The gain of each frame of the timeline, the last time that it was heard; NaN elsewhere."""
    left, right = samples.astype(np.float64).T
    heard = np.flatnonzero(left > 1e-4)
    frames = np.rint(right[heard] / left[heard] * 2**20).astype(int) - 1
    found = np.full(SECONDS * RATE, np.nan)
    found[frames] = left[heard] / LEVEL
    return found


def formula(events, frames):
    """What points and linear ramps say at frames, as the contract has it."""
    t = frames / RATE
    value = np.ones(len(t))
    for event in events:
        if "ramp" in event:
            start, end = (seconds(event[name]) for name in ("from", "to"))
            inside = t >= start - 1e-9
            share = np.clip((t - start) / (end - start), 0, 1)
            value[inside] = (event["ramp"][0] + (event["ramp"][1] - event["ramp"][0]) * share)[inside]
        else:
            value[t >= seconds(event["at"]) - 1e-9] = event.get("value", event.get("volume"))
    return value


def seconds(text):
    """Of a time as a session's file says it."""
    text = str(text)
    if text.endswith("f"):
        return int(text[:-1]) / RATE
    if "/" in text:
        above, below = text.rstrip("s").split("/")
        return int(above) / int(below)
    return float(text.rstrip("s"))


def events(mixer, *words):
    return mixer.json("automation", "a", *words)


def decibels(a, b):
    return np.abs(20 * np.log10(a / b))


def passed(jackd, mixer, hands, position=0.0):
    """What is heard while `hands` move, from the start of the timeline on."""
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
    mixer.ctl("locate", f"{position}s")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > position + 0.2, "it plays")
        hands()
        capture.hear_more(8)
        samples = capture.end()
    return gains(samples)


def is_written(mixer, *words):
    wait_until(lambda: events(mixer, *words), "what hands did is automation")


@pytest.mark.parametrize("seed", range(3))
def test_a_touch_is_replayed_as_it_sounded(mixers, jackd, desk, seed):
    chance = random.Random(seed)
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("volume", "a", "0.5")
    mixer.ctl("write", "a", "touch")
    assert mixer.json("write", "a") == {"track": 1, "write": "touch"}

    def hands():
        peer.send("/track/1/volume/touch", 1)
        for _ in range(40):
            peer.send("/track/1/volume", chance.choice([chance.uniform(0.05, 1), chance.uniform(0.4, 0.6)]))
            time.sleep(chance.choice([0.001, 0.01, 0.03]))  # a hand takes its time
        peer.send("/track/1/volume/touch", 0)
        is_written(mixer)

    first = passed(jackd, mixer, hands)
    assert mixer.json("volume", "a") == {"track": 1, "volume": 0.5}
    replay = passed(jackd, mixer, lambda: time.sleep(2))
    both = ~np.isnan(first) & ~np.isnan(replay)
    assert np.count_nonzero(both) > RATE // 2
    worst = decibels(first[both], replay[both])
    assert worst.max() < 0.05, (seed, int(np.flatnonzero(both)[worst.argmax()]), worst.max())
    frames = np.flatnonzero(~np.isnan(replay))
    wanted = 0.5 * formula(events(mixer), frames)
    # The start of what was captured may be in the middle of a connection.
    assert np.max(np.abs(replay[frames] - wanted)[100:-600]) < 1e-6
    mixer.ctl("undo")
    assert events(mixer) == []
    peer.close()


def test_what_is_let_go_without_a_word_ends_when_it_rests(mixers, jackd, desk):
    """A client without a touch message: 250 ms after its last move; it is told where the fader is then."""
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("write", "a", "touch")
    # Who moves it is told too.
    peer.send("/subscribe", "/track/1/volume", 50)
    told = []

    def hands():
        for value in (0.8, 0.6, 0.4):
            peer.send("/track/1/volume", value)
            time.sleep(0.1)
        wait_until(lambda: mixer.json("volume", "a")["volume"] == 1, "the fader is back")
        is_written(mixer)
        peer.send("/ping", 7)
        while (news := OscPacket(peer.client._sock.recv(65536)).messages)[0].message.address != "/pong":
            told.extend(item.message.params[0] for item in news)

    first = passed(jackd, mixer, hands)
    assert told[-1] == 1
    replay = passed(jackd, mixer, lambda: time.sleep(1.5))
    both = ~np.isnan(first) & ~np.isnan(replay)
    assert decibels(first[both], replay[both]).max() < 0.05
    held = np.count_nonzero(np.abs(replay - 0.4) < 1e-5) / RATE
    assert 0.2 < held < 0.6, held
    peer.close()


def test_a_latch_writes_until_it_stops_and_the_last_round_of_a_loop_counts(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("write", "a", "latch")
    mixer.ctl("loop", "1s", "2s")

    def hands():
        peer.send("/track/1/volume", 0.5)
        wait_until(lambda: 1.3 < mixer.json("position")["seconds"] < 1.6, "it is in the loop")
        peer.send("/track/1/volume", 0.25)
        wait_until(lambda: 1.7 < mixer.json("position")["seconds"] < 1.9, "it is further on")
        wait_until(lambda: 1.1 < mixer.json("position")["seconds"] < 1.3, "it has come round")
        mixer.ctl("stop")
        is_written(mixer)

    passed(jackd, mixer, hands)
    assert mixer.json("volume", "a")["volume"] == 1
    mixer.ctl("loop", "off")
    replay = passed(jackd, mixer, lambda: time.sleep(2.5))
    # Up to the loop by the first hand, in the loop by the last, and behind it as ever.
    for frame, gain in [
        (int(0.9 * RATE), 0.5),
        (int(1.1 * RATE), 0.25),
        (int(1.95 * RATE), 0.25),
        (int(2.01 * RATE), 1),
    ]:
        assert abs(replay[frame] - gain) < 1e-5, (frame, replay[frame], events(mixer))
    peer.close()


def test_a_second_pass_goes_over_the_first(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("ramp", "a", "1", "0.5", "0s", "10s")
    mixer.ctl("write", "a", "write")

    def hands(*values):
        for value in values:
            peer.send("/track/1/volume", value)
            time.sleep(0.2)
        mixer.ctl("stop")
        wait_until(lambda: mixer.json("volume", "a")["volume"] == 1, "the fader is back")

    # From play to stop with a fader that stays where it is: nothing has changed.
    passed(jackd, mixer, lambda: hands(1))
    assert len(events(mixer)) == 1
    first = passed(jackd, mixer, lambda: hands(0.7, 0.9))
    second = passed(jackd, mixer, lambda: hands(0.5, 0.8))
    replay = passed(jackd, mixer, lambda: time.sleep(2), 0)
    mixer.ctl("stop")
    assert mixer.json("volume", "a")["volume"] == 1
    both = ~np.isnan(second) & ~np.isnan(replay)
    both[np.flatnonzero(~np.isnan(second))[-1] - 500 :] = False  # the stop's own fade
    assert np.count_nonzero(both) > RATE // 4
    assert decibels(second[both], replay[both]).max() < 0.05
    both &= ~np.isnan(first)
    assert not np.allclose(first[both], second[both])
    peer.close()


def test_a_fader_that_comes_from_silence_is_written_as_it_rises(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("volume", "a", "0")
    mixer.ctl("write", "a", "touch")

    def hands():
        peer.send("/track/1/volume/touch", 1)
        for value in (0.3, 0.8):
            peer.send("/track/1/volume", value)
            time.sleep(0.3)
        peer.send("/track/1/volume/touch", 0)
        wait_until(lambda: mixer.json("volume", "a")["volume"] == 1, "the fader is at unity")

    first = passed(jackd, mixer, hands)
    assert np.nanmax(first) < 0.81
    replay = passed(jackd, mixer, lambda: time.sleep(2))
    both = ~np.isnan(first) & ~np.isnan(replay) & (first > 0.01)
    assert decibels(first[both], replay[both]).max() < 0.05
    assert np.nanmax(replay) < 0.81, "silent elsewhere, as it was"
    mixer.ctl("undo")
    assert mixer.json("volume", "a")["volume"] == 0 and events(mixer) == []
    peer.close()


def test_a_balance_is_written_as_the_hand_had_it(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("volume", "a", "-0.5", "0s", "--of", "pan")
    mixer.ctl("write", "a", "touch", "--of", "pan")
    assert mixer.json("write", "a", "--of", "pan")["write"] == "touch"

    def hands():
        peer.send("/track/1/pan/touch", 1)
        for value in (0.25, 0.5, 0.75):
            peer.send("/track/1/pan", value)
            time.sleep(0.3)
        peer.send("/track/1/pan/touch", 0)
        wait_until(lambda: len(events(mixer, "--of", "pan")) > 2, "it is automation")

    def lefts(samples):
        left, right = samples.astype(np.float64).T
        return left / LEVEL

    mixer.ctl("locate", "0s")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        hands()
        capture.hear_more(40)
        first = lefts(capture.end())
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
    mixer.ctl("locate", "0s")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 2, "it has played")
        second = lefts(capture.end())
    # Both from the first frame that was heard on: at the left 1 until the hand comes, then what it leaves.
    first, second = (side[np.flatnonzero(side > 0.2)[0] + 300 :] for side in (first, second))
    length = min(len(first), len(second)) - 600
    changes = [np.flatnonzero(np.abs(side[:length] - 0.25) < 1e-5) for side in (first, second)]
    assert len(changes[0]) > RATE // 5
    # The same stretches, but for where the captures begin.
    assert abs(len(changes[0]) - len(changes[1])) < 2000
    assert mixer.json("pan", "a")["pan"] == 0, "the hand is back"
    peer.close()


def test_mutes_sends_and_the_master_are_written_too(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("send", "a", "hall", "1")
    mixer.ctl("write", "a", "latch", "--of", "mute")
    mixer.ctl("write", "a", "latch", "--of", "send/hall/volume")
    mixer.ctl("write", "master", "latch")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.2, "it plays")
    peer.send("/track/1/mute", 1)
    peer.send("/track/1/send/hall/volume", 0.5)
    peer.send("/master/volume", 0.25)
    time.sleep(0.2)
    assert mixer.json("mute", "a")["mute"] and mixer.json("volume", "master")["volume"] == 0.25
    peer.send("/track/1/mute", 0)
    time.sleep(0.1)
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("volume", "master")["volume"] == 1, "all have gone back")
    assert not mixer.json("mute", "a")["mute"]
    mutes = events(mixer, "--of", "mute")
    assert [event["value"] for event in mutes] == [True, False], mutes
    assert 0.15 < seconds(mutes[1]["at"]) - seconds(mutes[0]["at"]) < 0.6
    assert any(
        abs(event.get("ramp", [0, 0])[1] - 0.5) < 1e-9 for event in events(mixer, "--of", "send/hall/volume")
    )
    assert mixer.json("automation", "master")
    # All of it is one step.
    mixer.ctl("undo")
    assert events(mixer, "--of", "mute") == [] and events(mixer, "--of", "send/hall/volume") == []
    assert mixer.json("automation", "master") == []
    peer.close()


def test_off_is_not_played_and_not_rendered(desk, tmp_path):
    run("edit", desk, "volume", "a", "0", "0s")
    run("edit", desk, "write", "a", "off")
    assert json.loads(desk.read_text())["tracks"][0]["write"] == "off"
    run("render", desk, tmp_path / "out.wav")
    samples, _ = soundfile.read(tmp_path / "out.wav", dtype="float32")
    assert np.all(samples[:, 0] == np.float32(LEVEL))
    run("edit", desk, "write", "a", "read")
    run("render", desk, tmp_path / "out.wav", "--force")
    assert not soundfile.read(tmp_path / "out.wav", dtype="float32")[0].any()


def test_a_pass_outlives_a_crash(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("write", "a", "latch")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.2, "it plays")
    for value in (0.8, 0.6, 0.4, 0.2):
        peer.send("/track/1/volume", value)
        time.sleep(0.1)
    time.sleep(0.3)  # a tenth of a second may be lost
    mixer.process.kill()
    mixer.process.wait(10)
    peer.close()
    again = mixers("--server", jackd.name, "--recover", desk)
    found = events(again)
    assert any(abs(event.get("ramp", [9, 9])[1] - 0.2) < 1e-9 for event in found), found
    assert again.json("volume", "a")["volume"] == 1


def test_two_hands_on_one_control(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    one, other = mixer.osc(), mixer.osc()
    mixer.ctl("write", "a", "touch")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.1, "it plays")
    # Asked, so that it is done before the other comes.
    one.ask("/track/1/volume/touch", 1)
    one.ask("/track/1/volume", 0.5)
    assert other.ask("/track/1/volume", 0.9)[0][0] == "/error"
    assert mixer.json("volume", "a")["volume"] == 0.5
    one.send("/track/1/volume/touch", 0)
    is_written(mixer)
    written = [value for event in events(mixer) for value in event.get("ramp", [])]
    assert min(written) == pytest.approx(0.5) and max(written) == 1
    one.close()
    other.close()


def test_what_is_held_when_all_ends_is_kept(mixers, jackd, desk):
    """A session that is left, and a mixer that is ended, with a hand on the fader."""
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("write", "a", "latch")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.1, "it plays")
    peer.send("/track/1/volume", 0.5)
    wait_until(lambda: mixer.json("volume", "a")["volume"] == 0.5, "it is moved")
    mixer.ctl("new")
    mixer.ctl("undo")
    assert any(event.get("ramp") for event in events(mixer)) and mixer.json("volume", "a")["volume"] == 1
    mixer.ctl("undo")
    assert events(mixer) == []
    mixer.ctl("save")
    peer.send("/track/1/volume", 0.25)
    wait_until(lambda: mixer.json("volume", "a")["volume"] == 0.25, "it is moved again")
    assert mixer.end() == 0
    peer.close()
    again = mixers("--server", jackd.name, "--recover", desk)
    assert any(abs(event.get("ramp", [9, 9])[1] - 0.25) < 1e-9 for event in events(again))


def test_each_pass_is_a_step_of_its_own(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("write", "a", "touch")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.1, "it plays")
    counts = []
    for value in (0.5, 0.25):
        peer.send("/track/1/volume/touch", 1)
        peer.send("/track/1/volume", value)
        time.sleep(0.1)
        peer.send("/track/1/volume/touch", 0)
        before = counts[-1] if counts else 0
        wait_until(lambda: len(events(mixer)) > before, "it is written")
        counts.append(len(events(mixer)))
    assert mixer.ctl("undo").strip() == "write volume of a"
    assert len(events(mixer)) == counts[0]
    assert mixer.ctl("undo").strip() == "write volume of a"
    assert events(mixer) == []
    peer.close()


def test_a_long_fade_is_written_to_its_end(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    mixer.ctl("write", "a", "touch")

    def hands():
        mixer.ctl("fade", "a", "0.2", "1s", "--curve", "scurve")
        is_written(mixer)

    first = passed(jackd, mixer, hands)
    replay = passed(jackd, mixer, lambda: time.sleep(2.5))
    both = ~np.isnan(first) & ~np.isnan(replay)
    assert decibels(first[both], replay[both]).max() < 0.05
    assert np.count_nonzero(np.abs(replay[both] - 0.2) < 0.002) > RATE // 10


def test_an_edit_and_a_strip_that_goes_do_not_disturb_a_hand(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("write", "a", "touch")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.1, "it plays")
    peer.send("/track/1/volume/touch", 1)
    peer.send("/track/1/volume", 0.8)
    wait_until(lambda: mixer.json("volume", "a")["volume"] == 0.8, "it is moved")
    mixer.ctl("trim", "a", "0.5")
    assert mixer.json("volume", "a")["volume"] == 0.8
    mixer.ctl("remove", "a")
    peer.send("/track/1/volume/touch", 0)
    mixer.ctl("undo")
    assert mixer.json("volume", "a")["volume"] == 1
    assert mixer.json("status")["dropouts"] == 0
    peer.close()


def test_settings_of_processors_are_written(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("eq", "a", "2", "1000", "0")
    mixer.ctl("volume", "a", "3", "0s", "--of", "eq/2/gain")
    mixer.ctl("write", "a", "latch", "--of", "eq/2/gain")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.1, "it plays")
    for value in (6.0, -6.0):
        peer.send("/track/1/eq/2/gain", value)
        time.sleep(0.2)
    mixer.ctl("stop")
    wait_until(lambda: len(events(mixer, "--of", "eq/2/gain")) > 1, "it is written")
    found = events(mixer, "--of", "eq/2/gain")
    assert found[0]["value"] == 3 and any(abs(event.get("ramp", [0, 0])[1] + 6) < 1e-9 for event in found)
    # Behind the stop the timeline says what it did.
    assert abs(found[-1]["ramp"][1] - 3) < 1e-9
    peer.close()


def test_a_stop_is_answered_when_what_hands_did_is_written(mixers, jackd, desk):  # noqa: F811
    """So that what a script says behind it finds it."""
    mixer = mixers("--server", jackd.name, "--no-connect", desk)
    mixer.ctl("write", "a", "latch")
    peer = mixer.osc()
    for turn in range(5):
        mixer.ctl("locate", "0s")
        mixer.ctl("play")
        peer.send("/track/1/volume", 0.5)
        time.sleep(0.1)
        peer.send("/track/1/volume", 0.25)
        time.sleep(0.1)
        script = "stop\nsave\nautomation a clear\nsave\n" if turn % 2 else "stop\nsave\n"
        subprocess.run([JMIXCTL, "--url", mixer.url], input=script, text=True, check=True, timeout=20)
        lane = json.loads(desk.read_text())["tracks"][0].get("automation", [])
        assert bool(lane) == (turn % 2 == 0), turn
        assert mixer.json("automation", "a") == lane
    peer.close()


def test_a_touch_that_ends_in_a_glide_ends_the_pass(mixers, jackd, desk):
    mixer = mixers("--server", jackd.name, "--no-connect", desk)
    peer = mixer.osc()
    mixer.ctl("write", "a", "touch", "--of", "pan")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.2, "it plays")
    peer.ask("/track/1/pan/touch", 1)
    peer.ask("/track/1/pan/fade", 1.0, "8s")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.7, "it glides")
    peer.ask("/track/1/pan/touch", 0)
    wait_until(lambda: events(mixer, "--of", "pan"), "it is written")
    # What the glide would have reached later is not.
    levels = [
        level
        for event in events(mixer, "--of", "pan")
        for level in event.get("ramp", [event.get("value", 0)])
    ]
    assert 0 < max(levels) < 0.9
    peer.close()
