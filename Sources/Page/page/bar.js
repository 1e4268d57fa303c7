// The bar at the top: transport, undo, scenes, the views, and how the mixer fares.

import { ask, listen, send, set, state, value } from "./desk.js";
import { clock } from "./law.js";
import { button, make } from "./make.js";
import { forgetDrawn } from "./meter.js";
import { language, languages, say, setLanguage } from "./texts.js";

const bar = document.getElementById("bar");
// A click leaves the focus where it is, so that the space bar goes on to mean play.
bar.addEventListener("mousedown", (event) => {
  if (event.target.closest("button")) event.preventDefault();
});
const speaker = document.getElementById("say"), banner = document.getElementById("banner");
// What holds, and is said for as long as it does: by what it is about.
const standing = new Map();

function stand(key, text) {
  if (text) standing.set(key, text);
  else standing.delete(key);
  const shown = [...standing.values()].join(" · ");
  if (banner.textContent !== shown) banner.textContent = shown;
}

let ends = [], silence;

// A sentence for a while, also for who does not see it.
export function tell(text, isError = false) {
  speaker.textContent = text;
  speaker.className = isError ? "error" : "";
  clearTimeout(silence);
  silence = setTimeout(() => {
    speaker.textContent = "";
  }, isError ? 8000 : 3000);
}

export function setTheme(name) {
  if (name) localStorage.setItem("jmix-theme", name);
  const theme = localStorage.getItem("jmix-theme") ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  forgetDrawn();
}

const pressed = (button, flag) => button.setAttribute("aria-pressed", flag ? "true" : "false");

// A button that stays down: `press` is told whether it is to.
function toggle(key, short, address, press = (flag) => set(address, flag)) {
  const element = button(
    say(key),
    short,
    () => press(element.getAttribute("aria-pressed") !== "true"),
    { class: key, "aria-pressed": "false" },
  );
  return element;
}

function playButton() {
  const play = toggle(
    "play",
    "▶",
    null,
    () => send(value("/transport/state")?.[0] === "rolling" ? "/transport/stop" : "/transport/play"),
  );
  ends.push(listen("/transport/state", (word) => {
    pressed(play, word === "rolling");
    play.textContent = word === "rolling" ? "■" : "▶";
    play.setAttribute("aria-label", say(word === "rolling" ? "stop" : "play"));
  }));
  return play;
}

function transport() {
  const loop = toggle("loop", "⟳", "/transport/loop"), record = toggle("record", "●", "/record");
  const position = make("output", { class: "position", "aria-label": say("timeline") }, "0:00.00");
  ends.push(
    listen("/transport/loop", (start, end) => pressed(loop, end !== undefined || start === 1)),
    listen("/record", (flag) => pressed(record, flag)),
    listen("/transport/position", (_, seconds) => {
      position.textContent = clock(seconds);
    }),
  );
  const start = button(say("start"), "|◀", () => locate(0), { class: "extra" });
  loop.classList.add("extra");
  return [start, playButton(), loop, record, position];
}

function history() {
  const extra = { class: "extra" };
  const undo = button(say("undo"), "↶", () => perform("/session/undo"), extra),
    redo = button(say("redo"), "↷", () => perform("/session/redo"), extra);
  const name = (button, key, step) => {
    button.disabled = step === "";
    button.title = `${say(key)}${step ? `: ${step}` : ""}`;
  };
  ends.push(listen("/session/edition", (_, back, again) => {
    name(undo, "undo", back);
    name(redo, "redo", again);
  }));
  return [undo, redo, button(say("save"), say("save"), () => perform("/session/save"), extra)];
}

function sceneMenu() {
  const choose = () => {
    const name = scenes.value;
    scenes.value = "";
    if (name === "+") {
      const wanted = prompt(say("sceneName"));
      if (wanted) perform("/scene/store", wanted);
    } else if (name) perform("/scene/recall", name.slice(1));
  };
  const scenes = make("select", { class: "scenes extra", "aria-label": say("scenes"), onchange: choose });
  drawScenes = (names) =>
    scenes.replaceChildren(
      make("option", { value: "" }, say("scenes")),
      ...names.map((name) => make("option", { value: `=${name}` }, name)),
      make("option", { value: "+" }, `+ ${say("store")}`),
    );
  drawScenes([]);
  return scenes;
}

// A panic holds: one press, and all is heard again.
function silencedButton() {
  const silenced = button(say("silenced"), say("silenced"), () => set("/silenced", false), {
    class: "silenced",
    hidden: true,
  });
  ends.push(listen("/silenced", (flag) => {
    silenced.hidden = !flag;
  }));
  return silenced;
}

function tabs(view, show) {
  const tab = (name) =>
    make("button", {
      type: "button",
      role: "tab",
      "aria-selected": String(name === view),
      "aria-controls": name,
      onclick: () => show(name),
    }, say(name));
  return make("div", { class: "tabs", role: "tablist" }, ...["mixer", "timeline"].map(tab));
}

// What this page has seen already of what goes wrong: from then on it counts anew.
let seen = { dropouts: 0, xruns: 0 };

// Dropouts of the mixer, xruns of the server: how many of each since somebody pressed it here.
function losses() {
  let told = seen;
  const losses = button(say("counted"), "", () => {
    seen = told;
    show(told);
  }, { class: "losses" });
  const show = ({ dropouts, xruns }) => {
    told = { dropouts, xruns };
    // Another mixer counts from nothing.
    if (dropouts < seen.dropouts || xruns < seen.xruns) seen = { dropouts: 0, xruns: 0 };
    const counts = [["dropouts", dropouts - seen.dropouts], ["xruns", xruns - seen.xruns]];
    losses.textContent = counts.filter(([, count]) => count).map(([name, count]) => `${say(name)} ${count}`)
      .join(" \u00b7 ");
    losses.hidden = losses.textContent === "";
  };
  show(seen);
  return { element: losses, show };
}

// What goes wrong in the mixer, and what is not saved; the window is called as the session is.
function healthText() {
  const lost = losses(), unsavedText = make("span");
  ends.push(listen("/status", (text) => {
    const { dropouts, xruns, unsaved, session, server, serverName } = JSON.parse(text);
    stand("server", server ? "" : say("noServer", serverName));
    lost.show({ dropouts, xruns });
    unsavedText.textContent = unsaved ? say("unsaved") : "";
    const name = session?.split("/").slice(-2).join("/").replace(/\/session\.json$/, "");
    document.title = name ? `${name} - jmix` : "jmix";
  }));
  return make("span", { class: "health" }, lost.element, unsavedText);
}

function appearance(redraw) {
  const change = () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  const speak = (event) => {
    setLanguage(event.target.value);
    redraw();
  };
  const option = (name) => make("option", { value: name, selected: name === language() }, name);
  return [
    button(say("theme"), "◐", change, { class: "free extra rare" }),
    make(
      "select",
      { class: "language extra rare", "aria-label": say("language"), onchange: speak },
      ...languages.map(option),
    ),
  ];
}

// Where there is no room for all: what opens the rest.
function menuButton() {
  const menu = button(say("menu"), "\u2630", () => pressed(menu, bar.classList.toggle("open")), {
    class: "menu",
    "aria-pressed": String(bar.classList.contains("open")),
  });
  return menu;
}

export function draw(view, show, redraw) {
  for (const end of ends) end();
  ends = [];
  bar.replaceChildren(
    ...transport(),
    ...history(),
    sceneMenu(),
    tabs(view, show),
    ...appearance(redraw),
    menuButton(),
    button(say("panic"), say("panicWord"), () => send("/panic"), { class: "panic" }),
  );
  bar.setAttribute("aria-label", "jmix");
  banner.parentElement.replaceChildren(healthText(), banner, silencedButton());
  followConnection();
  if (state.isGuest) tell(say("guest"));
}

function followConnection() {
  ends.push(
    listen("open", () => {
      document.body.classList.remove("offline");
      stand("connection", "");
    }),
    listen("close", () => {
      document.body.classList.add("offline");
      stand("connection", say("lost"));
    }),
  );
}

export let drawScenes = () => {};

// Has something done, and says why not where it is not.
export async function perform(address, ...values) {
  const reason = await ask(address, ...values);
  if (reason) tell(reason, true);
  return reason;
}

let locating = 0;
export async function locate(place) {
  locating++;
  await perform("/transport/locate", place);
  locating--;
}

// Where the mixer plays, in seconds: while it rolls, where it was as this was asked. One that stands, or has
// just been sent elsewhere, is asked, for what it told last may be older. Null, with the reason said, where
// nobody answers.
export async function here() {
  const isTold = value("/transport/state")?.[0] === "rolling" && !locating;
  if (!isTold && await perform("/transport/position")) return null;
  return value("/transport/position")?.[1] ?? 0;
}
