import { hash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isGenuine } from '../../main/log/signed-head.ts';
import { signedHeadSchema } from '../../main/log/signed-head-schema.ts';
import { useKeyring } from './desk-keyring.ts';
import { newPayment, type RunningDesk, startDesk, value } from './running-desk.ts';

/** The care of the log through the desk's own calls: real log, real keychain, real files. */

useKeyring();

let desk: RunningDesk;
beforeEach(async () => {
  desk = await startDesk();
});
afterEach(() => desk.remove());

const raise = async (orderNumber: string): Promise<void> => {
  value(await desk.call('payments.create', newPayment({ orderNumber })));
};
const orders = async (): Promise<string[]> =>
  value(await desk.call('payments.list', { filter: {} })).rows.map(row => row.orderNumber);

/** Damages a page in the middle of the log, as a failing disk would. */
const damage = (file: string): void => {
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 0, 4096);
  writeFileSync(file, bytes);
};

describe('what is done once a day', () => {
  test('leaves a signed head and a copy that verify, with a key that stays in the keychain', async () => {
    await raise('D-1');
    await desk.daily();
    const day = new Date().toISOString().slice(0, 10);
    const head = signedHeadSchema.parse(
      JSON.parse(readFileSync(join(desk.folder, 'heads', `${day}.json`), 'utf8')),
    );
    expect(isGenuine(head)).toBe(true);
    const { log } = value(await desk.call('desk.read', {}));
    expect(log).toMatchObject({ problem: null, dutyProblem: null, checked: { problems: 0 } });
    expect(log.head?.key).toMatch(/^[0-9a-f]{16}$/);
    const { copies } = value(await desk.call('log.copies', {}));
    expect(copies).toMatchObject([{ name: `payments-${day}.db` }]);
    expect(readFileSync(join(desk.folder, 'settings.json'), 'utf8')).not.toContain('PRIVATE');
  });

  test('keeps copies of fourteen days, and the newest one however old', async () => {
    await raise('D-2');
    await desk.daily();
    const folder = join(desk.folder, 'copies');
    const named = (days: number): string =>
      `payments-${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}.db`;
    const today = readdirSync(folder)[0] ?? '';
    writeFileSync(join(folder, named(13)), '');
    writeFileSync(join(folder, named(15)), '');
    writeFileSync(join(folder, 'mine.db'), '');
    // Today's copy is made again once it is gone, and then the old ones are looked through.
    rmSync(join(folder, today));
    await desk.daily();
    expect(readdirSync(folder).sort()).toEqual(['mine.db', named(13), today].sort());
  });

  test('erases customer details as old as the settings say', async () => {
    value(
      await desk.call('payments.create', {
        ...newPayment({ orderNumber: 'D-3' }),
        customer: { name: 'Jane Quillfeather' },
      }),
    );
    value(await desk.call('settings.change', { retentionDays: 30 }));
    await desk.daily();
    expect(value(await desk.call('payments.list', { filter: { words: 'quillfeather' } })).rows).toHaveLength(
      1,
    );
    expect(value(await desk.call('log.erase', { profileId: 'sandbox', orderNumber: 'D-3' }))).toEqual({});
    expect(value(await desk.call('payments.list', { filter: { words: 'quillfeather' } })).rows).toEqual([]);
    expect(value(await desk.call('log.verify', {})).problems).toEqual([]);
  });
});

describe('an export', () => {
  test('has a signed head beside it that names its bytes', async () => {
    await raise('E-1');
    const exported = value(await desk.call('payments.export', { filter: {}, format: 'csv' }));
    expect(exported.signed).toBe(true);
    const file = exported.file ?? '';
    const head = signedHeadSchema.parse(JSON.parse(readFileSync(`${file}.head.json`, 'utf8')));
    expect(isGenuine(head)).toBe(true);
    expect(head.export?.sha256).toBe(hash('sha256', readFileSync(file)));
  });
});

describe('a copy', () => {
  test('takes the place of the log only after it was checked, and the log is set aside', async () => {
    await raise('C-1');
    const { file } = value(await desk.call('log.backUp', {}));
    await raise('C-2');
    await desk.daily();
    desk.willOpen(file);
    const { candidate } = value(await desk.call('log.checkCopy', { name: null }));
    expect(candidate).toMatchObject({ report: { problems: [], payments: 1 } });
    expect(candidate?.inUse).toBeGreaterThan(candidate?.report.events ?? Number.POSITIVE_INFINITY);
    expect(await orders()).toEqual(['C-2', 'C-1']);

    const restored = value(await desk.call('log.restore', { token: candidate?.token ?? '' }));
    expect(await orders()).toEqual(['C-1']);
    expect(existsSync(join(desk.folder, restored.setAside))).toBe(true);
    // The head of what came after went with the log that was set aside; the chain goes on from the copy.
    expect(value(await desk.call('log.verify', {})).problems).toEqual([]);
    await raise('C-3');
    expect(value(await desk.call('log.verify', {})).problems).toEqual([]);
  });

  test('that was changed is found before anything is replaced', async () => {
    await raise('C-1');
    const { file } = value(await desk.call('log.backUp', {}));
    const bytes = readFileSync(file ?? '');
    const at = bytes.indexOf('"123.40"');
    expect(at).toBeGreaterThan(0);
    bytes.write('"923.40"', at);
    writeFileSync(file ?? '', bytes);
    desk.willOpen(file);
    const { candidate } = value(await desk.call('log.checkCopy', { name: null }));
    expect(candidate?.report.problems.length).toBeGreaterThan(0);
    expect(await orders()).toEqual(['C-1']);
  });

  test('that changes between the check and the restoring is refused', async () => {
    await raise('C-1');
    const { file } = value(await desk.call('log.backUp', {}));
    desk.willOpen(file);
    const { candidate } = value(await desk.call('log.checkCopy', { name: null }));
    appendFileSync(file ?? '', 'x');
    utimesSync(file ?? '', new Date(), new Date());
    expect(await desk.call('log.restore', { token: candidate?.token ?? '' })).toMatchObject({
      ok: false,
      error: { code: 'input.invalid' },
    });
    expect(await orders()).toEqual(['C-1']);
  });

  test('is no copy when the file is something else', async () => {
    const file = join(desk.folder, 'holiday.jpg');
    writeFileSync(file, 'not a database, however long it is '.repeat(200));
    desk.willOpen(file);
    expect(await desk.call('log.checkCopy', { name: null })).toMatchObject({
      ok: false,
      error: { code: 'log.corrupt' },
    });
  });
});

describe('a log that cannot be opened', () => {
  test('is said, and works again once what was in its way is gone', async () => {
    await raise('F-1');
    const second = await startDesk(desk.folder);
    expect(value(await second.call('desk.read', {})).log.problem?.code).toBe('log.busy');
    expect(await second.call('payments.list', { filter: {} })).toMatchObject({ error: { code: 'log.busy' } });
    await desk.close();
    expect(value(await second.call('log.tryAgain', {})).log.problem).toBeNull();
    expect(value(await second.call('payments.list', { filter: {} })).rows).toHaveLength(1);
    await second.close();
  });

  test('because it is damaged can be set aside for a new one, or for a copy, and is never deleted', async () => {
    await raise('F-2');
    await desk.daily();
    await desk.close();
    damage(desk.logFile);
    const damaged = readFileSync(desk.logFile);
    const again = await startDesk(desk.folder);
    expect(value(await again.call('desk.read', {})).log.problem?.code).toBe('log.corrupt');

    const { setAside } = value(await again.call('log.startNew', {}));
    expect(readFileSync(join(desk.folder, setAside)).equals(damaged)).toBe(true);
    expect(value(await again.call('desk.read', {})).log).toMatchObject({ problem: null, payments: 0 });

    const [copy] = value(await again.call('log.copies', {})).copies;
    const { candidate } = value(await again.call('log.checkCopy', { name: copy?.name ?? '' }));
    value(await again.call('log.restore', { token: candidate?.token ?? '' }));
    expect(value(await again.call('payments.list', { filter: {} })).rows).toMatchObject([
      { orderNumber: 'F-2' },
    ]);
    expect(await again.call('log.startNew', {})).toMatchObject({ ok: false });
    await again.close();
  });
});
