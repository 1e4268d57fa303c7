// Files that are dropped onto the timeline, or chosen: sent to the session's folder, then tracks.

import { perform, tell } from "./bar.js";
import { make } from "./make.js";
import { say } from "./texts.js";

export function upload(file, time) {
  const request = new XMLHttpRequest();
  request.open("PUT", `/page/upload/${encodeURIComponent(file.name)}`);
  request.upload.onprogress = (event) =>
    tell(`${say("uploading", file.name)}: ${Math.round((100 * event.loaded) / event.total)} %`);
  request.onload = () => {
    if (request.status !== 200) return tell(request.responseText.trim() || String(request.status), true);
    perform("/track/add", JSON.parse(request.responseText).file, { type: "d", value: time });
  };
  request.onerror = () => tell(say("lost"), true);
  request.send(file);
}

// Has files chosen, and puts them at a time.
export function pickFiles(time) {
  const chooser = make("input", { type: "file", multiple: true, accept: "audio/*,video/*", hidden: true });
  chooser.addEventListener("change", () => {
    for (const file of chooser.files) upload(file, time);
    chooser.remove();
  });
  chooser.addEventListener("cancel", () => chooser.remove());
  document.body.append(chooser);
  chooser.click();
}
