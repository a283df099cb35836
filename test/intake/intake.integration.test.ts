import {
  chmodSync,
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
import { verifyFile } from '../../main/payment-log/sqlite/worker/worker-client.ts';
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

const columnIn = (journal: string, sql: string): string[] => {
  const database = new Database(journal, { readonly: true });
  const found = database.prepare<[], string>(sql).pluck().all();
  database.close();
  return found;
};
/** The order numbers of the callbacks in a journal, one for each event. */
const ordersIn = (journal: string): string[] =>
  columnIn(
    journal,
    `SELECT order_number FROM event JOIN payment ON payment.id = event.payment
     WHERE kind = 'callback.received' ORDER BY seq`,
  );
const orderOf = (body: string): string => new URLSearchParams(body).get('order_number') ?? '';

describe.skipIf(isWindows)('an intake that is killed under load', () => {
  test('an intake that is killed under load has every callback that it acknowledged, once, and continues its chain', async () => {
    const next = signedCallbacks(password);
    const acknowledged: string[] = [];
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
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
      await running.end(signal);
      await Promise.all(posting);
    }
    const orders = ordersIn(intake.journal);
    expect(acknowledged.filter(order => !orders.includes(order))).toEqual([]);
    expect(new Set(orders).size).toBe(orders.length);
    expect(await intake.command('verify')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^OK: /) });
  }, 60_000);
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
    expect(ordersIn(intake.journal)).toEqual(['LOAD-1']);
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
    expect(columnIn(intake.journal, 'SELECT kind FROM event ORDER BY seq')).toEqual([
      'callback.received',
      'callback.reverified',
      'callback.received',
    ]);
  });

  test('a running intake keeps poisoned callbacks or refuses them alone, and writes nothing of a callback or password into its log', async () => {
    const running = await intake.start();
    const next = signedCallbacks(password);
    const json = { 'content-type': 'application/json' };
    const answers = await Promise.all([
      running.post(String.raw`{"id":"p-1","order_number":"A\u0000B","hash":"1"}`, json),
      running.post(String.raw`{"id":"\udc00","order_number":"A\ud800B","hash":"1"}`, json),
      running.post('['.repeat(65_000), json),
      running.post(`{"order_number":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, json),
      running.post('order_number=%00%ff%fe&hash=1'),
      running.post('order_number=A-9&hash=1'),
      running.post(next()),
      running.post(next()),
    ]);
    expect(answers.slice(0, 2)).toEqual([200, 200]);
    for (const status of answers.slice(2, 5)) expect([200, 400]).toContain(status);
    expect(answers.slice(5)).toEqual([200, 200, 200]);
    expect((await running.health()).health.ready).toBe(true);
    await running.end('SIGTERM');
    for (const line of running.output().trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), msg: expect.any(String) });
    for (const text of ['LOAD-1', 'A-9', 'Jane', 'jane', '192.0.2.7', '127.0.0.1', password, 'TWO NIGHTS'])
      expect(running.output()).not.toContain(text);
    const state = join(intake.folder, 'state');
    for (const name of readdirSync(state))
      expect([name, statSync(join(state, name)).mode & 0o077]).toEqual([name, 0]);
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
    const orders = ordersIn(full.journal);
    expect(acknowledged.filter(order => !orders.includes(order))).toEqual([]);
  });
});

describe.skipIf(isWindows)('the commands', () => {
  test('the intake’s command check says what run would do, and names what is unsafe and every problem by its path', async () => {
    mkdirSync(join(intake.folder, '.stfolder'));
    // In a container, secrets are mounted like this.
    chmodSync(join(intake.folder, 'live.password'), 0o644);
    const webhook = { url: 'https://hooks.example.com/secret-path', secret: { file: 'live.password' } };
    intake.configure({ listen: { port: 8420 }, returnPages: { enabled: true }, alerts: { webhook } });
    const good = await intake.command('check');
    expect(good.code).toBe(0);
    for (const text of [
      'Profile live: http://127.0.0.1:8420/0123456789abcdef',
      'http://127.0.0.1:8420/return/thank-you',
      'http://127.0.0.1:8420/return/cancelled',
      'to hooks.example.com',
    ])
      expect(good.stdout).toContain(text);
    expect(good.stdout).not.toContain('secret-path');
    expect(good.stderr).toMatch(/^profiles\.0\.password: .*chmod 600/m);
    expect(good.stderr).toContain('synchronises (Syncthing)');
    intake.configure({ listen: { port: -1 }, extra: 1 });
    const bad = await intake.command('check');
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/^listen\.port: /m);
    expect(bad.stderr).toMatch(/^extra: /m);
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

  test('the intake’s commands work beside the running intake, which a second one cannot join, and without it', async () => {
    expect(await intake.command('status')).toMatchObject({ code: 2 });
    const running = await intake.start();
    await expect(intake.start()).rejects.toThrow('log.busy');
    const next = signedCallbacks(password);
    await running.post(next());
    await running.post(next());
    intake.configure({ admin: { port: Number(new URL(running.admin).port) } });
    const found = await intake.command('status');
    expect([found.code, JSON.parse(found.stdout)]).toMatchObject([0, { ready: true, shared: null }]);
    const copy = join(intake.folder, 'copy.db');
    expect(await intake.command('backup', copy)).toMatchObject({ code: 0 });
    expect(await intake.command('backup', copy)).toMatchObject({ code: 2 });
    expect(ordersIn(copy)).toEqual(['LOAD-1', 'LOAD-2']);
    expect(await verifyFile(copy)).toMatchObject({ ok: true, value: { problems: [] } });
    expect(await intake.command('erase', 'live', 'LOAD-1')).toMatchObject({ code: 0 });
    expect((await running.health()).health.journal.events).toBe(3);
    await running.end('SIGTERM');
    expect(await intake.command('erase', 'live', 'LOAD-2')).toMatchObject({ code: 0 });
    expect(await intake.command('erase', 'live', 'LOAD-2')).toMatchObject({ code: 1 });
    expect(readFileSync(intake.journal).includes('Jane')).toBe(false);
    const database = new Database(intake.journal);
    database.exec("DROP TRIGGER event_stays; UPDATE event SET agent = 'another'");
    database.close();
    expect(await intake.command('verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('WRONG'),
    });
  }, 90_000);
});

test.skipIf(isWindows)(
  'a sender of too much that is no callback is cut off, others behind the same proxy are not',
  async () => {
    intake.configure({ listen: { port: 0, trustedProxies: ['127.0.0.0/8'] } });
    const running = await intake.start();
    const get = async (sender: string, path = '/admin'): Promise<number | null> =>
      fetch(new URL(path, running.url), { headers: { 'x-forwarded-for': sender } }).then(
        ({ status }) => status,
        () => null,
      );
    const many = await Promise.all(Array.from({ length: 250 }, () => get('198.51.100.1')));
    expect(many.filter(status => status === 404).length).toBeGreaterThanOrEqual(200);
    expect(many).toContain(null);
    // Return pages are served if the configuration says so.
    expect(await get('198.51.100.2', '/return/thank-you')).toBe(404);
    const next = signedCallbacks(password);
    const post = (body: string): Promise<number> => running.post(body, { 'x-forwarded-for': '198.51.100.1' });
    expect(await post(next())).toBe(200);
    const unverified = Array.from({ length: 60 }, () => post(next().replace(/hash=\w+/, 'hash=0')));
    expect(await Promise.all(unverified)).toContain(503);
    expect(await post(next())).toBe(200);
  },
);
