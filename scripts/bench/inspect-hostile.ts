import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { callbackDraft } from '../../main/callbacks/callback-event.ts';
import { createCallbackReader, createLogReads } from '../../main/app/callbacks/callback-reader.ts';
import { openPaymentLog } from '../../main/payment-log/sqlite/open-payment-log.ts';
import { inEnglish } from '../../shared/messages/catalogues.ts';
import { atMost, type Row } from './measure.ts';
import { median } from '../load/percentile.ts';

/** Limits: of an inspection, and of main's longest pause meanwhile. */
const maxInspectionMs = 100;
const maxSilenceMs = 20;
/** Counted rounds, after uncounted ones. */
const rounds = 7;
const warmUp = 3;
/** Callbacks of the order with many. */
const events = 10_000;

const orderNumber = 'HOSTILE-1';

const fieldsOf = (changes: Record<string, string>): [string, string][] =>
  Object.entries({
    id: randomUUID(),
    order_number: orderNumber,
    order_amount: '12.50',
    order_currency: 'EUR',
    order_description: 'Two nights, room 12',
    type: 'sale',
    status: 'success',
    customer_ip: '192.0.2.7',
    hash: createHash('sha1').update(randomUUID()).digest('hex'),
    ...changes,
  });

const textOf = (changes: Record<string, string>): string => new URLSearchParams(fieldsOf(changes)).toString();

/** The duration of the work, and the longest pause of main's event loop, milliseconds. */
const watched = async (work: () => Promise<unknown>): Promise<{ durationMs: number; silentMs: number }> => {
  let last = performance.now();
  let silentMs = 0;
  const watch = setInterval(() => {
    const now = performance.now();
    silentMs = Math.max(silentMs, now - last);
    last = now;
  }, 1);
  try {
    const startedAt = performance.now();
    await work();
    const durationMs = performance.now() - startedAt;
    await wait(2);
    return { durationMs, silentMs };
  } finally {
    clearInterval(watch);
  }
};

/**
 * Callbacks designed to be expensive, pasted into the inspector: each is explained quickly, and main stays
 * responsive.
 */
export const inspectHostile = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const opened = await openPaymentLog({ file: join(folder, 'payments.db'), writer: 'bench' });
  if (!opened.ok) throw new Error(inEnglish(opened.error.message));
  const log = opened.value;
  const reader = createCallbackReader(createLogReads(() => log));
  const candidates = ['one', 'two', 'three'].map(password => ({
    profileId: password,
    password,
    digest: 'md5' as const,
  }));
  try {
    const drafts = Array.from({ length: events }, (_, at) =>
      callbackDraft({
        profileId: 'one',
        fields: fieldsOf({ rrn: String(at) }),
        form: 'urlencoded',
        via: 'receiver',
        verification: { verdict: 'invalid', uppercasing: null, digest: 'md5' },
        arrivedAt: Date.now(),
        agent: 'console',
      }),
    );
    for (let from = 0; from < events; from += 500) {
      const written = await log.append(drafts.slice(from, from + 500));
      if (!written.ok) throw new Error(inEnglish(written.error.message));
    }
    const hostile: readonly (readonly [name: string, text: string])[] = [
      ['an amount of 32,000 digits', textOf({ order_number: 'LONG-1', order_amount: '1'.repeat(32_000) })],
      [
        'a description of 1 MB',
        textOf({ order_number: 'LONG-2', order_description: 'Wein & Käse '.repeat(80_000) }),
      ],
      ['an order with 10,000 events', textOf({})],
    ];
    const rows: Row[] = [];
    for (const [name, text] of hostile) {
      const took: number[] = [];
      const silent: number[] = [];
      for (let round = -warmUp; round < rounds; round += 1) {
        const measured = await watched(() => reader.request('inspect', text, null, candidates));
        if (round < 0) continue;
        took.push(measured.durationMs);
        silent.push(measured.silentMs);
      }
      rows.push(
        atMost(`inspect ${name} / ${maxInspectionMs} (ms)`, median(took), maxInspectionMs, 1),
        atMost(`main silent meanwhile / ${maxSilenceMs} (ms)`, Math.max(...silent), maxSilenceMs, 1),
      );
    }
    return rows;
  } finally {
    await reader.close();
    await log.close();
    rmSync(folder, { recursive: true, force: true });
  }
};
