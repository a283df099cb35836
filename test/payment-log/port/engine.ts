import type { PaymentLog } from '../../../main/payment-log/payment-log.ts';
import { logFolder } from '../../../tools/app-harness/running-payment-log.ts';
import { startCluster, type Cluster } from '../../../tools/postgres-harness/cluster.ts';
import { createTeam, type Team } from '../../../tools/postgres-harness/shared-log.ts';
import { openInstallation } from '../../../tools/postgres-harness/team-log.ts';
import type { SharedLogSettings } from '../../../main/payment-log/postgres/settings.ts';

/** What answers the questions of the port: the same tests run on each engine. */
export type Engine = {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** An empty log. */
  open(): Promise<{ log: PaymentLog; remove(): Promise<void> }>;
};

export const sqlite: Engine = {
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  open: async () => {
    const folder = logFolder();
    return { log: await folder.open(), remove: () => folder.remove() };
  },
};

/** A team's log: it writes to a journal, and the shared log answers. */
export const createPostgres = (): Engine => {
  let cluster: Cluster | null = null;
  let team: Team | null = null;
  let settings: SharedLogSettings | null = null;
  let opened = 0;
  return {
    start: async () => {
      cluster = await startCluster();
      team = await createTeam(cluster);
      settings = await team.add('desk', 'Desk 1');
    },
    stop: async () => {
      await team?.close();
      await cluster?.remove();
    },
    open: async () => {
      if (!team || !settings) throw new Error('The engine was not started.');
      await team.sql(
        `TRUNCATE event, personal, writer, shape, projected, payment, facet, facet_count, listed, searched, payment_flag,
           payment_id, movement, review, day CASCADE`,
      );
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
  };
};
