import { setTimeout as wait } from 'node:timers/promises';
import { ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { OthersStanding, TeamStanding, TeamState } from '../../../shared/team/team-standing.ts';
import { sharedLogName } from '../../../shared/team/shared-log-server.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';
import { retry } from '../../pacing/retry.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { SharedLog } from '../../payment-log/postgres/open-shared-log.ts';
import type { StoredSharedLog } from '../../settings/stored-settings.ts';
import type { Shipping } from '../../team/ship.ts';
import type { SharedLogClient } from '../../team/shared-log-client.ts';
import { createRemoteEventGatherer } from './elsewhere.ts';
import { startSharedLogParts, type SharedLogParts, type SharedLogPartsGiven } from './shared-log-parts.ts';
import { createTeamUpkeep } from './team-upkeep.ts';

/** Delay between attempts to read the password: the keychain may be locked after signing in. */
const passwordRetryMs = 15_000;
/** How long an end may wait for requests in flight. */
const closeTimeoutMs = 1_500;
/** How long the first events after a start wait for the comparison of the chain's ends. */
const compareTimeoutMs = 3_000;
/** Interval of asking whether a person is at the console. */
const attendMs = 5_000;
/** Catching up that is shorter is not shown: every new event waits for a moment. */
const calmMs = 2_000;

/** The connection of a journal with a shared log: passes its events on from now until it is closed. */
export type SharedLogLink = ReturnType<typeof openSharedLogLink>;

type Given = Omit<SharedLogPartsGiven, 'logId'> & {
  sharedLog: StoredSharedLog;
  /** How long this computer's list may be without the erasures of the shared log, milliseconds. */
  maxAwayMs: number;
  /** Whether a person is at this computer. */
  isAttended: () => boolean;
  client: SharedLogClient;
  /** The password of the account; null if it has none. */
  readPassword: () => Promise<Result<string | null>>;
  /** Called with what other installations wrote; `payments` null: too many to name. */
  onElsewhere: (payments: readonly PaymentKey[] | null, events: readonly Event[]) => void;
};

export const openSharedLogLink = ({
  sharedLog,
  maxAwayMs,
  isAttended,
  client,
  readPassword,
  onElsewhere,
  ...given
}: Given) => {
  const { journal, clock, onChange } = given;
  const { hasPassword: _hasPassword, role, ...settings } = sharedLog;
  const server = sharedLogName(settings);
  const aborted = new AbortController();
  let parts: SharedLogParts | null = null;
  let refused: { problem: AppError; since: number } | null = null;
  let events = 0;
  const { writer } = journal.ownChain;
  const gatherer = createRemoteEventGatherer(onElsewhere);
  let shownOthers = '';
  const { paymentList } = journal;
  const followed = { logId: sharedLog.logId, maxAwayMs };
  void paymentList?.follow(followed);
  const stopListening = [
    paymentList?.onElsewhere((payments, written) => {
      const known = parts?.installations;
      if (known && written.some(event => !known.list().some(one => one.writer === event.writer)))
        void known.refresh();
      if (payments === null) onElsewhere(null, []);
      else gatherer.add(written);
    }),
    paymentList?.onStanding(({ others }) => {
      // How much is copied, and up to when, is sent from time to time.
      const text = JSON.stringify({ ...others, progress: null, levelAt: null });
      if (text === shownOthers) return;
      shownOthers = text;
      onChange();
    }),
  ];
  let wasAttended = true;
  const attending = setInterval(() => {
    if (isAttended() === wasAttended) return;
    wasAttended = !wasAttended;
    paymentList?.attend(wasAttended);
  }, attendMs);
  attending.unref();
  /** Level only while the connection that ships works as well. */
  const others = (state: TeamState): OthersStanding | null => {
    const standing = paymentList?.standing().others ?? null;
    const isConnected = state === 'connected' || state === 'catching-up';
    return standing && { ...standing, isLevel: standing.isLevel && isConnected };
  };
  let hasContact = false;
  const upkeep = createTeamUpkeep(journal, clock);
  /** When the state was `connected` for the last time. */
  let calmUntil = 0;
  const startedAt = clock();

  const countEvents = journal.onChange((_, written) => {
    for (const event of written) if (event.writer === writer) events = Math.max(events, event.writerSeq);
  });

  const open = async (): Promise<void> => {
    const ends = await journal.chainEnds().catch(() => []);
    events = Math.max(events, ends.find(end => end.writer === writer)?.seq ?? 0);
    const opened = await retry(
      async () => {
        const password = await readPassword();
        if (!password.ok) return password;
        const account = { ...settings, role, password: password.value };
        const found = await client.open(account);
        return found.ok ? ok({ account, shared: found.value }) : found;
      },
      outcome => {
        if (outcome.ok || aborted.signal.aborted) return null;
        if (refused?.problem.code !== outcome.error.code) {
          refused = { problem: outcome.error, since: clock() };
          onChange();
        }
        return passwordRetryMs;
      },
      { signal: aborted.signal },
    );
    if (!opened.ok) return;
    const { account, shared } = opened.value;
    if (aborted.signal.aborted) return void shared.close();
    refused = null;
    parts = startSharedLogParts(shared, upkeep, { ...given, logId: sharedLog.logId });
    void parts.shipping.compared.then(() => {
      hasContact = true;
      onChange();
    });
    void paymentList?.follow(followed, account);
    onChange();
  };
  const gated = (log: PaymentLog): PaymentLog => ({
    ...log,
    append: async drafts => {
      await compared;
      return journal.append(drafts);
    },
    erase: (erasure, watch) => upkeep.erase(erasure, watch),
  });
  const opening = open().catch(() => undefined);
  const compared = Promise.race([
    opening.then(() => parts?.shipping.compared),
    wait(compareTimeoutMs, undefined, { ref: false, signal: aborted.signal }).catch(() => undefined),
  ]);
  const teamLog = gated(journal);

  const shownState = (state: TeamState, since: number): TeamState => {
    const now = clock();
    if (state === 'connected') calmUntil = now + calmMs;
    return state === 'catching-up' && now < calmUntil && since <= now ? 'connected' : state;
  };

  return {
    standing: (): TeamStanding => {
      const shipped = refused ? null : parts?.shipping.standing();
      return {
        server,
        role,
        state: refused ? 'refused' : shipped ? shownState(shipped.state, shipped.since) : 'catching-up',
        since: refused?.since ?? shipped?.since ?? startedAt,
        events,
        waiting: shipped?.unshipped.events ?? events,
        oldestWaiting: shipped?.unshipped.oldest ?? null,
        problem: refused?.problem ?? shipped?.problem ?? null,
        writer,
        broken: [...(parts?.witness.broken() ?? [])],
        clockOffsetMs: parts?.serverClock.offsetMs() ?? null,
        others: others(refused ? 'refused' : (shipped?.state ?? 'unreachable')),
        installations: [...(parts?.installations.list() ?? [])],
        unconfirmed: [...(parts?.installations.unconfirmed() ?? [])],
      };
    },
    /** Null until the password is known, and if the settings cannot be used. */
    shared: (): SharedLog | null => parts?.shared ?? null,
    /**
     * The payment log of the team. The first events are written only after the ends of the journal's chain were compared
     * with the shared log, or a time limit: a journal from a restored backup must fetch back what it lost before it is
     * extended.
     */
    log: (): PaymentLog => teamLog,
    /** Null until the first contact. */
    parts: (): { journal: PaymentLog; shared: SharedLog; shipping: Shipping } | null =>
      hasContact && parts ? { journal, shared: parts.shared, shipping: parts.shipping } : null,
    close: async (): Promise<void> => {
      aborted.abort();
      countEvents();
      gatherer.close();
      await opening;
      clearInterval(attending);
      for (const stop of stopListening) stop?.();
      // A connection that does not answer must not delay the end: what is not there yet follows at the next start.
      await Promise.race([parts?.close(), wait(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
};
