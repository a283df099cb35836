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
export const startWriter = async (file: string): Promise<FromWorker | undefined> =>
  (await runWriterOnce(file, [])).find(({ type }) => type === 'ready' || type === 'refused');

/** Writes evidence into a log, a new one if there is none. */
export const writeClosedLog = async (
  file: string,
  drafts: readonly EventDraft[],
  writer?: string,
): Promise<void> => {
  const append: ToWorker = { type: 'append', id: 1, appends: JSON.stringify([drafts]) };
  const messages = await runWriterOnce(file, [append], writer);
  const answer = messages.find(message => message.type === 'appended');
  const places = answer?.result.ok ? (JSON.parse(answer.result.value) as Result<unknown>[]) : [];
  if (places[0]?.ok !== true) throw new Error(`Nothing was written: ${JSON.stringify(messages)}`);
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
