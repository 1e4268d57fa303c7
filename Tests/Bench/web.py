"""Measures of the web: what pages cost the mixer, and how soon a page is there and heard; part of
scripts/bench."""

import queue
import re
import shutil
import statistics
import threading
import time

import jack
from conftest import JackServer, Mixer, wait_until
from websocket import Socket

FRAMES = """() => new Promise((resolve) => { const times = []; let last = 0; const tick = (now) => {
if (last) times.push(now - last); last = now;
times.length < 300 ? requestAnimationFrame(tick) : resolve(times); }; requestAnimationFrame(tick); })"""


def address(mixer):
    return wait_until(
        lambda: re.search(r"http://127\.0\.0\.1:(\d+)/\?token=\w+", mixer.log), "jmix says its page's address"
    )


def subscribe(address, rate):
    from pythonosc.osc_message_builder import OscMessageBuilder

    builder = OscMessageBuilder("/subscribe")
    builder.add_arg(address)
    builder.add_arg(rate, "i")
    return builder.build().dgram


def pages_that_listen(session, cpu, count=50, seconds=10):
    """What share of a core it takes to tell so many pages 64 meters 30 times a second: with them, less
    without."""
    server = JackServer(period=1024, synchronous=False)
    mixer = Mixer("--server", server.name, "--no-connect", "--play", "--loop", "--web", "0", session)
    port = int(address(mixer)[1])

    def share():
        before, start = cpu(mixer.process.pid), time.monotonic()
        time.sleep(seconds)
        return (cpu(mixer.process.pid) - before) / (time.monotonic() - start)

    try:
        alone = share()
        sockets, has_ended = [Socket(port) for _ in range(count)], threading.Event()

        def read():
            while not has_ended.is_set():
                for one in sockets:
                    one.socket.settimeout(0.001)
                    try:
                        one.socket.recv(1 << 20)
                    except TimeoutError:
                        pass

        reader = threading.Thread(target=read)
        reader.start()

        def renew():
            for one in sockets:
                one.send(2, subscribe("/track/*/meter", 30))

        renew()
        time.sleep(1)
        renewing = threading.Timer(6, renew)
        renewing.start()
        told = share()
        renewing.join()
        has_ended.set()
        reader.join()
        for one in sockets:
            one.close()
        return told - alone
    finally:
        mixer.end()
        server.end()


SEEN = """() => {
const lanes = () => document.querySelectorAll("#timeline .row:nth-child(4) .handle").length, before = lanes();
window.seen = null;
new MutationObserver((_, watch) => { if (lanes() !== before) { window.seen = Date.now();
watch.disconnect(); } }).observe(document.getElementById("timeline"), { childList: true, subtree: true });
}"""


def edit(page, peer, number):
    """Milliseconds from an edit that somebody else sends until it stands on the page's timeline."""
    page.evaluate(SEEN)
    sent = 1000 * time.time()
    peer.send("/track/4/volume", 0.3, f"{8000 + 200 * number}ms")
    return wait_until(lambda: page.evaluate("window.seen"), "the edit is seen") - sent


def in_a_browser(session, small):
    """Frames a second with 64 strips, milliseconds until somebody else's edit is seen among them, until a
    page is ready, and from a press of a key on a fader to the first changed sample."""
    from playwright.sync_api import sync_playwright

    server = JackServer(period=256, synchronous=False)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox"]
            )

            def visit(path):
                mixer = Mixer("--server", server.name, "--no-connect", "--play", "--loop", "--web", "0", path)
                page = browser.new_page(viewport={"width": 1920, "height": 1000})
                return mixer, page, address(mixer)[0]

            mixer, page, place = visit(session)
            page.goto(place)
            page.get_by_role("slider", name="master", exact=True).wait_for()
            time.sleep(2)
            intervals = page.evaluate(FRAMES)
            rate = 1000 / statistics.mean(intervals)
            page.get_by_role("tab", name="Timeline").click()
            time.sleep(2)
            peer = mixer.osc()
            edits = [edit(page, peer, number) for number in range(20)]
            peer.close()
            page.close()
            mixer.end()
            mixer, page, place = visit(small)
            ready = []
            for _ in range(5):
                page.goto(place)
                page.get_by_role("slider", name="master", exact=True).wait_for()
                ready.append(page.evaluate("performance.getEntriesByName('ready')[0].startTime"))
            delays = [fader(server, page) for _ in range(20)]
            browser.close()
            mixer.end()
            return rate, edits, ready, delays
    finally:
        server.end()


def fader(server, page):
    """Milliseconds from the event in the page to the period in which the level has changed; both clocks are
    the machine's."""
    client, changes = (
        jack.Client("listener", servername=server.name, no_start_server=True),
        queue.SimpleQueue(),
    )
    port, last = client.inports.register("in"), [None]

    def process(_):
        level = float(abs(port.get_array()).max())
        if last[0] is not None and level != last[0]:
            changes.put(time.time())
        last[0] = level

    client.set_process_callback(process)
    client.activate()
    client.connect("jmix:master_1", port)
    time.sleep(0.3)
    while not changes.empty():
        changes.get()
    slider = page.get_by_role("slider", name="steady", exact=True)
    key = "ArrowDown" if float(slider.get_attribute("aria-valuenow")) > -5 else "0"
    slider.evaluate(
        "(element) => element.addEventListener('keydown', () => { window.pressedAt = performance.timeOrigin "
        "+ performance.now(); }, { capture: true, once: true })"
    )
    slider.press(key)
    changed = changes.get(timeout=5)
    client.close()
    return 1000 * changed - page.evaluate("window.pressedAt")
