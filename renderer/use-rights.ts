import { useMemo } from 'react';
import type { Agent } from '../shared/agents/agent.ts';
import { hasRight, whoMay, type Right } from '../shared/agents/roles.ts';
import type { GuardedArea, GuardedRequest, RequestRights } from '../shared/contract/required-rights.ts';
import { useText } from './i18n/text.ts';
import { useAppState } from './stores/app-state-store.ts';
import { noPolicy } from '../shared/administration/no-policy.ts';
import type { PolicyState } from '../shared/administration/policy.ts';

/** Inserted by the build, from the contract, whose schemas the first screen does not load. */
declare const REQUEST_RIGHTS: RequestRights;

/**
 * What the signed-in person needs to use a control: the right of the request that it sends. `right`: for a request
 * whose input decides which right it needs, such as `settings.change`.
 */
export type Need = { request: GuardedRequest; right?: never } | { right: Right; request?: never };

/** The right that satisfies this need. */
export const rightOf = ({ request, right }: Need): Right =>
  request === undefined
    ? right
    : (REQUEST_RIGHTS[request] ?? REQUEST_RIGHTS[request.split('.')[0] as GuardedArea]);

const nobody: readonly Agent[] = [];

/** The signed-in person; null before the console is open. */
export const useSelf = (): Agent | null =>
  useAppState(({ appState }) => appState?.agents.find(({ id }) => id === appState.agentId) ?? null);

/** The people to ask for a right that the signed-in person lacks, as a list in words; null if they have it. */
export const useWhoElse = (need: Need): string | null => {
  const right = rightOf(need);
  const self = useSelf();
  const agents = useAppState(({ appState }) => appState?.agents ?? nobody);
  const t = useText();
  return useMemo(
    () => (self === null || hasRight(self.role, right) ? null : t('quoted', { text: whoMay(agents, right) })),
    [self, agents, t, right],
  );
};

/** Why the signed-in person may not do something, and whom they can ask; null if they may. Main decides. */
export const useRefusal = (need: Need): string | null => {
  const t = useText();
  const self = useSelf();
  const names = useWhoElse(need);
  return names === null || self === null
    ? null
    : t('right.not-allowed', { role: t(`role.${self.role}`), names });
};

/** What the policy of this computer fixes. Main refuses every change of it. */
export const useManaged = (): PolicyState['managed'] =>
  useAppState(({ appState }) => appState?.policy.managed ?? noPolicy.managed);

/** Whether this setting is fixed: `language`, `receiver.port`. */
export const useManagedSetting = (path: string): boolean => useManaged().settings.includes(path);
