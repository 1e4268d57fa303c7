#!/usr/bin/env python3
"""Makes the audio files of the demo sessions: synthesised music, a voice by espeak-ng, an effect. Always the
same samples
for the same espeak-ng. Needs numpy, soundfile and espeak-ng. usage: make-material.py [FOLDER]"""

import os
import subprocess
import sys
import tempfile

import numpy as np
import soundfile

RATE = 48000
HERE = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))


def write(name, samples):
    path = os.path.join(HERE, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    soundfile.write(path, samples, RATE, format="FLAC", subtype="PCM_16")


def seconds(duration):
    return np.arange(int(duration * RATE)) / RATE


def tone(frequency, duration, decay):
    """A plucked note: a few harmonics that die away, the higher the sooner."""
    t = seconds(duration)
    note = sum(np.sin(2 * np.pi * frequency * k * t) * np.exp(-t * decay * k) / k for k in range(1, 5))
    note[:96] *= np.linspace(0, 1, 96)
    note[-480:] *= np.linspace(1, 0, 480)
    return note


def sequence(duration, notes, decay=2.0):
    """Notes as (start in s, frequency in Hz, length in s, level, place from -1 to 1)."""
    out = np.zeros((int(duration * RATE), 2))
    for start, frequency, length, level, place in notes:
        at = int(start * RATE)
        note = tone(frequency, length, decay)[: len(out) - at] * level
        out[at : at + len(note), 0] += note * (1 - max(0, place))
        out[at : at + len(note), 1] += note * (1 + min(0, place))
    return out


def hertz(key):
    return 440 * 2 ** ((key - 69) / 12)


CHORDS = [(57, 60, 64), (53, 57, 60), (48, 55, 64), (55, 59, 62)]  # Am F C G, two seconds each


def arpeggio(duration):
    notes = []
    for step in range(int(duration / 0.25)):
        chord = CHORDS[step // 8 % 4]
        notes.append(
            (step * 0.25, hertz(chord[step % 3] + 12 * (step // 3 % 2)), 1.0, 0.16, (-0.6, 0, 0.6)[step % 3])
        )
    return sequence(duration, notes)


def bass(duration):
    return sequence(
        duration,
        [(s * 1.0, hertz(CHORDS[s // 2 % 4][0] - 24), 0.95, 0.3, 0) for s in range(int(duration))],
        1.2,
    )


def pad(duration):
    t = seconds(duration)
    out = np.zeros((len(t), 2))
    for index in range(int(duration / 2)):
        for key in CHORDS[index % 4]:
            part = slice(int(index * 2 * RATE), int((index + 1) * 2 * RATE))
            swell = np.sin(np.pi * np.arange(part.stop - part.start) / (part.stop - part.start))
            out[part, 0] += 0.06 * swell * np.sin(2 * np.pi * hertz(key) * t[part])
            out[part, 1] += 0.06 * swell * np.sin(2 * np.pi * hertz(key) * 1.003 * t[part])
    return out


def drums(duration):
    noise = np.random.default_rng(1)
    out = np.zeros((int(duration * RATE), 2))
    for step in range(int(duration / 0.5)):
        t = seconds(0.2)
        if step % 2 == 0:
            hit = 0.5 * np.sin(2 * np.pi * (50 * t + 6 * (1 - np.exp(-t * 30)))) * np.exp(-t * 18)
        else:
            hit = 0.2 * noise.standard_normal(len(t)) * np.exp(-t * 30)
        at = int(step * 0.5 * RATE)
        out[at : at + len(hit)] += hit[:, None]
    return out


def voice(text):
    """espeak-ng's voice, brought to 48 kHz."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "voice.wav")
        subprocess.run(["espeak-ng", "-v", "en-gb", "-s", "150", "-w", path, text], check=True)
        samples, rate = soundfile.read(path)
    places = np.arange(int(len(samples) * RATE / rate)) * rate / RATE
    spoken = np.interp(places, np.arange(len(samples)), samples)
    loud = np.flatnonzero(np.abs(spoken) > 0.01)
    spoken = spoken[max(0, loud[0] - 480) : loud[-1] + 480]
    return spoken * 0.7 / np.abs(spoken).max()


def chime():
    t = seconds(2.5)
    rise = sum(np.sin(2 * np.pi * f * t) * np.exp(-t * 2.2) for f in (1046.5, 1568.0, 2093.0, 2637.0))
    side = np.sin(2 * np.pi * 0.7 * t)
    out = np.stack([rise * (0.6 + 0.4 * side), rise * (0.6 - 0.4 * side)], 1) * 0.1
    out[-2400:] *= np.linspace(1, 0, 2400)[:, None]
    return out


def main():
    write("voiceover/music.flac", arpeggio(20) + 0.8 * bass(20) + 0.5 * drums(20))
    write("voiceover/voice-1.flac", voice("This is jay mix. The music bows when a voice speaks."))
    write("voiceover/voice-2.flac", voice("And it comes back when the voice is done."))
    write("voiceover/chime.flac", chime())
    write("voiceover/pad.flac", pad(8)[:, 0])
    for name, make in (("drums", drums), ("bass", bass), ("keys", arpeggio), ("pad", pad)):
        write(f"four-tracks/{name}.flac", make(16))


main()
