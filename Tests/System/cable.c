// cable SERVER FRAMES: the client "cable", whose output `out` gives what comes in at its input `in` so many
// frames later, and says so to who asks. A line with a number makes it so many from then on, which it tells
// nobody. Until its input ends.
#include <jack/jack.h>
#include <stdio.h>
#include <stdlib.h>

static jack_port_t *in, *out;
static _Atomic jack_nframes_t late;
enum { longest = 1 << 16 };
static float kept[longest];
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
        kept[next % longest] = source[i];
        target[i] = kept[(next - late) % longest];
        next++;
    }
    return 0;
}

int main(int count, char **words) {
    if (count < 3) return 2;
    late = atoi(words[2]);
    jack_client_t *client = jack_client_open("cable", JackNoStartServer | JackServerName, NULL, words[1]);
    if (!client || late >= longest) return 1;
    in = jack_port_register(client, "in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
    out = jack_port_register(client, "out", JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    jack_set_latency_callback(client, say, NULL);
    jack_set_process_callback(client, process, NULL);
    if (jack_activate(client)) return 1;
    puts("ready");
    fflush(stdout);
    for (int frames; scanf("%d", &frames) == 1;) {
        if (frames < 0 || frames >= longest) return 2;
        late = frames;
        puts("changed");
        fflush(stdout);
    }
    jack_client_close(client);
    return 0;
}
