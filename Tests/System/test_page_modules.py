"""The page's modules that need no browser: their own tests, run by deno."""

import os
import subprocess

from conftest import ROOT


def test_the_modules_do_what_their_tests_say(tmp_path):
    done = subprocess.run(
        [os.path.join(ROOT, ".build/test-venv/bin/deno"), "test", "--no-check", "Tests/Page"],
        cwd=ROOT,
        env={**os.environ, "DENO_DIR": str(tmp_path), "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed | 0 failed" in done.stdout
