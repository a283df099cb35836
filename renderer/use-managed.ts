import { noPolicy } from '../shared/administration/no-policy.ts';
import type { PolicyState } from '../shared/administration/policy.ts';
import { useAppState } from './stores/app-state-store.ts';

/** What the policy of this computer fixes. Main refuses every change of it. */
export const useManaged = (): PolicyState['managed'] =>
  useAppState(({ appState }) => appState?.policy.managed ?? noPolicy.managed);

/** Whether this setting is fixed: `language`, `receiver.port`. */
export const useManagedSetting = (path: string): boolean => useManaged().settings.includes(path);
