// Level meters: peak and RMS of both sides, the peak held for a moment, how far processors lower the strip,
// beside a scale in dBFS. Above them stands the highest peak since somebody last pressed it, red once the
// strip was above full scale. All are drawn together, when a picture is due.

import { listen, send } from "./desk.js";
import { clamp, decibels, level, signed } from "./law.js";
import { make } from "./make.js";
import { say } from "./texts.js";

const meters = new Set();
const range = 60, fall = 20, holdTime = 1500;
// So long after the last news, in milliseconds that were drawn, every bar stands still.
const settling = holdTime + (1000 * range) / fall;
// For how long pictures are due: what is hidden is not drawn, and falls when it is seen again.
let due = 0;
let last = 0, colours = null, frame = 0;

function wake() {
  due = settling;
  frame ||= requestAnimationFrame(draw);
}

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

// Takes what the mixer tells of a strip's levels.
function hear(strip, mine) {
  const reductions = ["gate", "comp", "limit"].map((unit) =>
    listen(`${strip}/${unit}/reduction`, (reduction) => {
      mine.reductions[unit] = reduction;
      wake();
    })
  );
  const levels = listen(`${strip}/meter`, (left, right, rmsLeft, rmsRight) => {
    mine.peaks = [Math.max(mine.peaks[0], left), Math.max(mine.peaks[1], right)];
    mine.rms = [rmsLeft, rmsRight];
    // Levels that stand are told too.
    const told = [left, right, rmsLeft, rmsRight].join();
    if (told !== mine.told) wake();
    mine.told = told;
  });
  return [...reductions, levels];
}

// `strip` is the address of the strip.
export function meter(strip, name) {
  const canvas = make("canvas", { class: "meter", width: 27, height: 200, "aria-hidden": "true" });
  const hold = holdButton(strip, name);
  const mine = newMeter(canvas);
  const ends = hear(strip, mine);
  ends.push(
    listen(`${strip}/peak`, (peak, overs) => {
      hold.textContent = signed(level(peak));
      hold.classList.toggle("over", overs > 0);
      hold.title = overs > 0 ? `${say("overs")}: ${overs}` : say("peakReset");
    }),
  );
  meters.add(mine);
  wake();
  return {
    element: make("div", { class: "levels" }, hold, scale(), canvas),
    end: () => {
      for (const end of ends) end();
      meters.delete(mine);
    },
  };
}

function holdButton(strip, name) {
  return make("button", {
    class: "hold",
    type: "button",
    "aria-label": `${say("peak")} ${name}`,
    onclick: () => send(`${strip}/peak/reset`),
  });
}

function newMeter(canvas) {
  return {
    canvas,
    pen: canvas.getContext("2d", { alpha: false }),
    peaks: [0, 0],
    rms: [0, 0],
    shown: [0, 0],
    holds: [[0, 0], [0, 0]],
    reductions: {},
    told: "",
    drawn: "",
  };
}

function draw(now) {
  const passed = Math.min(0.1, (now - last) / 1000);
  due -= 1000 * passed;
  frame = due > 0 ? requestAnimationFrame(draw) : 0;
  if (!colours) readColours();
  last = now;
  for (const mine of meters) {
    const bars = [0, 1].map((side) => fallen(mine, side, now, passed));
    const lower = Math.round(lowered(mine.reductions) * mine.canvas.height);
    // What looks as before is not drawn again.
    const key = [bars, lower].join();
    if (key === mine.drawn) continue;
    mine.drawn = key;
    paint(mine, bars, lower);
  }
}

// How high the peak, the RMS and the held peak of a side stand now, in pixels.
function fallen(mine, side, now, passed) {
  const peak = height(mine.peaks[side]), hold = mine.holds[side];
  mine.peaks[side] = 0;
  mine.shown[side] = Math.max(peak, mine.shown[side] - (fall / range) * passed);
  if (peak >= hold[0] || now > hold[1]) {
    mine.holds[side] = [Math.max(peak, now > hold[1] ? mine.shown[side] : hold[0]), now + holdTime];
  }
  return [mine.shown[side], height(mine.rms[side]), mine.holds[side][0]].map((part) =>
    Math.round(part * mine.canvas.height)
  );
}

function paint({ pen, canvas }, bars, lower) {
  const tall = canvas.height;
  pen.fillStyle = colours.hole;
  pen.fillRect(0, 0, 27, tall);
  pen.fillStyle = colours.middle;
  pen.fillRect(23, 0, 4, lower);
  bars.forEach(([peak, rms, hold], side) => {
    const x = 1 + 11 * side;
    for (const [from, to, colour] of parts()) {
      const [bottom, top] = [Math.round(from * tall), Math.min(peak, Math.round(to * tall))];
      pen.fillStyle = colour;
      if (top > bottom) pen.fillRect(x, tall - top, 9, top - bottom);
      if (hold > bottom && hold <= Math.round(to * tall) && hold > 1) pen.fillRect(x, tall - hold, 9, 2);
    }
    pen.fillStyle = "rgba(255,255,255,.28)";
    if (rms > 0) pen.fillRect(x, tall - rms, 9, rms);
  });
}

// From where to where a bar has which colour.
const parts = () => [[0, 0.7, colours.low], [0.7, 0.9, colours.middle], [0.9, 1, colours.high]];

// After another theme.
export function forgetDrawn() {
  colours = null;
  for (const mine of meters) mine.drawn = "";
  wake();
}
