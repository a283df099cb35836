import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { VerifyReport } from '../../shared/contract/contract.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import type { Result } from '../../shared/errors.ts';
import { auditLog } from '../../main/payment-log/sqlite/integrity/audit.ts';
import { auditParts } from '../../main/payment-log/sqlite/integrity/audit-parts.ts';
import type { Erasure } from '../../main/payment-log/answers.ts';
import { openForReading } from '../../main/payment-log/sqlite/store/database.ts';
import type { FromWorker, ToWorker } from '../../main/payment-log/sqlite/worker/messages.ts';
import { runWriter } from '../../main/payment-log/sqlite/worker/run-writer.ts';

/** Work on a log that no console has open, on this thread: starting a thread costs more than the work. */

/** Starts the writer, as the next start of the console does, and closes it after these requests. */
const runWriterOnce = async (
  file: string,
  requests: readonly ToWorker[],
  writer = 'console-1',
): Promise<FromWorker[]> => {
  const { port1: sender, port2: port } = new MessageChannel();
  const messages: FromWorker[] = [];
  const closed = once(port, 'close');
  runWriter({ port, post: message => messages.push(message) }, { role: 'writer', file, writer });
  if (messages.some(({ type }) => type === 'refused')) port.close();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
  else for (const request of [...requests, { type: 'close' }]) sender.postMessage(request);
  await closed;
  return messages;
};

/** Starts the writer and closes it; resolves to whether it was ready, or why it refused. */
export const startWriter = async (file: string, writer?: string): Promise<FromWorker | undefined> =>
  (await runWriterOnce(file, [], writer)).find(({ type }) => type === 'ready' || type === 'refused');

const halfDayMs = 43_200_000;

/** The requests that append drafts, oldest first, as if each had been recorded when it happened: by half days. */
const inTime = (drafts: readonly EventDraft[]): ToWorker[] =>
  [...Map.groupBy(drafts, ({ happenedAt }) => Math.floor(happenedAt / halfDayMs))]
    .sort(([one], [other]) => one - other)
    .flatMap(([half, group], id) => [
      { type: 'correct-clock', id, milliseconds: (half + 1) * halfDayMs - Date.now() },
      append(group.toSorted((one, other) => one.happenedAt - other.happenedAt)),
    ]);
const append = (drafts: readonly EventDraft[]): ToWorker => ({
  type: 'append',
  id: 0,
  appends: JSON.stringify([drafts]),
});

/**
 * Writes evidence into a log, a new one if there is none. `isInTime`: no event counts a day before its recording;
 * otherwise all of it is recorded now.
 */
export const writeClosedLog = async (
  file: string,
  drafts: readonly EventDraft[],
  { writer = 'yesterday', isInTime = false }: { writer?: string; isInTime?: boolean } = {},
): Promise<void> => {
  const messages = await runWriterOnce(file, isInTime ? inTime(drafts) : [append(drafts)], writer);
  const places = messages.flatMap(message =>
    message.type === 'appended' && message.result.ok
      ? (JSON.parse(message.result.value) as Result<unknown>[])
      : [],
  );
  if (places.length === 0 || places.some(({ ok }) => !ok))
    throw new Error(`Not all was written: ${JSON.stringify(messages)}`);
};

/** Runs the first step of an erasure; the console is closed before the next one. */
export const beginErasure = async (file: string, erasure: Erasure): Promise<void> => {
  await runWriterOnce(file, [{ type: 'erase', id: 1, erasure }]);
};

/** The report of a verification. */
export const verifyClosedLog = (file: string): VerifyReport => {
  const opened = openForReading(file);
  if (!opened.ok) throw new Error(opened.error.code);
  const report: VerifyReport = { events: 0, payments: 0, problems: [] };
  for (const part of auditParts(1)) {
    const found = auditLog(opened.value, part);
    report.events += found.events;
    report.payments += found.payments;
    report.problems.push(...found.problems);
  }
  opened.value.close();
  return report;
};
