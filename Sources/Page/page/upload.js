// Files that are dropped onto the timeline: sent to the session's folder, then tracks.

import { perform, tell } from "./bar.js";
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
