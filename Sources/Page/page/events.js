// The handles of the events on a row's lane.

import { clock } from "./law.js";
import { along, curves, isRamp } from "./lanes.js";
import { Handle } from "./handle.js";
import { double as d, int } from "./osc.js";
import { say } from "./texts.js";

// Those of one event: a point, or a ramp's two ends and its bend.
export function handles(row, event) {
  return isRamp(event)
    ? [end(row, event, false), end(row, event, true), bend(row, event)]
    : [point(row, event)];
}

function point(row, event) {
  return new Handle(
    row,
    "point",
    `${say("point")} ${row.say(event.value)} ${clock(event.start)}`,
    event,
    (event) => [event.start, event.value],
    {
      drag: async (event, [t, v]) => {
        // Where it is refused it stays where it was; what it says is set where it is then.
        const number = row.numberOf(row.newest, event);
        if (
          !number ||
          (t !== event.start && (await row.perform(`${row.address}/automation/move`, int(number), d(t))))
        ) return;
        if (v !== event.value) await row.setPoint(v, t);
      },
    },
  );
}

function end(row, event, isEnd) {
  const changed = (
    event,
    [t, v],
  ) => (isEnd
    ? { ...event, end: Math.max(t, event.start + 0.001), to: v }
    : { ...event, start: Math.min(t, event.end - 0.001), from: v });
  return new Handle(
    row,
    "end",
    `${say("ramp")} ${row.say(isEnd ? event.to : event.from)} ${clock(isEnd ? event.end : event.start)}`,
    event,
    (event) => (isEnd ? [event.end, event.to] : [event.start, event.from]),
    {
      drag: (event, spot) => row.setRamp(changed(event, spot), event),
      show: (spot) => {
        row.instead = spot ? { event, ramp: changed(event, spot) } : null;
      },
    },
  );
}

function bend(row, event) {
  const next = (event) => {
    const able = curves.filter((curve) => curve !== "exponential" || (event.from > 0 && event.to > 0));
    return row.setRamp({ ...event, curve: able[(able.indexOf(event.curve) + 1) % able.length] }, event);
  };
  return new Handle(
    row,
    "bend",
    `${say("bend")}: ${event.curve}`,
    event,
    (event) => [(event.start + event.end) / 2, along(event, 0.5)],
    { bend: next },
  );
}
