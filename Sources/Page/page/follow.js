// What of the mixer the page is told of: what is the mixer's own, and of strips those that somebody looks at,
// sixteen by sixteen. A pattern of OSC has as many parts as the address, so there is one for each depth.

import { forget, listen, send, state } from "./desk.js";

const size = 16, depths = 5, renewal = 4000;
// What is the mixer's own.
const always = [
  "/*",
  "/{transport,session,scene,monitor,automix}/*",
  ...below("/master"),
];
const followed = new Map();

function below(path) {
  return Array.from({ length: depths }, (_, depth) => path + "/*".repeat(depth + 1));
}

// The sixteen that a strip is one of: `/track/5` is one of those from `/track/1` on.
function groupOf(address) {
  const [, kind, number] = address.split("/");
  return number ? `/${kind}/${number - ((number - 1) % size)}` : null;
}

// All of their addresses.
function patterns(group) {
  const [, kind, first] = group.split("/");
  const numbers = Array.from({ length: size }, (_, index) => Number(first) + index);
  return below(`/${kind}/{${numbers.join()}}`);
}

// Has the mixer tell of a strip from now on. Returns what ends it.
export function follow(address) {
  const group = groupOf(address);
  if (!group) return () => {};
  followed.set(group, (followed.get(group) ?? 0) + 1);
  if (followed.get(group) === 1) subscribe(patterns(group));
  return () => {
    followed.set(group, followed.get(group) - 1);
    // Whoever draws anew looks at the same again.
    setTimeout(() => leave(group));
  };
}

function leave(group) {
  if (followed.get(group) !== 0) return;
  followed.delete(group);
  for (const pattern of patterns(group)) send("/unsubscribe", pattern);
  const [, kind, first] = group.split("/");
  for (let number = Number(first); number < Number(first) + size; number++) forget(`/${kind}/${number}/`);
}

function subscribe(patterns) {
  for (const pattern of patterns) send("/subscribe", pattern);
}

function renew() {
  if (!state.isOpen) return;
  subscribe(always);
  for (const group of followed.keys()) subscribe(patterns(group));
}

listen("open", renew);
setInterval(renew, renewal);
