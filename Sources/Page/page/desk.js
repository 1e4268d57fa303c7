// The mixer as the page knows it: one WebSocket with OSC on it, and the last value of every address that it
// follows (follow.js). Who draws a value listens to its address.

import { decode, encode, int } from "./osc.js";

const values = new Map(), listeners = new Map();
let socket, delay = 250, pinged = 0, beating, heardAt = 0;
// A mixer that is heard of no more, for so many milliseconds, is not there: nets die without a word.
const patience = 2000;
const waiting = new Map(), own = new Map();

export const state = { isOpen: false, isGuest: false };

// Calls `body` now, if there is a value, and whenever there is another. Returns what ends it.
export function listen(address, body) {
  if (!listeners.has(address)) listeners.set(address, new Set());
  listeners.get(address).add(body);
  if (values.has(address)) body(...values.get(address));
  return () => listeners.get(address)?.delete(body);
}

export const value = (address) => values.get(address);

// What is not followed any more may be anything.
export function forget(prefix) {
  for (const address of values.keys()) if (address.startsWith(prefix)) values.delete(address);
}

function tell(address, news) {
  for (const body of [...(listeners.get(address) ?? [])]) body(...news);
}

// What this page has set is so until the mixer says otherwise: it is not told of it.
export function set(address, ...news) {
  if (!send(address, ...news)) return;
  // What comes before the mixer has it may be older: it is not shown, and asked for anew where there was any.
  own.set(address, { number: ++pinged, hasMissed: false });
  send("/ping", int(pinged));
  values.set(address, news.map((value) => (typeof value === "boolean" ? Number(value) : value)));
  tell(address, values.get(address));
}

export function send(address, ...news) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(encode(address, ...news));
  return true;
}

// Asks for something to be done and waits until it is: resolves to null, or to the reason why not. Orders
// keep their order, so an error that belongs to it comes before the answer to the ping.
export function ask(address, ...news) {
  return new Promise((resolve) => {
    if (!send(address, ...news)) return resolve("offline");
    const number = ++pinged;
    waiting.set(number, { address, resolve, reason: null });
    socket.send(encode("/ping", int(number)));
  });
}

function take(address, news) {
  if (address === "/pong") {
    answered(news[0]);
  } else if (address === "/error") {
    refused(news);
    tell("/error", news);
  } else if (own.has(address)) {
    own.get(address).hasMissed = true;
  } else {
    values.set(address, news);
    tell(address, news);
  }
}

function answered(number) {
  const question = waiting.get(number);
  waiting.delete(number);
  question?.resolve(question.reason);
  for (const [mine, { number: asked, hasMissed }] of own) {
    if (asked !== number) continue;
    own.delete(mine);
    if (hasMissed) send(mine);
  }
}

function refused([address, reason]) {
  // Of several at one address the first that is not answered yet: answers keep the order of questions.
  const question = [...waiting.values()].find((question) => question.address === address && !question.reason);
  if (question) question.reason = reason;
  // What was set here and refused is as it was: the mixer is asked. A question that is refused is not put
  // again.
  if (own.delete(address) && values.has(address)) send(address);
}

export function connect() {
  const mine = socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/`);
  socket.binaryType = "arraybuffer";
  heardAt = performance.now();
  socket.onopen = () => {
    delay = 250;
    state.isOpen = true;
    tell("open", []);
  };
  socket.onmessage = (event) => {
    heardAt = performance.now();
    if (typeof event.data !== "string") decode(event.data, take);
  };
  socket.onclose = () => lose(mine);
  beating = setInterval(beat, patience / 4);
}

// Asks for a sign of life; one that does not come in time means that nobody is there. A page that sleeps, or
// is busy, asks seldom: what it has missed meanwhile is no sign of anything.
let askedAt = 0;
function beat() {
  const now = performance.now(), slept = now - askedAt > patience / 2;
  askedAt = now;
  if (slept) heardAt = Math.max(heardAt, now - patience / 2);
  if (now - heardAt > patience) lose(socket);
  else send("/ping", int(0));
}

// What was said and not answered may have been done or not: nobody waits for it.
function lose(gone) {
  if (gone !== socket) return;
  clearInterval(beating);
  gone.onopen = gone.onmessage = gone.onclose = null;
  gone.close();
  socket = null;
  for (const question of waiting.values()) question.resolve("offline");
  waiting.clear();
  own.clear();
  // Another mixer may answer next.
  values.clear();
  if (state.isOpen) tell("close", []);
  state.isOpen = false;
  setTimeout(connect, delay);
  delay = Math.min(4000, delay * 2);
}

// A page that sleeps is told nothing; when it wakes a dead socket may not know it yet.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && state.isOpen && !send("/ping", int(0))) lose(socket);
});

export async function fetchJSON(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer.json();
}
