// Where a fader stands for a gain, and how levels are said. The law is that of Ardour's faders: position =
// ((6 log2(gain) + 192) / 198)^8.

export const position = (gain) => (gain <= 0 ? 0 : Math.max(0, (6 * Math.log2(gain) + 192) / 198) ** 8);
export const gain = (position) => (position <= 0 ? 0 : 2 ** ((position ** (1 / 8) * 198 - 192) / 6));

export const decibels = (gain) => 20 * Math.log10(gain);
export const fromDecibels = (level) => 10 ** (level / 20);

export function level(gain) {
  if (gain <= 0) return "-inf";
  const value = decibels(gain);
  return (Math.abs(value) < 0.05 ? 0 : value).toFixed(Math.abs(value) < 99.5 ? 1 : 0);
}

// A number as it is read by eyes: with the minus sign of typography.
export const signed = (number) => String(number).replace("inf", "\u221e").replace("-", "\u2212");

export function clock(seconds) {
  const whole = Math.round(Math.max(0, seconds) * 100) / 100, minutes = Math.floor(whole / 60);
  return `${minutes}:${(whole - 60 * minutes).toFixed(2).padStart(5, "0")}`;
}

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
