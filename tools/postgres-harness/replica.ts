import { createCopier, type ChainSource } from '../../main/payment-log/replica/copy-chains.ts';
import { openReplicaFile } from '../../main/payment-log/replica/replica-file.ts';
import { replicaWriter, type ReplicaWriter } from '../../main/payment-log/replica/replica-writer.ts';
import type { PaymentLogReader } from '../../main/payment-log/payment-log.ts';
import { logReader, type LogReader } from '../../main/payment-log/sqlite/query/reader.ts';
import { must } from './shared-log.ts';

/** A replica on this thread. */
export type CopiedReplica = { writer: ReplicaWriter; reader: PaymentLogReader; close(): void };

/** Every question, answered at once. `now`: milliseconds since 1970. */
const answersOf = (reader: LogReader, now: () => number): PaymentLogReader => {
  const later = Object.fromEntries(
    Object.entries(reader).map(([name, read]) => [
      name,
      (...args: unknown[]) => Promise.resolve((read as (...all: unknown[]) => unknown)(...args)),
    ]),
  ) as unknown as PaymentLogReader;
  return {
    ...later,
    list: (...page) => Promise.resolve(reader.list(...page, now())),
    count: filter => Promise.resolve(reader.count(filter, now())),
    totals: filter => Promise.resolve(reader.totals(filter, now())),
    counts: profileId => Promise.resolve(reader.counts(profileId, now())),
    overview: (...days) => Promise.resolve(reader.overview(...days, now())),
    reconcile: (profileId, cause, cursor, limit, selection = { list: null, agent: '' }) =>
      Promise.resolve(reader.reconcile(profileId, cause, cursor, limit, selection, now())),
    expiringSoon: (profileId, limit) => Promise.resolve(reader.expiringSoon(profileId, limit, now())),
  };
};

/** Copies everything that the sources have into a new replica in memory. */
export const copyReplica = async (sources: readonly ChainSource[], own: string): Promise<CopiedReplica> => {
  const database = must(openReplicaFile(':memory:', null, { now: Date.now(), maxAwayMs: 1 }));
  const writer = replicaWriter(database, own);
  for (const source of sources) {
    const copier = createCopier(writer, source, () => undefined);
    await copier.forward();
    while (await copier.backward());
  }
  return { writer, reader: answersOf(logReader(database), Date.now), close: () => database.close() };
};
