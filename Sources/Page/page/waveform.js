// How files look: peaks fetched once, and coarser ones made from them, so that drawing costs as much as there are pixels.

const files = new Map();

// Resolves to { seconds, levels: [{ perPeak, peaks }] }, or null where the file cannot be read.
export function peaks(file, drawn) {
  if (!files.has(file)) {
    files.set(file, null);
    fetch(`/page/data/peaks?file=${encodeURIComponent(file)}`).then(async (answer) => {
      if (!answer.ok) return;
      const buffer = await answer.arrayBuffer(), view = new DataView(buffer);
      const perPeak = view.getUint32(4, true), rate = view.getUint32(8, true), levels = [{ perPeak: perPeak / rate, peaks: new Uint8Array(buffer, 16) }];
      while (levels[levels.length - 1].peaks.length > 512) {
        const fine = levels[levels.length - 1], coarse = new Uint8Array(Math.ceil(fine.peaks.length / 4));
        for (let i = 0; i < fine.peaks.length; i++) coarse[i >> 2] = Math.max(coarse[i >> 2], fine.peaks[i]);
        levels.push({ perPeak: fine.perPeak * 4, peaks: coarse });
      }
      files.set(file, levels);
      drawn();
    });
  }
  return files.get(file);
}

export const forget = () => files.clear();

// The highest peak, 0 to 1, between two times of a file.
export function highest(levels, start, end) {
  const level = levels.findLast((level) => level.perPeak <= (end - start) / 2) ?? levels[0];
  const last = Math.min(level.peaks.length, Math.ceil(end / level.perPeak));
  let found = 0;
  for (let i = Math.max(0, Math.floor(start / level.perPeak)); i < last; i++) if (level.peaks[i] > found) found = level.peaks[i];
  return found / 255;
}
