import { defaultAlertChoices, type AlertChoices, type QuietHours } from '../../../shared/alerts/alert.ts';
import { hasRight } from '../../../shared/agents/roles.ts';
import { maxSeenAlerts } from '../../../shared/alerts/alert.schema.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { createAlertBook, markOf, placeOf, type ConsoleFact } from './alert-book.ts';

export type PersonalAlerts = ReturnType<typeof createPersonalAlerts>;

/** The alerts of the signed-in person: what this computer keeps for each, by id. */
export const createPersonalAlerts = (
  settings: SettingsStore,
  { agents, current }: Pick<AgentSession, 'agents' | 'current'>,
) => {
  const book = createAlertBook();
  const kept = () => settings.read().alerts[current()?.id ?? ''] ?? { choices: null, seen: [] };
  const keep = (next: Partial<ReturnType<typeof kept>>): void => {
    const self = current();
    if (!self) return;
    settings.change(stored => ({
      ...stored,
      alerts: { ...stored.alerts, [self.id]: { ...kept(), ...next } },
    }));
  };
  const name = (): string => current()?.name ?? '';
  const choices = (): AlertChoices => kept().choices ?? defaultAlertChoices;
  const place = (fact: ConsoleFact) => {
    const self = current();
    const mayExport = self !== undefined && hasRight(self.role, 'export');
    return placeOf(fact, { name: name(), mayExport }, choices());
  };
  return {
    book,
    /** The signed-in person, or the last one. */
    name,
    choices,
    choose: (next: AlertChoices): void => keep({ choices: next }),
    /** The quiet hours that apply to them: a policy's come first. */
    quietHours: (): QuietHours => {
      const own = choices().quietHours;
      const isFixed = settings.policy.managed.settings.includes('notifications.quietHours');
      return own === 'computer' || isFixed ? settings.read().settings.notifications.quietHours : own;
    },
    /** Whether they see this fact in the window. */
    isShown: (fact: ConsoleFact): boolean => place(fact) !== 'off',
    /** Whether it may be a desktop notification for them. */
    isForDesktop: (fact: ConsoleFact): boolean => place(fact) === 'desktop',
    hasSeen: (id: string): boolean => kept().seen.includes(markOf(id)),
    /** Returns whether any of them was new. */
    markSeen: (ids: readonly string[]): boolean => {
      const { seen } = kept();
      const marks = ids.map(markOf).filter(mark => !seen.includes(mark));
      if (marks.length > 0) keep({ seen: [...seen, ...new Set(marks)].slice(-maxSeenAlerts) });
      return marks.length > 0;
    },
    /** Removes what is kept for people who are no longer listed. */
    forgetOthers: (): void => {
      const { alerts } = settings.read();
      const listed = new Set(agents().map(({ id }) => id));
      const left = Object.entries(alerts).filter(([id]) => listed.has(id));
      if (left.length < Object.keys(alerts).length)
        settings.change(stored => ({ ...stored, alerts: Object.fromEntries(left) }));
    },
  };
};
