// cable SERVER FRAMES: the client "cable", whose output `out` gives what comes in at its input `in` so many
// frames later, and says so. Until its input ends.
#include <jack/jack.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jack_port_t *in, *out;
static jack_nframes_t late;
static float *kept;
static size_t next;

static void say(jack_latency_callback_mode_t mode, void *argument) {
    jack_latency_range_t range;
    jack_port_get_latency_range(mode == JackCaptureLatency ? in : out, mode, &range);
    range.min += late;
    range.max += late;
    jack_port_set_latency_range(mode == JackCaptureLatency ? out : in, mode, &range);
}

static int process(jack_nframes_t frames, void *argument) {
    const float *source = jack_port_get_buffer(in, frames);
    float *target = jack_port_get_buffer(out, frames);
    for (jack_nframes_t i = 0; i < frames; i++) {
        float before = kept[next];
        kept[next] = source[i];
        target[i] = late ? before : source[i];
        next = late ? (next + 1) % late : 0;
    }
    return 0;
}

int main(int count, char **words) {
    if (count < 3) return 2;
    late = atoi(words[2]);
    kept = calloc(late ? late : 1, sizeof *kept);
    jack_client_t *client = jack_client_open("cable", JackNoStartServer | JackServerName, NULL, words[1]);
    if (!client || !kept) return 1;
    in = jack_port_register(client, "in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    out = jack_port_register(client, "out", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    jack_set_latency_callback(client, say, NULL);
    jack_set_process_callback(client, process, NULL);
    if (jack_activate(client)) return 1;
    puts("ready");
    fflush(stdout);
    getchar();
    jack_client_close(client);
    free(kept);
    return 0;
}
