import { beforeEach, describe, expect, test } from 'vitest';
import type { SharedLog } from '../../main/payment-log/postgres/open-shared-log.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import { callback, note, requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { followTeam } from '../../tools/postgres-harness/list.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

describe.skipIf(isPostgresMissing)('a shared log (needs PostgreSQL)', () => {
  const { team, ship, signIn } = useTeam();
  let settings: SharedLogSettings;
  let shared: SharedLog;

  beforeEach(async () => {
    settings = await team.add('console', 'Counter 1');
    shared = team.open(settings);
  });

  /** An installation with a journal that is shipped; `write`: this number of events. */
  const installation = async (writer: string, account = settings) => {
    const { journal, write } = await ship(writer, { settings: account });
    const drafts = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        index === 0 ? requested(0, { customer: { email: 'jm@example.com' } }) : note(index, `Note ${index}`),
      );
    return { journal, write: (count: number) => write(...drafts(count)) };
  };

  const refused = [
    'UPDATE event SET agent = agent',
    'DELETE FROM event',
    'TRUNCATE event',
    'INSERT INTO event SELECT * FROM event',
    'DELETE FROM personal',
    'UPDATE writer SET last_seq = 0',
    'INSERT INTO shape SELECT gen_random_uuid(), text FROM shape',
    'UPDATE log SET oldest_program = 0',
    'SELECT * FROM installation',
    'DROP TABLE event_rest',
    'ALTER TABLE event DISABLE TRIGGER ALL',
  ];
  test('the rights of one installation are to extend its own chain, and no more, and end at once when it is revoked', async () => {
    await (await installation('console-1')).write(3);
    await (await installation('console-2', await team.add('console', 'Counter 2'))).write(3);
    const thief = await signIn(settings);
    for (const statement of refused)
      await expect(thief.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    await expect(thief.query(`SET ROLE ${team.schema}_owner`)).rejects.toMatchObject({ code: '42501' });
    expect((await thief.query("SELECT * FROM join_1('console-2')")).rows).toEqual([]);
    const { rows } = await thief.query(
      `SELECT append_1(w.id, w.last_seq, w.last_hash, array_agg(e.id), array_agg(e.profile_id),
           array_agg(e.order_number), array_agg(e.payment_id), array_agg(e.happened_at), array_agg(e.recorded_at),
           array_agg(e.agent), array_agg(e.kind), array_agg(e.dedupe_key), array_agg(e.shape), array_agg(e."values"),
           array_agg(e.personal), array_agg(e.hash), '{}', '{}', '{}', '{}') AS stored
         FROM writer w JOIN event e ON e.writer = w.id WHERE w.name = 'console-2' GROUP BY w.id`,
    );
    expect(rows).toEqual([{ stored: false }]);
    expect(must(await shared.verify())).toMatchObject({ events: 6, problems: [] });
    await team.revoke(settings.role);
    await expect(thief.query('SELECT 1')).rejects.toThrow();
    const again = team.open(settings);
    expect(await again.chainEnds()).toMatchObject({ ok: false, error: { code: 'log.denied' } });
  });

  const table = { kind: 'table', name: 'event' };
  const chain = { kind: 'installation', name: 'console-1' };
  const changed: readonly (readonly [sql: string, ...found: readonly unknown[]])[] = [
    ["UPDATE event SET agent = 'Mallory' WHERE writer_seq = 7", 'chain', 7, 'integrity.event.changed'],
    ['DELETE FROM event WHERE writer_seq = 7', 'chain', 8, 'integrity.event.some-missing'],
    ['DELETE FROM event WHERE writer_seq > 18', 'head', chain, 'integrity.chain-end'],
    // Two events in each other's place.
    [
      `UPDATE event SET writer_seq = 99 WHERE writer_seq = 7; UPDATE event SET writer_seq = 7 WHERE writer_seq = 8;
       UPDATE event SET writer_seq = 8 WHERE writer_seq = 99`,
      'chain',
      7,
      'integrity.event.changed',
    ],
    [
      `UPDATE personal SET "values" = '["mallory@example.com"]' WHERE writer_seq = 1`,
      'chain',
      1,
      'integrity.event.personal-changed',
    ],
    ['DELETE FROM personal WHERE writer_seq = 1', 'chain', 1, 'integrity.event.personal-missing'],
    ['UPDATE writer SET last_seq = last_seq - 2', 'chain', table, 'integrity.event.orphaned'],
  ];

  test('verification names what an administrator changed', async () => {
    await (await installation('console-1')).write(20);
    /** Of the chains: the list differs from evidence that was changed, too. */
    const findings = async (): Promise<unknown[]> =>
      must(await shared.verify()).problems.map(({ kind, at, message }) => [
        kind,
        'number' in at ? at.number : at,
        message.key,
      ]);
    await team.sql('CREATE TABLE kept AS SELECT * FROM event; CREATE TABLE named AS SELECT * FROM personal');
    for (const [sql, ...found] of changed) {
      await team.sql(sql);
      expect(await findings(), sql).toContainEqual(found);
      await team.sql(`DELETE FROM event; DELETE FROM personal; INSERT INTO event SELECT * FROM kept;
        INSERT INTO personal SELECT * FROM named; UPDATE writer SET last_seq = 20`);
      expect(await findings(), `after ${sql}`).toEqual([]);
    }
  });

  test('a journal records nothing that the shared log would refuse for its size, and its events are in the partition of their month', async () => {
    const months = `SELECT months_1(${Date.UTC(2024, 10, 5)}, ${Date.UTC(2025, 1, 5)}) AS made`;
    expect(await team.sql(months)).toEqual([{ made: 4 }]);
    const { journal, write } = await installation('console-1');
    await write(1);
    expect(await journal.append([note(1, 'x'.repeat(450_000))])).toMatchObject({
      error: { message: { key: 'payment-log.event-size' } },
    });
    // The largest callback of the receiver, whose characters all are escaped.
    const order_description = '\u0001'.repeat(64 * 1024);
    must(await journal.append([callback(2, 'sale', 'success', { order_description })]));
    await write(1);
    const month = new Date().toISOString().slice(0, 7).replace('-', '');
    expect(await team.sql('SELECT DISTINCT tableoid::regclass::text AS part FROM event')).toEqual([
      { part: `event_${month}` },
    ]);
  });

  test('an installation receives what others append, each event once and in order', async () => {
    const other = await installation('console-2', await team.add('console', 'Counter 2'));
    await other.write(2);
    const received: Event[] = [];
    const follower = followTeam(await team.add('console', 'Counter 3'), 'console-3', events =>
      received.push(...events),
    );
    await expect.poll(() => follower.standing()?.isLevel).toBe(true);
    await other.write(1_200);
    await expect.poll(() => received.length).toBe(1_200);
    await team.sql(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $$counterfoil follow$$',
    );
    await other.write(5);
    const [end] = await other.journal.chainEnds();
    await expect.poll(() => received.at(-1)?.writerSeq).toBe(end?.seq);
    const first = received[0]?.writerSeq ?? 0;
    const numbers = received.map(({ writerSeq }) => writerSeq);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => first + index));
    await follower.close();
  });
});
