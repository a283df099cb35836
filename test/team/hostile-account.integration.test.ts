import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { lookedUpSince, overdueAlert } from '../../main/intake/serve/find-intake-alerts.ts';
import { connect } from '../../main/payment-log/postgres/connection.ts';
import { clientConfig } from '../../main/payment-log/postgres/connection-settings.ts';
import { movedEnds } from '../../main/payment-log/postgres/moved-ends.ts';
import { accepted, requested } from '../../tools/evidence/evidence.ts';
import { moved, paidWithoutCallback } from '../../tools/evidence/incomplete-payments.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

/** A thief has the password of one console's account, and uses it with a program for databases. */
describe.skipIf(isPostgresMissing)('the account of one installation (needs PostgreSQL)', () => {
  const { cluster, team, closing, ship, signIn: thief } = useTeam();
  const set = async () => {
    const stolen = await team.add('console', 'Stolen');
    const client = await thief(stolen);
    await client.query("SELECT join_1('stolen'), join_1('stolen-2')");
    const settings = await team.add('console', 'Counter 1', undefined, ['keeper']);
    const honest = await ship('console-1', { settings });
    await honest.write(requested(0));
    return { stolen, client, honest };
  };
  const one = async (client: Client, sql: string): Promise<unknown> => {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return Object.values(rows[0] ?? {})[0];
  };

  test('the account of one installation claims for its own chains only, for two minutes, and not what it has no right to', async () => {
    const { client, honest } = await set();
    expect(await one(client, "SELECT claim_1('round:shop', 'console-1', 1000)")).toBe(false);
    expect(await one(client, "SELECT claim_1('keeper', 'stolen', 1000)")).toBe(false);
    expect(await one(client, "SELECT claim_1(repeat('x', 2000), 'stolen', 1000)")).toBe(false);
    expect(must(await honest.shared.people.claim('keeper', 'console-1', 1_000))).toBe(true);
    expect(await one(client, "SELECT claim_1('round:shop', 'stolen', 2000000000)")).toBe(true);
    expect(must(await honest.shared.people.claim('round:shop', 'console-1', 1_000))).toBe(false);
    const intake = await thief(await team.add('intake', 'Intake 1'));
    await intake.query("SELECT join_1('intake-1')");
    expect(await one(client, "SELECT claim_1('alert:1', 'stolen', 1000)")).toBe(false);
    expect(await one(intake, "SELECT claim_1('alert:1', 'intake-1', 1000)")).toBe(true);
    expect(await one(client, "SELECT claim_1('look-up:1', 'stolen', 1000)")).toBe(true);
    expect(await one(intake, "SELECT claim_1('look-up:1', 'intake-1', 1000)")).toBe(true);
    expect(await one(client, "SELECT claim_1('look-up:1', 'stolen', 1000)")).toBe(false);
    const [claimed] = await team.sql<{ seconds: string }>(
      "SELECT extract(epoch FROM until - clock_timestamp()) AS seconds FROM claim WHERE task = 'round:shop'",
    );
    expect(Number(claimed?.seconds)).toBeLessThanOrEqual(120);
    await client.query("SELECT claim_1('task ' || n, 'stolen', 120000) FROM generate_series(1, 3000) n");
    expect((await team.sql<{ n: string }>('SELECT count(*) AS n FROM claim'))[0]?.n).toBe('1003');
  });

  test('the account of one installation holds a payment for minutes, and keeps no one out by an open transaction', async () => {
    const { client, honest } = await set();
    const { operations } = honest.shared;
    const begin = (chain: string, id: string, payment: string) =>
      one(
        client,
        `SELECT operation_begin_1('${chain}', 0, '', '${id}', 'account', '{payment ${payment}}', '', 'Eve', 'EUR', 1)`,
      );
    const rivalOf = async (payment: string) => {
      const id = randomUUID();
      const claim = {
        id,
        account: 'account',
        subjects: [`payment ${payment}`],
        person: { id: '', name: 'Ada' },
        currency: 'EUR',
        minor: 100n,
        seen: [],
        known: ['i-1'],
      };
      const end = { writer: 'console-1', seq: 0, hash: '' };
      expect(must(await operations.begin(end, claim))).toBe(true);
      const rival = must(await operations.rival(claim));
      must(await operations.end(id, false));
      return rival;
    };
    const later = () =>
      team.sql(
        "UPDATE operation SET begun_at = begun_at - '5 min'::interval, until = until - '5 min'::interval",
      );
    expect(await begin('console-1', 'i-0', 'p')).toBe(false);
    expect(await begin('stolen', 'i-1', 'p')).toBe(true);
    expect(await begin('stolen', 'i-1', 'q')).toBe(false);
    // Evidence of what it is about decides nothing before it says that it was sent.
    expect(await rivalOf('p')).toMatchObject({ agent: 'Eve', installation: 'Stolen', isFirst: true });
    expect(await rivalOf('q')).toBeNull();
    for (let held = 1; held < 3; held += 1) {
      await later();
      expect(await rivalOf('p')).toBeNull();
      expect(await begin('stolen', `i-1-${held}`, 'p')).toBe(true);
    }
    await later();
    expect(await begin('stolen-2', 'i-2', 'p')).toBe(false);
    await client.query('BEGIN');
    expect(await begin('stolen', 'i-3', 'q')).toBe(true);
    expect(await rivalOf('q')).toBeNull();
    await client.query('COMMIT');
    expect(await rivalOf('q')).toMatchObject({ agent: 'Eve' });
    await one(client, "SELECT operation_end_1('i-3', true)");
    await later();
    expect(await rivalOf('q')).toBeNull();
    expect(
      await one(
        client,
        `SELECT count(*) FROM generate_series(1, 300) n WHERE operation_begin_1('stolen', 0, '', 'n' || n, 'account',
           ARRAY['payment n' || n], '', '', 'EUR', 1)`,
      ),
    ).toBe('200');
  });

  test('the account of one installation uses up no limit of a person whose PIN was never entered there', async () => {
    const { client, honest } = await set();
    const ada = '00000000-0000-4000-8000-00000000000a';
    const begin = (id: string, person: string, amount: string) =>
      one(
        client,
        `SELECT operation_begin_1('stolen', 0, '', '${id}', 'account', '{payment ${id}}', '${person}', '', 'EUR', ${amount})`,
      );
    const spent = async (person: string) =>
      must(await honest.shared.operations.spent({ account: 'account', person, currency: 'EUR', since: 0 }));
    await team.sql(
      `INSERT INTO agent (id, name, role, pin_salt, pin_hash) VALUES ('${ada}', 'Ada', 'supervisor', 's', sha256('right'))`,
    );
    await begin('i-1', ada, '9500');
    expect(await spent(ada)).toBe(0n);
    await client.query(`SELECT agent_try_1('${ada}', 'wrong')`);
    expect(await spent(ada)).toBe(0n);
    await client.query(`SELECT agent_try_1('${ada}', 'right')`);
    expect(await spent(ada)).toBe(9500n);
    await client.query("SELECT operation_end_1('i-1', true)");
    expect(await spent(ada)).toBe(9500n);
    await begin('i-2', 'without a PIN', '7');
    expect(await spent('without a PIN')).toBe(7n);
    await begin('i-3', 'without a PIN', 'NULL');
    expect(await spent('without a PIN')).toBeNull();
    await client.query("SELECT operation_end_1('i-3', false)");
    expect(await spent('without a PIN')).toBe(7n);
  });

  test('the account of one installation holds nothing that others wait for, in a transaction that it never ends', async () => {
    const { client, honest } = await set();
    const ada = '00000000-0000-4000-8000-00000000000a';
    await team.sql(
      `INSERT INTO agent (id, name, role, pin_salt, pin_hash) VALUES ('${ada}', 'Ada', 'administrator', 's', sha256('right'))`,
    );
    await client.query(
      `BEGIN; SELECT * FROM event; SELECT * FROM personal; SELECT agent_try_1('${ada}', 'wrong');
       SELECT claim_1('round:shop', 'stolen', 120000); SELECT join_1('stolen')`,
    );
    const signedIn = await honest.shared.people.tryPin(ada, Buffer.from('right'));
    expect(signedIn.ok).toBe(true);
    expect(must(await honest.shared.people.claim('round:shop', 'console-1', 1_000))).toBe(true);
    // A new month would have to wait for every reader.
    await team.sql(`SELECT months_1(${Date.now()}, ${Date.now() + 100 * 86_400_000})`);
    await honest.write(requested(1));
  });

  /** An append of one event to the chain `stolen`, as SQL; the shape is the text's own key. */
  const appendOf = (changes: Readonly<Record<string, string>>): string => {
    const { shape = "'x'", ...given } = changes;
    const values = {
      ids: 'ARRAY[gen_random_uuid()]',
      profiles: "ARRAY['shop']",
      orders: "ARRAY['X']",
      paymentIds: 'ARRAY[NULL]::text[]',
      happened: 'ARRAY[1::bigint]',
      recorded: 'ARRAY[1::bigint]',
      agents: "ARRAY['x']",
      kinds: "ARRAY['note']",
      keys: 'ARRAY[NULL]::text[]',
      shapes: `ARRAY[encode(substr(sha256(convert_to(${shape}, 'UTF8')), 1, 16), 'hex')::uuid]`,
      vals: "ARRAY['']",
      digests: 'ARRAY[NULL]::bytea[]',
      hashes: "ARRAY[decode(repeat('11', 32), 'hex')]",
      salted: "'{}'::bigint[]",
      salts: "'{}'::bytea[]",
      secrets: "'{}'::text[]",
      ...given,
    };
    return `SELECT append_1((SELECT id FROM writer WHERE name = 'stolen'), 0, decode(repeat('00', 32), 'hex'),
      ${Object.values(values).join(', ')}, ARRAY[${shape}])`;
  };

  test('events of one installation that fit no form and no link change no alert about a payment of others', async () => {
    const { client, honest } = await set();
    await honest.write(...moved(paidWithoutCallback, 'shop', 'X'));
    for (const [number, [kind, shape]] of [
      ['status.observed', "'{}'"],
      ['callback.received', "'{}'"],
      ['session.requested', "'{'"],
    ].entries()) {
      const forged = appendOf({ kinds: `ARRAY['${kind}']`, shape: shape ?? '' });
      const hash = number === 0 ? '00' : '11';
      await client.query(forged.replace("0, decode(repeat('00'", `${number}, decode(repeat('${hash}'`));
    }
    const { shared } = honest;
    const looked = must(await lookedUpSince(shared, 'console-2', { stolen: 0, 'console-1': 0 }));
    expect(looked.positions).toEqual({ 'console-1': 4, stolen: 3, 'stolen-2': 0 });
    expect(looked.suspects).toMatchObject([{ orderNumber: 'X' }]);
    const evidence = must(await shared.events('shop', 'X'));
    expect(evidence).toEqual(await honest.journal.events('shop', 'X'));
    expect(overdueAlert(evidence, Date.now())).toMatchObject({ kind: 'callbacks-overdue' });
  });

  test('the account of one installation stores first what the others store next, and does not end: no other one waits, and all events are whole', async () => {
    const { client, honest } = await set();
    // The text that a later event of the honest console brings: it is read here, and taken away again.
    await honest.write({ ...requested(1), orderNumber: 'CF-NEW' }, accepted(2));
    const [known] = await team.sql<{ text: string }>(
      "SELECT s.text FROM shape s JOIN event e ON e.shape = s.id WHERE e.kind = 'session.accepted'",
    );
    const other = await ship('console-2');
    await team.sql(
      "DELETE FROM event WHERE kind = 'session.accepted'; DELETE FROM shape WHERE id NOT IN (SELECT shape FROM event)",
    );
    await client.query('BEGIN');
    expect(await one(client, appendOf({ shape: `$text$${known?.text ?? ''}$text$` }))).toBe(true);
    const orderNumber = 'CF-TWO';
    await other.write({ ...requested(3), orderNumber }, { ...accepted(4), orderNumber });
    const [stored] = await team.sql<{ text: string }>(
      `SELECT s.text FROM shape s JOIN event e ON e.shape = s.id JOIN writer w ON w.id = e.writer
       WHERE w.name = 'console-2' AND e.kind = 'session.accepted'`,
    );
    // The same text, under another key.
    expect(stored?.text).toBe(known?.text);
    const [dangling] = await team.sql<{ n: string }>(
      'SELECT count(*) AS n FROM event e WHERE NOT EXISTS (SELECT FROM shape s WHERE s.id = e.shape)',
    );
    expect(dangling?.n).toBe('0');
  });

  test('the account of one installation hides no new end by a transaction that it ends later', async () => {
    const { client, honest } = await set();
    const reading = must(await connect(must(clientConfig(await team.add('console', 'Counter 3'), 'test'))));
    closing.push(() => reading.close());
    await reading.query(`SET search_path = ${team.schema}`);
    const namesOf = ({ ends }: { ends: readonly { writer: string }[] }) => ends.map(({ writer }) => writer);
    const first = await movedEnds(reading, null);
    expect(namesOf(first)).toEqual(['stolen', 'stolen-2', 'console-1']);
    expect(namesOf(await movedEnds(reading, first.next))).toEqual([]);
    await client.query('BEGIN');
    expect(await one(client, appendOf({}))).toBe(true);
    await honest.write(requested(1));
    const second = await movedEnds(reading, first.next);
    expect(second.ends).toMatchObject([{ writer: 'console-1', seq: 2 }]);
    const [last] = await honest.journal.ownChain.events(1, 1);
    expect(second.ends[0]?.hash).toBe(last?.hash);
    await client.query('COMMIT');
    const third = await movedEnds(reading, second.next);
    expect(third.ends).toContainEqual(expect.objectContaining({ writer: 'stolen', seq: 1 }));
    expect(namesOf(await movedEnds(reading, third.next))).toEqual([]);
  });

  const unheardOf = [
    ['hashes that are counted from 2', { hashes: `'[2:2]={"\\\\x${'11'.repeat(32)}"}'::bytea[]` }],
    [
      'two hashes for one event',
      { hashes: `ARRAY[decode(repeat('11', 32), 'hex'), decode(repeat('22', 32), 'hex')]` },
    ],
    ['two profiles for one event', { profiles: "ARRAY['a', 'b']" }],
    ['agents in two dimensions', { agents: "ARRAY[['a']]" }],
    ['no kind', { kinds: "'{}'::text[]" }],
    ['a hash of one byte', { hashes: "ARRAY[decode('11', 'hex')]" }],
    ['a body above the limit', { vals: "ARRAY[repeat('x', 450001)]" }],
    ['a shape above the limit', { shape: "repeat('x', 450001)" }],
    ['a name above the limit', { agents: "ARRAY[repeat('x', 1101)]" }],
    ['an order number above the limit', { orders: "ARRAY[repeat('x', 1101)]" }],
    ['a time before 1970', { recorded: 'ARRAY[-1::bigint]' }],
    ['a time after the year 9999', { happened: 'ARRAY[253402300800000::bigint]' }],
    ['personal values of no event', { salted: 'ARRAY[1::bigint, 1::bigint]' }],
  ] as const;
  test('the account of one installation appends nothing that no installation writes', async () => {
    const client = await thief(await team.add('console', 'Stolen'));
    await client.query("SELECT join_1('stolen')");
    for (const [name, of] of unheardOf)
      await expect(client.query(appendOf(of)), name).rejects.toMatchObject({ code: '42501' });
    expect(await one(client, appendOf({}))).toBe(true);
  });

  test('the account of one installation adds 5,000 events to an order, over all of its three chains', async () => {
    const client = await thief(await team.add('console', 'Stolen'));
    const chains = await client.query("SELECT join_1('stolen-' || n) FROM generate_series(1, 5) n");
    expect(chains.rows).toHaveLength(3);
    const flood = (chain: string, count: number, order: string) =>
      client.query(
        `SELECT append_1(w.id, w.last_seq, w.last_hash, array_agg(gen_random_uuid()), array_agg('shop'::text), array_agg('${order}'::text),
           array_agg(NULL::text), array_agg(1::bigint), array_agg(1::bigint), array_agg('x'::text), array_agg('note.added'::text),
           array_agg(NULL::text), array_agg(gen_random_uuid()), array_agg(''::text), array_agg(NULL::bytea),
           array_agg(sha256(n::text::bytea)), '{}', '{}', '{}', '{}')
         FROM writer w, generate_series(1, ${count}) n WHERE w.name = '${chain}' GROUP BY w.id`,
      );
    for (let round = 0; round < 9; round += 1) await flood(`stolen-${(round % 3) + 1}`, 512, 'X');
    await flood('stolen-1', 392, 'X');
    await expect(flood('stolen-2', 1, 'X')).rejects.toMatchObject({ code: '42501' });
    await flood('stolen-2', 1, 'Y');
    // Another account has its own number.
    const { honest } = await set();
    await honest.write(requested(1), { ...requested(2), orderNumber: 'X', profileId: 'shop' });
  });

  test('the account of one installation has a few connections, and no locks, large objects, tables or months', async () => {
    const { client, honest, stolen } = await set();
    for (const statement of [
      'SELECT pg_advisory_lock(1)',
      'SELECT pg_try_advisory_xact_lock_shared(1, 2)',
      "SELECT lo_from_bytea(0, 'x')",
      'SELECT lo_create(0)',
      'CREATE TEMP TABLE t (x text)',
      'CREATE TABLE public.t (x text)',
      'CREATE SCHEMA s',
      "SELECT pg_logical_emit_message(false, 'a', 'b')",
      // A month that is created locks the events for everybody until it ends.
      'SELECT months_1(1420070400000, 1450000000000)',
    ])
      await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    const connected = await Promise.allSettled(Array.from({ length: 20 }, () => thief(stolen)));
    expect(connected.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(10);
    await honest.write(requested(1));
  });

  test('the account of one installation is revoked while it holds all locks of the server', async () => {
    const { client, honest, stolen } = await set();
    // As in a rented database, whose administrator cannot take this from accounts.
    await team.sql('GRANT EXECUTE ON FUNCTION pg_advisory_lock(bigint) TO PUBLIC');
    const holdAll = 'SELECT pg_advisory_lock(n) FROM generate_series(1, 1000000) n';
    await expect(client.query(holdAll)).rejects.toMatchObject({ code: '53200' });
    await expect(cluster.sql('CREATE ROLE another')).rejects.toMatchObject({ code: '53200' });
    await team.revoke(stolen.role);
    await expect(client.query('SELECT 1')).rejects.toThrow();
    await honest.write(requested(1));
    await expect(thief(stolen)).rejects.toMatchObject({ code: '28000' });
  });

  test('the account of one installation sets no PIN of a person who has none, without the right to change people', async () => {
    const client = await thief(await team.add('console', 'Stolen'));
    const ada = '00000000-0000-4000-8000-00000000000a';
    await team.sql(`INSERT INTO agent (id, name, role) VALUES ('${ada}', 'Ada', 'administrator')`);
    const pin = `SELECT outcome FROM agent_pin_1('${ada}', NULL, 's', 'proof')`;
    expect(await one(client, pin)).toBe('denied');
    const office = await thief(await team.add('console', 'Office', undefined, ['admin']));
    expect(await one(office, pin)).toBe('done');
  });
});
