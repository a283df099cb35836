import {
  CircleCheck,
  CircleX,
  ClockAlert,
  FileX,
  TimerOff,
  TriangleAlert,
  Unplug,
  UserCheck,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { isUnchecked } from '../../../shared/payments/expired.ts';
import type { AlertKind } from '../../../shared/alerts/alert.ts';
import type { Alert } from '../../../shared/alerts/alert.schema.ts';
import type { Route } from '../../routes.ts';
import { useMessage, useText } from '../../i18n/text.ts';
import { activeProfile, useAppState } from '../../stores/app-state-store.ts';

const icons: Readonly<Record<AlertKind, ReactNode>> = {
  paid: <CircleCheck size={16} aria-hidden="true" />,
  declined: <CircleX size={16} aria-hidden="true" />,
  'link-expiring': <TimerOff size={16} aria-hidden="true" />,
  'callbacks-overdue': <ClockAlert size={16} aria-hidden="true" />,
  'receiver-unreachable': <Unplug size={16} aria-hidden="true" />,
  'export-failed': <FileX size={16} aria-hidden="true" />,
  'assigned-to-me': <UserCheck size={16} aria-hidden="true" />,
};

const tones: Readonly<Record<AlertKind, string>> = {
  paid: 'good',
  declined: 'bad',
  'link-expiring': 'warn',
  'callbacks-overdue': 'warn',
  'receiver-unreachable': 'bad',
  'export-failed': 'bad',
  'assigned-to-me': 'wait',
};

/** How an alert looks: an outcome that something is wrong with since is a warning. */
export const lookOf = ({ kind, payment }: Alert): { icon: ReactNode; tone: string } =>
  payment?.label
    ? { icon: <TriangleAlert size={16} aria-hidden="true" />, tone: 'warn' }
    : { icon: icons[kind], tone: tones[kind] };

/** The kind of an alert that is about this computer, not about a payment. */
export const computerKind = ({ kind }: Alert): 'export-failed' | 'receiver-unreachable' =>
  kind === 'export-failed' ? kind : 'receiver-unreachable';

/** The page where something can be done about an alert. */
export const routeOfAlert = ({ kind, payment }: Alert): Route =>
  payment === null
    ? { screen: 'settings', section: kind === 'export-failed' ? 'data' : 'receiver', id: null }
    : { screen: 'payment', profileId: payment.profileId, orderNumber: payment.orderNumber };

/** Whether the link of an alert can still be paid. */
export const isStillOpen = ({ payment }: Alert): boolean => payment !== null && payment.state !== 'expired';

/** The name and kind of an alert's profile where it is not the active one. */
export const useOtherProfile = ({ payment }: Alert): string | null => {
  const t = useText();
  const profile = useAppState(state =>
    payment === null || activeProfile(state)?.id === payment.profileId
      ? null
      : (state.appState?.profiles.find(({ id }) => id === payment.profileId) ?? null),
  );
  if (profile === null || profile.kind === 'sandbox') return profile?.name ?? null;
  return t('profile.with-kind', { profile: profile.name, kind: t(`kind.${profile.kind}`) });
};

/** What happened, in a few words. */
export const AlertTitle = ({ alert }: { alert: Alert }) => {
  const t = useText();
  const say = useMessage();
  if (alert.payment?.label) return <>{say(alert.payment.label)}</>;
  if (alert.kind !== 'link-expiring' || isStillOpen(alert)) return <>{t(`alert.kind.${alert.kind}`)}</>;
  const { payment, expiresAt } = alert;
  const isOpen = payment === null || isUnchecked(payment.state, { ...payment, expiresAt });
  return <>{t(isOpen ? 'state.expired-unchecked' : 'alert.link-expired')}</>;
};
