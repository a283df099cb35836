import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callbackDraft } from '../../../main/callbacks/callback-event.ts';
import { readBody } from '../../../main/callbacks/read-body.ts';
import { openForWriting } from '../../../main/payment-log/sqlite/store/database.ts';
import { logWriter } from '../../../main/payment-log/sqlite/store/writer.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import type { EventDraft } from '../../../shared/payments/evidence.ts';
import { signedCallbacks } from '../../load/callbacks.ts';
import { percentile } from '../../percentile.ts';

/**
 * The cost of writing a callback by batch size: `node scripts/bench/payment-log/append-batches.ts`. Small batches are
 * those of a receiver that acknowledges after the commit; the largest one would need a journal in front. See
 * docs/decisions/0003-callbacks-in-the-payment-log.md.
 */

const callbacks = 20_000;
const next = signedCallbacks('a password');

const draft = (): EventDraft => {
  const [read] = readBody(next(), 'application/x-www-form-urlencoded') ?? [];
  if (!read) throw new Error('not a callback');
  return callbackDraft({
    profileId: 'bench',
    fields: read.fields,
    form: read.form,
    via: 'receiver',
    verification: { verdict: 'verified', uppercasing: 'unicode', digest: 'md5' },
    arrivedAt: Date.now(),
    agent: 'console',
  });
};

/** Writes all callbacks in transactions of this size; prints CPU per callback and the time of a transaction. */
const measure = (size: number): void => {
  const folder = mkdtempSync(join(tmpdir(), 'counterfoil-bench-'));
  const opened = openForWriting(join(folder, 'payments.db'));
  if (!opened.ok) throw new Error(inEnglish(opened.error.message));
  const writer = logWriter(opened.value, 'bench');
  const batches = Array.from({ length: callbacks / size }, () =>
    Array.from({ length: size }, () => [draft()]),
  );
  const times: number[] = [];
  const before = process.cpuUsage();
  for (const batch of batches) {
    const startedAt = performance.now();
    writer.write(batch);
    times.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  const cpu = Math.round((user + system) / callbacks);
  const [middle, late, maxDelayMs] = [0.5, 0.99, 1].map(part => percentile(times, part).toFixed(1));
  console.log(
    `${size} in a transaction: ${cpu} µs of CPU each; a transaction takes ${middle} ms, p99 ${late}, at most ${maxDelayMs}`,
  );
  opened.value.close();
  rmSync(folder, { recursive: true });
};

for (const size of [16, 32, 500, 16, 32, 500]) measure(size);
