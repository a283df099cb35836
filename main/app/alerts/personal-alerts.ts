import { defaultAlertChoices, type AlertChoices, type QuietHours } from '../../../shared/alerts/alert.ts';
import { hasRight } from '../../../shared/agents/roles.ts';
import { maxSeenAlerts } from '../../../shared/alerts/alert.schema.ts';
import type { SettingsStore } from '../../settings/settings-store.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import { createAlertBook, markOf, placeOf, type AlertBook, type ConsoleFact } from './alert-book.ts';

export type PersonalAlerts = {
  book: AlertBook;
  /** The signed-in person, or the last one. */
  name(): string;
  choices: () => AlertChoices;
  choose(choices: AlertChoices): void;
  /** The quiet hours that apply to them: a policy's come first. */
  quietHours: () => QuietHours;
  /** Whether they see this fact in the window. */
  isShown(fact: ConsoleFact): boolean;
  /** Whether it may be a desktop notification for them. */
  isForDesktop(fact: ConsoleFact): boolean;
  hasSeen(id: string): boolean;
  /** Returns whether any of them was new. */
  markSeen(ids: readonly string[]): boolean;
  /** Removes what is kept for people who are no longer listed. */
  forgetOthers(): void;
};

/** The alerts of the signed-in person: what this computer keeps for each, by id. */
export const createPersonalAlerts = (
  settings: SettingsStore,
  { agents, current }: Pick<AgentSession, 'agents' | 'current'>,
): PersonalAlerts => {
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
    name,
    choices,
    choose: next => keep({ choices: next }),
    quietHours: () => {
      const own = choices().quietHours;
      const isFixed = settings.policy.managed.settings.includes('notifications.quietHours');
      return own === 'computer' || isFixed ? settings.read().settings.notifications.quietHours : own;
    },
    isShown: fact => place(fact) !== 'off',
    isForDesktop: fact => place(fact) === 'desktop',
    hasSeen: id => kept().seen.includes(markOf(id)),
    markSeen: ids => {
      const { seen } = kept();
      const marks = ids.map(markOf).filter(mark => !seen.includes(mark));
      if (marks.length > 0) keep({ seen: [...seen, ...new Set(marks)].slice(-maxSeenAlerts) });
      return marks.length > 0;
    },
    forgetOthers: () => {
      const { alerts } = settings.read();
      const listed = new Set(agents().map(({ id }) => id));
      const left = Object.entries(alerts).filter(([id]) => listed.has(id));
      if (left.length < Object.keys(alerts).length)
        settings.change(stored => ({ ...stored, alerts: Object.fromEntries(left) }));
    },
  };
};
