import type { Connection } from './connection.ts';

/** How far ahead the next months are created. */
const aheadMs = 40 * 24 * 3_600_000;
/** From this time before the end of the created months, further ones are created. */
const marginMs = 10 * 24 * 3_600_000;

/** Creates the monthly partitions of events before they are stored. */
export type Months = {
  /** `first` and `last`: times of recording, milliseconds. Never rejects: the default partition takes the rest. */
  ensure(connection: Connection, first: number, last: number): Promise<void>;
};

export const createMonths = (): Months => {
  let from = Number.POSITIVE_INFINITY;
  let until = Number.NEGATIVE_INFINITY;
  return {
    ensure: async (connection, first, last) => {
      if (first >= from && last + marginMs <= until) return;
      try {
        await connection.query('SELECT months_1($1, $2)', [first, last + aheadMs]);
        from = Math.min(from, first);
        until = Math.max(until, last + aheadMs);
      } catch {
        // The request that follows reports a lost connection.
      }
    },
  };
};
