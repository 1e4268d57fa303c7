// The page's modules that need no browser, run by deno (Tests/System/test_page_modules.py).

import { at, line, overlapped, scales } from "../../Sources/Page/page/lanes.js";
import { clock, gain, level, position } from "../../Sources/Page/page/law.js";
import { decode, double, encode, int } from "../../Sources/Page/page/osc.js";
import { Pass } from "../../Sources/Page/page/pass.js";

function same(found, wanted, what = "") {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what} ${a}, not ${b}`);
}

function close(found, wanted, within = 1e-9) {
  if (!(Math.abs(found - wanted) <= within)) throw new Error(`${found}, not ${wanted}`);
}

Deno.test("a fader's law has unity at 0.78 and its way back", () => {
  close(position(1), (192 / 198) ** 8);
  close(position(2), 1);
  same([position(0), gain(0), position(-1)], [0, 0, 0]);
  for (const place of [0.01, 0.3, 0.78, 1]) close(position(gain(place)), place);
});

Deno.test("levels and times are written for people", () => {
  same([level(0), level(1), level(0.5), level(2)], ["-inf", "0.0", "-6.0", "6.0"]);
  same([clock(0), clock(59.999), clock(61.5), clock(-1)], ["0:00.00", "1:00.00", "1:01.50", "0:00.00"]);
});

const ramp = { start: 1, end: 3, from: 0, to: 1, curve: "linear" }, point = { start: 5, end: 5, value: 0.25 };

Deno.test("a lane says what its events say", () => {
  const events = [ramp, point];
  same([at(events, 0, 1), at(events, 1, 1), at(events, 2, 1), at(events, 4, 1), at(events, 5, 1)], [
    1,
    0,
    0.5,
    1,
    0.25,
  ]);
  same(at([], 9, 0), 0);
  for (const curve of ["linear", "scurve", "equalpower", "exponential"]) {
    const bent = [{ ...ramp, from: 0.5, curve }];
    close(at(bent, 1, 1), 0.5);
    close(at(bent, 3, 1), 1);
  }
});

Deno.test("its line has the steps that events make", () => {
  const points = line([point], 1, 0, 10);
  same(points, [[0, 1], [5, 1], [5, 0.25], [10, 0.25]]);
  const part = line([ramp], 1, 2, 2.5);
  close(part[0][1], 0.5);
  close(part.at(-1)[1], 0.75);
});

Deno.test("what overlaps is found, but for one", () => {
  same(overlapped([ramp, point], 2, 4), ramp);
  same(overlapped([ramp, point], 3, 5), undefined);
  same(overlapped([ramp], 2, 4, ramp), undefined);
});

Deno.test("scales go both ways", () => {
  for (const [name, value] of [["volume", 0.7], ["trim", 1.5], ["pan", -0.25]]) {
    close(scales[name].back(scales[name].up(value)), value, 1e-6);
  }
  same([scales.mute.back(scales.mute.up(1)), scales.mute.back(scales.mute.up(0))], [1, 0]);
});

Deno.test("packets are read as they were written", () => {
  const told = [];
  const take = (address, values) => told.push([address, values]);
  decode(encode("/a/b", 0.5, "tön", true, false, int(7), double(1 / 3)).buffer, take);
  same(told, [["/a/b", [0.5, "tön", true, false, 7, 1 / 3]]]);
  const first = encode("/x", 1), second = encode("/y");
  const bundle = new Uint8Array(16 + 4 + first.length + 4 + second.length),
    view = new DataView(bundle.buffer);
  bundle.set(new TextEncoder().encode("#bundle\0"));
  view.setUint32(16, first.length);
  bundle.set(first, 20);
  view.setUint32(20 + first.length, second.length);
  bundle.set(second, 24 + first.length);
  told.length = 0;
  decode(bundle.buffer, take);
  same(told, [["/x", [1]], ["/y", []]]);
});

const hand = (pass, now, value, more) =>
  pass.note({ control: "volume", mode: "touch", isRolling: true, now, value, old: 1, ...more });

Deno.test("a pass grows while a hand writes, and ends when the fader is back", () => {
  const pass = new Pass();
  hand(pass, 0, 0.8, { isRolling: false });
  same(hand(pass, 1, 0.8), false, "nobody has touched it");
  same(hand(pass, 2, 0.4, { old: 0.5 }), true);
  hand(pass, 3, 0.2);
  same(pass.points, [[2, 0.25], [3, 0.25]]);
  same(hand(pass, 4, 0.8), true);
  same(pass.points, []);
});

Deno.test("latch goes on to the stop, write from the play", () => {
  const latch = new Pass(), write = new Pass();
  for (const [pass, mode] of [[latch, "latch"], [write, "write"]]) {
    hand(pass, 0, 1, { mode, isRolling: false });
    for (const [now, value] of [[1, 1], [2, 0.5], [3, 1]]) hand(pass, now, value, { mode });
  }
  same([latch.points, write.points], [[[2, 0.5], [3, 1]], [[1, 1], [2, 0.5], [3, 1]]]);
  for (const pass of [latch, write]) {
    same(hand(pass, 3, 1, { isRolling: false }), true);
    same(pass.points, []);
  }
});

Deno.test("a balance takes the place of what was there, and a locate ends the pass", () => {
  const pass = new Pass();
  const pan = (now, value) => hand(pass, now, value, { control: "pan", mode: "latch", old: 0.9 });
  hand(pass, 0, 0, { control: "pan", mode: "latch", isRolling: false });
  pan(1, 0.5);
  pan(2, -0.5);
  same(pass.points, [[1, 0.5], [2, -0.5]]);
  pan(0.5, -0.5);
  same(pass.points, []);
  same(hand(pass, 1, 0.5, { mode: "read" }), false);
});
