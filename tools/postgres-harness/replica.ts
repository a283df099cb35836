import { createCopier, type ChainSource } from '../../main/payment-log/replica/copy-chains.ts';
import { connectToFollow } from '../../main/payment-log/replica/connect-to-follow.ts';
import { keepReplica } from '../../main/payment-log/replica/keep-replica.ts';
import { openReplicaFile } from '../../main/payment-log/replica/replica-file.ts';
import { replicaWriter, type ReplicaWriter } from '../../main/payment-log/replica/replica-writer.ts';
import { callRead, createLogReader, type PaymentLogReader } from '../../main/payment-log/payment-log.ts';
import { logReader } from '../../main/payment-log/sqlite/query/reader.ts';
import type { LogDatabase } from '../../main/payment-log/sqlite/store/database.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import type { ReplicaStanding } from '../../shared/team/replica-standing.ts';
import { must } from './shared-log.ts';

/** A replica on this thread. */
export type CopiedReplica = { writer: ReplicaWriter; reader: PaymentLogReader; close(): void };

/** Every question, answered at once. */
const readerOf = (database: LogDatabase): PaymentLogReader => {
  const reader = logReader(database, Date.now);
  return createLogReader(async (name, args) => callRead(reader, name, args));
};

/** Copies everything that the sources have into a new replica in memory. */
export const copyReplica = async (sources: readonly ChainSource[], own: string): Promise<CopiedReplica> => {
  const database = must(openReplicaFile(':memory:', { now: Date.now(), maxAwayMs: 1, months: null }));
  const writer = replicaWriter(database, own, Date.now);
  for (const source of sources) {
    const copier = createCopier(writer, source, () => undefined);
    await copier.forward();
    while (await copier.backward());
  }
  return { writer, reader: readerOf(database), close: () => database.close() };
};

/**
 * A replica on this thread, in memory, that follows a shared log; `onEvents`: called with what others write from now on.
 */
export const followTeam = (
  settings: SharedLogSettings,
  own: string,
  onEvents: (events: readonly Event[], reader: PaymentLogReader) => void,
): { standing(): ReplicaStanding; close(): Promise<void> } => {
  const database = must(openReplicaFile(':memory:', { now: Date.now(), maxAwayMs: 1, months: null }));
  const reader = readerOf(database);
  const kept = keepReplica({
    clock: Date.now,
    replica: replicaWriter(database, own, Date.now),
    journal: {
      ends: () => Promise.resolve([]),
      read: () => Promise.resolve([]),
      firstSince: () => Promise.resolve(null),
    },
    own,
    connect: () => connectToFollow(settings, own),
    onStored: ({ events }, isNew) => {
      if (isNew) onEvents(events, reader);
    },
  });
  return {
    standing: () => kept.standing(),
    close: async () => {
      await kept.close();
      database.close();
    },
  };
};
