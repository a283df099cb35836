import type { PaymentLog, PaymentLogReader } from '../../../main/payment-log/payment-log.ts';
import { projector } from '../../../main/payment-log/sqlite/list/projector.ts';
import { project } from '../../../main/payment-log/projection/project.ts';
import { createListReader } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { logFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { listInMemory } from '../../../tools/postgres-harness/list.ts';

export type OpenedLog = { log: PaymentLog; remove(): Promise<void> };

/** An empty log. */
export const openLog = async (): Promise<OpenedLog> => {
  const folder = logFolder();
  return { log: await folder.open(), remove: () => folder.remove() };
};

export type OpenedList = {
  list: Pick<PaymentLogReader, 'overview' | 'list' | 'movedMoney'>;
  remove(): Promise<void>;
};

/** A list of payments, given by their events, that has no evidence. `now`: milliseconds, the clock of its answers. */
export const openList = (payments: readonly (readonly Event[])[], now: number): Promise<OpenedList> => {
  const { database, close } = listInMemory('console-1');
  const rows = projector(database);
  for (const [index, events] of payments.entries()) {
    const projected = project(events);
    if (projected) rows.set(index + 1, projected);
  }
  rows.flush();
  const reader = createListReader(database, () => now);
  return Promise.resolve({
    list: {
      movedMoney: (...span) => Promise.resolve(reader.movedMoney(...span)),
      overview: (...days) => Promise.resolve(reader.overview(...days)),
      list: (...page) => Promise.resolve(reader.list(...page)),
    },
    remove: () => {
      close();
      return Promise.resolve();
    },
  });
};
