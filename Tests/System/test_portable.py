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


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """CVector, compiled for registers of each width."""
    source, tmp_path = os.path.join(ROOT, "Sources/CVector"), tmp_path_factory.mktemp("vector")
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
    return libraries


class FilterSections(ctypes.Structure):
    """`filter_sections` of CVector.h."""

    _fields_ = [
        ("steps", ctypes.c_void_p),
        ("memory", ctypes.c_void_p),
        ("order", ctypes.c_void_p),
        ("running", ctypes.c_size_t),
    ]


@pytest.fixture
def dice():
    seed = random.randrange(1 << 32)
    print("seed", seed)
    return np.random.default_rng(seed)


WIDTHS = pytest.mark.skipif(
    platform.machine() != "x86_64", reason="other processors have one kind of register"
)


@WIDTHS
def test_registers_of_each_width_give_the_same_bytes(libraries, dice):
    """Every loop of CVector, compiled for 128, 256 and 512 bits, on levels from nothing to what no sample
    has, of every length up to three blocks."""
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
                measured = [floats(told)] if name != "add" else []
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


@WIDTHS
def test_a_pipeline_of_filters_is_one_frame_after_another(libraries, dice):
    """Any sections in any order, any length, what they remember from block to block: the numbers of an
    equaliser's sections, and numbers that grow beyond all bounds. Once something comes out that is no number
    it is silence, and all is forgotten."""

    def pointer(values):
        return values.ctypes.data_as(ctypes.c_void_p)

    def run(library, steps, memory, order, sides, pieces):
        """In so many pieces; frames that are run alone are run one section after another."""
        place = 0
        for count in pieces:
            first, second = [side[place : place + count] for side in sides]
            sections = FilterSections(*map(pointer, (steps, memory, order)), len(order))
            library.filter_two(ctypes.byref(sections), *map(pointer, (first, second)), ctypes.c_size_t(count))
            place += count

    cleared = 0
    for turn in range(600):
        running, length = int(dice.integers(0, 9)), int(dice.integers(1, 700))
        g, k = np.tan(np.pi * 10 ** dice.uniform(-4, -0.31, 8)), 10 ** dice.uniform(-1.6, 1, 8)
        a1 = 1 / (1 + g * (g + k))
        steps = np.stack([a1, g * a1, g * g * a1, *dice.uniform(-4, 4, (3, 8))], axis=1)
        if turn % 3 == 0:
            # It goes beyond all numbers after a while.
            steps[dice.integers(0, 8)] *= 10.0 ** dice.uniform(0, 12)
        order = np.sort(dice.permutation(8)[:running]).astype(np.int64)
        sides = dice.standard_normal((2, length)).astype(np.float32)
        if turn % 5 == 0:
            sides[:, dice.integers(0, length)] = dice.choice([np.inf, np.nan, 3e38, -0.0, 1e-42])
        if turn % 7 == 0:
            sides[1] = sides[0]
        memory = dice.standard_normal((8, 4))
        if turn % 11 == 0:
            memory *= 0
        results = []
        for bits, library in libraries.items():
            for is_split in (False, True):
                kept, heard, left = memory.copy(), sides.copy(), length
                pieces = [1] * length if is_split else []
                while not is_split and left:
                    pieces.append(int(dice.integers(1, min(left, 300) + 1)))
                    left -= pieces[-1]
                run(library, steps, kept, order, heard, pieces)
                results.append((bits, is_split, kept.tobytes(), heard.tobytes()))
        for result in results:
            assert result[2:] == results[0][2:], (turn, result[:2], running, length)
        cleared += not np.isfinite(sides).all()
    assert cleared > 20, "some had what is no number"


@WIDTHS
def test_a_section_is_its_formula(libraries, dice):
    """A low pass and a bell, by the difference equations of the trapezoidal state variable filter."""
    g, k, length = np.tan(np.pi * np.array([0.01, 0.1])), np.array([2**0.5, 0.7]), 500
    mixes = np.array([[0, 0, 1], [1, 0.9, 0]])
    a1 = 1 / (1 + g * (g + k))
    steps = np.zeros((8, 6))
    steps[[1, 5]] = np.stack([a1, g * a1, g * g * a1, *mixes.T], axis=1)
    sides = dice.uniform(-1, 1, (2, length)).astype(np.float32)
    expected = sides.astype(float)
    for n in range(2):
        band, low = np.zeros(2), np.zeros(2)
        for i in range(length):
            x = expected[:, i]
            # Both integrators at once: v1 is the band, v2 the low pass.
            v1 = (band + g[n] * (x - low)) / (1 + g[n] * (g[n] + k[n]))
            v2 = low + g[n] * v1
            band, low = 2 * v1 - band, 2 * v2 - low
            expected[:, i] = mixes[n, 0] * x + mixes[n, 1] * v1 + mixes[n, 2] * v2
    memory, order = np.zeros((8, 4)), np.array([1, 5], np.int64)
    heard = sides.copy()
    pointers = [values.ctypes.data_as(ctypes.c_void_p) for values in (steps, memory, order)]
    libraries[512].filter_two(
        ctypes.byref(FilterSections(*pointers, 2)),
        *[side.ctypes.data_as(ctypes.c_void_p) for side in heard],
        ctypes.c_size_t(length),
    )
    assert np.abs(heard - expected).max() < 1e-6


@pytest.mark.skipif(platform.machine() != "x86_64", reason="elsewhere the loop is Swift's")
@pytest.mark.parametrize("is_for_later", [False, True])
def test_frames_of_24_bits_are_the_same_wherever_they_are_written(libraries, dice, is_for_later):
    """Of every length up to some lines of the cache, from every place in a line on: the quotients, and
    nothing before or behind them, also where they are written past the caches."""
    source = dice.integers(0, 256, 6 * 100 + 8, dtype=np.uint8)
    bytes_of = source[:600].reshape(100, 2, 3).astype(np.int64)
    words = bytes_of[:, :, 0] | bytes_of[:, :, 1] << 8 | bytes_of[:, :, 2] << 16
    expected = (np.where(words < 1 << 23, words, words - (1 << 24)) / 2**23).astype(np.float32)
    convert = libraries[256].pcm24_stereo
    convert.restype = ctypes.c_size_t
    memory = np.zeros(2 * 256 + 16, np.float32)
    first = -memory.ctypes.data % 64 // 4
    for offset in range(16):
        for count in range(101):
            memory[:] = 9
            sides = [memory[first + offset + 256 * side :][:count] for side in (0, 1)]
            done = convert(
                source.ctypes.data_as(ctypes.c_void_p),
                *[ctypes.c_void_p(side.ctypes.data) for side in sides],
                ctypes.c_size_t(count),
                ctypes.c_bool(is_for_later),
            )
            assert count - 4 < done <= count
            for side, samples in enumerate(sides):
                assert np.array_equal(samples[:done], expected[:done, side]), (offset, count, side)
                samples[:done] = 9
            assert np.all(memory == 9), ("beside the frames", offset, count)
