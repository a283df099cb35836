import { inflateSync } from 'node:zlib';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** PNG's prediction of a byte from those at its left, above, and above left: the nearest to their plane. */
const paeth = (left: number, up: number, corner: number): number => {
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
};

/** PNG's predictions of a byte, by their number. */
const predictions: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  left => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
];

/** The bytes of an image: one (grey), three (red, green, blue) or four (with alpha) per pixel. */
type Bitmap = { width: number; height: number; channels: number; bytes: Uint8Array };

/** Reads a PNG with eight bits a channel, not interlaced: what our pictures are. */
export const readBitmap = (png: Buffer): Bitmap => {
  const parts: Buffer[] = [];
  let header = Buffer.alloc(13);
  for (let at = signature.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const kind = png.toString('latin1', at + 4, at + 8);
    if (kind === 'IHDR') header = Buffer.from(data);
    if (kind === 'IDAT') parts.push(data);
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = { 0: 1, 2: 3, 6: 4 }[header[9] ?? -1];
  if (channels === undefined || header[8] !== 8 || header[12] !== 0) throw new Error('another kind of PNG');
  const raw = inflateSync(Buffer.concat(parts));
  const line = width * channels;
  let above = new Uint8Array(line);
  const bytes = new Uint8Array(line * height);
  for (let y = 0; y < height; y += 1) {
    const start = y * (line + 1);
    const row = bytes.subarray(y * line, (y + 1) * line);
    row.set(raw.subarray(start + 1, start + 1 + line));
    const prediction = predictions[raw[start] ?? 0];
    if (prediction === undefined) throw new Error('another kind of PNG');
    for (let at = 0; at < line; at += 1)
      row[at] =
        (row[at] ?? 0) + prediction(row[at - channels] ?? 0, above[at] ?? 0, above[at - channels] ?? 0);
    above = row;
  }
  return { width, height, channels, bytes };
};
