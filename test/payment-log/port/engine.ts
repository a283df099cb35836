import type { PaymentLog, PaymentLogReader } from '../../../main/payment-log/payment-log.ts';
import { connect, type Connection } from '../../../main/payment-log/postgres/connection.ts';
import { createSharedReader } from '../../../main/payment-log/postgres/list/list-reader.ts';
import { paymentId } from '../../../main/payment-log/postgres/list/payment-ids.ts';
import { createListWriter } from '../../../main/payment-log/postgres/list/write-list.ts';
import { eventReader } from '../../../main/payment-log/postgres/stored-events.ts';
import { project } from '../../../main/payment-log/projection/project.ts';
import { createListReader } from '../../../main/payment-log/sqlite/query/list-reader.ts';
import { openForWriting } from '../../../main/payment-log/sqlite/store/database.ts';
import { projector } from '../../../main/payment-log/sqlite/store/projection.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import { logFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { borrowCluster } from '../../../tools/postgres-harness/borrowed-cluster.ts';
import type { Cluster } from '../../../tools/postgres-harness/cluster.ts';
import { createTeam, must, type Team } from '../../../tools/postgres-harness/shared-log.ts';
import { openInstallation } from '../../../tools/postgres-harness/team-log.ts';
import type { SharedLogSettings } from '../../../main/payment-log/postgres/settings.ts';

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
  ): Promise<{ list: Pick<PaymentLogReader, 'overview' | 'list'>; remove(): Promise<void> }>;
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
    const reader = createListReader(database);
    return Promise.resolve({
      list: {
        overview: (...days) => Promise.resolve(reader.overview(...days, now)),
        list: (...page) => Promise.resolve(reader.list(...page, now)),
      },
      remove: () => {
        database.close();
        return Promise.resolve();
      },
    });
  },
  share: 1,
};
/** The tables of the list, in the order of the statement. */
const listTables =
  'payment, facet, facet_count, listed, searched, payment_flag, payment_id, movement, review, day';

/** A team's log: it writes to a journal, and the shared log answers. */
export const createPostgres = (): Engine => {
  let cluster: Cluster | null = null;
  let team: Team | null = null;
  let settings: SharedLogSettings | null = null;
  let opened = 0;
  /** The administrator's, for lists without evidence. */
  let connection: Connection | null = null;
  return {
    start: async () => {
      cluster = await borrowCluster();
      team = await createTeam(cluster);
      settings = await team.add('desk', 'Desk 1');
    },
    stop: async () => {
      await connection?.close();
      await team?.close();
      await cluster?.remove();
    },
    open: async () => {
      if (!team || !settings) throw new Error('The engine was not started.');
      await team.sql(`TRUNCATE event, personal, writer, shape, projected, ${listTables} CASCADE`);
      opened += 1;
      const installation = await openInstallation(team, `desk-${opened}`, { settings });
      const { log, shared, shipping } = installation;
      // Answers from the journal would test the other engine.
      const answers = async (): Promise<void> => {
        const { state } = shipping.standing();
        if (state !== 'connected' && state !== 'catching-up') throw new Error(`The shared log is ${state}.`);
        if (!(await shared.chainEnds()).ok) throw new Error('The shared log does not answer.');
      };
      await answers();
      return {
        log,
        remove: async () => {
          await answers();
          await installation.remove();
        },
      };
    },
    openList: async (payments, now) => {
      if (!team || !cluster) throw new Error('The engine was not started.');
      const { folder: host, port, superuser: user } = cluster;
      const used = (connection ??= must(await connect({ host, port, user, database: team.database })));
      await used.query(`SET search_path = ${team.schema}, pg_temp`);
      const rows = payments.flatMap((events, index) => {
        const projected = project(events);
        return projected ? [{ payment: paymentId(projected.firstAt, index, 0), projected }] : [];
      });
      await used.query(`BEGIN; TRUNCATE ${listTables}`);
      await createListWriter(0).write(used, rows, 0);
      await used.query('COMMIT');
      const reader = await eventReader(used);
      return {
        list: createSharedReader(
          async work => ({ ok: true, value: await work(reader, used) }),
          () => now,
        ),
        remove: () => Promise.resolve(),
      };
    },
    share: 0.2,
  };
};
