import type { ReplicaLimits } from '../../shared/administration/policy.ts';
import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import type { SharedLog } from '../../main/payment-log/postgres/open-shared-log.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/connection-settings.ts';
import { startShipping, type Shipping } from '../../main/team/ship.ts';
import { createTeamLog } from '../../main/team/team-log.ts';
import { openTeamReplica, type TeamReplica } from '../../main/team/team-replica.ts';
import type { Event } from '../../shared/payments/evidence.ts';
import type { PaymentKey } from '../../shared/payments/payment-key.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { logFolder, timeoutMs } from '../app-harness/running-payment-log.ts';
import { must, type Team } from './shared-log.ts';

/** How long a replica may take to have everything by default. */
const levelWithinMs = 20_000;

/** An installation whose payment log reads from a replica. */
export type Installation = {
  log: PaymentLog;
  journal: PaymentLog;
  shared: SharedLog;
  shipping: Shipping;
  replica: TeamReplica;
  /** Resolves when the replica has everything that is in the shared log now; rejects after a limit, milliseconds. */
  level(withinMs?: number): Promise<void>;
  remove(): Promise<void>;
};

/**
 * `writer`: the name of its chain; `settings`: of its account, a new one if absent; `waitMs`: how long reads wait for own
 * events; `limits`: of what its replica keeps; `onChange`: called with what other installations wrote.
 */
export const openInstallation = async (
  team: Team,
  writer: string,
  {
    settings,
    waitMs = timeoutMs,
    limits = {},
    onChange = () => undefined,
  }: {
    settings?: SharedLogSettings;
    waitMs?: number;
    limits?: ReplicaLimits;
    onChange?: (payments: readonly PaymentKey[] | null, events: readonly Event[]) => void;
  } = {},
): Promise<Installation> => {
  const folder = logFolder();
  const journal = await folder.open(writer);
  const account = settings ?? (await team.add('console', writer));
  const shared = team.open(account);
  const shipping = startShipping({ clock: Date.now, journal, shared });
  const replica = openTeamReplica({ journal, limits, timeoutMs: waitMs, onChange });
  replica.connect(account);
  const log = createTeamLog({ journal, replica });
  return {
    log,
    journal,
    shared,
    shipping,
    replica,
    level: async (withinMs = levelWithinMs) => {
      const ends = must(await shared.chainEnds());
      const wanted = ends.filter(end => end.writer !== writer).reduce((sum, { seq }) => sum + seq, 0);
      const isLevel = (): boolean => {
        const standing = replica.standing();
        return standing !== null && standing.isLevel && standing.progress.done >= wanted;
      };
      for (const until = Date.now() + withinMs; !isLevel();) {
        if (Date.now() > until) throw new Error(`not level: ${JSON.stringify(replica.standing())}`);
        await wait(5);
      }
    },
    remove: async () => {
      await shipping.close();
      await replica.close();
      await shared.close();
      await folder.remove();
    },
  };
};
