#pragma once

// SoundTouch for who does not speak C++: what makes sound longer or higher, each without the other. For one
// thread at a time.

typedef struct SoundTouchStretch SoundTouchStretch;

/// - tempo: how many times as fast; semitones: how much higher.
/// - Returns: NULL if it takes no such rate or so many channels, or there is no memory.
SoundTouchStretch *soundtouch_make(int sample_rate, int channels, double tempo, double semitones);
void soundtouch_destroy(SoundTouchStretch *stretch);

/// Frames of what comes out that it takes from one place at a time, before it looks for the next that fits.
int soundtouch_sequence(const SoundTouchStretch *stretch);

/// Takes interleaved frames. Returns 0 where there was no memory for them.
int soundtouch_put(SoundTouchStretch *stretch, const float *samples, int frames);

/// Gives interleaved frames that are ready, as many as `frames`. Returns how many.
int soundtouch_receive(SoundTouchStretch *stretch, float *samples, int frames);

/// Which SoundTouch it is.
const char *soundtouch_version(void);
