import Database from 'better-sqlite3';
import { listFileOf } from '../../main/payment-log/sqlite/list/list-file.ts';
import { describe, expect, test } from 'vitest';
import type { InstallationRight } from '../../main/payment-log/postgres/administer.ts';
import { openTeamErasures, type TeamErasures } from '../../main/team/team-erasures.ts';
import { startKeeper, type Keeper } from '../../main/team/keeper.ts';
import { note, order, requested } from '../../tools/evidence/evidence.ts';
import { isPostgresMissing } from '../../tools/postgres-harness/cluster.ts';
import { must } from '../../tools/postgres-harness/shared-log.ts';
import type { Shipped } from '../../tools/postgres-harness/team-log.ts';
import { useTeam } from '../../tools/postgres-harness/use-team.ts';

type Installed = Shipped & {
  erasures: TeamErasures;
  /** Follows now; returns how many events it erased since it was opened, in its own first round too. */
  follow(): Promise<number>;
  /** Appends a request for the order with a customer's address, and waits until it is shipped. */
  raise(orderNumber?: string): Promise<number>;
};

const never = 3_600_000;
const dayMs = 86_400_000;

describe.skipIf(isPostgresMissing)('erasing in a shared log and in journals (needs PostgreSQL)', () => {
  const { team, closing, install, ship, proxied } = useTeam();

  const openConsole = async (
    writer: string,
    rights: readonly InstallationRight[] = [],
    { port, hasList = false }: { port?: number; hasList?: boolean } = {},
  ): Promise<Installed> => {
    const settings = await team.add('console', writer, port, rights);
    const installed = await ship(writer, { settings, hasList });
    let events = 0;
    const erasures = openTeamErasures({
      ...installed,
      clock: Date.now,
      everyMs: never,
      onFollowed: count => (events += count),
    });
    closing.push(() => erasures.close());
    return {
      ...installed,
      erasures,
      follow: async () => {
        must(await erasures.follow());
        return events;
      },
      raise: (orderNumber = order.number) => {
        const draft = requested(0, { customer: { email: `${writer}@example.com` } });
        return installed.write({ ...draft, orderNumber }, note(1, 'called', { orderNumber }));
      },
    };
  };
  const keeperOf = ({ journal, shared, shipping }: Installed): Keeper => {
    const keeper = startKeeper({ clock: Date.now, journal, shared, shipping, intervalMs: never });
    closing.push(() => keeper.close());
    return keeper;
  };
  const erase = ({ erasures }: Installed, orderNumber = order.number) =>
    erasures.erase({ reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumbers: [orderNumber] });
  const personal = () =>
    team.sql<{ writer: string; seq: number }>(
      'SELECT w.name AS writer, p.writer_seq::int AS seq FROM personal p JOIN writer w ON w.id = p.writer ORDER BY 1, 2',
    );
  const left = () => team.sql('SELECT * FROM erased');
  /** Whether a file of the journal contains this text. */
  const held = ({ folder }: Installed, text: string): boolean => {
    const database = new Database(folder.file, { readonly: true });
    const rows = database.prepare<[], string>('SELECT "values" FROM personal').pluck().all();
    database.close();
    const list = new Database(listFileOf(folder.file), { readonly: true });
    const listed = list.prepare<[], string>('SELECT "row" || words FROM listed').pluck().all();
    list.close();
    return [...rows, ...listed].some(one => one.includes(text));
  };
  const expectVerified = async (...consoles: Installed[]): Promise<void> => {
    for (const { journal } of consoles) expect((await journal.verify()).problems).toEqual([]);
    if (consoles[0]) expect(must(await consoles[0].shared.verify()).problems).toEqual([]);
  };

  test('an erasure is carried out in the shared log and in every journal that has the values', async () => {
    const one = await openConsole('console-1', ['eraser']);
    const two = await openConsole('console-2', [], { hasList: true });
    const three = await openConsole('console-3', [], { hasList: true });
    for (const each of [one, two, three]) await each.raise();
    await two.raise('OTHER');
    expect(held(two, 'console-2@')).toBe(true);
    expect(must(await erase(one))).toEqual({ payments: 1 });
    expect(await personal()).toEqual([{ writer: 'console-2', seq: 3 }]);
    expect(await left()).toHaveLength(2);
    let changes = 0;
    two.journal.onChange(() => (changes += 1));
    expect(await two.follow()).toBe(1);
    expect(await three.follow()).toBe(1);
    expect(await two.follow()).toBe(1);
    expect(changes).toBe(1);
    expect(await left()).toEqual([]);
    expect(JSON.stringify(await two.journal.events('sandbox', order.number))).not.toContain('@example.com');
    expect(JSON.stringify(await two.journal.events('sandbox', 'OTHER'))).toContain('console-2@example.com');
    expect(held(three, 'console-3@')).toBe(false);
    expect(await two.journal.chainEnds()).toMatchObject([{ seq: 4 }]);
    await expectVerified(one, two, three);
    // What the journal says was amended elsewhere counts, nothing else.
    two.folder.tamper('DELETE FROM amended_elsewhere');
    expect((await two.journal.verify()).problems).toHaveLength(1);
  });

  test('an installation that was offline follows when it is back, with what it wrote meanwhile', async () => {
    const proxy = await proxied();
    const one = await openConsole('console-1', ['eraser', 'keeper']);
    const two = await openConsole('console-2', [], { port: proxy.port, hasList: true });
    await Promise.all([one.raise(), two.raise()]);
    proxy.set('hold');
    proxy.cut();
    // Before the erasure, but unknown to the shared log.
    must(await two.journal.append([requested(2, { customer: { email: 'late@example.com' } })]));
    expect(must(await erase(one))).toEqual({ payments: 1 });
    expect(await two.erasures.follow()).toMatchObject({ ok: false });
    expect(held(two, 'console-2@')).toBe(true);
    proxy.set('forward');
    proxy.cut();
    await two.write(requested(3, { customer: { email: 'new@example.com' } }));
    expect(await two.follow()).toBe(1);
    const keeper = keeperOf(one);
    expect(must(await keeper.round())).toEqual({ idle: false, erased: 1, months: [] });
    expect(must(await keeper.round())).toMatchObject({ erased: 0 });
    expect(await two.follow()).toBe(2);
    expect(held(two, 'late@')).toBe(false);
    expect(held(two, 'new@')).toBe(true);
    expect(await personal()).toEqual([{ writer: 'console-2', seq: 4 }]);
    await expectVerified(one, two);
  });

  test('without the right nothing is erased in a shared log, by amendments neither', async () => {
    const one = await openConsole('console-1');
    const two = await openConsole('console-2');
    await Promise.all([one.raise(), two.raise()]);
    expect(await erase(one)).toMatchObject({ ok: false, error: { code: 'log.denied' } });
    const [event] = must(await two.journal.append([])).events;
    expect(event).toBeUndefined();
    const ids = must(await one.shared.erasures.ofOrders('sandbox', [order.number], 'console-1'));
    expect(ids).toHaveLength(1);
    const forged = {
      ...note(5, ''),
      kind: 'amended' as const,
      body: { events: ids.map(({ id }) => id), reason: 'request' as const },
    };
    await one.write(forged);
    expect(await personal()).toHaveLength(2);
    expect(await left()).toEqual([]);
  });

  test('the rule erases by age in all chains, drops empty months only, and the journals follow', async () => {
    const keeping = await openConsole('console-1', ['keeper']);
    const two = await openConsole('console-2');
    const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7).replace('-', '');
    for (const number of ['A', 'B', 'C']) await two.raise(number);
    await keeping.raise('D');
    await team.sql(`SELECT months_1(${Date.now() - 800 * dayMs}, ${Date.now()})`);
    const months = async (): Promise<string[]> =>
      (
        await team.sql<{ name: string }>(
          "SELECT relname AS name FROM pg_class WHERE relname ~ '^personal_[0-9]{6}$' AND relkind = 'r' AND relnamespace = current_schema()::regnamespace ORDER BY 1",
        )
      ).map(({ name }) => name);
    const all = await months();
    const keeper = keeperOf(keeping);
    expect(must(await keeper.round())).toEqual({ idle: false, erased: 0, months: [] });
    // Values of a month that is older than the rule are needed until they were amended.
    await team.administer(administration => administration.setRetention(400));
    await team.sql(
      `INSERT INTO personal SELECT writer, 99, ${Date.now() - 700 * dayMs}, salt, "values" FROM personal LIMIT 1`,
    );
    const done = must(await keeper.round());
    const needed = `personal_${monthOf(Date.now() - 700 * dayMs)}`;
    expect(done.erased).toBe(0);
    expect(done.months.length).toBeGreaterThan(8);
    expect(done.months).not.toContain(needed);
    expect(await months()).toEqual(all.filter(name => !done.months.includes(name)));
    expect(await personal()).toHaveLength(5);
    await team.sql('DELETE FROM personal WHERE writer_seq = 99');
    expect(must(await keeper.round()).months).toEqual([needed]);
    // A year later.
    const later = startKeeper({
      ...keeping,
      clock: () => Date.now() + 500 * dayMs,
      intervalMs: never,
    });
    closing.push(() => later.close());
    expect(must(await later.round())).toMatchObject({ idle: false, erased: 3 });
    expect(await personal()).toEqual([]);
    expect(await two.follow()).toBe(3);
    await expectVerified(keeping, two);
    const facts = must(await team.administer(administration => administration.installations()));
    expect(facts).toMatchObject([
      { kind: 'console', label: 'console-1', revoked: false, toErase: 0 },
      { kind: 'console', label: 'console-2', events: 6, toErase: 0 },
    ]);
  });

  test('a console whose list has not confirmed erasures is named until it does, or is gone', async () => {
    const [one, two] = [await install('console-1'), await install('console-2')];
    const unconfirmed = async (longerThan: number): Promise<string[]> =>
      must(await one.shared.installations.unconfirmed(longerThan)).map(({ writer }) => writer);
    must(await two.log.append([note(1, 'called')]));
    must(await one.log.append([note(1, 'called')]));
    await expect.poll(async () => (await unconfirmed(0)).toSorted()).toEqual(['console-1', 'console-2']);
    expect(await unconfirmed(60_000)).toEqual([]);
    // It has been away since.
    await two.list.follow(null);
    await team.sql("UPDATE list SET confirmed_at = now() - interval '3 days' WHERE writer = 'console-2'");
    const [named] = must(await one.shared.installations.unconfirmed(dayMs));
    expect(named).toMatchObject({ writer: 'console-2', label: 'console-2' });
    expect(named?.since).toBeLessThan(Date.now() - 2 * dayMs);
    // It speaks for itself only.
    must(await two.shared.installations.forgetList('console-1'));
    expect(await unconfirmed(0)).toHaveLength(2);
    must(await two.shared.installations.forgetList('console-2'));
    expect(await unconfirmed(0)).toEqual(['console-1']);
  });

  test('a shared log has one keeper at a time, and none without the right', async () => {
    const one = await openConsole('console-1', ['keeper']);
    const two = await openConsole('console-2', ['keeper']);
    const three = await openConsole('console-3', ['eraser']);
    expect(must(await keeperOf(one).round())).toMatchObject({ idle: false });
    expect(must(await keeperOf(two).round())).toMatchObject({ idle: true });
    expect(await keeperOf(three).round()).toMatchObject({ ok: false, error: { code: 'log.denied' } });
    await team.sql("UPDATE claim SET until = now() - interval '1 second'");
    expect(must(await keeperOf(two).round())).toMatchObject({ idle: false });
  });
});
