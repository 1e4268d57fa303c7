"""A MIDI surface of the tests' own: a JACK client with a pair of ports for each unit."""

import queue
import threading

import jack
from conftest import ports_of, wait_until


class Surface:
    """What it sends goes out in the next period; what it hears is kept, in its order."""

    def __init__(self, server, units=1, name="surface"):
        self.client = jack.Client(name, servername=server.name, no_start_server=True)
        self.inputs = [self.client.midi_inports.register(f"in_{unit + 1}") for unit in range(units)]
        self.outputs = [self.client.midi_outports.register(f"out_{unit + 1}") for unit in range(units)]
        self.waiting = [queue.SimpleQueue() for _ in range(units)]
        self.lock = threading.Lock()
        self.messages = [[] for _ in range(units)]
        self.client.set_process_callback(self.process)
        self.client.activate()

    def process(self, _):
        for unit, port in enumerate(self.outputs):
            port.clear_buffer()
            # As much as a period has room for.
            for _ in range(200):
                try:
                    port.write_midi_event(0, self.waiting[unit].get_nowait())
                except queue.Empty:
                    break
        for unit, port in enumerate(self.inputs):
            heard = [bytes(data) for _, data in port.incoming_midi_events()]
            if heard:
                with self.lock:
                    self.messages[unit] += heard

    def send(self, *numbers, unit=0):
        self.waiting[unit].put(bytes(numbers))

    def heard(self, unit=0):
        with self.lock:
            return list(self.messages[unit])

    def forget(self):
        with self.lock:
            for messages in self.messages:
                messages.clear()

    def last(self, *head, unit=0):
        """The last message that begins so, without that; None if there is none."""
        found = [message for message in self.heard(unit) if message.startswith(bytes(head))]
        return found[-1][len(head) :] if found else None

    def join(self, unit, name, mixer="jmix"):
        """Connects a unit with the mixer's ports of that name, both ways, as soon as both are there."""
        both = f"^{mixer}:{name}_(in|out)$"
        wait_until(lambda: len(ports_of(self.client, both)) == 2, f"the ports {name} of {mixer}")
        self.client.connect(self.outputs[unit], f"{mixer}:{name}_in")
        self.client.connect(f"{mixer}:{name}_out", self.inputs[unit])

    def leave(self, unit, name, mixer="jmix"):
        self.client.disconnect(self.outputs[unit], f"{mixer}:{name}_in")
        self.client.disconnect(f"{mixer}:{name}_out", self.inputs[unit])

    def close(self):
        self.client.deactivate()
        self.client.close()
