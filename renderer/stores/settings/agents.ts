import { create } from 'zustand';
import type { CallInput } from '../../../shared/contract/index.ts';
import type { DeskError } from '../../../shared/errors.ts';
import { call } from '../../ipc-client.ts';
import { useDesk } from '../app-state.ts';
import { resume, resumeOf } from '../resume.ts';

/** Who is at the desk, and the curtain before it. */
type AgentsState = {
  /** The curtain is drawn, though nobody with a PIN left. */
  drawn: boolean;
  /** Whose PIN is asked for, or null. */
  asking: string | null;
  problem: DeskError | null;
  ask: (id: string | null) => void;
  /** Takes the desk; true when it worked. */
  choose: (id: string, pin: string | null) => Promise<boolean>;
  /** Draws the curtain; whoever has a PIN must enter it to come back. */
  leave: () => Promise<void>;
  lift: () => void;
  save: (change: CallInput<'agents.save'>) => Promise<boolean>;
  remove: (id: string, pin: string | null) => Promise<boolean>;
  forgetProblem: () => void;
};

export const useAgents = create<AgentsState>()(set => ({
  drawn: false,
  asking: null,
  problem: null,
  ask: id => set({ asking: id, problem: null }),
  choose: async (id, pin) => {
    const chosen = await call('agents.choose', { id, pin });
    if (!chosen.ok) {
      set({ problem: chosen.error });
      return false;
    }
    const { desk, resume: left } = chosen.value;
    if (left !== null) resume(left);
    useDesk.getState().open(desk);
    set({ drawn: false, asking: null, problem: null });
    return true;
  },
  leave: async () => {
    set({ drawn: true, asking: null, problem: null });
    await call('agents.leave', { resume: resumeOf() });
  },
  lift: () => {
    set({ drawn: false });
    // Main is told, too, that somebody is there again.
    const id = useDesk.getState().desk?.agentId ?? '';
    void call('agents.choose', { id, pin: null });
  },
  save: async change => {
    const saved = await call('agents.save', change);
    set({ problem: saved.ok ? null : saved.error });
    return saved.ok;
  },
  remove: async (id, pin) => {
    const removed = await call('agents.remove', { id, pin });
    set({ problem: removed.ok ? null : removed.error });
    return removed.ok;
  },
  forgetProblem: () => set({ problem: null }),
}));
