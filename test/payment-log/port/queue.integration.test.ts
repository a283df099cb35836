import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import {
  reconciliationCauses,
  type ReconciliationCause,
  type ReconciliationRow,
} from '../../../shared/reports/reconcile.ts';
import { evidence } from '../../../tools/evidence/arbitrary-evidence.ts';
import { accepted, hour, lookUp, note, requested, start } from '../../../tools/evidence/evidence.ts';
import {
  attemptHistories,
  minute,
  moved,
  paid,
  raised,
  settled,
} from '../../../tools/evidence/incomplete-payments.ts';
import { everyPage, everyRow } from './every-row.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';

const later = 3 * hour;
const reconciled = [...raised, paid, settled];

/** The queue of payments to review. */
describe('the queue of payments to review', () => {
  const used = useLog('file');
  const append = (drafts: readonly EventDraft[]) => used.append(...drafts);
  const walk = async (
    profileId: string | null,
    cause: ReconciliationCause | null,
    limit: number,
  ): Promise<ReconciliationRow[]> => {
    const pages = await everyPage(cursor => used.log.reconcile(profileId, cause, cursor, limit));
    for (const [index, { rows, counts }] of pages.entries()) {
      expect(rows.length).toBeLessThanOrEqual(limit);
      expect(counts === null).toBe(index > 0);
    }
    return pages.flatMap(({ rows }) => rows);
  };
  const namesOf = (rows: readonly PaymentRow[]): string[] =>
    rows.map(row => `${row.profileId} ${row.orderNumber}`);

  /** The same from every payment of the log. */
  const byHand = async (profileId: string | null): Promise<ReconciliationRow[]> => {
    const found = await everyRow(used.log, profileId);
    return reconciliationCauses.flatMap(cause =>
      found.filter(({ findings }) => findings[0]?.cause === cause),
    );
  };

  beforeAll(async () => {
    for (const cause of reconciliationCauses) await append(moved(attemptHistories[cause], 'shop', cause));
    await append(moved(reconciled, 'shop', 'complete'));
    // Ten minutes old: the customer still has its link.
    const justNow = [requested(later - 10 * minute), accepted(later - 10 * minute)];
    await append(moved(justNow, 'shop', 'live'));
  });

  test('contains one payment for every cause, gravest first, and none that is reconciled or still open', async () => {
    const page = await used.log.reconcile('shop', null, null, 50);
    expect(page.rows.map(({ orderNumber }) => orderNumber)).toEqual([...reconciliationCauses]);
    expect(page.rows.map(({ findings }) => findings[0]?.cause)).toEqual([...reconciliationCauses]);
    expect(page.counts).toEqual(reconciliationCauses.map(cause => ({ cause, count: 1, more: false })));
    expect(page.next).toBeNull();
    expect(page.rows[0]).not.toHaveProperty('link');
  });

  test('contains nothing of another profile', async () => {
    const none = { count: 0, more: false };
    expect(await used.log.reconcile('hotel', null, null, 50)).toEqual({
      rows: [],
      next: null,
      counts: [],
      lists: { mine: none, unassigned: none, snoozed: none },
    });
  });

  test('can be read for one cause, and the counts without any row', async () => {
    expect(namesOf(await walk('shop', 'settled-twice', 50))).toEqual(['shop settled-twice']);
    const { rows, counts } = await used.log.reconcile('shop', null, null, 0);
    expect(rows).toEqual([]);
    expect(counts).toHaveLength(reconciliationCauses.length);
  });

  test('begins at its first row if the cursor is invalid', async () => {
    expect((await used.log.reconcile('shop', null, 'nonsense', 1)).rows).toHaveLength(1);
  });

  test('equals a check of every payment, in pages of any size', async () => {
    const minutes = (ms: number): number => Math.floor(ms / minute) * minute + 30_000;
    const sample = fc.sample(evidence, { numRuns: 160, seed: 7 });
    await append(
      sample.flatMap((events, index) => {
        const drafts = events.map(one => ({ ...one, happenedAt: start + minutes(one.happenedAt - start) }));
        return moved(
          [...(index % 2 === 0 ? raised : []), ...drafts],
          index % 3 === 0 ? 'hotel' : 'shop',
          `N-${index}`,
        );
      }),
    );
    for (const profileId of [null, 'hotel', 'shop']) {
      const expected = await byHand(profileId);
      expect(expected.length).toBeGreaterThan(sample.length / 8);
      expect(namesOf(await walk(profileId, null, 7))).toEqual(namesOf(expected));
      expect(await walk(profileId, null, 200)).toEqual(expected);
      const { counts } = await used.log.reconcile(profileId, null, null, 0);
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
