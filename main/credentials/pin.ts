import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

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

/** Compares in constant time. */
export const isPin = async (pin: string, stored: StoredPin): Promise<boolean> =>
  timingSafeEqual(await derivePin(pin, Buffer.from(stored.salt, 'hex')), Buffer.from(stored.hash, 'hex'));
