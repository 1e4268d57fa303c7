// What is drawn behind the clips and handles of a row.

import { line } from "./lanes.js";
import { view, x } from "./view.js";

// The canvas, as large as the row, with nothing on it.
export function emptied(canvas, tall) {
  const { width } = view, ratio = devicePixelRatio, pen = canvas.getContext("2d");
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(tall * ratio)) {
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(tall * ratio)];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${tall}px`];
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, tall);
  return pen;
}

// The volume as it is played, over the whole width.
export function drawPlayed(row, pen, played, tall, colour) {
  pen.beginPath();
  played.forEach((value, index) => pen.lineTo((index / (played.length - 1)) * view.width, row.y(value)));
  pen.strokeStyle = colour("--played");
  pen.lineWidth = 1.5;
  pen.stroke();
  pen.lineTo(view.width, tall);
  pen.lineTo(0, tall);
  pen.fillStyle = colour("--under");
  pen.fill();
}

// The lane's events, what a hand is writing, and the ramp that one is drawing.
export function drawLane(row, pen, colour) {
  const events = row.instead
    ? row.events.map((event) => (event === row.instead.event ? row.instead.ramp : event))
    : row.events;
  pen.lineWidth = 2;
  pen.setLineDash(events.length ? [] : [4, 5]);
  stroke(row, pen, line(events, row.scale.rest, view.start, view.end), colour("--accent"));
  pen.setLineDash([]);
  if (row.pass.points.length) stroke(row, pen, row.pass.points, colour("--written"));
  if (row.ghost) stroke(row, pen, row.ghost, colour("--accent"));
}

function stroke(row, pen, points, colour) {
  pen.strokeStyle = colour;
  pen.beginPath();
  for (const [t, v] of points) pen.lineTo(x(t), row.y(v));
  pen.stroke();
}
