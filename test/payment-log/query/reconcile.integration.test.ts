import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { Payment, PaymentRow } from '../../../shared/payments/payment.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import {
  foundIn,
  reconcile,
  reconciliationCauses,
  type ReconciliationCause,
  type ReconciliationRow,
} from '../../../shared/reports/reconcile.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import {
  accepted,
  asEvent,
  callback,
  hour,
  lookUp,
  note,
  otherPayer,
  invalid,
  requested,
  start,
} from '../../../tools/evidence/evidence.ts';
import { filter, logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';
import {
  minute,
  moved,
  paid,
  raised,
  settled,
  attemptHistories,
} from '../../../tools/evidence/incomplete-payments.ts';

const later = 3 * hour;
const reconciled = [...raised, paid, settled];

const rowOf = ({ link, attempts: _attempts, ...payment }: Payment): PaymentRow => ({
  ...payment,
  expiresAt: link?.expiresAt ?? null,
});
const rowFrom = (drafts: readonly EventDraft[]): PaymentRow => rowOf(reducePayment(drafts.map(asEvent)));
const causesOf = (drafts: readonly EventDraft[], at: number): ReconciliationCause[] =>
  reconcile(rowFrom(drafts), start + at).map(({ cause }) => cause);

describe('the causes of a payment in the queue', () => {
  test.each(reconciliationCauses)('include %s', cause => {
    expect(causesOf(attemptHistories[cause], later)[0]).toBe(cause);
  });

  test('are none if a verified callback and a look-up agree', () => {
    expect(causesOf(reconciled, later)).toEqual([]);
  });

  test('are none while the customer still has the link', () => {
    expect(causesOf(raised, 30 * minute)).toEqual([]);
  });

  test('are none if the bank declined and nothing contradicts it', () => {
    expect(causesOf([...raised, callback(minute, 'sale', 'fail')], later)).toEqual([]);
  });

  test('are none while the console itself still looks it up or waits for an answer', () => {
    expect(causesOf([requested()], minute)).toEqual([]);
    expect(causesOf([...raised, paid], 2 * minute)).toEqual([]);
    expect(causesOf([...raised, settled], 3 * minute)).toEqual([]);
    expect(causesOf([...raised, callback(minute, '3ds', 'success')], 40 * minute)).toEqual([]);
  });

  test('do not change after a look-up that fails or has the same status', () => {
    const pendingLookUp = lookUp(hour, 'pending');
    const unanswered = { ...pendingLookUp, body: { ...pendingLookUp.body, answers: [] } } as EventDraft;
    for (const more of [pendingLookUp, unanswered]) {
      const withoutOutcome = [...raised, callback(minute, 'sale', 'waiting'), more];
      expect(causesOf(withoutOutcome, hour + minute)).toEqual(['no-outcome-yet']);
    }
    expect(causesOf([requested(), unanswered], hour + minute)).toEqual(['outcome-unknown']);
  });

  test('do not include a forged callback if two sources agree', () => {
    const forged = callback(5 * minute, 'sale', 'success', { order_amount: '1.00' }, invalid);
    expect(causesOf([...reconciled, forged], later)).toEqual([]);
  });

  test('include a fail and a success of one payment, until a look-up settles it', () => {
    const both = [
      ...raised,
      callback(0, 'sale', 'fail', { id: otherPayer }),
      callback(minute, 'sale', 'fail'),
    ];
    const contradicted = [...both, callback(2 * minute, 'sale', 'success', { date: '2026-10-05 12:02:00' })];
    expect(causesOf(contradicted, later)).toContain('sources-disagree');
    expect(causesOf([...contradicted, lookUp(hour, 'settled')], later)).not.toContain('sources-disagree');
  });

  test('send a difference to finance once the money was returned', () => {
    const refund = callback(5 * minute, 'refund', 'success', { order_amount: '999.00' });
    const [finding] = reconcile(rowFrom([...reconciled, refund]), start + later);
    expect(finding).toMatchObject({ cause: 'record-differs', action: 'hand-to-finance' });
  });

  test('begin with the time when the link expired', () => {
    const [finding] = reconcile(rowFrom(raised), start + later);
    expect(finding?.since).toBe(start + 500 + hour);
  });
});

describe('with any evidence', () => {
  const at = fc.integer({ min: 0, max: 5 * hour });
  const holds = (property: (row: PaymentRow, now: number) => void): void =>
    fc.assert(
      fc.property(evidence, at, (events, after) => property(rowOf(reducePayment(events)), start + after)),
      { numRuns: 500 },
    );

  test('each cause occurs once, gravest first, where the log searches for it', () => {
    holds((row, now) => {
      const causes = reconcile(row, now).map(({ cause }) => cause);
      expect(causes).toEqual(reconciliationCauses.filter(cause => causes.includes(cause)));
      for (const cause of causes) {
        const { states, flags, after = 0 } = foundIn[cause];
        if (after > 0) expect(now - row.firstAt).toBeGreaterThanOrEqual(after);
        if (states.length > 0) expect(states).toContain(stateAt(row, now));
        if (flags.length > 0) expect(row.flags.some(({ kind }) => flags.includes(kind))).toBe(true);
      }
    });
  });

  test('a payment that needs attention, is disputed or has expired is always in the queue', () => {
    holds((row, now) => {
      if (['needs-attention', 'chargeback', 'expired'].includes(stateAt(row, now)))
        expect(reconcile(row, now)).not.toEqual([]);
    });
  });

  test('a payment that is paid by one source alone soon enters the queue', () => {
    holds((row, now) => {
      if (row.state === 'paid-unconfirmed') expect(reconcile(row, now + hour + 5 * hour)).not.toEqual([]);
    });
  });
});

describe('the queue of a log', () => {
  let folder: LogFolder;
  let log: PaymentLog;
  const append = async (drafts: readonly EventDraft[]): Promise<void> => {
    const written = await log.append(drafts);
    if (!written.ok) throw new Error(written.error.code);
  };
  const walk = async (
    profileId: string | null,
    cause: ReconciliationCause | null,
    limit: number,
  ): Promise<ReconciliationRow[]> => {
    const rows: ReconciliationRow[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<PaymentLog['reconcile']>> = await log.reconcile(
        profileId,
        cause,
        cursor,
        limit,
      );
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      expect(page.counts === null).toBe(cursor !== null);
      rows.push(...page.rows);
      cursor = page.next;
    } while (cursor !== null);
    return rows;
  };
  const namesOf = (rows: readonly PaymentRow[]): string[] =>
    rows.map(row => `${row.profileId} ${row.orderNumber}`);

  /** The same from every payment of the log. */
  const byHand = async (profileId: string | null): Promise<ReconciliationRow[]> => {
    const found: ReconciliationRow[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<PaymentLog['list']>> = await log.list(
        filter({ profileId }),
        cursor,
        200,
      );
      for (const row of page.rows) found.push({ ...row, findings: reconcile(row, Date.now()) });
      cursor = page.next;
    } while (cursor !== null);
    return reconciliationCauses.flatMap(cause =>
      found.filter(({ findings }) => findings[0]?.cause === cause),
    );
  };

  beforeAll(async () => {
    folder = logFolder();
    log = await folder.open();
    for (const cause of reconciliationCauses) await append(moved(attemptHistories[cause], 'shop', cause));
    await append(moved(reconciled, 'shop', 'complete'));
    // Ten minutes old: the customer still has its link.
    const justNow = [requested(later - 10 * minute), accepted(later - 10 * minute)];
    await append(moved(justNow, 'shop', 'live'));
  });
  afterAll(() => folder.remove());

  test('contains one payment for every cause, gravest first, and none that is reconciled or still open', async () => {
    const page = await log.reconcile('shop', null, null, 50);
    expect(page.rows.map(({ orderNumber }) => orderNumber)).toEqual([...reconciliationCauses]);
    expect(page.rows.map(({ findings }) => findings[0]?.cause)).toEqual([...reconciliationCauses]);
    expect(page.counts).toEqual(reconciliationCauses.map(cause => ({ cause, count: 1, more: false })));
    expect(page.next).toBeNull();
    expect(page.rows[0]).not.toHaveProperty('link');
  });

  test('contains nothing of another profile', async () => {
    const none = { count: 0, more: false };
    expect(await log.reconcile('hotel', null, null, 50)).toEqual({
      rows: [],
      next: null,
      counts: [],
      lists: { mine: none, unassigned: none, snoozed: none },
    });
  });

  test('can be read for one cause, and the counts without any row', async () => {
    expect(namesOf(await walk('shop', 'settled-twice', 50))).toEqual(['shop settled-twice']);
    const { rows, counts } = await log.reconcile('shop', null, null, 0);
    expect(rows).toEqual([]);
    expect(counts).toHaveLength(reconciliationCauses.length);
  });

  test('begins at its first row if the cursor is invalid', async () => {
    expect((await log.reconcile('shop', null, 'nonsense', 1)).rows).toHaveLength(1);
  });

  test('equals a check of every payment, in pages of any size', async () => {
    const minutes = (ms: number): number => Math.floor(ms / minute) * minute + 30_000;
    const sample = fc.sample(evidence, { numRuns: 400, seed: 7 });
    for (const [index, events] of sample.entries()) {
      const drafts = events.map(one => ({ ...one, happenedAt: start + minutes(one.happenedAt - start) }));
      await append(
        moved(
          [...(index % 2 === 0 ? raised : []), ...drafts],
          index % 3 === 0 ? 'hotel' : 'shop',
          `N-${index}`,
        ),
      );
    }
    for (const profileId of [null, 'hotel', 'shop']) {
      const expected = await byHand(profileId);
      expect(expected.length).toBeGreaterThan(50);
      expect(namesOf(await walk(profileId, null, 7))).toEqual(namesOf(expected));
      expect(await walk(profileId, null, 200)).toEqual(expected);
      const { counts } = await log.reconcile(profileId, null, null, 0);
      for (const cause of reconciliationCauses) {
        const under = expected.filter(({ findings }) => findings[0]?.cause === cause);
        expect({ cause, found: namesOf(await walk(profileId, cause, 30)) }).toEqual({
          cause,
          found: namesOf(under),
        });
        expect({ cause, count: counts?.find(one => one.cause === cause)?.count ?? 0 }).toEqual({
          cause,
          count: under.length,
        });
      }
    }
  });

  test('loses a payment when it is reconciled', async () => {
    await append(moved([lookUp(hour, 'settled')], 'shop', 'paid-without-look-up'));
    expect(namesOf(await walk('shop', null, 200))).not.toContain('shop paid-without-look-up');
  });

  test('does not change after a note', async () => {
    const before = namesOf(await walk('shop', 'chargeback', 50));
    await append(moved([note(hour, 'Called the bank')], 'shop', 'chargeback'));
    expect(namesOf(await walk('shop', 'chargeback', 50))).toEqual(before);
  });
});
