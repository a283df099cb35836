import { useMemo } from 'react';
import type { Agent } from '../shared/agents/agent.ts';
import { hasRight, whoMay, type Right } from '../shared/agents/roles.ts';
import { useLocaleChoice, useText } from './i18n/text.ts';
import { useAppState } from './stores/app-state-store.ts';

const nobody: readonly Agent[] = [];

/** The signed-in person; null before the console is open. */
export const useSelf = (): Agent | null =>
  useAppState(({ appState }) => appState?.agents.find(({ id }) => id === appState.agentId) ?? null);

/** The people to ask for a right that the signed-in person lacks, as a list in words; null if they have it. */
export const useWhoElse = (right: Right): string | null => {
  const self = useSelf();
  const agents = useAppState(({ appState }) => appState?.agents ?? nobody);
  const { locale } = useLocaleChoice();
  return useMemo(
    () =>
      self === null || hasRight(self.role, right)
        ? null
        : new Intl.ListFormat(locale, { type: 'disjunction' }).format(whoMay(agents, right)),
    [self, agents, locale, right],
  );
};

/** Why the signed-in person may not do something, and whom they can ask; null if they may. Main decides. */
export const useRefusal = (right: Right): string | null => {
  const t = useText();
  const self = useSelf();
  const names = useWhoElse(right);
  return names === null || self === null
    ? null
    : t('right.not-allowed', { role: t(`role.${self.role}`), names });
};
