// Buttons, knobs and names of a strip: each shows an address and sets it.

import { listen, set, state, value } from "./desk.js";
import { clamp } from "./law.js";
import { drag, make, taps } from "./make.js";

// A switch that stays down.
export function toggle(address, label, short, kind) {
  const button = make("button", {
    class: `toggle ${kind}`,
    type: "button",
    "aria-label": label,
    title: label,
    "aria-pressed": "false",
    onclick: () => set(address, button.getAttribute("aria-pressed") !== "true"),
  }, short);
  const end = listen(address, (flag) => button.setAttribute("aria-pressed", flag ? "true" : "false"));
  return { element: button, end };
}

// A switch that is down as long as it is held; hidden until the mixer tells of it. Whatever takes the hand
// away lets it go, also a page that is left and a line that was cut meanwhile.
export function momentary(address, label, short) {
  let isHeld = false, told = false;
  const press = (flag) => {
    isHeld = flag;
    if (told === flag || !state.isOpen) return;
    told = flag;
    set(address, flag);
  };
  const button = make("button", {
    class: "toggle talk",
    type: "button",
    "aria-label": label,
    title: label,
    "aria-pressed": "false",
    hidden: true,
  }, short);
  drag(button, () => {
    press(true);
    return { end: () => press(false) };
  });
  button.addEventListener("keydown", (event) => {
    if (event.key === " " && !event.repeat) press(true);
  });
  button.addEventListener("keyup", (event) => {
    if (event.key === " ") press(false);
  });
  const release = () => {
    if (isHeld) press(false);
  };
  for (const [target, event] of [[button, "blur"], [window, "pagehide"], [window, "blur"]]) {
    target.addEventListener(event, release);
  }
  const ends = [
    listen(address, (flag) => {
      button.hidden = false;
      button.setAttribute("aria-pressed", flag ? "true" : "false");
    }),
    // The mixer lets go when the line is cut. What is held yet is held again; what was let go meanwhile is
    // said once more, for the mixer may not have noticed the cut.
    listen("open", () => {
      if (!isHeld && !told) return;
      told = !isHeld;
      press(isHeld);
    }),
  ];
  return {
    element: button,
    end: () => {
      release();
      for (const event of ["pagehide", "blur"]) window.removeEventListener(event, release);
      for (const end of ends) end();
    },
  };
}

// A balance: dragged up and down or sideways, back to the middle with two taps.
export function knob(address, label) {
  const mark = make("i"),
    knob = make("div", {
      class: "knob",
      role: "slider",
      tabindex: 0,
      "aria-label": label,
      "aria-valuemin": -1,
      "aria-valuemax": 1,
      title: label,
    }, mark);
  const tap = taps();
  const present = () => value(address)?.[0] ?? 0;
  const move = (to) => set(address, clamp(Math.abs(to) < 0.015 ? 0 : to, -1, 1));
  drag(knob, (down) => {
    down.preventDefault();
    knob.focus({ preventScroll: true });
    if (tap.isSecond()) {
      move(0);
      return {};
    }
    const start = present();
    return {
      move: (event) =>
        move(
          start +
            ((event.clientX - down.clientX) + (down.clientY - event.clientY)) / (event.shiftKey ? 800 : 120),
        ),
    };
  });
  knob.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 0.05, ArrowUp: 0.05, ArrowLeft: -0.05, ArrowDown: -0.05 }[event.key];
    if (by !== undefined) move(present() + by * (event.shiftKey ? 0.2 : 1));
    else if (event.key === "Home" || event.key === "0") move(0);
    else return;
    event.preventDefault();
  });
  const end = listen(address, (pan) => {
    mark.style.transform = `rotate(${pan * 135}deg)`;
    knob.setAttribute("aria-valuenow", pan.toFixed(2));
    knob.setAttribute(
      "aria-valuetext",
      Math.abs(pan) < 0.005 ? "C" : `${pan < 0 ? "L" : "R"} ${Math.round(Math.abs(pan) * 100)}`,
    );
  });
  return { element: knob, end };
}

// A name that is changed where it stands.
export function nameField(address, name, label) {
  // Of two lines, so that more of it is read; it has none of its own.
  const field = make("textarea", {
    class: "name",
    "aria-label": label,
    spellcheck: "false",
    maxlength: 100,
    rows: 2,
  }, name);
  field.addEventListener(
    "change",
    () => field.value.trim() && set(address, field.value.trim().replace(/\s+/g, " ")),
  );
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      field.blur();
    }
    if (event.key === "Escape") {
      field.value = value(address)?.[0] ?? name;
      field.blur();
    }
  });
  const end = listen(address, (text) => {
    if (document.activeElement !== field) field.value = text;
  });
  return { element: field, end };
}
