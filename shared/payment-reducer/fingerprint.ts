import { isPersonalName } from '../callbacks/pii-fields.ts';
import type { Flag, PaymentRow } from '../payments/payment.ts';
import { compareTexts } from '../compare-texts.ts';

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

/** Changes with every repeated delivery, which is no new fact. */
const isRepetition = ({ kind }: Flag): boolean => kind === 'duplicate-delivery';

/** A flag without a personal value: a digest of it could be guessed after the value was erased. */
const flagFacts = ({ kind, values }: Flag): unknown[] => {
  const { field } = values;
  return field !== undefined && isPersonalName(field)
    ? [kind, field]
    : [kind, ...Object.entries(values).toSorted(([one], [other]) => compareTexts(one, other))];
};

type Facts = Pick<
  PaymentRow,
  | 'state'
  | 'reason'
  | 'amount'
  | 'currency'
  | 'paymentIds'
  | 'linkUsable'
  | 'expiresAt'
  | 'paidAt'
  | 'basis'
  | 'entries'
  | 'pendingSince'
  | 'flags'
>;

/**
 * The fingerprint of what is known about a payment: state, amounts, money that moved, payment ids, the current link
 * and flags. It does not contain the time of the evidence, notes, shared links or reviews. Repeated evidence gives the
 * same fingerprint, and so do the same events in any order. A resolution names it, and holds while it is the same.
 */
export const fingerprintOf = (payment: Facts): string => {
  const { basis } = payment;
  return sha256(
    JSON.stringify([
      payment.state,
      payment.reason,
      payment.amount,
      payment.currency,
      payment.paymentIds.toSorted(),
      payment.linkUsable,
      payment.expiresAt,
      payment.paidAt !== null,
      basis && [basis.kind, basis.verified],
      payment.entries
        .map(({ kind, amount, isCounter, paymentId }) => JSON.stringify([kind, amount, isCounter, paymentId]))
        .toSorted(),
      payment.pendingSince !== null,
      payment.flags.filter(flag => !isRepetition(flag)).map(flagFacts),
    ]),
  ).slice(0, 32);
};
