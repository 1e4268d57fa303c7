"""The mixer on the web, from outside and without a browser: who gets in, OSC over the WebSocket, OSCQuery,
uploads, and what hostile clients can do."""

import asyncio
import http.client
import io
import itertools
import json
import os
import random
import re
import socket
import subprocess
import threading
import time
import urllib.parse

import numpy as np
import pytest
import soundfile
import websockets
from conftest import RATE, Capture, JMIX, bundle, steady, wait_until
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_bundle_builder import IMMEDIATELY
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder
from websocket import Socket, request


def packet(address, *arguments):
    builder = OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(*argument) if isinstance(argument, tuple) else builder.add_arg(argument)
    return builder.build().dgram


def messages(data):
    if OscBundle.dgram_is_bundle(data):
        return [message for part in OscBundle(data) for message in messages(part.dgram)]
    message = OscMessage(data)
    return [(message.address, list(message.params))]


class Web:
    """What a mixer said of its page."""

    def __init__(self, mixer):
        self.mixer = mixer
        guests = "--web-guest" in mixer.process.args
        wait_until(lambda: len(self.addresses()) > guests, "jmix says the addresses of its page")
        (port, self.token), *others = self.addresses()
        self.port = int(port)
        self.guest_token = others[0][1] if guests else None

    def addresses(self):
        return re.findall(r"http://\S+:(\d+)/\?token=(\w+)", self.mixer.log)

    def ask(self, path, method="GET", body=None, token=True, **headers):
        """Status, headers and content. A program with the token, unless told."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            given.setdefault("Authorization", f"Bearer {self.token if token is True else token}")
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, content

    def json(self, path):
        status, _, content = self.ask(path)
        assert status == 200, (path, status, content)
        return json.loads(content)


@pytest.fixture
def web(mixers, jackd, make_session):
    return Web(
        mixers(
            "--server",
            jackd.name,
            "--no-connect",
            "--web",
            "0",
            "--web-guest",
            make_session(ducks=[{"track": "music", "under": "voice", "to": 0.3}]),
        )
    )


# MARK: who gets in


def test_who_gets_in_and_who_does_not(web):
    page = {"Accept": "text/html,*/*"}
    own = f"127.0.0.1:{web.port}"
    status, headers, _ = web.ask("/", token=False, **page)
    assert status == 401
    status, headers, _ = web.ask(f"/?token={web.token}", token=False, **page)
    assert (
        status == 303
        and headers["location"] == "/"
        and "HttpOnly" in headers["set-cookie"]
        and "SameSite=Strict" in headers["set-cookie"]
    )
    cookie = headers["set-cookie"].split(";")[0]
    status, headers, content = web.ask("/", token=False, Cookie=cookie, **page)
    assert (
        status == 200
        and b"<html" in content
        and "script-src 'self'" in headers["content-security-policy"]
        and "unsafe" not in headers["content-security-policy"]
    )
    # a token for another place does not lead to another host
    _, headers, _ = web.ask(f"//evil.example/?token={web.token}", token=False, **page)
    assert headers["location"] == "/evil.example/"
    for refused, code in (
        ({"Host": "evil.example"}, 421),
        ({"Host": f"evil.example:{web.port}"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": f"http://{own}"}, 401),
        ({"Sec-Fetch-Site": "cross-site"}, 401),
        ({"X-Forwarded-For": "10.0.0.1"}, 401),
        ({"Cookie": f"jmix-{web.port}=0"}, 401),
        ({"Authorization": "Bearer 0"}, 401),
    ):
        status, _, content = web.ask("/track/1/volume", token=False, **refused)
        assert status == code and content.strip(), (refused, status)
    assert web.ask("/?token=0", token=False)[0] == 401
    # a program of this machine may look, and nothing more
    assert web.ask("/track/1/volume", token=False)[0] == 200
    assert web.ask("/page/upload/a.wav", "PUT", b"x", token=False)[0] == 401
    # the page's own Origin
    assert web.ask("/page/main.js", token=False, Cookie=cookie, Origin=f"http://{own}")[0] == 200


def test_a_socket_of_another_site_is_not_opened(web):
    own = f"http://127.0.0.1:{web.port}"
    assert Socket(web.port).status == 101, "a program of this machine"
    assert Socket(web.port, f"Origin: {own}").status == 401, "a browser without the token"
    assert Socket(web.port, f"Origin: {own}", target=f"/?token={web.token}").status == 101
    assert Socket(web.port, f"Origin: {own}", f"Cookie: jmix-{web.port}={web.token}").status == 101
    assert Socket(web.port, "Origin: http://evil.example", target=f"/?token={web.token}").status == 403
    assert Socket(web.port, target=f"/?token={web.token}", host="evil.example").status == 421
    assert Socket(web.port, "X-Forwarded-For: 10.0.0.1").status == 401


def test_other_names_and_addresses_get_in_where_they_are_allowed(mixers, jackd, make_session):
    web = Web(
        mixers(
            "--server",
            jackd.name,
            "--no-connect",
            "--web",
            "0",
            "--web-host",
            "mixer.example.org",
            "--web-allow",
            "10.9.8.0/24",
            "--web-allow",
            "127.0.0.1",
            make_session(),
        )
    )
    assert web.ask("/track/1/volume", Host="mixer.example.org", Origin="https://mixer.example.org")[0] == 200
    assert web.ask("/track/1/volume", Host="mixer.example.com")[0] == 421
    other = Web(
        mixers(
            "--name",
            "other",
            "--server",
            jackd.name,
            "--no-connect",
            "--web",
            "0",
            "--web-allow",
            "10.9.8.0/24",
            make_session(name="other.json"),
        )
    )
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        other.ask("/track/1/volume")


def test_a_guest_looks_and_changes_nothing(web):
    guest = Socket(web.port, f"Authorization: Bearer {web.guest_token}")
    assert guest.status == 101
    guest.send(2, packet("/track/1/volume"))
    assert messages(guest.receive()[1]) == [("/track/1/volume", [1.0])]
    for said in (
        packet("/track/1/volume", 0.1),
        packet("/transport/play"),
        packet("/panic"),
        packet("/track/1/volume/touch", 1),
        packet("/session/save"),
        packet("/track/1/ramp", 0.0, 1.0, 0.0, 1.0),
    ):
        guest.send(2, said)
        ((address, words),) = messages(guest.receive()[1])
        assert address == "/error" and "guest" in words[1]
    # Nor for later, nor by saying that it is somebody else.
    guest.send(2, bundle(time.time() + 5, ("/track/1/volume", 0.5)).dgram)
    ((address, words),) = messages(guest.receive()[1])
    assert address == "/error" and "guest" in words[1]
    for headers in ({}, {"jmix_role": "desk"}):
        asked = web.ask("/page/upload/a.wav", "PUT", b"x" * 100, token=web.guest_token, **headers)
        assert asked[0] == 403, headers
    said = Socket(web.port, f"Authorization: Bearer {web.guest_token}", "jmix-role: desk")
    said.send(2, packet("/track/1/volume", 0.5))
    ((address, words),) = messages(said.receive()[1])
    assert address == "/error" and "guest" in words[1]
    assert (
        web.mixer.json("volume", "1")["volume"] == 1.0
        and json.loads(web.ask("/page/data/session.json", token=web.guest_token)[2])["guest"] is True
    )


# MARK: OSC over the WebSocket


def test_what_udp_says_a_websocket_says(web):
    async def talk():
        async with (
            websockets.connect(f"ws://127.0.0.1:{web.port}/") as one,
            websockets.connect(f"ws://127.0.0.1:{web.port}/") as two,
        ):
            await one.send(packet("/subscribe", "/track/*/volume", (60, "i")))
            await two.send(packet("/subscribe", "/track/*/volume", (60, "i")))
            assert (
                len(messages(await asyncio.wait_for(one.recv(), 5))) == 3
                and len(messages(await asyncio.wait_for(two.recv(), 5))) == 3
            )
            await one.send(packet("/track/2/volume", 0.25))
            assert messages(await asyncio.wait_for(two.recv(), 5)) == [("/track/2/volume", [0.25])]
            # a finger on a fader is seen by all, and respected
            await one.send(packet("/track/2/volume/touch", 1))
            await one.send(packet("/ping", 7))
            assert messages(await asyncio.wait_for(one.recv(), 5)) == [("/pong", [7])], (
                "no echo of what it has set itself"
            )
            await two.send(packet("/track/2/volume", 0.5))
            ((address, words),) = messages(await asyncio.wait_for(two.recv(), 5))
            assert address == "/error" and "finger" in words[1]
            assert web.mixer.json("volume", "2")["volume"] == 0.25
        # its owner has gone
        wait_until(
            lambda: web.mixer.json("tracks") and web.mixer.ctl("volume", "2", 0.75, code=0) == "",
            "the touch ended with its connection",
        )

    asyncio.run(talk())


def test_a_long_answer_and_a_bundle(web):
    one = Socket(web.port)
    one.send(2, packet("/help"))
    one.send(2, packet("/ping", 1))
    count = 0
    while (said := messages(one.receive()[1])) != [("/pong", [1])]:
        count += len(said)
    assert count == len(web.mixer.ctl("help", "osc").split("\n| `")) - 1
    inner = [packet("/track/1/mute", 1), packet("/track/2/mute", 1)]
    one.send(
        2, b"#bundle\0" + bytes(7) + b"\1" + b"".join(len(part).to_bytes(4, "big") + part for part in inner)
    )
    # in pieces, with a ping between them
    data = packet("/track/3/mute", 1)
    one.send(2, data[:8], fin=False)
    one.send(9, b"hello")
    one.send(0, data[8:])
    assert one.receive() == (10, b"hello")
    one.send(2, packet("/ping", 2))
    assert messages(one.receive()[1]) == [("/pong", [2])]
    assert [track["mute"] for track in web.mixer.json("tracks")] == [True] * 3


def test_one_that_does_not_read_is_not_waited_for(web):
    """It gets what is newest once it reads again, nobody else waits meanwhile, and the mixer holds on to
    little."""
    web.mixer.ctl("play")
    slow = Socket(web.port, receive_buffer=16384)
    slow.send(2, packet("/subscribe", "*", (100, "i")))
    quick = Socket(web.port)
    before = memory(web.mixer)
    for number in range(150):
        quick.send(2, packet("/track/1/volume", (number % 100) / 100))
        quick.send(2, packet("/ping", number))
        assert messages(quick.receive()[1]) == [("/pong", [number])]
        time.sleep(0.002)
    quick.send(2, packet("/track/1/volume", 0.625))
    assert memory(web.mixer) < before + 8
    slow.send(2, packet("/subscribe", "*", (100, "i")))
    last = None
    while True:
        said = dict((address, values) for address, values in messages(slow.receive()[1]))
        last = said.get("/track/1/volume", last)
        if last == [0.625]:
            break


def test_a_flood_is_read_to_its_end(web):
    """More than the mixer takes at once stays in the socket, and is read on when there is room again."""
    one = Socket(web.port)
    one.socket.settimeout(20)
    count = 20_000
    sender = threading.Thread(
        target=lambda: one.socket.sendall(
            b"".join(Socket.frame(2, packet("/ping", number)) for number in range(count))
        )
    )
    sender.start()
    for number in range(count):
        assert messages(one.receive()[1]) == [("/pong", [number])]
    sender.join(10)


def test_who_is_far_behind_is_told_less_and_stays(mixers, jackd, make_session):
    """Of a thousand faders that move a hundred times a second, who does not read gets what fits, and in the
    end how things are: it is not closed for what has piled up."""
    session = make_session()
    document = json.loads(session.read_text())
    document["tracks"] = [{"name": f"t{number}", "clips": []} for number in range(1000)]
    session.write_text(json.dumps(document))
    web = Web(mixers("--server", jackd.name, "--no-connect", "--web", "0", session))
    slow, quick = Socket(web.port, receive_buffer=16384), Socket(web.port)
    slow.socket.settimeout(20)
    # Each of them tells all three scales of a thousand faders: some 600 kB each time.
    patterns = [
        f"/{track}/*/{volume}"
        for track in ("track", "trac*", "tra*", "tr*")
        for volume in ("volume", "volume/db", "volume/position")
    ]
    for pattern in patterns:
        slow.send(2, packet("/subscribe", pattern, (100, "i")))
    for number in range(60):
        quick.send(2, packet("/track/*/volume", number / 100))
        quick.send(2, packet("/ping", number))
        assert messages(quick.receive()[1]) == [("/pong", [number])]
    quick.send(2, packet("/track/*/volume", 0.875))
    quick.send(2, packet("/ping", 1))
    quick.receive()
    received, last = 0, None
    for pattern in patterns:
        slow.send(2, packet("/subscribe", pattern, (100, "i")))
    while last != [0.875]:
        frame = slow.receive()
        assert frame and frame[0] == 2, f"it was closed after {received} bytes"
        received += len(frame[1])
        last = dict(messages(frame[1])).get("/track/1000/volume", last)


def memory(mixer):
    with open(f"/proc/{mixer.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


# MARK: data for the page


def test_what_the_page_draws(web, tmp_path):
    web.mixer.ctl("ramp", "music", 0.5, 0.8, "2s", "4s")
    web.mixer.ctl("bus", "add", "hall")
    web.mixer.ctl("send", "voice", "hall", 0.5)
    web.mixer.ctl("marker", "add", "verse", "3s")
    model = web.json("/page/data/session.json")
    music = model["strips"][0]
    assert music["name"] == "music" and music["lanes"]["volume"] == [
        {"from": 0.5, "to": 0.8, "start": 2, "end": 4, "curve": "linear"}
    ]
    assert (
        music["clips"][0] | {"start": 0, "end": 20} == music["clips"][0]
        and model["end"] == 20
        and model["guest"] is False
    )
    assert [strip["kind"] for strip in model["strips"]] == [
        "track",
        "track",
        "track",
        "bus",
        "master",
    ] and model["strips"][1]["sends"][0]["to"] == "hall"
    assert model["markers"] == [{"name": "verse", "at": 3}] and model["ducks"][0]["to"] == 0.3
    # the volume as it is played: the ramp, under a duck that holds from the start on
    played = web.json("/page/data/played?from=2&to=4&columns=3")
    assert played["/track/1"] == pytest.approx([0.5 * 0.3, 0.65 * 0.3, 0.8 * 0.3], abs=1e-4)
    edition = model["edition"]
    web.mixer.ctl("automation", "music", "clear")
    assert web.json("/page/data/session.json")["edition"] > edition
    for path in (
        "/page/data/played?from=4&to=2&columns=3",
        "/page/data/played?from=0&to=2&columns=1000000",
        "/page/data/played?from=nan&to=1&columns=9",
    ):
        assert web.ask(path)[0] == 400
    (tmp_path / "unplayed.wav").write_bytes((tmp_path / "music.wav").read_bytes())
    assert (
        web.ask("/page/data/peaks?file=/etc/passwd")[0] == 404
        # A sound, but none that is played here.
        and web.ask("/page/data/peaks?file=unplayed.wav")[0] == 404
        and web.ask("/page/../../etc/passwd")[0] == 404
        and web.ask("/page/%2e%2e/x")[0] == 404
    )


def test_peaks_are_the_files_peaks(mixers, jackd, make_session, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rng = np.random.default_rng(1)
    noise = (rng.uniform(-1, 1, (100_000, 2)) * np.linspace(0, 1, 100_000)[:, None]).astype(np.float32)
    web = Web(mixers("--server", jackd.name, "--no-connect", "--web", "0", make_session({"noise": noise})))

    def peaks():
        status, _, content = web.ask("/page/data/peaks?file=noise.wav")
        assert (
            status == 200
            and content[:4] == b"JPK1"
            and np.frombuffer(content[4:16], "<u4").tolist() == [256, RATE, 391]
        )
        return np.frombuffer(content[16:], np.uint8)

    padded = np.concatenate([np.abs(noise).max(1), np.zeros(391 * 256 - 100_000)]).reshape(391, 256).max(1)
    expected = np.minimum(255, np.ceil(padded * 255)).astype(np.uint8)
    assert np.array_equal(peaks(), expected)
    # what no clip plays is nobody's to look at
    soundfile.write(tmp_path / "secret.wav", noise, RATE)
    assert web.ask("/page/data/peaks?file=secret.wav")[0] == 404
    kept = list((tmp_path / "cache/jmix/peaks").iterdir())
    assert len(kept) == 1
    assert np.array_equal(peaks(), expected) and list((tmp_path / "cache/jmix/peaks").iterdir()) == kept
    # the same sound as a new file is known by what it holds
    (tmp_path / "copy.wav").write_bytes((tmp_path / "noise.wav").read_bytes())
    (tmp_path / "copy.wav").rename(tmp_path / "noise.wav")
    assert np.array_equal(peaks(), expected) and list((tmp_path / "cache/jmix/peaks").iterdir()) == kept
    # what is kept is not believed where the file has changed
    soundfile.write(tmp_path / "noise.wav", noise[:, :] * 0.5, RATE, subtype="FLOAT")
    assert np.abs(peaks().astype(int) - expected / 2).max() <= 1


def test_an_upload_becomes_a_track(web, tmp_path):
    data = io.BytesIO()
    soundfile.write(data, steady(3 * RATE, 0.5, 0.5), RATE, format="WAV", subtype="FLOAT")
    for expected in ("new song.wav", "new song-1.wav"):
        status, _, content = web.ask("/page/upload/new%20song.wav", "PUT", data.getvalue())
        assert (
            status == 200
            and json.loads(content) == {"file": expected}
            and (tmp_path / expected).read_bytes() == data.getvalue()
        )
    one = Socket(web.port)
    one.send(2, packet("/track/add", "new song.wav", 1.0))
    assert messages(one.receive()[1]) == [("/track/add", [4])]
    for name, body, code in (
        ("%2e%2e%2fevil.wav", data.getvalue(), 400),
        ("a%2fb.wav", data.getvalue(), 400),
        (".hidden.wav", data.getvalue(), 400),
        ("session.json", b"{}", 400),
        ("session.json~", data.getvalue(), 400),
        ("session.json~2", data.getvalue(), 400),
        ("noise.wav", os.urandom(5000), 415),
        ("text.wav", b"hello", 415),
        ("plain", data.getvalue(), 400),
    ):
        status, _, content = web.ask(f"/page/upload/{name}", "PUT", body)
        assert status == code and content.strip(), (name, status, content)
        assert not [entry for entry in os.listdir(tmp_path) if entry.endswith(".wav") and entry[0] == "."]
    # one that breaks off leaves nothing
    with socket.create_connection(("127.0.0.1", web.port)) as connection:
        connection.sendall(
            (
                f"PUT /page/upload/half.wav HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nAuthorization: Bearer "
                f"{web.token}\r\nContent-Length: 100000\r\n\r\n"
            ).encode()
            + b"x" * 5000
        )
        time.sleep(0.3)
    wait_until(
        lambda: (
            sorted(
                path.name
                for path in tmp_path.iterdir()
                if "half" in path.name or "noise" in path.name or "text" in path.name
            )
            == []
        ),
        "nothing is left of it",
    )
    status, _, content = web.ask("/page/upload/big.wav", "PUT", None, Content_Length=str(1 << 40))
    assert status == 413
    assert web.ask("/page/upload/empty.wav", "PUT", b"")[0] == 415


def test_an_upload_that_asks_first_is_told_to_go_on_or_not(web, tmp_path):
    """RFC 9110, 10.1.1: as curl does with what is long."""
    data = io.BytesIO()
    soundfile.write(data, steady(RATE, 0.5, 0.5), RATE, format="WAV", subtype="FLOAT")
    data = data.getvalue()

    def ask(name, token):
        connection = socket.create_connection(("127.0.0.1", web.port), timeout=20)
        connection.sendall(
            (
                f"PUT /page/upload/{name} HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nAuthorization: Bearer "
                f"{token}\r\nContent-Length: {len(data)}\r\nExpect: 100-continue\r\n\r\n"
            ).encode()
        )
        return connection

    with ask("asked.wav", web.token) as connection:
        assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(data)
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
    assert (tmp_path / "asked.wav").read_bytes() == data
    for name, token, code in (("asked", web.token, b"400"), ("asked.wav", "wrong", b"401")):
        with ask(name, token) as connection:
            assert connection.recv(65536).startswith(b"HTTP/1.1 " + code), name


def test_a_request_may_say_a_whole_address(web):
    """RFC 9112, 3.2.2."""
    own = f"127.0.0.1:{web.port}"
    status, _, content = web.ask(f"http://{own}/track/1/volume?VALUE")
    assert status == 200 and json.loads(content) == {"VALUE": [1]}
    status, _, content = web.ask("http://evil.example/track/1/volume")
    assert status == 421 and b'"evil.example"' in content
    status, _, content = web.ask(f"http://{own}", Accept="text/html")
    assert status == 200 and b"<html" in content, "an empty path is the root"


def test_what_asks_first_whether_it_may_write_is_told_at_once(web):
    with socket.create_connection(("127.0.0.1", web.port), timeout=10) as connection:
        connection.sendall(
            (
                f"POST /track/1/volume HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nAuthorization: Bearer "
                f"{web.token}\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n"
            ).encode()
        )
        assert connection.recv(65536).startswith(b"HTTP/1.1 405 ")


def test_uploads_can_be_turned_off_and_bounded(mixers, jackd, make_session):
    off = Web(
        mixers("--server", jackd.name, "--no-connect", "--web", "0", "--web-upload", "off", make_session())
    )
    assert off.ask("/page/upload/a.wav", "PUT", b"x")[0] == 403
    small = Web(
        mixers(
            "--name",
            "other",
            "--server",
            jackd.name,
            "--no-connect",
            "--web",
            "0",
            "--web-upload",
            "1",
            make_session(name="other.json"),
        )
    )
    assert small.ask("/page/upload/a.wav", "PUT", bytes((1 << 20) + 1))[0] == 413
    for wrong in ("0", "much"):
        assert (
            subprocess.run([JMIX, "run", "--web", "0", "--web-upload", wrong], capture_output=True).returncode
            == 2
        )


# MARK: OSCQuery


def test_oscquery_says_what_there_is(web):
    host = web.json("/?HOST_INFO")
    assert (
        host["OSC_PORT"] == web.mixer.port
        and host["WS_PORT"] == web.port
        and host["EXTENSIONS"]["LISTEN"] is True
    )
    root = web.json("/")
    assert (
        root["FULL_PATH"] == "/"
        and root["ACCESS"] == 0
        and set(root["CONTENTS"]) >= {"track", "master", "transport", "session"}
    )
    volume = root["CONTENTS"]["track"]["CONTENTS"]["1"]["CONTENTS"]["volume"]
    assert (
        volume["TYPE"] == "f"
        and volume["VALUE"] == [1]
        and volume["RANGE"] == [{"MIN": 0, "MAX": 4}]
        and volume["ACCESS"] == 3
        and volume["UNIT"] == ["gain.linear"]
    )
    web.mixer.ctl("comp", "voice", "-20", "3")
    units = {path: web.json(f"/track/2/{path}").get("UNIT") for path in ("comp/attack", "comp/ratio", "pan")}
    assert units == {"comp/attack": ["time.ms"], "comp/ratio": None, "pan": None}
    assert web.json("/track/2/comp/threshold?UNIT") == {"UNIT": ["gain.db"]}
    assert root["CONTENTS"]["track"]["CONTENTS"]["2"]["DESCRIPTION"] == "voice" and "CONTENTS" not in volume
    assert (
        web.json("/track/2/mute")["TYPE"] == "F"
        and web.json("/transport/play")["TYPE"] == "I"
        and web.json("/transport/play")["ACCESS"] == 2
    )
    assert web.json("/track/1/meter/left")["ACCESS"] == 1
    web.mixer.ctl("mute", "voice", "on")
    assert web.json("/track/2/mute") | {"TYPE": "T", "VALUE": [True]} == web.json("/track/2/mute")
    assert web.json("/track/1/volume?VALUE") == {"VALUE": [1]}
    assert (
        web.ask("/track/9")[0] == 404
        and web.ask("/track/1?VALUE")[0] == 204
        and web.ask("/track/1?NONSENSE")[0] == 400
    )
    web.mixer.ctl("bus", "add", "hall of echoes")
    web.mixer.ctl("send", "voice", "hall of echoes", 0.5)
    assert (
        web.json("/track/2/send/1/volume")["VALUE"] == [0.5]
        and web.json("/track/2/send/1")["DESCRIPTION"] == "hall of echoes"
    )
    assert "hall of echoes" in web.json("/track/2/output")["RANGE"][0]["VALS"]


def test_every_address_that_oscquery_says_can_be_set_as_it_says(web):
    """As Chataigne and ossia score do: what is published with ACCESS 3 takes its own value over the
    WebSocket, what is an impulse takes one, and nothing is refused."""
    one = Socket(web.port)

    def walk(node):
        if node.get("TYPE") and node["ACCESS"] & 2:
            types, value = node["TYPE"], node.get("VALUE", [])
            arguments = [(value[0], types)] if types in "fsi" else [(None, types)]
            builder = OscMessageBuilder(node["FULL_PATH"])
            if types in "fsi":
                builder.add_arg(*arguments[0])
                data = builder.build().dgram
            else:
                path = node["FULL_PATH"].encode() + b"\0"
                data = path + b"\0" * (-len(path) % 4) + f",{types}".encode() + b"\0\0"
            if node["FULL_PATH"] not in ("/panic", "/session/redo"):
                one.send(2, data)
        for inner in node.get("CONTENTS", {}).values():
            walk(inner)

    web.mixer.ctl("volume", "1", 0.5)
    walk(web.json("/"))
    one.send(2, packet("/ping", 3))
    said = []
    while (now := messages(one.receive()[1])) != [("/pong", [3])]:
        said += now
    assert [words for address, words in said if address == "/error"] == []


def test_listen_and_ignore(web):
    one, two = Socket(web.port), Socket(web.port)
    for path in ("/track/1/volume", "/track/2/mute", "/transport/position/seconds"):
        one.send(1, json.dumps({"COMMAND": "LISTEN", "DATA": path}).encode())
    heard = dict(message for _ in range(3) for message in messages(one.receive()[1]))
    assert heard == {"/track/1/volume": [1.0], "/track/2/mute": [False], "/transport/position/seconds": [0.0]}
    web.mixer.ctl("volume", "1", 0.5)
    assert messages(one.receive()[1]) == [("/track/1/volume", [0.5])]
    one.send(1, json.dumps({"COMMAND": "IGNORE", "DATA": "/track/1/volume"}).encode())
    one.send(2, packet("/ping", 1))
    assert messages(one.receive()[1]) == [("/pong", [1])]
    web.mixer.ctl("volume", "1", 0.25)
    web.mixer.ctl("mute", "2", "on")
    assert messages(one.receive()[1]) == [("/track/2/mute", [True])]
    # text that is none of it does no harm
    for text in (
        b"",
        b"{",
        b"[]",
        b'{"COMMAND": 1}',
        b'{"COMMAND": "LISTEN"}',
        b'{"COMMAND": "LISTEN", "DATA": "/nothing"}',
        b"\xc3\xa9" * 1000,
    ):
        two.send(1, text)
    two.send(2, packet("/ping", 2))
    assert messages(two.receive()[1]) == [("/pong", [2])]
    # the tree has another shape
    web.mixer.ctl("bus", "add", "hall")
    texts = [json.loads(data) for opcode, data in (one.receive() for _ in range(4)) if opcode == 1]
    assert (
        texts[0] == {"COMMAND": "PATH_ADDED", "DATA": "/bus"}
        and {"COMMAND": "PATH_CHANGED", "DATA": "/track/2/output"} in texts
    )


class Tree:
    """What a client of OSCQuery knows of the tree, which it read once and has followed since by what it was
    told."""

    def __init__(self, web):
        self.web = web
        self.nodes = {}
        self.read("/")

    def read(self, path):
        status, _, content = self.web.ask(path)
        self.drop(path)
        if status == 200:
            self.put(json.loads(content))

    def put(self, node):
        self.nodes[node["FULL_PATH"]] = {
            name: value for name, value in node.items() if name not in ("VALUE", "CONTENTS", "TYPE")
        }
        for inner in node.get("CONTENTS", {}).values():
            self.put(inner)

    def under(self, path):
        return [one for one in self.nodes if path == "/" or one == path or one.startswith(f"{path}/")]

    def drop(self, path):
        for one in self.under(path):
            del self.nodes[one]

    def hear(self, command, data):
        if command == "PATH_REMOVED":
            assert self.under(data), f"{data} was not there to be removed"
            self.drop(data)
        elif command == "PATH_RENAMED":
            old, new = data["OLD"], data["NEW"]
            assert self.under(old) and not self.under(new), f"{old} cannot become {new}"
            for one in self.under(old):
                path = new + one.removeprefix(old)
                self.nodes[path] = self.nodes.pop(one) | {"FULL_PATH": path}
        else:
            assert command in ("PATH_ADDED", "PATH_CHANGED"), command
            assert command == "PATH_CHANGED" or not self.under(data), f"{data} was there already"
            self.read(data)


def test_whoever_follows_the_shape_of_the_tree_knows_it(web):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = random.Random(seed)
    client = Socket(web.port)
    told = []

    pings = itertools.count()

    def answered():
        """What has been told up to the answer to a question."""
        said, ping = [], next(pings)
        client.send(2, packet("/ping", ping))
        while True:
            opcode, data = client.receive()
            if opcode == 1:
                said.append(json.loads(data))
            elif ("/pong", [ping]) in messages(data):
                return said

    def settle():
        """All that is told of what was asked before. The first answer comes when all of it is done; the
        shape is told at the end of that turn, which is before a second answer."""
        return answered() + answered()

    def knows():
        for message in settle():
            told.append(message["COMMAND"])
            tree.hear(message["COMMAND"], message["DATA"])
        return tree.nodes == Tree(web).nodes

    settle()
    tree = Tree(web)
    number = lambda most: dice.randint(1, most)  # noqa: E731: many lead to nothing and are refused
    for step in range(1, 201):
        # One at a time: a packet of many may take more turns than one, and the tree that is read between
        # them is newer than what has been told.
        asked = dice.choice(
            [
                ("/bus/add", f"bus{number(6)}"),
                ("/bus/add", f"bus{number(6)}"),
                (f"/bus/{number(6)}/remove",),
                ("/dca/add", f"dca{number(3)}"),
                (f"/dca/{number(3)}/remove",),
                (f"/track/{number(4)}/send/{number(6)}", 0.5),
                (f"/track/{number(4)}/send/{number(6)}", 0.5),
                (f"/bus/{number(6)}/send/{number(6)}", 0.5),
                (f"/track/{number(4)}/send/{number(6)}/remove",),
                ("/input/add", f"in{number(4)}"),
                (f"/track/{number(5)}/remove",),
                (f"/track/{number(4)}/name", f"name{number(4)}"),
                (f"/bus/{number(4)}/name", f"name{number(4)}"),
                (f"/track/{number(4)}/gate/threshold", -20.0),
                (f"/bus/{number(4)}/comp/threshold", -20.0),
                (f"/track/{number(4)}/eq/2/gain", 3.0),
                (f"/bus/{number(4)}/automix/on", True),
                (f"/track/{number(4)}/output", f"bus{number(6)}"),
                ("/master/limit/level", -1.0),
                ("/session/undo",),
                ("/session/redo",),
                ("/session/undo",),
            ]
        )
        client.send(2, packet(*asked))
        wait_until(knows, f"what was told leads to what is there, step {step}: {asked}")
    assert {"PATH_ADDED", "PATH_REMOVED", "PATH_RENAMED", "PATH_CHANGED"} <= set(told), set(told)


def test_a_client_of_oscquery_from_elsewhere(web):
    from pythonoscquery.osc_query_client import OSCQueryClient  # noqa: F401: it is there
    import pythonoscquery.osc_query_client as module
    from zeroconf import ServiceInfo

    info = ServiceInfo(
        "_oscjson._tcp.local.",
        "jmix._oscjson._tcp.local.",
        addresses=[socket.inet_aton("127.0.0.1")],
        port=web.port,
    )
    client = module.OSCQueryClient(info)
    host = client.get_host_info()
    assert host.name == "jmix" and host.osc_port == web.mixer.port
    node = client.query_node("/track/1/volume")
    assert node is not None and node.full_path == "/track/1/volume" and list(node.value) == [1.0]


# MARK: hostile


def test_requests_that_are_none(web):
    good = f"Host: 127.0.0.1:{web.port}\r\n"
    for said in (
        b"\0" * 1000,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        f"GET / HTTP/1.1\r\n{good}{good}\r\n".encode(),
        b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        f"GET / HTTP/1.1\r\n{good}X: {'y' * 200_000}\r\n\r\n".encode(),
        f"POST / HTTP/1.1\r\n{good}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n".encode(),
        f"PUT /page/upload/a.wav HTTP/1.1\r\n{good}Transfer-Encoding: chunked\r\n\r\n".encode(),
        f"GET /{'%' * 100} HTTP/1.1\r\n{good}\r\n".encode(),
        f"DELETE /track/1 HTTP/1.1\r\n{good}\r\n".encode(),
        f"CONNECT a:1 HTTP/1.1\r\n{good}\r\n".encode(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00",
    ):
        answer = request(web.port, said, timeout=0.5)
        assert not answer or re.match(rb"HTTP/1\.[01] (4\d\d|5\d\d) ", answer), (said[:60], answer[:200])
    assert web.json("/track/1/volume")["VALUE"] == [1]


def test_frames_that_are_none(web):
    data = packet("/track/1/volume", 0.1)
    for say, code in (
        (dict(opcode=2, data=data, mask=False), 1002),
        (dict(opcode=2, data=data, reserved=4), 1002),
        (dict(opcode=3, data=data), 1002),
        (dict(opcode=11), 1002),
        (dict(opcode=0, data=data), 1002),
        (dict(opcode=9, data=b"x" * 126), 1002),
        (dict(opcode=9, data=b"x", fin=False), 1002),
        (dict(opcode=1, data=b"\xff\xfe"), 1007),
        (dict(opcode=2, data=b"", length=1 << 40), 1009),
        (dict(opcode=2, data=b"", length=(1 << 20) + 1), 1009),
        (dict(opcode=8, data=b""), 1000),
    ):
        one = Socket(web.port)
        one.send(**say)
        found = one.close_code()
        assert found == code, (say, found)
    # endless pieces
    one = Socket(web.port)
    one.send(2, b"x" * 1000, fin=False)
    try:
        for _ in range(2000):
            one.send(0, b"x" * 1000, fin=False)
    except ConnectionError:
        pass
    assert one.close_code() in (1009, None)
    # few pieces, and too long together
    one = Socket(web.port)
    one.send(2, b"x" * 600_000, fin=False)
    one.send(0, b"x" * 600_000)
    assert one.close_code() == 1009
    # begun anew before the first has ended
    one = Socket(web.port)
    one.send(2, data, fin=False)
    one.send(2, data)
    assert one.close_code() == 1002
    assert web.mixer.json("volume", "1")["volume"] == 1.0


def test_a_thousand_connections_and_those_that_say_nothing(web):
    """Whoever only holds a place keeps nobody out; a head that comes letter by letter comes to an end."""
    held = []
    for _ in range(1000):
        connection = socket.create_connection(("127.0.0.1", web.port))
        connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
        held.append(connection)
        if len(held) % 100 == 0:
            assert web.json("/track/1/volume")["VALUE"] == [1]
    # The oldest of them made room, not who came last.
    held[0].settimeout(5)
    assert held[0].recv(100) == b""
    held[-1].setblocking(False)
    with pytest.raises(BlockingIOError):
        held[-1].recv(100)
    first = Socket(web.port)
    assert first.status == 101
    files = len(os.listdir(f"/proc/{web.mixer.process.pid}/fd"))
    assert files < 400
    slow = held[-1]
    slow.settimeout(30)

    def ended():
        try:
            slow.sendall(b"x")
            slow.settimeout(0.05)
            return slow.recv(100) == b""
        except TimeoutError:
            return False
        except OSError:
            return True

    wait_until(ended, "the slow head is given up")
    for connection in held:
        connection.close()
    # sockets alone do not take all places either
    sockets = [Socket(web.port) for _ in range(200)]
    assert {one.status for one in sockets} == {101, 503}
    assert web.json("/track/1/volume")["VALUE"] == [1]
    for one in sockets:
        one.close()
    first.send(2, packet("/ping", 5))
    assert messages(first.receive()[1]) == [("/pong", [5])]


COUNT = int(os.environ.get("JMIX_HOSTILE_BYTES", "1000000"))


def test_a_million_mutated_bytes(web, jackd):
    """Changed requests and frames: nothing gets in, nothing is heard, and the mixer answers on."""
    seed = random.randrange(1 << 32)
    print("seed", seed)
    rng = random.Random(seed)
    host = f"Host: 127.0.0.1:{web.port}\r\n"
    requests = [
        f"GET / HTTP/1.1\r\n{host}Accept: text/html\r\nCookie: jmix-{web.port}=abc\r\n\r\n",
        f"GET /track/1/volume?VALUE HTTP/1.1\r\n{host}\r\n",
        f"PUT /page/upload/a.wav HTTP/1.1\r\n{host}Content-Length: 10\r\n\r\n0123456789",
        f"GET /page/data/peaks?file=music.wav HTTP/1.1\r\n{host}\r\n",
        f"GET / HTTP/1.1\r\n{host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: http://evil.example\r\n\r\n",
    ]
    quiet = [
        packet("/track/1/volume"),
        packet("/subscribe", "*", (100, "i")),
        packet("/status"),
        b'{"COMMAND":"LISTEN","DATA":"/track/1/volume"}',
        packet("/help"),
    ]

    def mutated(data):
        data = bytearray(data)
        for _ in range(rng.randint(1, 6)):
            kind = rng.randint(0, 3)
            if kind == 0 and data:
                data[rng.randrange(len(data))] = rng.randrange(256)
            elif kind == 1 and data:
                del data[rng.randrange(len(data)) :][: rng.randint(1, 20)]
            elif kind == 2:
                at = rng.randint(0, len(data))
                data[at:at] = rng.randbytes(rng.randint(1, 20))
            else:
                at = rng.randint(0, len(data))
                data[at:at] = data[: rng.randint(0, len(data))]
        return bytes(data)

    sent = 0
    with Capture(jackd) as capture:
        while sent < COUNT:
            connection = None
            try:
                if rng.random() < 0.5:
                    data = b"".join(mutated(rng.choice(requests).encode()) for _ in range(rng.randint(1, 4)))
                    connection = socket.create_connection(("127.0.0.1", web.port))
                    connection.sendall(data)
                    sent += len(data)
                else:
                    one = Socket(web.port)
                    connection = one.socket
                    for _ in range(rng.randint(1, 40)):
                        data = mutated(
                            b"".join(
                                Socket.frame(rng.choice([1, 2, 2, 9]), rng.choice(quiet))
                                for _ in range(rng.randint(1, 5))
                            )
                        )
                        connection.sendall(data)
                        sent += len(data)
            except OSError:
                pass
            finally:
                if connection:
                    connection.close()
        heard = capture.end()
    assert not heard.any()
    assert web.json("/track/1/volume")["VALUE"] == [1] and len(web.mixer.json("tracks")) == 3
    assert web.mixer.process.poll() is None


# MARK: behind a proxy, and found by name


def test_behind_nginx_as_the_documentation_has_it(mixers, jackd, make_session, tmp_path):
    """TLS by a proxy: the page, a WebSocket and an upload go through; who has no token does not, though the
    proxy is of this machine."""
    import ssl

    web = Web(
        mixers(
            "--server",
            jackd.name,
            "--no-connect",
            "--web",
            "0",
            "--web-host",
            "mixer.example.org",
            make_session(),
        )
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=mixer.example.org",
            "-addext",
            "subjectAltName=DNS:mixer.example.org",
            "-keyout",
            tmp_path / "key",
            "-out",
            tmp_path / "crt",
        ],
        check=True,
        capture_output=True,
    )
    page = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/web.md")).read()
    server = re.search(r"```nginx\n(.*?)```", page, re.S)[1]
    for before, after in (
        ("443", f"127.0.0.1:{port}"),
        ("/etc/ssl/mixer.crt", str(tmp_path / "crt")),
        ("/etc/ssl/mixer.key", str(tmp_path / "key")),
        ("7780", str(web.port)),
    ):
        server = server.replace(before, after)
    folders = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}} http {{ access_log "
        f"off; {folders} {server} }}"
    )
    proxy = subprocess.Popen(
        ["nginx", "-c", tmp_path / "nginx.conf", "-e", tmp_path / "error.log"], stderr=subprocess.DEVNULL
    )
    trust = ssl.create_default_context(cafile=tmp_path / "crt")

    def ask(path, method="GET", body=None, **headers):
        with (
            socket.create_connection(("127.0.0.1", port), timeout=5) as plain,
            trust.wrap_socket(plain, server_hostname="mixer.example.org") as secure,
        ):
            connection = http.client.HTTPConnection("mixer.example.org")
            connection.sock = secure
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def is_there():
        try:
            return ask("/")[0]
        except (OSError, http.client.HTTPException):
            return None

    try:
        wait_until(is_there, "nginx answers")
        assert ask("/track/1/volume")[0] == 401
        status, headers, _ = ask(f"/?token={web.token}", Accept="text/html")
        assert status == 303 and headers["Location"] == "/"
        cookie = headers["Set-Cookie"].split(";")[0]
        assert b"<html" in ask("/", Accept="text/html", Cookie=cookie)[2]
        data = io.BytesIO()
        soundfile.write(data, steady(RATE, 0.5, 0.5), RATE, format="WAV")
        assert ask("/page/upload/through.wav", "PUT", data.getvalue(), Cookie=cookie)[0] == 200

        async def talk():
            async with websockets.connect(
                f"wss://mixer.example.org:{port}/",
                ssl=trust,
                host="127.0.0.1",
                server_hostname="mixer.example.org",
                extra_headers={"Origin": "https://mixer.example.org", "Cookie": cookie},
            ) as one:
                await one.send(packet("/ping", 4))
                return messages(await asyncio.wait_for(one.recv(), 5))

        assert asyncio.run(talk()) == [("/pong", [4])]
    finally:
        proxy.terminate()
        proxy.wait(10)


@pytest.fixture
def avahi(tmp_path):
    """An Avahi daemon on a message bus of its own."""
    address = f"unix:path={tmp_path}/bus"
    (
        tmp_path / "bus.conf"
    ).write_text(f"""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>{address}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/>
<allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>""")
    (tmp_path / "avahi.conf").write_text(
        "[server]\nhost-name=jmix-test\nallow-interfaces=lo\nuse-ipv6=no\nenable-dbus=yes\n[publish]\n"
        "publish-hinfo=no\npublish-workstation=no\n"
    )
    environment = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": address}
    bus = subprocess.Popen(
        ["dbus-daemon", f"--config-file={tmp_path}/bus.conf", "--nofork", "--nopidfile"],
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: os.path.exists(tmp_path / "bus"), "the bus is there")

    class Daemon:
        def start(self):
            # It keeps a file in /run that says it runs: this one has a /run of its own.
            self.process = subprocess.Popen(
                [
                    "unshare",
                    "-m",
                    "sh",
                    "-c",
                    f"mount -t tmpfs none /run && exec avahi-daemon --no-drop-root --no-chroot --no-rlimits "
                    f"-f {tmp_path}/avahi.conf",
                ],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

        def stop(self):
            self.process.terminate()
            self.process.wait(10)

        def found(self, kind):
            done = subprocess.run(
                ["avahi-browse", "-tpr", kind], env=environment, capture_output=True, text=True, timeout=20
            )
            return sorted(
                {
                    (fields[3], int(fields[8]))
                    for line in done.stdout.splitlines()
                    if line.startswith("=") and (fields := line.split(";"))
                }
            )

    daemon = Daemon()
    daemon.environment = environment
    daemon.start()
    yield daemon
    daemon.stop()
    bus.terminate()
    bus.wait(10)


@pytest.mark.skipif(os.geteuid() != 0, reason="a network daemon of the test's own needs root")
def test_it_is_found_by_name_and_withdrawn(avahi, mixers, jackd, make_session, monkeypatch):
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", avahi.environment["DBUS_SYSTEM_BUS_ADDRESS"])
    # Another mixer may be announced on the same net.
    name = f"jmix-{os.getpid()}"
    mixer = mixers(
        "--server", jackd.name, "--name", name, "--no-connect", "--web", "0", "--announce", make_session()
    )

    def found(kind):
        return [one for one in avahi.found(kind) if one[0].startswith(name)]

    web = Web(mixer)
    wanted = {"_http._tcp": web.port, "_oscjson._tcp": web.port, "_osc._udp": mixer.port}
    for kind, port in wanted.items():
        wait_until(lambda: found(kind) == [(name, port)], f"{kind} is announced")
    # the daemon dies, and comes back
    avahi.stop()
    avahi.start()
    wait_until(lambda: found("_oscjson._tcp") == [(name, web.port)], "it is announced again")
    mixer.end()
    wait_until(lambda: found("_oscjson._tcp") == [], "it is withdrawn")


def test_without_avahi_a_word_once_and_all_else_works(mixers, jackd, make_session, monkeypatch, tmp_path):
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/nowhere")
    mixer = mixers("--server", jackd.name, "--no-connect", "--web", "0", "--announce", make_session())
    web = Web(mixer)
    assert web.json("/track/1/volume")["VALUE"] == [1]
    wait_until(lambda: "Avahi" in mixer.log, "it is said")
    assert mixer.log.count("Avahi") == 1


def test_many_hands_and_who_is_told(web):
    """Pages, programs over UDP and the shell, any number at once, in random orders: setting, touching,
    subscribing, listening, going. In the end everyone who listens knows what the mixer
    says, nobody was told of what he set himself last and alone, and nothing was refused but what somebody
    else's finger held."""
    seed = random.randrange(1 << 32)
    print("seed", seed)
    rng = random.Random(seed)
    udp = web.mixer.osc()
    addresses = [f"/track/{n}/{what}" for n in (1, 2, 3) for what in ("volume", "pan", "mute")]
    # What the contract says: the last that was taken; a finger keeps others off a volume.
    values = {address: 1.0 if "volume" in address else 0.0 for address in addresses}
    holders = {}
    pages = []

    class Visitor:
        def __init__(self):
            self.socket, self.known, self.errors, self.number = Socket(web.port), {}, [], 0
            self.rate = rng.choice([10, 30, 100]) if rng.random() < 0.6 else None
            if self.rate:
                self.renew()
            else:
                for address in addresses:
                    self.socket.send(1, json.dumps({"COMMAND": "LISTEN", "DATA": address}).encode())

        def renew(self):
            """A subscription lasts ten seconds, and all of this may take longer."""
            if self.rate:
                self.socket.send(2, packet("/subscribe", "/track/*/*", (self.rate, "i")))

        def say(self, *words):
            self.socket.send(2, packet(*words))
            self.number += 1
            self.socket.send(2, packet("/ping", self.number))
            refused = []
            while True:
                opcode, data = self.socket.receive()
                for address, said in messages(data) if opcode == 2 else []:
                    if address == "/pong" and said == [self.number]:
                        return refused
                    if address == "/error":
                        refused.append(said)
                    elif address in values:
                        self.known[address] = float(said[0])

        def hear(self):
            self.say("/ping", 0)

    for step in range(600):
        if step % 100 == 0:
            for page in pages:
                page.renew()
        act = rng.choice(["come", "go", "set", "set", "set", "set", "touch", "let go", "udp"])
        if act == "come" and len(pages) < 8:
            pages.append(Visitor())
        elif act == "go" and pages and rng.random() < 0.3:
            gone = pages.pop(rng.randrange(len(pages)))
            gone.socket.close()
            held = [address for address, holder in holders.items() if holder is gone]
            for address in held:
                del holders[address]
                wait_until(
                    lambda: udp.ask(f"{address}/touch") == [(f"{address}/touch", [0])],
                    "the finger went with its page",
                )
        elif act in ("touch", "let go") and pages:
            page, address = rng.choice(pages), f"/track/{rng.randint(1, 3)}/volume"
            free = holders.get(address) in (None, page)
            refused = page.say(f"{address}/touch", 1 if act == "touch" else 0)
            if act == "touch":
                assert bool(refused) != free, (step, act, refused)
                if free:
                    holders[address] = page
            elif holders.get(address) is page:
                del holders[address]
        elif act in ("set", "udp"):
            address = rng.choice(addresses)
            value = (
                float(rng.randint(0, 1))
                if "mute" in address
                else round(rng.uniform(0, 1), 3)
                if "volume" in address
                else round(rng.uniform(-1, 1), 3)
            )
            value = float(np.float32(value))
            author = rng.choice(pages) if act == "set" and pages else None
            # What moves nothing is refused to nobody.
            may = holders.get(address) in (None, author) or value == values[address]
            refused = (
                author.say(address, value)
                if author
                else [said for where, said in udp.ask(address, value) if where == "/error"]
            )
            assert bool(refused) != may, (step, address, refused)
            if may:
                values[address] = value
                if author:
                    author.known[address] = value
    for page in pages:
        page.renew()
        wait_until(
            lambda: (
                page.hear()
                or all(
                    page.known.get(address, values[address]) == pytest.approx(values[address], abs=1e-6)
                    for address in addresses
                )
                and len(page.known) == len(addresses)
            ),
            f"everyone knows what is: {page.known} of {values}",
            15,
        )
    assert {address: udp.ask(address)[0][1][0] for address in addresses} == pytest.approx(values, abs=1e-6)


# MARK: what a review found


def test_what_was_said_before_it_closed_is_done(web):
    for number in range(20):
        one = Socket(web.port)
        for step in range(20):
            one.send(2, packet("/track/2/volume", (number * 20 + step) / 400))
        one.send(8, b"\x03\xe8")
        one.close()
        wait_until(
            lambda: (
                web.mixer.json("volume", "2")["volume"] == pytest.approx((number * 20 + 19) / 400, abs=1e-6)
            ),
            "the last of it is done",
        )


def test_a_guest_cannot_stall_or_shut_out_the_desk(web):
    guest = Socket(web.port, f"Authorization: Bearer {web.guest_token}")
    # the agenda is not his
    later = bytes.fromhex("ffffffff00000000")
    for _ in range(50):
        guest.send(
            2,
            b"#bundle\0"
            + later
            + b"".join(len(part).to_bytes(4, "big") + part for part in [packet("/ping", 1)] * 100),
        )
    opcode, data = guest.receive()
    ((address, words),) = messages(data)
    assert address == "/error" and words[0] == "/ping" and "later" in words[1]
    # nor are all subscriptions, and what he listens to is bounded
    for number in range(300):
        guest.send(2, packet("/subscribe", f"/track/{number}/volume", (10, "i")))
    for number in range(20_000):
        guest.send(1, json.dumps({"COMMAND": "LISTEN", "DATA": f"/nothing/{number}"}).encode())
    desk = Socket(web.port)
    desk.send(2, packet("/subscribe", "*", (30, "i")))
    for path in ("/track/1/volume", "/track/2/volume", "/track/3/volume"):
        desk.send(1, json.dumps({"COMMAND": "LISTEN", "DATA": path}).encode())
    element = packet("/track/1/volume", 0.5)
    desk.send(
        2,
        b"#bundle\0"
        + int((time.time() + 2_208_988_800 + 0.2) * 2**32).to_bytes(8, "big")
        + len(element).to_bytes(4, "big")
        + element,
    )
    desk.send(2, packet("/ping", 9))
    said = []
    while ("/pong", [9]) not in said:
        opcode, data = desk.receive()
        said += messages(data) if opcode == 2 else []
    assert [words for address, words in said if address == "/error"] == []
    wait_until(lambda: web.mixer.json("volume", "1")["volume"] == 0.5, "a bundle for later is carried out")


def test_uploads_go_on_whoever_knocks(web, tmp_path):
    data = io.BytesIO()
    soundfile.write(data, steady(RATE, 0.5, 0.5), RATE, format="WAV", subtype="FLOAT")
    content = data.getvalue()
    with socket.create_connection(("127.0.0.1", web.port)) as upload:
        upload.sendall(
            (
                f"PUT /page/upload/slow.wav HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nAuthorization: Bearer "
                f"{web.token}\r\nContent-Length: {len(content)}\r\n\r\n"
            ).encode()
            + content[:1000]
        )
        strangers = [socket.create_connection(("127.0.0.1", web.port)) for _ in range(400)]
        time.sleep(0.3)
        upload.sendall(content[1000:])
        upload.settimeout(10)
        assert upload.recv(1000).startswith(b"HTTP/1.1 200 ")
    for stranger in strangers:
        stranger.close()
    assert (tmp_path / "slow.wav").read_bytes() == content


def test_the_token_stays_and_is_nobody_elses_to_read(web):
    place = os.path.join(os.environ["XDG_STATE_HOME"], "jmix")
    assert (
        open(os.path.join(place, "web-token")).read().strip() == web.token
        and open(os.path.join(place, "web-guest-token")).read().strip() == web.guest_token
    )
    assert os.stat(os.path.join(place, "web-token")).st_mode & 0o777 == 0o600
    assert (
        web.ask(f"/track/2/volume?token={web.token}&VALUE", token=False)[2]
        == web.ask("/track/2/volume?VALUE")[2]
    )


def test_a_proxy_without_a_word_of_whom_it_speaks_for_lets_nobody_in(mixers, jackd, make_session):
    web = Web(
        mixers(
            "--server",
            jackd.name,
            "--no-connect",
            "--web",
            "0",
            "--web-host",
            "mixer.example.org",
            make_session(),
        )
    )
    for host in ("mixer.example.org", f"127.0.0.1:{web.port}"):
        assert (
            Socket(web.port, host=host).status == 401
            and web.ask("/track/1/volume", token=False, Host=host)[0] == 401
        )
        assert Socket(web.port, f"Authorization: Bearer {web.token}", host=host).status == 101


def test_what_a_page_holds_is_let_go_when_it_is_gone(web):
    """A browser that has crashed leaves no microphone open; a shell's command is over at once, and what it
    opened stays."""
    mixer = web.mixer
    over_tcp = mixer.url.replace("udp", "tcp")
    for line in (
        "bus add hall",
        "talkback voice --to hall",
        "duck music --by hand --to 0.3",
        "talkback chime --to hall",
    ):
        mixer.ctl(*line.split())
    mixer.ctl("talkback", "chime", "on", url=over_tcp)
    first, second, peer = Socket(web.port), Socket(web.port), mixer.osc()

    def held():
        return mixer.json("talkback", "voice")["talkback"], peer.ask("/track/music/duck")[0][1]

    first.send(2, packet("/track/voice/talkback", 1))
    second.send(2, packet("/track/music/duck", 1))
    wait_until(lambda: held() == (True, [1]), "both are held")
    # No closing frame: it is gone from one moment to the next.
    first.socket.close()
    wait_until(lambda: held() == (False, [1]), "what it held is let go, and no more")
    # What somebody else has taken again is that one's.
    second.send(2, packet("/track/voice/talkback", 1))
    wait_until(lambda: held() == (True, [1]), "the other talks")
    mixer.ctl("duck", "music", "off")
    mixer.ctl("duck", "music", "on")
    second.socket.close()
    wait_until(lambda: held() == (False, [1]), "what it held last is let go")
    assert mixer.json("talkback", "chime")["talkback"]
    # What several hold is held until the last of them lets go, and somebody without a connection stays.
    third, fourth = Socket(web.port), Socket(web.port)
    for page in (third, fourth):
        page.send(2, packet("/track/voice/talkback", 1))
        page.send(2, packet("/track/music/duck", 1))
        page.send(2, packet("/ping", 1))
        assert messages(page.receive()[1]) == [("/pong", [1])]
    mixer.ctl("duck", "chime", "--by", "hand", "--to", 0.5)
    third.send(2, packet("/track/chime/duck", 1))
    wait_until(lambda: peer.ask("/track/chime/duck")[0][1] == [1], "the third page holds something alone")
    third.socket.close()
    wait_until(lambda: peer.ask("/track/chime/duck")[0][1] == [0], "the mixer knows that it is gone")
    assert held() == (True, [1])
    fourth.socket.close()
    wait_until(lambda: held() == (False, [1]), "nobody holds the talkback; the shell holds the duck")
    peer.close()
