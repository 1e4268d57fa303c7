"""What is in C compiles for the other processor that the mixer is meant for, and makes the same of samples
whatever a processor's registers hold."""

import ctypes
import glob
import os
import platform
import random
import shutil
import subprocess

import numpy as np
import pytest
from conftest import ROOT

SOURCES = sorted(glob.glob(os.path.join(ROOT, "Sources/C*/*.c")))


@pytest.mark.parametrize("source", SOURCES, ids=os.path.basename)
def test_it_compiles_for_arm64(source, tmp_path):
    """With the toolchain's own clang, and the system headers of that processor."""
    clang = os.path.join(os.path.dirname(os.path.realpath(shutil.which("swift"))), "clang")
    include = os.path.join(os.path.dirname(source), "include")
    done = subprocess.run(
        [
            clang,
            "--target=aarch64-linux-gnu",
            "-O2",
            "-Wall",
            "-Werror",
            "-c",
            "-I",
            include,
            "-isystem",
            "/usr/aarch64-linux-gnu/include",
            "-o",
            tmp_path / "out.o",
            source,
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert b"\xb7\x00" == (tmp_path / "out.o").read_bytes()[18:20], "the object is for arm64 (EM_AARCH64)"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other processors have one kind of register")
def test_registers_of_each_width_give_the_same_bytes(tmp_path):
    """Every loop of CVector, compiled for 128, 256 and 512 bits, on levels from nothing to what no sample
    has, of every length up to three blocks."""
    source = os.path.join(ROOT, "Sources/CVector")
    libraries = {}
    for bits in (128, 256, 512):
        library = tmp_path / f"{bits}.so"
        subprocess.run(
            [
                "clang",
                "-O2",
                "-shared",
                "-fPIC",
                f"-DWIDEST={bits}",
                "-I",
                f"{source}/include",
                "-o",
                library,
                *glob.glob(f"{source}/*.c"),
            ],
            check=True,
        )
        libraries[bits] = ctypes.CDLL(str(library))
    seed = random.randrange(1 << 32)
    print("seed", seed)
    dice = np.random.default_rng(seed)
    samples = (dice.standard_normal(200) * 10.0 ** dice.uniform(-40, 3, 200)).astype(np.float32)
    samples[dice.integers(0, 200, 20)] = dice.choice(
        [0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-40, 2**-126], 20
    )
    doubles = 10 ** dice.uniform(-20, 3, 200)
    doubles[dice.integers(0, 200, 10)] = dice.choice([0, 1, 1e-15, np.nextafter(2**0.5, 0), 2**0.5], 10)
    changes = dice.uniform(-7000, 7000, 200) * dice.choice([1, 0.01, 0.001, 0], 200)

    def floats(values):
        return values.ctypes.data_as(ctypes.POINTER(ctypes.c_float))

    def numbers(values):
        return values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))

    def made(library, count):
        """All that the loops make of the first so many."""
        out = []
        for name in ("add", "mix", "make"):
            for gains in ("steady", "moving"):
                bus, told = np.arange(200, dtype=np.float32) / 7, np.zeros(2, np.float32)
                given = (
                    [ctypes.c_float(0.3), ctypes.c_float(1.1)]
                    if gains == "steady"
                    else [floats(samples[::-1].copy()), floats(np.float32(doubles))]
                )
                measured = [floats(told), floats(told[1:])] if name != "add" else []
                getattr(library, f"{name}_{gains}")(
                    floats(samples), *given, floats(bus), ctypes.c_size_t(count), *measured
                )
                out += [bus, told]
        levels, decibels, gains, scaled = doubles.copy(), doubles.copy(), changes.copy(), samples.copy()
        library.raise_levels(floats(samples), numbers(levels), ctypes.c_size_t(count))
        library.levels_to_decibels(numbers(decibels), ctypes.c_size_t(count))
        library.decibels_to_gains(numbers(gains), ctypes.c_size_t(count))
        library.scale_by(floats(scaled), numbers(gains), ctypes.c_size_t(count))
        return [*out, levels, decibels, gains, scaled]

    def same(one, other):
        """To the last bit, but that nothing is said of the bits of what is no number."""
        is_none = np.isnan(one)
        return (
            np.array_equal(is_none, np.isnan(other)) and one[~is_none].tobytes() == other[~is_none].tobytes()
        )

    for count in range(200):
        narrow, *wider = [made(library, count) for library in libraries.values()]
        for other in wider:
            wrong = [
                place for place, (one, another) in enumerate(zip(narrow, other)) if not same(one, another)
            ]
            assert not wrong, (count, wrong)
    # And they are what they are for.
    levels = doubles.copy()
    libraries[128].levels_to_decibels(numbers(levels), ctypes.c_size_t(200))
    loud = doubles > 1e-15
    assert np.abs(levels[loud] - 20 * np.log10(doubles[loud])).max() < 1e-12 and (levels[~loud] == -300).all()
    gains = np.clip(changes, -5900, 5900) / 100
    expected = 10 ** (gains / 20)
    libraries[512].decibels_to_gains(numbers(gains), ctypes.c_size_t(200))
    assert np.abs(gains / expected - 1).max() < 1e-13 and (gains[changes == 0] == 1).all()
