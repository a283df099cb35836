import { randomFillSync } from 'node:crypto';

/** Salt size, bytes, and how many are generated in one system call: each costs more than a hash. */
const saltBytes = 16;
const atOnce = 256;

/** Random salts for personal values. */
export const salts = (): (() => Buffer) => {
  const pool = Buffer.alloc(saltBytes * atOnce);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += saltBytes;
    return Buffer.from(pool.subarray(at - saltBytes, at));
  };
};
