"""Badly written and hostile controllers against a playing mixer: it answers, plays on to the bit, and holds
on to nothing.

JMIX_HOSTILE_PACKETS says how many packets of all kinds (a quarter of a million by default,
others in each run)."""

import os
import random
import socket
import struct
import time

import numpy as np
import pytest
from conftest import RATE, Capture, OscPeer, wait_until
from pythonosc import osc_message_builder

pytestmark = pytest.mark.alone

COUNT = int(os.environ.get("JMIX_HOSTILE_PACKETS", "250000"))


def message(address, *arguments):
    builder = osc_message_builder.OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(*argument) if isinstance(argument, tuple) else builder.add_arg(argument)
    return builder.build().dgram


def bundle(*packets, tag=1):
    return (
        b"#bundle\0"
        + struct.pack(">Q", tag)
        + b"".join(struct.pack(">i", len(packet)) + packet for packet in packets)
    )


def nested(depth, inner):
    for _ in range(depth):
        inner = bundle(inner)
    return inner


def padded(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


# Nothing in here may change what is heard.
REFUSED = [
    message("/track/1/volume", float("nan")),
    message("/track/1/volume", float("inf")),
    message("/track/1/volume", -1.0),
    message("/track/*/volume", 1e30),
    message("/track/1/volume", "loud"),
    message("/track/1/volume", (b"\xff" * 400, "b")),
    message("/track/99/mute", 1),
    message("/track/1/mute", 7),
    message("/track/1/fade", 0.5),
    message("/track/1/fade", 0.5, float("nan")),
    message("/track/1/fade", 2.0, "-5s"),
    message("/track/1/pan", float("-inf")),
    message("/track/1/ramp", 0.0, 1.0, "9" * 400 + "s", "2s"),
    message("/track/1/ramp", 0.0, 1.0, "1/0", "2s"),
    message("/track/1/ramp", 0.0, 1.0, "4s", "2s"),
    message("/track/1/ramp", 0.0, 1.0, (2**63 - 1, "h"), (2**63 - 1, "h")),
    message("/track/1/name", ""),
    message("/track/1/name", "x" * 30000),
    message("/track/1/name", "a/b"),
    message("/track/add", "/etc/passwd"),
    message("/track/add", "../../../etc/passwd"),
    message("/track/add", "\x00"),
    message("/track/add", "a" * 9000),
    message("/track/1/insert", "/dev/zero", 0.0),
    message("/session/save", "../evil"),
    message("/session/save", "/tmp/evil"),
    message("/session/load", "/etc/passwd"),
    message("/transport/locate", float("nan")),
    message("/transport/locate", -1.0),
    message("/transport/locate", (-1, "h")),
    message("/transport/loop", 3.0, 1.0),
    message("/duck", "music", "music", 0.3),
    message("/duck", "music", "nobody", 0.3),
    message("/subscribe", "[", 30),
    message("/subscribe", "*", 1e9),
    message("/" + "*a" * 200 + "/mute", 1),
    message("/track/" + "*a" * 3000 + "/mute", 1),
    message("/track/{" + "a," * 3000 + "}/mute", 1),
    message("/track/[a-/mute", 1),
    message("/{track,track}" * 50, 1),
    message("/nothing", 1),
    message("/", 1),
    message("/track", 1),
    message("//////", 1),
    message("/mixer/channel/set_gain", 1, 1e9),
    message("/mixer/channel/set_gain", 2**31 - 1, 0.0),
    message("/track/-1/mute", 1),
    message("/track/99999999999999999999/mute", 1),
    message("/ping", "x"),
    message("/track/1/volume", *[0.5] * 200),
    message("/help", "/" * 5000),
    message("/transport/position", 1),
    message("/track/1/automation/clear", "5s", "1s"),
]
QUESTIONS = [
    message(address)
    for address in (
        "/status",
        "/tracks",
        "/track/*/volume",
        "/transport/position",
        "/track/*/meter",
        "/help",
        "/session/history",
        "/*/*/*",
    )
]


def garbage(rng):
    """One packet of a random kind."""
    kind = rng.randrange(9)
    if kind == 0:
        return rng.randbytes(rng.randrange(0, 200))
    if kind == 1:
        packet = bytearray(rng.choice(REFUSED))[: rng.randrange(1, 400)]
        return bytes(packet)  # cut off
    if kind == 2:
        # a broken size, a lying bundle
        return (
            bundle(rng.choice(REFUSED))[:16]
            + struct.pack(">i", rng.choice([-1, 0, 3, 2**31 - 1, 60000, 1 << 20]))
            + rng.choice(REFUSED)
        )
    if kind == 3:
        return nested(rng.randrange(1, 40), rng.choice(REFUSED))
    if kind == 4:
        # type tags that promise what is not there
        return (
            padded("/track/9/volume")
            + padded(
                "," + "".join(rng.choice("ifsbhdtScrmTFNI[]xyz\xff") for _ in range(rng.randrange(1, 40)))
            )
            + rng.randbytes(4 * rng.randrange(0, 3))
        )
    if kind == 5:
        return rng.choice(QUESTIONS)
    if kind == 6:
        return bundle(*[rng.choice(REFUSED[:12]) for _ in range(rng.randrange(0, 12))])
    if kind == 7:
        return b"/" + rng.randbytes(rng.randrange(1, 60)).replace(b"\0", b"x") + b"\0\0\0\0"
    return rng.choice(REFUSED)


def memory(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


@pytest.fixture
def numbered(mixers, jackd, make_session):
    n = np.arange(20 * RATE) / 2**21
    samples = np.stack([n, -n], 1).astype(np.float32)
    return mixers("--server", jackd.name, "--no-connect", make_session({"music": samples})), samples


def test_hostile_packets_change_nothing(numbered, jackd):
    mixer, samples = numbered
    asker = mixer.osc()
    assert asker.ask("/transport/loop", (0, "h"), (len(samples), "h")) == []
    seed = random.randrange(1 << 32)
    print(f"packets of seed {seed}")
    rng = random.Random(seed)
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.connect(("127.0.0.1", mixer.port))
    udp.setblocking(False)
    tcp = []
    before = mixer.json("tracks"), mixer.json("automation", 1)

    def flood(count):
        for n in range(count):
            try:
                udp.send(garbage(rng))
            except (BlockingIOError, ConnectionRefusedError):
                pass
            if n % 500 == 0:
                while True:  # what it answers, nobody wants
                    try:
                        udp.recv(65536)
                    except BlockingIOError:
                        break
                asker.ask("/ping")  # nothing is sent faster than it is taken, so that all of it is taken
            if n % 5000 == 0:
                stranger = socket.create_connection(("127.0.0.1", mixer.port))
                stranger.sendall(
                    rng.choice(
                        [
                            b"\xc0\xdb\xdb\xc0",
                            struct.pack(">I", 2**32 - 1),
                            b"GET / HTTP/1.0\r\n\r\n",
                            struct.pack(">i", 100) + b"/half",
                        ]
                    )
                )
                tcp.append(stranger)

    with Capture(jackd) as capture:
        asker.ask("/transport/play")
        flood(COUNT // 4)
        settled = memory(mixer.process.pid)
        flood(COUNT - COUNT // 4)
        grown = memory(mixer.process.pid) - settled
        frames = capture.end()
    for stranger in tcp:
        stranger.close()
    assert asker.ask("/transport/state") == [("/transport/state", ["rolling"])]
    start = np.flatnonzero(frames[:, 0])[0] - 1  # the first sample is 0
    heard = frames[start:]
    expected = np.resize(samples, heard.shape)
    assert np.array_equal(heard, expected), "it plays on as if nobody had been there"
    assert mixer.json("status")["dropouts"] == 0
    assert (mixer.json("tracks"), mixer.json("automation", 1)) == before
    assert grown < 20_000, f"{grown} KiB more"
    wait_until(lambda: descriptors(mixer.process.pid) < 40, "the strangers' connections are gone")
    asker.close()


def test_what_is_pending_is_bounded(numbered):
    mixer, _ = numbered
    peer = mixer.osc()
    far = (int(time.time()) + 2_208_988_800 + 3600) << 32
    errors = []
    for count in [1000] * 10 + [20]:
        peer.client._sock.sendto(
            bundle(*[message("/track/1/volume", 0.5)] * count, tag=far), ("127.0.0.1", mixer.port)
        )
        errors.append(sum(address == "/error" for address, _ in peer.ask("/ping")))
    assert errors == [0] * 10 + [20], "what comes after ten thousand is refused"
    assert peer.ask("/clear") == []
    assert peer.ask("/track/1/volume") == [("/track/1/volume", [1.0])]
    peer.close()


def test_at_most_64_connections(numbered):
    mixer, _ = numbered
    clients = [socket.create_connection(("127.0.0.1", mixer.port)) for _ in range(64)]
    ping = message("/ping", 5)
    for client in clients:
        client.sendall(struct.pack(">i", len(ping)) + ping)
    for client in clients:
        client.settimeout(5)
        assert client.recv(100)[4:] == message("/pong", 5)
    more = socket.create_connection(("127.0.0.1", mixer.port))
    more.settimeout(5)
    assert more.recv(100) == b"", "the next one is turned away"
    clients.pop().close()
    wait_until(lambda: mixer.ctl("position", url=mixer.url.replace("udp", "tcp")), "and there is room again")
    for client in clients:
        client.close()


def test_slow_silent_and_half_dead_clients_hold_up_nobody(numbered):
    mixer, _ = numbered
    slow = socket.create_connection(("127.0.0.1", mixer.port))  # asks for much and fetches nothing
    question = message("/help")
    slow.setblocking(False)
    silent = socket.create_connection(("127.0.0.1", mixer.port))
    half = socket.create_connection(("127.0.0.1", mixer.port))
    half.sendall(struct.pack(">i", 5000) + b"/track/1/vol")  # the rest never comes
    subscriber = socket.create_connection(("127.0.0.1", mixer.port))
    subscribe = message("/subscribe")
    subscriber.sendall(struct.pack(">i", len(subscribe)) + subscribe)  # and never reads
    peer = mixer.osc()
    for n in range(200):
        try:
            for _ in range(50):
                slow.send(struct.pack(">i", len(question)) + question)
        except (BlockingIOError, ConnectionError):
            pass
        assert peer.ask("/track/1/volume", n / 200) == []
    assert peer.ask("/track/1/volume") == [("/track/1/volume", [pytest.approx(199 / 200)])]
    for client in (slow, silent, half, subscriber):
        client.close()
    peer.close()


def test_64_subscribers_each_get_every_meter(mixers, jackd, make_session):
    tone = np.tile(np.float32(np.sin(np.arange(10 * RATE) * 0.01))[:, None], (1, 2))
    mixer = mixers("--server", jackd.name, "--no-connect", "--play", "--loop", make_session({"tone": tone}))
    peers = [OscPeer(mixer.port) for _ in range(64)]
    for peer in peers:
        peer.client._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        peer.send("/subscribe", "/track/*/meter", 30)
    for peer in peers:
        for _ in range(5):
            data = peer.client._sock.recv(65536)
            assert b"/track/1/meter\0" in data
        peer.close()
