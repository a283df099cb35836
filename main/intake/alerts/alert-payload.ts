import { createHmac } from 'node:crypto';
import type { FormatMessage } from '../../../shared/messages/format-message.ts';
import { msg } from '../../../shared/messages/message.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { plainText } from '../../../shared/plain-text.ts';
import type { AlertMessage, IntakeAlert } from './alert-outbox.ts';

/** The content of a message about alerts: without names and links. */

/** The body of a webhook; its form is documented in docs/use/intake.md. `sender`: this intake. */
export const webhookBody = ({ id, createdAt, alerts, more }: AlertMessage, sender: string): string =>
  JSON.stringify({
    version: 1,
    id,
    createdAt: new Date(createdAt).toISOString(),
    intake: sender,
    alerts: alerts.map(alert => ({
      id: alert.id,
      kind: alert.kind,
      at: new Date(alert.at).toISOString(),
      profile: alert.profileId,
      order: alert.orderNumber,
      ...(alert.amount === null ? {} : { amount: alert.amount, currency: alert.currency }),
    })),
    more,
  });

/** The header that proves who sent a body, and when (seconds since 1970). */
export const webhookSignature = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

const lineOf = (
  alert: IntakeAlert,
  { format, locale }: { format: FormatMessage; locale: string },
): string => {
  const parts = [
    format(msg(`intake.alert.${alert.kind}`)),
    alert.profileId,
    alert.orderNumber === null ? null : plainText(alert.orderNumber),
    alert.amount === null ? null : formatMoney(alert.amount, alert.currency ?? '', locale),
    `${new Date(alert.at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ];
  return parts.filter(part => part !== null).join(' · ');
};

/** An e-mail about alerts. The subject contains numbers and kinds only. */
export const emailOf = (
  { alerts, more }: AlertMessage,
  language: { format: FormatMessage; locale: string },
): { subject: string; text: string } => {
  const { format } = language;
  const count = alerts.length + more;
  const [first] = alerts;
  const what =
    count === 1 && first
      ? format(msg(`intake.alert.${first.kind}`))
      : format(msg('alert.notification.several', { count }));
  const lines = alerts.map(alert => lineOf(alert, language));
  const rest = more > 0 ? [format(msg('intake.alert.more', { count: more }))] : [];
  return { subject: `Counterfoil: ${what}`, text: `${[...lines, ...rest].join('\n')}\n` };
};
