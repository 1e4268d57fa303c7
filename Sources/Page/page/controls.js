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

// Calls `press` as a button is held and let go, by the pointer or the space bar.
function takePresses(button, press) {
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
  const button = talkButton(label, short);
  const release = () => {
    if (isHeld) press(false);
  };
  takePresses(button, press);
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

function talkButton(label, short) {
  return make("button", {
    class: "toggle talk",
    type: "button",
    "aria-label": label,
    title: label,
    "aria-pressed": "false",
    hidden: true,
  }, short);
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
  turn(knob, () => value(address)?.[0] ?? 0, (to) => {
    set(address, clamp(Math.abs(to) < 0.015 ? 0 : to, -1, 1));
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

// Moves a balance as a knob is dragged, tapped or turned by keys.
function turn(knob, present, move) {
  const tap = taps();
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
  takeTurningKeys(knob, present, move);
}

function takeTurningKeys(knob, present, move) {
  knob.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 0.05, ArrowUp: 0.05, ArrowLeft: -0.05, ArrowDown: -0.05 }[event.key];
    if (by !== undefined) move(present() + by * (event.shiftKey ? 0.2 : 1));
    else if (event.key === "Home" || event.key === "0") move(0);
    else return;
    event.preventDefault();
  });
}

// A name that is changed where it stands. A field cannot end what does not fit with an ellipsis, so the name
// is shown beside it, on two lines; the field's own text is seen while somebody types there.
export function nameField(address, name, label) {
  const field = make("textarea", {
    "aria-label": label,
    title: name,
    spellcheck: "false",
    maxlength: 100,
    rows: 2,
  }, name);
  const shown = make("span", { "aria-hidden": "true" }, name);
  takeName(field, shown, address, name);
  const end = listen(address, (text) => {
    shown.textContent = field.title = text;
    if (document.activeElement !== field) field.value = text;
  });
  return { element: make("div", { class: "name" }, field, shown), end };
}

function takeName(field, shown, address, name) {
  field.addEventListener(
    "change",
    () => {
      const wanted = field.value.trim().replace(/\s+/g, " ");
      if (wanted) set(address, wanted);
      else field.value = shown.textContent;
    },
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
}
