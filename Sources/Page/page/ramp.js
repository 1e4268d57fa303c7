// A ramp that a hand draws on a row.

import { at } from "./lanes.js";
import { redrawSoon, time } from "./view.js";

export function drawRamp(row, down) {
  if (row.control === "mute") return null;
  const box = row.area.getBoundingClientRect(),
    spot = (event) => [time(event.clientX - box.left), row.valueAt(event.clientY - box.top)];
  const first = start(row, down, spot(down));
  let last = null;
  return {
    move: (event) => {
      if (Math.abs(event.clientX - down.clientX) < 6 && !last) return;
      last = spot(event);
      row.ghost = first[0] < last[0] ? [first, last] : [last, first];
      redrawSoon();
    },
    end: () => end(row),
    cancel: () => {
      row.ghost = null;
    },
  };
}

// It leads in from the value before, so that nothing jumps; with alt it begins where the hand is.
function start(row, down, [t, v]) {
  return [t, down.altKey ? v : at(row.newest, t, row.scale.rest)];
}

function end(row) {
  const ghost = row.ghost;
  row.ghost = null;
  redrawSoon();
  if (!ghost) return;
  const [[start, from], [end, to]] = ghost;
  return row.setRamp({ from, to, start, end, curve: "linear" }, null);
}
