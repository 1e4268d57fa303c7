// The bar at the top: transport, undo, scenes, the views, and how the mixer fares.

import { ask, listen, send, set, state, value } from "./desk.js";
import { clock } from "./law.js";
import { make } from "./make.js";
import { forgetDrawn } from "./meter.js";
import { language, languages, say, setLanguage } from "./texts.js";

const bar = document.getElementById("bar");
// A click leaves the focus where it is, so that the space bar goes on to mean play.
bar.addEventListener("mousedown", (event) => {
  if (event.target.closest("button")) event.preventDefault();
});
const speaker = document.getElementById("say");
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

function button(label, short, onclick, more = {}) {
  return make("button", { type: "button", "aria-label": label, title: label, onclick, ...more }, short);
}

export function draw(view, show, redraw) {
  for (const end of ends) end();
  ends = [];
  const play = button(
    say("play"),
    "▶",
    () => send(value("/transport/state")?.[0] === "rolling" ? "/transport/stop" : "/transport/play"),
    { class: "play", "aria-pressed": "false" },
  );
  const loop = button(
    say("loop"),
    "⟳",
    () => set("/transport/loop", loop.getAttribute("aria-pressed") !== "true"),
    { class: "loop", "aria-pressed": "false" },
  );
  const record = button(
    say("record"),
    "●",
    () => set("/record", record.getAttribute("aria-pressed") !== "true"),
    { class: "record", "aria-pressed": "false" },
  );
  const undo = button(say("undo"), "↶", () => perform("/session/undo")),
    redo = button(say("redo"), "↷", () => perform("/session/redo"));
  const position = make("output", { class: "position", "aria-label": say("timeline") }, "0:00.00");
  const health = make("span", { class: "health" });
  // A panic holds: one press, and all is heard again.
  const silenced = button(say("silenced"), say("silenced"), () => set("/silenced", false), {
    class: "silenced",
    hidden: true,
  });
  const scenes = make("select", {
    class: "scenes",
    "aria-label": say("scenes"),
    onchange: () => {
      const name = scenes.value;
      scenes.value = "";
      if (name === "+") {
        const wanted = prompt(say("sceneName"));
        if (wanted) perform("/scene/store", wanted);
      } else if (name) perform("/scene/recall", name.slice(1));
    },
  });
  const tabs = make(
    "div",
    { class: "tabs", role: "tablist" },
    ...["mixer", "timeline"].map((name) =>
      make("button", {
        type: "button",
        role: "tab",
        "aria-selected": String(name === view),
        "aria-controls": name,
        onclick: () => show(name),
      }, say(name))
    ),
  );
  bar.replaceChildren(
    button(say("start"), "|◀", () => send("/transport/locate", 0)),
    play,
    loop,
    record,
    position,
    undo,
    redo,
    button(say("save"), say("save"), () => perform("/session/save")),
    scenes,
    silenced,
    tabs,
    health,
    button(
      say("theme"),
      "◐",
      () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"),
      { class: "free" },
    ),
    make("select", {
      class: "language",
      "aria-label": say("language"),
      onchange: (event) => {
        setLanguage(event.target.value);
        redraw();
      },
    }, ...languages.map((name) => make("option", { value: name, selected: name === language() }, name))),
    button(say("panic"), "✕", () => send("/panic"), { class: "panic" }),
  );
  bar.setAttribute("aria-label", "jmix");
  const pressed = (of, flag) => of.setAttribute("aria-pressed", flag ? "true" : "false");
  ends.push(
    listen("/transport/state", (word) => {
      pressed(play, word === "rolling");
      play.textContent = word === "rolling" ? "■" : "▶";
      play.setAttribute("aria-label", say(word === "rolling" ? "stop" : "play"));
    }),
    listen("/silenced", (flag) => {
      silenced.hidden = !flag;
    }),
    listen("/transport/loop", (start, end) => pressed(loop, end !== undefined || start === 1)),
    listen("/record", (flag) => pressed(record, flag)),
    listen("/transport/position", (_, seconds) => {
      position.textContent = clock(seconds);
    }),
    listen("/session/edition", (_, back, again) => {
      undo.disabled = back === "";
      undo.title = `${say("undo")}${back ? `: ${back}` : ""}`;
      redo.disabled = again === "";
      redo.title = `${say("redo")}${again ? `: ${again}` : ""}`;
    }),
    listen("/status", (text) => {
      const status = JSON.parse(text);
      health.textContent = `${
        status.dropouts + status.xruns ? `${say("dropouts")} ${status.dropouts + status.xruns} · ` : ""
      }${status.unsaved ? say("unsaved") : ""}`;
      health.classList.toggle("bad", status.dropouts + status.xruns > 0);
      document.title = `${
        status.session
          ? `${status.session.split("/").slice(-2).join("/").replace(/\/session\.json$/, "")} - `
          : ""
      }jmix`;
    }),
    listen("open", () => {
      document.body.classList.remove("offline");
      speaker.textContent = "";
    }),
    listen("close", () => {
      document.body.classList.add("offline");
      tell(say("lost"), true);
      clearTimeout(silence);
    }),
  );
  drawScenes = (names) =>
    scenes.replaceChildren(
      make("option", { value: "" }, say("scenes")),
      ...names.map((name) => make("option", { value: `=${name}` }, name)),
      make("option", { value: "+" }, `+ ${say("store")}`),
    );
  drawScenes([]);
  if (state.isGuest) tell(say("guest"));
}

export let drawScenes = () => {};

// Has something done, and says why not where it is not.
export async function perform(address, ...values) {
  const reason = await ask(address, ...values);
  if (reason) tell(reason, true);
  return reason;
}
