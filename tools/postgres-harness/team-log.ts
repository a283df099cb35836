import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import type { SharedLog } from '../../main/payment-log/postgres/open-shared-log.ts';
import type { SharedLogSettings } from '../../main/payment-log/postgres/settings.ts';
import { startShipping, type Shipping } from '../../main/team/ship.ts';
import { createTeamLog } from '../../main/team/team-log.ts';
import { logFolder, timeoutMs } from '../app-harness/running-payment-log.ts';
import type { Team } from './shared-log.ts';

/** An installation whose payment log reads from the shared log. */
export type Installation = {
  log: PaymentLog;
  journal: PaymentLog;
  shared: SharedLog;
  shipping: Shipping;
  remove(): Promise<void>;
};

/** `writer`: the name of its chain; `settings`: of its account, a new one if absent. */
export const openInstallation = async (
  team: Team,
  writer: string,
  { settings, waitMs = timeoutMs }: { settings?: SharedLogSettings; waitMs?: number } = {},
): Promise<Installation> => {
  const folder = logFolder();
  const journal = await folder.open(writer);
  const shared = team.open(settings ?? (await team.add('desk', writer)));
  const shipping = startShipping({ journal, shared });
  const log = createTeamLog({ journal, shared, shipping, timeoutMs: waitMs });
  return {
    log,
    journal,
    shared,
    shipping,
    remove: async () => {
      await shipping.close();
      await shared.close();
      await folder.remove();
    },
  };
};
