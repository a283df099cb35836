import { fail, ok, type Result } from '../../../shared/errors.ts';
import type { ShareChannel } from '../../../shared/payments/evidence.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { plainLines, plainText } from '../../../shared/plain-text.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { msg } from '../../../shared/messages/message.ts';
import { chooseLanguage } from '../../../shared/messages/language.ts';
import type { AppDependencies } from '../app-context.ts';

/**
 * Shares a payment link by the chosen channel. The renderer does QR, spelling and print; here they are only allowed
 * or refused. Errors: `payment.missing`, `payment.link-unusable`, `link.refused`.
 */
export const shareLink = async (
  parts: Pick<AppDependencies, 'system' | 'clock' | 'settings' | 'systemLocale'>,
  payment: Payment | null,
  channel: ShareChannel,
): Promise<Result<undefined>> => {
  if (!payment?.link) {
    return fail('payment.missing', msg('link.none'), {
      hint: msg('link.none.hint'),
    });
  }
  if (!isLinkLive(payment, parts.clock())) {
    return fail('payment.link-unusable', msg('error.payment.link-unusable'), {
      hint: msg('hint.payment.link-unusable'),
    });
  }
  const { url } = payment.link;
  // A bidirectional character would reverse the link that follows it.
  const message = `${plainLines(payment.description ?? payment.orderNumber)}\n${url}`;
  switch (channel) {
    case 'copy':
      parts.system.copyText(url);
      return ok(undefined);
    case 'opened':
      return parts.system.openExternal(url);
    case 'email': {
      const to = encodeURIComponent(payment.customer?.email ?? '');
      // The agent's language: the customer's is not known.
      const chosen = parts.settings.read().settings.language;
      const { language, locale } = chooseLanguage(chosen, parts.systemLocale);
      const format = formatterFor(language, locale);
      const subject = format(msg('share-link.subject', { order: plainText(payment.orderNumber) }));
      return parts.system.openExternal(
        `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(message)}`,
      );
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
