#pragma once
#include <jack/jack.h>

// jack_client_open is variadic, which Swift does not import: with and without the name of a server.
static inline jack_client_t *jmix_jack_open(const char *name, const char *server, jack_status_t *status) {
    return server ? jack_client_open(name, (jack_options_t)(JackNoStartServer | JackServerName), status, server)
                  : jack_client_open(name, JackNoStartServer, status);
}

// JACK documents jack_port_get_buffer for the process callback: it reads shared memory, takes no lock and allocates nothing.
static inline float *rt_port_buffer(jack_port_t *port, jack_nframes_t frames) __attribute__((swift_attr("@_noLocks")));
static inline float *rt_port_buffer(jack_port_t *port, jack_nframes_t frames) { return (float *)jack_port_get_buffer(port, frames); }

// The status bits as numbers.
static inline int jmix_jack_status(jack_status_t status) { return (int)status; }
