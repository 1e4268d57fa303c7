// How files look: peaks fetched once, and coarser ones made from them, so that drawing costs as much as there
// are pixels.

const files = new Map();

// Levels from fine to coarse, { perPeak, peaks } each; null until they are there.
export function peaks(file, stream, state, drawn) {
  // Another state of the file is another file.
  const key = `${file} ${stream} ${state}`;
  if (!files.has(key)) {
    files.set(key, null);
    // Asked for again after a while: the mixer may be busy, or away.
    const later = () => setTimeout(() => files.delete(key), 5000);
    fetch(`/page/data/peaks?file=${encodeURIComponent(file)}&stream=${stream}`).then(async (answer) => {
      if (!answer.ok) return later();
      const levels = levelsOf(await answer.arrayBuffer());
      files.set(key, levels);
      drawn();
    }).catch(later);
  }
  return files.get(key);
}

/** Peaks, each level four times as coarse as the one before. */
function levelsOf(buffer) {
  const view = new DataView(buffer), perPeak = view.getUint32(4, true), rate = view.getUint32(8, true);
  const levels = [{ perPeak: perPeak / rate, peaks: new Uint8Array(buffer, 16) }];
  while (levels[levels.length - 1].peaks.length > 512) {
    const fine = levels[levels.length - 1], coarse = new Uint8Array(Math.ceil(fine.peaks.length / 4));
    for (let i = 0; i < fine.peaks.length; i++) coarse[i >> 2] = Math.max(coarse[i >> 2], fine.peaks[i]);
    levels.push({ perPeak: fine.perPeak * 4, peaks: coarse });
  }
  return levels;
}

// The highest peak, 0 to 1, between two times of a file.
export function highest(levels, start, end) {
  const level = levels.findLast((level) => level.perPeak <= (end - start) / 2) ?? levels[0];
  const last = Math.min(level.peaks.length, Math.ceil(end / level.perPeak));
  let found = 0;
  for (let i = Math.max(0, Math.floor(start / level.perPeak)); i < last; i++) {
    if (level.peaks[i] > found) found = level.peaks[i];
  }
  return found / 255;
}
