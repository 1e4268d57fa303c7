// The least that mixing files with libsndfile takes on one thread: every input decoded in blocks, a gain a
// frame, a sum, a float WAV. usage: floor OUT.wav IN.wav...
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 8192 };

// 0.5, a ramp from 0.5 to 0.8 over 2 s to 4 s, 0.3 from 7 s on.
static float gain(double t) {
    return t < 2 ? 0.5f : t < 4 ? 0.5f + 0.15f * (float)(t - 2) : t < 7 ? 0.8f : 0.3f;
}

int main(int argc, char **argv) {
    static float input[2 * BLOCK], mix[2 * BLOCK], gains[BLOCK];
    int count = argc - 2;
    SNDFILE **files = calloc(count, sizeof *files);
    SF_INFO info;
    for (int i = 0; i < count; i++) {
        memset(&info, 0, sizeof info);
        files[i] = sf_open(argv[i + 2], SFM_READ, &info);
        if (!files[i]) return fprintf(stderr, "%s\n", argv[i + 2]), 1;
    }
    SF_INFO format = {
        .samplerate = info.samplerate, .channels = 2, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    SNDFILE *output = sf_open(argv[1], SFM_WRITE, &format);
    for (sf_count_t place = 0, got = 1; got > 0; place += got) {
        got = 0;
        memset(mix, 0, sizeof mix);
        for (int k = 0; k < BLOCK; k++) gains[k] = gain((double)(place + k) / info.samplerate);
        for (int i = 0; i < count; i++) {
            sf_count_t read = sf_readf_float(files[i], input, BLOCK);
            if (read > got) got = read;
            // By the frame: by the sample, with gains[k / 2], it takes a third longer.
            for (int k = 0; k < read; k++) {
                mix[2 * k] += input[2 * k] * gains[k];
                mix[2 * k + 1] += input[2 * k + 1] * gains[k];
            }
        }
        sf_writef_float(output, mix, got);
    }
    return sf_close(output);
}
