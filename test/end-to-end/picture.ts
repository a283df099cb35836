import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** An image as grey values, row by row, 0 (black) to 255 (white). */
export type Picture = { width: number; height: number; grey: Uint8Array };

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** PNG's prediction of a byte from those at its left, above, and above left: the nearest to their plane. */
const paeth = (left: number, up: number, corner: number): number => {
  const byLeft = Math.abs(up - corner);
  const byUp = Math.abs(left - corner);
  const byCorner = Math.abs(left + up - 2 * corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
};

/**
 * Adds to each byte of a line PNG's prediction from the bytes at its left and above. One loop for each kind: a screenshot
 * has four million bytes.
 */
const addPrediction = (kind: number, row: Uint8Array, above: Uint8Array, channels: number): void => {
  const add = (at: number, prediction: number): void => {
    row[at] = (row[at] ?? 0) + prediction;
  };
  if (kind === 1) for (let at = channels; at < row.length; at += 1) add(at, row[at - channels] ?? 0);
  if (kind === 2) for (let at = 0; at < row.length; at += 1) add(at, above[at] ?? 0);
  if (kind === 3)
    for (let at = 0; at < row.length; at += 1) add(at, ((row[at - channels] ?? 0) + (above[at] ?? 0)) >> 1);
  if (kind === 4)
    for (let at = 0; at < row.length; at += 1)
      add(at, paeth(row[at - channels] ?? 0, above[at] ?? 0, above[at - channels] ?? 0));
};

/** The bytes of an image: one (grey), three (red, green, blue) or four (with alpha) per pixel. */
type Bitmap = { width: number; height: number; channels: number; bytes: Uint8Array };

/** Reads a PNG with eight bits a channel, not interlaced: what Chromium and `writePng` write. */
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
    addPrediction(raw[start] ?? 0, row, above, channels);
    above = row;
  }
  return { width, height, channels, bytes };
};

/** Reads a PNG as grey values. */
export const readPng = (png: Buffer): Picture => {
  const { width, height, channels, bytes } = readBitmap(png);
  const grey = new Uint8Array(width * height);
  if (channels === 1) return { width, height, grey: bytes };
  for (let at = 0, from = 0; at < grey.length; at += 1, from += channels)
    grey[at] = 0.299 * (bytes[from] ?? 0) + 0.587 * (bytes[from + 1] ?? 0) + 0.114 * (bytes[from + 2] ?? 0);
  return { width, height, grey };
};

const chunk = (kind: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
};

/** Writes an image as a grey PNG. */
export const writePng = ({ width, height, grey }: Picture): Buffer => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const lines = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    lines.set(grey.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** The image in blocks of `side` pixels, each its mean. */
export const byBlocks = ({ width, height, grey }: Picture, side: number): Picture => {
  const [across, down] = [Math.floor(width / side), Math.floor(height / side)];
  const blocks = new Uint8Array(across * down);
  for (let at = 0; at < blocks.length; at += 1) {
    let sum = 0;
    for (let y = 0; y < side; y += 1)
      for (let x = 0; x < side; x += 1)
        sum += grey[(Math.floor(at / across) * side + y) * width + (at % across) * side + x] ?? 0;
    blocks[at] = Math.round(sum / side ** 2);
  }
  return { width: across, height: down, grey: blocks };
};

/** The share of blocks, 0 to 1, by which two images of one size differ by more than `tolerance` of 255. */
export const shareThatDiffers = (one: Picture, other: Picture, tolerance: number): number => {
  if (one.width !== other.width || one.height !== other.height) return 1;
  let differing = 0;
  for (const [at, value] of one.grey.entries())
    if (Math.abs(value - (other.grey[at] ?? 0)) > tolerance) differing += 1;
  return differing / one.grey.length;
};
