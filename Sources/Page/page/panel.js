// Everything that a strip has, drawn from the table of controls as OSCQuery tells it: what is added there
// appears here by itself.

import { perform, tell } from "./bar.js";
import { compressor, equaliser } from "./curves.js";
import { fetchJSON, listen, set, value } from "./desk.js";
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

// What takes the strip out of the session; undo brings it back.
function removal({ address, name }, close) {
  return button(`${say("remove")} ${name}`, say("remove"), async () => {
    if (!(await perform(`${address}/remove`))) close();
  }, { class: "remove" });
}

export function closePanels() {
  for (const dialog of document.querySelectorAll("dialog.panel")) dialog.close();
}

export async function openPanel(strip) {
  let node, whole = [];
  try {
    node = await fetchJSON(strip.address);
    // Beside the master stands what is the whole mixer's, and what is heard in the control room.
    if (strip.kind === "master") {
      whole = await Promise.all(["/solomode", "/directouts", "/monitor"].map(fetchJSON));
    }
  } catch (error) {
    return tell(error.message, true);
  }
  const ends = [], rows = [];
  const walk = (node, address, parts) => {
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
      walk(inner, `${address}/${own}`, [...parts, own]);
    }
  };
  const drawn = strip.kind === "dca" ? [] : [equaliser(strip.address, strip.name)];
  if (value(`${strip.address}/comp/ratio`)) drawn.push(compressor(strip.address, strip.name));
  for (const { end } of drawn) ends.push(end);
  walk(node, strip.address, []);
  if (strip.kind === "master") {
    const choice = make(
      "select",
      { "aria-label": say("target"), onchange: () => setTarget(choice.value) },
      ...targets.map((level) => make("option", { value: level }, `${level} LUFS`)),
    );
    choice.value = target();
    rows.unshift(make("label", {}, make("span", {}, say("target")), choice));
    for (const node of whole) walk(node, node.FULL_PATH, [node.FULL_PATH.slice(1)]);
  }
  const ports = await patch(strip);
  const { element, close } = dialog("panel", strip.name, () => ends.forEach((end) => end()));
  element.append(...drawn.map(({ element }) => element), modes(strip, ends), ...rows, ports);
  if (strip.kind !== "master") element.append(removal(strip, close));
}
