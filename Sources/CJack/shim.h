#pragma once
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/thread.h>

// jack_client_open is variadic, which Swift does not import: with and without the name of a server.
static inline jack_client_t *jmix_jack_open(const char *name, const char *server, jack_status_t *status) {
    return server
               ? jack_client_open(name, (jack_options_t)(JackNoStartServer | JackServerName), status, server)
               : jack_client_open(name, JackNoStartServer, status);
}

// JACK documents jack_port_get_buffer for the process callback: it reads shared memory, takes no lock and
// allocates nothing.
static inline float *rt_port_buffer(jack_port_t *port, jack_nframes_t frames)
    __attribute__((swift_attr("@_noLocks")));
static inline float *rt_port_buffer(jack_port_t *port, jack_nframes_t frames) {
    return (float *)jack_port_get_buffer(port, frames);
}

// JACK documents jack_last_frame_time for the process callback: the frame time at the start of the cycle,
// read from shared memory.
static inline jack_nframes_t rt_cycle_frame(jack_client_t *client) __attribute__((swift_attr("@_noLocks")));
static inline jack_nframes_t rt_cycle_frame(jack_client_t *client) { return jack_last_frame_time(client); }

// JACK documents jack_transport_query as realtime-safe, callable from any thread: a copy out of shared
// memory.
static inline int rt_transport_rolls(jack_client_t *client, jack_nframes_t *frame)
    __attribute__((swift_attr("@_noLocks")));
static inline int rt_transport_rolls(jack_client_t *client, jack_nframes_t *frame) {
    jack_position_t position;
    jack_transport_state_t state = jack_transport_query(client, &position);
    *frame = position.frame;
    return state == JackTransportRolling || state == JackTransportLooping;
}

// JACK documents the functions of midiport.h for the process callback: they read and write the port's buffer,
// take no lock and allocate nothing.
static inline void *rt_midi_buffer(jack_port_t *port, jack_nframes_t frames)
    __attribute__((swift_attr("@_noLocks")));
static inline void *rt_midi_buffer(jack_port_t *port, jack_nframes_t frames) {
    return jack_port_get_buffer(port, frames);
}

static inline uint32_t rt_midi_count(void *buffer) __attribute__((swift_attr("@_noLocks")));
static inline uint32_t rt_midi_count(void *buffer) { return jack_midi_get_event_count(buffer); }

// The size of an event, and where its bytes are; 0 where there is none.
static inline uint32_t rt_midi_event(void *buffer, uint32_t index, const unsigned char **bytes)
    __attribute__((swift_attr("@_noLocks")));
static inline uint32_t rt_midi_event(void *buffer, uint32_t index, const unsigned char **bytes) {
    jack_midi_event_t event;
    if (jack_midi_event_get(&event, buffer, index) != 0) return 0;
    *bytes = event.buffer;
    return (uint32_t)event.size;
}

static inline void rt_midi_clear(void *buffer) __attribute__((swift_attr("@_noLocks")));
static inline void rt_midi_clear(void *buffer) { jack_midi_clear_buffer(buffer); }

// 0, or why there is no room for it.
static inline int rt_midi_write(void *buffer, const unsigned char *bytes, uint32_t count)
    __attribute__((swift_attr("@_noLocks")));
static inline int rt_midi_write(void *buffer, const unsigned char *bytes, uint32_t count) {
    return jack_midi_event_write(buffer, 0, bytes, count);
}

// The keys of JACK's metadata are variables, which Swift takes for state that threads share.
static inline const char *jmix_pretty_name_key(void) { return JACK_METADATA_PRETTY_NAME; }
static inline const char *jmix_port_group_key(void) { return JACK_METADATA_PORT_GROUP; }
static inline const char *jmix_order_key(void) { return JACK_METADATA_ORDER; }

// The status bits as numbers.
static inline int jmix_jack_status(jack_status_t status) { return (int)status; }
