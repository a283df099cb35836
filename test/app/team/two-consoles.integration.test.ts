import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SharedLogSettings } from '../../../main/payment-log/postgres/connection-settings.ts';
import type { Dossier } from '../../../main/export/dossier.ts';
import {
  hasCallback,
  newPayment,
  startTestApp,
  value,
  type TestApp,
} from '../../../tools/app-harness/running-app.ts';
import { checkAsDocumented } from '../../../tools/evidence/documented-check.ts';
import { isPostgresMissing } from '../../../tools/postgres-harness/cluster.ts';
import { isLevel, joinTeam } from '../../../tools/postgres-harness/join-team.ts';
import { useTeam } from '../../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('two consoles, one payment log (needs PostgreSQL)', () => {
  const { team, closing } = useTeam('file');
  let one: TestApp;
  let two: TestApp;
  beforeAll(async () => {
    one = await start('Counter 1', await team.add('console', 'Counter 1', undefined, ['eraser']));
    two = await start('Counter 2', await team.add('console', 'Counter 2'));
  });

  const start = async (label: string, settings: SharedLogSettings): Promise<TestApp> => {
    const app = await startTestApp();
    closing.push(() => app.remove());
    // The first look at all chains finds evidence of this console.
    await app.value('payments.create', newPayment({ orderNumber: `BEFORE-${label.replace(' ', '-')}` }));
    await joinTeam(app, settings);
    await isLevel(app);
    return app;
  };

  test('the dossier of a payment proves what both consoles have written', async () => {
    const key = { profileId: 'sandbox', orderNumber: 'PROOF-1' };
    await one.value('payments.create', newPayment({ orderNumber: key.orderNumber }));
    await two.until(key.orderNumber, hasCallback);
    await two.value('payments.note', { ...key, text: 'Will call back' });
    // A proof reaches up to the end of each chain, which is not copied yet.
    const further = Array.from({ length: 30 }, () => one.request('payments.create', newPayment()));
    await Promise.race(further);
    const written = await two.value('payments.dossier', key);
    for (const link of further) value(await link);
    expect(written.proven).toBe(true);
    const json = readFileSync((written.file ?? '').replace(/\.pdf$/, '.json'), 'utf8');
    const { events } = JSON.parse(json) as Dossier;
    expect(new Set(events.map(({ writer }) => writer)).size).toBe(2);
    expect(await checkAsDocumented(json, two.folder)).toMatchObject({ whole: true });
    // Each signs the ends of all chains daily, and its verification compares them.
    for (const { folder } of [one, two])
      await expect.poll(() => existsSync(join(folder, 'shared-heads'))).toBe(true);
    expect((await two.value('team.verify', {})).report.problems).toEqual([]);
  });

  test('of two consoles that raise one order at the same moment, at least one asks before a link exists', async () => {
    const orderNumber = 'SAME-1';
    const both = await Promise.all([
      one.request('payments.create', newPayment({ orderNumber })),
      two.request('payments.create', newPayment({ orderNumber })),
    ]);
    const asked = both.filter(answer => !answer.ok);
    expect(asked.length).toBeGreaterThanOrEqual(1);
    // The slower one may find the other's payment in the list already.
    for (const answer of asked)
      expect(['payment.raised-elsewhere', 'payment.duplicate']).toContain(!answer.ok && answer.error.code);
    // The second attempt is deliberate.
    const [first] = [one, two].filter((_, at) => both[at]?.ok === false);
    if (!first) throw new Error('Neither was asked.');
    await first.value('payments.create', newPayment({ orderNumber, allowDuplicate: true }));
  });

  test('a link is withdrawn where it was made: the other console names that place', async () => {
    const { orderNumber, links } = (await one.value('payments.create', newPayment())).payment;
    const isUsable = async (): Promise<boolean> => {
      const read = await two.request('payments.read', { profileId: 'sandbox', orderNumber });
      return read.ok && read.value.payment.linkUsable;
    };
    await expect.poll(isUsable).toBe(true);
    const withdraw = (app: TestApp) =>
      app.request('payments.withdrawLink', {
        profileId: 'sandbox',
        orderNumber,
        idempotencyKey: links[0]?.idempotencyKey ?? '',
        reason: 'cancelled-order',
        text: '',
      });
    expect(await withdraw(two)).toMatchObject({
      ok: false,
      error: { message: { key: 'withdraw.elsewhere', values: { installation: 'Counter 1' } } },
    });
    expect(value(await withdraw(one)).payment.linkUsable).toBe(false);
  });

  test('what one console of a team erases is erased at the others; without the right nothing is', async () => {
    const order = { profileId: 'sandbox', orderNumber: 'ERASE-1' };
    const customer = { name: 'Jörg Müller', email: 'jm@example.com' };
    await two.value('payments.create', newPayment({ orderNumber: order.orderNumber, customer }));
    await isLevel(two);
    const events = async (app: TestApp): Promise<string> =>
      JSON.stringify(await app.value('payments.read', order));
    expect(await events(two)).toContain('jm@example.com');
    expect(await two.refusal('log.erase', order)).toBe('log.denied');
    expect(await events(two)).toContain('jm@example.com');
    await one.value('log.erase', order);
    await expect.poll(() => events(two)).not.toContain('jm@example.com');
    const personal = `SELECT 1 FROM personal p JOIN event e ON e.writer = p.writer AND e.writer_seq = p.writer_seq
      WHERE e.order_number = '${order.orderNumber}'`;
    expect(await team.sql(personal)).toEqual([]);
    // The journal of the other console follows within seconds.
    await expect.poll(() => team.sql('SELECT 1 FROM erased')).toEqual([]);
  });
});
