// latency SERVER [FRAMES]: the clients "first", whose output `out` is 100 to 200 frames late, and "last",
// whose input `in` is heard 30 to 40, or so many, frames later. Until its input ends.
#include <jack/jack.h>
#include <stdio.h>
#include <stdlib.h>

static jack_port_t *out, *in;
static jack_latency_range_t heard = {30, 40};

static void say_first(jack_latency_callback_mode_t mode, void *argument) {
    jack_latency_range_t range = {100, 200};
    if (mode == JackCaptureLatency) jack_port_set_latency_range(out, mode, &range);
}

static void say_last(jack_latency_callback_mode_t mode, void *argument) {
    if (mode == JackPlaybackLatency) jack_port_set_latency_range(in, mode, &heard);
}

static int process(jack_nframes_t frames, void *argument) { return 0; }

int main(int count, char **words) {
    if (count > 2) heard.min = heard.max = atoi(words[2]);
    jack_client_t *first = jack_client_open("first", JackNoStartServer | JackServerName, NULL, words[1]);
    jack_client_t *last = jack_client_open("last", JackNoStartServer | JackServerName, NULL, words[1]);
    if (!first || !last) return 1;
    out = jack_port_register(first, "out", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    in = jack_port_register(last, "in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    jack_set_latency_callback(first, say_first, NULL);
    jack_set_latency_callback(last, say_last, NULL);
    jack_set_process_callback(first, process, NULL);
    jack_set_process_callback(last, process, NULL);
    if (jack_activate(first) || jack_activate(last)) return 1;
    puts("ready");
    fflush(stdout);
    getchar();
    jack_client_close(first);
    jack_client_close(last);
    return 0;
}
