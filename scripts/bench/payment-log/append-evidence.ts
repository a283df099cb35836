import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openPaymentLog } from '../../../main/payment-log/sqlite/open-payment-log.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { atMost, alternate, type Row } from '../measure.ts';
import { paymentEvents } from '../payments.ts';

/** Payments in one timed round, five events each. */
const batch = 200;
const rounds = 30;
const warmUp = 5;

/** Appending evidence durably through the log, compared with bare batched inserts of the same JSON, equally durable. */
export const appendEvidence = async (): Promise<Row> => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const opened = await openPaymentLog({ file: join(folder, 'payments.db'), writer: randomUUID() });
  if (!opened.ok) throw new Error(inEnglish(opened.error.message));
  const log = opened.value;
  const bare = new Database(join(folder, 'bare.db'));
  bare.pragma('journal_mode = WAL');
  bare.pragma('synchronous = FULL');
  bare.exec('CREATE TABLE event (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, body TEXT NOT NULL) STRICT');
  const insert = bare.prepare('INSERT INTO event (id, body) VALUES (?, ?)');
  const insertAll = bare.transaction((drafts: readonly EventDraft[]) => {
    for (const draft of drafts) insert.run(draft.id, JSON.stringify(draft));
  });

  const lastAt = Date.now();
  const total = batch * (rounds + warmUp);
  let first = 0;
  const next = (): EventDraft[] => {
    return Array.from({ length: batch }, (_, at) => paymentEvents(first + at, total, lastAt)).flat();
  };
  let drafts = next();
  const ours = async (): Promise<void> => {
    const written = await log.append(drafts);
    if (!written.ok) throw new Error(inEnglish(written.error.message));
  };
  const reference = (): void => {
    insertAll(drafts);
    first += batch;
    drafts = next();
  };
  const [took, bareTook] = await alternate([ours, reference], { rounds, warmUp });
  await log.close();
  bare.close();
  rmSync(folder, { recursive: true, force: true });
  return atMost(`append ${batch * 5} events durably / bare batched inserts (ms)`, took, bareTook, 4);
};
