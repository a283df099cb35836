import type { PolicyState } from '../shared/administration/policy.ts';
import { useAppState } from './stores/app-state.ts';

const nothing: PolicyState['managed'] = { settings: [], profiles: [], allProfiles: false, people: false };

/** What the policy of this computer fixes. Main refuses every change of it. */
export const useManaged = (): PolicyState['managed'] =>
  useAppState(({ appState }) => appState?.policy.managed ?? nothing);

/** Whether this setting is fixed: `language`, `receiver.port`. */
export const useManagedSetting = (path: string): boolean => useManaged().settings.includes(path);
