import { fail, ok, type Result } from '../../shared/errors.ts';
import type { HandoverChannel } from '../../shared/evidence.ts';
import { stateAt, type Payment } from '../../shared/payment.ts';
import type { DeskParts } from './parts.ts';

/**
 * Passes a payment link on by the way the person chose. QR, spelling and print
 * happen in the window; here they are only allowed or refused.
 * Errors: `payment.missing`, `payment.link-unusable`, `link.refused`.
 */
export const handOver = async (
  parts: Pick<DeskParts, 'system' | 'clock'>,
  payment: Payment | null,
  channel: HandoverChannel,
): Promise<Result<undefined>> => {
  if (!payment?.link) {
    return fail('payment.missing', 'There is no payment link to pass on for this order.', {
      hint: 'Raise one first.',
    });
  }
  const state = stateAt({ state: payment.state, expiresAt: payment.link.expiresAt }, parts.clock());
  if (state === 'expired' || !payment.linkUsable) {
    return fail(
      'payment.link-unusable',
      'This link has run out or was used: it must not be handed over again.',
      {
        hint: 'Raise a new link for the same order.',
      },
    );
  }
  const { url } = payment.link;
  const message = `${payment.description ?? payment.orderNumber}\n${url}`;
  switch (channel) {
    case 'copy':
      parts.system.copyText(url);
      return ok(undefined);
    case 'opened':
      return parts.system.openExternal(url);
    case 'email': {
      const to = encodeURIComponent(payment.customer?.email ?? '');
      const subject = encodeURIComponent(`Payment for order ${payment.orderNumber}`);
      return parts.system.openExternal(`mailto:${to}?subject=${subject}&body=${encodeURIComponent(message)}`);
    }
    case 'sms':
      return parts.system.openExternal(`sms:?body=${encodeURIComponent(message)}`);
    case 'whatsapp':
      return parts.system.openExternal(`https://wa.me/?text=${encodeURIComponent(message)}`);
    case 'qr':
    case 'spelled':
    case 'print':
      return ok(undefined);
  }
};
