// What a callback of this size costs on this machine, whoever writes it: a JACK client in plain C that adds
// up as many stereo tracks out of as much memory as the mixer's read-ahead takes, with one gain each; no
// disk, no automation, no meters. Prints how long its calls took. usage: callback_floor SERVER TRACKS
// FRAMES-A-TRACK SECONDS
#include <jack/jack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static jack_port_t *out[2];
static float *memory;
static long tracks, frames, place, calls, late, longest, rate, histogram[100000];

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int process(jack_nframes_t count, void *context) {
    long start = now();
    for (int side = 0; side < 2; side++)
        memset(jack_port_get_buffer(out[side], count), 0, count * sizeof(float));
    for (long track = 0; track < tracks; track++)
        for (int side = 0; side < 2; side++) {
            const float *source = memory + (2 * track + side) * frames + place;
            float *bus = jack_port_get_buffer(out[side], count);
            for (jack_nframes_t i = 0; i < count; i++) bus[i] += source[i] * 0.001f;
        }
    place = place + 2 * count > frames ? 0 : place + count;
    long taken = now() - start, microseconds = taken / 1000;
    calls++;
    late += taken > count * 1000000000L / rate;
    if (taken > longest) longest = taken;
    histogram[microseconds < 99999 ? microseconds : 99999]++;
    return 0;
}

static long exceeded_by_one_in(long share) {
    long left = calls / share, i = 99999;
    while (i > 0 && (left -= histogram[i]) >= 0) i--;
    return i + 1;
}

int main(int count, char **words) {
    (void)count;
    tracks = atol(words[2]), frames = atol(words[3]);
    memory = mmap(NULL, 2 * tracks * frames * sizeof(float), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    for (long i = 0; i < 2 * tracks * frames; i++) memory[i] = 0.1f;
    mlockall(MCL_CURRENT | MCL_FUTURE);
    jack_client_t *client = jack_client_open("floor", JackNoStartServer | JackServerName, NULL, words[1]);
    if (!client) return 1;
    rate = jack_get_sample_rate(client);
    jack_set_process_callback(client, process, NULL);
    for (int side = 0; side < 2; side++)
        out[side] =
            jack_port_register(client, side ? "right" : "left", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    jack_activate(client);
    sleep(atoi(words[4]));
    jack_deactivate(client);
    printf("{\"median\": %ld, \"percentile999\": %ld, \"longest\": %ld, \"late\": %ld, \"periods\": %ld}\n",
           exceeded_by_one_in(2), exceeded_by_one_in(1000), longest / 1000, late, calls);
    return jack_client_close(client);
}
