// What makes new strips: from files, of ports of other programs, buses, DCAs.

import { perform } from "./bar.js";
import { knownPorts, layouts, portChoice } from "./patch.js";
import { button, dialog, make } from "./make.js";
import { int } from "./osc.js";
import { say } from "./texts.js";
import { pickFiles } from "./upload.js";

// A form with a name and more; `make` is given the name and what was chosen, and says what to ask for.
function form(kind, more, ask, close) {
  const name = make("input", { required: true, maxlength: 100, "aria-label": say("name"), value: "" });
  name.placeholder = say("name");
  const submit = async (event) => {
    event.preventDefault();
    if (name.value.trim() && !(await perform(...ask(name.value.trim())))) close();
  };
  return make(
    "form",
    { class: "add", "aria-label": say(kind), onsubmit: submit },
    make("b", {}, say(kind)),
    name,
    ...more,
    make("button", { type: "submit" }, say("add")),
  );
}

function filesChoice(close) {
  const files = button(say("files"), say("files"), () => {
    pickFiles(0);
    close();
  });
  return make("div", { class: "add" }, make("b", {}, say("track")), files);
}

// Opens the dialog. Whoever adds an input chooses among the ports that there are now.
export async function openAdding() {
  const { element, close } = dialog("adding", say("add"));
  const ports = await knownPorts("output");
  const first = portChoice(ports, `${say("port")} 1`), second = portChoice(ports, `${say("port")} 2`);
  const layout = layoutChoice();
  element.append(
    filesChoice(close),
    form("input", [first, second], (name) => {
      const heard = [first.value, second.value].filter(Boolean);
      return ["/input/add", name, ...(heard.length ? heard : ["mono"])];
    }, close),
    form("bus", [layout], (name) => ["/bus/add", name, int(Number(layout.value))], close),
    form("dca", [], (name) => ["/dca/add", name], close),
  );
}

function layoutChoice() {
  return make(
    "select",
    { "aria-label": say("channels") },
    ...Object.entries(layouts).map(([value, text]) =>
      make("option", { value, selected: value === "2" }, text)
    ),
  );
}
