// A strip of the mixer: everything in it is told by its address.

import { knob, momentary, nameField, toggle } from "./controls.js";
import { listen, value } from "./desk.js";
import { fader } from "./fader.js";
import { follow } from "./follow.js";
import { button, make } from "./make.js";
import { loudness } from "./loudness.js";
import { meter } from "./meter.js";
import { openPanel } from "./panel.js";
import { say } from "./texts.js";

// A colour that a name keeps.
function hue(name) {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + letter.codePointAt(0)) % 360;
  return hash;
}

// Where a strip's fader, balance and mute are: at its send to the bus that faders are on sends to.
function controlled({ address, name, kind }, faders) {
  const hasSend = faders !== "" && kind !== "master" && kind !== "dca" && name !== faders;
  return { hasSend, at: hasSend ? `${address}/send/${faders}` : address };
}

// Its number, of a bus or a DCA with the word, and what opens all that it has.
function head(of) {
  const own = of.kind === "master" ? "" : of.address.split("/")[2];
  const number = ["bus", "dca"].includes(of.kind) ? `${say(of.kind)} ${own}` : own;
  const more = button(say("more"), "…", () => openPanel(of), { class: "more" });
  return make("div", { class: "top" }, make("small", { class: "number" }, number), more);
}

// The name of a strip; what goes to a bus has its colour.
function nameplate({ address, name, kind }, element, ends) {
  element.style.setProperty("--hue", kind === "master" ? 210 : hue(name));
  if (kind === "track") {
    const paint = (to) => hue(["master", "none", "ports"].includes(to) ? name : to);
    ends.push(listen(`${address}/output`, (to) => element.style.setProperty("--hue", paint(to))));
  }
  if (kind === "master") return make("div", { class: "name" }, make("span", {}, say("master")));
  const field = nameField(`${address}/name`, name, `${say(kind)} ${name}`);
  ends.push(field.end);
  return field.element;
}

// What hangs on a DCA.
function members({ address }, ends) {
  const field = make("div", { class: "members" });
  const show = (...names) => {
    field.textContent = field.title = names.join(", ");
  };
  show(...(value(`${address}/members`) ?? []));
  ends.push(listen(`${address}/members`, show));
  return field;
}

// The fader of a strip, beside it its meter.
function well(of, { hasSend, at }, ends) {
  const { address, name, kind } = of, element = make("div", { class: "well" });
  if (kind !== "dca") {
    const levels = meter(address, name);
    ends.push(levels.end);
    element.append(levels.element);
  }
  const lever = fader(`${at}/volume`, name, hasSend ? null : `${address}/volume/touch`);
  ends.push(lever.end);
  element.append(lever.element);
  // Whether what a hand does there becomes automation.
  ends.push(listen(`${at}/volume/write`, (mode) => {
    element.dataset.mode = mode;
    element.title = mode === "read" ? "" : `${say("automation")}: ${say(`mode-${mode}`)}`;
  }));
  return element;
}

// Two rows for every strip, so that all faders stand alike.
function buttons({ address, kind, input }, at, use) {
  const press = (path, key, short) => use(toggle(path, say(key), short, key));
  return make(
    "div",
    { class: "buttons" },
    ...(kind === "master" ? [use(loudness(address, say("master")))] : []),
    press(`${at}/mute`, "mute", "M"),
    ...(kind === "master" ? [] : [press(`${address}/solo`, "solo", "S")]),
    ...(kind === "track" && input ? [press(`${address}/arm`, "arm", "R")] : []),
    ...(kind === "track" ? [use(momentary(`${address}/talkback`, say("talkback"), "T"))] : []),
  );
}

// An element for a strip, with nothing in it yet.
export const emptyStrip = ({ name, kind }) =>
  make("section", { class: `strip ${kind}`, role: "group", "aria-label": name });

// Draws it. `faders`: the bus that faders are sends to, or nothing. Returns what ends it.
export function fillStrip(element, of, faders) {
  const ends = [follow(of.address)], place = controlled(of, faders);
  // Takes a control into the strip, and gives its element.
  const use = (part) => {
    ends.push(part.end);
    return part.element;
  };
  element.classList.toggle("aside", faders !== "" && !place.hasSend);
  element.replaceChildren(
    head(of),
    nameplate(of, element, ends),
    of.kind === "dca" ? members(of, ends) : use(knob(`${place.at}/pan`, `${say("pan")} ${of.name}`)),
    well(of, place, ends),
    buttons(of, place.at, use),
  );
  return () => {
    for (const end of ends) end();
    element.replaceChildren();
  };
}
