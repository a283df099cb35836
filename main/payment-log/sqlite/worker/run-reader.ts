import { ok, type Result } from '../../../../shared/errors.ts';
import { attempt } from '../../log-failures.ts';
import { callRead } from '../../payment-log.ts';
import { logReader } from '../query/reader.ts';
import type { LogDatabase } from '../store/database.ts';
import type { ToWorker } from './messages.ts';
import type { Port } from './run-writer.ts';
import { systemClock } from '../../../clock.ts';

/** Threshold for reports of slow requests. */
const slowMs = 100;

/** Answers requests one after the other, on a connection that is opened for reading and never waits for the writer. */
export const runReader = ({ port, post }: Port, opened: Result<LogDatabase>): void => {
  if (!opened.ok) return post({ type: 'refused', error: opened.error });
  let correctionMs = 0;
  // The clock of the writer.
  const reader = attempt(() => logReader(opened.value, () => systemClock() + correctionMs));
  if (!reader.ok) {
    opened.value.close();
    return post({ type: 'refused', error: reader.error });
  }
  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      opened.value.close();
      port.close();
    } else if (message.type === 'correct-clock') {
      correctionMs = message.milliseconds;
      post({ type: 'answer', id: message.id, result: ok(null) });
    } else if (message.type === 'read') {
      const { id, name, args } = message;
      const startedAt = performance.now();
      post({ type: 'answer', id, result: attempt(() => callRead(reader.value, name, args)) });
      const milliseconds = performance.now() - startedAt;
      if (milliseconds > slowMs) post({ type: 'slow', read: name, milliseconds });
    }
  });
  post({ type: 'ready' });
};
