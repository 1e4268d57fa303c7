// Level meters: peak and RMS of both sides, the peak held for a moment, how far processors lower the strip,
// beside a scale in dBFS. Above them stands the highest peak since somebody last pressed it, red once the
// strip was above full scale. All are drawn together, when a picture is due.

import { listen, send } from "./desk.js";
import { clamp, decibels, level, signed } from "./law.js";
import { make } from "./make.js";
import { say } from "./texts.js";

const meters = new Set();
const range = 60, fall = 20, holdTime = 1500;
let last = 0, colours = null;

function readColours() {
  const style = getComputedStyle(document.documentElement);
  colours = Object.fromEntries(
    ["hole", "low", "middle", "high"].map((name) => [name, style.getPropertyValue(`--${name}`)]),
  );
}

// From the bottom, 0 to 1: -60 dB to 0 dB.
const height = (value) => (value <= 0 ? 0 : clamp(1 + decibels(value) / range, 0, 1));

// The scale, by the same law.
const scale = () =>
  make(
    "div",
    { class: "scale", "aria-hidden": "true", title: "dBFS" },
    ...[0, -6, -12, -18, -24, -36, -48].map((mark) => {
      const line = make("i", {}, signed(mark));
      line.style.bottom = `${100 * (1 + mark / range)}%`;
      return line;
    }),
  );

// What lowers a strip, from the top down: 24 dB are all of it.
const lowered = (reductions) =>
  clamp(Object.values(reductions).reduce((sum, each) => sum + each, 0) / 24, 0, 1);

// `strip` is the address of the strip.
export function meter(strip, name) {
  const canvas = make("canvas", { class: "meter", width: 27, height: 200, "aria-hidden": "true" });
  const hold = make("button", {
    class: "hold",
    type: "button",
    "aria-label": `${say("peak")} ${name}`,
    onclick: () => send(`${strip}/peak/reset`),
  });
  const mine = {
    canvas,
    pen: canvas.getContext("2d", { alpha: false }),
    peaks: [0, 0],
    rms: [0, 0],
    shown: [0, 0],
    holds: [[0, 0], [0, 0]],
    reductions: {},
    drawn: "",
  };
  const ends = ["gate", "comp", "limit"].map((unit) =>
    listen(`${strip}/${unit}/reduction`, (reduction) => {
      mine.reductions[unit] = reduction;
    })
  );
  ends.push(
    listen(`${strip}/meter`, (left, right, rmsLeft, rmsRight) => {
      mine.peaks = [Math.max(mine.peaks[0], left), Math.max(mine.peaks[1], right)];
      mine.rms = [rmsLeft, rmsRight];
    }),
    listen(`${strip}/peak`, (peak, overs) => {
      hold.textContent = signed(level(peak));
      hold.classList.toggle("over", overs > 0);
      hold.title = overs > 0 ? `${say("overs")}: ${overs}` : say("peakReset");
    }),
  );
  meters.add(mine);
  return {
    element: make("div", { class: "levels" }, hold, scale(), canvas),
    end: () => {
      for (const end of ends) end();
      meters.delete(mine);
    },
  };
}

function draw(now) {
  const passed = Math.min(0.1, (now - last) / 1000);
  if (!colours) readColours();
  last = now;
  for (const mine of meters) {
    const tall = mine.canvas.height, bars = [];
    for (const side of [0, 1]) {
      const peak = height(mine.peaks[side]);
      mine.peaks[side] = 0;
      mine.shown[side] = Math.max(peak, mine.shown[side] - (fall / range) * passed);
      const hold = mine.holds[side];
      if (peak >= hold[0] || now > hold[1]) {
        mine.holds[side] = [Math.max(peak, now > hold[1] ? mine.shown[side] : hold[0]), now + holdTime];
      }
      bars.push(
        Math.round(mine.shown[side] * tall),
        Math.round(height(mine.rms[side]) * tall),
        Math.round(mine.holds[side][0] * tall),
      );
    }
    bars.push(Math.round(lowered(mine.reductions) * tall));
    // What looks as before is not drawn again.
    const key = bars.join();
    if (key === mine.drawn) continue;
    mine.drawn = key;
    const pen = mine.pen;
    pen.fillStyle = colours.hole;
    pen.fillRect(0, 0, 27, tall);
    pen.fillStyle = colours.middle;
    pen.fillRect(23, 0, 4, bars[6]);
    for (const side of [0, 1]) {
      const x = 1 + 11 * side, [peak, rms, hold] = bars.slice(3 * side);
      for (
        const [from, to, colour] of [[0, 0.7, colours.low], [0.7, 0.9, colours.middle], [
          0.9,
          1,
          colours.high,
        ]]
      ) {
        const [bottom, top] = [Math.round(from * tall), Math.min(peak, Math.round(to * tall))];
        pen.fillStyle = colour;
        if (top > bottom) pen.fillRect(x, tall - top, 9, top - bottom);
        if (hold > bottom && hold <= Math.round(to * tall) && hold > 1) pen.fillRect(x, tall - hold, 9, 2);
      }
      pen.fillStyle = "rgba(255,255,255,.28)";
      if (rms > 0) pen.fillRect(x, tall - rms, 9, rms);
    }
  }
  requestAnimationFrame(draw);
}

// After another theme.
export function forgetDrawn() {
  colours = null;
  for (const mine of meters) mine.drawn = "";
}

requestAnimationFrame(draw);
