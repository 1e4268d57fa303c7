// The geometry of a lane: what its events say at a time, and where that is drawn. Pure functions.

import { clamp, gain, position } from "./law.js";

// How a control is drawn from the bottom, 0 to 1, of its lane.
export const scales = {
  volume: { up: (value) => clamp(position(value), 0, 1), back: (up) => gain(clamp(up, 0, 1)), rest: 1 },
  trim: { up: (value) => clamp(position(value), 0, 1), back: (up) => gain(clamp(up, 0, 1)), rest: 1 },
  pan: { up: (value) => (1 - value) / 2, back: (up) => clamp(1 - 2 * up, -1, 1), rest: 0 },
  mute: { up: (value) => (value ? 0.1 : 0.9), back: (up) => (up < 0.5 ? 1 : 0), rest: 0 },
};

// How far a curve has gone at p, 0 to 1 (docs/session.md, "Curves").
export function along(event, p) {
  const { from, to, curve } = event, way = to - from;
  switch (curve) {
    case "scurve":
      return from + (way * (1 - Math.cos(Math.PI * p))) / 2;
    case "equalpower":
      return way > 0
        ? from + way * Math.sin((Math.PI * p) / 2)
        : from + way * (1 - Math.cos((Math.PI * p) / 2));
    case "exponential":
      return from > 0 && to > 0 ? from * (to / from) ** p : from + way * p;
    default:
      return from + way * p;
  }
}

export const isRamp = (event) => event.from !== undefined;
const lastValue = (event) => (isRamp(event) ? event.to : event.value);
const firstValue = (event) => (isRamp(event) ? event.from : event.value);

// What the events say at a time; `rest` before the first.
export function at(events, time, rest) {
  let value = rest;
  for (const event of events) {
    if (event.start > time) break;
    value = isRamp(event) && time < event.end
      ? along(event, (time - event.start) / (event.end - event.start))
      : lastValue(event);
  }
  return value;
}

// The line of a lane between two times: points of [time, value], with the steps that events make.
export function line(events, rest, start, end) {
  const points = [[start, at(events, start, rest)]];
  for (const event of events) {
    if (event.end < start || event.start > end) continue;
    const before = points[points.length - 1][1];
    if (event.start >= start) points.push([event.start, before], [event.start, firstValue(event)]);
    if (!isRamp(event)) continue;
    addRamp(points, event, start, end);
  }
  points.push([end, at(events, end, rest)]);
  return points;
}

function addRamp(points, event, start, end) {
  const steps = event.curve === "linear" ? 8 : 24;
  for (let step = 1; step <= steps; step++) {
    const p = step / steps, time = event.start + p * (event.end - event.start);
    if (time >= start && time <= end) points.push([time, along(event, p)]);
  }
}

// The first event, but for one, that a ramp would overlap: a ramp, or a point strictly inside it.
export function overlapped(events, start, end, but) {
  return events.find((event) => event !== but && event.start < end && event.end > start);
}

export const curves = ["linear", "scurve", "equalpower", "exponential"];
