"""Automation that hands write by a surface with motors, under the server's own transport, and over a server
that is lost meanwhile."""

import time

import jack
import numpy as np
import pytest
from conftest import RATE, run, wait_until
from test_mackie import GREATEST, Mackie, gain, position
from test_write import decibels, desk, events, formula, is_written, passed  # noqa: F401


@pytest.fixture
def mackie(jackd):
    surface = Mackie(jackd)
    yield surface
    surface.close()


def test_a_touch_of_a_motor_fader_is_replayed_as_it_sounded(mixers, jackd, mackie, desk):  # noqa: F811
    mixer = mixers("--server", jackd.name, desk)
    mixer.ctl("midi", "map", "mackie")
    mackie.join(0, "mackie")
    mixer.ctl("volume", "a", "0.5")
    mixer.ctl("write", "a", "touch")
    mackie.stands(0, position(0.5))

    def hands():
        mackie.touch(0)
        for share in np.linspace(position(0.5), position(0.1), 30):
            mackie.move(0, int(share * GREATEST))
            time.sleep(0.02)
        mackie.touch(0, False)
        is_written(mixer)

    first = passed(jackd, mixer, hands)
    # The motor goes back with the fader.
    mackie.stands(0, position(0.5))
    before = len(mackie.heard())
    replay = passed(jackd, mixer, lambda: time.sleep(2))
    both = ~np.isnan(first) & ~np.isnan(replay)
    assert np.count_nonzero(both) > RATE // 2
    assert decibels(first[both], replay[both]).max() < 0.05
    assert np.nanmin(replay) == pytest.approx(gain(int(position(0.1) * GREATEST) / GREATEST), rel=0.02)
    # And shows the replay.
    moves = [m[2] << 7 | m[1] for m in mackie.heard()[before:] if m[0] == 0xE0]
    assert min(moves) < position(0.12) * GREATEST and len(moves) > 10


def test_a_pass_while_the_servers_transport_leads(mixers, jackd, desk):  # noqa: F811
    """Played from elsewhere, located while a finger is on the fader, and stopped from elsewhere."""
    leader = jack.Client("leader", servername=jackd.name, no_start_server=True)
    leader.activate()
    mixer = mixers("--server", jackd.name, "--transport", "jack", desk)
    peer = mixer.osc()
    mixer.ctl("write", "a", "touch")
    leader.transport_stop()
    leader.transport_frame = 0
    # Others may have left the server's transport elsewhere.
    wait_until(lambda: mixer.json("position")["seconds"] == 0, "it stands at the start")
    try:
        leader.transport_start()
        wait_until(lambda: mixer.json("position")["seconds"] > 0.5, "it rolls")
        peer.send("/track/1/volume/touch", 1)
        peer.send("/track/1/volume", 0.25)
        wait_until(lambda: mixer.json("volume", 1)["volume"] == 0.25, "the hand is there")
        time.sleep(0.4)
        leader.transport_frame = 6 * RATE
        wait_until(lambda: mixer.json("position")["seconds"] > 6.3, "it goes on there")
        peer.send("/track/1/volume", 0.5)
        time.sleep(0.3)
        leader.transport_stop()
        wait_until(lambda: mixer.json("position")["state"] == "stopped", "it stands")
        peer.send("/track/1/volume/touch", 0)
        is_written(mixer)
        found = events(mixer)
        # The hand came somewhere after half a second, as late as this machine is, and left for second 6.
        said = formula(found, np.array([int(0.1 * RATE), int(5.5 * RATE), int(6.2 * RATE), 30 * RATE]))
        assert list(said) == pytest.approx([1, 1, 0.25, 1])
        assert formula(found, np.arange(RATE // 2, 5 * RATE)).min() == pytest.approx(0.25)
    finally:
        leader.transport_stop()
        leader.transport_frame = 0
        leader.close()
        peer.close()


def test_a_pass_that_loses_its_server_is_written_and_the_hand_goes_on(mixers, servers, desk):  # noqa: F811
    server = servers()
    mixer = mixers("--server", server.name, "--no-connect", desk)
    peer = mixer.osc()
    try:
        mixer.ctl("volume", "a", "0")
        mixer.ctl("write", "a", "touch")
        mixer.ctl("play")
        wait_until(lambda: mixer.json("position")["seconds"] > 0.5, "it plays")
        # It rises from silence, and is there when the server goes.
        peer.send("/track/1/volume/touch", 1)
        for step in range(1, 11):
            peer.send("/track/1/volume", step / 10)
            time.sleep(0.03)
        server.end()
        wait_until(lambda: "is gone" in mixer.log, "the server is gone")
        server = servers(name=server.name)
        wait_until(lambda: "back on" in mixer.log, "it is back")
        is_written(mixer)
        found = events(mixer)
        highest = formula(found, np.arange(2 * RATE)).max()
        assert mixer.json("volume", "a")["volume"] * highest == pytest.approx(1, rel=0.01)
        # The finger is still there, and writes on.
        peer.send("/track/1/volume", 0.5)
        wait_until(lambda: mixer.json("volume", "a")["volume"] == 0.5, "the hand moves it on")
        time.sleep(0.3)
        peer.send("/track/1/volume/touch", 0)
        wait_until(lambda: events(mixer) != found, "what it did is written too")
        mixer.ctl("undo")
        assert events(mixer) == found
    finally:
        peer.close()
        mixer.end()


def test_a_latched_pass_is_written_though_its_server_is_killed(mixers, servers, desk):  # noqa: F811
    server = servers()
    mixer = mixers("--server", server.name, "--no-connect", desk)
    peer = mixer.osc()
    mixer.ctl("write", "a", "latch")
    mixer.ctl("play")
    wait_until(lambda: mixer.json("position")["seconds"] > 0.5, "it plays")
    peer.send("/track/1/volume/touch", 1)
    peer.send("/track/1/volume", 0.25)
    peer.send("/track/1/volume/touch", 0)
    wait_until(lambda: mixer.json("position")["seconds"] > 1, "it is written on")
    server.process.kill()
    server.process.wait(10)
    wait_until(lambda: "is gone" in mixer.log, "the server is gone")
    mixer.ctl("stop")
    mixer.ctl("save")
    found = events(mixer)
    assert formula(found, np.arange(2 * RATE)).min() == pytest.approx(0.25)
    assert mixer.json("status")["unsaved"] is False
    peer.close()
    mixer.end()
    run("check", desk, "--unsaved")
