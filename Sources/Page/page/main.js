// The page: two views of one mixer, drawn anew when the session has another shape.

import * as bar from "./bar.js";
import { connect, fetchJSON, listen, send, state } from "./desk.js";
import * as mixer from "./mixer.js";
import * as timeline from "./timeline.js";
import { language } from "./texts.js";

const views = { mixer, timeline };
let view = location.hash === "#timeline" ? "timeline" : "mixer",
  model = null,
  rows = "0-0",
  wanted = 0,
  isFetching = false,
  isFirst = true,
  // How often the line was cut.
  lines = 0;

function show(name) {
  view = name;
  history.replaceState(null, "", name === "mixer" ? "/" : `#${name}`);
  for (const other of Object.keys(views)) document.getElementById(other).hidden = other !== name;
  redraw();
}

function redraw() {
  document.documentElement.lang = language();
  bar.draw(view, show, redraw);
  if (model) {
    bar.drawScenes(model.scenes);
    views[view].draw(model);
    refresh();
  }
}

function drawModel() {
  state.isGuest = model.guest;
  document.body.classList.toggle("guest", state.isGuest);
  bar.drawScenes(model.scenes);
  views[view].draw(model);
  if (isFirst) performance.mark("ready");
  isFirst = false;
}

// However often the session changes, one question at a time, and the last answer is of the last state.
// Of a long show only those rows are asked for that are seen.
async function refresh(edition = wanted) {
  wanted = edition;
  if (isFetching) return;
  isFetching = true;
  try {
    while (!model || model.edition !== wanted || views[view].rows(rows) !== rows) {
      const asked = wanted, askedRows = views[view].rows(rows), line = lines;
      const answer = await fetchJSON(`/page/data/session.json?rows=${askedRows}`);
      // Of a mixer that is gone.
      if (line !== lines) continue;
      (model = answer), (rows = askedRows);
      drawModel();
      // The mixer may be ahead of what was wanted by now.
      if (model.edition >= wanted || wanted === asked) wanted = model.edition;
    }
  } catch (error) {
    bar.tell(error.message, true);
    setTimeout(() => state.isOpen && refresh(wanted), 1000);
  }
  isFetching = false;
}

bar.setTheme();
show(view);
timeline.onScroll(() => model && refresh());
listen("/session/edition", (edition) => {
  if (model?.edition !== edition) refresh(edition);
});
listen("/error", (_, reason) => bar.tell(reason, true));
listen("/notice", (_, text) => bar.tell(text, true));
listen("/note", (text) => bar.tell(text));
// Another mixer may listen here now, whose editions count anew.
listen("close", () => {
  lines++;
  model = null;
});
setInterval(() => state.isOpen && !document.hidden && send("/status"), 2000);
listen("open", () => send("/status"));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea")) return;
  if (event.key === " " && !event.target.closest("button")) {
    event.preventDefault();
    document.querySelector("#bar .play").click();
  } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
    event.preventDefault();
    bar.perform(event.shiftKey ? "/session/redo" : "/session/undo");
  }
});
connect();
// Before the mixer has told of itself.
refresh();
