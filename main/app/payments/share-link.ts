import { fail, ok, type Result } from '../../../shared/errors.ts';
import type { RequestParsed } from '../../../shared/contract/contract.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import type { ShareChannel } from '../../../shared/payments/evidence.ts';
import { checkLink, noProfile } from '../../../shared/settings/check-link.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { readPhoneNumber } from '../../../shared/phone-number.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { Language } from '../../../shared/messages/language.ts';
import { composeMessage, messageValues } from '../../../shared/merchant-texts/compose-message.ts';
import { merchantNameOf, timeZoneOf } from '../../../shared/settings/merchant.ts';
import type { MessageSlot } from '../../../shared/merchant-texts/message-templates.ts';
import type { AppDependencies } from '../common/app-context.ts';

type Parts = Pick<AppDependencies, 'system' | 'clock' | 'settings'>;

/**
 * Length limit of an address that opens a draft, characters: Windows opens none above 2,081, and says that no program
 * is there.
 */
const maxAddress = 2_000;

/** The channels that share a message, and so have a language. */
export const isMessageChannel = (channel: ShareChannel): boolean =>
  ['message', 'email', 'sms', 'whatsapp'].includes(channel);

/** The text of a slot for a payment with a link. */
const messageFor = (
  { settings }: Parts,
  payment: Payment,
  link: NonNullable<Payment['link']>,
  language: Language,
) => {
  const stored = settings.read();
  const profile = stored.profiles.find(({ id }) => id === payment.profileId);
  const format = formatterFor(language);
  const values = messageValues(
    {
      ...payment,
      link: link.url,
      expiresAt: link.expiresAt,
      merchant: { name: profile ? merchantNameOf(profile) : '', phone: profile?.merchant.phone ?? '' },
      timeZone: timeZoneOf(profile),
    },
    format,
  );
  return (slot: MessageSlot): string =>
    composeMessage(slot, language, stored.settings.messages, values, format);
};

/**
 * Shares a payment link by the chosen channel. The renderer does QR, spelling and print; here they are only allowed
 * or refused. `language`: of the message. Errors: `payment.missing`, `payment.link-unusable`,
 * `gateway.unsafe-link`, `link.refused`.
 */
export const shareLink = async (
  parts: Parts,
  payment: Payment | null,
  { channel, text }: Pick<RequestParsed<'payments.shareLink'>, 'channel' | 'text'>,
  language: Language,
): Promise<Result<undefined>> => {
  if (!payment?.link)
    return fail('payment.missing', msg('link.none'), {
      hint: msg('link.none.hint'),
    });
  if (!isLinkLive(payment, parts.clock()))
    return fail('payment.link-unusable', msg('error.payment.link-unusable'), {
      hint: msg('hint.payment.link-unusable'),
    });
  // Another installation may have recorded it.
  const checked = checkLink(payment.link.url, parts.settings.profile(payment.profileId) ?? noProfile);
  if (!checked.ok) return checked;
  const { url } = payment.link;
  const message = messageFor(parts, payment, payment.link, language);
  const encoded = (slot: MessageSlot): string => encodeURIComponent(message(slot).toWellFormed());
  // Without a number in international form the app asks for the recipient.
  const phone = readPhoneNumber(ownCustomer(payment)?.phone ?? '') ?? '';
  const openDraft = async (address: string): Promise<Result<undefined>> =>
    address.length > maxAddress
      ? fail('input.invalid', msg('share.too-long'), { hint: msg('share.too-long.hint') })
      : parts.system.openExternal(address);
  switch (channel) {
    case 'copy':
      parts.system.copyText(url);
      return ok(undefined);
    case 'message':
      parts.system.copyText(message(text));
      return ok(undefined);
    case 'opened':
      return parts.system.openExternal(url);
    case 'email': {
      const to = encodeURIComponent(ownCustomer(payment)?.email ?? '');
      return openDraft(`mailto:${to}?subject=${encoded('subject')}&body=${encoded('email')}`);
    }
    case 'sms':
      return openDraft(`sms:${phone}?body=${encoded('sms')}`);
    case 'whatsapp':
      return openDraft(`https://wa.me/${phone.slice(1)}?text=${encoded('whatsapp')}`);
    case 'qr':
    case 'spelled':
    case 'print':
      return ok(undefined);
  }
};
