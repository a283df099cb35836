import { rowOf } from '../../../shared/payments/payment-row.ts';
import { headOf } from '../../../shared/reports/head.ts';
import type {
  Handlers,
  PaymentDetail,
  RequestOutput,
  RequestParsed,
} from '../../../shared/contract/contract.ts';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { chooseLanguage, msg, type Language } from '../../../shared/messages/message.ts';
import type { OrderMutex } from '../../pacing/limiter.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { withPaymentLog, type AppDependencies } from '../common/app-context.ts';
import type { CancellationRegistry } from '../common/cancellation.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { findProfile } from '../settings/find-profile.ts';
import { createPaymentCreator } from './create-payment.ts';
import { createEventHeader, type EventHeader } from './event-header.ts';
import { findPayment, maxInquiries, readPaymentDetail } from './payment-detail.ts';
import type { LookUp } from './look-up-payment.ts';
import { maskEvent } from './mask-event.ts';
import { cardNumberFailure } from './order-form.ts';
import { orderNumberFrom } from './order-number.ts';
import { requestShownOf } from '../../../shared/payment-reducer/reduce-requests.ts';
import { filterFor } from '../../../shared/search-query/filter-for.ts';
import { isLinkLive } from '../../../shared/payments/link.ts';
import { readPhoneNumber } from '../../../shared/phone-number.ts';
import { installationNamed } from '../common/installation-name.ts';
import { openLinksOf } from '../../../shared/payments/order-link.ts';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import type { ShareChannel } from '../../../shared/payments/evidence.ts';
import { checkLink, noProfile } from '../../../shared/settings/check-link.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { composeMessage, messageValues } from '../../../shared/merchant-texts/compose-message.ts';
import { merchantNameOf, timeZoneOf } from '../../../shared/settings/merchant.ts';
import type { MessageSlot } from '../../../shared/merchant-texts/message-templates.ts';

type Parts = Pick<AppDependencies, 'system' | 'clock' | 'settings'>;

/**
 * Length limit of an address that opens a draft, characters: Windows opens none above 2,081, and says that no program
 * is there.
 */
const maxAddress = 2_000;

/** The channels that share a message, and so have a language. */
const isMessageChannel = (channel: ShareChannel): boolean =>
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
const shareLink = async (
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

/**
 * Records that a link is withdrawn. The gateway cannot cancel it (§4 has no such request): the console stops handing
 * it over, and a payment on it is flagged. Errors: `input.card-number`, `payment.missing`, `payment.link-unusable`, also for a
 * link of another installation.
 */
const withdrawLink = async (
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

/** Limit of counted payments of one customer: more are shown as "50+". */
const maxCounted = 50;
/** Limit of open links that are named. */
const maxOpen = 3;

/** Earlier links of a customer in one profile, by the surest detail that finds any. `now`: milliseconds. */
const knownCustomer = async (
  log: Pick<PaymentLog, 'knownCustomer'>,
  { profileId, ...typed }: RequestParsed<'payments.knownCustomer'>,
  now: number,
): Promise<RequestOutput<'payments.knownCustomer'>> => {
  const known = await log.knownCustomer(profileId, typed, maxCounted);
  const newest = known?.rows[0];
  if (!known || !newest) return { customer: null };
  const { by, rows, more } = known;
  const paid = rows.filter(({ paidAt }) => paidAt !== null);
  const last = paid.toSorted((one, other) => (other.paidAt ?? 0) - (one.paidAt ?? 0))[0];
  return {
    customer: {
      words: by === 'phone' ? (readPhoneNumber(typed.phone) ?? typed.phone) : typed[by],
      links: rows.length,
      paid: paid.length,
      more,
      last: last ? { amount: last.amount, currency: last.currency, at: last.paidAt ?? last.firstAt } : null,
      orderNumber: newest.orderNumber,
      open: rows
        .filter(row => isLinkLive(row, now))
        .slice(0, maxOpen)
        .map(({ orderNumber, amount, currency, firstAt }) => ({
          orderNumber,
          amount,
          currency,
          at: firstAt,
        })),
    },
  };
};

/** The language that the request for an order's link chose; null if it chose none. */
const requestedLanguage = async (
  log: PaymentLog,
  profileId: string,
  orderNumber: string,
): Promise<Language | null> => {
  const events = await log.events(profileId, orderNumber);
  return requestShownOf(events)?.body.options?.language ?? null;
};

/** The requests about payments: create, find, look up, share. */
export const createPaymentHandlers = (
  parts: AppDependencies,
  passwords: CredentialCache,
  cancellations: CancellationRegistry,
  orders: OrderMutex,
  lookUp: LookUp,
) => {
  const { settings, clock } = parts;
  const create = createPaymentCreator(parts, passwords, cancellations, orders, lookUp);
  const eventHeader = createEventHeader(parts);

  /** The language of the texts of this PC. */
  const own = (): Language => chooseLanguage(settings.read().settings.language, parts.systemLocale).language;

  return {
    'payments.create': create,
    'payments.suggestOrder': async ({ profileId }) => {
      const profile = findProfile(settings, profileId);
      if (!profile.ok) return profile;
      if (!parts.log.ok) return parts.log;
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const orderNumber = orderNumberFrom(profile.value.orderPattern, new Date(clock()));
        if (!(await parts.log.value.payment(profileId, orderNumber))) return ok({ orderNumber });
      }
      return fail('input.invalid', msg('profile.order-pattern.used-up'), {
        hint: msg('profile.order-pattern.used-up.hint'),
      });
    },
    'payments.knownCustomer': withPaymentLog(parts, async (log, input) =>
      ok(await knownCustomer(log, input, clock())),
    ),
    'payments.list': withPaymentLog(parts, async (log, { filter, cursor, limit }) =>
      ok(await log.list(filter, cursor, limit)),
    ),
    'payments.rows': withPaymentLog(parts, async (log, { keys }) =>
      ok({ rows: [...(await log.rows(keys))] }),
    ),
    'payments.find': withPaymentLog(parts, async (log, { profileId, words, limit }) => {
      const profiles = settings.read().profiles.map(({ id, name }) => ({ id, name }));
      return ok(await log.find(filterFor(words, profileId, clock(), profiles), limit));
    }),
    'payments.count': withPaymentLog(parts, async (log, { filter }) => ok(await log.count(filter))),
    'payments.totals': withPaymentLog(parts, async (log, { filter }) => ok(await log.totals(filter))),
    'payments.counts': withPaymentLog(parts, async (log, { profileId }) => ok(await log.counts(profileId))),
    'payments.read': withPaymentLog(parts, (log, { profileId, orderNumber, before }) =>
      readPaymentDetail(log, profileId, orderNumber, before),
    ),
    'payments.lookUp': async ({ profileId, key, requestId }) => {
      const observed = await cancellations.run(requestId, signal =>
        lookUp(profileId, key, 'person', undefined, signal),
      );
      if (!observed.ok) return observed;
      if (!parts.log.ok) return parts.log;
      const { orderNumber, profileId: of } = observed.value;
      const file = orderNumber === null ? null : await readPaymentDetail(parts.log.value, of, orderNumber);
      return ok({ event: maskEvent(observed.value), file: file?.ok ? file.value : null });
    },
    'lookUps.inquiries': withPaymentLog(parts, async (log, { profileId }) =>
      ok({
        inquiries: (await log.inquiries(profileId, maxInquiries)).map(
          ({ id, happenedAt, agent, body: { asked, problem, answers } }) => ({
            id,
            at: happenedAt,
            agent,
            asked,
            problem,
            statuses: answers.map(({ status }) => status),
          }),
        ),
      }),
    ),
    'payments.shareLink': withPaymentLog(parts, async (log, { profileId, orderNumber, ...share }) => {
      const { channel } = share;
      const payment = await log.payment(profileId, orderNumber);
      const language = share.language ?? (await requestedLanguage(log, profileId, orderNumber)) ?? own();
      // The clipboard would have it after a lock.
      const error = parts.requester.refusalIfGone();
      if (error) return { ok: false, error };
      const done = await shareLink(parts, payment, share, language);
      if (!done.ok) return done;
      const body = isMessageChannel(channel) ? { channel, language } : { channel };
      const written = await log.append([
        { ...eventHeader(profileId, orderNumber, null), kind: 'link.shared', body },
      ]);
      return written.ok ? ok({}) : written;
    }),
    'payments.printConfirmation': withPaymentLog(parts, async (log, { profileId, orderNumber }) => {
      const payment = await findPayment(log, profileId, orderNumber);
      if (!payment.ok) return payment;
      return headOf(rowOf(payment.value), clock()).tone === 'good'
        ? ok({})
        : fail('input.invalid', msg('slip.not-confirmed'));
    }),
    'payments.withdrawLink': withPaymentLog(parts, (log, input) =>
      withdrawLink(log, input, eventHeader, clock(), parts.team),
    ),
    'payments.note': withPaymentLog(parts, async (log, { profileId, orderNumber, text }) => {
      if (containsCardNumber(text)) return cardNumberFailure('text');
      const payment = await findPayment(log, profileId, orderNumber);
      if (!payment.ok) return payment;
      const written = await log.append([
        { ...eventHeader(profileId, orderNumber, null), kind: 'note.added', body: { text } },
      ]);
      return written.ok ? ok({}) : written;
    }),
  } satisfies Partial<Handlers>;
};
