// What is drawn only while it is in view, or not far from it: of a long show a browser could not lay out all.

// Calls `fill(element)` for what comes near to what is seen of `root`, `empty(element)` for what goes far
// away, and `change` after that. `margin`: how near, in pixels, along the way that it scrolls.
export function inView(root, margin, { fill, empty, change = () => {} }) {
  const near = new Set();
  function leave(element) {
    // Who is at work there by keys stays there.
    if (element.contains(document.activeElement)) return;
    near.delete(element);
    empty(element);
  }
  function isFar(element) {
    const box = element.getBoundingClientRect(), view = root.getBoundingClientRect();
    return box.right < view.left - margin || box.left > view.right + margin ||
      box.bottom < view.top - margin ||
      box.top > view.bottom + margin;
  }
  const observer = new IntersectionObserver((entries) => {
    // What is hidden with all the rest stays as it was.
    if (!root.checkVisibility()) return;
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting || near.has(target)) continue;
      near.add(target);
      fill(target);
    }
    for (const element of [...near]) if (isFar(element)) leave(element);
    change();
  }, { root, rootMargin: `${margin}px` });
  return {
    near,
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
