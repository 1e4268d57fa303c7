// All words of the page, in the languages that there are: another language is another column.

const table = {
  mixer: ["Mixer", "Mischpult"],
  timeline: ["Timeline", "Zeitachse"],
  play: ["Play", "Start"],
  stop: ["Stop", "Stopp"],
  start: ["To the start", "Zum Anfang"],
  loop: ["Loop", "Schleife"],
  record: ["Record", "Aufnahme"],
  panic: ["Panic: all silent", "Panik: alles still"],
  undo: ["Undo", "Rückgängig"],
  redo: ["Redo", "Wiederholen"],
  save: ["Save", "Speichern"],
  scenes: ["Scenes", "Szenen"],
  store: ["Store a scene", "Szene speichern"],
  sceneName: ["Name of the scene", "Name der Szene"],
  mute: ["Mute", "Stumm"],
  solo: ["Solo", "Solo"],
  arm: ["Arm", "Scharf"],
  pan: ["Pan", "Panorama"],
  bankBefore: ["The strips before", "Die Kanäle davor"],
  bankBehind: ["The strips behind", "Die Kanäle dahinter"],
  more: ["All controls", "Alle Regler"],
  close: ["Close", "Schließen"],
  faders: ["Faders", "Regler"],
  volume: ["Volume", "Lautstärke"],
  trim: ["Trim", "Trim"],
  sendTo: ["Send to", "Send an"],
  held: ["Somebody has a finger on it", "Jemand hat einen Finger darauf"],
  peak: ["Peak", "Spitze"],
  overs: ["Above full scale", "Über Vollaussteuerung"],
  peakReset: ["Highest peak: press to begin anew", "Höchste Spitze: drücken für neu"],
  lost: ["No connection: trying again", "Keine Verbindung: neuer Versuch"],
  guest: ["You are a guest: look and listen", "Als Gast: sehen und hören"],
  dropouts: ["Dropouts", "Aussetzer"],
  unsaved: ["not saved", "nicht gespeichert"],
  theme: ["Light or dark", "Hell oder dunkel"],
  language: ["Language", "Sprache"],
  clips: ["Clips", "Clips"],
  automation: ["Automation", "Automation"],
  tool: ["What is edited", "Was bearbeitet wird"],
  zoomIn: ["Zoom in", "Größer"],
  zoomOut: ["Zoom out", "Kleiner"],
  whole: ["All of it", "Alles"],
  split: ["Split", "Teilen"],
  point: ["point", "Punkt"],
  ramp: ["ramp", "Rampe"],
  bend: ["curve", "Kurve"],
  control: ["Control", "Regelgröße"],
  overlaps: ["That overlaps the ramp from %1 to %2", "Das überlappt die Rampe von %1 bis %2"],
  covers: ["There is a point at %1 under it", "Darunter liegt ein Punkt bei %1"],
  uploading: ["Uploading %1", "%1 wird hochgeladen"],
  nothingThere: ["No clip lies where it plays", "Wo gespielt wird, liegt kein Clip"],
  changed: ["Somebody has changed that meanwhile", "Das hat inzwischen jemand geändert"],
  under: ["under", "unter"],
  missing: ["is missing", "fehlt"],
  ruler: [
    "Timeline: click to go there, drag for a loop",
    "Zeitachse: Klick springt, Ziehen macht eine Schleife",
  ],
  equaliser: ["Equaliser", "Equalizer"],
  band: ["Band", "Band"],
  reduction: ["Gain reduction", "Pegelabsenkung"],
  monitor: ["monitor", "Abhöre"],
  talkback: ["Talk", "Gegensprechen"],
  silenced: ["Silenced: let it be heard", "Stumm: wieder hören"],
  loudness: ["Loudness", "Lautheit"],
  loudnessReset: ["Measure from now on", "Ab jetzt messen"],
  target: ["Target loudness", "Ziel-Lautheit"],
  muted: ["muted", "stumm"],
  sounding: ["heard", "hörbar"],
  master: ["master", "master"],
  fadeIn: ["Fade in", "Einblenden"],
  fadeOut: ["Fade out", "Ausblenden"],
  hint: [
    "Double click or Enter: a point. Drag: a ramp. On a handle: drag, arrow keys, Delete; C bends.",
    "Doppelklick oder Eingabe: Punkt. Ziehen: Rampe. Am Griff: ziehen, Pfeiltasten, Entf; C biegt.",
  ],
};

export const languages = ["en", "de"];
let column = Math.max(
  0,
  languages.indexOf(localStorage.getItem("jmix-language") ?? navigator.language.slice(0, 2)),
);

export const language = () => languages[column];
export function setLanguage(name) {
  column = Math.max(0, languages.indexOf(name));
  localStorage.setItem("jmix-language", name);
}
export const say = (key, ...values) =>
  (table[key]?.[column] ?? key).replace(/%(\d)/g, (_, number) => values[number - 1]);
