// The mixer: a strip for every track, bus and DCA, the master beside them. Which strips there are is the
// session's; everything else is told by its address.

import { knob, momentary, nameField, toggle } from "./controls.js";
import { listen, value } from "./desk.js";
import { fader } from "./fader.js";
import { make, whenFree } from "./make.js";
import { loudness } from "./loudness.js";
import { meter } from "./meter.js";
import { closePanels, openPanel } from "./panel.js";
import { say } from "./texts.js";

const root = document.getElementById("mixer");
let ends = [], shape = "", count = 0, faders = "volume", model = null;

// What of a strip a control's address needs: those of sends go by the bus's name.
function strip(of, members) {
  const parts = [], { address, name, kind } = of, isMaster = kind === "master";
  const use = (part) => {
    ends.push(part.end);
    parts.push(part.element);
  };
  const element = make("section", { class: `strip ${kind}`, role: "group", "aria-label": name });
  if (isMaster) parts.push(make("div", { class: "name" }, say("master")));
  else use(nameField(`${address}/name`, name, `${say(kind)} ${name}`));
  const onSend = faders !== "volume",
    hasSend = onSend && kind !== "master" && kind !== "dca" && name !== faders;
  const volume = hasSend ? `${address}/send/${faders}/volume` : `${address}/volume`;
  if (kind !== "dca") {
    const part = knob(hasSend ? `${address}/send/${faders}/pan` : `${address}/pan`, `${say("pan")} ${name}`);
    use(part);
  } else {
    parts.push(make("div", { class: "members", title: members.join(", ") }, members.join(", ")));
  }
  const well = make("div", { class: "well" });
  if (kind !== "dca") {
    const levels = meter(address, name);
    ends.push(levels.end);
    well.append(make("div", { class: "levels" }, ...levels.elements));
  }
  const slider = fader(volume, name, hasSend ? null : `${address}/volume/touch`);
  ends.push(slider.end);
  well.append(slider.element);
  if (onSend && !hasSend) element.classList.add("aside");
  parts.push(well);
  const buttons = make("div", { class: "buttons" });
  const press = (path, label, short, kind) => {
    const button = toggle(path, label, short, kind);
    ends.push(button.end);
    buttons.append(button.element);
  };
  press(hasSend ? `${address}/send/${faders}/mute` : `${address}/mute`, say("mute"), "M", "mute");
  if (kind === "track" || kind === "bus") press(`${address}/solo`, say("solo"), "S", "solo");
  if (kind === "track" && of.input) press(`${address}/arm`, say("arm"), "R", "arm");
  if (kind === "track") {
    const button = momentary(`${address}/talkback`, say("talkback"), "T");
    ends.push(button.end);
    buttons.append(button.element);
  }
  buttons.append(
    make("button", {
      class: "toggle more",
      type: "button",
      "aria-label": say("more"),
      title: say("more"),
      onclick: () => openPanel(of),
    }, "…"),
  );
  if (isMaster) use(loudness(address, say("master")));
  parts.push(buttons);
  element.append(...parts);
  element.style.setProperty("--hue", isMaster ? 210 : hue(name));
  if (kind === "track") {
    // What goes to a bus has its colour.
    ends.push(
      listen(
        `${address}/output`,
        (to) => element.style.setProperty("--hue", hue(["master", "none", "ports"].includes(to) ? name : to)),
      ),
    );
  }
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

function drawNow() {
  const buses = model.strips.filter((strip) => strip.kind === "bus").map((strip) => strip.name);
  if (faders !== "volume" && !buses.includes(faders)) faders = "volume";
  const now = JSON.stringify([
    faders,
    document.documentElement.lang,
    model.strips.map((
      { address, name, kind, input, sends },
    ) => [address, name, kind, input, sends.map((send) => send.to)]),
  ]);
  if (now === shape) return;
  // Strips go by numbers: where some come or go, what is open may be another's.
  if (model.strips.length !== count) closePanels();
  (shape = now), (count = model.strips.length);
  for (const end of ends) end();
  ends = [];
  const place = root.querySelector(".strips")?.scrollLeft ?? 0;
  const choice = make(
    "select",
    {
      "aria-label": say("faders"),
      onchange: (event) => {
        faders = event.target.value;
        draw();
      },
    },
    make("option", { value: "volume" }, say("volume")),
    ...buses.map((name) => make("option", { value: name }, `${say("sendTo")} ${name}`)),
  );
  choice.value = faders;
  const strips = make("div", { class: "strips", tabindex: -1 }),
    masters = make("div", { class: "strips fixed" });
  for (const of of model.strips) {
    (of.kind === "master" ? masters : strips).append(
      strip(of, of.kind === "dca" ? (value(`${of.address}/members`) ?? []) : []),
    );
  }
  // Where not all of them are seen at once, bank by bank.
  const bank = (way) =>
    strips.scrollBy({ left: way * Math.max(80, strips.clientWidth - 60), behavior: "smooth" });
  const banks = make(
    "div",
    { class: "banks" },
    make("button", { type: "button", "aria-label": say("bankBefore"), onclick: () => bank(-1) }, "‹"),
    make("button", { type: "button", "aria-label": say("bankBehind"), onclick: () => bank(1) }, "›"),
  );
  const tools = make(
    "div",
    { class: "tools" },
    buses.length ? make("label", {}, `${say("faders")} `, choice) : "",
    banks,
  );
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
  for (const of of model.strips.filter((strip) => strip.kind === "dca")) {
    const field = [...strips.children].find((child) => child.getAttribute("aria-label") === of.name)
      ?.querySelector(".members");
    if (field) {
      ends.push(listen(`${of.address}/members`, (...names) => {
        field.textContent = field.title = names.join(", ");
      }));
    }
  }
}
