import { setTimeout as wait } from 'node:timers/promises';
import type { ReplicaLimits } from '../../../shared/administration/policy.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import { sharedLogName } from '../../../shared/team/shared-log-server.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../shared/payments/payment-key.ts';
import type {
  Installation,
  TeamStanding,
  TeamState,
  UnconfirmedReplica,
} from '../../../shared/team/team-standing.ts';
import type { ChainEnd } from '../../payment-log/answers.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { SharedLog } from '../../payment-log/postgres/open-shared-log.ts';
import type { StoredSharedLog } from '../../settings/stored-settings.ts';
import { startShipping, type Shipping } from '../../team/ship.ts';
import type { SharedLogClient } from '../../team/shared-log-client.ts';
import { startServerClock, type ServerClock } from '../../team/server-clock.ts';
import { startWitness, type Witness } from '../../team/witness.ts';
import { createTeamLog } from '../../team/team-log.ts';
import { openTeamReplica } from '../../team/team-replica.ts';
import { createRemoteEventGatherer } from './elsewhere.ts';
import { createTeamUpkeep } from './team-upkeep.ts';

/** Delay between attempts to read the password: the keychain may be locked after signing in. */
const passwordRetryMs = 15_000;
/** How long an end may wait for requests in flight. */
const closeTimeoutMs = 1_500;
/** How long the first events after a start wait for the comparison of the chain's ends. */
const compareTimeoutMs = 3_000;
/** How long a console may be without confirming erasures before it is shown, and the interval of asking. */
const unconfirmedMs = 24 * 3_600_000;
const readUnconfirmedMs = 600_000;
/** Catching up that is shorter is not shown: every new event waits for a moment. */
const calmMs = 2_000;

/** The connection of a journal with a shared log: passes its events on from now until it is closed. */
export type SharedLogLink = {
  standing(): TeamStanding;
  /** Null until the password is known, and if the settings cannot be used. */
  shared(): SharedLog | null;
  /**
   * The payment log of the team. The first events are written only after the ends of the journal's chain were compared
   * with the shared log, or a time limit: a journal from a restored backup must fetch back what it lost before it is
   * extended.
   */
  log(): PaymentLog;
  /** From now on `milliseconds` are added to this computer's clock. */
  correctClock(milliseconds: number): void;
  /** Null until the first contact. */
  parts(): { journal: PaymentLog; shared: SharedLog; shipping: Shipping } | null;
  close(): Promise<void>;
};

type Given = {
  journal: PaymentLog;
  sharedLog: StoredSharedLog;
  /** What the policy says about the payments of others on this computer. */
  limits: ReplicaLimits;
  /** Whether a person is at this computer. */
  isAttended: () => boolean;
  client: SharedLogClient;
  /** The password of the account; null if it has none. */
  readPassword: () => Promise<Result<string | null>>;
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
  /** Called with what other installations wrote; `payments` null: too many to name. */
  onElsewhere: (payments: readonly PaymentKey[] | null, events: readonly Event[]) => void;
};

export const openSharedLogLink = ({
  journal,
  sharedLog,
  limits,
  isAttended,
  client,
  readPassword,
  clock,
  signDaily,
  witnessFile,
  onClock,
  onChange,
  onRestored,
  onElsewhere,
}: Given): SharedLogLink => {
  const { hasPassword: _hasPassword, role, ...settings } = sharedLog;
  const server = sharedLogName(settings);
  const aborted = new AbortController();
  let shared: SharedLog | null = null;
  let shipping: Shipping | null = null;
  let refused: { problem: AppError; since: number } | null = null;
  let events = 0;
  let installations: readonly Installation[] = [];
  let unconfirmed: readonly UnconfirmedReplica[] = [];
  const { writer } = journal.ownChain;
  const gatherer = createRemoteEventGatherer(onElsewhere);
  let shownReplica = '';
  const replica = openTeamReplica({
    journal,
    limits,
    isAttended,
    onChange: (payments, written) => {
      if (written.some(event => !installations.some(one => one.writer === event.writer)))
        void readInstallations();
      if (payments === null) onElsewhere(null, []);
      else gatherer.add(written);
    },
    onStanding: standing => {
      // How much is copied, and up to when, is sent from time to time.
      const text = JSON.stringify({ ...standing, progress: null, levelAt: null });
      if (text === shownReplica) return;
      shownReplica = text;
      onChange();
    },
  });
  let hasContact = false;
  const upkeep = createTeamUpkeep(journal, clock);
  let witness: Witness | null = null;
  let serverClock: ServerClock | null = null;
  /** When the state was `connected` for the last time. */
  let calmUntil = 0;
  const startedAt = clock();

  const countEvents = journal.onChange((_, written) => {
    for (const event of written) if (event.writer === writer) events = Math.max(events, event.writerSeq);
  });

  const open = async (): Promise<void> => {
    const ends = await journal.chainEnds().catch(() => []);
    events = Math.max(events, ends.find(end => end.writer === writer)?.seq ?? 0);
    for (;;) {
      const password = await readPassword();
      const opened = password.ok
        ? await client.open({ ...settings, role, password: password.value })
        : password;
      if (aborted.signal.aborted) {
        if (opened.ok) void opened.value.close();
        return;
      }
      if (opened.ok) {
        shared = opened.value;
        refused = null;
        shipping = startShipping({
          journal,
          shared,
          clock,
          onRestored,
          onStanding: ({ state }) => {
            if (state === 'connected') {
              void readInstallations();
              void readUnconfirmed();
              upkeep.onConnected();
              void witness?.look();
              void serverClock?.measure();
            }
            onChange();
          },
        });
        const { compared } = shipping;
        witness = startWitness({
          file: witnessFile,
          logId: sharedLog.logId,
          own: writer,
          shared,
          onChange,
          onWhole: signDaily,
        });
        serverClock = startServerClock({ shared, clock, onChange: onClock });
        upkeep.start({ shared, shipping });
        void compared.then(() => {
          hasContact = true;
          onChange();
        });
        replica.connect({ ...settings, role, password: password.ok ? password.value : null });
        onChange();
        return;
      }
      if (refused?.problem.code !== opened.error.code) {
        refused = { problem: opened.error, since: clock() };
        onChange();
      }
      await wait(passwordRetryMs, undefined, { signal: aborted.signal, ref: false }).catch(() => undefined);
      if (aborted.signal.aborted) return;
    }
  };
  const gated = (log: PaymentLog): PaymentLog => ({
    ...log,
    append: async drafts => {
      await compared;
      return journal.append(drafts);
    },
    erase: (erasure, watch) => upkeep.erase(erasure, watch),
  });
  const readInstallations = async (): Promise<void> => {
    const read = await shared?.installations.list();
    if (!read?.ok || JSON.stringify(read.value) === JSON.stringify(installations)) return;
    installations = read.value;
    onChange();
  };
  const readUnconfirmed = async (): Promise<void> => {
    const read = await shared?.installations.unconfirmed(unconfirmedMs);
    if (!read?.ok || JSON.stringify(read.value) === JSON.stringify(unconfirmed)) return;
    unconfirmed = read.value;
    onChange();
  };
  const reading = setInterval(() => void readUnconfirmed(), readUnconfirmedMs);
  reading.unref();
  const opening = open();
  const compared = Promise.race([
    opening.then(() => shipping?.compared),
    wait(compareTimeoutMs, undefined, { ref: false, signal: aborted.signal }).catch(() => undefined),
  ]);
  const teamLog = gated(createTeamLog({ journal, replica }));

  const shownState = (state: TeamState, since: number): TeamState => {
    const now = clock();
    if (state === 'connected') calmUntil = now + calmMs;
    return state === 'catching-up' && now < calmUntil && since <= now ? 'connected' : state;
  };

  return {
    standing: () => {
      if (refused)
        return {
          server,
          role,
          state: 'refused',
          since: refused.since,
          events,
          waiting: events,
          oldestWaiting: null,
          problem: refused.problem,
          writer,
          broken: [],
          clockOffsetMs: null,
          replica: replica.standing(),
          installations: [...installations],
          unconfirmed: [...unconfirmed],
        };
      const standing = shipping?.standing();
      return {
        server,
        role,
        state: standing ? shownState(standing.state, standing.since) : 'catching-up',
        since: standing?.since ?? startedAt,
        events,
        waiting: standing?.unshipped.events ?? events,
        oldestWaiting: standing?.unshipped.oldest ?? null,
        problem: standing?.problem ?? null,
        writer,
        broken: [...(witness?.broken() ?? [])],
        clockOffsetMs: serverClock?.offsetMs() ?? null,
        replica: replica.standing(),
        installations: [...installations],
        unconfirmed: [...unconfirmed],
      };
    },
    shared: () => shared,
    log: () => teamLog,
    correctClock: milliseconds => replica.correctClock(milliseconds),
    parts: () => (hasContact && shared && shipping ? { journal, shared, shipping } : null),
    close: async () => {
      aborted.abort();
      countEvents();
      clearInterval(reading);
      gatherer.close();
      upkeep.close();
      witness?.close();
      serverClock?.close();
      await opening;
      await replica.close();
      // A connection that does not answer must not delay the end: what is not there yet follows at the next start.
      await Promise.race([
        Promise.all([shipping?.close(), shared?.close()]),
        wait(closeTimeoutMs, undefined, { ref: false }),
      ]);
    },
  };
};
