// What an equaliser and a compressor do, drawn: the curve of the one before the strip's spectrum, with a
// handle for each band to drag, and the curve of the other, with a dot where it is.

import { listen, send, set, value } from "./desk.js";
import { clamp } from "./law.js";
import { drag, make } from "./make.js";
import { say } from "./texts.js";

const width = 400, height = 150, low = 20, high = 20000, range = 24, rate = 48000;
const x = (frequency) => (width * Math.log(frequency / low)) / Math.log(high / low);
const frequencyAt = (place) => low * (high / low) ** clamp(place / width, 0, 1);
const y = (gain) => height / 2 - (gain / range) * (height / 2 - 6);
const gainAt = (place) => clamp(((height / 2 - place) / (height / 2 - 6)) * range, -range, range);

const svg = (name, having = {}) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, text] of Object.entries(having)) element.setAttribute(key, text);
  return element;
};

// The two polynomials of a filter of the Audio EQ Cookbook, above and below the line.
function polynomials(type, frequency, gain, quality) {
  const w = (2 * Math.PI * Math.min(frequency, 0.49 * rate)) / rate,
    A = 10 ** (gain / 40),
    c = Math.cos(w),
    alpha = Math.sin(w) / (2 * quality),
    root = 2 * Math.sqrt(A) * alpha;
  const shelf = (
    s,
  ) => [[
    A * (A + 1 - s * (A - 1) * c + root),
    s * 2 * A * (A - 1 - s * (A + 1) * c),
    A * (A + 1 - s * (A - 1) * c - root),
  ], [A + 1 + s * (A - 1) * c + root, -s * 2 * (A - 1 + s * (A + 1) * c), A + 1 + s * (A - 1) * c - root]];
  return {
    hp: () => [[(1 + c) / 2, -(1 + c), (1 + c) / 2], [1 + alpha, -2 * c, 1 - alpha]],
    lp: () => [[(1 - c) / 2, 1 - c, (1 - c) / 2], [1 + alpha, -2 * c, 1 - alpha]],
    bell: () => [[1 + alpha * A, -2 * c, 1 - alpha * A], [1 + alpha / A, -2 * c, 1 - alpha / A]],
    lowshelf: () => shelf(1),
    highshelf: () => shelf(-1),
  }[type]();
}

// In dB, of such a filter at a frequency: its polynomials at that place of the circle.
function response(type, frequency, gain, quality, at) {
  const [b, a] = polynomials(type, frequency, gain, quality), v = (2 * Math.PI * at) / rate;
  const power = ([p, q, r]) =>
    (p + q * Math.cos(v) + r * Math.cos(2 * v)) ** 2 + (q * Math.sin(v) + r * Math.sin(2 * v)) ** 2;
  return 10 * Math.log10(power(b) / power(a));
}

// The passes and bands as they stand; what the mixer has not told of is as it is unless told.
function sections(address) {
  const told = (path, standard) => value(`${address}/eq/${path}`)?.[0] ?? standard;
  const list = ["hp", "lp"].filter((pass) => told(pass, 0) > 0).flatMap((pass) =>
    Array(told(`${pass}slope`, 12) / 12).fill([pass, told(pass, 0), 0, Math.SQRT1_2])
  );
  const bands = [100, 400, 2000, 8000].map((standard, index) => {
    const type = told(`${index + 1}/type`, "bell");
    return [
      type,
      told(`${index + 1}/freq`, standard),
      told(`${index + 1}/gain`, 0),
      told(`${index + 1}/q`, type === "bell" ? 1 : Math.SQRT1_2),
    ];
  });
  return { list, bands, isOn: told("on", 1) !== 0 };
}

// Draws what `draw` says whenever one of these addresses has another value; returns what ends it.
function follow(addresses, draw) {
  const ends = addresses.map((address) => listen(address, draw));
  draw();
  return () => ends.forEach((end) => end());
}

// What leaves the strip, from -90 to 0 dB; it is measured while it is asked for.
function spectrum(address) {
  const area = svg("path", { class: "spectrum" });
  const asking = setInterval(() => document.hidden || send(`${address}/spectrum`), 100);
  const end = listen(`${address}/spectrum`, (...levels) => {
    const points = levels.map((level, index) => {
      const at = x(low * 2 ** (index / 6)), tall = height * clamp(1 + level / 90, 0, 1);
      return `${at.toFixed(1)},${(height - tall).toFixed(1)}`;
    });
    area.setAttribute("d", `M0,${height}L${points.join("L")}L${width},${height}Z`);
  });
  return {
    area,
    end: () => {
      clearInterval(asking);
      end();
    },
  };
}

// A handle of a band: dragged, moved by arrow keys, its quality turned by the wheel.
function bandHandle(address, band, element) {
  const handle = make("button", {
    class: "handle",
    type: "button",
    role: "slider",
    "aria-label": `${say("band")} ${band}`,
    "aria-valuemin": -range,
    "aria-valuemax": range,
  }, String(band));
  const move = (frequency, gain) => {
    set(`${address}/eq/${band}/freq`, clamp(frequency, 10, 40000));
    set(`${address}/eq/${band}/gain`, Math.round(clamp(gain, -range, range) * 10) / 10);
  };
  takeBandDrag(handle, element, move);
  takeBandKeys(handle, address, band, move);
  return handle;
}

function takeBandDrag(handle, element, move) {
  drag(handle, (down) => {
    down.preventDefault();
    handle.focus({ preventScroll: true });
    const box = element.getBoundingClientRect();
    return {
      move: (event) =>
        move(
          frequencyAt(((event.clientX - box.left) / box.width) * width),
          gainAt(((event.clientY - box.top) / box.height) * height),
        ),
    };
  });
}

// The arrow keys move a handle, the wheel turns its quality.
function takeBandKeys(handle, address, band, move) {
  handle.addEventListener("keydown", (event) => {
    const [, frequency, gain] = sections(address).bands[band - 1], fine = event.shiftKey ? 0.2 : 1;
    const way = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (way) move(frequency * 2 ** ((way[0] * fine) / 6), gain + way[1] * fine);
    else if (event.key === "0") move(frequency, 0);
    else return;
    event.preventDefault();
  });
  takeWheel(handle, address, band);
}

/** The wheel turns the quality. */
function takeWheel(handle, address, band) {
  handle.addEventListener("wheel", (event) => {
    event.preventDefault();
    const quality = sections(address).bands[band - 1][3] * 1.1 ** -Math.sign(event.deltaY);
    set(`${address}/eq/${band}/q`, clamp(quality, 0.1, 40));
  }, { passive: false });
}

function placeHandle(handle, [, frequency, gain, quality]) {
  handle.style.left = `${(100 * clamp(x(frequency), 0, width)) / width}%`;
  handle.style.top = `${(100 * y(gain)) / height}%`;
  handle.setAttribute("aria-valuenow", gain.toFixed(1));
  const text = `${gain.toFixed(1)} dB, ${Math.round(frequency)} Hz, Q ${quality.toFixed(2)}`;
  handle.setAttribute("aria-valuetext", text);
}

// The curve of an equaliser, as an SVG path says it.
function curvePath({ list, bands, isOn }) {
  const all = [...list, ...bands.filter((band) => band[2] !== 0)];
  const points = Array.from({ length: 101 }, (_, place) => {
    const at = frequencyAt((place * width) / 100),
      gain = isOn ? all.reduce((sum, section) => sum + response(...section, at), 0) : 0;
    return `${((place * width) / 100).toFixed(1)},${clamp(y(gain), -10, height + 10).toFixed(1)}`;
  });
  return `M${points.join("L")}`;
}

function grid() {
  const line = (from) => svg("line", { ...from, class: "grid" });
  return [
    ...[100, 1000, 10000].map((at) => line({ x1: x(at), x2: x(at), y1: 0, y2: height })),
    ...[-12, 0, 12].map((gain) => line({ x1: 0, x2: width, y1: y(gain), y2: y(gain) })),
  ];
}

const equaliserPaths = [
  ...["on", "hp", "lp", "hpslope", "lpslope"],
  ...[1, 2, 3, 4].flatMap((band) => ["type", "freq", "gain", "q"].map((what) => `${band}/${what}`)),
];

export function equaliser(address, name) {
  const curve = svg("path", { class: "curve" }),
    picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }),
    behind = spectrum(address);
  picture.append(...grid(), behind.area, curve);
  const label = `${say("equaliser")} ${name}`;
  const element = make("div", { class: "drawn", role: "group", "aria-label": label }, picture);
  const handles = [1, 2, 3, 4].map((band) => bandHandle(address, band, element));
  element.append(...handles);
  const draw = () => {
    const now = sections(address);
    curve.setAttribute("d", curvePath(now));
    handles.forEach((handle, index) => placeHandle(handle, now.bands[index]));
  };
  const end = follow(equaliserPaths.map((path) => `${address}/eq/${path}`), draw);
  return {
    element,
    end: () => {
      behind.end();
      end();
    },
  };
}

// The level, in dB, that a compressor makes of another.
function compressed(level, told) {
  const [threshold, knee, slope] = [told("threshold", -20), told("knee", 6), 1 - 1 / told("ratio", 3)],
    over = level - threshold;
  const less = 2 * over <= -knee
    ? 0
    : 2 * over >= knee
    ? slope * over
    : (slope * (over + knee / 2) ** 2) / (2 * knee);
  return told("on", 1) !== 0 ? level - less + told("makeup", 0) : level;
}

const compressorPaths = ["on", "threshold", "ratio", "knee", "makeup", "reduction"];

// From -60 to 0 dB, in and out.
export function compressor(address, name) {
  const curve = svg("path", { class: "curve" }),
    dot = svg("circle", { r: 5, class: "dot" }),
    picture = svg("svg", { viewBox: `0 0 ${side} ${side}`, "aria-hidden": "true" });
  picture.append(svg("line", { x1: 0, y1: side, x2: side, y2: 0, class: "grid" }), curve, dot);
  const text = make("output", { "aria-label": `${say("reduction")} ${name}` }),
    element = make("div", { class: "drawn square" }, picture, text);
  const draw = () => drawCompressor({ curve, dot, text }, address);
  return { element, end: follow(compressorPaths.map((path) => `${address}/comp/${path}`), draw) };
}

/** The side of the compressor's square, and where a level from -60 to 0 dB lies on it. */
const side = 150, placeOf = (level) => (side * (level + 60)) / 60;

function drawCompressor({ curve, dot, text }, address) {
  const told = (path, standard) => value(`${address}/comp/${path}`)?.[0] ?? standard;
  const output = (level) => compressed(level, told);
  const points = Array.from(
    { length: 61 },
    (_, index) => `${placeOf(index - 60).toFixed(1)},${(side - placeOf(output(index - 60))).toFixed(1)}`,
  );
  curve.setAttribute("d", `M${points.join("L")}`);
  // Where a steady level would be lowered by as much.
  const reduction = told("reduction", 0),
    slope = 1 - 1 / told("ratio", 3),
    level = told("threshold", -20) + (slope > 0 ? reduction / slope : 0);
  dot.setAttribute("visibility", reduction > 0.05 ? "visible" : "hidden");
  dot.setAttribute("cx", placeOf(Math.min(0, level)));
  dot.setAttribute("cy", side - placeOf(output(Math.min(0, level))));
  text.textContent = `-${reduction.toFixed(1)} dB`;
}
