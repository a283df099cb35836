import { ok } from '../../../shared/errors.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { openSharedLog } from '../../payment-log/postgres/open-shared-log.ts';
import type { SharedLogSettings } from '../../payment-log/postgres/connection-settings.ts';
import { openTeamErasures } from '../../team/team-erasures.ts';
import { startKeeper, type Keeper } from '../../team/keeper.ts';
import { isReachable, startShipping } from '../../team/ship.ts';
import type { IntakeLog } from './intake-log.ts';

/** `off`: not wanted. `waiting`: another installation is the keeper, or the first round has not run. */
export type KeeperState = 'off' | 'waiting' | 'active' | 'failing';

/**
 * What an intake does with a shared log: ships its journal, follows erasures, and keeps the log for all. Errors: those
 * of the settings.
 */
export const openSharing = (
  settings: SharedLogSettings,
  {
    journal,
    log,
    clock,
    isKeeper,
  }: { journal: PaymentLog; log: IntakeLog; clock: () => number; isKeeper: boolean },
) => {
  const shared = openSharedLog(settings);
  if (!shared.ok) return shared;
  const shipping = startShipping({
    journal,
    shared: shared.value,
    clock,
    onStanding: ({ state, unshipped, problem }) => {
      const cause = problem?.details?.['cause'] ?? null;
      const fields = { state, waiting: unshipped.events, code: problem?.code ?? null, cause };
      if (isReachable({ state })) log.info('The shared log is reachable.', fields);
      else log.error('The shared log cannot be used; callbacks stay in the journal.', fields);
    },
  });
  const erasures = openTeamErasures({
    journal,
    shared: shared.value,
    shipping,
    clock,
    onFollowed: events => log.info('Personal data that another installation erased was erased.', { events }),
  });

  let state: KeeperState = isKeeper ? 'waiting' : 'off';
  let problem: string | null = null;
  const note = (done: Awaited<ReturnType<Keeper['round']>>): void => {
    const code = done.ok ? null : done.error.code;
    if (code !== null && code !== problem) log.warn('The keeper could not do its work.', { code });
    problem = code;
    state = done.ok ? (done.value.idle ? 'waiting' : 'active') : 'failing';
    if (!done.ok) return;
    const { erased, months } = done.value;
    if (erased > 0 || months.length > 0)
      log.info('The keeper erased what was due.', { events: erased, months: months.length });
  };
  const keeper = isKeeper
    ? startKeeper({ journal, shared: shared.value, shipping, clock, onRound: note })
    : null;

  return ok({
    shared: shared.value,
    shipping,
    erasures,
    keeper: () => ({ state, problem }),
    /** Runs the keeper's round now, if this intake may be one. */
    keep: async (): Promise<void> => {
      await keeper?.round();
    },
    close: async (): Promise<void> => {
      await keeper?.close();
      await erasures.close();
      await shipping.close();
      await shared.value.close();
    },
  });
};
