import type { ChainEnd } from '../../payment-log/answers.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { SharedLog } from '../../payment-log/postgres/open-shared-log.ts';
import { startServerClock } from '../../team/server-clock.ts';
import { startShipping } from '../../team/ship.ts';
import { startWitness } from '../../team/witness.ts';
import type { TeamUpkeep } from './team-upkeep.ts';
import type { Result } from '../../../shared/errors.ts';
import type { Installation, UnconfirmedList } from '../../../shared/team/team-standing.ts';
import { startLoop } from '../../pacing/loop.ts';

/** How long a console may be without confirming erasures before it is shown, and the interval of asking. */
const unconfirmedMs = 24 * 3_600_000;
const everyMs = 600_000;

/** The installations of a shared log, as last read. `onChange`: called when they have changed. */
const startKnownInstallations = (
  shared: { installations: Pick<SharedLog['installations'], 'list' | 'unconfirmed'> },
  onChange: () => void,
) => {
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
    list: (): readonly Installation[] => list,
    /** Consoles that have not confirmed erasures for more than a day. */
    unconfirmed: (): readonly UnconfirmedList[] => unconfirmed,
    /** Reads them now. */
    refresh: (): Promise<void> => loop.wake(),
    close: (): Promise<void> => loop.close(),
  };
};

export type SharedLogPartsGiven = {
  journal: PaymentLog;
  logId: string;
  clock: () => number;
  /** Signs these ends of chains, once a day. */
  signDaily: (ends: readonly ChainEnd[]) => void;
  /** Where the ends of all chains are noted. */
  witnessFile: string;
  /** Called with how far the clock of the server is ahead, milliseconds. */
  onClock: (offsetMs: number) => void;
  /** Called when the state, its problem or the known installations have changed. */
  onChange: () => void;
  /** Called with the number of events that the journal had lost and has fetched back. */
  onRestored: (events: number) => void;
};

/** What a console does with its shared log from its first opening on, until `close`. */
export type SharedLogParts = ReturnType<typeof startSharedLogParts>;

export const startSharedLogParts = (
  shared: SharedLog,
  upkeep: TeamUpkeep,
  { journal, logId, clock, signDaily, witnessFile, onClock, onChange, onRestored }: SharedLogPartsGiven,
) => {
  const witness = startWitness({
    file: witnessFile,
    logId,
    own: journal.ownChain.writer,
    shared,
    onChange,
    onWhole: signDaily,
  });
  const serverClock = startServerClock({ shared, clock, onChange: onClock });
  const installations = startKnownInstallations(shared, onChange);
  const shipping = startShipping({
    journal,
    shared,
    clock,
    onRestored,
    onStanding: ({ state }) => {
      if (state === 'connected')
        void Promise.all([
          installations.refresh(),
          upkeep.onConnected(),
          witness.look(),
          serverClock.measure(),
        ]);
      onChange();
    },
  });
  upkeep.start({ shared, shipping });
  return {
    shared,
    shipping,
    witness,
    serverClock,
    installations,
    close: async (): Promise<void> => {
      const parts = [witness, serverClock, installations, upkeep, shipping, shared];
      await Promise.all(parts.map(part => part.close()));
    },
  };
};
