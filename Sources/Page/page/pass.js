// What a hand writes while it plays, as it grows: the lane as it will be heard, until it is in the session.
// Pure but for what it holds; it is told of everything by its row.

const multiplies = (control) => control === "volume" || control === "trim";

export class Pass {
  constructor() {
    this.points = [];
    this.base = null;
  }

  // Where a control stands as the playhead goes on. `old` is what the lane says there; `mode` is what hands
  // do to it. Returns whether there is something new to be drawn.
  note({ control, mode, isRolling, now, value, old }) {
    const had = this.points.length > 0;
    const writes = isRolling && (mode === "touch" || mode === "latch" || mode === "write");
    const last = this.points.at(-1);
    // A stop ends it, and so does a locate: what was written before that is in the session soon.
    if (!writes || value === undefined || (last && now < last[0])) {
      this.end();
      if (!writes) this.base = value ?? null;
      return had;
    }
    this.base ??= value;
    // A fader that is let go goes back to where it was: then the pass is over.
    if (value === this.base && mode === "touch") {
      this.end();
      return had;
    }
    if (value === this.base && !had && mode === "latch") return false;
    const heard = multiplies(control) ? (this.base > 0 ? (old * value) / this.base : value) : value;
    if (last && last[0] === now) this.points.pop();
    this.points.push([now, heard]);
    return true;
  }

  end() {
    this.points = [];
  }
}
