// What is drawn only while it is in view, or not far from it: of a long show a browser could not lay out all.

import { isHeld } from "./make.js";

// Calls `fill(element)` for what comes near to what is seen of `root`, `empty(element)` for what goes far
// away, and `change` after that. `margin`: how near, in pixels, along the way that it scrolls.
export function inView(root, margin, { fill, empty, change = () => {} }) {
  const near = new Set();
  function isFar(element) {
    const box = element.getBoundingClientRect(), view = root.getBoundingClientRect();
    return !element.checkVisibility() || box.right < view.left - margin || box.left > view.right + margin ||
      box.bottom < view.top - margin || box.top > view.bottom + margin;
  }
  // Who is at work there stays there.
  const isFree = (element) => !element.contains(document.activeElement) && !isHeld(element);
  const observer = new IntersectionObserver((entries) => {
    // What is hidden with all the rest stays as it was.
    if (!root.checkVisibility()) return;
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || near.has(target) || !target.isConnected) continue;
      near.add(target);
      fill(target);
    }
    for (const element of [...near]) {
      if (!isFar(element) || !isFree(element)) continue;
      near.delete(element);
      empty(element);
      // It may have come into view since the observer looked, which then has nothing new to say of it.
      observer.unobserve(element);
      observer.observe(element);
    }
    change();
  }, { root, rootMargin: `${margin}px` });
  return {
    near,
    // Without those that stay for the sake of who is at work there.
    seen: () => [...near].filter((element) => !isFar(element)),
    watch: (element) => observer.observe(element),
    // An element that is taken out of the page.
    forget(element) {
      observer.unobserve(element);
      if (near.delete(element)) empty(element);
    },
    end() {
      observer.disconnect();
      for (const element of near) empty(element);
      near.clear();
    },
  };
}
