// A fader: relative, so that no press makes a jump; fine with shift, or with a finger that moves away
// sideways; two taps for unity.

import { listen, send, set, value } from "./desk.js";
import { clamp, decibels, fromDecibels, gain, level, position, signed } from "./law.js";
import { drag, make, taps } from "./make.js";
import { say } from "./texts.js";

const lowest = -144, highest = decibels(gain(1));

// What a fader is drawn with: the slider, and in it the slot, the thumb and the level.
function elements(name) {
  const thumb = make("div", { class: "thumb" }),
    text = make("output", { class: "level", "aria-hidden": "true" });
  const marks = faderMarks();
  const scale = make("div", { class: "scale", "aria-hidden": "true" }, ...marks);
  const slot = make("div", { class: "slot" }, scale, thumb);
  const slider = make(
    "div",
    {
      class: "fader",
      role: "slider",
      tabindex: 0,
      "aria-label": name,
      "aria-orientation": "vertical",
      "aria-valuemin": lowest,
      "aria-valuemax": highest.toFixed(1),
    },
    slot,
    text,
  );
  return { slider, slot, thumb, text };
}

function faderMarks() {
  return [6, 0, -6, -12, -20, -30, -50].map((mark) => {
    const line = make("i", {}, mark > 0 ? `+${mark}` : signed(mark));
    line.style.bottom = `${100 * position(fromDecibels(mark))}%`;
    return line;
  });
}

// Where a key takes a volume; nothing for other keys.
function keyed(event, volume) {
  const step = event.shiftKey ? 0.1 : 0.5;
  const by = {
    ArrowUp: step,
    ArrowRight: step,
    ArrowDown: -step,
    ArrowLeft: -step,
    PageUp: 3,
    PageDown: -3,
  }[event.key];
  if (by === undefined) return { Home: 0, End: gain(1), 0: 1, u: 1 }[event.key];
  return volume > 0 ? Math.min(gain(1), volume * fromDecibels(by)) : by > 0 ? fromDecibels(-60) : 0;
}

// The same for a wheel.
function wheeled(event, volume) {
  const by = -Math.sign(event.deltaY) * (event.shiftKey ? 0.1 : 0.5);
  return Math.min(gain(1), Math.max(volume, fromDecibels(-80)) * fromDecibels(by));
}

// What is set as often as a picture is drawn, and no more; what is set last is said last.
function sender(address, show) {
  let next = null, frame = 0;
  const sending = {
    volume: () => next ?? value(address)?.[0] ?? 1,
    move(to) {
      next = clamp(to, 0, 4);
      show();
      frame ||= requestAnimationFrame(sending.flush);
    },
    flush() {
      cancelAnimationFrame(frame);
      frame = 0;
      if (next === null) return;
      const to = next;
      next = null;
      set(address, to);
    },
    drop() {
      cancelAnimationFrame(frame);
      (frame = 0), (next = null);
    },
  };
  return sending;
}

// A press moves the fader from where it is.
function pull(down, slot, { volume, move }, tap) {
  let place = clamp(position(volume()), 0, 1), last = down;
  return (event) => {
    const away = Math.max(0, Math.abs(event.clientX - down.clientX) - 60),
      pace = event.shiftKey ? 0.1 : 1 / (1 + away / 30);
    if (Math.abs(event.clientY - down.clientY) > 4) tap.forget();
    place = clamp(place + ((last.clientY - event.clientY) / slot.clientHeight) * pace, 0, 1);
    last = event;
    move(gain(place));
  };
}

// What keys and the wheel do to a fader.
function takeKeys(slider, { volume, move, flush }) {
  slider.addEventListener("keydown", (event) => {
    const to = keyed(event, volume());
    if (to === undefined) return;
    event.preventDefault();
    move(to);
    flush();
  });
  slider.addEventListener("wheel", (event) => {
    if (!event.altKey && !slider.matches(":focus")) return;
    event.preventDefault();
    move(wheeled(event, volume()));
  }, { passive: false });
}

// `address` holds a volume; `touch`, if there is one, that somebody's finger is on it.
export function fader(address, name, touch) {
  const { slider, slot, thumb, text } = elements(name), tap = taps();
  let held = false, own = false;
  const sending = sender(address, show), { volume, move, flush } = sending;

  function show() {
    const now = volume(), place = clamp(position(now), 0, 1);
    thumb.style.bottom = `${100 * place}%`;
    text.textContent = signed(level(now));
    slider.setAttribute("aria-valuenow", Math.max(lowest, now > 0 ? decibels(now) : lowest).toFixed(1));
    slider.setAttribute("aria-valuetext", now > 0 ? `${level(now)} dB` : "-inf dB");
  }
  function hold(flag) {
    own = flag;
    slider.classList.toggle("own", flag);
    if (touch) send(touch, flag);
  }

  drag(slider, (down) => {
    if (held && !own) return null;
    if (tap.isSecond()) {
      move(1);
      return { end: flush };
    }
    down.preventDefault();
    slider.focus({ preventScroll: true });
    hold(true);
    const end = () => {
      flush();
      hold(false);
    };
    // Where the address is another's by now nothing more is set.
    const gone = () => {
      sending.drop();
      hold(false);
    };
    return { move: pull(down, slot, sending, tap), end, gone };
  });
  takeKeys(slider, sending);

  const ends = [listen(address, show)];
  if (touch) {
    ends.push(listen(touch, (flag) => {
      held = Boolean(flag);
      slider.classList.toggle("held", held && !own);
      slider.title = held && !own ? say("held") : "";
    }));
  }
  show();
  return {
    element: slider,
    end() {
      // Nothing stays held by a hand that has nothing to hold any more.
      flush();
      if (own) hold(false);
      for (const end of ends) end();
    },
  };
}
