import { logFailure } from '../../payment-log/log-failures.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { SharedLog } from '../../payment-log/postgres/open-shared-log.ts';
import { openTeamErasures, type TeamErasures } from '../../team/team-erasures.ts';
import { startKeeper, type Keeper } from '../../team/keeper.ts';
import type { Shipping } from '../../team/ship.ts';

type Parts = { shared: SharedLog; shipping: Shipping };

export type TeamUpkeep = ReturnType<typeof createTeamUpkeep>;

/** What a console does for erasures in a team: its journal follows those of others, and it may be the keeper. */
export const createTeamUpkeep = (journal: PaymentLog, clock: () => number) => {
  let parts: Parts | null = null;
  let erasures: TeamErasures | null = null;
  let keeper: Keeper | null = null;
  let isClosed = false;

  /** As of the payment log; a person's request is carried out by all installations. */
  const erase: PaymentLog['erase'] = async (erasure, watch) => {
    if (erasures) return erasures.erase(erasure, watch);
    return erasure.reason === 'request'
      ? logFailure('log.unreachable', 'not connected')
      : journal.erase(erasure, watch);
  };

  return {
    erase,
    start: (given: Parts): void => {
      parts = given;
      erasures = openTeamErasures({ journal, ...given, clock });
    },
    /** The shared log answers. Without an intake, a console whose account has the right is the keeper. */
    onConnected: async (): Promise<void> => {
      if (!parts || keeper) return;
      const allowed = await parts.shared.people.hasRight('keeper');
      if (allowed.ok && allowed.value && !isClosed) keeper ??= startKeeper({ journal, ...parts, clock });
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.all([erasures?.close(), keeper?.close()]);
    },
  };
};
