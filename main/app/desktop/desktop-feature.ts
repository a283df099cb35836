import type { PersonalAlerts } from '../alerts/personal-alerts.ts';
import type { AppDependencies, AppEvents } from '../common/app-context.ts';
import { createChangeBroadcaster } from './change-broadcaster.ts';
import { createDeepLinks, type DeepLinks } from './deep-links.ts';
import type { PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { chooseLanguage, msg, type Message } from '../../../shared/messages/message.ts';
import { needsReviewOf, type NeedsReview } from '../../../shared/reports/reconcile.ts';
import { outcomeFact, outcomeOf } from '../../alerts/alert-facts.ts';
import { inConsole } from '../alerts/alert-book.ts';
import { forwardFailure, newReference, reportFailure } from '../../app-log/failure-report.ts';
import { startLoop } from '../../pacing/loop.ts';
import { createNotifier, maxNotified, notedProfile } from './notifications.ts';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';

/** Limit of recorded renderer errors per minute: an error at every frame must not rotate the log away. */
const maxReports = 5;
const periodMs = 60_000;
/** Limit of each text, characters: it is cut before it is redacted. */
const maxChars = 2_048;

const messages = {
  error: 'The window met an error that nothing handled.',
  rejection: 'A promise of the window was rejected and nothing handled it.',
  render: 'A screen could not be shown.',
} as const;

/** The requests about the application log: record a renderer error, and show the log's folder. */
export const createWindowErrorHandlers = ({
  appLog,
  system,
  clock,
}: Pick<AppDependencies, 'appLog' | 'system' | 'clock'>): Pick<
  Handlers,
  'app.reportError' | 'app.showLog'
> => {
  let startedAt = clock();
  let reports = 0;
  return {
    'app.reportError': async ({ kind, name, message, stack }) => {
      if (Math.abs(clock() - startedAt) > periodMs) {
        startedAt = clock();
        reports = 0;
      }
      reports += 1;
      if (reports > maxReports) return ok({ reference: null });
      const reference = newReference();
      const cut = (text: string): string => text.slice(0, maxChars);
      const error = {
        name: cut(name),
        message: cut(message),
        stack: stack && cut(stack),
        code: null,
        cause: null,
      };
      forwardFailure({ area: 'window', message: messages[kind], reference, error });
      return ok({ reference });
    },
    'app.showLog': async () => {
      await appLog.flush();
      system.showInFolder(appLog.file);
      return ok({});
    },
  };
};

/** Delay between a change and the update of the count outside the window. */
const countDelayMs = 1_000;
/** Interval between two counts without changes: a payment may need review because time passed. */
const recountMs = 60_000;

const tooltip = ({ count, more }: NeedsReview): Message =>
  count === 0 ? msg('app.name') : msg(more ? 'tray.count-more' : 'tray.count', { count });

const outcome = (kind: 'paid' | 'declined', payment: Payment) =>
  inConsole(outcomeFact(kind, payment), { createdBy: payment.agent });

/** The tray's count of payments that need review, and notifications. */
const createTrayAndNotifications = (
  parts: AppDependencies,
  deepLinks: DeepLinks,
  locked: () => boolean,
  personal: PersonalAlerts,
) => {
  const { settings, system } = parts;
  const timers = new Set<NodeJS.Timeout>();
  const later = (work: () => Promise<void>, milliseconds: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work().catch((thrown: unknown) =>
        reportFailure('background', 'Notifications could not be brought up to date.', thrown),
      );
    }, milliseconds);
    timer.unref();
    timers.add(timer);
  };
  const language = () => {
    const { language, locale } = chooseLanguage(settings.read().settings.language, parts.systemLocale);
    return { format: formatterFor(language, locale), locale };
  };
  const notifier = createNotifier({
    settings: () => settings.read().settings.notifications,
    quietHours: personal.quietHours,
    isWanted: (change, payment) => change === 'attention' || personal.isForDesktop(outcome(change, payment)),
    onChanges: changes => {
      // What is paid twice is paid as well; the list of alerts names what is wrong with it.
      const facts = changes.flatMap(({ payment }) => {
        const kind = outcomeOf(payment.state);
        return kind === null ? [] : [outcome(kind, payment)];
      });
      if (personal.book.add(facts).length > 0) parts.notify('alerts.changed', {});
    },
    locked,
    clock: parts.clock,
    later,
    read: async ({ profileId, orderNumber }, first) => {
      const { writer, writerSeq } = first;
      return parts.log.ok
        ? parts.log.value.change(profileId, orderNumber, { writer, writerSeq }).catch(() => null)
        : null;
    },
    profileOf: id => notedProfile(settings, id),
    language,
    show: (notification, target) => system.showNotification(notification, () => deepLinks.open(target)),
  });

  const count = async (): Promise<void> => {
    const { tray, activeProfileId } = settings.read().settings;
    const queue =
      tray && parts.log.ok
        ? await parts.log.value.reconcile(activeProfileId, null, null, 0).catch(() => null)
        : null;
    const shown = needsReviewOf(queue?.counts ?? []);
    const { format } = language();
    system.showTray({
      icon: tray,
      ...shown,
      tooltip: format(tooltip(shown)),
      open: format(msg('tray.open')),
      newPayment: format(msg('nav.new')),
      quit: format(msg('tray.quit')),
    });
  };
  const counting = startLoop(count, {
    everyMs: recountMs,
    onError: thrown => reportFailure('background', 'The tray could not be brought up to date.', thrown),
  });
  const refresh = (): void => counting.soon(countDelayMs);

  return {
    refresh,
    /** Call it with every written event; `changed` null: any payment may have changed, and none is named. */
    onEventsWritten(changed: readonly PaymentKey[] | null, events: readonly Event[]): void {
      refresh();
      if (changed === null) return;
      if (changed.length > maxNotified) return notifier.handleManyEvents();
      for (const key of changed) {
        // Skip events that the user caused.
        const event = events.find(
          ({ profileId, orderNumber, agent }) =>
            profileId === key.profileId && orderNumber === key.orderNumber && agent === 'console',
        );
        if (event) notifier.handleEvent(key, event);
      }
    },
    stop(): void {
      void counting.close();
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
};

/** What is shown outside the window, and what the window is sent after a change. `isLeft`: no person is signed in. */
export const createDesktopFeature = (
  parts: AppDependencies,
  events: AppEvents,
  isLeft: () => boolean,
  personal: PersonalAlerts,
) => {
  const deepLinks = createDeepLinks(() => parts.notify('navigation.pending', {}));
  const changes = createChangeBroadcaster(parts);
  const tray = createTrayAndNotifications(parts, deepLinks, isLeft, personal);
  events.on('eventsWritten', (payments, written) => {
    changes.onEventsWritten(payments, written);
    tray.onEventsWritten(payments, written);
  });
  events.on('eventsElsewhere', (payments, written) => {
    changes.onEventsWritten(payments, written);
    tray.refresh();
  });
  events.on('eventsElsewhereSorted', ({ ownPayments, own }) => tray.onEventsWritten(ownPayments, own));
  events.on('statePublished', () => tray.refresh());
  events.on('locked', () => tray.refresh());
  return {
    deepLinks,
    handlers: { ...deepLinks.handlers, ...createWindowErrorHandlers(parts) },
    start: () => tray.refresh(),
    stop: (): void => {
      changes.stop();
      tray.stop();
    },
  };
};
