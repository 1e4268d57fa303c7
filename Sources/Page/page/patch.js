// Which ports of other programs a strip hears and plays into.

import { perform } from "./bar.js";
import { ask, value } from "./desk.js";
import { button, make } from "./make.js";
import { say } from "./texts.js";

// The answer to a question; an empty list where it is refused.
async function answer(address) {
  return (await ask(address)) ? [] : JSON.parse(value(address)?.[0] ?? "null") ?? [];
}

// The names of other programs' ports for sound among some: outputs give, inputs take.
const foreign = (ports, direction) =>
  ports.filter((port) => !port.own && port.medium === "sound" && port.direction === direction)
    .map(({ port }) => port);

// Those that there are now.
export const knownPorts = async (direction) => foreign(await answer("/ports"), direction);

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
export const layouts = { 1: "mono", 2: "stereo", 6: "5.1", 8: "7.1", 12: "7.1.4" };

const row = (text, ...inside) => make("div", { class: "patched" }, make("span", {}, text), ...inside);

// What the ports of an input hear. What somebody else has patched meanwhile stays.
async function inputRows({ address, input }, ports, redraw) {
  if (!input) return [];
  const { connect: heard = [], channels = 0 } = await answer(`${address}/input`);
  // It hears as many ports as it has channels, or none: a choice waits for those of the other channels.
  const chosen = new Map();
  const choose = async (index, port) => {
    const { connect: now = [] } = await answer(`${address}/input`);
    chosen.set(index, port);
    const next = Array.from({ length: channels }, (_, other) => chosen.get(other) ?? now[other]);
    if (port && !next.every(Boolean)) return;
    await (port ? perform(`${address}/input`, ...next) : perform(`${address}/input`, layouts[channels]));
    redraw();
  };
  return Array.from({ length: channels }, (_, index) => {
    const label = `${say("hears")} ${index + 1}`;
    return row(label, portChoice(ports, label, heard[index], (port) => choose(index, port)));
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
  const connect = (other) => other && change("/connect", port, other);
  return row(port, ...taken, portChoice(free, `${say("connect")} ${port}`, "", connect));
}

// All of that, drawn anew when something of it has been changed here.
export async function patch(strip) {
  const element = make("section", { class: "patch", "aria-label": say("ports") });
  // Beside the master stand the ports of the control room.
  const addresses = strip.kind === "master" ? ["/master", "/monitor"] : [strip.address];
  const draw = async () => {
    const [ports, connections] = [await answer("/ports"), await answer("/connections")];
    const others = (direction) => foreign(ports, direction);
    const own = ports.filter((port) => port.direction === "output" && addresses.includes(port.strip));
    element.replaceChildren(
      ...await inputRows(strip, others("output"), draw),
      ...own.map(({ port }) =>
        outputRow(port, connections.filter((connection) => connection.port === port), others("input"), draw)
      ),
    );
  };
  await draw();
  return element;
}
