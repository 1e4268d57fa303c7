// The ruler of the timeline: the loop, ticks with their times, and the markers.

import { clock } from "./law.js";
import { view, x } from "./view.js";

// `shown`: the loop, or what is to be one.
export function drawRuler(canvas, style, shown, markers) {
  const pen = canvas.getContext("2d");
  pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  pen.clearRect(0, 0, view.width, 34);
  if (shown) {
    pen.fillStyle = style.getPropertyValue("--loop");
    pen.fillRect(x(shown[0]), 0, x(shown[1]) - x(shown[0]), 34);
  }
  drawTicks(pen, style);
  drawMarkers(pen, style, markers);
}

// Seconds between two ticks: as few as leave room for a time between them.
function tickStep() {
  const span = view.end - view.start,
    steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200];
  return steps.find((step) => (step / span) * view.width > 70) ?? 14400;
}

function drawTicks(pen, style) {
  const step = tickStep();
  pen.fillStyle = pen.strokeStyle = style.getPropertyValue("--faint");
  pen.font = "11px system-ui, sans-serif";
  for (let tick = Math.ceil(view.start / step) * step; tick < view.end; tick += step) {
    pen.fillRect(Math.round(x(tick)), 22, 1, 12);
    pen.fillText(step < 1 ? clock(tick) : clock(tick).slice(0, -3), x(tick) + 3, 31);
  }
}

function drawMarkers(pen, style, markers) {
  pen.fillStyle = style.getPropertyValue("--accent");
  for (const marker of markers) {
    pen.fillRect(Math.round(x(marker.at)), 0, 1.5, 34);
    pen.fillText(marker.name, x(marker.at) + 4, 11);
  }
}
