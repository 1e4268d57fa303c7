// A clip on a row: its element, its wave, and what a hand does to it.

import { clamp, clock } from "./law.js";
import { drag, make } from "./make.js";
import { double } from "./osc.js";
import { say } from "./texts.js";
import { pad, redrawSoon, time, view, x } from "./view.js";
import { highest, peaks } from "./waveform.js";

export class ShownClip {
  constructor(row, clip) {
    Object.assign(this, { row, clip, shift: null });
    this.makeEdges();
    const name = clip.file.split("/").at(-1), isMissing = clip.end === null;
    this.element = make(
      "button",
      {
        type: "button",
        class: `clip${isMissing ? " missing" : ""}`,
        "aria-label": `${name} ${clock(clip.start)}${
          isMissing ? ` ${say("missing")}` : `-${clock(clip.end)}`
        }`,
        "aria-pressed": String(row.isSelected(clip)),
      },
      make("span", {}, name + (isMissing ? ` ${say("missing")}` : "")),
      ...Object.values(this.edges),
    );
    drag(this.element, (down) => this.take(down));
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  makeEdges() {
    this.edges = {
      start: make("i", { class: "edge start" }),
      end: make("i", { class: "edge end" }),
      fadeIn: make("i", { class: "fade in", title: say("fadeIn") }),
      fadeOut: make("i", { class: "fade out", title: say("fadeOut") }),
    };
  }

  // One whose file is missing is shown a second long.
  get end() {
    return this.clip.end ?? this.clip.start + 1;
  }

  // Has the mixer do something to it, as it is by then, with the number that it has.
  perform(path, words = () => []) {
    const { row } = this, list = () => row.latest.clips;
    return row.edit(this, "clip", list, () => {
      const number = row.numberOf(list(), this.clip);
      return number && row.performOn(path, number, ...words(this.clip).map(double));
    });
  }

  // MARK: hands

  take(down) {
    if (view.tool !== "clips") return null;
    const start = time(down.clientX),
      edge = Object.keys(this.edges).find((key) => this.edges[key] === down.target);
    let by = 0;
    return this.row.hold({
      move: (event) => {
        by = time(event.clientX) - start;
        this.shift = { edge, by };
        redrawSoon();
      },
      end: async () => {
        if (Math.abs(x(by) - x(0)) < 3) this.row.select(this);
        else await this.pull(edge, by);
        this.shift = null;
      },
      cancel: () => {
        this.shift = null;
      },
    });
  }

  // Moves the whole, or an edge of it, by so many seconds.
  pull(edge, by) {
    switch (edge) {
      case "start":
        return this.perform("clip/trim", (clip) => [Math.max(0, clip.start + by), this.end]);
      case "end":
        return this.perform("clip/trim", (clip) => [clip.start, this.end + by]);
      case "fadeIn":
        return this.perform("clip/fadein", (clip) => [clamp(clip.fadeIn + by, 0, this.end - clip.start)]);
      case "fadeOut":
        return this.perform("clip/fadeout", (clip) => [clamp(clip.fadeOut - by, 0, this.end - clip.start)]);
      default:
        return this.perform("move", (clip) => [Math.max(0, clip.start + by)]);
    }
  }

  key(event) {
    const far = (view.end - view.start) / (event.shiftKey ? 1000 : 100);
    if (event.key === "Delete" || event.key === "Backspace") this.perform("clip/remove");
    else if (event.key === "ArrowLeft") this.pull(undefined, -far);
    else if (event.key === "ArrowRight") this.pull(undefined, far);
    else if (event.key === "Enter") this.row.select(this);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // MARK: drawing

  // Where it lies by now, or where the hand that holds it would lay it.
  get span() {
    const { clip, shift, end } = this;
    if (shift && !shift.edge) return [Math.max(0, clip.start + shift.by), end + shift.by];
    return [
      clip.start + (shift?.edge === "start" ? shift.by : 0),
      end + (shift?.edge === "end" ? shift.by : 0),
    ];
  }

  seat() {
    const { clip, shift, element, edges } = this, [left, right] = this.span.map(x);
    element.hidden = right < 0 || left > view.width;
    if (element.hidden) return;
    element.style.transform = `translateX(${left}px)`;
    element.style.width = `${Math.max(2, right - left)}px`;
    const fade = (time) => `${clamp(time * perSecond(), 0, right - left)}px`;
    edges.fadeIn.style.left = fade(clip.fadeIn + (shift?.edge === "fadeIn" ? shift.by : 0));
    edges.fadeOut.style.right = fade(clip.fadeOut - (shift?.edge === "fadeOut" ? shift.by : 0));
  }

  draw(pen, tall, colour) {
    if (this.element.hidden || this.clip.end === null) return;
    const { clip } = this, [start, end] = this.span, [left, right] = [x(start), x(end)];
    const levels = peaks(clip.file, clip.stream, clip.state, () => redrawSoon(true));
    if (!levels) return;
    pen.fillStyle = colour("--wave");
    this.drawWave(pen, tall, levels, Math.max(0, Math.floor(left)), Math.min(view.width, right));
  }

  drawWave(pen, tall, levels, from, to) {
    const middle = tall / 2, step = this.clip.speed / perSecond();
    for (let place = from; place < to; place++) {
      const half = Math.max(0.5, Math.min(1, this.peak(levels, place, step)) * (middle - pad));
      pen.fillRect(place, middle - half, 1, 2 * half);
    }
  }

  // The highest peak at a place of the view, as its gain and its fades have it.
  peak(levels, place, step) {
    const { clip, shift, end } = this,
      moved = shift && !shift.edge ? this.span[0] - clip.start : 0,
      into = time(place) - clip.start - moved;
    // A clip that plays backwards goes back in its file.
    const at = clip.from + into * clip.speed;
    let peak = highest(levels, Math.min(at, at + step), Math.max(at, at + step)) * clip.gain;
    if (clip.fadeIn > into) peak *= into / clip.fadeIn;
    if (clip.fadeOut > end - clip.start - into) peak *= (end - clip.start - into) / clip.fadeOut;
    return peak;
  }
}

const perSecond = () => view.width / (view.end - view.start);
