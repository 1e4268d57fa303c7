"""Subscriptions: the present state first, changes to everyone but their author, meters and position, leases,
renewal."""

import select
import socket
import struct
import subprocess
import threading
import time

import pytest
from conftest import OscPeer, wait_until
from pythonosc import osc_message_builder
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_message import OscMessage


class Subscriber(OscPeer):
    def __init__(self, port, *arguments):
        super().__init__(port)
        self.values = {}
        self.other = OscPeer(port)
        self.other.client._sock.settimeout(30)
        self.send("/subscribe", *arguments)

    def listen(self, seconds=0.3):
        """Takes what comes within the time; returns what came, in order. A mixer that the machine has kept
        waiting all that time is waited for: it answers others twice before this returns."""
        end, came = time.monotonic() + seconds, []
        while (left := end - time.monotonic()) > 0:
            came += self.come(min(0.02, left)) or []
        try:
            for _ in range(2):
                self.other.ask("/ping", 0)
        except TimeoutError as error:
            raise AssertionError("waited 30 s until the mixer answers a ping") from error
        while (more := self.come(0)) is not None:
            came += more
        self.values.update(came)
        return came

    def come(self, seconds):
        """The messages of the next packet; None if none comes within the time."""
        if not select.select([self.client._sock], [], [], seconds)[0]:
            return None
        data = self.client._sock.recv(65536)
        content = list(OscBundle(data)) if OscBundle.dgram_is_bundle(data) else [OscMessage(data)]
        return [(message.address, list(message.params)) for message in content]

    def close(self):
        super().close()
        self.other.close()


@pytest.fixture
def subscribers(mixer):
    made = []

    def make(*arguments):
        made.append(Subscriber(mixer.port, *arguments))
        return made[-1]

    yield make
    for subscriber in made:
        subscriber.close()


def test_the_present_state_comes_first(mixer, subscribers):
    mixer.ctl("volume", 2, 0.25)
    mixer.ctl("mute", 3, "on")
    mixer.ctl("loop", "1s", "2s")
    one = subscribers()
    one.listen()
    assert (
        one.values["/track/1/volume"] == [1.0]
        and one.values["/track/2/volume"] == [0.25]
        and one.values["/track/3/mute"] == [1]
    )
    assert (
        one.values["/track/2/name"] == ["voice"]
        and one.values["/master/volume"] == [1.0]
        and one.values["/transport/loop"] == [1.0, 2.0]
    )
    assert one.values["/transport/state"] == ["stopped"] and one.values["/transport/position"] == [0, 0.0]
    assert one.listen() == []  # nothing changes, nothing is sent


def test_a_change_goes_to_all_but_its_author(mixer, subscribers):
    author, other = subscribers("/track/*/volume"), subscribers("/track/*/volume")
    author.listen(), other.listen()
    author.send("/track/1/volume", 0.5)
    assert other.listen() == [("/track/1/volume", [0.5])]
    assert author.listen() == []
    other.send("/track/*/volume", 0.25)
    assert sorted(author.listen()) == [(f"/track/{n}/volume", [0.25]) for n in (1, 2, 3)]
    assert other.listen() == []
    mixer.ctl("undo")
    assert len(author.listen()) == len(other.listen()) == 3


def test_what_another_puts_back_at_once_is_told(mixer, subscribers):
    author, other = subscribers("/track/1/volume"), mixer.osc()
    author.listen()
    for turn in range(12):
        author.send("/track/1/volume", 0.3)
        time.sleep(turn / 500)
        other.ask("/track/1/volume", 1.0)
        wait_until(
            lambda: author.listen(0.02) is not None and author.values["/track/1/volume"] == [1.0],
            f"turn {turn}: the author is told that it is as before",
            2,
        )
        author.values["/track/1/volume"] = None


def test_every_scale_of_a_fader_follows_and_none_is_echoed(mixer, subscribers):
    author, other = subscribers("/track/1/volume/*"), subscribers("/track/1/volume/*")
    author.listen(), other.listen()
    author.send("/track/1/volume/position", 1.0)
    other.listen()
    assert other.values["/track/1/volume/position"] == [1.0] and other.values["/track/1/volume/db"] == [
        pytest.approx(6.0206)
    ]
    assert author.listen() == []


def test_a_sweep_is_thinned_out_and_its_last_value_always_comes(mixer, subscribers):
    author, slow = subscribers("/nothing"), subscribers("/track/1/volume", 10)
    slow.listen()
    for i in range(1000):
        author.send("/track/1/volume", i / 1000)
        time.sleep(0.001)
    came = slow.listen(0.5)
    assert came[-1] == ("/track/1/volume", [pytest.approx(0.999)])
    assert len(came) <= 10 * 3


def test_meters_and_position_ride_on_it(mixer, subscribers):
    one = subscribers("/*/*/meter")
    two = subscribers("/transport/position", 20)
    mixer.ctl("play")
    one.listen(0.5)
    assert (
        one.values["/track/1/meter"][:2] == [0.25, 0.25]
        and abs(one.values["/track/2/meter"][2] - 0.125) < 1e-3
    )
    assert set(one.values) == {f"/track/{n}/meter" for n in (1, 2, 3)}
    frames = [values[0] for _, values in two.listen(0.5)]
    assert len(frames) > 5 and frames == sorted(frames) and len(set(frames)) == len(frames)
    peaks = mixer.osc().ask("/track/1/meter")
    assert peaks[0][1][0] == 0.25  # whoever asks has peaks of its own


def test_meters_come_as_often_as_they_were_asked_for(mixer, subscribers):
    """Also those that stand; who has said nothing of how often hears of what changes."""
    asked, plain = subscribers("/track/*/meter", 20), subscribers("/track/*/meter")
    asked.listen(), plain.listen()
    came = asked.listen(1)
    assert plain.listen() == [], "silence is no news"
    for track in (1, 2, 3):
        values = [values for address, values in came if address == f"/track/{track}/meter"]
        assert len(values) > 5 and values == [[0, 0, 0, 0]] * len(values), (track, values)
    # What waited for it is among them.
    assert len(came) <= 3 * 40, "not more often, either"
    # The same subscription renewed is one.
    for _ in range(5):
        asked.send("/subscribe", "/track/*/meter", 20)
    assert len(asked.listen(1)) <= 3 * 40


def test_a_fade_is_followed_to_its_end(mixer, subscribers):
    one = subscribers("/track/1/volume")
    one.listen()
    mixer.ctl("fade", 1, 0, "400ms")
    values = [value for _, (value,) in one.listen(1.0)]
    assert len(values) > 5 and values == sorted(values, reverse=True) and values[-1] == 0


def test_unsubscribed_is_unsubscribed_and_a_lease_ends(mixer, subscribers):
    one, two, kept = subscribers(), subscribers("/track/1/*"), subscribers("/track/1/*")
    for subscriber in (one, two, kept):
        subscriber.listen()
    one.send("/unsubscribe")
    mixer.ctl("volume", 1, 0.5)
    assert one.listen() == [] and two.listen() == [("/track/1/volume", [0.5])]
    kept.listen()
    for _ in range(6):
        time.sleep(2)
        kept.send("/subscribe", "/track/1/*")
        assert kept.listen(0.05) == []  # renewed, not begun anew
    mixer.ctl("volume", 1, 0.25)
    assert kept.listen() == [("/track/1/volume", [0.25])] and two.listen() == []


def test_over_tcp_too(mixer):
    body = b"/subscribe\0\0" + b",s\0\0" + b"/track/2/name\0\0\0"
    with socket.create_connection(("127.0.0.1", mixer.port), 5) as talk:
        talk.sendall(struct.pack(">I", len(body)) + body)
        size = struct.unpack(">I", talk.recv(4, socket.MSG_WAITALL))[0]
        (message,) = OscBundle(talk.recv(size, socket.MSG_WAITALL))
        assert (message.address, list(message.params)) == ("/track/2/name", ["voice"])
    mixer.ctl("name", 2, "speech")


def test_who_is_gone_holds_no_place(mixer):
    """All that there is room for, by clients that go: the next has room at once, not when theirs would
    end."""

    def line(address, word):
        message = osc_message_builder.OscMessageBuilder(address)
        message.add_arg(word)
        body = message.build().dgram
        return struct.pack(">I", len(body)) + body

    def answer(talk):
        size = struct.unpack(">I", talk.recv(4, socket.MSG_WAITALL))[0]
        return OscMessage(talk.recv(size, socket.MSG_WAITALL))

    for _ in range(4):
        with socket.create_connection(("127.0.0.1", mixer.port), 5) as talk:
            for number in range(256):
                talk.sendall(line("/subscribe", f"/nothing/{number}"))
            talk.sendall(line("/ping", 1))
            assert answer(talk).address == "/pong", "all are taken"
    with socket.create_connection(("127.0.0.1", mixer.port), 5) as talk:

        def is_taken():
            talk.sendall(line("/subscribe", "/nothing/else") + line("/ping", 1))
            said = answer(talk).address
            return said == "/pong" or (answer(talk) and False)

        wait_until(is_taken, "there is room", 5)


@pytest.mark.parametrize(
    "arguments",
    [(5,), ("/track/[1/x",), ("/track/*", 0), ("/track/*", 1000), ("/track/*", "fast"), ("/a", 1, 1)],
)
def test_subscriptions_that_make_no_sense_are_refused(mixer, arguments):
    peer = mixer.osc()
    assert [address for address, _ in peer.ask("/subscribe", *arguments)] == ["/error"]
    peer.close()


def test_sixty_four_controllers(mixer, subscribers):
    many = [subscribers("/track/*/volume") for _ in range(64)]
    for one in many:
        wait_until(lambda: one.listen(0.02) and len(one.values) == 3, "the state has come")
    mixer.ctl("volume", 1, 0.5)
    for one in many:
        wait_until(lambda: one.listen(0.02) and one.values["/track/1/volume"] == [0.5], "the change has come")


def test_oscdump_prints_what_it_is_told(mixer):
    """oscdump cannot subscribe by itself: another does so from its port, and leaves it to oscdump."""
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.bind(("127.0.0.1", 0))
    port = sender.getsockname()[1]
    builder = osc_message_builder.OscMessageBuilder("/subscribe")
    builder.add_arg("/track/*/volume")
    sender.sendto(builder.build().dgram, ("127.0.0.1", mixer.port))
    sender.close()
    dump = subprocess.Popen(["oscdump", "-L", str(port)], stdout=subprocess.PIPE, text=True)
    try:
        lines = iter(dump.stdout.readline, "")
        feeder = threading.Thread(
            target=lambda: [
                (mixer.ctl("volume", 2, n % 90 / 100 + 0.05), time.sleep(0.05)) for n in range(40)
            ]
        )
        feeder.start()
        assert any("/track/2/volume f" in line for line in lines)
        feeder.join()
    finally:
        dump.kill()
        dump.wait()
        dump.stdout.close()
