import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';

/** The cost of one PIN attempt: about 50 ms and 32 MiB, off the main thread. */
const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const length = 32;

/** A stored PIN: hex of a salt and of its scrypt hash. */
export type StoredPin = { salt: string; hash: string };

/** Scrypt of PIN and salt: what proves the PIN. */
export const derivePin = (pin: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(pin, salt, length, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });

export const hashPin = async (pin: string): Promise<StoredPin> => {
  const salt = randomBytes(16);
  return { salt: salt.toString('hex'), hash: (await derivePin(pin, salt)).toString('hex') };
};

/** A PIN that no digits match: the person has one, or needs one, that is not known here. */
export const unknownPin: StoredPin = { salt: '00'.repeat(16), hash: '00'.repeat(32) };

/** Whether a PIN of this person can be compared here; true without one. */
export const isPinKnown = ({ pin }: { pin: StoredPin | null }): boolean => pin?.hash !== unknownPin.hash;

/** A PIN as a policy contains it. */
export const pinText = ({ salt, hash }: StoredPin): string => `scrypt:${salt}:${hash}`;

/** The PIN in such a text. */
export const pinIn = (text: string): StoredPin => {
  const [, salt = '', hash = ''] = text.split(':');
  return { salt, hash };
};

/** A first PIN for a policy, which every user of a computer can read: random and long, so that it cannot be guessed. */
export const newFirstPin = async (): Promise<{ pin: string; text: string }> => {
  const pin = Array.from({ length: 12 }, () => randomInt(10)).join('');
  return { pin, text: pinText(await hashPin(pin)) };
};

/** Compares in constant time. */
export const isPin = async (pin: string, stored: StoredPin): Promise<boolean> =>
  timingSafeEqual(await derivePin(pin, Buffer.from(stored.salt, 'hex')), Buffer.from(stored.hash, 'hex'));
