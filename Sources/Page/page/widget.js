// An element for each control, by what OSCQuery says of it: its type, its range, its unit.

import { set } from "./desk.js";
import { gain, level, position, signed } from "./law.js";
import { make } from "./make.js";

// How a number of a unit is set and said: `at` is where it stands on its slider, 0 to 1, `back` the number
// there.
const units = {
  "gain.linear": ({ MIN, MAX }) => ({
    at: (gain) => position(gain) / position(MAX),
    back: (place) => Math.max(MIN, Math.min(MAX, gain(place * position(MAX)))),
    text: (gain) => `${level(gain)} dB`,
  }),
  "gain.db": (range) => ({ ...plain(range), text: (number) => `${number.toFixed(1)} dB` }),
  "time.ms": ({ MIN, MAX }) => ({ ...curved(MIN, MAX, 3), text: (number) => `${rounded(number)} ms` }),
  "time.hz": ({ MIN, MAX }) => ({ ...curved(MIN, MAX, 4), text: (number) => `${rounded(number)} Hz` }),
};
const rounded = (number) => String(Number(number.toPrecision(3)));
const plain = ({ MIN, MAX }) => ({
  at: (number) => (number - MIN) / (MAX - MIN),
  back: (place) => MIN + place * (MAX - MIN),
  text: (number) => number.toFixed(2),
});
// Small ones have more room.
const curved = (low, high, power) => ({
  at: (number) => ((number - low) / (high - low)) ** (1 / power),
  back: (place) => low + place ** power * (high - low),
});

// A slider with its number beside it.
function slider(leaf, address, name) {
  const scale = (units[leaf.UNIT?.[0]] ?? plain)(leaf.RANGE[0]), number = make("output", {});
  const show = (value) => {
    lever.value = scale.at(value);
    number.textContent = signed(scale.text(value));
    lever.setAttribute("aria-valuetext", scale.text(value));
  };
  const lever = make("input", {
    type: "range",
    "aria-label": name,
    min: 0,
    max: 1,
    step: 0.0025,
    oninput: () => {
      const value = scale.back(Number(lever.value));
      set(address, value);
      show(value);
    },
  });
  return [make("span", { class: "ranged" }, lever, number), show];
}

// An element for a leaf by its type and range, and what shows a value on it.
export function widget(leaf, address, name) {
  const range = leaf.RANGE?.[0] ?? {};
  if (leaf.TYPE === "T" || leaf.TYPE === "F") {
    return checkbox(address, name);
  }
  if (range.VALS) {
    return choice(leaf, range, address, name);
  }
  if (leaf.TYPE === "f" && range.MIN !== undefined) return slider(leaf, address, name);
  const field = make("input", { "aria-label": name, onchange: () => set(address, field.value) });
  return [field, (value) => {
    if (document.activeElement !== field) field.value = value;
  }];
}

function checkbox(address, name) {
  const box = make("input", {
    type: "checkbox",
    "aria-label": name,
    onchange: () => set(address, box.checked),
  });
  return [box, (value) => {
    box.checked = Boolean(value);
  }];
}

function choice(leaf, range, address, name) {
  const choice = make(
    "select",
    {
      "aria-label": name,
      onchange: () => set(address, leaf.TYPE === "f" ? Number(choice.value) : choice.value),
    },
    ...range.VALS.map((value) => make("option", { value }, value)),
  );
  return [choice, (value) => {
    choice.value = value;
  }];
}
