import { create } from 'zustand';
import type { AppError } from '../../../shared/errors.ts';
import type { LockReason } from '../../../shared/activity/activity.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { activeProfile, useAppState } from '../app-state-store.ts';
import { flushDrafts, forgetDrafts } from '../new-payment/keep-drafts.ts';
import { useNewPayment } from '../new-payment/new-payment-store.ts';
import { resume, resumeOf } from '../resume.ts';
import { forgetKeptForms } from './kept-form.ts';

/** The signed-in agent, and the lock screen. */
type AgentsState = {
  /** The lock screen is visible although the console is not locked: the agent has no PIN. */
  isRendered: boolean;
  /** The agent whose PIN is requested, or null. */
  pinRequestedFor: string | null;
  problem: AppError | null;
  requestPin: (id: string | null) => void;
  /** Signs in; true if it succeeded. */
  choose: (id: string, pin: string | null) => Promise<boolean>;
  /** Signs out; an agent with a PIN must enter it to come back. */
  signOut: (reason?: LockReason) => Promise<void>;
  unlock: () => void;
  clearProblem: () => void;
};

export const useAgents = create<AgentsState>()(set => ({
  isRendered: false,
  pinRequestedFor: null,
  problem: null,
  requestPin: id => set({ pinRequestedFor: id, problem: null }),
  choose: async (id, pin) => {
    const before = useAppState.getState().appState?.agentId ?? null;
    // They belong to the person who typed them.
    await flushDrafts();
    const chosen = await request('agents.signIn', { id, pin });
    if (!chosen.ok) {
      set({ problem: chosen.error });
      return false;
    }
    const { appState, resume: left } = chosen.value;
    if (left !== null) resume(left);
    const isOther = before !== null && before !== id;
    if (isOther) {
      forgetDrafts();
      forgetKeptForms();
    }
    useAppState.getState().open(appState);
    const profile = activeProfile({ appState });
    if (isOther && profile && useNewPayment.getState().isShown) void useNewPayment.getState().open(profile);
    set({ isRendered: false, pinRequestedFor: null, problem: null });
    return true;
  },
  signOut: async (reason = 'person') => {
    set({ isRendered: true, pinRequestedFor: null, problem: null });
    await flushDrafts();
    await request('agents.signOut', { resume: resumeOf(), reason });
  },
  unlock: () => {
    set({ isRendered: false });
    // Main is notified that an agent is signed in again.
    const id = useAppState.getState().appState?.agentId ?? '';
    void request('agents.signIn', { id, pin: null });
  },
  clearProblem: () => set({ problem: null }),
}));

/** Main decides when to lock; the window then locks as by its shortcut, with the typed form. */
export const followLockRequests = (): void => {
  subscribe('app.lockRequested', ({ reason }) => {
    if (!useAgents.getState().isRendered) void useAgents.getState().signOut(reason);
  });
};
