import { create } from 'zustand';
import type { CallInput, CallOutput } from '../../../shared/contract/index.ts';
import type { DeskError } from '../../../shared/errors.ts';
import type { Round, RoundOutcome } from '../../../shared/payments/bulk-look-up.ts';
import { call, subscribe } from '../../ipc-client.ts';
import type { Key } from './selection.ts';

type Results = CallOutput<'lookUps.payments'>;

/** The round of look-ups under way or just over: main runs it, whatever screen is shown. */
type RoundState = {
  round: Round | null;
  /** Why it could not be begun. */
  problem: DeskError | null;
  /** The payments of one outcome, as they stand now. */
  shown: (Results & { outcome: RoundOutcome }) | null;
  start: (payments: readonly Key[]) => Promise<boolean>;
  steer: (to: CallInput<'lookUps.steer'>['to']) => Promise<void>;
  read: () => Promise<void>;
  show: (outcome: RoundOutcome) => Promise<void>;
};

export const useRound = create<RoundState>()((set, get) => ({
  round: null,
  problem: null,
  shown: null,
  start: async payments => {
    const begun = await call('lookUps.start', { payments: [...payments] });
    if (begun.ok) set({ round: begun.value.round, problem: null, shown: null });
    else set({ problem: begun.error });
    return begun.ok;
  },
  steer: async to => {
    const steered = await call('lookUps.steer', { to });
    if (steered.ok) set({ round: steered.value.round, problem: null });
  },
  read: async () => {
    const read = await call('lookUps.read', {});
    if (read.ok) set({ round: read.value.round });
  },
  show: async outcome => {
    if (get().shown?.outcome !== outcome) set({ shown: null });
    const results = await call('lookUps.payments', { outcome });
    if (results.ok) set({ shown: { ...results.value, outcome } });
  },
}));

/** Keeps the round, and the payments shown of it, fresh for the window's life. */
export const followRound = (): void => {
  let timer: number | null = null;
  const soon = (): void => {
    timer ??= window.setTimeout(() => {
      timer = null;
      const { shown, show } = useRound.getState();
      if (shown) void show(shown.outcome);
    }, 400);
  };
  subscribe('lookUps.changed', ({ round }) => {
    useRound.setState({ round });
    soon();
  });
  subscribe('payments.changed', soon);
};
