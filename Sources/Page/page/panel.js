// Everything that a strip has, drawn from the table of controls as OSCQuery tells it: what is added there
// appears here by itself.

import { perform, tell } from "./bar.js";
import { compressor, equaliser } from "./curves.js";
import { ask, fetchJSON, listen, set, value } from "./desk.js";
import { setTarget, target, targets } from "./loudness.js";
import { button, dialog, make } from "./make.js";
import { patch } from "./patch.js";
import { say, words } from "./texts.js";
import { widget } from "./widget.js";

// What hands do to the automation of a strip's controls.
function modes({ address, name, kind }, ends) {
  const controls = kind === "dca" ? ["volume", "mute"] : ["volume", "pan", "mute", "trim"];
  return make(
    "div",
    { class: "modes", role: "group", "aria-label": `${say("automation")} ${name}` },
    ...controls.map((control) => {
      const choice = make(
        "select",
        {
          "aria-label": `${say("automation")} ${say(control)}`,
          onchange: () => set(`${address}/${control}/write`, choice.value),
        },
        ...["off", "read", "touch", "latch", "write"].map((mode) =>
          make("option", { value: mode }, say(`mode-${mode}`))
        ),
      );
      choice.value = "read";
      ends.push(listen(`${address}/${control}/write`, (mode) => choice.value = mode));
      return make("span", {}, `${say(control)} `, choice);
    }),
  );
}

// What takes the strip out of the session; undo brings it back. Strips go by numbers: where somebody has
// changed something that this page does not know yet, it may be another's.
function removal({ address, name }, close) {
  return button(`${say("remove")} ${name}`, say("remove"), async () => {
    await ask("/session/edition");
    if (value("/session/edition")?.[0] !== edition) return tell(say("changed"), true);
    if (!(await perform(`${address}/remove`))) close();
  }, { class: "remove" });
}

// The strip whose panel is open, or opens, and what closes it.
let open = null, edition = 0;

// Closes the panel of a strip that is not any more where it was.
export function closePanels(model) {
  edition = model.edition;
  const isThere = ({ id, address }) => id === open.id && address === open.address;
  if (open && !model.strips.some(isThere)) close();
}

function close() {
  open?.close?.();
  open = null;
}

// All that is asked for before it can be drawn.
async function questions({ address, kind }) {
  const asked = [address, ...(kind === "master" ? ["/solomode", "/directouts", "/monitor"] : [])];
  return Promise.all(asked.map(fetchJSON));
}

export async function openPanel(strip) {
  if (open) return;
  const mine = open = { id: strip.id, address: strip.address };
  try {
    // Beside the master stands what is the whole mixer's, and what is heard in the control room.
    const [[node, ...whole], ports] = await Promise.all([questions(strip), patch(strip)]);
    if (open === mine) draw(strip, node, whole, ports);
  } catch (error) {
    if (open === mine) open = null;
    tell(error.message, true);
  }
}

// Adds a row for each value below a node that can be set.
function addRows(node, address, parts, rows, ends) {
  // What can only be read is seen elsewhere.
  if (node.TYPE && node.ACCESS === 3) {
    const name = words(parts), [element, show] = widget(node, address, name);
    rows.push(make("label", { title: node.DESCRIPTION }, make("span", {}, name), element));
    show(node.VALUE[0]);
    ends.push(listen(address, show));
  }
  for (const [part, inner] of Object.entries(node.CONTENTS ?? {})) {
    // Sends go by number there, and are told by the names of their buses.
    const own = parts.at(-1) === "send" ? inner.DESCRIPTION ?? part : part;
    addRows(inner, `${address}/${own}`, [...parts, own], rows, ends);
  }
}

// The loudness that the meters measure against.
function targetRow() {
  const choice = make(
    "select",
    { "aria-label": say("target"), onchange: () => setTarget(choice.value) },
    ...targets.map((level) => make("option", { value: level }, `${level} LUFS`)),
  );
  choice.value = target();
  return make("label", {}, make("span", {}, say("target")), choice);
}

function draw(strip, node, whole, ports) {
  const ends = [], rows = strip.kind === "master" ? [targetRow()] : [];
  const drawn = strip.kind === "dca" ? [] : [equaliser(strip.address, strip.name)];
  if (value(`${strip.address}/comp/ratio`)) drawn.push(compressor(strip.address, strip.name));
  for (const { end } of drawn) ends.push(end);
  addRows(node, strip.address, [], rows, ends);
  if (strip.kind === "master") {
    for (const node of whole) addRows(node, node.FULL_PATH, [node.FULL_PATH.slice(1)], rows, ends);
  }
  const panel = dialog("panel", strip.name, () => {
    for (const end of ends) end();
    open = null;
  });
  open.close = panel.close;
  panel.element.append(...drawn.map(({ element }) => element), modes(strip, ends), ...rows, ports);
  if (strip.kind !== "master") panel.element.append(removal(strip, panel.close));
}
