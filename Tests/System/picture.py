"""Draws the picture of the README: the page of the running demo; see scripts/picture."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from conftest import JMIX, ROOT, line_of
from playwright.sync_api import sync_playwright


def main(path):
    with tempfile.TemporaryDirectory() as folder:
        session = shutil.copytree(os.path.join(ROOT, "Sessions/voiceover"), os.path.join(folder, "voiceover"))
        mixer = subprocess.Popen(
            [JMIX, "run", session, "--dummy", "--play", "--loop", "--web", "0", "--osc-port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        try:
            while not (found := re.search(r"http://\S+", line_of(mixer.stdout, "the page's address"))):
                pass
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=shutil.which("chromium-headless-shell"), args=["--no-sandbox"]
                )
                page = browser.new_page(
                    viewport={"width": 1100, "height": 620}, color_scheme="dark", locale="en-GB"
                )
                page.goto(found[0])
                page.get_by_role("tab", name="Timeline").click()
                time.sleep(3)
                page.screenshot(path=path)
                browser.close()
        finally:
            mixer.terminate()
            mixer.wait(15)


if __name__ == "__main__":
    main(sys.argv[1])
