import { msg } from '../../../shared/messages/message.ts';
import { StatementRefusal } from './statement-refusal.ts';

/** Bytes that decide which encoding a text has. */
const sampleBytes = 256 * 1024;
/** Bytes that are decoded at once: the whole text would need as much memory again. */
const pieceBytes = 256 * 1024;

const isUtf8 = (bytes: Buffer): boolean => {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for (let at = 0; at < bytes.length; at += pieceBytes)
      decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true });
    decoder.decode();
    return true;
  } catch {
    return false;
  }
};

/** UTF-16 without a mark: every second byte of ordinary text is zero. */
const isWide = (bytes: Buffer, zeroAt: 0 | 1): boolean => {
  const sample = bytes.subarray(0, 512);
  let zeros = 0;
  for (let at = zeroAt; at < sample.length; at += 2) if (sample[at] === 0) zeros += 1;
  return sample.length >= 4 && zeros > sample.length * 0.4;
};

/** Umlauts and accented letters of a text, against signs, and letters in places, that no statement has. */
const plausibility = (text: string): number =>
  (text.match(/[äöüßÄÖÜéèêàâçñóíáúìòùłśżźćńęąőűřščžýůěňČŘŠŽåæøîôûãõ€ºª]|\d’\d/g)?.length ?? 0) -
  2 * (text.match(/[¡-©«-¹»-¾×÷„‰†‡Œœ]|[ìòùÈÌÒÙ](?=\p{L})|\d[^\0-\u00a0’\u202f]\d/gu)?.length ?? 0);

/** Single-byte encodings that statements come in; the first of equally plausible ones counts. */
const singleBytes = ['windows-1252', 'windows-1250', 'macintosh'] as const;

/** The label of a text's encoding. Throws `StatementRefusal` for what is no text. */
export const encodingOf = (bytes: Buffer): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (isWide(bytes, 1)) return 'utf-16le';
  if (isWide(bytes, 0)) return 'utf-16be';
  const sample = bytes.subarray(0, sampleBytes);
  if (sample.includes(0)) throw new StatementRefusal(msg('statement-file.no-text'));
  if (isUtf8(bytes)) return 'utf-8';
  const rated = singleBytes.map(label => ({
    label,
    rating: plausibility(new TextDecoder(label).decode(sample)),
  }));
  return rated.reduce((best, one) => (one.rating > best.rating ? one : best)).label;
};

/** The text of a file piece by piece. `label`: an encoding. Throws `StatementRefusal`. */
// oxlint-disable-next-line func-style -- a generator
export function* decoded(bytes: Buffer, label: string): Generator<string> {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label, { fatal: label.startsWith('utf') });
  } catch {
    throw new StatementRefusal(msg('statement-file.encoding', { encoding: label }));
  }
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes)
      yield decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true });
    yield decoder.decode();
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw new StatementRefusal(msg('statement-file.encoding', { encoding: label }));
  }
}
