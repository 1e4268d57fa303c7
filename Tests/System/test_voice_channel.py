"""docs/voice-channel.md, line by line, on a voice with hum, pops and a quiet passage: what it is before and
after."""

import json
import os
import re
import shlex
import subprocess

import numpy as np
import soundfile
from conftest import BUILD, ROOT, run


def recorded(path):
    """Twelve seconds: speech, 15 dB quieter from 6.5 s on; a pause at the end; hum all through, three
    pops."""
    voice, rate = soundfile.read(os.path.join(ROOT, "Sessions/voiceover/voice-1.flac"), always_2d=True)
    voice = voice.mean(1)[np.abs(voice).max(1).nonzero()[0][0] :]
    t = np.arange(12 * rate) / rate
    sound = np.resize(voice, len(t))
    sound *= 0.25 / np.abs(sound).max() * np.where(t > 6.5, 10 ** (-15 / 20), 1) * (t < 10.5)
    hum = 0.002 * np.sin(2 * np.pi * 50 * t) + 0.0005 * np.sin(2 * np.pi * 100 * t)
    for at in (1.2, 4.1, 8.3):
        n = (t >= at) & (t < at + 0.12)
        sound[n] += 0.5 * np.sin(2 * np.pi * 30 * (t[n] - at)) * np.exp(-(t[n] - at) / 0.04)
    soundfile.write(path, sound + hum, rate, subtype="PCM_24")
    return rate


def level(samples, rate, start, end):
    part = samples[int(start * rate) : int(end * rate)]
    return 10 * np.log10(np.mean(part**2) + 1e-12)


def below(samples, rate, limit):
    """The level of what lies below a frequency, over all."""
    power = np.abs(np.fft.rfft(samples)) ** 2
    return 10 * np.log10(2 * power[np.fft.rfftfreq(len(samples), 1 / rate) < limit].sum() / len(samples) ** 2)


def test_a_recording_becomes_a_voice(tmp_path):
    rate = recorded(tmp_path / "voice.flac")
    text = open(os.path.join(ROOT, "docs/voice-channel.md")).read()
    for line in "".join(re.findall(r"```sh\n(.*?)```", text, re.S)).splitlines():
        done = subprocess.run(
            shlex.split(line),
            cwd=tmp_path,
            env={**os.environ, "PATH": f"{BUILD}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr)
    before, after = (soundfile.read(tmp_path / f"{name}.wav")[0][:, 0] for name in ("before", "after"))
    rate = soundfile.info(tmp_path / "after.wav").samplerate
    (told,) = json.loads(run("inspect", tmp_path / "after.wav", "--json").stdout)
    assert abs(told["loudness"] + 16) < 0.3 and told["truePeak"] < 10 ** (-0.9 / 20), told
    figures = {}
    for name, samples in (("before", before), ("after", after)):
        voice = level(samples, rate, 2, 4)
        figures[name] = (
            voice,
            voice - level(samples, rate, 8.5, 10),
            voice - level(samples, rate, 11.2, 11.9),
            voice - below(samples, rate, 60),
        )
    print(told, figures)
    # The quiet passage, the pause with its hum, and what is below 60 Hz, each beside the loud passage.
    assert figures["before"][1] > 12 and figures["after"][1] < 8
    assert figures["after"][2] > figures["before"][2] + 10 and figures["after"][3] > figures["before"][3] + 20
