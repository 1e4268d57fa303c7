"""The page in Debian's Chromium: every control by mouse, by finger and by keyboard, and what of it is heard;
two browsers at once; sleep, reload and lost servers."""

import base64
import re
import shutil
import socket
import threading
import time

import numpy as np
import pytest
import soundfile
from conftest import RATE, Capture, Mixer, steady, wait_until
from playwright.sync_api import expect, sync_playwright
from test_web import Web

CHROMIUM = shutil.which("chromium-headless-shell")
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--force-prefers-reduced-motion"]
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(browser):
    """Opens pages, each a visitor of its own; what a page complains of is a fault."""
    contexts, complaints = [], []

    def open_page(address, size=(1280, 800), script="", **options):
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, locale=options.pop("locale", "en-GB"), **options
        )
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(script)
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: (
                message.type == "error"
                and "WebSocket" not in message.text
                and "Failed to load" not in message.text
                and complaints.append(message.text)
            ),
        )
        page.goto(address)
        expect(page.get_by_role("slider", name="master", exact=True)).to_be_visible()
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def web(mixers, jackd, make_session):
    """A mixer with three tracks that play constants, a bus and a DCA, on its way round."""
    web = Web(
        mixers("--server", jackd.name, "--no-connect", "--web", "0", "--web-guest", "--loop", make_session())
    )
    web.mixer.ctl("bus", "add", "hall")
    web.mixer.ctl("dca", "add", "all", "music", "voice")
    web.mixer.ctl("play")
    return web


def address(web, guest=False):
    return f"http://127.0.0.1:{web.port}/?token={web.guest_token if guest else web.token}"


def heard(jackd):
    """What both master ports play once it is steady: the last frame of some periods."""
    with Capture(jackd) as capture:
        wait_until(lambda: capture.blocks.qsize() > 20, "twenty periods have come")
        return [float(value) for value in capture.end()[-1]]


def sounds(jackd, value):
    wait_until(lambda: heard(jackd)[0] == pytest.approx(value, abs=1e-6), f"{value} is heard")


def box_of(element):
    """Where it is, once it is there and stands: what is edited is drawn anew, and what the mixer tells of may
    move its neighbours."""
    places = [None]

    def stands():
        places.append(element.bounding_box() if element.count() else None)
        return places[-1] is not None and places[-1] == places[-2]

    wait_until(stands, lambda: f"it is to be seen and stands: {places[-3:]}")
    return places[-1]


def press(page, element, right=None, down=None):
    """Takes hold of it in its middle, or so far from its left edge and its top; gives the place."""
    place = None

    def is_under_pointer():
        nonlocal place
        box = box_of(element)
        right_of = box["width"] / 2 if right is None else right
        below = box["height"] / 2 if down is None else down
        place = box["x"] + right_of, box["y"] + below
        page.mouse.move(*place)
        return element.bounding_box() == box

    wait_until(is_under_pointer, "it stands under the pointer")
    page.mouse.down()
    return place


def strip(page, name):
    return page.locator("#mixer").get_by_role("group", name=name, exact=True)


def fader(page, name):
    return strip(page, name).get_by_role("slider", name=name, exact=True)


def volume(web, name):
    return web.mixer.json("volume", name)["volume"]


def pull(page, slider, by, steps=8):
    """Drags by so many pixels, up below zero."""
    x, y = press(page, slider)
    for step in range(1, steps + 1):
        page.mouse.move(x, y + by * step / steps)
    return x, y + by


def test_a_fader_by_mouse_keyboard_and_wheel_is_heard(web, visit, jackd):
    page = visit(address(web))
    sounds(jackd, 0.25 + 0.125 + 0.0625)
    page_music = fader(page, "music")
    assert page_music.get_attribute("aria-valuetext") == "0.0 dB"
    pull(page, page_music, 60)
    # a finger on a fader is a touch, that others see held
    assert web.mixer.osc().ask("/track/1/volume", 1.0)[0][0] == "/error"
    page.mouse.up()
    wait_until(
        lambda: web.mixer.osc().ask("/track/1/volume/touch") == [("/track/1/volume/touch", [0])],
        "the finger is off",
    )
    moved = volume(web, "music")
    assert 0 < moved < 1
    sounds(jackd, 0.25 * moved + 0.125 + 0.0625)
    # fine with shift: the same way, a tenth of it
    page.keyboard.down("Shift")
    pull(page, page_music, 60)
    page.mouse.up()
    page.keyboard.up("Shift")
    wait_until(lambda: volume(web, "music") < moved, "it moved")
    assert 20 * np.log10(volume(web, "music") / moved) > -4
    # two taps for unity
    page_music.dblclick()
    wait_until(lambda: volume(web, "music") == 1, "it is at unity")
    page_music.press("ArrowDown")
    wait_until(
        lambda: volume(web, "music") == pytest.approx(10 ** (-0.5 / 20), rel=1e-6), "half a decibel down"
    )
    page_music.press("Home")
    sounds(jackd, 0.125 + 0.0625)
    expect(page_music).to_have_attribute("aria-valuetext", "-inf dB")
    page_music.press("0")
    wait_until(lambda: volume(web, "music") == 1, "it is at unity")
    page_music.press("End")
    wait_until(lambda: volume(web, "music") == 2, "it is as high as it goes")
    # what others move is seen
    web.mixer.ctl("volume", "music", "-20dB")
    expect(page_music).to_have_attribute("aria-valuetext", "-20.0 dB")


def test_every_button_of_a_strip(web, visit, jackd):
    page = visit(address(web))
    for name, level in (("music", 0.25), ("voice", 0.125), ("chime", 0.0625)):
        mute = strip(page, name).get_by_role("button", name="Mute")
        mute.click()
        expect(mute).to_have_attribute("aria-pressed", "true")
        sounds(jackd, 0.4375 - level)
        mute.press("Enter")
        expect(mute).to_have_attribute("aria-pressed", "false")
        solo = strip(page, name).get_by_role("button", name="Solo")
        solo.click()
        sounds(jackd, level)
        solo.press(" ")
        sounds(jackd, 0.4375)
    strip(page, "all").get_by_role("button", name="Mute").click()
    sounds(jackd, 0.0625)
    strip(page, "all").get_by_role("button", name="Mute").click()
    strip(page, "master").get_by_role("button", name="Mute").click()
    sounds(jackd, 0)
    strip(page, "master").get_by_role("button", name="Mute").click()
    # a balance: sideways, by keys, back with two taps
    pan = strip(page, "music").get_by_role("slider", name="Pan music")
    pan.press("ArrowRight")
    wait_until(lambda: web.mixer.json("pan", "music")["pan"] == pytest.approx(0.05), "it is to the right")
    x, y = press(page, pan, 10, 10)
    page.mouse.move(x + 60, y, steps=5)
    page.mouse.up()
    wait_until(lambda: web.mixer.json("pan", "music")["pan"] > 0.4, "it is far to the right")
    pan.press("Home")
    wait_until(lambda: web.mixer.json("pan", "music")["pan"] == 0, "it is in the middle")
    # a name
    field = strip(page, "chime").get_by_role("textbox")
    field.fill("bells")
    field.press("Enter")
    wait_until(lambda: [track["name"] for track in web.mixer.json("tracks")][2] == "bells", "it is renamed")
    expect(fader(page, "bells")).to_be_visible()


def test_fingers(web, visit, jackd):
    """Two faders at once, by two fingers, on a tablet."""
    page = visit(address(web), size=(1180, 820), has_touch=True)
    wire = page.context.new_cdp_session(page)
    places = []
    for name in ("music", "voice"):
        box = fader(page, name).bounding_box()
        places.append([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])

    def touch(kind, by):
        wire.send(
            "Input.dispatchTouchEvent",
            {
                "type": kind,
                "touchPoints": []
                if kind == "touchEnd"
                else [{"x": x, "y": y + by, "id": number} for number, (x, y) in enumerate(places)],
            },
        )

    touch("touchStart", 0)
    for step in range(1, 9):
        touch("touchMove", 10 * step)
    peer = web.mixer.osc()

    def touched(flag):
        return all(
            peer.ask(f"/track/{number}/volume/touch") == [(f"/track/{number}/volume/touch", [flag])]
            for number in (1, 2)
        )

    wait_until(lambda: touched(1), "the mixer knows of both fingers")
    assert peer.ask("/track/2/volume", 1.0)[0][0] == "/error"
    touch("touchEnd", 0)
    wait_until(lambda: touched(0), "both fingers are gone")
    assert 0 < volume(web, "music") < 1
    assert volume(web, "music") == pytest.approx(volume(web, "voice"), rel=1e-3)
    sounds(jackd, 0.25 * volume(web, "music") + 0.125 * volume(web, "voice") + 0.0625)


def test_the_first_press_of_a_page_is_no_second_tap(web, visit):
    """However soon after the page has opened: here its clock stands at 200 ms."""
    page = visit(address(web), script="performance.now = () => 200")
    x, y = press(page, fader(page, "music"))
    page.mouse.move(x, y + 60, steps=4)
    page.mouse.up()
    wait_until(lambda: 0 < volume(web, "music") < 0.8, "the fader has moved")


def test_a_hand_on_the_page_writes_automation(web, visit, jackd):
    page = visit(address(web))
    strip(page, "music").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="music")
    panel.get_by_label("Automation Volume").select_option("touch")
    wait_until(lambda: web.mixer.json("write", "music")["write"] == "touch", "the mode is set")
    panel.get_by_role("button", name="Close").click()
    web.mixer.ctl("play")
    page_music = fader(page, "music")
    pull(page, page_music, 60)
    page.mouse.up()
    # The fader goes back, here too, and what the hand did is on the timeline.
    wait_until(lambda: web.mixer.json("automation", "music"), "it is written")
    expect(page_music).to_have_attribute("aria-valuetext", "0.0 dB")
    assert volume(web, "music") == 1
    web.mixer.ctl("write", "music", "latch")
    strip(page, "music").get_by_role("button", name="All controls").click()
    expect(panel.get_by_label("Automation Volume")).to_have_value("latch")


def written(page, strip):
    """How many pixels of a strip's row are a line that a hand writes."""
    return page.evaluate(
        """strip => {
            const row = document.querySelector(`#timeline [aria-label="${strip}"]`);
            const paper = row.querySelector("canvas");
            const colour = getComputedStyle(row).getPropertyValue("--written").trim();
            const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
            const { data } = paper.getContext("2d").getImageData(0, 0, paper.width, paper.height);
            let count = 0;
            for (let i = 0; i < data.length; i += 4) {
                if (wanted.every((part, k) => Math.abs(data[i + k] - part) < 3) && data[i + 3] > 250) count++;
            }
            return count;
        }""",
        strip,
    )


def test_a_curve_grows_on_the_timeline_under_a_hand(web, visit):
    page = visit(address(web))
    page.get_by_role("tab", name="Timeline").click()
    wait_until(lambda: page.locator("#timeline .row").count() >= 3, "the rows")
    web.mixer.ctl("loop", "off")
    web.mixer.ctl("locate", "0")
    web.mixer.ctl("write", "music", "latch")
    web.mixer.ctl("play")
    assert written(page, "music") == 0
    peer = web.mixer.osc()
    for step in range(40):
        peer.send("/track/1/volume", 0.9 - 0.02 * step)
        time.sleep(0.03)
    wait_until(lambda: written(page, "music") > 20, "the line grows")
    before = written(page, "music")
    wait_until(lambda: written(page, "music") > before, "and grows on")
    assert written(page, "voice") == 0 and web.mixer.json("automation", "music") == []
    web.mixer.ctl("stop")
    wait_until(lambda: written(page, "music") == 0, "it is in the session now")
    wait_until(lambda: web.mixer.json("automation", "music"), "as automation")
    peer.close()


def test_the_timeline_follows_a_playhead_that_is_led_elsewhere(web, visit):
    page = visit(address(web))
    page.get_by_role("tab", name="Timeline").click()
    playhead = page.locator("#timeline .playhead")
    web.mixer.ctl("stop")
    web.mixer.ctl("locate", "1s")
    expect(playhead).to_be_visible()
    for place in ("10:00", "1s", "2:00:00"):
        web.mixer.ctl("locate", place)
        wait_until(
            lambda place=place: page.locator(".position").inner_text() == clock(place),
            f"the page knows of {place}",
        )
        expect(playhead).to_be_visible()


def clock(place):
    return {"10:00": "10:00.00", "1s": "0:01.00", "2:00:00": "120:00.00"}[place]


def test_faders_of_sends(web, visit, jackd):
    web.mixer.ctl("send", "voice", "hall", 0.5)
    page = visit(address(web))
    page.get_by_label("Faders").select_option("hall")
    web.mixer.ctl("output", "voice", "none")
    sounds(jackd, 0.25 + 0.0625 + 0.125 * 0.5)
    expect(fader(page, "voice")).to_have_attribute("aria-valuetext", "-6.0 dB")
    fader(page, "voice").press("0")
    sounds(jackd, 0.25 + 0.0625 + 0.125)
    strip(page, "voice").get_by_role("button", name="Mute").click()
    sounds(jackd, 0.25 + 0.0625)
    # there was no send from it: the first move makes it
    fader(page, "music").press("0")
    wait_until(lambda: web.mixer.json("sends", "music"), "the send is made")
    sounds(jackd, 0.25 + 0.0625 + 0.25)


def test_the_bar(web, visit, jackd):
    page = visit(address(web))
    bar = page.get_by_role("toolbar")
    bar.get_by_role("button", name="Stop").click()
    wait_until(lambda: web.mixer.json("status")["state"] == "stopped", "it stands")
    bar.get_by_role("button", name="To the start").click()
    wait_until(lambda: web.mixer.json("position")["frame"] == 0, "it is at the start")
    expect(page.locator(".position")).to_have_text("0:00.00")
    page.keyboard.press(" ")
    wait_until(lambda: web.mixer.json("status")["state"] == "rolling", "it rolls")
    loop = bar.get_by_role("button", name="Loop")
    expect(loop).to_have_attribute("aria-pressed", "true")
    loop.click()
    wait_until(
        lambda: web.mixer.json("loop") == {"loop": None} or not web.mixer.json("loop").get("loop"),
        "it loops no more",
    )
    fader(page, "music").press("Home")
    undo = bar.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("title", "Undo: volume of music")
    undo.click()
    wait_until(lambda: volume(web, "music") == 1, "it is taken back")
    bar.get_by_role("button", name="Redo").click()
    wait_until(lambda: volume(web, "music") == 0, "it is made again")
    page.once("dialog", lambda dialog: dialog.accept("quiet"))
    bar.get_by_label("Scenes").select_option("+")
    expect(bar.get_by_label("Scenes").locator("option")).to_contain_text(["Scenes", "quiet", "Store"])
    fader(page, "music").press("0")
    wait_until(lambda: volume(web, "music") == 1, "it is up")
    bar.get_by_label("Scenes").select_option("=quiet")
    wait_until(lambda: volume(web, "music") == 0, "the scene is recalled")
    bar.get_by_role("button", name="Save").click()
    wait_until(lambda: not web.mixer.json("status")["unsaved"], "it is saved")
    bar.get_by_role("button", name="Panic").click()
    sounds(jackd, 0)
    # German, and light
    bar.get_by_label("Language").select_option("de")
    expect(page.get_by_role("tab", name="Mischpult")).to_be_visible()
    before = page.evaluate("document.documentElement.dataset.theme")
    bar.get_by_role("button", name="Hell oder dunkel").click()
    assert page.evaluate("document.documentElement.dataset.theme") != before


# MARK: the timeline


def row(page, name):
    return page.locator("#timeline").get_by_role("group", name=name, exact=True)


def timeline(page):
    page.get_by_role("tab", name="Timeline").click()
    expect(row(page, "music")).to_be_visible()
    time.sleep(0.3)
    return box_of(row(page, "music").locator(".area"))


def events(web, name="music"):
    return web.mixer.json("automation", name)


def test_automation_is_drawn_and_edited(web, visit, jackd):
    page = visit(address(web))
    area = timeline(page)
    second = area["width"] / 20.4  # the view is a little longer than the session

    def spot(seconds, share):
        return area["x"] + seconds * second, area["y"] + area["height"] * share

    # two clicks: a point
    page.mouse.dblclick(*spot(5, 0.5))
    wait_until(lambda: len(events(web)) == 1, "there is a point")
    point = row(page, "music").get_by_role("button", name=re.compile("^point"))
    assert seconds(events(web)[0]["at"]) == pytest.approx(5, abs=0.1)
    first = events(web)[0]["volume"]
    # dragged: another time and another value
    x, y = press(page, point, 9, 9)
    page.mouse.move(x + 2 * second, y + 20, steps=6)
    page.mouse.up()
    wait_until(
        lambda: (
            events(web)
            and seconds(events(web)[0]["at"]) == pytest.approx(7, abs=0.1)
            and events(web)[0]["volume"] < first
        ),
        "the point is where it was dragged to",
    )
    # by keys, and away
    before = events(web)[0]["volume"]
    point.press("ArrowUp")
    wait_until(lambda: events(web)[0]["volume"] > before, "it is higher")
    point.press("Delete")
    wait_until(lambda: events(web) == [], "it is gone")

    def draw(start, end):
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*end, steps=8)
        page.mouse.up()

    # a drag over nothing: a ramp, from the value that is there, so that nothing jumps
    draw(spot(2, 0.8), spot(6, 0.3))
    wait_until(lambda: len(events(web)) == 1 and "ramp" in events(web)[0], "there is a ramp")
    assert events(web)[0]["ramp"][0] == 1
    page.get_by_role("button", name="Undo").click()
    wait_until(lambda: events(web) == [], "it is taken back")
    # with alt from where the hand is
    page.keyboard.down("Alt")
    draw(spot(2, 0.8), spot(6, 0.3))
    page.keyboard.up("Alt")
    wait_until(lambda: len(events(web)) == 1 and "ramp" in events(web)[0], "there is a ramp")
    ramp = events(web)[0]
    assert (
        seconds(ramp["from"]) == pytest.approx(2, abs=0.1)
        and seconds(ramp["to"]) == pytest.approx(6, abs=0.1)
        and ramp["ramp"][0] < ramp["ramp"][1]
    )
    # bent
    row(page, "music").get_by_role("button", name="curve: linear").click()
    wait_until(lambda: events(web)[0].get("curve") == "scurve", "it is bent")
    # its end, dragged
    end = row(page, "music").get_by_role("button", name=re.compile("^ramp")).nth(1)
    x, y = press(page, end, 9, 9)
    page.mouse.move(x + second, y, steps=6)
    page.mouse.up()
    wait_until(
        lambda: seconds(events(web)[0]["to"]) == pytest.approx(7, abs=0.1) and len(events(web)) == 1,
        "it is longer, and still one",
    )
    time.sleep(0.3)
    # another over it: refused, with the sentence at the place, and nothing is lost
    draw(spot(4, 0.1), spot(9, 0.15))
    expect(row(page, "music").locator(".refusal")).to_contain_text("overlaps")
    assert len(events(web)) == 1
    # the curve is heard
    web.mixer.ctl("loop", "off")
    web.mixer.ctl("stop")
    web.mixer.ctl("locate", "6.9s")
    web.mixer.ctl("play")
    wait_until(lambda: web.mixer.json("position")["seconds"] > 7.2, "the ramp is over")
    sounds(jackd, 0.25 * events(web)[0]["ramp"][1] + 0.1875)
    # undo with its name, step by step
    undo = page.get_by_role("button", name="Undo")
    while events(web):
        steps = [step["name"] for step in web.mixer.json("history") if step["done"]]
        expect(undo).to_have_attribute("title", f"Undo: {steps[-1]}")
        undo.click()
        wait_until(
            lambda: len([step for step in web.mixer.json("history") if step["done"]]) == len(steps) - 1,
            "a step is taken back",
        )


# What the mixer has done is known to the page only then.
SLOW_NEWS = """
    const soon = window.fetch;
    window.fetch = async (...words) => {
        if (`${words[0]}`.includes("session.json")) await new Promise(done => setTimeout(done, 400));
        return soon(...words);
    };
"""


def test_a_hand_that_is_quicker_than_the_news(web, visit):
    """What it does next is done to what its last edit has made, which the page does not know yet."""
    page = visit(address(web))
    page.add_init_script(SLOW_NEWS)
    page.reload()
    area = timeline(page)
    second = area["width"] / 20.4
    web.mixer.ctl("volume", "1", "0.5", "5s")
    point = row(page, "music").get_by_role("button", name=re.compile("^point"))
    x, y = press(page, point, 9, 9)
    page.mouse.move(x + 2 * second, y + 20, steps=6)
    page.mouse.up()
    wait_until(
        lambda: seconds(events(web)[0]["at"]) == pytest.approx(7, abs=0.1) and events(web)[0]["volume"] < 0.5,
        "the mixer has it",
    )
    low = events(web)[0]["volume"]
    point.press("ArrowUp")
    wait_until(lambda: events(web)[0]["volume"] > low, "it is higher")
    point.press("ArrowRight")
    wait_until(lambda: seconds(events(web)[0]["at"]) > 7.15, "it is later")
    point.press("Delete")
    wait_until(lambda: events(web) == [], "it is gone")
    # a ramp: bent twice, its end moved, away
    web.mixer.ctl("ramp", "1", "0.5", "0.8", "2s", "6s")
    bend = row(page, "music").get_by_role("button", name=re.compile("^curve"))
    bend.press("c")
    bend.press("c")
    wait_until(lambda: events(web)[0].get("curve") == "equalpower", "it is bent twice")
    row(page, "music").get_by_role("button", name=re.compile("^ramp")).nth(1).press("ArrowRight")
    wait_until(lambda: seconds(events(web)[0]["to"]) > 6.1, "it is longer")
    row(page, "music").get_by_role("button", name=re.compile("^ramp")).nth(1).press("Delete")
    wait_until(lambda: events(web) == [], "the ramp is gone")
    # a clip, three times
    page.get_by_label("What is edited").select_option("clips")
    clip = row(page, "chime").locator(".clip")
    for _ in range(3):
        clip.press("ArrowRight")
    begins = lambda: seconds(web.mixer.json("clips", "chime")[0]["at"])  # noqa: E731
    wait_until(
        lambda: begins() == pytest.approx(3 * 0.204, abs=0.02),
        lambda: f"it is three steps of 0.204 s later, and not at {begins()} s",
    )
    assert page.locator(".refusal").count() == 0


FIRST_PLACES = """area => {
    const places = window.places = [];
    new MutationObserver(changes => {
        for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node.matches(".handle, .clip")) {
            const at = () => { const { x, y, width } = node.getBoundingClientRect(); return [x, y, width]; };
            places.push({ name: node.className, first: at(), now: at });
        }
    }).observe(area, { childList: true });
}"""


def test_what_is_edited_is_in_its_place_from_its_first_moment(web, visit):
    """Not only from the next frame on: a quick hand would take hold of it where it is not, and draw a ramp
    instead."""
    page = visit(address(web))
    timeline(page)
    row(page, "music").locator(".area").evaluate(FIRST_PLACES)
    web.mixer.ctl("move", "1", "1", "3s")
    web.mixer.ctl("volume", "1", "0.5", "5s")
    web.mixer.ctl("ramp", "1", "0.5", "0.8", "7s", "9s")
    wait_until(
        lambda: page.evaluate("places.some(place => place.name.includes('bend'))"), "the ramp is drawn"
    )
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    places = page.evaluate(
        "places.filter(place => place.now()[2]).map(place => ({ ...place, now: place.now() }))"
    )
    assert sorted(place["name"] for place in places) == [
        "clip",
        "handle bend",
        "handle end",
        "handle end",
        "handle point",
    ]
    for place in places:
        assert place["first"] == pytest.approx(place["now"], abs=0.5), place


def seconds(text):
    """A time of the session's file."""
    top, _, bottom = text.rstrip("s").partition("/")
    return float(top) / float(bottom or 1)


def test_other_controls_than_the_volume(web, visit):
    web.mixer.ctl("send", "voice", "hall", 0.5)
    page = visit(address(web))
    area = timeline(page)
    for control, path in (("pan", "pan"), ("mute", "mute"), ("send/hall/volume", "send/hall/volume")):
        line = row(page, "voice")
        line.get_by_label("Control voice").select_option(control)
        box = line.locator(".area").bounding_box()
        page.mouse.dblclick(box["x"] + area["width"] / 4, box["y"] + box["height"] * 0.8)
        wait_until(
            lambda: len(web.mixer.json("automation", "voice", "--of", path)) == 1,
            f"there is a point of {path}",
        )
        line.get_by_role("button", name=re.compile("^point")).press("Delete")
        wait_until(lambda: web.mixer.json("automation", "voice", "--of", path) == [], f"and none of {path}")


def test_clips_are_moved_split_trimmed_and_faded(web, visit):
    page = visit(address(web))
    area = timeline(page)
    second = area["width"] / 20.4
    page.get_by_label("What is edited").select_option("clips")

    def clips(name="chime"):
        return [
            (round(seconds(clip["at"]), 1), round(seconds(clip["end"]), 1))
            for clip in web.mixer.json("clips", name)
        ]

    def drag(element, dx, at=None):
        expect(element).to_be_visible()
        x, y = press(page, element, at)
        page.mouse.move(x + dx, y, steps=6)
        page.mouse.up()

    clip = row(page, "chime").get_by_role("button", name=re.compile("^chime.wav"))
    drag(clip.locator(".edge.end"), -10 * second)
    wait_until(lambda: clips() == [(0, 10)], "it is trimmed")
    expect(clip).to_have_attribute("aria-label", re.compile(r"0:00.00-0:(10|09)"))
    # and pulled out again, as far as its file goes
    drag(clip.locator(".edge.end"), 5 * second)
    wait_until(lambda: clips() == [(0, 15)], "it is pulled out")
    expect(clip).to_have_attribute("aria-label", re.compile(r"0:00.00-0:1[45]"))
    drag(clip.locator(".edge.end"), -5 * second)
    wait_until(lambda: clips() == [(0, 10)], "it is trimmed again")
    expect(clip).to_have_attribute("aria-label", re.compile(r"0:00.00-0:(10|09)"))
    drag(clip, 4 * second)
    wait_until(lambda: clips() == [(4, 14)], "it is moved")
    expect(clip).to_have_attribute("aria-label", re.compile(r"0:0[34]"))
    drag(clip.locator(".fade.in"), 2 * second)
    wait_until(
        lambda: seconds(web.mixer.json("clips", "chime")[0].get("fadeIn", "0s")) == pytest.approx(2, abs=0.1),
        "it fades in",
    )
    time.sleep(0.3)
    # selected, and cut where it plays
    clip.click()
    expect(clip).to_have_attribute("aria-pressed", "true")
    web.mixer.ctl("stop")
    web.mixer.ctl("locate", "9s")
    # It is cut where the page shows that it plays.
    expect(page.locator(".position")).to_have_text("0:09.00")
    page.get_by_role("button", name="Split").click()
    wait_until(lambda: clips() == [(4, 9), (9, 14)], "it is cut")
    row(page, "chime").get_by_role("button", name=re.compile("^chime.wav")).nth(1).press("Delete")
    wait_until(lambda: clips() == [(4, 9)], "the second half is gone")
    # onto another clip: refused, at the place
    web.mixer.ctl("append", "chime", "chime.wav")
    wait_until(lambda: len(clips()) == 2, "there is another")
    expect(row(page, "chime").get_by_role("button", name=re.compile("^chime.wav"))).to_have_count(2)
    # What has been appended is told once more when its file has been looked at: nothing is taken hold of
    # while it may be drawn anew.
    time.sleep(0.5)
    drag(row(page, "chime").get_by_role("button", name=re.compile("^chime.wav")).nth(0), 2 * second)
    expect(row(page, "chime").locator(".refusal")).to_be_visible()
    assert clips()[0] == (4, 9)


def test_the_ruler_zooms_locates_and_loops(web, visit):
    page = visit(address(web))
    area = timeline(page)
    second = area["width"] / 20.4
    web.mixer.ctl("stop")
    web.mixer.ctl("loop", "off")
    ruler = box_of(page.locator(".ruler"))
    page.mouse.click(ruler["x"] + 8 * second, ruler["y"] + 20)
    wait_until(lambda: web.mixer.json("position")["seconds"] == pytest.approx(8, abs=0.1), "it went there")
    page.mouse.move(ruler["x"] + 3 * second, ruler["y"] + 20)
    page.mouse.down()
    page.mouse.move(ruler["x"] + 6 * second, ruler["y"] + 20, steps=5)
    page.mouse.up()
    wait_until(
        lambda: (
            web.mixer.osc().ask("/transport/loop")[0][1]
            == [pytest.approx(3, abs=0.1), pytest.approx(6, abs=0.1)]
        ),
        "the loop is drawn",
    )
    # At once behind a locate: the page asks where that has led.
    page.locator(".ruler").click(position={"x": 4 * second, "y": 20})
    page.locator(".ruler").press("[")
    wait_until(
        lambda: web.mixer.osc().ask("/transport/loop")[0][1][0] == pytest.approx(4, abs=0.1),
        "the loop begins there",
    )
    # zoomed by a wheel around the mouse: what was under it stays there
    page.mouse.move(ruler["x"] + 8 * second, ruler["y"] + 100)
    page.keyboard.down("Control")
    page.mouse.wheel(0, -500)
    page.keyboard.up("Control")
    time.sleep(0.3)
    web.mixer.ctl("locate", "0s")
    page.mouse.click(ruler["x"] + 8 * second, ruler["y"] + 20)
    wait_until(
        lambda: web.mixer.json("position")["seconds"] == pytest.approx(8, abs=0.1), "it went there again"
    )
    page.mouse.click(ruler["x"] + 9 * second, ruler["y"] + 20)
    wait_until(lambda: 8 < web.mixer.json("position")["seconds"] < 8.9, "a second is wider now")


def test_files_dropped_onto_the_page_become_tracks(web, visit, tmp_path, jackd):
    page = visit(address(web))
    timeline(page)
    soundfile.write(
        tmp_path.parent / "dropped song.wav", steady(5 * RATE, 0.03125, 0.03125), RATE, subtype="FLOAT"
    )
    # As a text: a list of numbers takes the browser's driver half a minute.
    data = base64.b64encode((tmp_path.parent / "dropped song.wav").read_bytes()).decode()
    page.evaluate(
        """([text, x]) => { const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const transfer = new DataTransfer(); transfer.items.add(new File([bytes], "dropped song.wav"));
        document.getElementById("timeline").dispatchEvent(new DragEvent("drop",
        { dataTransfer: transfer, clientX: x, clientY: 300, bubbles: true, cancelable: true })); }""",
        [data, page.locator(".ruler").bounding_box()["x"]],
    )
    wait_until(
        lambda: [track["name"] for track in web.mixer.json("tracks")][-1] == "dropped song", "it is a track"
    )
    expect(row(page, "dropped song")).to_be_visible()
    assert (tmp_path / "dropped song.wav").exists()
    # what is none is refused with a sentence
    page.evaluate(
        """() => { const transfer = new DataTransfer(); transfer.items.add(new File(["hello"], "letter.wav"));
        document.getElementById("timeline").dispatchEvent(new DragEvent("drop",
        { dataTransfer: transfer, clientX: 300, clientY: 300, bubbles: true, cancelable: true })); }"""
    )
    expect(page.locator("#say")).to_contain_text("nothing that can be played")


# MARK: several, and what goes wrong


def test_two_edit_at_once(web, visit):
    """Each sees what the other does, on both pages of it."""
    one, two = visit(address(web)), visit(address(web))
    x, y = press(one, fader(one, "music"), 20)
    one.mouse.move(x, y + 50, steps=5)
    expect(fader(two, "music")).to_have_class(re.compile("held"))
    text = fader(one, "music").get_attribute("aria-valuetext")
    expect(fader(two, "music")).to_have_attribute("aria-valuetext", text)
    # it cannot be pulled out of the hand
    pull(two, fader(two, "music"), -80)
    two.mouse.up()
    assert fader(one, "music").get_attribute("aria-valuetext") == text
    one.mouse.up()
    expect(fader(two, "music")).not_to_have_class(re.compile("held"))
    timeline(one)
    area = timeline(two)
    two.mouse.dblclick(area["x"] + area["width"] / 2, area["y"] + 40)
    expect(row(one, "music").get_by_role("button", name=re.compile("^point"))).to_be_visible()
    row(one, "music").get_by_role("button", name=re.compile("^point")).press("Delete")
    expect(row(two, "music").get_by_role("button", name=re.compile("^point"))).to_have_count(0)


def test_a_guest_sees_and_moves_nothing(web, visit):
    page = visit(address(web, guest=True))
    pull(page, fader(page, "music"), 60)
    page.mouse.up()
    fader(page, "music").press("ArrowDown")
    expect(page.locator("#say")).to_contain_text("guest")
    assert volume(web, "music") == 1
    expect(fader(page, "music")).to_have_attribute("aria-valuetext", "0.0 dB")


def test_reload_sleep_and_another_mixer(mixers, visit, jackd, make_session):
    session = make_session()
    mixer = mixers("--server", jackd.name, "--no-connect", "--web", "0", session)
    web = Web(mixer)
    page = visit(address(web))
    page.reload()
    expect(fader(page, "music")).to_be_visible()
    # the connection goes, and comes back
    page.context.set_offline(True)
    page.evaluate("() => 0")
    mixer.end()
    expect(page.locator("body")).to_have_class(re.compile("offline"))
    page.context.set_offline(False)
    other = mixers("--server", jackd.name, "--no-connect", "--web", str(web.port), "--discard", session)
    again = Web(other)
    page.goto(address(again))
    expect(fader(page, "music")).to_be_visible()
    fader(page, "music").press("Home")
    wait_until(lambda: other.json("volume", "music")["volume"] == 0, "it is moved again")


def test_the_page_outlives_the_server(mixers, servers, visit, make_session):
    server = servers()
    web = Web(mixers("--server", server.name, "--no-connect", "--web", "0", make_session()))
    page = visit(address(web))
    name = server.name
    server.end()
    wait_until(
        lambda: "lost" in web.mixer.log or "gone" in web.mixer.log or not web.mixer.json("status")["server"],
        "the mixer has noticed",
        20,
    )
    fader(page, "music").press("Home")
    wait_until(lambda: volume(web, "music") == 0, "the desk works on")
    server = servers(name=name)
    wait_until(
        lambda: web.mixer.json("status")["server"], lambda: f"it is back on the server: {web.mixer.log}", 60
    )
    fader(page, "music").press("0")
    wait_until(lambda: volume(web, "music") == 1, "and so is the page")


def test_a_hundred_strips_scroll(mixers, visit, jackd, make_session):
    web = Web(
        mixers(
            "--server",
            jackd.name,
            "--no-connect",
            "--web",
            "0",
            "--play",
            "--loop",
            make_session({f"t{n}": steady(RATE, 0.01, 0.01) for n in range(100)}),
        )
    )
    for size in ((390, 844), (1280, 800)):
        page = visit(address(web), size=size)
        # Those that are far from what is seen are not drawn.
        expect(fader(page, "t99")).to_have_count(0)
        strip(page, "t99").scroll_into_view_if_needed()
        last = fader(page, "t99")
        expect(last).to_be_in_viewport()
        expect(fader(page, "master")).to_be_in_viewport()
        last.press("Home")
        wait_until(lambda: volume(web, "t99") == 0, "the last one moves")
        last.press("0")
        wait_until(lambda: volume(web, "t99") == 1, "and back")


def test_everything_has_a_name_and_a_role(web, visit):
    """What a screen reader says: no control without a name."""
    page = visit(address(web))
    for view in ("Mixer", "Timeline"):
        page.get_by_role("tab", name=view).click()
        time.sleep(0.3)
        nameless = page.evaluate(
            """() => [...document.querySelectorAll(
            "button, select, input, [role=slider], [role=tab]")].filter((element) => element.checkVisibility()
            && !(element.getAttribute("aria-label") || element.textContent.trim()
            || element.labels?.length)).map((element) => element.outerHTML)"""
        )
        assert nameless == []
    page.get_by_role("tab", name="Mixer").click()
    # every control is reached by the Tab key
    page.locator("body").press("Tab")
    reached = set()
    for _ in range(80):
        reached.add(
            page.evaluate(
                "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
            )
        )
        page.keyboard.press("Tab")
    assert {"Play", "Stop"} & reached and {
        "music",
        "voice",
        "chime",
        "hall",
        "all",
        "master",
        "Pan music",
        "Mute",
        "Solo",
    } <= reached


# MARK: what the page computes, against the mixer


def test_the_faders_law_is_the_mixers(web, visit):
    page = visit(address(web))
    peer = web.mixer.osc()
    for gain in (0, 1e-6, 0.001, 0.01, 0.1, 0.5, 1, 1.5, 2):
        peer.ask("/track/1/volume", float(gain))
        mixers = peer.ask("/track/1/volume/position")[0][1][0]
        assert page.evaluate(
            "(gain) => import('/page/law.js').then((law) => law.position(gain))", gain
        ) == pytest.approx(mixers, abs=1e-6)
        back = page.evaluate("(place) => import('/page/law.js').then((law) => law.gain(place))", mixers)
        assert back == pytest.approx(gain if mixers else 0, rel=1e-4, abs=1e-12)
    said = page.evaluate(
        "import('/page/law.js').then((law) => [law.level(1), law.level(0), law.level(0.5), law.level(1e-6), "
        "law.clock(61.234)])"
    )
    assert said == ["0.0", "-inf", "-6.0", "-120", "1:01.23"]


def test_lanes_say_what_is_played(web, visit):
    """Random points and ramps of every curve: the page's line is the volume that the mixer plays."""
    import random

    seed = random.randrange(1 << 32)
    print("seed", seed)
    rng = random.Random(seed)
    page = visit(address(web))
    for _ in range(10):
        web.mixer.ctl("automation", "chime", "clear")
        for _ in range(rng.randint(0, 8)):
            start = round(rng.uniform(0, 18), 3)
            if rng.random() < 0.4:
                web.mixer.ctl("volume", "chime", round(rng.uniform(0, 2), 3), f"{start}s", "--replace")
            else:
                web.mixer.ctl(
                    "ramp",
                    "chime",
                    round(rng.uniform(0.01, 2), 3),
                    round(rng.uniform(0.01, 2), 3),
                    f"{start}s",
                    f"{round(start + rng.uniform(0.1, 4), 3)}s",
                    "--curve",
                    rng.choice(["linear", "scurve", "equalpower", "exponential"]),
                    "--replace",
                )
        lanes = next(
            strip for strip in web.json("/page/data/session.json")["strips"] if strip["name"] == "chime"
        )["lanes"].get("volume", [])
        played = web.json("/page/data/played?from=0&to=20&columns=2001").get("/track/3", [1] * 2001)
        drawn = page.evaluate(
            "([events]) => import('/page/lanes.js').then((lanes) => Array.from({ length: 2001 }, (_, i) => "
            "lanes.at(events, i / 100, 1)))",
            [lanes],
        )
        # Where a step lies the two may be a frame apart.
        steps = {event["start"] for event in lanes} | {event["end"] for event in lanes}
        for index, (ours, theirs) in enumerate(zip(drawn, played)):
            if all(abs(index / 100 - step) > 1e-4 for step in steps):
                assert ours == pytest.approx(theirs, abs=1e-3), (index, lanes)
        # what is drawn is a line through just that
        line = page.evaluate(
            "([events]) => import('/page/lanes.js').then((lanes) => lanes.line(events, 1, 0, "
            "20).map(([time, value]) => [time, value, lanes.at(events, time, 1)]))",
            [lanes],
        )
        assert [time for time, _, _ in line] == sorted(time for time, _, _ in line)
        for time_, value, exact in line:
            if all(abs(time_ - step) > 1e-6 for step in steps):
                assert value == pytest.approx(exact, abs=1e-9)


def test_packets_are_coded_as_others_decode_them(web, visit):
    from pythonosc.osc_message import OscMessage

    page = visit(address(web))
    coded = bytes(
        page.evaluate(
            "import('/page/osc.js').then((osc) => [...osc.encode('/täst', 0.5, 'größe', true, false, "
            "osc.double(1 / 3), osc.int(-7))])"
        )
    )
    message = OscMessage(coded)
    assert message.address == "/täst" and list(message.params) == [0.5, "größe", True, False, 1 / 3, -7]


# MARK: two hands at the same thing


def drag_slowly(page, element, dx, between):
    """Takes hold, goes halfway, has `between` happen, goes on and lets go."""
    x, y = press(page, element)
    page.mouse.move(x + dx / 2, y, steps=3)
    between()
    time.sleep(0.4)
    page.mouse.move(x + dx, y, steps=3)
    page.mouse.up()


def test_what_one_holds_another_does_not_shift(web, visit):
    """While a point is dragged somebody else adds one before it: the one in the hand is moved, and no other;
    and one that has gone meanwhile is said to be gone."""
    for n in (1, 2, 3, 4, 5):
        web.mixer.ctl("volume", "music", n / 10, f"{n}s")
    page = visit(address(web))
    area = timeline(page)
    second = area["width"] / 20.4
    third = row(page, "music").get_by_role("button", name=re.compile("^point")).nth(2)
    drag_slowly(page, third, 7 * second, lambda: web.mixer.ctl("volume", "music", 0.05, "500ms"))
    wait_until(
        lambda: [round(seconds(event["at"]), 1) for event in events(web)] == [0.5, 1, 2, 4, 5, 10],
        "the one in the hand is moved",
    )
    # Gone while it is held.
    time.sleep(0.3)
    first = row(page, "music").get_by_role("button", name=re.compile("^point")).nth(0)
    drag_slowly(page, first, 6 * second, lambda: web.mixer.ctl("automation", "music", "remove", 1))
    expect(row(page, "music").locator(".refusal")).to_contain_text("changed")
    assert [round(seconds(event["at"]), 1) for event in events(web)] == [1, 2, 4, 5, 10]


def test_a_ramp_takes_nothing_along_that_lies_under_it(web, visit):
    web.mixer.ctl("ramp", "music", 0.2, 0.8, "1s", "2s")
    web.mixer.ctl("volume", "music", 0.5, "3s")
    page = visit(address(web))
    area = timeline(page)
    second = area["width"] / 20.4
    before = events(web)
    end = row(page, "music").get_by_role("button", name=re.compile("^ramp")).nth(1)
    drag_slowly(page, end, 4 * second, lambda: None)
    expect(row(page, "music").locator(".refusal")).to_contain_text("point")
    assert events(web) == before
    # nor what has come meanwhile
    web.mixer.ctl("automation", "music", "remove", 2)
    time.sleep(0.3)
    drag_slowly(page, end, 8 * second, lambda: web.mixer.ctl("ramp", "music", 0.1, 0.2, "5s", "6s"))
    time.sleep(0.3)
    assert len(events(web)) == 2 and seconds(events(web)[0]["to"]) == 2


def test_a_fader_stays_in_the_hand_and_is_let_go_of(web, visit):
    """While one is held somebody renames another track, and the strips are drawn anew: the hand keeps its
    fader, and afterwards nobody's finger is on it."""
    one, two = visit(address(web)), visit(address(web))
    pull(one, fader(one, "voice"), 40)
    web.mixer.ctl("name", "chime", "bells")
    expect(fader(two, "bells")).to_be_visible()
    held = fader(one, "voice").get_attribute("aria-valuetext")
    box = fader(one, "voice").bounding_box()
    one.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2 + 90, steps=4)
    expect(fader(one, "voice")).not_to_have_attribute("aria-valuetext", held)
    one.mouse.up()
    expect(fader(one, "bells")).to_be_visible()
    wait_until(
        lambda: web.mixer.osc().ask("/track/2/volume/touch") == [("/track/2/volume/touch", [0])],
        "the finger is off",
    )
    fader(two, "voice").press("0")
    wait_until(lambda: volume(web, "voice") == 1, "others move it again")
    # A page that goes lets go.
    pull(one, fader(one, "voice"), 40)
    one.close()
    wait_until(
        lambda: web.mixer.osc().ask("/track/2/volume/touch") == [("/track/2/volume/touch", [0])],
        "its finger went with it",
    )


def test_two_fingers_zoom_and_edit_nothing(web, visit):
    page = visit(address(web), size=(1180, 820), has_touch=True)
    area = timeline(page)
    wire = page.context.new_cdp_session(page)
    y, before = area["y"] + 40, web.mixer.json("history")
    for tool in ("automation", "clips"):
        page.get_by_label("What is edited").select_option(tool)
        fingers = [[area["x"] + 400, y], [area["x"] + 500, y]]

        def touch(kind, points):
            wire.send(
                "Input.dispatchTouchEvent",
                {
                    "type": kind,
                    "touchPoints": [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)],
                },
            )

        touch("touchStart", fingers[:1])
        touch("touchMove", [[fingers[0][0] - 10, y]])
        touch("touchStart", fingers)
        for step in range(1, 8):
            touch("touchMove", [[fingers[0][0] - 15 * step, y], [fingers[1][0] + 15 * step, y]])
        touch("touchEnd", [])
        time.sleep(0.3)
        assert web.mixer.json("history") == before and events(web) == []
    label = row(page, "music").get_by_role("button", name=re.compile("^music.wav")).bounding_box()
    assert label["width"] > 1.5 * area["width"] * 20 / 20.4, "it is zoomed"


def test_keys_that_repeat_and_keys_alone(web, visit):
    """The timeline without a mouse: a point where it plays, moved by keys that repeat; the ruler locates and
    loops."""
    web.mixer.ctl("stop")
    web.mixer.ctl("locate", "2s")
    page = visit(address(web))
    timeline(page)
    row(page, "music").get_by_role("application").press("Enter")
    wait_until(
        lambda: len(events(web)) == 1 and seconds(events(web)[0]["at"]) == pytest.approx(2),
        "there is a point",
    )
    point = row(page, "music").get_by_role("button", name=re.compile("^point"))
    point.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    wait_until(
        lambda: seconds(events(web)[0]["at"]) == pytest.approx(2 + 5 * 0.204, abs=0.01), "five steps further"
    )
    ruler = page.get_by_role("slider", name=re.compile("^Timeline"))
    ruler.press("Home")
    wait_until(lambda: web.mixer.json("position")["frame"] == 0, "at the start")
    ruler.press("ArrowRight")
    wait_until(lambda: web.mixer.json("position")["seconds"] == pytest.approx(1), "a second further")
    expect(ruler).to_have_attribute("aria-valuetext", "0:01.00")
    ruler.press("[")
    wait_until(
        lambda: web.mixer.osc().ask("/transport/loop")[0][1][0] == pytest.approx(1), "the loop begins there"
    )


def test_a_page_comes_back_when_the_mixer_does(mixers, visit, jackd, make_session):
    """The mixer is ended and started anew on the same port: the page, which nobody reloads, goes on."""
    session = make_session()
    web = Web(mixers("--server", jackd.name, "--no-connect", "--web", "0", session))
    page = visit(address(web))
    web.mixer.end()
    expect(page.locator("body")).to_have_class(re.compile("offline"))
    other = mixers("--server", jackd.name, "--no-connect", "--web", str(web.port), "--discard", session)
    expect(page.locator("body")).not_to_have_class(re.compile("offline"), timeout=15_000)
    fader(page, "music").press("Home")
    wait_until(lambda: other.json("volume", "music")["volume"] == 0, "it is moved again")


def test_no_picture_is_asked_for_while_nothing_moves(web, visit):
    """A tablet that shows a desk at rest is left to rest."""
    count = "const ask = requestAnimationFrame; window.asked = 0;" + (
        "requestAnimationFrame = (draw) => { window.asked += 1; return ask(draw); };"
    )
    web.mixer.ctl("stop")
    page = visit(address(web), script=count)

    def rests():
        before = page.evaluate("window.asked")
        page.wait_for_timeout(1000)
        return page.evaluate("window.asked") == before

    wait_until(rests, "a second goes by in which no picture is asked for", 60)
    web.mixer.ctl("play")
    wait_until(lambda: not rests(), "the meters move again")


def test_a_guest_scrolls(web, visit):
    page = visit(address(web, guest=True), size=(320, 700))
    page.mouse.move(120, 300)
    page.mouse.wheel(300, 0)
    wait_until(
        lambda: page.evaluate("document.querySelector('.strips').scrollLeft") > 20, "the strips have scrolled"
    )


def test_all_controls_are_drawn_from_the_table(web, visit, jackd):
    """What OSCQuery says that a strip has, each by its type: changed here it is changed there, and what
    others change is seen."""
    web.mixer.ctl("send", "voice", "hall", 0.5)
    page = visit(address(web))
    strip(page, "voice").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="voice")
    settable = []

    def walk(node):
        if node.get("TYPE") and node["ACCESS"] == 3:
            settable.append(node["FULL_PATH"])
        for inner in node.get("CONTENTS", {}).values():
            walk(inner)

    walk(web.json("/track/2"))
    assert len(settable) > 12
    expect(panel.locator("label")).to_have_count(len(settable))
    panel.get_by_label("Polarity reversed", exact=True).check()
    wait_until(lambda: web.mixer.json("polarity", "voice")["polarity"] is True, "it is turned upside down")
    panel.get_by_label("Output", exact=True).select_option("hall")
    wait_until(lambda: web.mixer.json("tracks")[1]["output"] == "hall", "it goes to the bus")
    trim = panel.get_by_label("Trim", exact=True)
    web.mixer.ctl("trim", "voice", "-6dB")
    expect(trim).to_have_attribute("aria-valuetext", "-6.0 dB")
    trim.press("End")
    wait_until(lambda: web.mixer.json("trim", "voice")["trim"] == pytest.approx(4), "it is trimmed")
    expect(trim).to_have_attribute("aria-valuetext", "12.0 dB")
    panel.get_by_label("Send to hall: Before the fader", exact=True).check()
    wait_until(lambda: web.mixer.json("sends", "voice")[0]["pre"] is True, "the send leaves before the fader")
    web.mixer.ctl("polarity", "voice", "off")
    expect(panel.get_by_label("Polarity reversed", exact=True)).not_to_be_checked()
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_have_count(0)


def test_an_equaliser_is_drawn_and_dragged(web, visit, jackd):
    page = visit(address(web))
    web.mixer.ctl("eq", "voice", "hp", 80)
    strip(page, "voice").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="voice")
    handle, curve = (
        panel.get_by_role("slider", name="Band 2", exact=True),
        panel.locator(".drawn path.curve").first,
    )
    flat = wait_until(lambda: curve.get_attribute("d"), "the curve is drawn")
    x, y = press(page, handle)
    for step in range(1, 6):
        page.mouse.move(x + 8 * step, y - 8 * step)
    page.mouse.up()
    band = lambda: web.mixer.json("eq", "voice")["bands"][1]  # noqa: E731
    wait_until(lambda: band().get("gain", 0) > 6 and band()["freq"] > 500, "the band is raised")
    wait_until(lambda: curve.get_attribute("d") != flat, "the curve has moved")
    # Behind it stands what leaves the strip: 61 levels between both corners.
    behind = panel.locator(".drawn path.spectrum")
    wait_until(lambda: (behind.get_attribute("d") or "").count(",") == 63, "the spectrum is drawn")
    gain = band()["gain"]
    handle.press("ArrowDown")
    wait_until(lambda: band()["gain"] == pytest.approx(gain - 1, abs=0.01), "an arrow lowers it")
    # What others set is seen too.
    web.mixer.ctl("eq", "voice", 2, 1000, -6, 2)
    wait_until(
        lambda: handle.get_attribute("aria-valuetext") == "-6.0 dB, 1000 Hz, Q 2.00",
        "what others set is seen",
    )
    handle.press("0")
    wait_until(lambda: band().get("gain", 0) == 0, "0 makes it flat")


def test_a_compressor_s_curve_shows_where_it_is(web, visit):
    page = visit(address(web))
    web.mixer.ctl("comp", "music", -32, 4, "--attack", "1ms")
    wait_until(lambda: web.mixer.osc().ask("/track/1/comp/reduction")[0][1][0] > 10, "it lowers")
    strip(page, "music").get_by_role("button", name="All controls").click()
    drawn = page.get_by_role("dialog", name="music").locator(".drawn.square")
    wait_until(lambda: drawn.locator("output").text_content().startswith("-1"), "the reduction is said")
    assert drawn.locator("circle.dot").get_attribute("visibility") == "visible"
    # Music stands at -12 dB, 20 above the threshold.
    assert float(drawn.locator("circle.dot").get_attribute("cx")) == pytest.approx(150 * 48 / 60, abs=4)


def test_the_highest_peak_stands_over_the_meter_until_it_is_pressed(web, visit):
    page = visit(address(web))
    peak = strip(page, "music").get_by_role("button", name="Peak music")
    wait_until(lambda: peak.text_content() == "−12.0", "the peak is said")
    assert "over" not in peak.get_attribute("class").split()
    web.mixer.ctl("trim", "music", 4)
    web.mixer.ctl("volume", "music", 2)
    wait_until(
        lambda: peak.text_content() == "6.0" and "over" in peak.get_attribute("class").split(),
        "it is above full scale",
    )
    web.mixer.ctl("volume", "music", 0.125)
    wait_until(lambda: web.mixer.osc().ask("/track/1/meter")[0][1][0] < 0.2, "it is lower again")
    assert peak.text_content() == "6.0"
    peak.click()
    wait_until(
        lambda: peak.text_content() == "−18.1" and "over" not in peak.get_attribute("class").split(),
        "it begins anew",
    )


def test_a_talkback_is_held_and_the_control_room_is_set(web, visit):
    page = visit(address(web))
    talk = strip(page, "voice").get_by_role("button", name="Talk")
    expect(talk).to_be_hidden()
    web.mixer.ctl("talkback", "voice", "--to", "hall")
    press(page, talk)
    wait_until(lambda: web.mixer.json("talkback", "voice")["talkback"], "it is held")
    page.mouse.up()
    wait_until(lambda: not web.mixer.json("talkback", "voice")["talkback"], "it is let go")
    # A key that is let go elsewhere, and a page that is left, let it go too.
    talk.focus()
    page.keyboard.down(" ")
    wait_until(lambda: web.mixer.json("talkback", "voice")["talkback"], "it is held")
    fader(page, "music").focus()
    wait_until(lambda: not web.mixer.json("talkback", "voice")["talkback"], "it is let go")
    page.keyboard.up(" ")
    other = visit(address(web))
    press(other, strip(other, "voice").get_by_role("button", name="Talk"))
    wait_until(lambda: web.mixer.json("talkback", "voice")["talkback"], "it is held")
    # A line that is cut for a moment: the mixer lets go, and what is held yet is held again.
    other.mouse.up()
    wait_until(lambda: not web.mixer.json("talkback", "voice")["talkback"], "it is let go")
    other.evaluate(
        """() => {
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function (bytes) { window.line = this; send.call(this, bytes); };
        }"""
    )
    other.mouse.down()
    wait_until(lambda: web.mixer.json("talkback", "voice")["talkback"], "it is held")
    other.evaluate("() => { window.cut = window.line; window.cut.close(); }")
    other.wait_for_function("() => window.line !== window.cut && window.line.readyState === 1")
    wait_until(lambda: web.mixer.json("talkback", "voice")["talkback"], "it is held again")
    other.goto("about:blank")
    wait_until(lambda: not web.mixer.json("talkback", "voice")["talkback"], "it is let go")
    # A panel of a strip that goes is closed: its number may be another's then.
    strip(page, "music").get_by_role("button", name="All controls").click()
    expect(page.get_by_role("dialog", name="music")).to_be_visible()
    web.mixer.ctl("remove", "chime")
    expect(strip(page, "chime")).to_have_count(0)
    expect(page.get_by_role("dialog", name="music")).to_be_visible()
    web.mixer.ctl("remove", "music")
    expect(page.get_by_role("dialog", name="music")).to_be_hidden()
    strip(page, "master").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="master")
    panel.get_by_label("Control room: Dim", exact=True).check()
    wait_until(lambda: web.mixer.json("monitor", "dim") == {"dim": True}, "the monitor is dimmed")
    source = panel.get_by_label("Control room: Source", exact=True)
    source.fill("voice")
    source.press("Enter")
    wait_until(lambda: web.mixer.json("monitor", "source") == {"source": "voice"}, "it listens to a strip")


def test_the_loudness_of_the_mix_is_seen_about_its_target(mixers, jackd, make_session, visit):
    tone = 10 ** (-23 / 20) * np.sin(2 * np.pi * 1000 * np.arange(20 * RATE) / RATE)[:, None]
    web = Web(
        mixers(
            "--server",
            jackd.name,
            "--no-connect",
            "--web",
            "0",
            "--loop",
            make_session({"tone": np.repeat(tone, 2, 1).astype(np.float32)}),
        )
    )
    page = visit(address(web))
    shown = strip(page, "master").get_by_role("button", name="Loudness master")
    expect(shown).to_have_attribute("data-zone", "none")
    web.mixer.ctl("play")
    measured = lambda: web.mixer.json("loudness")["integrated"]  # noqa: E731
    wait_until(
        lambda: measured() and shown.locator("b").text_content() == f"I {measured():.1f}".replace("-", "−"),
        "what is measured is seen",
        30,
    )
    # It settles while the tone goes on.
    zone = lambda away: "over" if away > 1 else "under" if away < -1 else "on"  # noqa: E731
    strip(page, "master").get_by_role("button", name="All controls").click()
    panel = page.get_by_role("dialog", name="master")
    for target in (-14, -16, -18, -23, -24):
        panel.get_by_label("Target loudness").select_option(str(target))
        wait_until(
            lambda: shown.get_attribute("data-zone") == zone(measured() - target),  # noqa: B023
            f"it is seen where it is about {target}",
        )
    panel.get_by_role("button", name="Close").click()
    web.mixer.ctl("stop")
    wait_until(lambda: web.mixer.json("position")["state"] == "stopped", "it has stopped")
    shown.click()
    expect(shown).to_have_attribute("data-zone", "none")


def test_a_panic_that_holds_is_seen_and_ended(web, visit, jackd):
    page = visit(address(web))
    again = page.get_by_role("button", name="Silenced: let it be heard")
    expect(again).to_be_hidden()
    web.mixer.ctl("input", "add", "mic", "nobody:out")
    panic = page.get_by_role("button", name="Panic: all silent")
    expect(panic).to_have_text("Panic")
    panic.click()
    again.click()
    expect(again).to_be_hidden()
    assert web.mixer.json("silenced") == {"silenced": False}


@pytest.mark.parametrize(
    "size", [(1280, 800), (1024, 768), (820, 1180), (768, 1024), (390, 844), (360, 740), (667, 375)]
)
def test_panic_and_the_faders_stay_where_they_are(web, visit, size):
    """Whatever is to be said: a hand finds both blindly."""
    page = visit(address(web), size=size)
    # An input is heard at a stand too: a panic holds.
    web.mixer.ctl("input", "add", "mic", "nobody:out")
    wait_until(lambda: strip(page, "mic").count(), "the input is there")
    web.mixer.ctl("save")

    def places():
        panic = page.get_by_role("button", name="Panic: all silent")
        return panic.bounding_box(), fader(page, "master").bounding_box()

    expect(page.get_by_text("not saved")).to_be_hidden()
    clean = places()
    web.mixer.ctl("volume", "voice", "0.4")
    expect(page.get_by_text("not saved")).to_be_visible()
    assert places() == clean
    web.mixer.ctl("panic")
    again = page.get_by_role("button", name="Silenced: let it be heard")
    expect(again).to_be_visible()
    assert places() == clean
    box = again.bounding_box()
    for other in page.locator("#bar button, .tools > *, .strip button").all():
        if other.is_visible() and (at := other.bounding_box()):
            assert (
                at["y"] >= box["y"] + box["height"]
                or at["y"] + at["height"] <= box["y"]
                or at["x"] >= box["x"] + box["width"]
                or at["x"] + at["width"] <= box["x"]
            ), "it covers nothing"
    again.click()
    expect(again).to_be_hidden()
    assert places() == clean


class Forwarder:
    """A way to a port that can stop without a word: nothing is closed, nothing comes through."""

    def __init__(self, port):
        self.target, self.stopped, self.open = port, threading.Event(), []
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            target = socket.create_connection(("127.0.0.1", self.target))
            self.open += [client, target]
            for source, sink in ((client, target), (target, client)):
                threading.Thread(target=self.pump, args=(source, sink), daemon=True).start()

    def pump(self, source, sink):
        try:
            while data := source.recv(65536):
                while self.stopped.is_set():
                    time.sleep(0.05)
                # As a proxy does: the mixer is called by its own name.
                own, others = (f"127.0.0.1:{port}".encode() for port in (self.port, self.target))
                sink.sendall(data.replace(own, others))
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def close(self):
        self.stopped.clear()
        for one in [self.server, *self.open]:
            one.close()


def test_a_net_that_dies_without_a_word_is_noticed(web, visit):
    way = Forwarder(web.port)
    try:
        page = visit(f"http://127.0.0.1:{way.port}/?token={web.token}")
        wait_until(lambda: strip(page, "music").count(), "the strips")
        expect(page.locator("#banner")).to_be_empty()
        button = strip(page, "music").get_by_role("button", name="Mute")
        # The mixer has seen by then that the page answers.
        time.sleep(1.5)
        way.stopped.set()
        # What is pressed before anybody knows is not done when the net is back.
        button.click()
        expect(page.locator("#banner")).to_contain_text("No connection", timeout=15000)
        # Nor is what is pressed now.
        assert button.evaluate("button => getComputedStyle(button.closest('main')).pointerEvents") == "none"
        # The mixer knows by then that nobody is there.
        time.sleep(5)
        way.stopped.clear()
        expect(page.locator("#banner")).to_be_empty(timeout=15000)
        assert web.mixer.json("mute", "music")["mute"] is False
        button.click()
        wait_until(lambda: web.mixer.json("mute", "music")["mute"] is True, "it goes on")
    finally:
        way.close()


def test_a_page_says_that_the_server_is_gone(mixers, servers, visit, make_session):
    server = servers()
    mixer = mixers("--server", server.name, "--no-connect", "--web", "0", make_session())
    try:
        page = visit(address(Web(mixer)))
        wait_until(lambda: strip(page, "music").count(), "the strips")
        server.end()
        expect(page.locator("#banner")).to_contain_text(server.name, timeout=15000)
        server = servers(name=server.name)
        expect(page.locator("#banner")).to_be_empty(timeout=15000)
    finally:
        mixer.end()
