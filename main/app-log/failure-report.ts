import { randomInt } from 'node:crypto';

/**
 * Passes failures from any thread to the application log. A failure gets its reference where it occurs, so that the
 * error in the window and the record in the log have the same one.
 */

export type Area =
  | 'request'
  | 'window'
  | 'payment-log'
  | 'callback-file'
  | 'receiver'
  | 'gateway'
  | 'background'
  | 'settings'
  | 'team'
  | 'process';

/** A thrown value; not redacted yet. */
export type ErrorRecord = {
  name: string;
  message: string;
  stack: string | null;
  code: string | null;
  cause: ErrorRecord | null;
};

export type FailureRecord = {
  area: Area;
  /** A sentence of ours, without values. */
  message: string;
  reference: string;
  error: ErrorRecord | null;
};

/** Depth limit of recorded causes. */
const maxDepth = 4;
/** Letters and digits that are unambiguous when read aloud. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/** A reference that can be read aloud: `K7QW-2M9D`. */
export const newReference = (): string => {
  const characters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]);
  return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`;
};

const textOf = (value: unknown): string => {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    return typeof value;
  }
};

/** Reads a property of a thrown value, which may be anything, including a getter that throws. */
const property = (value: object, key: string): unknown => {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
};

/** A thrown value as plain data that can be sent between threads. Never throws. */
export const describeError = (thrown: unknown, depth = 0): ErrorRecord => {
  if (typeof thrown !== 'object' || thrown === null)
    return { name: typeof thrown, message: textOf(thrown), stack: null, code: null, cause: null };
  const [name, message, stack, code, cause] = ['name', 'message', 'stack', 'code', 'cause'].map(key =>
    property(thrown, key),
  );
  const text = typeof message === 'string' ? message : textOf(thrown);
  // JSON.parse quotes its input, which may be anything.
  const quotes = name === 'SyntaxError' && /JSON/.test(text);
  const hide = (value: string): string => (quotes ? value.replaceAll(/"[^\n]*"|'[^\n]*'/g, '"•••"') : value);
  return {
    name: typeof name === 'string' ? name : 'Error',
    message: hide(text),
    stack: typeof stack === 'string' ? hide(stack) : null,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : null,
    cause:
      cause === undefined || cause === null || depth >= maxDepth ? null : describeError(cause, depth + 1),
  };
};

/**
 * Deduplication window, milliseconds: a repeated failure is recorded once, under one reference. A full disk refuses
 * every callback.
 */
const repeatMs = 10_000;
/** Limit of failures remembered for deduplication. */
const maxRecent = 100;

/** One sink per thread: main's writes to the application log, a worker's posts to main. */
let sink: (record: FailureRecord) => void = () => undefined;
const recent = new Map<string, { reference: string; until: number }>();

/** Sets the sink of this thread's failures. */
export const setFailureSink = (next: (record: FailureRecord) => void): void => {
  sink = next;
};

/** Forwards a failure of another thread. */
export const forwardFailure = (record: FailureRecord): void => sink(record);

/** Reports a thrown value; returns its reference in the application log. */
export const reportFailure = (area: Area, message: string, thrown: unknown): string => {
  const error = describeError(thrown);
  const key = `${area} ${message} ${error.name} ${error.code ?? ''} ${error.message} ${error.stack ?? ''}`;
  const now = performance.now();
  const same = recent.get(key);
  if (same && now < same.until) return same.reference;
  const reference = newReference();
  recent.delete(key);
  recent.set(key, { reference, until: now + repeatMs });
  const [oldest] = recent.keys();
  if (recent.size > maxRecent && oldest !== undefined) recent.delete(oldest);
  sink({ area, message, reference, error });
  return reference;
};
