// How loud the mix is: short-term and integrated, in LUFS, coloured by how far it is from a target; a press
// measures from now on.

import { ask, listen, send } from "./desk.js";
import { signed } from "./law.js";
import { make } from "./make.js";
import { say } from "./texts.js";

export const targets = [-14, -16, -18, -23, -24];
const kept = "jmix-loudness";
const listeners = new Set();

export const target = () => Number(localStorage.getItem(kept) ?? -16);
export function setTarget(level) {
  localStorage.setItem(kept, level);
  for (const body of listeners) body();
}

const text = (level) => (level > -70 ? signed(level.toFixed(1)) : "\u2013");

// Within 1 LU it is as loud as it shall be.
function zone(integrated) {
  const away = integrated - target();
  return integrated <= -70 ? "none" : away > 1 ? "over" : away < -1 ? "under" : "on";
}

export function loudness(address, name) {
  const short = make("span"), whole = make("b");
  const element = resetButton(address, name, short, whole);
  let told = [-Infinity, -Infinity, -Infinity];
  const draw = () => {
    const [, shortTerm, integrated] = told;
    short.textContent = `S ${text(shortTerm)}`;
    whole.textContent = `I ${text(integrated)}`;
    element.dataset.zone = zone(integrated);
  };
  listeners.add(draw);
  // It is measured from the first question on.
  const begin = () => send(`${address}/loudness`);
  const ends = [
    listen(`${address}/loudness`, (...news) => {
      told = news;
      draw();
    }),
    listen("open", begin),
  ];
  begin();
  draw();
  return {
    element,
    end: () => {
      listeners.delete(draw);
      ends.forEach((end) => end());
    },
  };
}

function resetButton(address, name, short, whole) {
  return make(
    "button",
    {
      class: "loudness",
      type: "button",
      "aria-label": `${say("loudness")} ${name}`,
      title: say("loudnessReset"),
      onclick: () => ask(`${address}/loudness/reset`),
    },
    short,
    whole,
  );
}
