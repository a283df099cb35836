import type { QuietHours } from '../../../shared/alerts/alert.ts';
import type { NavigationTarget, Settings } from '../../../shared/contract/contract.ts';
import type { FormatMessage } from '../../../shared/messages/format-message.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { ProfileKind } from '../../../shared/settings/profile.ts';
import type { Notification } from '../common/system.ts';
import { isQuiet, paymentInWords, titleOfKind } from './notifications.ts';
import type { ConsoleFact } from '../alerts/alert-book.ts';

/** The alerts that this part shows; those of outcomes are shown with the other changes of their payments. */
const kinds = [
  'receiver-unreachable',
  'export-failed',
  'link-expiring',
  'callbacks-overdue',
  'assigned-to-me',
] as const;

export type DesktopAlert = { fact: ConsoleFact; payment: Payment | null };

export type AlertNotice = { notification: Notification; target: NavigationTarget };

const targetOf = ({ kind, payment }: ConsoleFact): NavigationTarget =>
  payment === null
    ? { screen: 'settings', section: kind === 'export-failed' ? 'data' : 'receiver', id: null }
    : { screen: 'payment', ...payment };

/**
 * One notification for the alerts of a run; null if there is none to show. It contains no link, and the customer's name
 * only if the settings allow it; a locked console shows only that something happened.
 */
export const alertNotice = (
  alerts: readonly DesktopAlert[],
  given: {
    settings: Pick<Settings['notifications'], 'enabled' | 'showDetails'>;
    quietHours: QuietHours;
    isLocked: boolean;
    /** Milliseconds. */
    now: number;
    kindOf: (profileId: string) => ProfileKind | null;
    language: { format: FormatMessage; locale: string };
  },
): AlertNotice | null => {
  const [first] = alerts;
  const { format, locale } = given.language;
  if (!first || !given.settings.enabled || isQuiet(given.quietHours, given.now)) return null;
  const isOne = alerts.length === 1;
  const target: NavigationTarget = isOne ? targetOf(first.fact) : { screen: 'payments' };
  const count = alerts.length;
  if (given.isLocked)
    return {
      notification: {
        title: format(msg('app.name')),
        body: format(msg('alert.notification.locked', { count })),
      },
      target,
    };
  const countOf = (kind: (typeof kinds)[number]): number =>
    alerts.filter(({ fact }) => fact.kind === kind).length;
  const present = kinds.filter(kind => countOf(kind) > 0);
  const [kind] = present;
  if (kind === undefined) return null;
  if (!isOne) {
    const parts = present.map(one => format(msg(`alert.notification.${one}`, { count: countOf(one) })));
    return {
      notification: { title: format(msg('alert.notification.several', { count })), body: parts.join(', ') },
      target,
    };
  }
  const { payment } = first;
  const profileKind = payment === null ? null : given.kindOf(payment.profileId);
  return {
    notification: {
      title: format(titleOfKind(msg(`alert.kind.${kind}`), profileKind)),
      body:
        payment === null
          ? format(msg(`alert.${kind === 'export-failed' ? kind : 'receiver-unreachable'}.text`))
          : paymentInWords(payment, locale, given.settings.showDetails),
    },
    target,
  };
};
