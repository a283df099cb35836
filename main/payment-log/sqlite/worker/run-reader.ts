import { ok, type Result } from '../../../../shared/errors.ts';
import { attempt } from '../../failures.ts';
import { logReader, type LogReader } from '../query/reader.ts';
import type { LogDatabase } from '../store/database.ts';
import type { ToWorker } from './messages.ts';
import type { Port } from './run-writer.ts';

/** `now`: milliseconds, by the clock that the writer uses. */
const answer = (reader: LogReader, message: ToWorker, now: number): unknown => {
  switch (message.type) {
    case 'payment':
      return reader.payment(...message.args);
    case 'orderRecord':
      return reader.orderRecord(...message.args);
    case 'events':
      return reader.events(...message.args);
    case 'eventPage':
      return reader.eventPage(...message.args);
    case 'change':
      return reader.change(...message.args);
    case 'ordersOf':
      return reader.ordersOf(...message.args);
    case 'list':
      return reader.list(...message.args, now);
    case 'moved':
      return reader.moved(...message.args);
    case 'paymentsToRecheck':
      return reader.paymentsToRecheck(...message.args);
    case 'count':
      return reader.count(...message.args, now);
    case 'totals':
      return reader.totals(...message.args, now);
    case 'counts':
      return reader.counts(...message.args, now);
    case 'overview':
      return reader.overview(...message.args, now);
    case 'reconcile':
      return reader.reconcile(...message.args, now);
    case 'expiringSoon':
      return reader.expiringSoon(...message.args, now);
    case 'notesSince':
      return reader.notesSince(...message.args);
    case 'recentGatewayActivity':
      return reader.recentGatewayActivity(...message.args);
    case 'recentCallbacks':
      return reader.recentCallbacks(...message.args);
    case 'callbackTypes':
      return reader.callbackTypes(...message.args);
    case 'inquiries':
      return reader.inquiries(...message.args);
    case 'activities':
      return reader.activities(...message.args);
    case 'hasEvent':
      return reader.hasEvent(...message.args);
    case 'chainEnds':
      return reader.chainEnds();
    case 'chainedEvents':
      return reader.chainedEvents(...message.args);
    case 'lastRecordedAt':
      return reader.lastRecordedAt();
    case 'proof':
      return reader.proof(...message.args);
    case 'proofPath':
      return reader.proofPath(...message.args);
    case 'append':
    case 'connect':
    case 'attend':
    case 'find-older':
    case 'own-written':
    case 'restore':
    case 'correct-clock':
    case 'erase':
    case 'rebuild':
    case 'settle-loss':
    case 'close':
      break;
  }
  return null;
};

/** Threshold for reports of slow requests, milliseconds. */
const slow = 100;

/** Answers requests one after the other, on a connection that is opened for reading and never waits for the writer. */
export const runReader = ({ port, post }: Port, opened: Result<LogDatabase>): void => {
  if (!opened.ok) return post({ type: 'refused', error: opened.error });
  const reader = attempt(() => logReader(opened.value));
  if (!reader.ok) {
    opened.value.close();
    return post({ type: 'refused', error: reader.error });
  }
  let correctionMs = 0;
  port.on('message', (message: ToWorker) => {
    if (message.type === 'close') {
      opened.value.close();
      port.close();
    } else if (message.type === 'correct-clock') {
      correctionMs = message.milliseconds;
      post({ type: 'answer', id: message.id, result: ok(null) });
    } else if ('args' in message) {
      const startedAt = performance.now();
      post({
        type: 'answer',
        id: message.id,
        result: attempt(() => answer(reader.value, message, Date.now() + correctionMs)),
      });
      const milliseconds = performance.now() - startedAt;
      if (milliseconds > slow) post({ type: 'slow', read: message.type, milliseconds });
    }
  });
  post({ type: 'ready' });
};
