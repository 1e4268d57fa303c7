// The mixer: a strip for every track, bus and DCA, the master beside them. Which strips there are is the
// session's; those that are seen are drawn (strip.js).

import { openAdding } from "./add.js";
import { inView } from "./inview.js";
import { button, make, whenFree } from "./make.js";
import { closePanels } from "./panel.js";
import { emptyStrip, fillStrip } from "./strip.js";
import { say } from "./texts.js";

const root = document.getElementById("mixer");
// Which kinds of strips a layer shows.
const layers = {
  all: () => true,
  tracks: ({ kind, input }) => kind === "track" && !input,
  inputs: ({ kind, input }) => kind === "track" && input,
  buses: ({ kind }) => kind === "bus",
  dcas: ({ kind }) => kind === "dca",
};
let end = () => {}, shape = "", count = 0, faders = "volume", layer = "all", wanted = "", model = null;

// Nothing of what lies on the timeline is shown here.
export const rows = (known) => known;

export function draw(next = model) {
  model = next;
  // A fader that is held stays in the hand.
  if (model) whenFree(drawNow);
}

// What has to be another for the strips to be drawn anew.
function shapeNow() {
  const strips = model.strips.map(({ address, name, kind, input, sends }) => [
    ...[address, name, kind, input],
    sends.map((send) => send.to),
  ]);
  return JSON.stringify([faders, document.documentElement.lang, strips]);
}

function choice(label, options, chosen, choose) {
  const select = make(
    "select",
    { "aria-label": label, onchange: (event) => choose(event.target.value) },
    ...options.map(([value, text]) => make("option", { value }, text)),
  );
  select.value = chosen;
  return make("label", {}, make("span", {}, `${label} `), select);
}

// Whether faders move volumes, or the sends to a bus.
function fadersChoice(buses) {
  const options = [["volume", say("volume")], ...buses.map((name) => [name, `${say("sendTo")} ${name}`])];
  return buses.length
    ? choice(say("faders"), options, faders, (next) => {
      faders = next;
      draw();
    })
    : "";
}

// Which strips are shown: those of a layer whose names have what was typed in them.
function sieve(shown, fit) {
  const sift = () => {
    for (const [element, of] of shown) {
      element.hidden = !layers[layer](of) || !of.name.toLowerCase().includes(wanted.toLowerCase());
    }
    fit();
  };
  const search = make("input", {
    type: "search",
    class: "search",
    value: wanted,
    placeholder: say("search"),
    "aria-label": say("search"),
    oninput: () => {
      wanted = search.value;
      sift();
    },
  });
  const names = Object.keys(layers).map((name) => [name, say(`layer-${name}`)]);
  const layersChoice = choice(say("layer"), names, layer, (next) => {
    layer = next;
    sift();
  });
  sift();
  return [layersChoice, search];
}

// Where not all strips are seen at once, bank by bank.
function bankButtons(strips) {
  const bank = (way) =>
    strips.scrollBy({ left: way * Math.max(80, strips.clientWidth - 60), behavior: "smooth" });
  return make(
    "div",
    { class: "banks" },
    button(say("bankBefore"), "‹", () => bank(-1)),
    button(say("bankBehind"), "›", () => bank(1)),
  );
}

// Puts the strips there, each empty until it is seen.
function layOut(strips, masters) {
  const shown = new Map(), drawn = new Map();
  const fill = (element) => drawn.set(element, fillStrip(element, shown.get(element), faders));
  const window = inView(strips, 1000, { fill, empty: (element) => drawn.get(element)() });
  for (const of of model.strips.filter(({ kind }) => kind !== "master")) {
    const element = emptyStrip(of);
    shown.set(element, of);
    strips.append(element);
    window.watch(element);
  }
  const master = model.strips.find(({ kind }) => kind === "master"), element = emptyStrip(master);
  masters.append(element);
  const endMaster = fillStrip(element, master, faders);
  return {
    shown,
    end() {
      window.end();
      endMaster();
    },
  };
}

function drawNow() {
  const buses = model.strips.filter((strip) => strip.kind === "bus").map((strip) => strip.name);
  if (faders !== "volume" && !buses.includes(faders)) faders = "volume";
  const now = shapeNow();
  if (now === shape) return;
  // Strips go by numbers: where some come or go, what is open may be another's.
  if (model.strips.length !== count) closePanels();
  (shape = now), (count = model.strips.length);
  end();
  const place = root.querySelector(".strips")?.scrollLeft ?? 0;
  const strips = make("div", { class: "strips", tabindex: -1 }),
    masters = make("div", { class: "strips fixed" }),
    banks = bankButtons(strips);
  const laid = layOut(strips, masters);
  const fit = () => {
    banks.hidden = strips.scrollWidth <= strips.clientWidth + 1;
  };
  const add = button(say("add"), "+", () => openAdding(model), { class: "add" });
  const tools = make("div", { class: "tools" }, add, fadersChoice(buses), ...sieve(laid.shown, fit), banks);
  root.replaceChildren(tools, make("div", { class: "desk" }, strips, masters));
  strips.scrollLeft = place;
  const sizes = new ResizeObserver(fit);
  sizes.observe(strips);
  end = () => {
    laid.end();
    sizes.disconnect();
  };
  fit();
}
