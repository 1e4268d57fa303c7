// What of the timeline is seen, when it is drawn anew, and what waits until the page knows what the mixer has
// done.

import { ask, value } from "./desk.js";

export const view = { start: 0, end: 20, width: 800, tool: "automation" };

// Pixels above and below what is drawn in a row.
export const pad = 6;

export const x = (time) => ((time - view.start) / (view.end - view.start)) * view.width;
export const time = (x) => Math.max(0, view.start + (x / view.width) * (view.end - view.start));

let redraw = () => {}, known = -1;

// `body` draws the timeline, and where it is told so what has not changed as well.
export function drawBy(body) {
  redraw = body;
}

// `all`: also rows that have not changed.
export const redrawSoon = (all) => redraw(all);

const behind = new Set();

// The page knows the session in that state.
export function knows(edition) {
  known = edition;
  for (const body of [...behind]) body();
}

// Waits until this page knows the session as it is in the mixer now; two seconds at the most.
export async function caughtUp() {
  await ask("/session/edition");
  const [edition] = value("/session/edition") ?? [0];
  await new Promise((resolve) => {
    const look = () => {
      if (known < edition) return;
      behind.delete(look);
      resolve();
    };
    behind.add(look);
    setTimeout(() => {
      behind.delete(look);
      resolve();
    }, 2000);
    look();
  });
}
