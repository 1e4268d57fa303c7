"""The page as a desk, in Debian's Chromium: strips that come and go, ports, layers, sizes, a long show."""

import contextlib
import json
import re

import jack
import numpy as np
import pytest
import soundfile
from conftest import RATE, interposer, steady, wait_until
from playwright.sync_api import expect
from test_page import address, browser, fader, press, row, strip, timeline, visit, web  # noqa: F401
from test_web import Web

SIZES = [(1280, 800), (1024, 768), (390, 844), (844, 390)]


@pytest.fixture
def stage(jackd):
    """Another program, with two ports that give and two that take."""
    client = jack.Client("stage", servername=jackd.name, no_start_server=True)
    for number in (1, 2):
        client.outports.register(f"out_{number}")
        client.inports.register(f"in_{number}")
    with client:
        yield client


def connected(web, port):  # noqa: F811
    connections = web.mixer.json("connect")
    return [one["other"] for one in connections if one["port"] == port and one["connected"]]


def test_strips_are_added_patched_and_removed(web, visit, jackd, stage, tmp_path):  # noqa: F811
    page = visit(address(web))
    add = page.locator("#mixer").get_by_role("button", name="Add", exact=True)

    def adding(kind):
        add.click()
        return page.get_by_role("dialog", name="Add").get_by_role("form", name=kind)

    bus = adding("Bus")
    bus.get_by_label("Name").fill("plate")
    bus.get_by_label("Channels").select_option("6")
    bus.get_by_role("button", name="Add").click()
    expect(strip(page, "plate")).to_be_visible()
    assert web.mixer.json("channels", "plate") == {"bus": 2, "channels": 6}
    dca = adding("DCA")
    dca.get_by_label("Name").fill("band")
    dca.get_by_role("button", name="Add").click()
    expect(strip(page, "band")).to_be_visible()
    # A name that cannot be is refused with a sentence, and the dialog stays.
    dca = adding("DCA")
    dca.get_by_label("Name").fill("a/b")
    dca.get_by_role("button", name="Add").click()
    expect(page.locator("#say")).to_have_class("error")
    page.get_by_role("button", name="Close").click()
    mic = adding("Input")
    mic.get_by_label("Name").fill("mic")
    mic.get_by_label("Port 1").select_option("stage:out_1")
    mic.get_by_role("button", name="Add").click()
    expect(strip(page, "mic").get_by_role("button", name="Arm")).to_be_visible()
    wait_until(lambda: connected(web, "mic_in_1") == ["stage:out_1"], "the input hears its port")
    # What it hears is another port, and then none.
    strip(page, "mic").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="mic")
    panel.get_by_label("Hears 1").select_option("stage:out_2")
    wait_until(lambda: connected(web, "mic_in_1") == ["stage:out_2"], "it hears another")
    panel.get_by_label("Hears 1").select_option("")
    wait_until(lambda: connected(web, "mic_in_1") == [], "it hears nothing")
    # The strip goes, and comes back.
    panel.get_by_role("button", name="Remove mic").click()
    expect(panel).to_have_count(0)
    expect(strip(page, "mic")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(strip(page, "mic")).to_be_visible()
    # The master's ports are those of the whole mixer.
    strip(page, "master").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="master")
    panel.get_by_label("Connect master_1").select_option("stage:in_1")
    wait_until(lambda: connected(web, "master_1") == ["stage:in_1"], "the mix goes there")
    panel.get_by_role("button", name="Disconnect master_1 stage:in_1").click()
    wait_until(lambda: connected(web, "master_1") == [], "and no more")
    panel.get_by_label("Solo mode").select_option("pfl")
    wait_until(lambda: web.mixer.json("solo-mode") == {"soloMode": "pfl"}, "solo is another")
    expect(panel.get_by_label("Connect monitor_1")).to_have_count(0)
    panel.get_by_role("button", name="Close").click()
    # Files that are chosen become tracks.
    song = tmp_path.parent / "chosen song.wav"
    soundfile.write(song, steady(RATE, 0.03125, 0.03125), RATE, subtype="FLOAT")
    add.click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Tracks from files").click()
    chooser.value.set_files(song)
    expect(strip(page, "chosen song")).to_be_visible()


def test_ports_are_listed(web, stage):  # noqa: F811
    ports = {one.pop("port"): one for one in web.mixer.json("ports")}
    sound = {"medium": "sound", "own": False}
    assert ports["stage:out_1"] == sound | {"direction": "output"}
    assert ports["stage:in_2"] == sound | {"direction": "input"}
    own = {"medium": "sound", "own": True}
    assert ports["master_1"] == own | {"direction": "output", "strip": "/master"}
    assert ports["midi_in"] == {"direction": "input", "medium": "midi", "own": True}
    # As connect takes them.
    web.mixer.ctl("connect", "master_1", "stage:in_2")
    assert connected(web, "master_1") == ["stage:in_2"]


def shown(page):
    return page.locator("#mixer .strips:not(.fixed) .strip:visible").evaluate_all(
        "strips => strips.map(strip => strip.getAttribute('aria-label'))"
    )


def test_layers_and_search_show_some_strips(web, visit):  # noqa: F811
    web.mixer.ctl("input", "add", "mic", "mono")
    page = visit(address(web))
    everything = ["music", "voice", "chime", "mic", "hall", "all"]
    assert shown(page) == everything
    layer, search = page.get_by_label("Layer"), page.get_by_label("Search")
    for name, there in {
        "tracks": everything[:3],
        "inputs": ["mic"],
        "buses": ["hall"],
        "dcas": ["all"],
        "all": everything,
    }.items():
        layer.select_option(name)
        assert shown(page) == there
        expect(fader(page, "master")).to_be_visible()
    search.fill("MI")
    assert shown(page) == ["mic"]
    # Another shape of the session leaves the choice alone.
    web.mixer.ctl("bus", "add", "midday")
    expect(strip(page, "midday")).to_be_visible()
    assert shown(page) == ["mic", "midday"]
    search.fill("")
    assert shown(page) == everything[:5] + ["midday", "all"]


def test_faders_stand_alike_and_the_panic_button_stays_where_it_is(web, visit):  # noqa: F811
    web.mixer.ctl("input", "add", "a microphone with a long name", "mono")
    web.mixer.ctl("talkback", "voice", "--to", "hall")
    for size in SIZES:
        page = visit(address(web), size=size, has_touch=True)
        strips = ["music", "voice", "a microphone with a long name", "hall", "all", "master"]
        for name in strips:
            strip(page, name).scroll_into_view_if_needed()
            expect(fader(page, name)).to_be_visible()
        tops = {round(fader(page, name).locator(".thumb").bounding_box()["y"], 1) for name in strips}
        assert len(tops) == 1, (size, tops)
        panic = page.get_by_role("button", name="Panic: all silent")
        place = panic.bounding_box()
        assert place["x"] + place["width"] > size[0] - 20, (size, place)
        page.get_by_role("tab", name="Timeline").click()
        assert panic.bounding_box() == place, size
        if size[0] < 640 or size[1] < 480:
            # One row of buttons; the rest behind the menu.
            page.get_by_role("tab", name="Mixer").click()
            tall = page.locator("#bar").bounding_box()["height"]
            undo = page.get_by_role("button", name="Undo")
            expect(undo).to_be_hidden()
            page.get_by_role("button", name="Menu").click()
            expect(undo).to_be_visible()
            assert panic.bounding_box() == place, size
            assert page.locator("#bar").bounding_box()["height"] > tall
        page.close()


NAMES = ["Kick", "Snare top", "Overheads of the second drum kit", "Moderator headset"] + [
    f"Backing vocal {number}" for number in range(26)
]


def test_strips_that_come_into_view_are_drawn(mixers, jackd, make_session, visit):  # noqa: F811
    """Also where one goes out of view and comes back while the browser looks."""
    tracks = {f"t{number}": steady(RATE, 0.01, 0.01) for number in range(40)}
    mixer = mixers("--server", jackd.name, "--no-connect", "--web", "0", make_session(tracks))
    page = visit(address(Web(mixer)), size=(1024, 768))  # noqa: F811
    row = page.locator("#mixer .strips").first
    box = row.bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    blank = """row => [...row.children].filter(strip => {
        const box = strip.getBoundingClientRect(), view = row.getBoundingClientRect();
        return box.right > view.left && box.left < view.right && !strip.firstChild;
    }).length"""
    for way in (1, 1, -1, 1, 1, -1, -1, 1) * 3:
        page.mouse.wheel(way * 900, 0)
        wait_until(lambda: row.evaluate(blank) == 0, "all that is in view is drawn", 3)


def test_panic_is_pressed_beside_a_panel(web, visit, jackd):  # noqa: F811
    page = visit(address(web), size=(390, 844), has_touch=True)
    strip(page, "music").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="music")
    expect(panel).to_be_visible()
    # Nothing else beside it can be used.
    assert page.locator("#bar button:not(.panic)").first.evaluate("button => button.inert")
    assert page.locator("#mixer").evaluate("main => main.inert")
    page.get_by_role("button", name="Panic: all silent").tap()
    wait_until(lambda: web.mixer.json("position")["state"] == "stopped", "it is silent")
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    wait_until(lambda: not page.locator("#mixer").evaluate("main => main.inert"), "the page is itself again")


@pytest.mark.parametrize("size", [(568, 320), (640, 320), (667, 375)])
def test_small_phones_on_their_side(web, visit, size):  # noqa: F811
    """All that a strip has is in view, and so is what is not saved."""
    page = visit(address(web), size=size, has_touch=True)
    web.mixer.ctl("volume", "voice", "0.4")
    expect(page.get_by_text("not saved")).to_be_in_viewport()
    mute = strip(page, "music").get_by_role("button", name="Mute").bounding_box()
    assert mute["y"] + mute["height"] <= size[1], mute


@pytest.mark.parametrize("size", SIZES)
def test_names_of_thirty_strips_are_read_and_all_is_reached(
    mixers,
    jackd,
    make_session,
    visit,
    size,  # noqa: F811
):
    """A name has two lines, and ends with an ellipsis where it needs more; what opens all of a strip and what
    goes from bank to bank are in view."""
    tracks = {name: steady(RATE, 0.01, 0.01) for name in NAMES}
    mixer = mixers("--server", jackd.name, "--no-connect", "--web", "0", make_session(tracks))
    web = Web(mixer)  # noqa: F811
    web.mixer.ctl("bus", "add", "hall")
    page = visit(address(web), size=size, has_touch=True)
    expect(fader(page, "master")).to_be_in_viewport()
    for name in NAMES[:5]:
        one = strip(page, name)
        one.scroll_into_view_if_needed()
        shown = one.locator(".name span")
        plate = one.locator(".name").bounding_box()
        box = shown.bounding_box()
        assert box["height"] <= plate["height"] + 1, (name, box, plate)
        lines = round(box["height"] / shown.evaluate("e => parseFloat(getComputedStyle(e).lineHeight)"))
        assert lines <= 2 and (lines == 2 or len(name) < 14), (name, lines)
        cut = shown.evaluate("e => e.scrollHeight > e.clientHeight + 1")
        assert cut == (name == NAMES[2]), name
        assert shown.evaluate("e => getComputedStyle(e).webkitLineClamp") == "2"
    # The name is changed where it stands, and then shown.
    field = strip(page, "Kick").get_by_role("textbox")
    field.scroll_into_view_if_needed()
    field.fill("")
    field.press("Enter")
    expect(field).to_have_value("Kick")
    field.fill("Kick in")
    field.press("Enter")
    expect(strip(page, "Kick in").locator(".name span")).to_have_text("Kick in")
    for way in ("Layer", "Search"):
        box = page.get_by_label(way, exact=True).bounding_box()
        end = page.get_by_role("button", name="The strips before").bounding_box()["x"]
        assert 0 <= box["x"] and box["x"] + box["width"] <= end + 1, (way, box)
    for way in ("The strips before", "The strips behind"):
        button = page.get_by_role("button", name=way)
        box = button.bounding_box()
        assert 0 <= box["x"] and box["x"] + box["width"] <= size[0], (way, box)
    strip(page, "Kick in").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="Kick in")
    expect(panel.get_by_role("slider", name="Pan", exact=True)).to_be_attached()


@pytest.mark.parametrize("size", SIZES)
def test_what_holds_does_not_hide_what_is_not_saved(mixers, servers, visit, make_session, size):  # noqa: F811
    server = servers()
    mixer = mixers("--server", server.name, "--no-connect", "--web", "0", make_session())
    page = visit(address(Web(mixer)), size=size)
    mixer.ctl("volume", "voice", "0.4")
    unsaved, banner = page.get_by_text("not saved"), page.locator("#banner")
    expect(unsaved).to_be_visible()
    server.end()
    expect(banner).to_contain_text(server.name, timeout=15000)
    for element in (unsaved, banner):
        box = element.bounding_box()
        assert box["width"] > 30 and 0 <= box["x"] and box["x"] + box["width"] <= size[0], box
    # All of the sentence is read.
    assert banner.evaluate("e => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1")
    mixer.end()


def test_a_meter_s_scale_says_what_its_bar_shows(web, visit):  # noqa: F811
    web.mixer.ctl("trim", "music", "-12dB")
    page = visit(address(web))
    # Music is 0.25, and 12 dB less: -24 dBFS; its scale has a mark there.
    mark = strip(page, "music").locator(".levels .scale i", has_text=re.compile("^−24$")).bounding_box()
    canvas = strip(page, "music").locator("canvas.meter")
    box = canvas.bounding_box()

    def top():
        """Where the bar begins, in pixels of the page."""
        row = canvas.evaluate(
            """canvas => {
                const { data, width, height } = canvas.getContext("2d").getImageData(5, 0, 1, canvas.height);
                const hole = [...data.slice(0, 3)].join();
                const isHole = y => [...data.slice(4 * y, 4 * y + 3)].join() === hole;
                let y = 0;
                while (y < height && isHole(y)) y++;
                return y;
            }"""
        )
        return box["y"] + row * box["height"] / 200

    middle = mark["y"] + mark["height"] / 2
    wait_until(lambda: abs(top() - middle) < 6, "the bar ends beside its mark")


def test_dropouts_are_told_apart_from_xruns_until_they_are_pressed(
    mixers,
    jackd,
    make_session,
    visit,
    tmp_path,
    tmp_path_factory,
    monkeypatch,  # noqa: F811
):
    monkeypatch.setenv("LD_PRELOAD", str(interposer("slow_disk", tmp_path_factory.mktemp("interposer"))))
    monkeypatch.setenv("SLOW_DISK_STALL", str(tmp_path / "stall"))
    monkeypatch.setenv("SLOW_DISK_FAIL", str(tmp_path / "fail"))
    session = make_session({"slow": steady(60 * RATE, 0.1, 0.1)})
    web = Web(mixers("--server", jackd.name, "--no-connect", "--web", "0", session))  # noqa: F811
    monkeypatch.delenv("LD_PRELOAD")
    page = visit(address(web))
    losses = page.locator("#standing .losses")
    web.mixer.ctl("play")
    wait_until(lambda: web.mixer.json("position")["seconds"] > 0.3, "it plays")
    (tmp_path / "stall").touch()
    expect(losses).to_contain_text("Dropouts 1", timeout=20_000)
    (tmp_path / "stall").unlink()
    losses.click()
    expect(losses).to_be_hidden()
    assert web.mixer.json("status")["dropouts"] == 1, "the mixer's own count goes on"


def test_the_timeline_turns_its_page_where_it_plays_out_of_it(web, visit):  # noqa: F811
    page = visit(address(web))
    timeline(page)
    web.mixer.ctl("loop", "off")
    web.mixer.ctl("stop")
    web.mixer.ctl("locate", "0")
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    # Two and a half seconds about the middle are seen: it plays into them, and out of them.
    web.mixer.ctl("locate", "9s")
    playhead = page.locator(".playhead")
    web.mixer.ctl("play")
    expect(playhead).to_be_visible()
    wait_until(lambda: web.mixer.json("position")["seconds"] > 12, "it has played on")
    expect(playhead).to_be_visible()
    # Who looks elsewhere stays there.
    page.mouse.move(600, 300)
    page.keyboard.down("Shift")
    page.mouse.wheel(0, -4000)
    page.keyboard.up("Shift")
    expect(playhead).to_be_hidden()
    place = web.mixer.json("position")["seconds"]
    wait_until(lambda: web.mixer.json("position")["seconds"] > place + 3, "it plays on")
    expect(playhead).to_be_hidden()


def test_of_a_long_show_what_is_in_view_is_drawn(mixers, jackd, visit, tmp_path):  # noqa: F811
    """2,000 tracks with 50 clips each: the page holds those that are near, wherever one scrolls."""
    soundfile.write(tmp_path / "a.wav", np.full((RATE, 2), 0.01, np.float32), RATE, subtype="PCM_16")
    tracks = [
        {"name": f"t{number}", "clips": [{"file": "a.wav", "at": f"{2 * clip}s"} for clip in range(50)]}
        for number in range(2000)
    ]
    session = tmp_path / "session.json"
    session.write_text(json.dumps({"jmix": 2, "sampleRate": RATE, "tracks": tracks}))
    web = Web(mixers("--server", jackd.name, "--no-connect", "--web", "0", session))  # noqa: F811
    page = visit(address(web))
    elements = lambda: page.evaluate("document.querySelectorAll('*').length")  # noqa: E731
    assert elements() < 6000
    strip(page, "t1500").scroll_into_view_if_needed()
    fader(page, "t1500").press("Home")
    wait_until(lambda: web.mixer.json("volume", "t1500")["volume"] == 0, "a fader far away moves it")
    web.mixer.ctl("volume", "t1500", "0.5")
    expect(fader(page, "t1500")).to_have_attribute("aria-valuetext", "-6.0 dB")
    # One that is out of view is told no more, and told anew when it is seen again.
    strip(page, "t1").scroll_into_view_if_needed()
    expect(fader(page, "t1")).to_be_visible()
    page.keyboard.press("Tab")
    web.mixer.ctl("volume", "t1500", "1")
    strip(page, "t1500").scroll_into_view_if_needed()
    expect(fader(page, "t1500")).to_have_attribute("aria-valuetext", "0.0 dB")
    page.get_by_role("tab", name="Timeline").click()
    clips = row(page, "t3").get_by_role("button", name=re.compile("^a.wav"))
    expect(clips).to_have_count(50)
    assert elements() < 40_000
    row(page, "t1200").scroll_into_view_if_needed()
    clips = row(page, "t1200").get_by_role("button", name=re.compile("^a.wav"))
    expect(clips).to_have_count(50)
    web.mixer.ctl("clip", "t1200", "1", "remove")
    expect(clips).to_have_count(49)
    assert elements() < 40_000


# MARK: several people, and strips that change their numbers


@contextlib.contextmanager
def without_news(page):
    """What becomes of the session meanwhile the page learns afterwards."""
    page.evaluate(
        """() => {
            const soon = window.fetch, isOver = new Promise((done) => window.endSilence = done);
            window.fetch = async (...words) => {
                if (`${words[0]}`.includes("session.json")) await isOver;
                return soon(...words);
            };
        }"""
    )
    yield
    page.evaluate("endSilence()")


def names(web):  # noqa: F811
    return [track["name"] for track in web.mixer.json("tracks")]


def test_a_panel_is_of_its_strip_or_closed(web, visit):  # noqa: F811
    page = visit(address(web))
    strip(page, "voice").get_by_role("button", name="All controls").dblclick()
    panel = page.get_by_role("dialog", name="voice")
    expect(panel).to_have_count(1)
    with without_news(page):
        # Another takes a track away and adds one, before this page knows of either.
        web.mixer.ctl("remove", "music")
        web.mixer.ctl("input", "add", "mic", "mono")
        panel.get_by_role("button", name="Remove voice").click()
        expect(page.locator("#say")).to_contain_text("changed that meanwhile")
    assert names(web) == ["voice", "chime", "mic"]
    expect(panel).to_have_count(0)
    # Once it knows, it can.
    strip(page, "voice").get_by_role("button", name="All controls").click()
    page.get_by_role("dialog", name="voice").get_by_role("button", name="Remove voice").click()
    wait_until(lambda: names(web) == ["chime", "mic"], "voice is gone")


def test_a_hand_moves_no_strip_that_has_taken_the_number(web, visit):  # noqa: F811
    page = visit(address(web))
    x, y = press(page, fader(page, "voice"))
    page.mouse.move(x, y + 30, steps=4)
    wait_until(lambda: web.mixer.json("volume", "voice")["volume"] < 1, "it moves")
    web.mixer.ctl("remove", "music")
    expect(strip(page, "music")).to_have_count(0)
    page.mouse.move(x, y + 90, steps=4)
    page.mouse.up()
    web.mixer.osc().ask("/ping", 1)
    assert web.mixer.json("volume", "chime")["volume"] == 1
    # The page goes on: what comes next is drawn.
    web.mixer.ctl("bus", "add", "plate")
    expect(strip(page, "plate")).to_be_visible()


def test_what_is_being_typed_is_typed_on(web, visit):  # noqa: F811
    page = visit(address(web))
    search = page.get_by_label("Search")
    search.press_sequentially("mu")
    web.mixer.ctl("bus", "add", "music room")
    expect(strip(page, "music room")).to_be_visible()
    page.keyboard.type("sic r")
    assert search.input_value() == "music r" and shown(page) == ["music room"]
    search.fill("")
    name = strip(page, "music").get_by_role("textbox")
    name.fill("my")
    web.mixer.ctl("bus", "add", "plate")
    wait_until(lambda: "plate" in [bus["name"] for bus in web.mixer.json("buses")], "another adds a bus")
    page.keyboard.type(" band")
    page.keyboard.press("Enter")
    wait_until(lambda: names(web)[0] == "my band", "it has its name")
    expect(strip(page, "plate")).to_be_visible()
    assert web.mixer.json("position")["state"] == "rolling", "a space in a name stops nothing"


def test_a_drag_ends_where_its_element_goes(web, visit):  # noqa: F811
    page = visit(address(web))
    strip(page, "voice").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="voice")
    x, y = press(page, panel.locator(".drawn .handle").first, 5, 5)
    page.mouse.move(x + 20, y - 15, steps=3)
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    page.mouse.up()
    web.mixer.ctl("bus", "add", "plate")
    expect(strip(page, "plate")).to_be_visible()


def test_a_row_at_work_may_be_renamed_and_scrolled_away(web, visit):  # noqa: F811
    web.mixer.ctl("volume", "music", "0.5", "5s")
    page = visit(address(web))
    timeline(page)
    with without_news(page):
        row(page, "music").get_by_role("button", name=re.compile("^point")).press("ArrowRight")
        web.mixer.ctl("name", "music", "song")
    expect(row(page, "song")).to_be_visible()
    wait_until(
        lambda: web.mixer.json("automation", "song")[0]["at"] != "5s", "the point has moved all the same"
    )
    web.mixer.ctl("volume", "song", "0.25", "9s")
    expect(row(page, "song").get_by_role("button", name=re.compile("^point"))).to_have_count(2)


def test_what_others_patch_stays(web, visit, stage):  # noqa: F811
    web.mixer.ctl("input", "add", "a: b'c", "stage:out_1", "stage:out_2")
    web.mixer.ctl("direct-outs", "post")
    page = visit(address(web))
    strip(page, "a: b'c").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="a: b'c")
    # Its own ports are there, whatever they are called.
    expect(panel.locator(".patched", has_text=re.compile("c_[12]"))).to_have_count(2)
    web.mixer.ctl("input", "a: b'c", "stage:out_2", "stage:out_2")
    panel.get_by_label("Hears 2").select_option("stage:out_1")
    wait_until(
        lambda: web.mixer.json("input", "a: b'c")["connect"] == ["stage:out_2", "stage:out_1"],
        "the other's choice for the first stays",
    )
    panel.get_by_label("Hears 1").select_option("")
    expect(panel.get_by_label("Hears 2")).to_have_value("")


def test_the_selected_clip_is_split_also_out_of_view(mixers, jackd, visit, make_session):  # noqa: F811
    tracks = {f"t{number}": steady(10 * RATE, 0.01, 0.01) for number in range(60)}
    session = make_session(tracks)
    web = Web(mixers("--server", jackd.name, "--no-connect", "--web", "0", session))  # noqa: F811
    page = visit(address(web))
    page.get_by_role("tab", name="Timeline").click()
    page.get_by_label("What is edited").select_option("clips")
    clip = row(page, "t1").get_by_role("button", name=re.compile("^t1.wav"))
    clip.click(position={"x": 200, "y": 40})
    expect(clip).to_have_attribute("aria-pressed", "true")
    ruler = page.locator(".ruler")
    ruler.click(position={"x": ruler.bounding_box()["width"] / 2, "y": 20})
    ruler.focus()
    row(page, "t59").scroll_into_view_if_needed()
    expect(clip).to_have_count(0)
    page.get_by_role("button", name="Split").click()
    counts = lambda: [track["clips"] for track in web.mixer.json("tracks")]  # noqa: E731
    wait_until(lambda: counts()[1] == 2, "the selected one is cut")
    assert sum(counts()) == 61
    # Without a selection all are, in one step.
    row(page, "t1").scroll_into_view_if_needed()
    page.reload()
    page.get_by_role("tab", name="Timeline").click()
    expect(row(page, "t1")).to_be_visible()
    # At once: the page asks where the mixer stands, which it has not been told yet.
    ruler.click(position={"x": ruler.bounding_box()["width"] / 4, "y": 20})
    page.get_by_role("button", name="Split").click()
    wait_until(lambda: sum(counts()) == 121, "all are cut")
    page.get_by_role("button", name="Undo").click()
    wait_until(lambda: sum(counts()) == 61, "one step takes it back")


@pytest.mark.parametrize("size", [(320, 568), (390, 844)])
def test_what_is_said_covers_no_mute_and_buses_say_what_they_are(web, visit, size):  # noqa: F811
    page = visit(address(web), size=size, has_touch=True)
    for name, number in [("hall", "Bus 1"), ("all", "DCA 1"), ("voice", "2")]:
        shown = strip(page, name).locator(".number")
        expect(shown).to_have_text(number)
        assert shown.evaluate("e => e.scrollWidth <= e.clientWidth"), name
        more = strip(page, name).locator(".more").bounding_box()
        box = shown.bounding_box()
        assert box["x"] + box["width"] <= more["x"] + 1, (name, box, more)
    page.evaluate("import('/page/bar.js').then(bar => bar.tell('a sentence that goes on and on '.repeat(3)))")
    said = page.get_by_role("status").filter(has_text="goes on")
    expect(said).to_be_in_viewport(ratio=1)
    said = said.bounding_box()
    for button in ("Mute", "Solo"):
        box = strip(page, "music").get_by_role("button", name=button, exact=True).bounding_box()
        assert said["y"] + said["height"] <= box["y"] or said["y"] >= box["y"] + box["height"], (said, box)
    assert said["y"] >= page.locator("#standing").bounding_box()["y"], "transport and panic are in view"
