import type { LockReason } from '../../../shared/activity/activity.ts';
import { idleLockMinutes } from '../../../shared/settings/idle-lock.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { viewOf, type AgentSession } from './agent-session.ts';
import { startLoop, type Loop } from '../../pacing/loop.ts';
import type { Lock } from '../../../shared/contract/contract.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';

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

const checkIntervalMs = 5_000;
/** Time for the window to lock itself and to keep a typed form. A hidden window may never answer. */
const windowTimeMs = 2_000;

/**
 * Locks the console after a time without input, and together with the computer. The window is asked to lock, in the
 * same way as by its shortcut; `lock` locks without it if it does not answer in time.
 */
export const createIdleLock = (
  {
    settings,
    system,
    notify,
  }: Pick<AppDependencies, 'settings' | 'notify'> & {
    system: Pick<AppDependencies['system'], 'idleSeconds' | 'onSystemLock'>;
  },
  session: Pick<AgentSession, 'isLeft' | 'state'>,
  lock: (reason: LockReason) => void,
): { start: () => void; stop: () => void } => {
  let waiting: NodeJS.Timeout | null = null;
  const minutes = (): number => idleLockMinutes(settings.read().settings.idleLock, session.state().agents);

  const requestLock = (reason: LockReason): void => {
    if (waiting !== null || session.isLeft()) return;
    notify('app.lockRequested', { reason });
    waiting = setTimeout(() => {
      waiting = null;
      if (!session.isLeft()) lock(reason);
    }, windowTimeMs).unref();
  };
  const check = (): void => {
    const limit = minutes();
    if (limit > 0 && system.idleSeconds() >= limit * 60) requestLock('idle');
  };
  const onSystemLock = (): void => {
    const { agents } = session.state();
    if (minutes() > 0 || agents.some(({ hasPin }) => hasPin)) requestLock('system');
  };
  let checks: Loop | null = null;
  let unsubscribe = (): void => undefined;
  return {
    start: () => {
      checks = startLoop(check, { everyMs: checkIntervalMs });
      unsubscribe = system.onSystemLock(onSystemLock);
    },
    stop: () => {
      void checks?.close();
      if (waiting !== null) clearTimeout(waiting);
      unsubscribe();
    },
  };
};
