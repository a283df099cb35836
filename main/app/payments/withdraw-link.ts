import { containsCardNumber } from '../../../shared/card-number.ts';
import { installationNamed } from '../common/installation-name.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { PaymentDetail, RequestParsed } from '../../../shared/contract/contract.ts';
import { fail, type Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { openLinksOf } from '../../../shared/payments/order-link.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { EventHeader } from './event-header.ts';
import { findPayment } from './find-payment.ts';
import { cardNumberFailure } from './order-form.ts';
import { readPaymentDetail } from './payment-detail.ts';

/**
 * Records that a link is withdrawn. The gateway cannot cancel it (§4 has no such request): the console stops handing
 * it over, and a payment on it is flagged. Errors: `input.card-number`, `payment.missing`, `payment.link-unusable`, also for a
 * link of another installation.
 */
export const withdrawLink = async (
  log: PaymentLog,
  { profileId, orderNumber, idempotencyKey, reason, text }: RequestParsed<'payments.withdrawLink'>,
  eventHeader: EventHeader,
  now: number,
  team: Pick<AppDependencies['team'], 'standing'>,
): Promise<Result<PaymentDetail>> => {
  if (containsCardNumber(text)) return cardNumberFailure('text');
  const payment = await findPayment(log, profileId, orderNumber);
  if (!payment.ok) return payment;
  const open = openLinksOf(payment.value.links, now);
  if (!open.some(link => link.idempotencyKey === idempotencyKey))
    return fail('payment.link-unusable', msg('error.payment.link-unusable'), {
      hint: msg('hint.payment.link-unusable'),
    });
  const events = await log.events(profileId, orderNumber);
  const issued = events.filter(
    event => event.kind === 'session.requested' && event.body.idempotencyKey === idempotencyKey,
  );
  // A withdrawal counts only in the chain of its request.
  if (!issued.some(({ writer }) => writer === log.ownChain.writer)) {
    const installation = installationNamed(team, issued[0]?.writer ?? '');
    return fail('payment.link-unusable', msg('withdraw.elsewhere', { installation }));
  }
  const written = await log.append([
    {
      ...eventHeader(profileId, orderNumber, null),
      kind: 'link.withdrawn',
      body: { idempotencyKey, reason, text },
    },
  ]);
  return written.ok ? readPaymentDetail(log, profileId, orderNumber) : written;
};
