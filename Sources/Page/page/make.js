import { say } from "./texts.js";

// An element with what it has: `make("button", { class: "mute", onclick }, "M")`.
export function make(name, having = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(having)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) {
      element.setAttribute(key, value === true ? "" : value);
    }
  }
  element.append(...inside.filter((part) => part !== null && part !== undefined));
  return element;
}

// A button that is called `label` and shows `short`.
export function button(label, short, onclick, more = {}) {
  return make("button", { type: "button", "aria-label": label, title: label, onclick, ...more }, short);
}

// A dialog over the page, which is gone once it is closed. `end` is called then. Meanwhile nothing beside it
// can be used but panic.
export function dialog(kind, label, end = () => {}) {
  const others = [...document.querySelectorAll("main, #standing, #bar > :not(.panic)")];
  const setInert = (inert) => {
    for (const other of others) other.inert = inert;
  };
  const element = make("dialog", {
    class: kind,
    "aria-label": label,
    onclose: () => {
      setInert(false);
      end();
      element.remove();
    },
    onkeydown: (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      element.close();
    },
  });
  const close = () => element.close();
  element.append(make("header", {}, make("b", {}, label), button(say("close"), "\u2715", close)));
  document.body.append(element);
  setInert(true);
  element.show();
  return { element, close };
}

// What hands hold, and names that are being typed: what is drawn anew waits for them (`whenFree`).
const held = new Set(), waiting = new Set();
export function whenFree(body) {
  // A browser does not say that a field has lost the focus with what it lay in.
  for (const part of held) if (part.matches("textarea") && part !== document.activeElement) held.delete(part);
  if (held.size) waiting.add(body);
  else body();
}

function letGo(element) {
  held.delete(element);
  if (held.size) return;
  for (const body of [...waiting]) body();
  waiting.clear();
}

// Ends what hands do: what they hold is not there any more.
const drags = new Set();
export function endHands() {
  for (const finish of [...drags]) finish("gone");
}

// Whether a hand holds something in there.
export const isHeld = (element) => [...held].some((part) => element.contains(part));

addEventListener("focusin", ({ target }) => target.matches?.("textarea") && held.add(target));
addEventListener("focusout", ({ target }) => held.has(target) && target.matches("textarea") && letGo(target));

// Fingers that lie on the page: two of them zoom, and whatever one of them has begun is taken back.
const fingers = new Set();
const abandon = new Set();
addEventListener("pointerdown", (event) => {
  if (event.pointerType !== "touch") return;
  fingers.add(event.pointerId);
  if (fingers.size > 1) { for (const body of [...abandon]) body(); }
}, true);
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, (event) => fingers.delete(event.pointerId), true);
}

// A press, its way, and its end, for mouse, pen and finger alike. `begin` returns { move(event), end(event),
// cancel(), gone() }, or nothing to leave it alone. What has a `cancel` is alone on the page, and is taken
// back by a second finger or when the browser takes the gesture for itself; `gone` is for `endHands`.
export function drag(element, begin) {
  element.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return;
    const hand = begin(down);
    if (!hand) return;
    element.setPointerCapture(down.pointerId);
    held.add(element);
    let isOver = false;
    const finish = (how, event) => {
      if (isOver) return;
      isOver = true;
      abandon.delete(cancel);
      drags.delete(finish);
      for (const [name, body] of Object.entries(listeners)) removeEventListener(name, body, true);
      (hand[how] ?? (how === "gone" ? hand.cancel : null) ?? hand.end)?.(event);
      letGo(element);
    };
    const cancel = () => finish("cancel");
    drags.add(finish);
    const own = (body) => (event) => event.pointerId === down.pointerId && body(event);
    const listeners = {
      pointermove: own((event) => hand.move?.(event)),
      pointerup: own((event) => finish("end", event)),
      pointercancel: own(cancel),
      lostpointercapture: own(cancel),
    };
    // On the window: an element that goes meanwhile hears of no end.
    for (const [name, body] of Object.entries(listeners)) addEventListener(name, body, true);
    if (hand.cancel) {
      abandon.add(cancel);
      if (fingers.size > 1) cancel();
    }
  });
}

const tapTime = 350;

// Tells a second tap, which comes at most 350 ms behind the first. A press that moves is no tap: `forget` it.
export function taps() {
  let last = -Infinity;
  return {
    isSecond() {
      const now = performance.now(), isSecond = now - last < tapTime;
      last = isSecond ? -Infinity : now;
      return isSecond;
    },
    forget() {
      last = -Infinity;
    },
  };
}
