import type { PaymentLog, PaymentLogReader } from '../../../main/payment-log/payment-log.ts';
import { project } from '../../../main/payment-log/projection/project.ts';
import { createListReader } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import { openForWriting } from '../../../main/payment-log/sqlite/store/database.ts';
import { projector } from '../../../main/payment-log/sqlite/store/projection.ts';
import { createTeamLog } from '../../../main/team/team-log.ts';
import { openTeamReplica } from '../../../main/team/team-replica.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { logFolder, timeoutMs } from '../../../tools/app-harness/running-payment-log.ts';
import { must } from '../../../tools/postgres-harness/shared-log.ts';

/** What answers the questions of the port: the same tests run on each engine. */
export type Engine = {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** An empty log. */
  open(): Promise<{ log: PaymentLog; remove(): Promise<void> }>;
  /** A list of payments, given by their events, that has no evidence. `now`: milliseconds, the clock of its answers. */
  openList(
    payments: readonly (readonly Event[])[],
    now: number,
  ): Promise<{ list: Pick<PaymentLogReader, 'overview' | 'list' | 'movedMoney'>; remove(): Promise<void> }>;
  /** Share of a property's repetitions: a question to a server takes longer. */
  share: number;
};

export const sqlite: Engine = {
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  open: async () => {
    const folder = logFolder();
    return { log: await folder.open(), remove: () => folder.remove() };
  },
  openList: (payments, now) => {
    const database = must(openForWriting(':memory:'));
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
        database.close();
        return Promise.resolve();
      },
    });
  },
  share: 1,
};

/** A team's log without a connection: it writes to a journal, and a replica answers. */
export const replica: Engine = {
  ...sqlite,
  open: async () => {
    const folder = logFolder();
    const journal = await folder.open();
    const opened = openTeamReplica({ journal, timeoutMs, onChange: () => undefined });
    return {
      log: createTeamLog({ journal, replica: opened }),
      remove: async () => {
        await opened.close();
        await folder.remove();
      },
    };
  },
};
