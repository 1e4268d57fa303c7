"""The page's modules that need no browser: their own tests, run by deno, and a look for names that no module
has."""

import glob
import json
import os
import subprocess

from conftest import ROOT


def deno(tmp_path, *words):
    return subprocess.run(
        [os.path.join(ROOT, ".build/test-venv/bin/deno"), *words],
        cwd=ROOT,
        env={**os.environ, "DENO_DIR": str(tmp_path), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_modules_do_what_their_tests_say(tmp_path):
    done = deno(tmp_path, "test", "--no-check", "Tests/Page")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed | 0 failed" in done.stdout


def test_every_name_is_somewhere(tmp_path):
    options = {"checkJs": True, "allowJs": True, "lib": ["dom", "dom.iterable", "esnext"], "strict": False}
    config = tmp_path / "deno.json"
    config.write_text(json.dumps({"compilerOptions": options}))
    wrong = tmp_path / "wrong.js"
    wrong.write_text("export const here = nowhere;\n")
    pages = sorted(glob.glob(os.path.join(ROOT, "Sources/Page/page/*.js")))
    done = deno(tmp_path, "check", "--config", config, wrong, *pages)
    # It says more than that: the modules have no types.
    lost = [line for line in done.stderr.split("\n") if "Cannot find name" in line]
    assert len(lost) == 1 and "'nowhere'" in lost[0], lost
