"""What is in C compiles for the other processor that the mixer is meant for."""
import glob
import os
import shutil
import subprocess

import pytest
from conftest import ROOT

SOURCES = sorted(glob.glob(os.path.join(ROOT, "Sources/C*/*.c")))


@pytest.mark.parametrize("source", SOURCES, ids=os.path.basename)
def test_it_compiles_for_arm64(source, tmp_path):
    """With the toolchain's own clang, and the system headers of that processor."""
    clang = os.path.join(os.path.dirname(os.path.realpath(shutil.which("swift"))), "clang")
    include = os.path.join(os.path.dirname(source), "include")
    done = subprocess.run(
        [clang, "--target=aarch64-linux-gnu", "-O2", "-Wall", "-Werror", "-c", "-I", include, "-isystem", "/usr/aarch64-linux-gnu/include", "-o", tmp_path / "out.o", source],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert b"\xb7\x00" == (tmp_path / "out.o").read_bytes()[18:20], "the object is for arm64 (EM_AARCH64)"
