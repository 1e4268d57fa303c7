"""The changes by which tests are tried (`scripts/mutants --by-hand`)."""

import os
import subprocess

from conftest import ROOT


def test_each_has_its_place_in_the_source():
    done = subprocess.run(
        [os.path.join(ROOT, "scripts/mutants"), "--by-hand", "--list"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "chapter-end (AudioFile/Muxing/Muxer)" in done.stdout.splitlines()
