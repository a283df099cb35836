import { describe, expect, test } from 'vitest';
import { filter } from '../../tools/app-harness/running-payment-log.ts';
import { accepted, callback, note, requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { openInstallation, type Installation } from '../../tools/postgres-harness/team-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

/** A console that keeps the payments of some months, by policy. */

const monthMs = 30 * 24 * 3_600_000;
const declined = 'b3a1c6f0-6f52-4f0e-9d3c-0c2f4f1d7a10';

describe.skipIf(isPostgresMissing)('a console with the payments of twelve months (needs PostgreSQL)', () => {
  const { team, closing } = useTeam();

  /** The order numbers of the payments that match exactly. */
  const listed = async ({ log }: Installation, words = ''): Promise<string[]> => {
    const { rows, approximate } = await log.list(filter({ words }), null, 50);
    return approximate === null ? rows.map(({ orderNumber }) => orderNumber) : [];
  };

  /** The other installation has old payments, one of which has a new event, and a new one. */
  const together = async (): Promise<{ one: Installation; other: Installation }> => {
    const other = await openInstallation(team, 'console-2');
    closing.push(() => other.remove());
    await other.journal.ownChain.correctClock(-20 * monthMs);
    for (const orderNumber of ['OLD-1', 'OLD-2', 'OLD-PAID'])
      must(await other.log.append([requested(0, {}, { orderNumber }), accepted(1, {}, { orderNumber })]));
    must(
      await other.log.append([
        { ...callback(2, 'sale', 'success'), orderNumber: 'OLD-PAID' },
        { ...callback(2, 'sale', 'decline', { id: declined }), orderNumber: 'OLD-2' },
      ]),
    );
    await other.journal.ownChain.correctClock(0);
    must(await other.log.append([{ ...note(3, 'The bank asks'), orderNumber: 'OLD-PAID' }]));
    must(await other.log.append([requested(4, {}, { orderNumber: 'NEW-1' })]));
    expect(await other.shipping.shipped(10, 10_000)).toBe(true);
    const one = await openInstallation(team, 'console-1', { limits: { months: 12 } });
    closing.push(() => one.remove());
    await expect.poll(() => one.replica.standing()?.isLevel, { timeout: 10_000 }).toBe(true);
    return { one, other };
  };

  test('a console with the payments of twelve months lists a payment with a new event as a whole, and says from when on payments are here', async () => {
    const { one, other } = await together();
    expect(await listed(one)).toEqual(['NEW-1', 'OLD-PAID']);
    expect(await one.log.payment('sandbox', 'OLD-PAID')).toEqual(
      await other.log.payment('sandbox', 'OLD-PAID'),
    );
    const standing = one.replica.standing();
    expect(standing?.progress).toEqual({ done: 2, total: 2 });
    expect(standing?.since).toBeLessThan(Date.now() - 11 * monthMs);
    expect(standing?.leftOut).toEqual([]);
    must(await other.log.append([{ ...note(5, 'It called again'), orderNumber: 'OLD-1' }]));
    await expect.poll(() => listed(one)).toEqual(['NEW-1', 'OLD-PAID', 'OLD-1']);
    await expect
      .poll(async () => (await one.log.events('sandbox', 'OLD-1')).map(({ kind }) => kind))
      .toEqual(['session.requested', 'session.accepted', 'note.added']);
  });

  test('a console with the payments of twelve months finds an older payment by its order number, and reads it like any other', async () => {
    const { one, other } = await together();
    expect(await listed(one, 'OLD-2')).toEqual(['OLD-2']);
    expect(await listed(one)).toEqual(['NEW-1', 'OLD-PAID', 'OLD-2']);
    expect(await one.log.payment('sandbox', 'OLD-1')).toEqual(await other.log.payment('sandbox', 'OLD-1'));
    expect(await listed(one, 'OLD-3')).toEqual([]);
    const found = await one.log.find(filter({ words: 'OLD-1' }), 5);
    expect(found.hits.map(({ row, isApproximate }) => [row.orderNumber, isApproximate])[0]).toEqual([
      'OLD-1',
      false,
    ]);
    expect(one.replica.standing()?.leftOut).toEqual([]);
  });

  test('a console with the payments of twelve months finds an older payment by its payment id', async () => {
    const { one } = await together();
    expect(await one.log.ordersOf(declined.toUpperCase())).toEqual([
      { profileId: 'sandbox', orderNumber: 'OLD-2' },
    ]);
  });

  test('without a connection an older payment than those of the replica is not found, and nothing waits for it', async () => {
    const { one } = await together();
    await team.sql('ALTER TABLE event RENAME TO event_away');
    expect(await listed(one, 'OLD-2')).toEqual([]);
    await team.sql('ALTER TABLE event_away RENAME TO event');
  });
});
