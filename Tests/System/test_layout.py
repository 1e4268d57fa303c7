"""Layouts for tablets: every control's lowest and highest message is taken by a running mixer, and the whole
is well-formed."""

import json
import re
import subprocess
import xml.etree.ElementTree as ElementTree
import zlib

import pytest
from conftest import run, steady


@pytest.fixture
def session(make_session):
    names = ["music", 'quote " & <tag>', *(f"track {n}" for n in range(3, 11))]
    path = make_session({f"t{n}": (steady(100, 0.1, 0.1), {"name": name}) for n, name in enumerate(names)})
    document = json.loads(path.read_text())
    document["scenes"] = [
        {"name": name, "master": {"fader": 1, "mute": False}, "tracks": []}
        for name in ("verse", 'the "end" & more')
    ]
    path.write_text(json.dumps(document))
    return path


@pytest.fixture
def peer(mixers, jackd, session):
    peer = mixers("--server", jackd.name, "--no-connect", session).osc()
    yield peer
    peer.close()


def refusals(peer, address, *arguments):
    """Undo may find nothing to undo; that apart, nothing is refused."""
    return [
        values
        for said, values in peer.ask(address, *arguments)
        if said == "/error" and "nothing to" not in values[1]
    ]


def nodes(path):
    root = ElementTree.fromstring(zlib.decompress(path.read_bytes()))
    assert root.tag == "lexml" and root.get("version") == "3"
    return list(root.iter("node"))


def messages(node):
    """address, arguments at each end of the control's travel, whether it sends and receives."""
    for osc in node.findall("messages/osc"):
        address = "".join(partial.findtext("value") for partial in osc.findall("path/partial"))
        ends = []
        for end in ("scaleMin", "scaleMax"):
            arguments = []
            for partial in osc.findall("arguments/partial"):
                text = (
                    partial.findtext(end)
                    if partial.findtext("type") == "VALUE"
                    else partial.findtext("value")
                )
                kind = partial.findtext("conversion")
                arguments.append(float(text) if kind == "FLOAT" else int(text) if kind == "INTEGER" else text)
            ends.append(arguments)
        yield address, ends, osc.findtext("send") == "1", osc.findtext("receive") == "1"


def test_touchosc(session, peer, tmp_path):
    out = tmp_path / "mix.tosc"
    run("layout", "touchosc", session, out)
    found = nodes(out)
    ids = [node.get("ID") for node in found]
    assert len(set(ids)) == len(ids)
    for node in found:
        frame = node.find("properties/property[@type='r']/value")
        assert int(frame.findtext("w")) > 0 and int(frame.findtext("h")) > 0
    # How steep a pass is can be said once there is one; its frequency is sent by a script.
    for strip in [*(f"/track/{n}" for n in range(1, 11)), "/master"]:
        assert peer.ask(f"{strip}/eq/hp", 80.0) == peer.ask(f"{strip}/eq/lp", 8000.0) == []
    sent, heard = set(), set()
    for node in found:
        for address, ends, sends, receives in messages(node):
            if receives:
                heard.add(address)
                assert peer.ask(address)[0][0] == address, "what it listens to exists"
            if sends:
                sent.add(address)
                for arguments in ends:
                    assert refusals(peer, address, *arguments) == []
    for n in range(1, 11):
        assert {
            f"/track/{n}/{what}" for what in ("volume/position", "volume/touch", "mute", "solo", "pan")
        } <= sent
        assert {
            f"/track/{n}/{what}" for what in ("volume/position", "mute", "solo", "pan", "meter", "name")
        } <= heard
    assert {
        "/master/volume/position",
        "/master/mute",
        "/transport/play",
        "/transport/stop",
        "/transport/locate",
        "/transport/loop",
        "/panic",
        "/scene/recall",
    } <= sent
    recalled = [
        ends[0] for node in found for address, ends, _, _ in messages(node) if address == "/scene/recall"
    ]
    assert recalled == [["verse"], ['the "end" & more']]
    rows = [
        [int(node.find("properties/property[@type='r']/value").findtext(side)) for side in "xywh"]
        for node in found[0].findall("children/node")
    ]
    assert all(x + w <= 1024 and y + h <= 768 for x, y, w, h in rows), "all of it is on the page"
    assert "/master/meter" in heard
    script = [node.findtext("properties/property[key='script']/value") for node in found][0]
    assert "/subscribe" in script
    labels = [
        value.findtext("default")
        for node in found
        for value in node.findall("values/value")
        if value.findtext("key") == "text"
    ]
    assert 'quote " & <tag>' in labels


def test_every_strip_has_a_page_of_its_processors(session, peer, tmp_path):
    moved = {
        "eq/on",
        "eq/hp",
        "eq/lp",
        "eq/hpslope",
        "eq/2/freq",
        "eq/2/gain",
        "eq/2/q",
        "eq/1/type",
        "gate/on",
        "gate/threshold",
        "gate/range",
        "comp/on",
        "comp/threshold",
        "comp/ratio",
        "comp/attack",
        "comp/release",
        "comp/makeup",
        "limit/on",
        "limit/level",
        "volume/write",
        "pan/write",
    }
    out = tmp_path / "mix.json"
    run("layout", "open-stage-control", session, out)
    pages = [
        widget for widget in widgets(json.loads(out.read_text())["content"]) if widget["type"] == "modal"
    ]
    assert [page["popupLabel"] for page in pages][:2] == ["music", 'quote " & <tag>'] and len(pages) == 11
    assert moved <= {widget.get("address", "").removeprefix("/track/1/") for widget in widgets(pages[0])}
    frequency = next(widget for widget in widgets(pages[0]) if widget.get("address") == "/track/1/eq/2/freq")
    assert frequency["logScale"] and frequency["range"] == {"min": 20, "max": 20000}
    run("layout", "touchosc", session, tmp_path / "mix.tosc")
    page = next(node for node in nodes(tmp_path / "mix.tosc") if node.get("ID") == "/track/1/page")
    found = {node.get("ID").removeprefix("/track/1/"): node for node in page.iter("node")}
    words = {
        "eq/1/type/bell",
        "eq/1/type/lowshelf",
        "volume/write/touch",
        "volume/write/latch",
        "pan/write/read",
    }
    assert moved - {"eq/1/type", "volume/write", "pan/write"} <= set(found) and words <= set(found)
    sizes = [
        [int(node.find("properties/property[@type='r']/value").findtext(side)) for side in "xywh"]
        for node in page.findall("children/node")
    ]
    room = page.find("properties/property[@type='r']/value")
    assert all(
        x + w <= int(room.findtext("w")) and y + h <= int(room.findtext("h")) for x, y, w, h in sizes
    ), "all of it is on the page"
    # By equal ratios: the app's Lua is run by Lua, as far as it needs of the app.
    assert driven(found["eq/2/freq"], [0, 0.5, 1], [1, 20, 632.455532, 20000, 40000]) == pytest.approx(
        [20, 632.4555, 20000, 0, 0, 0.5, 1, 1], abs=1e-3
    )
    # A pass that is off lies at its open end, and that end switches it off.
    assert driven(found["eq/hp"], [0, 1], [0, 10, 2000]) == pytest.approx([0, 2000, 0, 0, 1], abs=1e-3)
    assert driven(found["eq/lp"], [0, 1], [0, 200, 20000]) == pytest.approx([200, 0, 1, 0, 1], abs=1e-3)
    off = next(widget for widget in widgets(pages[0]) if widget["id"] == "/track/1/eq/lp/off")
    assert off["on"] == 0 and peer.ask("/track/1/eq/lp", 500.0) == peer.ask(off["address"], 0.0) == []


def driven(node, places, values):
    """What a slider's script sends at these places, and where it stands for these values."""
    script = node.findtext("properties/property[key='script']/value")
    program = f"""
        self = {{ values = {{ x = 0, touch = true }} }}
        function sendOSC(address, value) print(value) end
        {script}
        for _, x in ipairs({{{", ".join(map(str, places))}}}) do self.values.x = x onValueChanged('x') end
        self.values.touch = false
        for _, f in ipairs({{{", ".join(map(str, values))}}}) do 
            onReceiveOSC({{'', {{{{ value = f }}}}}})
            print(self.values.x)
        end
        onValueChanged('x')"""
    said = subprocess.run(["lua5.4", "-"], input=program, capture_output=True, text=True, timeout=20)
    assert said.returncode == 0, said.stderr
    return [float(line) for line in said.stdout.split()]


def widgets(widget):
    yield widget
    # A panel has widgets or tabs, and no both.
    assert not (widget.get("widgets") and widget.get("tabs")), widget["id"]
    for child in widget.get("widgets", []) + widget.get("tabs", []):
        yield from widgets(child)


def test_open_stage_control(session, peer, tmp_path):
    out = tmp_path / "mix.json"
    run("layout", "open-stage-control", session, out)
    document = json.loads(out.read_text())
    assert document["type"] == "session" and document["content"]["type"] == "root"
    assert "/subscribe" in document["content"]["onCreate"]
    found = list(widgets(document["content"]))
    ids = [widget["id"] for widget in found]
    assert len(set(ids)) == len(ids)
    sent = set()
    for widget in found:
        address = widget.get("address", "auto")
        if address == "auto":
            continue
        ends = (
            [widget["range"]["min"], widget["range"]["max"]]
            if widget["type"] == "fader"
            else [widget.get("off"), widget.get("on")]
        )
        if widget.get("interaction") is False:
            assert peer.ask(address)[0][0] == address
            continue
        sent.add(address)
        for end in ends:
            if end is None:
                continue
            assert refusals(peer, address, {"f": float, "i": int, "s": str}[widget["typeTags"]](end)) == []
    for n in range(1, 11):
        assert {f"/track/{n}/{what}" for what in ("volume/position", "mute", "solo", "pan")} <= sent
    assert {
        "/transport/play",
        "/transport/stop",
        "/transport/locate",
        "/transport/loop",
        "/panic",
        "/scene/recall",
        "/master/volume/position",
    } <= sent
    # what is only computed from messages: the addresses exist
    for address in re.findall(r"OSC\{([^,]+),", out.read_text()):
        assert peer.ask(address)[0][0] == address
    # Eight strips are a page that fits a tablet, beside the master and above the transport.
    pages = next(widget for widget in found if widget["id"] == "pages")["tabs"]
    labels = [page["label"] for page in pages]
    assert labels == ["1-8", "9-10"]
    for page in pages:
        assert 1 <= len(page["widgets"]) <= 8
        assert all(panel["left"] + panel["width"] <= 909 for panel in page["widgets"])
    for widget in document["content"]["widgets"]:
        assert widget["left"] + widget["width"] <= 1024 and widget["top"] + widget["height"] <= 740
    touches = re.findall(r"send\('(\S+/touch)'", out.read_text())
    assert len(touches) == 11
    for address in touches:
        assert peer.ask(address, 1) == [] and peer.ask(address, 0) == []


def test_the_session_comes_first_and_the_file_ends_as_its_app_has_it(session, tmp_path):
    assert "SESSION OUT.tosc" in run("layout", "touchosc", tmp_path / "mix.tosc", session, code=2).stderr
    assert (
        "ends in .json" in run("layout", "open-stage-control", session, tmp_path / "mix.tosc", code=2).stderr
    )


def test_a_layout_is_not_overwritten(session, tmp_path):
    out = tmp_path / "mix.json"
    run("layout", "open-stage-control", session, out)
    assert "--force" in run("layout", "open-stage-control", session, out, code=1).stderr
    run("layout", "open-stage-control", session, out, "--force")
    assert (
        "no such file"
        in run("layout", "touchosc", tmp_path / "nothing.json", tmp_path / "x.tosc", code=1).stderr.lower()
    )
