// An element with what it has: `make("button", { class: "mute", onclick }, "M")`.
export function make(name, having = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(having)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...inside.filter((part) => part !== null && part !== undefined));
  return element;
}

// A press, its way, and its end, for mouse, pen and finger alike. `begin` returns { move(event), end(event) }, or nothing to leave it alone.
export function drag(element, begin) {
  element.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return;
    const hand = begin(down);
    if (!hand) return;
    element.setPointerCapture(down.pointerId);
    const move = (event) => event.pointerId === down.pointerId && hand.move?.(event);
    const end = (event) => {
      if (event.pointerId !== down.pointerId) return;
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", end);
      element.removeEventListener("pointercancel", end);
      hand.end?.(event);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
  });
}
