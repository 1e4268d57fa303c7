// A row of the timeline: the strip's clips with their waves, the volume as it is played, and the lane of one
// control, whose events are handles.

import { here, perform, tell } from "./bar.js";
import { value } from "./desk.js";
import { follow } from "./follow.js";
import { clamp, clock, level, signed } from "./law.js";
import { at, isRamp, overlapped, scales } from "./lanes.js";
import { ShownClip } from "./clip.js";
import { handles } from "./events.js";
import { drawLane, drawPlayed, emptied } from "./drawing.js";
import { drag, make } from "./make.js";
import { double as d, int } from "./osc.js";
import { Pass } from "./pass.js";
import { drawRamp } from "./ramp.js";
import { say } from "./texts.js";
import { caughtUp, pad, redrawSoon, time, view, x } from "./view.js";

// Which control each row shows, and which clip is selected there, by the ids of strips: also while it is out
// of view.
const chosen = new Map();
export const selections = new Map();
// The same event or clip, in another state of the session.
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Row {
  // `element`: what the row is drawn in.
  constructor(strip, element) {
    Object.assign(this, {
      strip,
      element,
      lane: chosen.get(strip.id) ?? "volume",
      ghost: null,
      hands: 0,
      // What is done once no hand is there.
      whenIdle: null,
      isGone: false,
      isStale: false,
      pass: new Pass(),
    });
    this.makeChoice();
    this.makeArea();
    this.ducks = make("small", {});
    const name = make("b", { title: strip.name }, strip.name);
    element.append(make("div", { class: "head" }, name, this.choice, this.ducks), this.area);
    this.endFollowing = follow(strip.address);
    this.takeHands();
  }

  makeArea() {
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.area = make("div", {
      class: "area",
      role: "application",
      tabindex: 0,
      "aria-label": `${say("automation")} ${this.strip.name}`,
    }, this.canvas);
  }

  makeChoice() {
    this.choice = make("select", {
      class: "lane",
      "aria-label": `${say("control")} ${this.strip.name}`,
      onchange: () => {
        this.lane = this.choice.value;
        chosen.set(this.strip.id, this.lane);
        this.pass = new Pass();
        this.place();
        redrawSoon();
      },
    });
  }

  // What is done to the area where no handle is.
  takeHands() {
    this.area.addEventListener("dblclick", (event) => {
      if (event.target === this.canvas || event.target === this.area) this.addPoint(event);
    });
    this.area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.target !== this.area) return;
      this.hands++;
      this.letGo(() => this.addPointHere());
    });
    drag(
      this.area,
      (down) =>
        this.hold(down.target === this.canvas && view.tool === "automation" ? drawRamp(this, down) : null),
    );
  }

  // What has drawn it goes out of view.
  end() {
    this.endFollowing();
    this.element.replaceChildren();
  }

  // MARK: what it shows

  take(strip, ducks = []) {
    const isOld = same(strip, this.strip) && this.handles;
    this.latest = strip;
    this.ducks.textContent = ducks.map((duck) =>
      `↓ ${say("under")} ${duck.under} ${signed(level(duck.to))} dB`
    ).join(
      ", ",
    );
    this.isStale = this.hands > 0;
    // Most stay as they are when one is edited.
    if (!this.isStale && !isOld) this.adopt();
  }

  // What has become of the strip: nothing where it is gone, without its lanes where it is out of view.
  note(strip) {
    this.isGone = !strip;
    if (strip) this.latest = strip.lanes ? strip : { ...this.latest, address: strip.address };
  }

  // The events of the lane as they are by now: others may have edited while a hand held what is drawn.
  get newest() {
    return this.eventsOf(this.latest);
  }

  // The number of an event or a clip by now; 0 where it is gone, which is said.
  numberOf(list, one) {
    const index = list.findIndex((other) => same(other, one));
    if (index < 0) this.refuse(say("changed"), one.start);
    return index + 1;
  }

  // Edits what is held: a handle's event, a clip. One edit after another, each of what the one before has
  // made of it, which is what is new in the list by then.
  edit(held, key, list, body) {
    held.edited = (held.edited ?? Promise.resolve()).then(async () => {
      const before = list(), isSelected = this.isSelected(held[key]);
      await body();
      await caughtUp();
      const now = list();
      held[key] = now.find((one) => !before.some((other) => same(one, other))) ?? held[key];
      if (isSelected && now.some((one) => same(one, held[key]))) selections.set(this.strip.id, held[key]);
      else if (isSelected) selections.delete(this.strip.id);
    });
    return held.edited;
  }

  adopt() {
    const strip = (this.strip = this.latest);
    const lanes = ["volume", "pan", "mute", "trim"].filter((name) =>
      strip.kind !== "dca" || name === "volume" || name === "mute"
    );
    const sends = strip.sends.flatMap((send) =>
      ["volume", "pan", "mute"].map((name) => `send/${send.to}/${name}`)
    );
    const all = [...lanes, ...sends];
    if (!all.includes(this.lane)) this.lane = "volume";
    this.choice.replaceChildren(
      ...all.map((name) => make("option", { value: name, selected: name === this.lane }, this.label(name))),
    );
    this.place();
  }

  label(name) {
    const parts = name.split("/");
    return parts.length === 1 ? say(name) : `${say("sendTo")} ${parts[1]}: ${say(parts[2])}`;
  }

  get control() {
    return this.lane.split("/").at(-1);
  }
  get scale() {
    return scales[this.control];
  }
  // Where the strip is by now: others may have come before it while a hand held what is drawn.
  get stripAddress() {
    return (this.latest ?? this.strip).address;
  }
  get address() {
    return `${this.stripAddress}/${this.lane}`;
  }
  get events() {
    return this.eventsOf(this.strip);
  }
  eventsOf(strip) {
    const parts = this.lane.split("/");
    return (parts.length === 1 ? strip.lanes : strip.sends.find((send) => send.to === parts[1])?.lanes ?? {})[
      this.control
    ] ?? [];
  }
  get height() {
    return this.area.clientHeight || 84;
  }
  y(value, height = this.height) {
    return height - pad - this.scale.up(value) * (height - 2 * pad);
  }
  valueAt(y) {
    return this.scale.back((this.height - pad - y) / (this.height - 2 * pad));
  }
  say(value) {
    return this.control === "volume" || this.control === "trim"
      ? `${level(value)} dB`
      : this.control === "mute"
      ? (value ? say("muted") : say("sounding"))
      : value.toFixed(2);
  }

  // A hand on something here: what it holds stays where it is until it lets go, whatever others do meanwhile.
  hold(hand) {
    if (!hand) return null;
    this.hands++;
    return {
      move: hand.move,
      end: (event) => this.letGo(() => hand.end?.(event)),
      cancel: () => this.letGo(() => hand.cancel?.()),
    };
  }

  async letGo(body) {
    await body();
    this.hands--;
    if (this.isStale && !this.hands) this.adopt();
    this.isStale = this.hands > 0;
    this.isChanged = true;
    redrawSoon();
    if (!this.hands) this.whenIdle?.();
  }

  // The handles and clips, as elements that a keyboard and a screen reader find.
  place() {
    this.isChanged = true;
    const focus = this.area.contains(document.activeElement)
      ? [...this.area.querySelectorAll("button")].indexOf(document.activeElement)
      : -1;
    this.makeElements();
    // Before the next frame: who is quick would take hold of them where they are not.
    this.seat();
    // Who edits by keys goes on where he was.
    if (focus >= 0) this.area.querySelectorAll("button")[focus]?.focus({ preventScroll: true });
  }

  makeElements() {
    for (const old of this.area.querySelectorAll(".handle, .clip")) old.remove();
    this.handles = this.events.flatMap((event) => handles(this, event));
    this.clips = (this.strip.clips ?? []).map((clip) => new ShownClip(this, clip));
    this.area.append(
      ...this.clips.map((clip) => clip.element),
      ...this.handles.map((handle) => handle.element),
    );
  }

  // MARK: automation

  addPoint(event) {
    if (view.tool !== "automation") return;
    const box = this.area.getBoundingClientRect();
    this.setPoint(this.valueAt(event.clientY - box.top), time(event.clientX - box.left));
  }

  async addPointHere() {
    const now = await here();
    if (now !== null) await this.setPoint(at(this.events, now, this.scale.rest), now);
  }

  // A mute is said as a switch.
  setPoint(value, time) {
    return this.perform(this.address, this.control === "mute" ? value > 0.5 : value, d(time));
  }

  // A ramp in place of `before`, if there was one: anything else it would overlap is a refusal.
  setRamp(ramp, before) {
    const events = this.newest, own = before && events[this.numberOf(events, before) - 1];
    if (before && !own) return null;
    const other = overlapped(events, ramp.start, ramp.end, own);
    if (other) {
      return void this.refuse(
        say(isRamp(other) ? "overlaps" : "covers", clock(other.start), clock(other.end)),
        ramp.start,
      );
    }
    return this.perform(
      `${this.address}/ramp`,
      ramp.from,
      ramp.to,
      d(ramp.start),
      d(ramp.end),
      ramp.curve,
      ...(before ? [true] : []),
    );
  }

  // Has the mixer do something to a clip of the strip.
  performOn(path, number, ...words) {
    return this.perform(`${this.stripAddress}/${path}`, int(number), ...words);
  }

  async perform(...words) {
    if (this.isGone) return this.refuse(say("changed"), null);
    const reason = await perform(...words);
    if (reason) this.refuse(reason, null);
    return reason;
  }

  // The sentence, at the place.
  refuse(reason, at) {
    tell(reason, true);
    const note = make("div", { class: "refusal" }, reason);
    note.style.left = `${clamp(at === null ? 40 : x(at), 0, view.width - 160)}px`;
    this.area.append(note);
    setTimeout(() => note.remove(), 5000);
  }

  remove(event) {
    const number = this.numberOf(this.newest, event);
    return number && this.perform(`${this.address}/automation/remove`, int(number));
  }

  // MARK: clips

  isSelected(clip) {
    return same(clip, selections.get(this.strip.id));
  }

  select({ clip }) {
    if (this.isSelected(clip)) selections.delete(this.strip.id);
    else selections.set(this.strip.id, clip);
    for (const { element, clip } of this.clips) {
      element.setAttribute("aria-pressed", String(this.isSelected(clip)));
    }
  }

  // MARK: drawing

  draw(played) {
    const look = JSON.stringify([
      view.start,
      view.end,
      view.width,
      this.height,
      devicePixelRatio,
      document.documentElement.dataset.theme,
      this.lane,
      played,
    ]);
    if (look === this.look && !this.hands && !this.isChanged) return;
    [this.look, this.isChanged] = [look, false];
    const tall = this.height,
      style = getComputedStyle(this.element),
      colour = (name) => style.getPropertyValue(name),
      pen = emptied(this.canvas, tall);
    this.seat();
    for (const clip of this.clips) clip.draw(pen, tall, colour);
    if (played && this.lane === "volume") drawPlayed(this, pen, played, tall, colour);
    drawLane(this, pen, colour);
  }

  // The playhead goes on: what a hand writes grows.
  follow(now, isRolling) {
    const news = this.pass.note({
      control: this.control,
      mode: value(`${this.address}/write`)?.[0],
      isRolling,
      now,
      value: value(this.address)?.[0],
      old: at(this.events, now, this.scale.rest),
    });
    if (news) this.isChanged = true;
    return news;
  }

  // The elements, where what they stand for is. The height is read before anything is written, or the page
  // would be laid out again for each of them.
  seat() {
    const { height } = this;
    for (const clip of this.clips) clip.seat();
    for (const handle of this.handles) handle.seat(height);
  }
}
