"""Walks the release binary from the process callback: whatever it can reach outside the binary must be on the
list, and nothing on its way copies a whole strip or a whole player."""

import bisect
import collections
import os
import re
import shlex
import subprocess

from conftest import ROOT

JMIX = os.path.join(ROOT, ".build/release/jmix")

ALLOWED = {
    "jack_port_get_buffer": "documented for the process callback",
    "jack_last_frame_time": "the same: reads shared memory",
    "jack_transport_query": "documented as realtime-safe: copies out of shared memory",
    "jack_midi_get_event_count": "documented for the process callback: reads the port's buffer",
    "jack_midi_event_get": "the same",
    "jack_midi_clear_buffer": "the same: writes it",
    "jack_midi_event_write": "the same",
    "__stack_chk_fail": "only after the stack has been overwritten; the compiler's guard of a C struct in "
    "the shim",
    "memcpy": "copies within memory that is there",
    "memmove": "the same",
    "memset": "the same",
    "clock_gettime": "read through the vDSO, without entering the kernel",
    "sem_post": "async-signal-safe: takes no lock",
    "__rtsan_realtime_enter": "weak, absent but under RealtimeSanitizer",
    "__rtsan_realtime_exit": "the same",
}
# Not walked: called where freewheel or offline rendering waits for the disk, never live.
NOT_LIVE = "waitUntil"


def functions():
    """Where each function begins, sorted. The compiler's helpers have no names: what lies behind the end of
    one that has is a function of its own."""
    starts = {}
    for line in subprocess.run(
        ["nm", "-S", "--defined-only", JMIX], capture_output=True, text=True, check=True
    ).stdout.splitlines():
        if match := re.match(r"^([0-9a-f]+) ([0-9a-f]+) [tTwW] (.+)$", line):
            address, size = int(match[1], 16), int(match[2], 16)
            starts[address] = match[3]
            starts.setdefault((address + size + 15) & ~15, f"behind {match[3]}")
    return sorted(starts.items())


# In bytes: a limiter keeps so much of its past. A strip has 696, and a method that is not mutating may be
# given a copy of all that it is called on.
LONGEST_COPY = 256


def instructions():
    """Address and text of each instruction that calls, jumps, or says how much is copied."""
    # Five million lines: grep drops those that say nothing of calls and copies.
    wanted = r"^Disassembly|\t(call|j)|,%[er]dx$"
    command = f"objdump -d --no-show-raw-insn {shlex.quote(JMIX)} | LC_ALL=C grep -P '{wanted}'"
    pipe = ["bash", "-o", "pipefail", "-c", command]
    with subprocess.Popen(pipe, stdout=subprocess.PIPE, text=True) as listing:
        plt = False
        for line in listing.stdout:
            address, tab, text = line.rstrip().partition(":\t")
            if not tab:
                plt = ".plt" in line
            elif not plt:
                yield int(address, 16), text
    assert listing.returncode == 0, "objdump has read the program to its end"


def call_graph():
    """Who calls whom, how often by a pointer, and which copies of a constant size each function makes."""
    known = functions()
    places = [address for address, _ in known]

    def name(address):
        place = bisect.bisect_right(places, address) - 1
        return known[place][1] if place >= 0 else "before all"

    calls, indirect = collections.defaultdict(set), collections.Counter()
    copies, size, function = collections.defaultdict(list), None, None
    for address, text in instructions():
        before, function = function, name(address)
        if function != before:
            size = None
        if constant := re.match(r"mov\s+\$0x([0-9a-f]+),%edx", text):
            size = int(constant[1], 16)
        elif re.search(r",%[er]dx$", text):
            size = None
        if re.match(r"(call|jmp)\s", text):
            if size is not None and re.search(r"<mem(cpy|move)@plt>", text):
                copies[function].append(size)
            size = None
        if re.match(r"call\s+\*", text):  # a jump through a register is the table of a switch
            indirect[function] += 1
        elif target := re.match(r"(?:call|j[a-z]+)\s+([0-9a-f]+) <([^>+]+)", text):
            calls[function].add(target[2] if target[2].endswith("@plt") else name(int(target[1], 16)))
    return calls, indirect, copies


def test_the_callback_reaches_nothing_outside_that_is_not_on_the_list():
    calls, indirect, copies = call_graph()
    callbacks = ["jmix_process", "jmix_sync"]
    assert all(name in calls for name in callbacks)
    seen, waiting, outside = set(), list(callbacks), {}
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        for target in calls[function]:
            if target.endswith("@plt"):
                outside[target.removesuffix("@plt").split("@")[0]] = function
            elif NOT_LIVE not in target:
                waiting.append(target)
    assert len(seen) > 5
    assert {name: where for name, where in outside.items() if name not in ALLOWED} == {}
    assert {"jack_port_get_buffer", "sem_post"} <= set(outside), "the walk has found the callback's own calls"
    assert [function for function in seen if indirect[function]] == [], (
        "a call through a pointer cannot be followed"
    )
    # But for the one that calls a tap, by a jump: the user's own code, of which the mixer has none.
    assert "rt_call_tap" in seen
    long = {name: max(copies[name]) for name in seen if max(copies[name], default=0) > LONGEST_COPY}
    assert long == {}, "what is called on a pointer's target has to be mutating, or it is copied"
