import { setTimeout as delay } from 'node:timers/promises';
import { ok, type Result } from '../../shared/errors.ts';
import { startLoop } from '../pacing/loop.ts';
import { logFailure, toLogFailure } from '../payment-log/log-failures.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import type { SharedErasures, WalkPosition, ErasableEvent } from '../payment-log/postgres/shared-erasures.ts';
import type { SharedPeople } from '../payment-log/postgres/shared-people.ts';
import { amendmentsFor } from './team-erasures.ts';
import type { Shipping } from './ship.ts';

/** Events of one step: their amendments are one append. */
const batchSize = 500;
/** How long this installation stays the keeper without renewing it. */
const claimMs = 60_000;
/** Interval of the rounds: requests are carried out for late values too, and another keeper is replaced. */
const everyMs = 60_000;
/** Delay of the first round after the start. */
const firstRoundMs = 2_000;
/** How long a step waits until the shared log has erased. */
const shippedWithinMs = 30_000;
/** Limit of dropped months in one round. */
const maxMonths = 24;
/** Attempts to drop a month while others use the table, and the delay between them, milliseconds. */
const maxBusy = 50;
const busyDelayMs = 200;
const dayMs = 86_400_000;

/** What one round did. `idle`: another installation is the keeper. */
export type KeeperRound = { idle: boolean; erased: number; months: readonly string[] };

export type Keeper = ReturnType<typeof startKeeper>;

/**
 * Erases for all installations, on one of them at a time: personal values that are older than the rule of the shared log
 * says, months that contain none any more, and values of an order that arrive after a person had it erased. It creates the
 * months to come. It needs the right `keeper`.
 */
export const startKeeper = ({
  journal,
  shared,
  shipping,
  clock,
  onRound = () => undefined,
  intervalMs = everyMs,
}: {
  journal: Pick<PaymentLog, 'append' | 'erase' | 'ownChain' | 'chainEnds'>;
  shared: { erasures: SharedErasures; people: Pick<SharedPeople, 'retentionDays' | 'claim' | 'hasRight'> };
  shipping: Pick<Shipping, 'shipped'>;
  clock: () => number;
  /** Called after each round: what it did, or why it could not. */
  onRound?: (done: Result<KeeperRound>) => void;
  intervalMs?: number;
}) => {
  const { writer } = journal.ownChain;
  let isClosed = false;

  const isKeeper = (): Promise<Result<boolean>> => shared.people.claim('keeper', writer, claimMs);

  /** Waits until everything of the journal is in the shared log: what was amended is erased there then. */
  const settled = async (): Promise<Result<undefined>> => {
    const own = (await journal.chainEnds()).find(end => end.writer === writer);
    return (await shipping.shipped(own?.seq ?? 0, shippedWithinMs))
      ? ok(undefined)
      : logFailure('log.unreachable', 'not shipped');
  };

  /** Amends and erases; false if this installation is not the keeper any more. */
  const erase = async (
    events: readonly ErasableEvent[],
    reason: 'retention' | 'request',
  ): Promise<Result<boolean>> => {
    const mine = await isKeeper();
    if (!mine.ok || !mine.value || isClosed) return mine;
    if (events.length === 0) return ok(true);
    const recorded = await journal.append(amendmentsFor(events, { reason, agent: 'console' }, clock()));
    if (!recorded.ok) return recorded;
    const done = await settled();
    return done.ok ? ok(true) : done;
  };

  const eraseRequested = async (): Promise<Result<number>> => {
    for (let erased = 0; ;) {
      const found = await shared.erasures.requested(writer, batchSize);
      if (!found.ok) return found;
      if (found.value.length === 0) return ok(erased);
      const done = await erase(found.value, 'request');
      if (!done.ok) return done;
      if (!done.value) return ok(erased);
      erased += found.value.length;
    }
  };

  const eraseOld = async (before: number): Promise<Result<number>> => {
    const own = await journal.erase({ reason: 'retention', agent: 'console', before });
    if (!own.ok) return own;
    let from: WalkPosition | null = null;
    for (let erased = 0; ;) {
      const found: Awaited<ReturnType<SharedErasures['olderThan']>> = await shared.erasures.olderThan(
        before,
        writer,
        from,
        batchSize,
      );
      if (!found.ok) return found;
      const { events, next } = found.value;
      if (events.length > 0) {
        const done = await erase(events, 'retention');
        if (!done.ok) return done;
        if (!done.value) return ok(erased);
        erased += events.length;
      }
      if (next === null) return ok(erased);
      from = next;
    }
  };

  const dropMonths = async (): Promise<Result<string[]>> => {
    const months: string[] = [];
    for (let busy = 0; months.length < maxMonths && busy < maxBusy;) {
      const dropped = await shared.erasures.dropMonth();
      if (!dropped.ok) return dropped;
      if (dropped.value === null) break;
      if (dropped.value === 'busy') {
        busy += 1;
        await delay(busyDelayMs);
      } else months.push(dropped.value);
    }
    return ok(months);
  };

  const roundOnce = async (): Promise<Result<KeeperRound>> => {
    const idle = ok({ idle: true, erased: 0, months: [] });
    const allowed = await shared.people.hasRight('keeper');
    if (!allowed.ok) return allowed;
    if (!allowed.value) return logFailure('log.denied', 'keeper');
    const mine = await isKeeper();
    if (!mine.ok) return mine;
    if (!mine.value) return idle;
    const created = await shared.erasures.createMonths();
    if (!created.ok) return created;
    const ready = await settled();
    if (!ready.ok) return ready;
    const requested = await eraseRequested();
    if (!requested.ok) return requested;
    const days = await shared.people.retentionDays();
    if (!days.ok) return days;
    if (days.value === null) return ok({ idle: false, erased: requested.value, months: [] });
    const old = await eraseOld(clock() - days.value * dayMs);
    if (!old.ok) return old;
    const months = await dropMonths();
    return months.ok
      ? ok({ idle: false, erased: requested.value + old.value, months: months.value })
      : months;
  };

  let last: Result<KeeperRound> = ok({ idle: true, erased: 0, months: [] });
  const loop = startLoop(
    async () => {
      last = await roundOnce().catch(toLogFailure);
      onRound(last);
    },
    { everyMs: intervalMs, firstMs: Math.min(firstRoundMs, intervalMs) },
  );
  return {
    /** Does what is due, now. Errors: as every read of the shared log, and those of the journal. */
    round: async (): Promise<Result<KeeperRound>> => {
      await loop.wake();
      return last;
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await loop.close();
    },
  };
};
