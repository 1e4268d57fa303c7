// The timeline: what of it is seen, its ruler, and a row for every strip. Rows that are seen or near draw
// themselves (row.js).

import { here, locate, perform, tell } from "./bar.js";
import { fetchJSON, listen, value } from "./desk.js";
import { inView } from "./inview.js";
import { clamp, clock } from "./law.js";
import { button, drag, make, whenFree } from "./make.js";
import { double } from "./osc.js";
import { Row, selections } from "./row.js";
import { drawRuler } from "./ruler.js";
import { say } from "./texts.js";
import { pickFiles, upload } from "./upload.js";
import { drawBy, knows, time, view, x } from "./view.js";

const root = document.getElementById("timeline"), headWidth = 150;
// By the elements that stand for them: the strips, and the rows that are drawn.
let strips = new Map(), rows = new Map(), range = [1, 24];
let model = null, played = {}, isDrawn = false, asking = 0, language = "", scrolled = () => {};
let ruler, playhead, body, sight, hint, loop, pinch = new Map();

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
    played = await fetchJSON(
      `/page/data/played?from=${view.start}&to=${view.end}&rows=${range.join("-")}&columns=${
        clamp(Math.round(view.width / 2), 2, 2000)
      }`,
    );
    redraw();
  } catch { /* The next change asks again. */ }
}

function toolbar() {
  const tools = toolChoice();
  return make(
    "div",
    { class: "tools" },
    tools,
    button(say("zoomIn"), "+", () => zoom(0.5)),
    button(say("zoomOut"), "−", () => zoom(2)),
    button(say("whole"), "⤢", () => look(0, Math.max(1, model.end * 1.02))),
    button(say("split"), "✂", split),
    button(say("files"), say("files"), () => pickFiles(value("/transport/position")?.[1] ?? 0)),
    hint,
  );
}

function toolChoice() {
  const choose = (event) => {
    view.tool = event.target.value;
    root.dataset.tool = view.tool;
    sayHint();
    redraw();
  };
  return make(
    "select",
    { class: "tool", "aria-label": say("tool"), onchange: choose },
    ...["automation", "clips"].map((name) =>
      make("option", { value: name, selected: name === view.tool }, say(name))
    ),
  );
}

function sayHint() {
  hint.textContent = say(view.tool === "clips" ? "hintClips" : "hint");
}

function build() {
  language = document.documentElement.lang;
  ruler = newRuler();
  playhead = make("div", { class: "playhead", "aria-hidden": "true" });
  body = make("div", { class: "rows" });
  hint = make("span", { class: "hint" });
  sayHint();
  root.dataset.tool = view.tool;
  const scroll = make("div", { class: "scroll" }, body, playhead);
  root.replaceChildren(
    toolbar(),
    make("div", { class: "top" }, make("div", { class: "corner" }), ruler),
    scroll,
  );
  drag(ruler, holdRuler);
  ruler.addEventListener("keydown", keyOnRuler);
  watch(scroll);
}

// What comes into view and goes, and how wide it is.
function watch(scroll) {
  sight?.end();
  sight = inView(scroll, 1000, { fill, empty, change: () => scrolled() });
  sizes.disconnect();
  sizes.observe(body);
}

function newRuler() {
  const text = { "aria-valuemin": 0, "aria-label": say("ruler") };
  return make("canvas", { class: "ruler", role: "slider", tabindex: 0, ...text });
}

const onRuler = (event) => event.clientX - (ruler ?? root).getBoundingClientRect().left;

// A click locates, a drag makes a loop.
function holdRuler(down) {
  const start = time(onRuler(down));
  let range = null;
  return {
    move(event) {
      const end = time(onRuler(event));
      if (Math.abs(event.clientX - down.clientX) > 5) range = [Math.min(start, end), Math.max(start, end)];
      if (range) showRuler(range);
    },
    end() {
      if (!range) return void locate(double(start));
      perform("/transport/loop", double(range[0]), double(range[1]));
    },
    cancel: () => showRuler(loop),
  };
}

// By keys: where it plays, and the ends of the loop there.
function keyOnRuler(event) {
  const by = { ArrowLeft: -1, ArrowRight: 1, PageDown: -10, PageUp: 10 }[event.key];
  // From where the mixer stands, which this page may not know yet: keys repeat.
  if (by) locate(`${by < 0 ? "-" : "+"}${Math.abs(by) * (event.shiftKey ? 0.1 : 1)}s`);
  else if (event.key === "Home") locate(0);
  else if (event.key === "End") locate("end");
  else if (event.key === "[") loopFromHere();
  else if (event.key === "]") loopToHere();
  else return;
  event.preventDefault();
}

async function loopFromHere() {
  const now = await here();
  if (now === null) return;
  perform("/transport/loop", double(now), double(loop && loop[1] > now ? loop[1] : model.end));
}

async function loopToHere() {
  const now = await here();
  if (now === null) return;
  perform("/transport/loop", double(loop && loop[0] < now ? loop[0] : 0), double(now));
}

root.onwheel = (event) => {
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoom(1.0015 ** event.deltaY, time(onRuler(event)));
  } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    event.preventDefault();
    look(view.start + ((event.deltaX || event.deltaY) / view.width) * (view.end - view.start));
  }
};

// Two fingers zoom and move.
root.onpointerdown = (event) => {
  if (event.pointerType === "touch") pinch.set(event.pointerId, event.clientX);
};
root.onpointermove = (event) => {
  if (pinch.size !== 2 || !pinch.has(event.pointerId)) return;
  const left = ruler.getBoundingClientRect().left,
    other = [...pinch].find(([id]) => id !== event.pointerId)[1],
    before = pinch.get(event.pointerId);
  const fixed = time(other - left),
    [old, now] = [Math.abs(before - other), Math.abs(event.clientX - other)];
  pinch.set(event.pointerId, event.clientX);
  if (old > 8 && now > 8) zoom(old / now, fixed);
};
root.onpointerup = root.onpointercancel = (event) => pinch.delete(event.pointerId);

root.ondragover = (event) => {
  event.preventDefault();
  root.classList.add("dropping");
};
root.ondragleave = () => root.classList.remove("dropping");
root.ondrop = (event) => {
  event.preventDefault();
  root.classList.remove("dropping");
  const place = time(onRuler(event));
  for (const file of event.dataTransfer.files) upload(file, place);
};

const sizes = new ResizeObserver(() => {
  resize();
  redraw();
});

// The selected clips are cut where it plays, or, where none is selected, all that lie there.
async function split() {
  const now = await here();
  if (now === null) return;
  const isThere = (clip) => clip.start < now && (clip.end ?? 0) > now;
  const there = selections.size
    ? model.strips.filter(({ id }) => selections.has(id) && isThere(selections.get(id)))
    // Also of those that are not seen.
    : (await fetchJSON("/page/data/session.json")).strips.filter((strip) => strip.clips?.some(isThere));
  if (!there.length) return tell(say("nothingThere"), true);
  // One change, which one step takes back.
  const numbers = there.map(({ address }) => address.split("/")[2]);
  await perform(`/track/{${numbers.join()}}/split`, double(now));
}

function resize() {
  view.width = Math.max(50, body.clientWidth - headWidth);
  ruler.width = view.width * devicePixelRatio;
  ruler.height = 34 * devicePixelRatio;
  ruler.style.width = `${view.width}px`;
}

// Which strips' rows the page has to know, as FIRST-LAST from 1, where it knows those of `known`: those that
// are near, and some about them, so that not every turn of a wheel asks anew.
export function needed(known) {
  let [lowest, highest] = ends(sight?.near ?? []);
  // One that somebody left behind at work does not have all between asked for.
  if (highest - lowest > most) [lowest, highest] = ends(sight.seen());
  if (highest < lowest) return known === "0-0" ? range.join("-") : known;
  const [first, last] = known.split("-").map(Number);
  if (first && first <= lowest && highest <= last && last - first <= most) return known;
  range = [Math.max(1, lowest - 8), Math.min(model.strips.length, highest + 8)];
  return range.join("-");
}
export { needed as rows };

const most = 200;

// The lowest and the highest number of the strips of some elements.
function ends(elements) {
  const numbers = [...elements].map((element) => strips.get(element)?.number).filter(Boolean);
  return [Math.min(...numbers), Math.max(...numbers)];
}

// Calls `body` when other rows have come near.
export function onScroll(body) {
  scrolled = body;
}

const ducksOf = (strip) => model.ducks.filter((duck) => duck.track === strip.name);

// A row is drawn once it is known what lies there.
function fill(element) {
  const strip = strips.get(element);
  if (rows.has(element)) return void (rows.get(element).whenIdle = null);
  if (!strip?.lanes) return;
  const row = new Row(strip, element);
  rows.set(element, row);
  row.take(strip, ducksOf(strip));
}

// What is at work there goes on until it is done.
function empty(element) {
  const row = rows.get(element);
  if (row?.hands) return void (row.whenIdle = () => empty(element));
  row?.end();
  rows.delete(element);
}

export function draw(next) {
  const isFirst = !model;
  model = next;
  if (!body || language !== document.documentElement.lang) {
    build();
    strips = new Map();
  }
  // Before the rows: they lay their handles where the view has them.
  resize();
  if (isFirst) look(0, Math.max(1, model.end * 1.02));
  else look(view.start);
  whenFree(place);
  for (const id of selections.keys()) {
    if (!model.strips.some((strip) => strip.id === id)) selections.delete(id);
  }
  for (const row of rows.values()) row.note(model.strips.find(({ id }) => id === row.strip.id));
  knows(model.edition);
}

// Puts a row there for every strip. It stays as long as its strip is where it was, and in the hand while it
// is held.
function place() {
  const key = ({ id, address, name }) => `${id} ${address} ${name}`;
  const old = new Map([...strips].map(([element, strip]) => [key(strip), element]));
  strips = new Map(shownStrips().map((strip) => [old.get(key(strip)) ?? rowOf(strip), strip]));
  for (const element of old.values()) if (!strips.has(element)) sight.forget(element);
  if (
    body.children.length !== strips.size ||
    [...strips.keys()].some((element, index) => body.children[index] !== element)
  ) body.replaceChildren(...strips.keys());
  fillNear();
  redraw();
}

function fillNear() {
  for (const [element, strip] of strips) {
    sight.watch(element);
    if (strip.lanes) rows.get(element)?.take(strip, ducksOf(strip));
    if (sight.near.has(element)) fill(element);
  }
}

/** DCAs are shown where the timeline moves them. */
function shownStrips() {
  return model.strips.map((strip, index) => ({ ...strip, number: index + 1 })).filter((strip) =>
    strip.kind !== "dca" || strip.automated
  );
}

// An element for a row, with nothing in it yet.
const rowOf = ({ kind, name }) =>
  make("section", { class: `row ${kind}`, role: "group", "aria-label": name });

function showRuler(shown) {
  drawRuler(ruler, getComputedStyle(root), shown, model?.markers ?? []);
}

function redraw() {
  if (isDrawn || root.hidden || !model) return;
  isDrawn = true;
  requestAnimationFrame(() => {
    isDrawn = false;
    for (const row of rows.values()) row.draw(played[row.strip.address]);
    showRuler(loop);
    movePlayhead();
  });
}

drawBy((all) => {
  if (all) { for (const row of rows.values()) row.isChanged = true; }
  redraw();
});

// The view follows a playhead that leaves it, as it plays or is led elsewhere. Who has gone to look elsewhere
// stays there.
let lastSeconds = 0;
function turnPage(now) {
  const isSeen = (seconds) => seconds >= view.start && seconds < view.end;
  if (isSeen(lastSeconds) && !isSeen(now) && !pinch.size) whenFree(() => look(now));
  lastSeconds = now;
}

function movePlayhead() {
  const [, now] = value("/transport/position") ?? [0, 0], place = x(now);
  playhead.hidden = place < 0 || place > view.width;
  playhead.style.transform = `translateX(${headWidth + place}px)`;
  ruler.setAttribute("aria-valuenow", now.toFixed(1));
  ruler.setAttribute("aria-valuetext", clock(now));
}

listen("/transport/position", (_, now) => {
  const isRolling = value("/transport/state")?.[0] === "rolling";
  // All that are drawn, also while the mixer is looked at: who looks at them next sees all of it.
  const news = [...rows.values()].map((row) => row.follow(now, isRolling)).some(Boolean);
  if (!playhead || root.hidden) return;
  turnPage(now);
  movePlayhead();
  if (news) redraw();
});
listen("/transport/loop", (start, end) => {
  loop = end === undefined ? null : [start, end];
  redraw();
});
