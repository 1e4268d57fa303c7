"""docs/examples: four programs that use the library, and the library's documentation."""

import json
import os
import re
import subprocess

import numpy as np
import soundfile
from conftest import BUILD, JMIX, RATE, ROOT


def example(name, *words, **options):
    done = subprocess.run(
        [os.path.join(BUILD, f"example-{name}"), *map(str, words)],
        capture_output=True,
        text=True,
        timeout=60,
        **options,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_reference_automation(tmp_path):
    soundfile.write(tmp_path / "one.wav", np.full((10 * RATE, 2), 0.5), RATE, "FLOAT")
    said = example("reference-automation", tmp_path / "one.wav", tmp_path / "out.wav")
    assert said.splitlines()[:4] == ["0s: 0.5", "3s: 0.65", "5s: 0.8", "8s: 0.3"]
    t = np.arange(10 * RATE) / RATE
    volume = np.where(t < 2, 0.5, np.where(t < 4, 0.5 + 0.3 * (t - 2) / 2, np.where(t < 7, 0.8, 0.3)))
    assert np.abs(soundfile.read(tmp_path / "out.wav")[0] - 0.5 * volume[:, None]).max() < 1e-6


def test_an_export_with_progress(tmp_path):
    said = example("export", os.path.join(ROOT, "Sessions/voiceover/session.json"), tmp_path / "out.flac")
    shares = [int(line.split()[0]) for line in said.splitlines() if line.endswith(" %")]
    assert shares == sorted(shares) and shares[-1] == 100
    (report,) = json.loads(
        subprocess.run(
            [JMIX, "inspect", "--json", tmp_path / "out.flac"], capture_output=True, text=True
        ).stdout
    )
    assert abs(report["loudness"] + 23) < 0.1


def test_a_callback_source(tmp_path):
    assert "144000 frames, peak 0.5000" in example("callback-source", tmp_path / "out.wav")
    samples = soundfile.read(tmp_path / "out.wav")[0][:, 0]
    n = np.arange(RATE, 2 * RATE)
    assert np.abs(samples[n] - 0.5 * np.sin(2 * np.pi * 440 * n / RATE)).max() < 1e-4


def test_ducking_plays_and_is_a_session(jackd, tmp_path):
    soundfile.write(tmp_path / "music.wav", np.full((5 * RATE, 2), 0.25), RATE)
    soundfile.write(tmp_path / "voice.wav", np.full((RATE, 1), 0.25), RATE)
    session = tmp_path / "session.json"
    said = example(
        "ducking",
        tmp_path / "music.wav",
        tmp_path / "voice.wav",
        session,
        env={**os.environ, "JACK_DEFAULT_SERVER": jackd.name},
    )
    times = [float(line) for line in said.splitlines()[1:]]
    assert (
        said.startswith("under the voice: 0.3")
        and len(times) >= 5
        and times == sorted(times)
        and times[-1] >= 5
    )
    assert subprocess.run([JMIX, "check", session], capture_output=True).returncode == 0
    said = example(
        "ducking",
        tmp_path / "music.wav",
        tmp_path / "voice.wav",
        session,
        env={**os.environ, "JACK_DEFAULT_SERVER": "jmix-nobody-here"},
    )
    assert "not played" in said


def test_the_documentation_is_built_and_whole(tmp_path):
    done = subprocess.run(
        [os.path.join(ROOT, "scripts/docs"), tmp_path / "docs"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all documented" in done.stdout
    page = json.loads((tmp_path / "docs/data/documentation/jmixkit.json").read_text())
    assert page["metadata"]["title"] == "JmixKit"


def test_another_package_finds_the_libraries_whatever_this_folder_is_called(tmp_path):
    """With the two lines of the README."""
    dependency, product = (
        re.search(r"\.\w+\(.*\)", line)[0]
        for line in re.search(r"```swift\n(.*?)```", open(os.path.join(ROOT, "README.md")).read(), re.S)[1]
        .strip()
        .splitlines()
    )
    os.symlink(ROOT, tmp_path / "some-checkout")
    os.makedirs(tmp_path / "app/Sources/app")
    (tmp_path / "app/Sources/app/main.swift").write_text("import JmixKit\n")
    (tmp_path / "app/Package.swift").write_text(f"""// swift-tools-version: 6.1
import PackageDescription
let package = Package(
    name: "app", dependencies: [{dependency.replace("../jmix", "../some-checkout")}],
    targets: [.executableTarget(name: "app", dependencies: [{product}])])
""")
    done = subprocess.run(
        ["swift", "package", "--package-path", tmp_path / "app", "show-dependencies"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0 and "some-checkout" in done.stdout, done.stdout + done.stderr
