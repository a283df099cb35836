import type { Result } from '../../shared/errors.ts';
import type { Installation, UnconfirmedList } from '../../shared/team/team-standing.ts';
import { startLoop } from '../pacing/loop.ts';
import type { SharedLog } from '../payment-log/postgres/open-shared-log.ts';

/** How long a console may be without confirming erasures before it is shown, and the interval of asking. */
const unconfirmedMs = 24 * 3_600_000;
const everyMs = 600_000;

/** The installations of a shared log, as last read. */
export type KnownInstallations = {
  list(): readonly Installation[];
  /** Consoles that have not confirmed erasures for more than a day. */
  unconfirmed(): readonly UnconfirmedList[];
  /** Reads them now. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** `onChange`: called when they have changed. */
export const startKnownInstallations = (
  shared: { installations: Pick<SharedLog['installations'], 'list' | 'unconfirmed'> },
  onChange: () => void,
): KnownInstallations => {
  let list: readonly Installation[] = [];
  let unconfirmed: readonly UnconfirmedList[] = [];
  const valueOr = <T>(read: Result<T>, before: T): T => (read.ok ? read.value : before);
  const read = async (): Promise<void> => {
    const before = JSON.stringify([list, unconfirmed]);
    list = valueOr(await shared.installations.list(), list);
    unconfirmed = valueOr(await shared.installations.unconfirmed(unconfirmedMs), unconfirmed);
    if (JSON.stringify([list, unconfirmed]) !== before) onChange();
  };
  const loop = startLoop(read, { everyMs });
  return {
    list: () => list,
    unconfirmed: () => unconfirmed,
    refresh: () => loop.wake(),
    close: () => loop.close(),
  };
};
