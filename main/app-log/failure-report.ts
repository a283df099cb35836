import { randomInt } from 'node:crypto';

/**
 * Failures on their way to the application log, from whichever thread they happen on. A failure gets its reference
 * where it happens, so that the error shown in the window and the record in the log carry the same one.
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
  | 'process';

/** What was thrown; not redacted yet. */
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

/** Causes of causes that are recorded. */
const maxDepth = 4;
/** Letters and digits that are told apart when they are read out. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

/** A reference that a person can read out: `K7QW-2M9D`. */
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

/** Reads a property of something thrown, which may be anything, a getter that throws included. */
const property = (value: object, key: string): unknown => {
  try {
    return (value as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
};

/** What was thrown as plain data that crosses between threads. Never throws. */
export const describeError = (thrown: unknown, depth = 0): ErrorRecord => {
  if (typeof thrown !== 'object' || thrown === null)
    return { name: typeof thrown, message: textOf(thrown), stack: null, code: null, cause: null };
  const [name, message, stack, code, cause] = ['name', 'message', 'stack', 'code', 'cause'].map(key =>
    property(thrown, key),
  );
  const text = typeof message === 'string' ? message : textOf(thrown);
  // JSON.parse quotes what it read, which may be anything.
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

/** Milliseconds in which the same failure is recorded once, under one reference: a full disk refuses every callback. */
const repeatMs = 10_000;
/** Failures that are told apart at once. */
const maxRecent = 100;

/** One sink a thread: main's writes to the application log, a worker's posts to main. */
let sink: (record: FailureRecord) => void = () => undefined;
const recent = new Map<string, { reference: string; until: number }>();

/** Sets where this thread's failures go. */
export const setFailureSink = (next: (record: FailureRecord) => void): void => {
  sink = next;
};

/** Passes on a failure that another thread has reported. */
export const forwardFailure = (record: FailureRecord): void => sink(record);

/** Reports what was thrown; returns the reference under which it is in the application log. */
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
