import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signedCallbacks } from '../../scripts/load/callbacks.ts';
import { newFolder } from '../../tools/app-harness/new-folder.ts';
import { fillDisk, mayMount, mountDisk, unmountDisk } from '../../tools/app-harness/small-disk.ts';
import { newIntake } from '../../tools/intake-harness/new-intake.ts';
import { password, type IntakeFolder } from '../../tools/intake-harness/running-intake.ts';

/** An intake as a process: what it acknowledges is kept, however it ends. */

/** An intake runs on Linux: Windows has no signals that could end it properly. */
const isWindows = process.platform === 'win32';

let intake: IntakeFolder;
beforeEach(() => {
  intake = newIntake();
});

/** The order numbers of the callbacks in a journal, one for each event, and their dedupe keys. */
const callbacksIn = (journal: string): { orders: string[]; keys: string[] } => {
  const database = new Database(journal, { readonly: true });
  const rows = database
    .prepare<[], { order: string; key: string }>(
      `SELECT order_number AS "order", dedupe_key AS key FROM event JOIN payment ON payment.id = event.payment
       WHERE kind = 'callback.received' ORDER BY seq`,
    )
    .all();
  database.close();
  return { orders: rows.map(({ order }) => order), keys: rows.map(({ key }) => key) };
};
const orderOf = (body: string): string => new URLSearchParams(body).get('order_number') ?? '';
const kinds = (journal: string): string[] => {
  const database = new Database(journal, { readonly: true });
  const found = database.prepare<[], string>('SELECT kind FROM event ORDER BY seq').pluck().all();
  database.close();
  return found;
};

describe.skipIf(isWindows)('an intake that is killed under load', () => {
  test('an intake that is killed under load has every callback that it acknowledged, once, and continues its chain', async () => {
    const next = signedCallbacks(password);
    const acknowledged: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const running = await intake.start();
      let isStopping = false;
      const post = async (): Promise<void> => {
        while (!isStopping) {
          const body = next();
          const status = await running.post(body).catch(() => null);
          if (status === 200) acknowledged.push(orderOf(body));
          else isStopping = true;
        }
      };
      const posting = Array.from({ length: 16 }, post);
      const before = acknowledged.length;
      await expect
        .poll(() => acknowledged.length - before, { timeout: 20_000, interval: 5 })
        .toBeGreaterThan(80);
      await running.end('SIGKILL');
      await Promise.all(posting);
    }
    const running = await intake.start();
    await running.end('SIGTERM');
    const { orders } = callbacksIn(intake.journal);
    expect(acknowledged.filter(order => !orders.includes(order))).toEqual([]);
    expect(new Set(orders).size).toBe(orders.length);
    expect(await intake.command('verify')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^OK: /) });
  }, 60_000);
});

describe.skipIf(isWindows)('two intakes', () => {
  test('two intakes that receive one callback at the same moment each keep it, with the same key', async () => {
    const other = newIntake();
    const [one, two] = await Promise.all([intake.start(), other.start()]);
    const body = signedCallbacks(password)();
    expect(await Promise.all([one.post(body), two.post(body)])).toEqual([200, 200]);
    await Promise.all([one.end('SIGTERM'), two.end('SIGTERM')]);
    const [first, second] = [callbacksIn(intake.journal), callbacksIn(other.journal)];
    expect(first.orders).toEqual(['LOAD-1']);
    expect(second).toEqual(first);
  });

  test('two intakes cannot use one folder', async () => {
    await intake.start();
    await expect(intake.start()).rejects.toThrow('log.busy');
  });
});

describe.skipIf(isWindows)('a running intake', () => {
  test('a running intake drains on SIGTERM: not ready first, then no connections, and every answer was kept', async () => {
    intake.configure({ drainMs: 1_500 });
    const running = await intake.start();
    const next = signedCallbacks(password);
    expect((await running.health()).status).toBe(200);
    const ended = running.end('SIGTERM');
    await expect
      .poll(async () => (await running.health()).health.draining, { timeout: 10_000, interval: 10 })
      .toBe(true);
    expect((await running.health()).status).toBe(503);
    // The balancer has not noticed yet.
    expect(await running.post(next())).toBe(200);
    expect(await ended).toBe(0);
    await expect(running.post(next())).rejects.toThrow('fetch failed');
    expect(existsSync(`${intake.journal}-wal`)).toBe(false);
    expect(callbacksIn(intake.journal).orders).toEqual(['LOAD-1']);
  });

  test('a running intake reads its passwords again on SIGHUP, and verifies earlier callbacks with them', async () => {
    const file = join(intake.folder, 'live.password');
    writeFileSync(file, 'wrong\n');
    const running = await intake.start();
    const next = signedCallbacks(password);
    expect(await running.post(next())).toBe(200);
    writeFileSync(file, '');
    running.child.kill('SIGHUP');
    await expect.poll(() => running.output()).toContain('Secrets were not read again.');
    writeFileSync(file, password);
    running.child.kill('SIGHUP');
    await expect.poll(() => running.output()).toContain('Secrets were read again.');
    expect(await running.post(next())).toBe(200);
    const metrics = await running.metrics();
    for (const [verdict, count] of [
      ['invalid', 1],
      ['verified', 1],
    ] as const)
      expect(metrics).toContain(
        `counterfoil_callbacks_total{profile="live",verdict="${verdict}",kept="journal"} ${count}`,
      );
    expect(metrics).toContain('counterfoil_quarantine_callbacks 0');
    await running.end('SIGTERM');
    expect(kinds(intake.journal)).toEqual(['callback.received', 'callback.reverified', 'callback.received']);
  });

  test('a running intake writes no body, order number, address or password into its log, and its files are private', async () => {
    const running = await intake.start();
    await running.post(signedCallbacks(password)());
    await running.post('order_number=A-9&hash=1');
    await running.end('SIGTERM');
    for (const line of running.output().trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), msg: expect.any(String) });
    for (const text of ['LOAD-1', 'A-9', 'Jane', 'jane', '192.0.2.7', '127.0.0.1', password, 'TWO NIGHTS'])
      expect(running.output()).not.toContain(text);
    const state = join(intake.folder, 'state');
    for (const name of readdirSync(state))
      if (process.platform !== 'win32')
        expect([name, statSync(join(state, name)).mode & 0o077]).toEqual([name, 0]);
  });

  test('a running intake keeps poisoned callbacks or refuses them alone, and its journal verifies', async () => {
    const running = await intake.start();
    const next = signedCallbacks(password);
    const json = { 'content-type': 'application/json' };
    const answers = await Promise.all([
      running.post(String.raw`{"id":"p-1","order_number":"A\u0000B","hash":"1"}`, json),
      running.post(String.raw`{"id":"\udc00","order_number":"A\ud800B","hash":"1"}`, json),
      running.post('['.repeat(65_000), json),
      running.post(`{"order_number":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, json),
      running.post('order_number=%00%ff%fe&hash=1'),
      running.post(next()),
      running.post(next()),
    ]);
    expect(answers.slice(0, 2)).toEqual([200, 200]);
    for (const status of answers.slice(2, 5)) expect([200, 400]).toContain(status);
    expect(answers.slice(5)).toEqual([200, 200]);
    expect((await running.health()).health.ready).toBe(true);
    await running.end('SIGTERM');
    expect(await intake.command('verify')).toMatchObject({ code: 0 });
  });
});

describe.skipIf(!mayMount)('a full disk', () => {
  let disk: string;
  beforeEach(() => {
    disk = newFolder('disk');
    mountDisk(disk, 'size=16m');
  });
  afterEach(() => {
    unmountDisk(disk);
  });

  test('a callback on a full disk is answered 503 and never 200, and the intake continues when there is room', async () => {
    const full = newIntake(join(disk, 'state'));
    const running = await full.start();
    const next = signedCallbacks(password);
    expect(await running.post(next())).toBe(200);
    const ballast = join(disk, 'ballast');
    fillDisk(ballast);
    const answers: number[] = [];
    const acknowledged = ['LOAD-1'];
    for (let sent = 0; sent < 60 && !answers.includes(503); sent += 1) {
      const body = next();
      const status = await running.post(body);
      answers.push(status);
      if (status === 200) acknowledged.push(orderOf(body));
    }
    expect(answers.at(-1)).toBe(503);
    expect(await running.health()).toMatchObject({
      status: 503,
      health: { journal: { works: false, problem: 'log.full' } },
    });
    rmSync(ballast);
    // Without a callback: a balancer sends none to an intake that is not ready.
    await expect
      .poll(async () => (await running.health()).status, { timeout: 20_000, interval: 100 })
      .toBe(200);
    const body = next();
    expect(await running.post(body)).toBe(200);
    acknowledged.push(orderOf(body));
    await running.end('SIGKILL');
    const { orders } = callbacksIn(full.journal);
    expect(acknowledged.filter(order => !orders.includes(order))).toEqual([]);
  });
});

describe.skipIf(isWindows)('the commands', () => {
  test('the intake’s command check says what run would do, and names every problem by its path', async () => {
    const good = await intake.command('check');
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toContain('Profile live: http://127.0.0.1:0/0123456789abcdef');
    intake.configure({ listen: { port: -1 }, extra: 1 });
    const bad = await intake.command('check');
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/^listen\.port: /m);
    expect(bad.stderr).toMatch(/^extra: /m);
  });

  test('the intake’s command check refuses the callback path of the example, and names a secret that every user can read', async () => {
    const profile = { id: 'live', name: 'Shop', password: { file: 'live.password' } };
    intake.configure({ profiles: [{ ...profile, callbackPath: `/${'0'.repeat(32)}` }] });
    expect(await intake.command('check')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^profiles\.0\.callbackPath: /m),
    });
    intake.configure({});
    chmodSync(join(intake.folder, 'live.password'), 0o644);
    // In a container, secrets are mounted like this.
    expect(await intake.command('check')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^profiles\.0\.password: .*chmod 600/m),
    });
  });

  test.skipIf(process.getuid?.() !== 0)(
    'the intake’s command check speaks for the service’s user, who may read and write less than root',
    async () => {
      const programs = join(intake.folder, 'bin');
      mkdirSync(programs);
      const before = process.env['PATH'];
      process.env['PATH'] = `${programs}${delimiter}${before ?? ''}`;
      const checkOf = async (lines: string): Promise<string> => {
        const unit = `[Service]\nExecStart=/usr/bin/counterfoil-intake run --config ${intake.configFile}\n${lines}`;
        writeFileSync(join(programs, 'unit'), unit);
        const script = `#!/bin/sh\n[ "$1" = cat ] && cat '${programs}/unit'\n`;
        writeFileSync(join(programs, 'systemctl'), script, { mode: 0o755 });
        const { code, stderr } = await intake.command('check');
        expect(code).toBe(stderr === '' ? 0 : 1);
        return stderr;
      };
      try {
        chmodSync(intake.folder, 0o755);
        chmodSync(intake.configFile, 0o600);
        const refused = await checkOf('');
        expect(refused).toMatch(/^\/.*intake\.json: .*cannot read/m);
        expect(refused).toMatch(/^profiles\.0\.password: .*LoadCredential=live\.password:/m);
        expect(refused).toMatch(/^state: .*\/var\/lib\/counterfoil-intake/m);
        chmodSync(intake.configFile, 0o644);
        const given = await checkOf('LoadCredential=live.password:/etc/counterfoil/live.password\n');
        expect(given).toMatch(/^state: [^\n]*\n$/);
        expect(await checkOf('LoadCredential=live.password:/x\nLoadCredential=\n')).toContain(
          'profiles.0.password',
        );
        // Another configuration than the service's.
        writeFileSync(join(programs, 'systemctl'), '#!/bin/sh\necho "[Service]"\n', { mode: 0o755 });
        expect(await intake.command('check')).toMatchObject({ code: 0, stderr: '' });
      } finally {
        process.env['PATH'] = before;
      }
    },
  );

  test('the intake’s option --version prints the version alone', async () => {
    expect(await intake.command('--version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/),
      stderr: '',
    });
  });

  test('the intake’s command erase works beside the running intake and without it', async () => {
    const running = await intake.start();
    const next = signedCallbacks(password);
    await running.post(next());
    await running.post(next());
    expect(await intake.command('erase', 'live', 'LOAD-1')).toMatchObject({ code: 0 });
    expect((await running.health()).health.journal.events).toBe(3);
    await running.end('SIGTERM');
    expect(await intake.command('erase', 'live', 'LOAD-2')).toMatchObject({ code: 0 });
    expect(await intake.command('erase', 'live', 'LOAD-2')).toMatchObject({ code: 1 });
    expect(readFileSync(intake.journal).includes('Jane')).toBe(false);
    expect(await intake.command('verify')).toMatchObject({ code: 0 });
  });

  test('the intake’s command verify names a change, and backup copies a journal in use', async () => {
    const running = await intake.start();
    await running.post(signedCallbacks(password)());
    const copy = join(intake.folder, 'copy.db');
    expect(await intake.command('backup', copy)).toMatchObject({ code: 0 });
    expect(await intake.command('backup', copy)).toMatchObject({ code: 2 });
    expect(callbacksIn(copy).orders).toEqual(['LOAD-1']);
    await running.end('SIGTERM');
    const database = new Database(intake.journal);
    database.exec("DROP TRIGGER event_stays; UPDATE event SET agent = 'another'");
    database.close();
    expect(await intake.command('verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('WRONG'),
    });
    rmSync(intake.journal);
    copyFileSync(copy, intake.journal);
    expect(await intake.command('verify')).toMatchObject({ code: 0 });
  });

  test('the intake’s command status is the health of the running intake', async () => {
    expect(await intake.command('status')).toMatchObject({ code: 2 });
    const running = await intake.start();
    intake.configure({ admin: { port: Number(new URL(running.admin).port) } });
    const found = await intake.command('status');
    expect([found.code, JSON.parse(found.stdout)]).toMatchObject([0, { ready: true, shared: null }]);
  });
});

test.skipIf(isWindows)(
  'a sender of too much that is no callback is cut off, others behind the same proxy are not',
  async () => {
    intake.configure({ listen: { port: 0, trustedProxies: ['127.0.0.0/8'] } });
    const running = await intake.start();
    const get = async (sender: string): Promise<number | null> =>
      fetch(new URL('/admin', running.url), { headers: { 'x-forwarded-for': sender } }).then(
        ({ status }) => status,
        () => null,
      );
    const many = await Promise.all(Array.from({ length: 250 }, () => get('198.51.100.1')));
    expect(many.filter(status => status === 404).length).toBeGreaterThanOrEqual(200);
    expect(many).toContain(null);
    expect(await get('198.51.100.2')).toBe(404);
    const next = signedCallbacks(password);
    const post = (body: string): Promise<number> => running.post(body, { 'x-forwarded-for': '198.51.100.1' });
    expect(await post(next())).toBe(200);
    const unverified = Array.from({ length: 60 }, () => post(next().replace(/hash=\w+/, 'hash=0')));
    expect(await Promise.all(unverified)).toContain(503);
    expect(await post(next())).toBe(200);
  },
);
