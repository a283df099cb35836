import { logFailure } from '../../payment-log/log-failures.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { SharedLog } from '../../payment-log/postgres/open-shared-log.ts';
import { openTeamErasures, type TeamErasures } from '../../team/team-erasures.ts';
import { startKeeper, type Keeper } from '../../team/keeper.ts';
import type { Shipping } from '../../team/ship.ts';

/** What a console does for erasures in a team: its journal follows those of others, and it may be the keeper. */
export type TeamUpkeep = {
  /** As of the payment log; a person's request is carried out by all installations. */
  erase: PaymentLog['erase'];
  start(parts: { shared: SharedLog; shipping: Shipping }): void;
  /** The shared log answers. */
  onConnected(): Promise<void>;
  close(): Promise<void>;
};

export const createTeamUpkeep = (journal: PaymentLog, clock: () => number): TeamUpkeep => {
  let parts: { shared: SharedLog; shipping: Shipping } | null = null;
  let erasures: TeamErasures | null = null;
  let keeper: Keeper | null = null;
  let isClosed = false;

  /** Without an intake, a console whose account has the right is the keeper. */
  const startKeeping = async (): Promise<void> => {
    if (!parts || keeper) return;
    const allowed = await parts.shared.people.hasRight('keeper');
    if (allowed.ok && allowed.value && !isClosed) keeper ??= startKeeper({ journal, ...parts, clock });
  };

  return {
    erase: async (erasure, watch) => {
      if (erasures) return erasures.erase(erasure, watch);
      return erasure.reason === 'request'
        ? logFailure('log.unreachable', 'not connected')
        : journal.erase(erasure, watch);
    },
    start: given => {
      parts = given;
      erasures = openTeamErasures({ journal, ...given, clock });
    },
    onConnected: startKeeping,
    close: async () => {
      isClosed = true;
      await Promise.all([erasures?.close(), keeper?.close()]);
    },
  };
};
