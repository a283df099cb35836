import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { logFailure } from '../../main/log/failures.ts';
import { openSpool, type Spool } from '../../main/log/spool.ts';
import { spoolOf } from '../../main/log/spool-files.ts';
import { ok } from '../../shared/errors.ts';
import type { EventDraft } from '../../shared/evidence.ts';
import { callback, note } from './evidence.ts';
import { filter, logFolder, type LogFolder } from './running-log.ts';

describe('what a log receives', () => {
  let folder: LogFolder;
  beforeEach(() => {
    folder = logFolder();
  });
  afterEach(() => folder.remove());
  const spooled = (): string => readFileSync(spoolOf(folder.file), 'utf8');
  const lines = (...drafts: EventDraft[]): string => drafts.map(one => `${JSON.stringify(one)}\n`).join('');

  test('is on disk when it is acknowledged, and seen by whoever asks next', async () => {
    const log = await folder.open();
    const arrived = callback(0, 'sale', 'success');
    expect(await log.receive(arrived)).toEqual({ ok: true, value: undefined });
    expect(spooled()).toBe(`{"after":0}\n${lines(arrived)}`);
    expect(await log.events('sandbox', 'CF-1001')).toMatchObject([{ id: arrived.id, writerSeq: 1 }]);
    expect((await log.list(filter({}), null, 10)).rows).toHaveLength(1);
  });

  test('leaves nothing of customers in the spool once it is in the log', async () => {
    const log = await folder.open();
    await log.receive(callback(0, 'sale', 'success'));
    await vi.waitFor(() => expect(statSync(spoolOf(folder.file)).size).toBe(0), 5_000);
    await log.receive(callback(1_000, 'refund', 'success'));
    await log.close();
    expect(spooled()).toBe('');
    const again = await folder.open();
    expect(await again.events('sandbox', 'CF-1001')).toHaveLength(2);
  });

  test('and a crash left in the spool is in the log after the next start: all of it, once, in its order', async () => {
    const log = await folder.open();
    const before = callback(0, '3ds', 'success');
    await log.append([before]);
    await log.close();
    const after = [callback(1_000, 'redirect', 'success'), callback(2_000, 'sale', 'success')];
    writeFileSync(spoolOf(folder.file), `{"after":0}\n${lines(before, ...after)}`);
    // Its flush did not end, so nobody was told that it was kept.
    appendFileSync(spoolOf(folder.file), lines(callback(3_000, 'refund', 'success')).slice(0, 200));
    const again = await folder.open();
    const events = await again.events('sandbox', 'CF-1001');
    expect(events.map(({ id }) => id)).toEqual([before, ...after].map(({ id }) => id));
    expect(events.map(({ writerSeq }) => writerSeq)).toEqual([1, 2, 3]);
    expect((await again.verify()).problems).toEqual([]);
    await again.close();
    expect(spooled()).toBe('');
  });

  test('the same callback received again is a second delivery, also when a crash lies between', async () => {
    const log = await folder.open();
    await log.receive(callback(0, 'sale', 'success'));
    await log.close();
    writeFileSync(spoolOf(folder.file), `{"after":1}\n${lines(callback(60_000, 'sale', 'success'))}`);
    const again = await folder.open();
    expect(await again.events('sandbox', 'CF-1001')).toHaveLength(2);
    expect(await again.payment('sandbox', 'CF-1001')).toMatchObject({ state: 'paid-unconfirmed' });
  });

  test('is found in the log after a crash without delay, however often the same callback came', async () => {
    const log = await folder.open();
    const deliveries = Array.from({ length: 20_000 }, () => callback(0, 'sale', 'success'));
    await log.append(deliveries);
    await log.close();
    writeFileSync(spoolOf(folder.file), `{"after":0}\n${lines(...deliveries)}`);
    const again = await folder.open();
    expect(await again.verify()).toMatchObject({ events: 20_000, problems: [] });
  }, 60_000);

  test('is erased and copied with the rest', async () => {
    const log = await folder.open();
    await log.receive(callback(0, 'sale', 'success', { customer_email: 'anna@example.com' }));
    const copy = `${folder.file}.copy`;
    expect(await log.copyTo(copy)).toMatchObject({ ok: true });
    await log.receive(callback(1_000, 'refund', 'success', { customer_email: 'anna@example.com' }));
    const request = {
      reason: 'request',
      agent: 'Ada',
      profileId: 'sandbox',
      orderNumber: 'CF-1001',
    } as const;
    expect(await log.erase(request)).toEqual({ ok: true, value: { payments: 1 } });
    expect(JSON.stringify(await log.events('sandbox', 'CF-1001'))).not.toContain('anna');
    await log.close();
    expect(readFileSync(folder.file).includes('anna@example.com')).toBe(false);
    expect(readFileSync(copy).includes('anna@example.com')).toBe(true);
  });
});

describe('a spool before a log', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'counterfoil-spool-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** What the log behind it holds, and how it behaves. */
  const before = async (
    held: string[],
    behaves: () => 'writes' | 'refuses' | 'writes and breaks' = () => 'writes',
  ): Promise<Spool> => {
    const opened = await openSpool({
      file: join(folder, 'spool'),
      write: async drafts => {
        const now = behaves();
        if (now !== 'refuses') held.push(...drafts.map(({ id }) => id));
        return now === 'writes' ? ok(undefined) : logFailure('log.full');
      },
      logEnd: () => held.length,
      idsAfter: async seq => held.slice(seq),
      onTrouble: () => undefined,
      patience: 20_000,
      fileBytes: 30_000,
    });
    if (!opened.ok) throw new Error(opened.error.code);
    return opened.value;
  };

  test('refuses newcomers while the log cannot be written, and loses nothing of what it took', async () => {
    const held: string[] = [];
    let refuses = true;
    const spool = await before(held, () => (refuses ? 'refuses' : 'writes'));
    const first = note(0, 'taken');
    expect(await spool.add(first)).toMatchObject({ ok: true });
    await spool.settled();
    expect(await spool.add(note(1, 'refused'))).toMatchObject({ ok: false, error: { code: 'log.full' } });
    refuses = false;
    // It tries again by itself.
    await vi.waitFor(() => expect(held).toEqual([first.id]), 5_000);
    const next = note(2, 'taken again');
    expect(await spool.add(next)).toMatchObject({ ok: true });
    await spool.close();
    expect(held).toEqual([first.id, next.id]);
  });

  test('has everything that was acknowledged in the log once and in order, whatever breaks on the way', async () => {
    const step = fc.record({
      many: fc.integer({ min: 0, max: 700 }),
      next: fc.constantFrom('settle', 'go on', 'close', 'die'),
      log: fc.constantFrom('writes', 'writes', 'refuses', 'writes and breaks'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async steps => {
        const held: string[] = [];
        const taken: string[] = [];
        let log: 'writes' | 'refuses' | 'writes and breaks' = 'writes';
        const open = (): Promise<Spool> => before(held, () => log);
        let spool = await open();
        for (const { many, next, log: behaves } of steps) {
          log = behaves;
          const drafts = Array.from({ length: many }, (_, at) => note(at, 'some words'));
          const answers = await Promise.all(drafts.map(draft => spool.add(draft)));
          answers.forEach((answer, at) => answer.ok && taken.push(drafts[at]?.id ?? ''));
          if (next === 'settle') await spool.settled();
          if (next === 'close') await spool.close();
          if (next === 'die') {
            // What a process that dies leaves is its file as it is then; what it still does is of no account.
            const left = readdirSync(folder).map(name => [name, readFileSync(join(folder, name))] as const);
            const inLog = [...held];
            log = 'refuses';
            await spool.close();
            held.splice(0, held.length, ...inLog);
            for (const name of readdirSync(folder)) rmSync(join(folder, name));
            for (const [name, bytes] of left) writeFileSync(join(folder, name), bytes);
            // And what it was just writing, cut short.
            appendFileSync(join(folder, left.at(-1)?.[0] ?? 'spool'), '{"id":"half a l');
          }
          if (next === 'close' || next === 'die') spool = await open();
        }
        log = 'writes';
        await spool.settled();
        expect(held).toEqual(taken);
        await spool.close();
        // However many files it took, one is left, and nothing in it.
        expect(readdirSync(folder)).toHaveLength(1);
        expect(readdirSync(folder).map(name => statSync(join(folder, name)).size)).toEqual([0]);
        for (const name of readdirSync(folder)) rmSync(join(folder, name));
      }),
      { numRuns: 40 },
    );
  });
});
