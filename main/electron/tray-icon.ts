/**
 * The tray icon, drawn: the stub of a ticket with its two notches, and a dot while something needs attention. Plain
 * pixels, because the operating systems require bitmaps of different sizes.
 */

type Colour = readonly [red: number, green: number, blue: number];
const accent: Colour = [92, 112, 240];
const alert: Colour = [243, 185, 76];
/** Samples per pixel and direction, for antialiasing. */
const samplesPerAxis = 4;

/** Lengths are fractions of the icon's side. */
const isStub = (x: number, y: number): boolean => {
  const cornerRadius = 0.1;
  const [left, right, top, bottom] = [0.06, 0.94, 0.2, 0.8];
  if (x < left || x > right || y < top || y > bottom) return false;
  const dx = Math.max(left + cornerRadius - x, 0, x - (right - cornerRadius));
  const dy = Math.max(top + cornerRadius - y, 0, y - (bottom - cornerRadius));
  if (Math.hypot(dx, dy) > cornerRadius) return false;
  return Math.hypot(x - 0.36, y - top) > 0.1 && Math.hypot(x - 0.36, y - bottom) > 0.1;
};
const fromDot = (x: number, y: number): number => Math.hypot(x - 0.76, y - 0.26);
const dot = 0.22;
const gap = 0.3;

/** BGRA with premultiplied alpha, `side` by `side` pixels; `black`: as macOS requires for menu bar icons. */
export const drawTrayIcon = (side: number, needsAttention: boolean, black = false): Buffer => {
  const pixels = Buffer.alloc(side * side * 4);
  const step = 1 / (side * samplesPerAxis);
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1) {
      let notchSamples = 0;
      let coveredSamples = 0;
      for (let sample = 0; sample < samplesPerAxis * samplesPerAxis; sample += 1) {
        const x = column / side + ((sample % samplesPerAxis) + 0.5) * step;
        const y = row / side + (Math.floor(sample / samplesPerAxis) + 0.5) * step;
        const distance = needsAttention ? fromDot(x, y) : 1;
        if (distance <= dot) coveredSamples += 1;
        else if (distance > gap && isStub(x, y)) notchSamples += 1;
      }
      const at = (row * side + column) * 4;
      const parts = samplesPerAxis * samplesPerAxis;
      for (const [channel, index] of [
        [2, 0],
        [1, 1],
        [0, 2],
      ] as const)
        pixels[at + index] = black
          ? 0
          : Math.round((accent[channel] * notchSamples + alert[channel] * coveredSamples) / parts);
      pixels[at + 3] = Math.round((255 * (notchSamples + coveredSamples)) / parts);
    }
  return pixels;
};
