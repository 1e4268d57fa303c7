"""Hands that write while other things happen: what was heard in the pass is what the replay plays, and
nothing stays that should not."""

import time

import numpy as np
import pytest
from conftest import RATE, Capture, wait_until
from test_write import decibels, desk, events, passed  # noqa: F401

pytestmark = pytest.mark.alone


@pytest.fixture
def hands(mixers, jackd, desk):  # noqa: F811
    """A mixer with the desk, and a client that moves."""
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    yield mixer, peer
    peer.close()


def plays(mixer, position="0s"):
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
    mixer.ctl("locate", position)
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["frame"] > RATE // 10, "it plays")


def stands(mixer):
    mixer.ctl("stop")
    wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")


def at(mixer, value, name="a"):
    wait_until(lambda: abs(mixer.json("volume", name)["volume"] - value) < 1e-6, f"the fader is at {value}")


def replayed(jackd, mixer, first, seconds=2.0, least=RATE // 4):
    """Compares a pass with its replay, frame by frame."""
    replay = passed(jackd, mixer, lambda: time.sleep(seconds))
    both = ~np.isnan(first) & ~np.isnan(replay) & (first > 1e-3)
    assert np.count_nonzero(both) > least
    worst = decibels(first[both], replay[both])
    frame = int(np.flatnonzero(both)[worst.argmax()])
    assert worst.max() < 0.06, (frame, first[frame], replay[frame], events(mixer))
    return replay


def test_another_session_has_faders_of_its_own(hands, desk):  # noqa: F811
    mixer, peer = hands
    (desk.parent / "o.json").write_text(desk.read_text())
    mixer.ctl("write", "a", "latch")
    mixer.ctl("save")
    plays(mixer)
    peer.send("/track/1/volume", 0.1)
    at(mixer, 0.1)
    mixer.ctl("load", "o")
    at(mixer, 1)
    mixer.ctl("volume", "a", "0.8")
    at(mixer, 0.8)
    assert events(mixer) == []


def test_a_rise_is_taken_back_as_a_whole(hands):
    mixer, peer = hands
    mixer.ctl("volume", "a", "0")
    mixer.ctl("write", "a", "latch")
    plays(mixer)
    peer.send("/track/1/volume", 0.3)
    at(mixer, 0.3)
    mixer.ctl("undo")
    at(mixer, 0)
    assert events(mixer) == []


def test_a_rise_is_kept_with_a_finger_on_the_fader(hands):
    mixer, peer = hands
    mixer.ctl("volume", "a", "0")
    mixer.ctl("write", "a", "touch")
    plays(mixer)
    peer.send("/track/1/volume/touch", 1)
    peer.send("/track/1/volume", 0.3)
    at(mixer, 0.3)
    mixer.ctl("stop")
    at(mixer, 1)
    assert any(abs(event.get("ramp", [0, 0])[1] - 0.3) < 1e-6 for event in events(mixer))


def test_a_rise_outlives_a_crash(mixers, jackd, desk):  # noqa: F811
    mixer = mixers("--server", jackd.name, desk)
    peer = mixer.osc()
    mixer.ctl("volume", "a", "0")
    mixer.ctl("write", "a", "latch")
    plays(mixer)
    peer.send("/track/1/volume", 0.3)
    time.sleep(0.6)  # a tenth of a second may be lost
    mixer.process.kill()
    mixer.process.wait(10)
    peer.close()
    again = mixers("--server", jackd.name, "--recover", desk)
    assert again.json("volume", "a")["volume"] == 1 and events(again)


@pytest.mark.parametrize("mode", ["touch", "latch", "write"])
def test_a_hand_that_does_nothing_leaves_all_as_it_is(hands, mode):
    mixer, peer = hands
    mixer.ctl("ramp", "a", "1", "0.5", "1s", "2s")
    mixer.ctl("volume", "a", "0")
    mixer.ctl("write", "a", mode)
    plays(mixer)
    peer.send("/track/1/volume/touch", 1)
    time.sleep(0.2)
    peer.send("/track/1/volume/touch", 0)
    time.sleep(0.2)
    stands(mixer)
    time.sleep(0.2)
    assert len(events(mixer)) == 1 and mixer.json("volume", "a")["volume"] == 0


def test_no_move_is_lost_whoever_edits_meanwhile(hands):
    mixer, peer = hands
    mixer.ctl("bus", "add", "b")
    mixer.ctl("write", "a", "touch")
    plays(mixer)
    other = mixer.osc()
    for number in range(6):
        peer.send("/track/1/volume/touch", 1)
        other.send("/bus/1/volume", 0.5, f"{9 + number}s")
        assert peer.ask("/track/1/volume", 0.5) == []
        for point in range(10):
            other.send("/bus/1/volume", 0.5, f"{20 + number + point / 16}s")
        assert peer.ask("/track/1/volume") == [("/track/1/volume", [0.5])]
        peer.send("/track/1/volume/touch", 0)
    at(mixer, 1)
    other.close()


def test_a_mode_that_ends_lets_the_hand_go_first(hands, jackd):
    mixer, peer = hands
    mixer.ctl("write", "a", "latch")

    def moves():
        peer.send("/track/1/volume", 0.5)
        time.sleep(0.4)
        mixer.ctl("write", "a", "read")
        at(mixer, 1)
        time.sleep(0.3)

    first = passed(jackd, mixer, moves)
    assert np.nanmin(first) > 0.49, "never lower than the hand"
    wait_until(lambda: events(mixer), "it is written")
    replayed(jackd, mixer, first)


def test_a_fader_far_down_is_ridden_up(hands, jackd):
    mixer, peer = hands
    mixer.ctl("volume", "a", "0.1")
    mixer.ctl("write", "a", "touch")

    def moves():
        peer.send("/track/1/volume", 1.0)
        time.sleep(0.7)
        # It comes to stand higher when it stops: till then all sounds as before.
        assert mixer.json("volume", "a")["volume"] == pytest.approx(0.1)
        mixer.ctl("stop")
        at(mixer, 1)

    first = passed(jackd, mixer, moves)
    assert np.nanmax(first) > 0.99
    first[np.flatnonzero(~np.isnan(first))[-1] - 600 :] = np.nan  # the stop's own fade
    replay = replayed(jackd, mixer, first)
    assert abs(replay[np.flatnonzero(~np.isnan(replay))[-700]] - 0.1) < 1e-3, "elsewhere as it was"


def test_a_fade_ends_under_the_hand(hands, jackd):
    mixer, peer = hands
    mixer.ctl("write", "a", "touch")
    mixer.ctl("fade", "a", "0.1", "3s")

    def moves():
        peer.send("/track/1/volume/touch", 1)
        peer.send("/track/1/volume", 0.9)
        time.sleep(0.3)
        peer.send("/track/1/volume/touch", 0)
        wait_until(lambda: events(mixer), "it is written")

    first = passed(jackd, mixer, moves)
    # The fade passes the hand's value too, if the hand is late: a fade changes from frame to frame.
    still = np.abs(np.diff(first, append=np.nan)) < 1e-6
    held = np.flatnonzero(still & (np.abs(first - 0.9) < 1e-4))
    assert len(held) > RATE // 5
    replay = passed(jackd, mixer, lambda: time.sleep(2))
    both = held[~np.isnan(replay[held])]
    assert decibels(first[both], replay[both]).max() < 0.06


def test_sends_are_written_where_they_are_read(hands, jackd):
    """Behind limiters the timeline of a send is read later than the playhead is."""
    mixer, peer = hands
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("output", "a", "none")
    mixer.ctl("send", "a", "hall", "1")
    for strip in ("a", "hall", "master"):
        mixer.ctl("limit", strip, "-1")
    mixer.ctl("write", "a", "touch", "--of", "send/hall/volume")

    def moves():
        for value in (0.5, 0.2, 0.9, 0.4):
            peer.send("/track/1/send/hall/volume", value)
            time.sleep(0.1)
        wait_until(lambda: mixer.json("automation", "a", "--of", "send/hall/volume"), "it is written")

    replayed(jackd, mixer, passed(jackd, mixer, moves))


def test_a_scene_moves_where_the_hand_goes_back_to(hands, jackd):
    mixer, peer = hands
    mixer.ctl("volume", "a", "0.2")
    mixer.ctl("scene", "store", "low")
    mixer.ctl("volume", "a", "1")
    mixer.ctl("write", "a", "latch")

    def moves():
        peer.send("/track/1/volume", 0.5)
        time.sleep(0.2)
        mixer.ctl("scene", "recall", "low")
        peer.send("/track/1/volume", 0.8)
        time.sleep(0.3)
        mixer.ctl("stop")
        wait_until(lambda: events(mixer), "it is written")

    first = passed(jackd, mixer, moves)
    heard = np.flatnonzero(~np.isnan(first))
    begins = heard[np.flatnonzero(np.abs(first[heard] - 0.5) < 1e-5)[0]]
    first[:begins] = np.nan  # before the hand the fader stood elsewhere than it does now
    first[heard[-1] - 600 :] = np.nan  # the stop's own fade
    replayed(jackd, mixer, first)


def test_a_bus_is_renamed_while_its_send_is_held(hands):
    mixer, peer = hands
    mixer.ctl("bus", "add", "hall")
    mixer.ctl("send", "a", "hall", "1")
    mixer.ctl("write", "a", "latch", "--of", "send/hall/volume")
    plays(mixer)
    peer.send("/track/1/send/hall/volume", 0.5)
    wait_until(lambda: mixer.json("send", "a", "hall")["volume"] == 0.5, "it is moved")
    mixer.ctl("name", "hall", "room")
    mixer.ctl("trim", "a", "0.9")
    assert mixer.json("send", "a", "room")["volume"] == 0.5
    stands(mixer)
    wait_until(lambda: mixer.json("send", "a", "room")["volume"] == 1, "the hand is back")
    assert mixer.ctl("undo").strip() == "write send/room/volume of a"


def test_write_begins_with_play_whatever_was_before(hands):
    mixer, peer = hands
    mixer.ctl("volume", "a", "0", "0s", "--of", "pan")
    mixer.ctl("write", "a", "touch", "--of", "pan")
    plays(mixer)
    mixer.ctl("write", "a", "read", "--of", "pan")
    stands(mixer)
    mixer.ctl("pan", "a", "0.5")
    mixer.ctl("write", "a", "write", "--of", "pan")
    plays(mixer, "1s")
    time.sleep(0.3)
    peer.send("/track/1/pan", 0.5)
    time.sleep(0.2)
    stands(mixer)
    wait_until(lambda: len(events(mixer, "--of", "pan")) > 1, "it is written")


def test_the_strips_that_are_not_written_are_one_step(hands):
    mixer, peer = hands
    for name in ("b", "c", "d"):
        mixer.ctl("bus", "add", name)
    mixer.ctl("write", "b", "latch")
    plays(mixer)
    before = len(mixer.json("history"))
    peer.ask("/bus/*/volume", 0.5)
    assert [mixer.json("volume", name)["volume"] for name in "bcd"] == [0.5] * 3
    assert len(mixer.json("history")) == before + 1
    stands(mixer)
    at(mixer, 1, "b")
    assert [mixer.json("volume", name)["volume"] for name in "cd"] == [0.5] * 2


def test_what_is_removed_comes_back_with_what_the_hand_did(hands):
    mixer, peer = hands
    mixer.ctl("write", "a", "latch")
    plays(mixer)
    peer.send("/track/1/volume", 0.5)
    at(mixer, 0.5)
    mixer.ctl("remove", "a")
    mixer.ctl("undo")
    assert events(mixer) and mixer.json("volume", "a")["volume"] == 1
    mixer.ctl("undo")
    assert events(mixer) == []


def test_a_balance_is_held_where_it_is(hands, jackd):
    """A hand on what the timeline moves does not make it jump; its fade is heard as it is written."""
    mixer, peer = hands
    mixer.ctl("volume", "a", "-0.5", "0s", "--of", "pan")
    mixer.ctl("write", "a", "touch", "--of", "pan")

    def moves():
        peer.send("/track/1/pan/touch", 1)
        time.sleep(0.2)
        assert abs(mixer.json("pan", "a")["pan"] + 0.5) < 1e-6
        peer.send("/track/1/pan/fade", -0.9, "500ms")
        time.sleep(0.7)
        peer.send("/track/1/pan/touch", 0)
        wait_until(lambda: len(events(mixer, "--of", "pan")) > 2, "it is written")

    # With a balance to the left the left side is whole, and the right says where the balance is.
    def rights(samples):
        left, right = samples.astype(np.float64).T
        begin = int(np.flatnonzero(left > 0.2)[0])
        return right[begin:]

    sides = []
    for body in (moves, lambda: time.sleep(2)):
        stands(mixer)
        mixer.ctl("locate", "0s")
        with Capture(jackd) as capture:
            mixer.ctl("play")
            body()
            capture.hear_more(60)
            sides.append(rights(capture.end()))
    length = min(len(sides[0]), len(sides[1])) - 1000
    scale = 0.25 / 2**20
    frames = np.arange(1000, length)
    gains = [side[1000:length] / ((frames + 1) * scale) for side in sides]
    worst = np.max(np.abs(gains[0] - gains[1]))
    assert worst < 0.02, (worst, events(mixer, "--of", "pan"))


def test_a_send_is_made_and_its_like_are_set_while_another_is_written(hands):
    mixer, peer = hands
    for name in ("hall", "room"):
        mixer.ctl("bus", "add", name)
    mixer.ctl("write", "a", "touch")
    plays(mixer)
    assert peer.ask("/track/1/send/hall/volume", 0.5) == []
    mixer.ctl("send", "a", "room", "1")
    mixer.ctl("write", "a", "touch", "--of", "send/hall/volume")
    assert peer.ask("/track/1/send/*/volume", 0.25) == []
    assert [mixer.json("send", "a", name)["volume"] for name in ("hall", "room")] == [0.25] * 2
    wait_until(lambda: mixer.json("send", "a", "hall")["volume"] == 0.5, "the one that was written is back")
    assert mixer.json("send", "a", "room")["volume"] == 0.25


def test_a_stop_ends_all_passes_whatever_goes_with_it(hands):
    mixer, peer = hands
    mixer.ctl("bus", "add", "b")
    for name in ("a", "b"):
        mixer.ctl("write", name, "latch")
    plays(mixer)
    peer.send("/track/1/volume", 0.5)
    peer.send("/bus/1/volume", 0.5)
    at(mixer, 0.5)
    mixer.ctl("stop")
    mixer.ctl("remove", "b")
    at(mixer, 1)
    assert events(mixer)


def test_what_waits_for_a_stop_is_moved_as_ever(hands):
    mixer, peer = hands
    mixer.ctl("volume", "a", "0.1")
    mixer.ctl("write", "a", "touch")
    plays(mixer)
    peer.send("/track/1/volume", 1.0)
    at(mixer, 1)
    at(mixer, 0.1)
    mixer.ctl("write", "a", "read")
    mixer.ctl("volume", "a", "0.5")
    at(mixer, 0.5)
    stands(mixer)
    wait_until(lambda: events(mixer), "it is written")


def test_a_balance_that_was_hardly_touched_is_played_on(hands, jackd):
    """Touched and stopped before the timeline has fallen silent about it."""
    mixer, peer = hands
    mixer.ctl("volume", "a", "-1", "0s", "--of", "pan")
    mixer.ctl("write", "a", "touch", "--of", "pan")
    for _ in range(5):
        plays(mixer)
        peer.send("/track/1/pan/touch", 1)
        peer.send("/transport/stop")
        peer.send("/track/1/pan/touch", 0)
        stands(mixer)
    mixer.ctl("locate", "0s")
    with Capture(jackd) as capture:
        mixer.ctl("play")
        capture.hear_more(100)
        left, right = capture.end().T
    assert left.max() > 0.2 and not right[np.flatnonzero(left > 0.2)].any()


def test_the_rest_of_a_band_is_moved_by_hand_while_the_timeline_moves_one(hands):
    mixer, peer = hands
    mixer.ctl("eq", "a", "2", "1000", "0")
    mixer.ctl("volume", "a", "1000", "0s", "--of", "eq/2/freq")
    mixer.ctl("write", "a", "latch", "--of", "eq/2/gain")
    plays(mixer)
    peer.send("/track/1/eq/2/gain", 6.0)
    wait_until(lambda: mixer.json("eq", "a")["bands"][1]["gain"] == 6, "it is told as it is heard")
    stands(mixer)
    wait_until(lambda: events(mixer, "--of", "eq/2/gain"), "it is written")
    wait_until(lambda: mixer.json("eq", "a")["bands"][1]["gain"] == 0, "the hand is back")
