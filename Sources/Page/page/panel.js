// Everything that a strip has, drawn from the table of controls as OSCQuery tells it: what is added there
// appears here by itself.

import { tell } from "./bar.js";
import { compressor, equaliser } from "./curves.js";
import { fetchJSON, listen, set, value } from "./desk.js";
import { setTarget, target, targets } from "./loudness.js";
import { make } from "./make.js";
import { say } from "./texts.js";

// An element for a leaf by its type and range, and what shows a value on it.
function widget(leaf, address, name) {
  const range = leaf.RANGE?.[0] ?? {};
  if (leaf.TYPE === "T" || leaf.TYPE === "F") {
    const box = make("input", {
      type: "checkbox",
      "aria-label": name,
      onchange: () => set(address, box.checked),
    });
    return [box, (value) => {
      box.checked = Boolean(value);
    }];
  }
  if (range.VALS) {
    const choice = make(
      "select",
      { "aria-label": name, onchange: () => set(address, choice.value) },
      ...range.VALS.map((value) => make("option", { value }, value)),
    );
    return [choice, (value) => {
      choice.value = value;
    }];
  }
  if (leaf.TYPE === "f" && range.MIN !== undefined) {
    const number = make("output", {});
    const slider = make("input", {
      type: "range",
      "aria-label": name,
      min: range.MIN,
      max: range.MAX,
      step: (range.MAX - range.MIN) / 400,
      oninput: () => {
        set(address, Number(slider.value));
        number.textContent = Number(slider.value).toFixed(2);
      },
    });
    return [make("span", { class: "ranged" }, slider, number), (value) => {
      slider.value = value;
      number.textContent = value.toFixed(2);
    }];
  }
  const field = make("input", { "aria-label": name, onchange: () => set(address, field.value) });
  return [field, (value) => {
    if (document.activeElement !== field) field.value = value;
  }];
}

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

export function closePanels() {
  for (const dialog of document.querySelectorAll("dialog.panel")) dialog.close();
}

export async function openPanel(strip) {
  let node, room;
  try {
    node = await fetchJSON(strip.address);
    // Beside the master stands what is heard in the control room.
    if (strip.kind === "master") room = await fetchJSON("/monitor");
  } catch (error) {
    return tell(error.message, true);
  }
  const ends = [], rows = [];
  const walk = (node, address, name) => {
    // What can only be read is seen elsewhere.
    if (node.TYPE && node.ACCESS === 3) {
      const [element, show] = widget(node, address, name);
      rows.push(make("label", { title: node.DESCRIPTION }, make("span", {}, name), element));
      show(node.VALUE[0]);
      ends.push(listen(address, show));
    }
    for (const [part, inner] of Object.entries(node.CONTENTS ?? {})) {
      // Sends go by number there, and are told by the names of their buses.
      const own = name.endsWith("send") ? inner.DESCRIPTION ?? part : part;
      walk(inner, `${address}/${own}`, name ? `${name} ${own}` : own);
    }
  };
  const drawn = strip.kind === "dca" ? [] : [equaliser(strip.address, strip.name)];
  if (value(`${strip.address}/comp/ratio`)) drawn.push(compressor(strip.address, strip.name));
  for (const { end } of drawn) ends.push(end);
  walk(node, strip.address, "");
  if (room) {
    const choice = make(
      "select",
      { "aria-label": say("target"), onchange: () => setTarget(choice.value) },
      ...targets.map((level) => make("option", { value: level }, `${level} LUFS`)),
    );
    choice.value = target();
    rows.unshift(make("label", {}, make("span", {}, say("target")), choice));
    walk(room, "/monitor", say("monitor"));
  }
  const dialog = make(
    "dialog",
    {
      class: "panel",
      "aria-label": strip.name,
      onclose: () => {
        for (const end of ends) end();
        dialog.remove();
      },
    },
    make(
      "header",
      {},
      make("b", {}, strip.name),
      make("button", { type: "button", "aria-label": say("close"), onclick: () => dialog.close() }, "✕"),
    ),
    ...drawn.map(({ element }) => element),
    modes(strip, ends),
    ...rows,
  );
  document.body.append(dialog);
  dialog.showModal();
}
