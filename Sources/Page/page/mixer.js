// The mixer: a strip for every track, bus and DCA, the master beside them. Which strips there are is the
// session's; everything else is told by its address.

import { knob, momentary, nameField, toggle } from "./controls.js";
import { listen, value } from "./desk.js";
import { fader } from "./fader.js";
import { button, make, whenFree } from "./make.js";
import { loudness } from "./loudness.js";
import { meter } from "./meter.js";
import { closePanels, openPanel } from "./panel.js";
import { say } from "./texts.js";

const root = document.getElementById("mixer");
let ends = [], shape = "", count = 0, faders = "volume", model = null;

// Takes a control into the page until the next drawing, and gives its element.
function use(part) {
  ends.push(part.end);
  return part.element;
}

// Where a strip's fader, balance and mute are: at its send to a bus, while faders are on sends.
function controlled({ address, name, kind }) {
  const hasSend = faders !== "volume" && kind !== "master" && kind !== "dca" && name !== faders;
  return { hasSend, at: hasSend ? `${address}/send/${faders}` : address };
}

// The name of a strip; what goes to a bus has its colour.
function nameplate({ address, name, kind }, element) {
  element.style.setProperty("--hue", kind === "master" ? 210 : hue(name));
  if (kind === "track") {
    const paint = (to) => hue(["master", "none", "ports"].includes(to) ? name : to);
    ends.push(listen(`${address}/output`, (to) => element.style.setProperty("--hue", paint(to))));
  }
  if (kind === "master") return make("div", { class: "name" }, say("master"));
  return use(nameField(`${address}/name`, name, `${say(kind)} ${name}`));
}

// The fader of a strip, beside it its meter.
function well(of) {
  const { address, name, kind } = of,
    { hasSend, at } = controlled(of),
    element = make("div", { class: "well" });
  if (kind !== "dca") {
    const levels = meter(address, name);
    ends.push(levels.end);
    element.append(make("div", { class: "levels" }, ...levels.elements));
  }
  element.append(use(fader(`${at}/volume`, name, hasSend ? null : `${address}/volume/touch`)));
  // Whether what a hand does there becomes automation.
  ends.push(listen(`${at}/volume/write`, (mode) => {
    element.dataset.mode = mode;
    element.title = mode === "read" ? "" : `${say("automation")}: ${say(`mode-${mode}`)}`;
  }));
  return element;
}

function buttons(of) {
  const { address, kind } = of;
  const press = (path, key, short) => use(toggle(path, say(key), short, key));
  const more = button(say("more"), "…", () => openPanel(of), { class: "toggle more" });
  return make(
    "div",
    { class: "buttons" },
    press(`${controlled(of).at}/mute`, "mute", "M"),
    ...(kind === "master" ? [] : [press(`${address}/solo`, "solo", "S")]),
    ...(kind === "track" && of.input ? [press(`${address}/arm`, "arm", "R")] : []),
    ...(kind === "track" ? [use(momentary(`${address}/talkback`, say("talkback"), "T"))] : []),
    more,
  );
}

// `members`: of a DCA.
function strip(of, members) {
  const { address, name, kind } = of, { hasSend, at } = controlled(of);
  const element = make("section", { class: `strip ${kind}`, role: "group", "aria-label": name });
  if (faders !== "volume" && !hasSend) element.classList.add("aside");
  const list = members.join(", ");
  element.append(
    nameplate(of, element),
    kind === "dca"
      ? make("div", { class: "members", title: list }, list)
      : use(knob(`${at}/pan`, `${say("pan")} ${name}`)),
    well(of),
    ...(kind === "master" ? [use(loudness(address, say("master")))] : []),
    buttons(of),
  );
  return element;
}

// A colour that a name keeps.
function hue(name) {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)) % 360;
  return hash;
}

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

// Whether faders move volumes, or the sends to a bus.
function fadersChoice(buses) {
  const choose = (event) => {
    faders = event.target.value;
    draw();
  };
  const choice = make(
    "select",
    { "aria-label": say("faders"), onchange: choose },
    make("option", { value: "volume" }, say("volume")),
    ...buses.map((name) => make("option", { value: name }, `${say("sendTo")} ${name}`)),
  );
  choice.value = faders;
  return buses.length ? make("label", {}, `${say("faders")} `, choice) : "";
}

// Where not all strips are seen at once, bank by bank.
function bankButtons(strips) {
  const bank = (way) =>
    strips.scrollBy({ left: way * Math.max(80, strips.clientWidth - 60), behavior: "smooth" });
  return make(
    "div",
    { class: "banks" },
    make("button", { type: "button", "aria-label": say("bankBefore"), onclick: () => bank(-1) }, "‹"),
    make("button", { type: "button", "aria-label": say("bankBehind"), onclick: () => bank(1) }, "›"),
  );
}

function drawNow() {
  const buses = model.strips.filter((strip) => strip.kind === "bus").map((strip) => strip.name);
  if (faders !== "volume" && !buses.includes(faders)) faders = "volume";
  const now = shapeNow();
  if (now === shape) return;
  // Strips go by numbers: where some come or go, what is open may be another's.
  if (model.strips.length !== count) closePanels();
  (shape = now), (count = model.strips.length);
  for (const end of ends) end();
  ends = [];
  const place = root.querySelector(".strips")?.scrollLeft ?? 0;
  const strips = make("div", { class: "strips", tabindex: -1 }),
    masters = make("div", { class: "strips fixed" });
  for (const of of model.strips) {
    const members = of.kind === "dca" ? (value(`${of.address}/members`) ?? []) : [];
    const element = strip(of, members);
    (of.kind === "master" ? masters : strips).append(element);
    if (of.kind === "dca") followMembers(of, element.querySelector(".members"));
  }
  const banks = bankButtons(strips);
  const tools = make("div", { class: "tools" }, fadersChoice(buses), banks);
  root.replaceChildren(tools, make("div", { class: "desk" }, strips, masters));
  strips.scrollLeft = place;
  const fit = () => {
    banks.hidden = strips.scrollWidth <= strips.clientWidth + 1;
    tools.hidden = banks.hidden && !buses.length;
  };
  const sizes = new ResizeObserver(fit);
  sizes.observe(strips);
  ends.push(() => sizes.disconnect());
  fit();
}

function followMembers({ address }, field) {
  ends.push(listen(`${address}/members`, (...names) => {
    field.textContent = field.title = names.join(", ");
  }));
}
