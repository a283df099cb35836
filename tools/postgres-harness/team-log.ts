import type { PaymentLog } from '../../main/payment-log/payment-log.ts';
import type { ProjectorOptions } from '../../main/payment-log/postgres/list/projector.ts';
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

/**
 * `writer`: the name of its chain; `settings`: of its account, a new one if absent; `waitMs`: how long reads wait for own
 * events.
 */
export const openInstallation = async (
  team: Team,
  writer: string,
  {
    settings,
    waitMs = timeoutMs,
    ...options
  }: { settings?: SharedLogSettings; waitMs?: number } & ProjectorOptions = {},
): Promise<Installation> => {
  const folder = logFolder();
  const journal = await folder.open(writer);
  const shared = team.open(settings ?? (await team.add('desk', writer)), options);
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
