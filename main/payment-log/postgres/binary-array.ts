/**
 * Arrays as parameters in PostgreSQL's binary format. A text array costs the client and the server a pass over every
 * character for quotes, and bytes cost twice their size.
 *
 * Format: dimensions, whether there are nulls, the type of the elements, then the length and the lower bound of each
 * dimension; each element with its size, -1 for null. All numbers have 32 bits, the highest byte first.
 */

/** Type numbers of the elements. */
const types = { bytea: 17, bigint: 20, text: 25, uuid: 2950 } as const;
const headBytes = 20;
const sizeBytes = 4;

/** `sizeOf`: of an element in bytes. `write`: writes it at a position. */
const arrayOf = <T>(
  type: number,
  values: readonly (T | null)[],
  sizeOf: (value: T) => number,
  write: (buffer: Buffer, value: T, at: number) => void,
): Buffer => {
  const sizes = values.map(value => (value === null ? 0 : sizeOf(value)));
  const buffer = Buffer.alloc(sizes.reduce((sum, size) => sum + sizeBytes + size, headBytes));
  let at = 0;
  const number = (value: number): void => {
    at = buffer.writeInt32BE(value, at);
  };
  for (const value of [1, Number(values.includes(null)), type, values.length, 1]) number(value);
  for (const [index, value] of values.entries()) {
    const size = sizes[index] ?? 0;
    number(value === null ? -1 : size);
    if (value !== null) write(buffer, value, at);
    at += size;
  }
  return buffer;
};

/** For `text[]`. The server refuses a text with a zero byte. */
export const textArray = (values: readonly (string | null)[]): Buffer =>
  arrayOf(
    types.text,
    values,
    text => Buffer.byteLength(text),
    (buffer, text, at) => buffer.write(text, at),
  );

const hexArray = (type: number, values: readonly (string | null)[]): Buffer =>
  arrayOf(
    type,
    values,
    hex => hex.length / 2,
    (buffer, hex, at) => buffer.write(hex, at, 'hex'),
  );

/** For `bytea[]`; the values in hex. */
export const bytesArray = (values: readonly (string | null)[]): Buffer => hexArray(types.bytea, values);

/** For `uuid[]`. */
export const uuidArray = (values: readonly string[]): Buffer =>
  hexArray(
    types.uuid,
    values.map(value => value.replaceAll('-', '')),
  );

/** For `bigint[]`; the values are whole numbers. */
export const bigintArray = (values: readonly number[]): Buffer =>
  arrayOf(
    types.bigint,
    values,
    () => 8,
    (buffer, value, at) => buffer.writeBigInt64BE(BigInt(value), at),
  );
