import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { writeFileAtomicSync } from '../../files/replace-file.ts';
import type { ReceiverHealth } from '../../../shared/contract/index.ts';

/** Bytes in the payment log that callbacks of the quarantine take at most, whatever their number (see `storedBytes`). */
const maxBytes = 64 * 1024 * 1024;
/** Milliseconds between two writings of the count: a crash forgets no more than came in one of them. */
const writeDelayMs = 1_000;

/** How many times of making room are remembered. */
const maxRemembered = 100;

const stateSchema = z.object({
  /** Since when it is counted, and who made room then; null = from the beginning. */
  since: z.int(),
  by: z.string().nullable(),
  callbacks: z.int(),
  bytes: z.int(),
  /** Each time somebody made room, and what had been let in until then; the latest last. */
  made: z.array(z.object({ at: z.int(), by: z.string(), callbacks: z.int(), bytes: z.int() })).default([]),
});
type State = z.infer<typeof stateSchema>;

/**
 * Counts the unverified callbacks that were let in. They are evidence and stay in the log; the count is what
 * keeps strangers, who need no password to send one, from filling the disk with them.
 */
export type Quarantine = {
  /** Whether there is room for one more of so many bytes; it is counted when there is. */
  admits(bytes: number): boolean;
  /** Counts one that was turned away elsewhere: its order holds too many already. */
  countRejected(): void;
  /** One that was counted and could not be written after all, or was verified since. */
  release(callbacks: number, bytes: number): void;
  /** Counts from zero again, and remembers who did it and when; all that was kept stays in the log. */
  resetQuarantine(agent: string): void;
  state(): ReceiverHealth['quarantine'];
  close(): void;
};

/**
 * Opens the count kept in `file` (made when missing; an unreadable one counts from zero).
 * `most`: callbacks at most, read each time. `changed` is called when it turns the first one away.
 */
export const openQuarantine = (
  file: string,
  maxCallbacks: () => number,
  clock: () => number,
  changed: () => void,
): Quarantine => {
  let state: State = { since: clock(), by: null, callbacks: 0, bytes: 0, made: [] };
  try {
    state = stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Counted from zero: what is in the way of reading it is in the way of nothing else.
  }
  let refused = 0;
  let timer: NodeJS.Timeout | null = null;
  const write = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    try {
      writeFileAtomicSync(file, JSON.stringify(state));
    } catch {
      // A disk that is full is said by the log itself.
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
    countRejected,
    admits: bytes => {
      if (full()) {
        countRejected();
        return false;
      }
      state = { ...state, callbacks: state.callbacks + 1, bytes: state.bytes + bytes };
      later();
      return true;
    },
    release: (callbacks, bytes) => {
      state = {
        ...state,
        callbacks: Math.max(0, state.callbacks - callbacks),
        bytes: Math.max(0, state.bytes - bytes),
      };
      later();
    },
    resetQuarantine: agent => {
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
    state: () => ({
      callbacks: state.callbacks,
      maxCallbacks: maxCallbacks(),
      bytes: state.bytes,
      maxBytes,
      full: full(),
      refused,
      since: state.since,
      by: state.by,
    }),
    close: () => {
      if (timer) write();
    },
  };
};
