import Database from 'better-sqlite3';
import { connectToFollow } from '../../main/payment-log/list/connect-to-follow.ts';
import { createCopier, type ChainSource } from '../../main/payment-log/list/copy-chains.ts';
import { foreignEventCheck } from '../../main/payment-log/evidence/check-foreign-event.ts';
import { evidenceOf } from '../../main/payment-log/sqlite/list/merged-evidence.ts';
import { followJournal } from '../../main/payment-log/sqlite/list/follow-journal.ts';
import { foreignEvents, type ForeignEvents } from '../../main/payment-log/sqlite/list/foreign-events.ts';
import { keepList } from '../../main/payment-log/list/keep-list.ts';
import type { ForeignStanding } from '../../main/payment-log/sqlite/worker/messages.ts';
import { openListFile } from '../../main/payment-log/sqlite/list/list-file.ts';
import {
  listTransactions,
  type ListTransactions,
} from '../../main/payment-log/sqlite/list/list-transactions.ts';
import { callRead, createLogReader, type PaymentLogReader } from '../../main/payment-log/payment-log.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import { logReader } from '../../main/payment-log/sqlite/query/reader.ts';
import type { LogDatabase } from '../../main/payment-log/sqlite/store/database.ts';
import { schema } from '../../main/payment-log/sqlite/store/journal-tables.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import { must } from './shared-log.ts';

/** A list on this thread, in memory, beside an empty journal. */
export type ListInMemory = {
  journal: LogDatabase;
  database: LogDatabase;
  foreign: ForeignEvents;
  transactions: ListTransactions;
  reader: PaymentLogReader;
  close: () => void;
};

/** `own`: the chain of the installation; `clock`: milliseconds since 1970. */
export const listInMemory = (own: string, clock: () => number = Date.now): ListInMemory => {
  const journal = new Database(':memory:');
  journal.exec(schema);
  const database = must(openListFile(':memory:', journal, { logId: 'shared', now: clock(), maxAwayMs: 1 }));
  const transactions = listTransactions(database, evidenceOf(journal, database, own));
  const reader = logReader(journal, database, own, clock);
  return {
    journal,
    database,
    transactions,
    foreign: foreignEvents(database, transactions, clock, foreignEventCheck()),
    reader: createLogReader(async (name, args) => callRead(reader, name, args)),
    close: () => {
      database.close();
      journal.close();
    },
  };
};

/** Copies everything that the sources have into a new list in memory. */
export const copyToList = async (sources: readonly ChainSource[], own: string): Promise<ListInMemory> => {
  const list = listInMemory(own);
  for (const source of sources) {
    const copier = createCopier(list.foreign, source, () => undefined);
    await copier.compare();
    while (await copier.forward());
    while (await copier.backward());
  }
  return list;
};

/**
 * A list on this thread, in memory, that follows a shared log; `onEvents`: called with what others write from now on.
 */
export const followTeam = (
  settings: SharedLogSettings,
  own: string,
  onEvents: (events: readonly Event[], reader: PaymentLogReader) => void,
): { standing(): ForeignStanding | null; close(): Promise<void> } => {
  const list = listInMemory(own);
  const kept = keepList({
    clock: Date.now,
    journal: followJournal(list.database, list.journal, list.transactions),
    foreign: list.foreign,
    transactions: list.transactions,
    onListed: () => undefined,
    onStored: ({ events }, isNew) => {
      if (isNew) onEvents(events, list.reader);
    },
    onBroken: thrown => {
      throw thrown;
    },
  });
  kept.follow(() => connectToFollow(settings, own));
  return {
    standing: () => kept.foreign(),
    close: async () => {
      await kept.close();
      list.close();
    },
  };
};
