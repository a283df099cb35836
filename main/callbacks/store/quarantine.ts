import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeFileAtomicSync } from '../../files/replace-file.ts';
import type { ReceiverHealth } from '../../../shared/contract/contract.ts';

/** Limit of the quarantine's callbacks in the payment log, bytes (see `storedBytes`). */
const maxBytes = 64 * 1024 * 1024;
/** Delay between two writes of the count: a crash loses at most the callbacks of this time. */
const writeDelayMs = 1_000;

/** Limit of remembered resets. */
const maxRemembered = 100;

const stateSchema = z.object({
  /** Start of the current count, and the agent who reset it; null = from the beginning. */
  since: z.int(),
  by: z.string().nullable(),
  callbacks: z.int(),
  bytes: z.int(),
  /** Each reset, with the callbacks counted until then; the latest last. */
  made: z.array(z.object({ at: z.int(), by: z.string(), callbacks: z.int(), bytes: z.int() })).default([]),
});
type State = z.infer<typeof stateSchema>;

/**
 * Counts the unverified callbacks that were admitted. They are evidence and stay in the log. The count limits them,
 * because sending one requires no password and could fill the disk.
 */
export type Quarantine = ReturnType<typeof openQuarantine>;

/**
 * Opens the count stored in `file` (created if missing; an unreadable one counts from zero). `maxCallbacks`: limit of
 * callbacks, read each time. `changed` is called when it refuses the first one.
 */
export const openQuarantine = (
  file: string,
  maxCallbacks: () => number,
  clock: () => number,
  changed: () => void,
) => {
  let state: State = { since: clock(), by: null, callbacks: 0, bytes: 0, made: [] };
  try {
    state = stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // An unreadable count starts from zero; nothing else depends on it.
  }
  let refused = 0;
  let timer: NodeJS.Timeout | null = null;
  const write = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    try {
      writeFileAtomicSync(file, JSON.stringify(state));
    } catch {
      // The payment log reports a full disk.
    }
  };
  const later = (): void => {
    timer ??= setTimeout(write, writeDelayMs).unref();
  };
  const full = (): boolean => state.callbacks >= maxCallbacks() || state.bytes >= maxBytes;

  const countRejected = (): void => {
    refused += 1;
    if (refused === 1) changed();
  };

  return {
    /** Counts one that was refused elsewhere: its order has too many already. */
    countRejected,
    /** Whether there is room for one more callback of this many bytes; counts it if so. */
    admits: (bytes: number): boolean => {
      if (full()) {
        countRejected();
        return false;
      }
      state = { ...state, callbacks: state.callbacks + 1, bytes: state.bytes + bytes };
      later();
      return true;
    },
    /** Removes counted ones that could not be written, or were verified since. */
    release: (callbacks: number, bytes: number): void => {
      state = {
        ...state,
        callbacks: Math.max(0, state.callbacks - callbacks),
        bytes: Math.max(0, state.bytes - bytes),
      };
      later();
    },
    /** Resets the count, and records who did it and when; all stored callbacks stay in the log. */
    resetQuarantine: (agent: string): void => {
      const { callbacks, bytes, made } = state;
      const at = clock();
      state = {
        since: at,
        by: agent,
        callbacks: 0,
        bytes: 0,
        made: [...made, { at, by: agent, callbacks, bytes }].slice(-maxRemembered),
      };
      refused = 0;
      write();
    },
    state: (): ReceiverHealth['quarantine'] => ({
      callbacks: state.callbacks,
      maxCallbacks: maxCallbacks(),
      bytes: state.bytes,
      maxBytes,
      full: full(),
      refused,
      since: state.since,
      by: state.by,
    }),
    close: (): void => {
      if (timer) write();
    },
  };
};
