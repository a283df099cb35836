import type { Event } from '../../shared/evidence.ts';
import { chooseLanguage } from '../../shared/language.ts';
import { reducePayment } from '../../shared/reduce.ts';
import { attentionStates } from '../../shared/state-groups.ts';
import { mostTold, notifier } from './notifications.ts';
import { outsideTexts } from './outside-texts.ts';
import type { DeskParts } from './parts.ts';
import type { Places } from './places.ts';

/** Milliseconds after a change until the count outside the window follows. */
const counting = 1_000;
type Key = { profileId: string; orderNumber: string };

/** What the operating system shows of the desk: the count of what needs attention, and notifications. */
export const outsideDesk = (parts: DeskParts, places: Places, locked: () => boolean) => {
  const { settings, system } = parts;
  const timers = new Set<NodeJS.Timeout>();
  const later = (work: () => void, milliseconds: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, milliseconds);
    timer.unref();
    timers.add(timer);
  };
  const texts = () => {
    const { language, locale } = chooseLanguage(settings.read().settings.language, parts.systemLocale);
    return { texts: outsideTexts[language], locale };
  };
  const notices = notifier({
    settings: () => settings.read().settings.notifications,
    locked,
    clock: parts.clock,
    later,
    read: async ({ profileId, orderNumber }, first) => {
      const events = parts.log.ok ? await parts.log.value.events(profileId, orderNumber).catch(() => []) : [];
      if (events.length === 0) return null;
      const before = events.filter(
        ({ writer, writerSeq }) => writer !== first.writer || writerSeq < first.writerSeq,
      );
      return {
        payment: reducePayment(events),
        was: before.length === 0 ? null : reducePayment(before).state,
      };
    },
    kindOf: id => settings.profile(id)?.kind ?? null,
    texts,
    show: (notification, place) => system.showNotification(notification, () => places.open(place)),
  });

  let counted = false;
  const count = async (): Promise<void> => {
    counted = false;
    const { tray, activeProfileId } = settings.read().settings;
    const counts = parts.log.ok ? await parts.log.value.counts(activeProfileId).catch(() => null) : null;
    const needing = attentionStates.reduce((sum, state) => sum + (counts?.states[state] ?? 0), 0);
    const { tooltip, open, newPayment, quit } = texts().texts;
    const shown = tray ? needing : 0;
    system.showTray({ icon: tray, count: shown, tooltip: tooltip(shown), open, newPayment, quit });
  };
  const refresh = (milliseconds = counting): void => {
    if (counted) return;
    counted = true;
    later(() => void count(), milliseconds);
  };

  return {
    refresh,
    /** To be told of everything written. */
    heard(changed: readonly Key[], events: readonly Event[]): void {
      refresh();
      if (!settings.read().settings.notifications.enabled) return;
      if (changed.length > mostTold) return notices.considerMany();
      for (const key of changed) {
        // What a person did at the desk is no news to them.
        const event = events.find(
          ({ profileId, orderNumber, agent }) =>
            profileId === key.profileId && orderNumber === key.orderNumber && agent === 'console',
        );
        if (event) notices.consider(key, event);
      }
    },
    stop(): void {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
};
