// The mixer: a strip for every track, bus and DCA, the master beside them. Which strips there are is the
// session's; those that are seen are drawn (strip.js).

import { openAdding } from "./add.js";
import { inView } from "./inview.js";
import { button, endHands, isHeld, make, whenFree } from "./make.js";
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
// `faders`: the bus that faders are sends to, or nothing.
let end = () => {}, shape = "", faders = "", layer = "all", wanted = "", model = null;
let tools = null, desk = null, search = null;

// Nothing of what lies on the timeline is shown here.
export const rows = (known) => known;

export function draw(next = model) {
  model = next;
  if (!model) return;
  // Strips go by numbers, which may be others' by now: what is open or held is theirs no more.
  closePanels(model);
  if (desk && [...desk.shown].some(([element, of]) => isHeld(element) && !isAt(of))) endHands();
  // A fader that is held stays in the hand.
  whenFree(drawNow);
}

const isAt = ({ id, address }) => model.strips.some((strip) => strip.id === id && strip.address === address);

// What has to be another for the strips to be drawn anew.
function shapeNow() {
  const strips = model.strips.map(({ id, address, name, kind, input, sends }) => [
    ...[id, address, name, kind, input],
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
  const options = [["", say("volume")], ...buses.map((name) => [name, `${say("sendTo")} ${name}`])];
  return buses.length
    ? choice(say("faders"), options, faders, (next) => {
      faders = next;
      draw();
    })
    : "";
}

// Shows the strips of a layer whose names have what was typed in them.
function sift() {
  for (const [element, of] of desk.shown) {
    element.hidden = !layers[layer](of) || !of.name.toLowerCase().includes(wanted.toLowerCase());
  }
  desk.fit();
}

function sieve() {
  // The same one goes on: somebody may be typing in it.
  search ??= make("input", {
    oninput: () => {
      wanted = search.value;
      sift();
    },
    type: "search",
    class: "search",
  });
  search.placeholder = say("search");
  search.setAttribute("aria-label", say("search"));
  const names = Object.keys(layers).map((name) => [name, say(`layer-${name}`)]);
  const layersChoice = choice(say("layer"), names, layer, (next) => {
    layer = next;
    sift();
  });
  return [layersChoice, search];
}

// What stands above the strips, as long as the language and the buses are the same: whoever types there
// goes on.
function drawTools(buses) {
  const key = JSON.stringify([document.documentElement.lang, buses, faders]);
  if (tools?.key === key) return;
  const banks = make(
    "div",
    { class: "banks" },
    button(say("bankBefore"), "\u2039", () => bank(-1)),
    button(say("bankBehind"), "\u203a", () => bank(1)),
  );
  const add = button(say("add"), "+", openAdding, { class: "add" });
  const element = make("div", { class: "tools" }, add, fadersChoice(buses), ...sieve(), banks);
  tools = { key, banks, element };
}

// Where not all strips are seen at once, bank by bank.
const bank = (way) =>
  desk.strips.scrollBy({ left: way * Math.max(80, desk.strips.clientWidth - 60), behavior: "smooth" });

// The master is always seen.
function addMaster(masters) {
  const master = model.strips.find(({ kind }) => kind === "master"), element = emptyStrip(master);
  masters.append(element);
  return fillStrip(element, master, faders);
}

// Puts the strips there, each empty until it is seen.
function layOut(strips, masters) {
  const shown = new Map(), drawn = new Map();
  const fill = (element) => drawn.set(element, fillStrip(element, shown.get(element), faders));
  const seen = inView(strips, 1000, { fill, empty: (element) => drawn.get(element)() });
  for (const of of model.strips.filter(({ kind }) => kind !== "master")) {
    const element = emptyStrip(of);
    shown.set(element, of);
    strips.append(element);
    seen.watch(element);
  }
  const endMaster = addMaster(masters);
  return {
    shown,
    end() {
      seen.end();
      endMaster();
    },
  };
}

function drawNow() {
  const buses = model.strips.filter((strip) => strip.kind === "bus").map((strip) => strip.name);
  if (!buses.includes(faders)) faders = "";
  const now = shapeNow();
  if (now === shape) return;
  shape = now;
  end();
  const place = desk?.strips.scrollLeft ?? 0;
  const typing = document.activeElement === search;
  const strips = make("div", { class: "strips", tabindex: -1 }),
    masters = make("div", { class: "strips fixed" }),
    laid = layOut(strips, masters);
  drawTools(buses);
  const fit = () => {
    tools.banks.hidden = strips.scrollWidth <= strips.clientWidth + 1;
  };
  desk = { strips, fit, shown: laid.shown };
  if (root.firstChild !== tools.element) root.replaceChildren(tools.element);
  root.querySelector(".desk")?.remove();
  root.append(make("div", { class: "desk" }, strips, masters));
  if (typing) search.focus();
  sift();
  strips.scrollLeft = place;
  const sizes = new ResizeObserver(fit);
  sizes.observe(strips);
  end = () => {
    laid.end();
    sizes.disconnect();
  };
}
