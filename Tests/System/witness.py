"""A track whose samples name their frames, and the oracle of what may be heard of it: whatever is done to the
mixer, each captured frame is one of the file, in its place,
or lies in a fade of 5 ms from one place that was asked for to another."""

import threading

import numpy as np

SCALE = 2.0**-23
FADE = 240  # 5 ms at 48 kHz
TOLERANCE = 1e-6 / SCALE


def samples(frames):
    """Exact in a float; 0 is no frame, so that silence is none."""
    return ((np.arange(frames) + 1) * SCALE).astype(np.float32)


class Oracle:
    """Goes through what is heard, piece by piece, while others add places. `targets`: frames where playing
    was sent to (locates, starts of loops); `loops`: their starts and ends."""

    def __init__(self, length):
        self.length = length
        self.rest = np.zeros(0, np.float64)
        self.targets, self.loops = set(), set()
        self.at = 0
        self.frames = 0
        self.faults = []
        self.crossfades = self.stops = self.jumps = self.several = self.missed = 0

    def hear(self, heard, last=False):
        self.rest = np.concatenate([self.rest, heard.astype(np.float64) / SCALE])
        while len(self.rest) > 96000 or (last and len(self.rest) > 0):
            done = self.segment(self.rest)
            self.frames += done
            self.at += done
            self.rest = self.rest[done:]

    def whole(self, values, i):
        """The frame that is heard at i, if it is whole."""
        is_whole = i < len(values) and values[i] == np.round(values[i]) and values[i] > 0
        return int(values[i]) - 1 if is_whole else None

    def number(self, values, i):
        """The same, if the next is whole too and follows it."""
        follows = i + 1 < len(values) and values[i + 1] == values[i] + 1
        return self.whole(values, i) if follows else None

    def line(self, frame, count):
        """What the file says from a frame on; before and behind it silence."""
        n = np.arange(frame, frame + count)
        return np.where((n >= 0) & (n < self.length), n + 1.0, 0.0)

    def lines_from(self, frame, count=FADE):
        """What the file may say during a fade that begins at a frame: straight on, or over the end of a
        loop."""
        yield self.line(frame, count)
        for start, end in list(self.loops):
            left = end - frame
            if 0 < left < count:
                yield np.concatenate([self.line(frame, left), self.line(start, count - left)])

    def lines_to(self, frame):
        """What it may have said during a fade that ends at a frame, each with where it began."""
        yield frame - FADE, self.line(frame - FADE, FADE)
        for start, end in list(self.loops):
            inside = frame - start
            if 0 <= inside < FADE:
                begun = end - (FADE - inside)
                yield begun, np.concatenate([self.line(begun, FADE - inside), self.line(start, inside)])

    def run(self, values, frame):
        """For how many frames these are the file's from `frame` on."""
        expected = self.line(frame, len(values))
        wrong = np.flatnonzero(values != expected)
        return int(wrong[0]) if len(wrong) else len(values)

    def segment(self, values):
        """How many frames are explained; a stretch that nothing explains is a fault."""
        missed = np.flatnonzero(np.isnan(values))
        if len(missed) and missed[0] == 0:
            return self.resume(values)
        # What cannot be told for want of what follows is not told.
        values = values[: missed[0]] if len(missed) else values
        if values[0] == 0:
            sounding = np.flatnonzero(values)
            return int(sounding[0]) if len(sounding) else len(values)
        frame = self.number(values, 0)
        if frame is not None:
            count = self.run(values, frame)
            if count == len(values):
                return max(1, count - 1)
            following = self.number(values, count)
            if following is not None and self.is_target(following):
                self.jumps += 1
                return count
            for start, end in list(self.loops):
                # Sent elsewhere with the very frame that goes round: the fade begins at the loop's start.
                if frame + count == end and values[count] - 1 == start:
                    self.jumps += 1
                    return count + self.leave(values[count:], start)
            # The first frame of a fade is still whole.
            return count - 1 + self.leave(values[count - 1 :], frame + count - 1)
        return self.enter(values)

    def resume(self, values):
        """Behind what the capture has missed: on where it is silent, or the file is heard, for as long as a
        fade."""
        self.missed += 1
        for i in np.flatnonzero(~np.isnan(values)):
            frame = self.number(values, i)
            if not values[i : i + FADE].any() or (
                frame is not None and self.run(values[i : i + FADE], frame) == min(FADE, len(values) - i)
            ):
                return int(i)
        return len(values)

    def enter(self, values):
        """Out of silence: a fade from where it had stopped."""
        # Its first frame was silent.
        count = FADE - 1
        if len(values) < count + 2:
            return len(values)
        frame = self.number(values, count)
        if frame is not None:
            # On its way it may have gone round a loop.
            for _, line in self.lines_to(frame):
                if np.abs(values[:count] - line[1:] * np.arange(1, FADE) / FADE).max() <= TOLERANCE:
                    return count
        return self.mixed(values, None, "out of silence")

    def leave(self, values, frame):
        """What comes where the file's frames end: a crossfade, or a stop."""
        if len(values) < 2 * FADE + 2:
            return len(values)
        share = 1 - np.arange(FADE) / FADE
        olds = list(self.lines_from(frame))
        if any(self.same(values, old * share) for old in olds):
            # It rests, or starts at once where it was sent meanwhile: whole, as from any standstill.
            begun = self.number(values, FADE)
            if not values[FADE : FADE + 2].any() or (begun is not None and self.is_target(begun)):
                self.stops += 1
                return FADE
        # From one place to another, and from there on at once, where it was sent on meanwhile.
        new = self.whole(values, FADE)
        if new is not None:
            for begun, line in self.lines_to(new):
                if (self.is_target(begun) or self.has_turned(frame, begun)) and any(
                    self.same(values, line + (old - line) * share) for old in olds
                ):
                    self.crossfades += 1
                    return FADE + self.behind_fade(values[FADE:], new)
        parted = self.parted(values, frame)
        if parted:
            self.crossfades += 1
            return parted
        back = self.taken_back(values, frame)
        if back:
            self.stops += 1
            return back
        # Sent on before it had arrived, several times.
        for fades in range(2, 8):
            end = fades * FADE
            if end + 2 > len(values):
                return len(values)
            new = self.number(values, end)
            if (
                new is not None
                and not self.clicks(values, end, frame)
                and any(self.is_target(new - k * FADE) for k in range(1, fades + 1))
            ):
                self.crossfades += 1
                return end
        return self.mixed(values, frame, f"behind frame {frame}")

    def behind_fade(self, values, frame):
        """How many frames are explained where a fade has arrived at a frame: none where it goes on from
        there; it may also go round a loop with that frame, or be sent on with it."""
        if self.number(values, 0) is not None:
            return 0
        for start, end in list(self.loops):
            if frame + 1 == end and self.whole(values, 1) == start:
                self.jumps += 1
                return 1
        return self.leave(values, frame)

    def taken_back(self, values, frame):
        """A stop that was followed by play before it had faded, or as it had: down so far, and up again in a
        fade's time. How long, or 0.

        All the way down it goes where an edit lies between the two: that waits for the stop to end, and play
        with it."""
        return max(self.taken_back_on(values, line) for line in self.lines_from(frame, 2 * FADE + 2))

    def taken_back_on(self, values, line):
        if line.min() <= 0:
            return 0
        gain = values[: 2 * FADE + 2] / line
        for turn in range(2, FADE + 2):
            if abs(gain[turn] - (1 - turn / FADE)) > TOLERANCE / line[turn]:
                turn -= 1
                low = 1 - turn / FADE
                expected = np.append(1 - np.arange(turn) / FADE, low + (1 - low) * np.arange(FADE + 1) / FADE)
                return (
                    turn + FADE
                    if np.abs(values[: turn + FADE + 1] - line[: turn + FADE + 1] * expected).max()
                    <= TOLERANCE
                    else 0
                )
        return 0

    def parted(self, values, frame):
        """A crossfade that is heard only from the end of a loop on: the loop had just been set, or taken
        away, and until there both lines were one. How long, or 0."""
        for start, end in list(self.loops):
            if abs(frame + 1 - end) > 1:
                continue
            there, here = self.line(frame + 1, FADE), self.line(start, FADE)
            for old, new in ((there, here), (here, there)):
                for left in range(1, FADE):
                    share = np.arange(left, 0, -1) / FADE
                    if (
                        np.abs(
                            values[1 : left + 1]
                            - (new + (old - new) * np.append(share, np.zeros(FADE - left)))[:left]
                        ).max()
                        <= TOLERANCE
                    ):
                        return left + 1
        return 0

    def has_turned(self, old, new):
        """Whether a loop had been taken away, or set, just before its end, and that came to be heard just
        behind it: on where the other way leads at that moment."""
        return any(
            abs(new - old) == end - start and 0 <= min(old, new) - start < 12_000
            for start, end in list(self.loops)
        )

    def same(self, values, expected):
        return np.abs(values[:FADE] - expected).max() <= TOLERANCE

    def clicks(self, values, end, frame):
        """Whether anything up to there goes faster than two fades at once do."""
        heard = np.concatenate([[frame or 0.0], values[: end + 1]])
        # The first step tells where it goes, which may be further than it comes; what comes later where the
        # fades lead that begin meanwhile.
        if frame is None:
            highest = (heard[1] - heard[0]) * FADE
        else:
            there = frame + (values[1] - values[0] - 1) * FADE
            # A float of that size tells it no closer.
            highest = (
                there if any(abs(there - target) <= 4 + there / 2**15 for target in list(self.targets)) else 0
            )
        return np.abs(np.diff(heard)).max() > 2.2 * (max(values[: end + FADE].max(), highest) + 1) / FADE + 2

    def mixed(self, values, frame, where):
        """Several fades at once, as of a stop within a crossfade: bounded in time and in what is heard, and
        it ends in silence or at a place that was asked for."""
        window = 8 * FADE
        if len(values) < window + FADE + 2:
            return len(values)
        # A fade takes its time.
        for end in range(FADE - 2, window):
            if self.clicks(values, end - 1, frame):
                break
            # Faded to nothing, and begun at once where it was sent meanwhile.
            begun = self.number(values, end)
            if (
                begun is not None
                and self.is_target(begun)
                and values[end - 1] * FADE <= 2.2 * values[:end].max()
                and self.run(values[end:], begun) >= FADE // 2
            ):
                self.several += 1
                return end
            if self.clicks(values, end, frame):
                break
            if values[end - 1] != 0 and not values[end : end + FADE].any():
                self.several += 1
                return end
            new = self.number(values, end)
            # Once it has arrived it may be sent on at once.
            if new is None or (not self.is_target(new - FADE) and self.run(values[end:], new) < FADE // 2):
                continue
            asked = frame is None or any(0 <= new - target + 1 <= end + 2 for target in list(self.targets))
            if not asked or values[:end].min() < -TOLERANCE or values[:end].max() > self.length + TOLERANCE:
                break
            self.several += 1
            return end
        return self.fault(values, where)

    def is_target(self, frame):
        return any(abs(frame - target) <= 1 for target in list(self.targets))

    def fault(self, values, where):
        # Where it turns tells what was meant to be heard.
        turns = np.flatnonzero(np.abs(np.diff(values[: 12 * FADE], 2)) > 2)[:12] + 1
        self.faults.append(
            f"frame {self.at} of what was heard, {where}: {(values[:6] - 1).tolist()} ... turns at "
            f"{[(int(i), round(float(values[i]) - 1, 1)) for i in turns]}; every 30th: "
            f"{np.round(values[:2400:30] - 1, 1).tolist()}"
        )
        # On where the file is heard again.
        for i in range(1, min(len(values), 96000)):
            if self.number(values, i) is not None or values[i] == 0:
                return i
        return len(values)


# In a process of its own, so that nothing else keeps the callback waiting.
CAPTURE = """
import sys; sys.path.insert(0, sys.argv[1])
import jack, queue
client = jack.Client("witness-capture", servername=sys.argv[2], no_start_server=True)
port = client.inports.register("in")
blocks = queue.SimpleQueue()
def process(frames):
    block = bytes(port.get_buffer())
    # Read when the next was being written already, it is no block: numbers that are none say so.
    blocks.put(block if client.frames_since_cycle_start < frames else bytes([255]) * len(block))
client.set_process_callback(process)
client.activate()
client.connect(sys.argv[3], port)
out = sys.stdout.buffer
while True:
    out.write(blocks.get())
"""


class Listener:
    """Feeds an oracle with what a port plays, as it comes."""

    def __init__(self, process, oracle):
        self.process, self.oracle = process, oracle
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        while data := self.process.stdout.read(4 * 65536):
            with self.lock:
                self.oracle.hear(np.frombuffer(data, np.float32))

    def end(self):
        self.process.terminate()
        self.process.wait(10)
        self.thread.join(10)
        # What came last may end within a fade.
        self.process.stdout.close()
