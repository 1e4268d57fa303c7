// Which ports of other programs a strip hears and plays into.

import { perform } from "./bar.js";
import { ask, value } from "./desk.js";
import { button, make } from "./make.js";
import { say } from "./texts.js";

async function answer(address) {
  return (await ask(address)) ? [] : JSON.parse(value(address)?.[0] ?? "[]");
}

// The ports of other programs for sound: outputs give, inputs take.
export async function knownPorts(direction) {
  const ports = await answer("/ports");
  return ports.filter((port) => !port.own && port.medium === "sound" && port.direction === direction)
    .map(({ port }) => port);
}

// One of them, or none.
export function portChoice(ports, label, chosen = "", choose) {
  const all = chosen && !ports.includes(chosen) ? [chosen, ...ports] : ports;
  const select = make(
    "select",
    { "aria-label": label, onchange: () => choose?.(select.value) },
    make("option", { value: "" }, `${label}: ${say("none")}`),
    ...all.map((port) => make("option", { value: port }, port)),
  );
  select.value = chosen;
  return select;
}

// What an input is called that is connected to nothing, by its channels.
const words = { 1: "mono", 2: "stereo", 6: "5.1", 8: "7.1", 12: "7.1.4" };

// A row of the patch: what it is about, and what it is set by. Labels are the table's controls alone.
const row = (text, ...inside) => make("div", { class: "patched" }, make("span", {}, text), ...inside);

// What the ports of an input hear.
async function inputRows({ address, input }) {
  if (!input) return [];
  const { connect: heard = [], channels } = await answer(`${address}/input`) ?? {},
    ports = await knownPorts("output");
  return Array.from({ length: channels ?? 0 }, (_, index) => {
    const choice = portChoice(ports, `${say("hears")} ${index + 1}`, heard[index], (port) => {
      heard[index] = port;
      // It hears as many ports as it has channels, or waits for all of them.
      const chosen = heard.filter(Boolean);
      if (chosen.length === channels) perform(`${address}/input`, ...chosen);
      else if (!port) perform(`${address}/input`, words[channels]);
    });
    return row(`${say("hears")} ${index + 1}`, choice);
  });
}

// What a port of the strip plays into, each with what takes it away, and what is connected next.
function outputRow(port, connected, ports, redraw) {
  const change = async (...words) => {
    await perform(...words);
    redraw();
  };
  const taken = connected.map(({ other, connected }) =>
    button(
      `${say("disconnect")} ${port} ${other}`,
      `${other}${connected ? "" : ` (${say("waits")})`} \u2715`,
      () => change("/disconnect", port, other),
      { class: "taken" },
    )
  );
  const free = ports.filter((name) => !connected.some(({ other }) => other === name));
  const choice = portChoice(
    free,
    `${say("connect")} ${port}`,
    "",
    (other) => other && change("/connect", port, other),
  );
  return row(port, ...taken, choice);
}

// The strip's own ports: those of the master are always there, others' where they have any.
async function outputRows({ name, kind }, redraw) {
  const [ports, connections, others] = [
    await answer("/ports"),
    await answer("/connections"),
    await knownPorts("input"),
  ];
  const bases = kind === "master" ? ["master", "monitor"] : [name];
  const isOwn = ({ port }) =>
    bases.some((base) => port.startsWith(`${base}_`) && /^\d+$/.test(port.slice(base.length + 1)));
  return ports.filter((port) => port.own && port.direction === "output" && isOwn(port)).map(({ port }) =>
    outputRow(port, connections.filter((connection) => connection.port === port), others, redraw)
  );
}

// All of that, drawn anew when something of it has changed.
export async function patch(strip) {
  const element = make("section", { class: "patch", "aria-label": say("ports") });
  const draw = async () => {
    element.replaceChildren(...await inputRows(strip), ...await outputRows(strip, draw));
  };
  await draw();
  return element;
}
