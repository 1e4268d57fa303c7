// A handle of an event on a row's lane: a point, an end of a ramp, its bend.

import { drag, make } from "./make.js";
import { redrawSoon, time, view, x } from "./view.js";

export class Handle {
  // `place`: where the event has it. What is done to it gets the event as it is by then.
  constructor(row, kind, label, event, place, actions) {
    Object.assign(this, { row, event, place, actions, shift: null, isStepping: false });
    this.element = make("button", {
      type: "button",
      class: `handle ${kind}`,
      "aria-label": label,
      title: label,
    });
    if (actions.drag) drag(this.element, (down) => this.take(down));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("dblclick", (event) => {
      event.stopPropagation();
      this.remove();
    });
    if (actions.bend) this.element.addEventListener("click", () => this.edit(actions.bend));
  }

  // Where it is, or where the hand that holds it would lead it: a time and a value.
  get spot() {
    return this.shift ?? this.place(this.event);
  }

  seat(height) {
    const [t, v] = this.spot, place = x(t);
    this.element.hidden = place < -8 || place > view.width + 8;
    if (!this.element.hidden) {
      this.element.style.transform = `translate(${place}px, ${this.row.y(v, height)}px)`;
    }
  }

  edit(body) {
    return this.row.edit(this, "event", () => this.row.newest, () => body(this.event));
  }

  remove() {
    return this.edit((event) => this.row.remove(event));
  }

  async lead(to) {
    await this.edit((event) => this.actions.drag(event, to));
    // Another key may lead on by now.
    if (!this.isStepping) this.show(null);
  }

  // Shows where it would be led.
  show(spot) {
    this.shift = spot;
    this.actions.show?.(spot);
  }

  take(down) {
    if (view.tool !== "automation") return null;
    const [t, v] = this.place(this.event),
      [left, top] = [down.clientX - x(t), down.clientY - this.row.y(v)];
    let now = null;
    return this.row.hold({
      move: (event) => {
        now = [
          event.altKey ? t : time(event.clientX - left),
          event.shiftKey ? v : this.row.valueAt(event.clientY - top),
        ];
        this.show(now);
        redrawSoon();
      },
      end: () => now && this.lead(now),
      cancel: () => this.show(null),
    });
  }

  key(event) {
    const to = this.stepped(event);
    if (to && this.actions.drag) this.step(to);
    else if (event.key === "Delete" || event.key === "Backspace") this.remove();
    else if (event.key === "c" && this.actions.bend) this.edit(this.actions.bend);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Where an arrow leads; with shift a little.
  stepped({ key, shiftKey }) {
    const [t, v] = this.spot,
      far = (view.end - view.start) / (shiftKey ? 1000 : 100),
      up = shiftKey ? 0.005 : 0.03,
      { scale } = this.row;
    return {
      ArrowLeft: [Math.max(0, t - far), v],
      ArrowRight: [t + far, v],
      ArrowUp: [t, scale.back(scale.up(v) + up)],
      ArrowDown: [t, scale.back(scale.up(v) - up)],
    }[key];
  }

  // Keys that repeat go on from where the one before led, and what they lead to is said once they rest.
  step(to) {
    if (!this.isStepping) this.row.hands++;
    this.isStepping = true;
    this.show(to);
    redrawSoon();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      this.isStepping = false;
      this.row.letGo(() => this.lead(to));
    }, 150);
  }
}
