import { useState } from 'react';
import { useAppState } from '../../../stores/app-state-store.ts';

/** The receiver's address of a chosen profile, at first that of the first one; without the sandbox's. */
export const useReceiverAddress = () => {
  const [profileId, choose] = useState<string | null>(null);
  const app = useAppState(state => state.appState);
  const profiles = app?.profiles.filter(({ kind }) => kind !== 'sandbox') ?? [];
  const addresses =
    app?.receiver.addresses.filter(one => profiles.some(({ id }) => id === one.profileId)) ?? [];
  return {
    /** Undefined: no profile has one. */
    address: addresses.find(one => one.profileId === profileId) ?? addresses[0],
    /** The profiles to choose from. */
    options: addresses.map(one => ({
      id: one.profileId,
      name: profiles.find(({ id }) => id === one.profileId)?.name ?? one.profileId,
    })),
    choose,
  };
};
