/** SHA-256 of a text (UTF-8), as hex. For code that is shared with the window: it is synchronous, without Node. */

/** The first 32 bits of the fractional part of a root. */
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);

const primes: number[] = [];
for (let candidate = 2; primes.length < 64; candidate += 1)
  if (primes.every(prime => candidate % prime !== 0)) primes.push(candidate);
const constants = Int32Array.from(primes, prime => fraction(Math.cbrt(prime)));
const initial = primes.slice(0, 8).map(prime => fraction(Math.sqrt(prime)));

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** The message with its padding: a one, zeros and the length in bits. */
const padded = (text: string): DataView => {
  const message = new TextEncoder().encode(text);
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(bytes.length - 4, message.length << 3);
  return view;
};

export const sha256 = (text: string): string => {
  const view = padded(text);
  const hash = Int32Array.from(initial);
  const words = new Int32Array(64);
  for (let block = 0; block < view.byteLength; block += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getInt32(block + at * 4);
    const word = (at: number): number => words[at] ?? 0;
    for (let at = 16; at < 64; at += 1) {
      const [early, late] = [word(at - 15), word(at - 2)];
      words[at] =
        word(at - 16) +
        (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)) +
        word(at - 7) +
        (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10));
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let at = 0; at < 64; at += 1) {
      const sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const one = (h + sum + ((e & f) ^ (~e & g)) + (constants[at] ?? 0) + word(at)) | 0;
      const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) hash[at] = (hash[at] ?? 0) + value;
  }
  return Array.from(hash, value => (value >>> 0).toString(16).padStart(8, '0')).join('');
};
