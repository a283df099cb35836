import { create } from 'zustand';
import type { CredentialHealth } from '../../../shared/settings/credential-health.ts';
import { request } from '../../ipc-client.ts';

/** Whether each profile's credentials work, by the profile's id. */
type CredentialHealthState = {
  of: Readonly<Record<string, CredentialHealth>>;
  read: (id: string) => Promise<void>;
};

export const useCredentialHealth = create<CredentialHealthState>()(set => ({
  of: {},
  read: async id => {
    const health = await request('profiles.health', { id });
    if (health.ok) set(state => ({ of: { ...state.of, [id]: health.value } }));
  },
}));
