import { ok, type Result } from '../../../../shared/errors.ts';
import { systemClock } from '../../../clock.ts';
import { isBroken } from '../list/broken-list.ts';
import { openListForReading } from '../list/list-file.ts';
import { attempt } from '../../log-failures.ts';
import { callRead } from '../../payment-log.ts';
import { logReader } from '../query/reader.ts';
import { openForReading } from '../store/database.ts';
import type { ToWorker, WorkerSetup } from './messages.ts';
import type { Port } from './run-writer.ts';

/** Threshold for reports of slow requests. */
const slowMs = 100;

/** Answers requests one after the other, on connections that are opened for reading and never wait for a writer. */
export const runReader = (
  { port, post }: Port,
  { file, list, writer }: Extract<WorkerSetup, { role: 'reader' }>,
): void => {
  const journal = openForReading(file);
  if (!journal.ok) return post({ type: 'refused', error: journal.error });
  const listed = list === null ? null : openListForReading(list);
  const close = (): void => {
    journal.value.close();
    if (listed?.ok) listed.value.close();
  };
  let correctionMs = 0;
  // The clock of the writer.
  const now = (): number => systemClock() + correctionMs;
  const reader =
    listed?.ok === false
      ? listed
      : attempt(() => logReader(journal.value, listed?.value ?? null, writer, now));
  if (!reader.ok) {
    close();
    return post({ type: 'refused', error: reader.error });
  }
  const answer = (name: keyof typeof reader.value, args: readonly unknown[]): Result<unknown> =>
    attempt(() => {
      try {
        return callRead(reader.value, name, args);
      } catch (thrown) {
        if (isBroken(thrown) && thrown instanceof Error && 'code' in thrown)
          post({ type: 'list-broken', cause: String(thrown.code) });
        throw thrown;
      }
    });
  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      close();
      port.close();
    } else if (message.type === 'correct-clock') {
      correctionMs = message.milliseconds;
      post({ type: 'answer', id: message.id, result: ok(null) });
    } else if (message.type === 'read') {
      const { id, name, args } = message;
      const startedAt = performance.now();
      post({ type: 'answer', id, result: answer(name, args) });
      const milliseconds = performance.now() - startedAt;
      if (milliseconds > slowMs) post({ type: 'slow', read: name, milliseconds });
    }
  });
  post({ type: 'ready' });
};
