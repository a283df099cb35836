import type { AppError } from '../../../../shared/errors.ts';
import { LogFailure } from '../../failures.ts';
import type { PaymentLogReader } from '../../payment-log.ts';
import type { ReadAnswer, ReadArguments, ReadName, ToWorker } from './messages.ts';
import type { WorkerClient } from './worker-client.ts';

/**
 * Every question about a log, asked of its reading thread. `onFailed`: called with the error of each failed read, which
 * rejects with a LogFailure. `listReady`: awaited before reads of the list, which follows the evidence.
 */
export const workerReads = (
  worker: Pick<WorkerClient, 'request'>,
  {
    onFailed = () => undefined,
    listReady = () => Promise.resolve(),
  }: { onFailed?: (error: AppError) => void; listReady?: () => Promise<void> } = {},
) => {
  const readFromLog = async <N extends ReadName>(
    name: N,
    ...args: ReadArguments[N]
  ): Promise<ReadAnswer<N>> => {
    const result = await worker.request(id => ({ type: name, id, args }) as ToWorker);
    if (!result.ok) {
      onFailed(result.error);
      throw new LogFailure(result.error);
    }
    return result.value as ReadAnswer<N>;
  };
  const readFromList: typeof readFromLog = async (name, ...args) => {
    await listReady();
    return readFromLog(name, ...args);
  };
  const reads: PaymentLogReader = {
    payment: (profileId, orderNumber) => readFromLog('payment', profileId, orderNumber),
    orderRecord: (profileId, orderNumber) => readFromLog('orderRecord', profileId, orderNumber),
    events: (profileId, orderNumber) => readFromLog('events', profileId, orderNumber),
    eventPage: (profileId, orderNumber, before) => readFromLog('eventPage', profileId, orderNumber, before),
    change: (profileId, orderNumber, since) => readFromLog('change', profileId, orderNumber, since),
    ordersOf: paymentId => readFromList('ordersOf', paymentId),
    list: (filter, cursor, limit) => readFromList('list', filter, cursor, limit),
    moved: (...page) => readFromList('moved', ...page),
    paymentsToRecheck: (...due) => readFromList('paymentsToRecheck', ...due),
    count: filter => readFromList('count', filter),
    totals: filter => readFromList('totals', filter),
    counts: profileId => readFromList('counts', profileId),
    overview: (profileId, dayBoundaries, before) =>
      readFromList('overview', profileId, dayBoundaries, before),
    reconcile: (profileId, cause, cursor, limit, selection = { list: null, agent: '' }) =>
      readFromList('reconcile', profileId, cause, cursor, limit, selection),
    expiringSoon: (profileId, limit) => readFromList('expiringSoon', profileId, limit),
    notesSince: (profileId, since, limit) => readFromLog('notesSince', profileId, since, limit),
    recentGatewayActivity: profileId => readFromLog('recentGatewayActivity', profileId),
    callbackTypes: profileId => readFromLog('callbackTypes', profileId),
    recentCallbacks: limit => readFromLog('recentCallbacks', limit),
    inquiries: (profileId, limit, paymentIds) =>
      paymentIds === undefined
        ? readFromList('inquiries', profileId, limit)
        : readFromLog('inquiries', profileId, limit, paymentIds),
    activities: (selection, before, limit) => readFromLog('activities', selection, before, limit),
    hasEvent: (profileId, orderNumber, dedupeKey) =>
      readFromLog('hasEvent', profileId, orderNumber, dedupeKey),
    chainEnds: () => readFromLog('chainEnds'),
    lastRecordedAt: () => readFromLog('lastRecordedAt'),
    proof: (profileId, orderNumber) => readFromLog('proof', profileId, orderNumber),
    proofPath: (...from) => readFromLog('proofPath', ...from),
  };
  return { read: readFromLog, reads };
};
