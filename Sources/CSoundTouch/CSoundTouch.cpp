extern "C" {
#include "CSoundTouch.h"
}
#include <soundtouch/SoundTouch.h>

static_assert(sizeof(soundtouch::SAMPLETYPE) == sizeof(float), "a SoundTouch of floats is needed");

struct SoundTouchStretch {
    soundtouch::SoundTouch engine;
};

SoundTouchStretch *soundtouch_make(int sample_rate, int channels, double tempo, double semitones) {
    try {
        auto stretch = new SoundTouchStretch;
        try {
            stretch->engine.setSampleRate(unsigned(sample_rate));
            stretch->engine.setChannels(unsigned(channels));
            stretch->engine.setTempo(tempo);
            stretch->engine.setPitchSemiTones(semitones);
            return stretch;
        } catch (...) {
            delete stretch;
            return nullptr;
        }
    } catch (...) {
        return nullptr;
    }
}

void soundtouch_destroy(SoundTouchStretch *stretch) { delete stretch; }

int soundtouch_sequence(const SoundTouchStretch *stretch) {
    return stretch->engine.getSetting(SETTING_NOMINAL_OUTPUT_SEQUENCE);
}

int soundtouch_put(SoundTouchStretch *stretch, const float *samples, int frames) {
    try {
        stretch->engine.putSamples(samples, unsigned(frames));
        return 1;
    } catch (...) {
        return 0;
    }
}

int soundtouch_receive(SoundTouchStretch *stretch, float *samples, int frames) {
    try {
        return int(stretch->engine.receiveSamples(samples, unsigned(frames)));
    } catch (...) {
        return 0;
    }
}

const char *soundtouch_version(void) { return soundtouch::SoundTouch::getVersionString(); }
