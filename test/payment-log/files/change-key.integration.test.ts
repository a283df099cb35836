import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  changeKey,
  removeReplaced,
  replacedOf,
  type KeyChange,
} from '../../../main/payment-log/sqlite/change-key.ts';
import { logFileKind, newLogKey } from '../../../main/payment-log/sqlite/key/log-key.ts';
import { createPaymentLogManager } from '../../../main/app/payment-log/payment-log-manager.ts';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import { logReader } from '../../../main/payment-log/sqlite/query/reader.ts';
import { openForReading } from '../../../main/payment-log/sqlite/store/database.ts';
import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { root } from '../../../tools/build/steps.ts';
import { startWriter, verifyClosedLog, writeClosedLog } from '../../../tools/app-harness/closed-log.ts';
import { filter, logFolder, type LogFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { note, requested } from '../../../tools/evidence/evidence.ts';

const key = newLogKey();
/** How often the console is killed while it changes the encryption; set 100 for a long run. */
const rounds = Number(process.env['COUNTERFOIL_KILL_ROUNDS'] ?? 4);
/** Time in which an idle machine encrypts a log and decrypts it again. */
const twoChangesMs = 800;

let folder: LogFolder;
let log: PaymentLog;
const opened: PaymentLog[] = [];
/** Two events, in a log that is closed. */
beforeEach(async () => {
  folder = logFolder();
  await writeClosedLog(folder.file, [
    note(0, 'one'),
    requested(1, { customer: { name: 'Wilhelmina' } }, { orderNumber: 'A-1' }),
  ]);
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await folder.remove();
});

const open = async (): Promise<PaymentLog> => {
  const result = await openPaymentLog({ file: folder.file, key, writer: 'console-1', timeoutMs: 20_000 });
  if (!result.ok) throw new Error(`${result.error.code} ${JSON.stringify(result.error.details)}`);
  opened.push(result.value);
  return result.value;
};

/** Closes the log, works, and opens it again, as the console does. */
const whileClosed = async <T>(work: () => Promise<T>): Promise<T> => {
  await log.close();
  try {
    return await work();
  } finally {
    log = await open();
  }
};

const change = (newKey: string | null, changes: Partial<KeyChange> = {}) =>
  changeKey({
    log: { file: folder.file, key: newKey === null ? key : null },
    newKey,
    whileClosed,
    holdErasures: work => work(),
    onCopied: () => undefined,
    onVerified: () => undefined,
    ...changes,
  });

describe('changing the encryption of a log', () => {
  test('changing the encryption of a log keeps every event, also those written meanwhile, both ways, and removes the old file', async () => {
    log = await open();
    for (const newKey of [key, null]) {
      let number = 0;
      const add = (): void =>
        void log.append([note((number += 1), 'meanwhile', { orderNumber: `B-${number}` })]);
      expect(
        await change(newKey, {
          onCopied: add,
          onVerified: add,
          whileClosed: async work => {
            // The last event before the log is closed.
            await log.append([note(9, 'last', { orderNumber: 'B-last' })]);
            return whileClosed(work);
          },
        }),
      ).toMatchObject({ ok: true });
      await removeReplaced(folder.file);
      expect(logFileKind(folder.file).kind).toBe(newKey === null ? 'plain' : 'encrypted');
      expect(readdirSync(dirname(folder.file)).filter(name => /replac|restor|set-aside/.test(name))).toEqual(
        [],
      );
      expect(number).toBeGreaterThan(2);
      const report = await log.verify();
      expect(report.problems).toEqual([]);
      expect((await log.events('sandbox', 'B-last')).length).toBe(newKey === null ? 2 : 1);
      expect((await log.list(filter({ words: 'ilhelm' }), null, 5)).rows).toHaveLength(1);
      expect((await log.count(filter({ words: 'b-' }))).count).toBeGreaterThan(0);
    }
  });

  test('changing the encryption of a log begins the copy again when something was erased meanwhile', async () => {
    log = await open();
    let closed = 0;
    expect(
      await change(key, {
        whileClosed: async work => {
          closed += 1;
          if (closed === 1)
            await log.erase({ reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumber: 'A-1' });
          return whileClosed(work);
        },
      }),
    ).toMatchObject({ ok: true });
    expect(closed).toBe(2);
    expect((await log.list(filter({ words: 'wilhelmina' }), null, 5)).rows).toEqual([]);
    expect((await log.verify()).problems).toEqual([]);
  });

  test('changing the encryption of a log holds erasures back when two attempts were overtaken, and erases from the new log', async () => {
    const orders = ['A-1', 'A-2', 'A-3'];
    log = await open();
    for (const orderNumber of orders.slice(1))
      await log.append([requested(1, { customer: { name: orderNumber } }, { orderNumber })]);
    await log.close();
    const manager = await createPaymentLogManager(
      () => openPaymentLog({ file: folder.file, key, writer: 'console-1' }),
      () => () => undefined,
      () => undefined,
    );
    const erase = (orderNumber: string) => {
      const current = manager.current();
      if (!current.ok) throw new Error(current.error.code);
      return current.value.erase({ reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumber });
    };
    const held: ReturnType<typeof erase>[] = [];
    let attempts = 0;
    expect(
      await change(key, {
        whileClosed: async work => {
          attempts += 1;
          const erased = erase(orders[attempts - 1] ?? '');
          if (attempts < 3) await erased;
          else held.push(erased);
          return manager.whileClosed(work);
        },
        holdErasures: work => manager.holdErasures(work),
      }),
    ).toEqual({ ok: true, value: undefined });
    expect(await Promise.all(held)).toEqual([{ ok: true, value: { payments: 1 } }]);
    const current = manager.current();
    if (!current.ok) throw new Error(current.error.code);
    for (const order of orders)
      expect((await current.value.events('sandbox', order)).at(-1)?.kind).toBe('amended');
    expect((await current.value.verify()).problems).toEqual([]);
    await manager.close();
  });

  test('changing the encryption of a log that erasures overtake each time says so', async () => {
    log = await open();
    let round = 0;
    const changed = await change(key, {
      whileClosed: async work => {
        round += 1;
        const orderNumber = `R-${round}`;
        await log.append([requested(1, { customer: { name: 'Jane' } }, { orderNumber })]);
        await log.erase({ reason: 'request', agent: 'Ada', profileId: 'sandbox', orderNumber });
        return whileClosed(work);
      },
    });
    expect(changed).toMatchObject({
      ok: false,
      error: { code: 'log.busy', message: { key: 'encryption.overtaken' } },
    });
    expect(round).toBe(3);
    expect((await log.verify()).problems).toEqual([]);
  });

  test('changing the encryption of a log ends at any step with the old log or the new one, complete', async () => {
    const { events } = verifyClosedLog(folder.file);
    const seen = new Set<string>();
    for (let at = 0; ; at += 1) {
      const copy = logFolder();
      copyFileSync(folder.file, copy.file);
      let step = 0;
      let hit = false;
      const done = await change(key, {
        log: { file: copy.file, key },
        // The log is closed all the time.
        whileClosed: work => work(),
        onStep: () => {
          step += 1;
          if (step <= at) return;
          hit = true;
          throw Object.assign(new Error('the process ends'), { code: 'ENOSPC' });
        },
      });
      expect(done.ok).toBe(!hit);
      expect(await startWriter(copy.file, key)).toEqual({ type: 'ready' });
      expect(verifyClosedLog(copy.file, key)).toMatchObject({ events, problems: [] });
      seen.add(logFileKind(copy.file).kind);
      await copy.remove();
      if (!hit) break;
    }
    expect([...seen].toSorted()).toEqual(['encrypted', 'plain']);
  });

  test('changing the encryption of a log leaves a log with problems as it is', async () => {
    folder.tamper("UPDATE event SET agent = 'stranger' WHERE seq = 1");
    log = await open();
    expect(await change(key)).toMatchObject({ ok: false, error: { code: 'log.corrupt' } });
    expect(logFileKind(folder.file).kind).toBe('plain');
    expect(existsSync(replacedOf(folder.file))).toBe(false);
  });
});

test(
  `a console killed at ${rounds} random moments of it has lost nothing that it acknowledged`,
  async () => {
    const child = join(import.meta.dirname, 'key-changing-child.ts');
    const bundled = pathToFileURL(join(root, 'tools', 'app-harness', 'use-bundled-workers.ts')).href;
    const acknowledged: string[] = [];
    const kinds = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const writing = spawn(process.execPath, ['--import', bundled, child, folder.file, key, String(round)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let complaint = '';
      writing.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
      for await (const line of createInterface({ input: writing.stdout })) {
        if (line === 'writing') void wait(Math.random() * twoChangesMs).then(() => writing.kill('SIGKILL'));
        else if (!line.startsWith('changed')) acknowledged.push(line);
      }
      expect(complaint).toBe('');
      kinds.add(logFileKind(folder.file).kind);
      expect(await startWriter(folder.file, key)).toEqual({ type: 'ready' });
      const database = openForReading(folder.file, { key });
      if (!database.ok) throw new Error(database.error.code);
      const reader = logReader(database.value, Date.now);
      const orders = new Set(acknowledged.map(line => line.split(' ')[1] ?? ''));
      const held = new Set<string>();
      for (const order of orders)
        for (const { id } of reader.events('sandbox', order)) held.add(`${id} ${order}`);
      database.value.close();
      expect(acknowledged.filter(line => !held.has(line))).toEqual([]);
      expect(verifyClosedLog(folder.file, key).problems).toEqual([]);
    }
    expect(acknowledged.length).toBeGreaterThan(rounds);
    expect(kinds.has('unknown')).toBe(false);
  },
  rounds * 15_000,
);
