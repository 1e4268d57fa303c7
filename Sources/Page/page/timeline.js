// The timeline: what of it is seen, its ruler, and a row for every strip. Rows draw themselves (row.js).

import { perform } from "./bar.js";
import { fetchJSON, listen, send, value } from "./desk.js";
import { clamp, clock } from "./law.js";
import { drag, make } from "./make.js";
import { Row } from "./row.js";
import { say } from "./texts.js";
import { forget } from "./waveform.js";
import { upload } from "./upload.js";

const root = document.getElementById("timeline"), headWidth = 150;
const view = { start: 0, end: 20, width: 800, tool: "automation" };
let rows = [], model = null, played = {}, isDrawn = false, asking = 0, language = "";
let ruler, playhead, body, loop, pinch = new Map();

export const x = (time) => ((time - view.start) / (view.end - view.start)) * view.width;
export const time = (x) => Math.max(0, view.start + (x / view.width) * (view.end - view.start));

function zoom(factor, around = (view.start + view.end) / 2) {
  const span = clamp((view.end - view.start) * factor, 0.05, 100000);
  look(around - ((around - view.start) / (view.end - view.start)) * span, span);
}

function look(start, span = view.end - view.start) {
  view.start = Math.max(0, start);
  view.end = view.start + span;
  redraw();
  // What is played is asked for once the hand rests.
  clearTimeout(asking);
  asking = setTimeout(askPlayed, 80);
}

async function askPlayed() {
  try {
    played = await fetchJSON(`/page/data/played?from=${view.start}&to=${view.end}&columns=${clamp(Math.round(view.width / 2), 2, 2000)}`);
    redraw();
  } catch { /* The next change asks again. */ }
}

function build() {
  language = document.documentElement.lang;
  const tools = make("select", { class: "tool", "aria-label": say("tool"), onchange: (event) => { view.tool = event.target.value; root.dataset.tool = view.tool; redraw(); } },
    ...["automation", "clips"].map((name) => make("option", { value: name, selected: name === view.tool }, say(name))));
  const press = (key, short, onclick) => make("button", { type: "button", "aria-label": say(key), title: say(key), onclick }, short);
  ruler = make("canvas", { class: "ruler", role: "img", "aria-label": say("ruler") });
  playhead = make("div", { class: "playhead", "aria-hidden": "true" });
  body = make("div", { class: "rows" });
  root.dataset.tool = view.tool;
  root.replaceChildren(
    make("div", { class: "tools" }, tools, press("zoomIn", "+", () => zoom(0.5)), press("zoomOut", "−", () => zoom(2)), press("whole", "⤢", () => look(0, Math.max(1, model.end * 1.02))),
      press("split", "✂", split), make("span", { class: "hint" }, say("hint"))),
    make("div", { class: "top" }, make("div", { class: "corner" }), ruler), make("div", { class: "scroll" }, body, playhead));
  drag(ruler, (down) => {
    const left = ruler.getBoundingClientRect().left, start = time(down.clientX - left);
    let range = null;
    return {
      move(event) {
        const end = time(event.clientX - left);
        if (Math.abs(event.clientX - down.clientX) > 5) range = [Math.min(start, end), Math.max(start, end)];
        if (range) drawRuler(range);
      },
      end() {
        if (!range) return void send("/transport/locate", { type: "d", value: start });
        perform("/transport/loop", { type: "d", value: range[0] }, { type: "d", value: range[1] });
      },
    };
  });
  root.onwheel = (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      zoom(1.0015 ** event.deltaY, time(event.clientX - ruler.getBoundingClientRect().left));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      look(view.start + ((event.deltaX || event.deltaY) / view.width) * (view.end - view.start));
    }
  };
  // Two fingers zoom and move.
  root.onpointerdown = (event) => { if (event.pointerType === "touch") pinch.set(event.pointerId, event.clientX); };
  root.onpointermove = (event) => {
    if (pinch.size !== 2 || !pinch.has(event.pointerId)) return;
    const left = ruler.getBoundingClientRect().left, other = [...pinch].find(([id]) => id !== event.pointerId)[1], before = pinch.get(event.pointerId);
    const fixed = time(other - left), [old, now] = [Math.abs(before - other), Math.abs(event.clientX - other)];
    pinch.set(event.pointerId, event.clientX);
    if (old > 8 && now > 8) zoom(old / now, fixed);
  };
  root.onpointerup = root.onpointercancel = (event) => pinch.delete(event.pointerId);
  root.ondragover = (event) => { event.preventDefault(); root.classList.add("dropping"); };
  root.ondragleave = () => root.classList.remove("dropping");
  root.ondrop = (event) => {
    event.preventDefault();
    root.classList.remove("dropping");
    const place = time(event.clientX - ruler.getBoundingClientRect().left);
    for (const file of event.dataTransfer.files) upload(file, place);
  };
  new ResizeObserver(() => { resize(); redraw(); }).observe(body);
}

// The selected clips, or all that are there, are cut where it plays.
async function split() {
  const [, now] = value("/transport/position") ?? [0, 0];
  for (const row of rows) if (row.hasSelection(now)) await perform(`${row.strip.address}/split`, { type: "d", value: now });
}

function resize() {
  view.width = Math.max(50, body.clientWidth - headWidth);
  ruler.width = view.width * devicePixelRatio;
  ruler.height = 34 * devicePixelRatio;
  ruler.style.width = `${view.width}px`;
}

export function draw(next) {
  const isFirst = !model, before = model;
  model = next;
  if (!body || language !== document.documentElement.lang) {
    build();
    rows = [];
  }
  if (before && before.edition !== model.edition) forget();
  const shape = (strips) => JSON.stringify(strips.map(({ address, name, sends }) => [address, name, sends.map((send) => send.to)]));
  if (!rows.length || !before || shape(before.strips) !== shape(model.strips)) {
    rows = model.strips.filter((strip) => strip.kind !== "dca" || Object.keys(strip.lanes).length).map((strip) => new Row(strip, view));
    body.replaceChildren(...rows.map((row) => row.element));
  }
  for (const row of rows) row.take(model.strips.find((strip) => strip.address === row.strip.address));
  resize();
  if (isFirst) look(0, Math.max(1, model.end * 1.02));
  else look(view.start);
}

function redraw() {
  if (isDrawn || root.hidden || !model) return;
  isDrawn = true;
  requestAnimationFrame(() => {
    isDrawn = false;
    for (const row of rows) row.draw(played[row.strip.address]);
    drawRuler(loop);
    movePlayhead();
  });
}

export const redrawSoon = redraw;

function drawRuler(shown) {
  const pen = ruler.getContext("2d"), style = getComputedStyle(root);
  pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  pen.clearRect(0, 0, view.width, 34);
  if (shown) {
    pen.fillStyle = style.getPropertyValue("--loop");
    pen.fillRect(x(shown[0]), 0, x(shown[1]) - x(shown[0]), 34);
  }
  const span = view.end - view.start, step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200].find((step) => (step / span) * view.width > 70) ?? 14400;
  pen.fillStyle = pen.strokeStyle = style.getPropertyValue("--faint");
  pen.font = "11px system-ui, sans-serif";
  for (let tick = Math.ceil(view.start / step) * step; tick < view.end; tick += step) {
    pen.fillRect(Math.round(x(tick)), 22, 1, 12);
    pen.fillText(step < 1 ? clock(tick) : clock(tick).slice(0, -3), x(tick) + 3, 31);
  }
  pen.fillStyle = style.getPropertyValue("--accent");
  for (const marker of model?.markers ?? []) {
    pen.fillRect(Math.round(x(marker.at)), 0, 1.5, 34);
    pen.fillText(marker.name, x(marker.at) + 4, 11);
  }
}

function movePlayhead() {
  const [, now] = value("/transport/position") ?? [0, 0], place = x(now);
  playhead.hidden = place < 0 || place > view.width;
  playhead.style.transform = `translateX(${headWidth + place}px)`;
}

listen("/transport/position", () => { if (playhead && !root.hidden) movePlayhead(); });
listen("/transport/loop", (start, end) => {
  loop = end === undefined ? null : [start, end];
  redraw();
});

