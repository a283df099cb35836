import type { Lock } from '../../../shared/contract/contract.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import { viewOf, type AgentSession } from './agent-session.ts';

/** What the window shows while the console is locked. `isTeamUnreachable`: the people are those of a team, which is not reachable. */
export const createLockScreen =
  (
    settings: Pick<SettingsStore, 'read'>,
    session: Pick<AgentSession, 'isLocked' | 'agents' | 'current'>,
    systemLocale: () => string,
    isTeamUnreachable: () => boolean,
  ): (() => Lock) =>
  () => {
    const { theme, density, language } = settings.read().settings;
    return {
      locked: session.isLocked(),
      agents: session.agents().map(viewOf),
      agentId: session.current()?.id ?? '',
      openLinks: null,
      systemLocale: systemLocale(),
      isTeamUnreachable: isTeamUnreachable(),
      settings: { theme, density, language },
    };
  };
