import { randomInt, randomUUID } from 'node:crypto';
import type { RequestParsed, Handlers, PaymentDetail } from '../../../shared/contract/index.ts';
import { fail, ok, type AppError, type FieldProblem, type Result } from '../../../shared/errors.ts';
import type { EventDraft, EventKind, LookUpKey, EventOf } from '../../../shared/payments/evidence.ts';
import { holdsCardNumber } from '../../../shared/card-number.ts';
import { amountRuleFor } from '../../../shared/money/amount-rules.ts';
import { readAmount } from '../../../shared/money/typed-amount.ts';
import { wireAmount } from '../../../shared/money/wire-amount.ts';
import { stateAt, type Payment } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { returnPageProblem } from '../../../shared/payments/return-pages.ts';
import type { SessionOutcome } from '../../gateway/gateway.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { shareLink } from './share-link.ts';
import { maskEvent } from './mask-event.ts';
import type { AppDependencies } from '../app-context.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import type { CancellationRegistry } from '../desktop/cancellation.ts';

type PaymentHandlers = Pick<
  Handlers,
  | 'payments.create'
  | 'payments.suggestOrder'
  | 'payments.list'
  | 'payments.count'
  | 'payments.counts'
  | 'payments.read'
  | 'payments.lookUp'
  | 'lookUps.inquiries'
  | 'payments.shareLink'
  | 'payments.note'
>;

export type LookUp = (
  profileId: string,
  key: LookUpKey,
  requestedBy: 'person' | 'console',
  /** Who had the console ask; without one it asked by itself. */
  agent?: string,
  /** Stops the waiting; what was asked is kept all the same. */
  signal?: AbortSignal,
) => Promise<Result<EventOf<'status.observed'>>>;

/** Look-ups that found no payment, shown at most. */
const maxInquiries = 20;

/** One hour, the life of a link unless the request asked for another (§3.3). */
const linkLife = 60 * 60 * 1000;

const cardNumberRefused = (path: string): FieldProblem => ({
  path,
  message:
    'This looks like a card number. Card numbers are not allowed here. Tell the customer to enter the card on the payment page only.',
});

/** Reads the form: every field at fault is named at once, and nothing leaves unless all hold. */
const readForm = (
  form: RequestParsed<'payments.create'>,
  profile: Profile,
): Result<{ amount: string; currency: string; number: string; description: string; methods: string[] }> => {
  const problems: FieldProblem[] = [];
  const currency = form.currency.trim().toUpperCase();
  const read = readAmount(form.amount, form.locale, currency);
  const wire = read.ok ? wireAmount(read.value.minor, currency, amountRuleFor(profile, currency)) : read;
  if (!wire.ok) problems.push(...(wire.error.fields ?? [{ path: 'amount', message: wire.error.message }]));
  if (form.orderNumber.trim() === '') {
    problems.push({ path: 'orderNumber', message: 'Enter an order number, or use the suggested one.' });
  } else if (form.orderNumber !== form.orderNumber.trim()) {
    problems.push({
      path: 'orderNumber',
      message: 'Remove the space at the beginning or end of the order number.',
    });
  }
  if (form.description.trim() === '') {
    problems.push({
      path: 'description',
      message: 'Enter a description. The customer sees it on the payment page.',
    });
  }
  const written: [string, string][] = [
    ['orderNumber', form.orderNumber],
    ['description', form.description],
    ['customer.name', form.customer?.name ?? ''],
    ['customer.email', form.customer?.email ?? ''],
    ['amount', form.amount],
  ];
  for (const [path, text] of written) if (holdsCardNumber(text)) problems.push(cardNumberRefused(path));
  const email = form.customer?.email ?? '';
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    problems.push({
      path: 'customer.email',
      message: 'Enter a valid email address.',
    });
  }
  if (problems.length > 0 || !wire.ok) {
    const cards = problems.some(problem => problem.message === cardNumberRefused('').message);
    return fail(
      cards ? 'input.card-number' : 'input.invalid',
      'Some fields need a correction. Nothing was sent.',
      { fields: problems },
    );
  }
  return ok({
    amount: wire.value,
    currency,
    number: form.orderNumber,
    description: form.description,
    methods: form.methods.length > 0 ? form.methods : profile.methods,
  });
};

/** What was known about the order before: a second link for one intent is only raised after an explicit yes. */
const duplicateProblem = (payment: Payment | null, now: number): Result<undefined> => {
  if (!payment) return ok(undefined);
  const state = stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, now);
  if (state === 'refused' || state === 'draft') return ok(undefined);
  return fail('payment.duplicate', `Order ${payment.orderNumber} already has a payment.`, {
    hint: 'Open it and look before raising another link: the customer might pay twice.',
    details: {
      orderNumber: payment.orderNumber,
      profileId: payment.profileId,
      state,
      amount: payment.amount,
      currency: payment.currency,
    },
  });
};

const outcomeDraft = (
  outcome: SessionOutcome,
  idempotencyKey: string,
  expiryMinutes: number | null,
  sentAt: number,
): Pick<EventDraft, 'kind' | 'body'> & EventDraftBody => {
  switch (outcome.kind) {
    case 'accepted':
      return {
        kind: 'session.accepted',
        body: {
          idempotencyKey,
          link: outcome.link,
          // The hour began when the gateway issued the link; counted from before sending it is never overstated.
          issuedAt: sentAt,
          expiresAt: sentAt + (expiryMinutes === null ? linkLife : expiryMinutes * 60_000),
          answer: outcome.answer,
        },
      };
    case 'refused':
    case 'not-sent':
      return {
        kind: 'session.refused',
        body: {
          idempotencyKey,
          sent: outcome.kind === 'refused',
          code: outcome.error.code,
          message: outcome.error.message,
          fields: outcome.error.fields ?? [],
          answer: outcome.kind === 'refused' ? outcome.answer : null,
        },
      };
    case 'unknown':
      return {
        kind: 'session.unanswered',
        body: {
          idempotencyKey,
          code: outcome.error.code,
          message: outcome.error.message,
          answer: outcome.answer,
        },
      };
  }
};

/** Kind and body of a draft, kept together so that they stay a pair. */
type EventDraftBody = { [K in EventKind]: { kind: K; body: EventOf<K>['body'] } }[EventKind];

const orderNumberFrom = (pattern: string, now: Date): string => {
  const two = (value: number): string => String(value).padStart(2, '0');
  const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  const random = Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('');
  return pattern
    .replaceAll('{yyyy}', String(now.getFullYear()))
    .replaceAll('{mm}', two(now.getMonth() + 1))
    .replaceAll('{dd}', two(now.getDate()))
    .replaceAll('{n}', random);
};

/** The calls about payments: raise, find, look up, pass on. */
export const createPaymentHandlers = (
  parts: AppDependencies,
  passwords: CredentialCache,
  cancellations: CancellationRegistry,
): { handlers: PaymentHandlers; lookUp: LookUp } => {
  const { settings, gateway, clock } = parts;
  const inFlight = new Map<string, Promise<Result<PaymentDetail>>>();

  const profileOf = (id: string): Result<Profile> => {
    const profile = settings.profile(id);
    return profile
      ? ok(profile)
      : fail('profile.missing', 'This merchant profile is not on this computer.', {
          hint: 'Choose or add a profile in Settings.',
        });
  };

  const detailOf = async (
    log: PaymentLog,
    profileId: string,
    orderNumber: string,
    before: number | null = null,
  ): Promise<Result<PaymentDetail>> => {
    const payment = await log.payment(profileId, orderNumber);
    if (!payment) {
      return fail('payment.missing', `No payment found for order ${orderNumber}.`, {
        hint: 'Check the status with your provider.',
        details: { orderNumber },
      });
    }
    const [page, inquiries] = await Promise.all([
      log.eventPage(profileId, orderNumber, before),
      log.inquiries(profileId, maxInquiries, payment.paymentIds),
    ]);
    const oldest = page.earlier === null ? Number.NEGATIVE_INFINITY : (page.events[0]?.happenedAt ?? 0);
    const newest = before === null ? Number.POSITIVE_INFINITY : (page.events.at(-1)?.happenedAt ?? 0);
    const own = inquiries.filter(({ happenedAt }) => happenedAt >= oldest && happenedAt <= newest);
    const events = [...page.events, ...own].sort((one, other) => one.happenedAt - other.happenedAt);
    return ok({ payment, events: events.map(maskEvent), earlier: page.earlier });
  };

  const eventHeader = (profileId: string, orderNumber: string | null, paymentId: string | null) => ({
    id: randomUUID(),
    profileId,
    orderNumber,
    paymentId,
    happenedAt: clock(),
    agent: settings.read().settings.agent,
    dedupeKey: null,
  });

  /** One order at a time: two forms with one order number must not both find it free. */
  const orders = new Map<string, Promise<unknown>>();
  const runExclusive = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = (orders.get(key) ?? Promise.resolve()).then(work, work);
    const settled = queue
      .catch(() => undefined)
      .finally(() => {
        if (orders.get(key) === settled) orders.delete(key);
      });
    orders.set(key, settled);
    return queue;
  };

  const create = async (
    form: RequestParsed<'payments.create'>,
    signal: AbortSignal,
  ): Promise<Result<PaymentDetail>> => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const profile = profileOf(form.profileId);
    if (!profile.ok) return profile;
    const { kind, successUrl, cancelUrl } = profile.value;
    if ((returnPageProblem(successUrl, kind) ?? returnPageProblem(cancelUrl, kind)) !== null) {
      return fail('input.invalid', 'This profile has no return pages for customers yet. Nothing was sent.', {
        hint: "Enter both return pages in the profile's settings.",
      });
    }
    const order = readForm(form, profile.value);
    if (!order.ok) return order;
    const { number, amount, currency, description, methods } = order.value;
    if (!form.allowDuplicate) {
      const raised = duplicateProblem(await log.payment(form.profileId, number), clock());
      if (!raised.ok) return raised;
    }
    const password = await passwords.of(form.profileId);
    if (!password.ok) return password;

    const prepared = gateway.prepareSession(profile.value, password.value, {
      number,
      amount,
      currency,
      description,
      methods,
      customer: form.customer,
    });
    const written = await log.append([
      {
        ...eventHeader(form.profileId, number, null),
        kind: 'session.requested',
        body: {
          idempotencyKey: form.idempotencyKey,
          amount,
          currency,
          description,
          methods,
          customer: form.customer,
          endpoint: prepared.endpoint,
          request: prepared.redacted,
          expiryMinutes: prepared.expiryMinutes,
        },
      },
    ]);
    if (!written.ok) return written;

    const sentAt = clock();
    const outcome = await gateway.sendSession(profile.value, prepared, signal);
    const outcomeWritten = await log.append([
      {
        ...eventHeader(form.profileId, number, null),
        ...outcomeDraft(outcome, form.idempotencyKey, prepared.expiryMinutes, sentAt),
      },
    ]);
    if (!outcomeWritten.ok) return outcomeWritten;
    if (outcome.kind === 'refused' || outcome.kind === 'not-sent') {
      const error: AppError = {
        ...outcome.error,
        details: { ...outcome.error.details, orderNumber: number, profileId: form.profileId, stored: true },
      };
      return { ok: false, error };
    }
    return detailOf(log, form.profileId, number);
  };

  const lookUp: LookUp = async (profileId, key, requestedBy, agent = 'console', signal) => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const profile = profileOf(profileId);
    if (!profile.ok) return profile;
    const value = key.value.trim();
    if (value === '' || holdsCardNumber(value)) {
      return value === ''
        ? fail('input.invalid', 'Enter a payment ID or an order number.', {
            fields: [{ path: 'value', message: 'Enter a payment ID or an order number.' }],
          })
        : fail('input.card-number', cardNumberRefused('value').message, {
            fields: [cardNumberRefused('value')],
          });
    }
    if (key.by === 'order-number' && !profile.value.statusByOrder) {
      return fail('input.invalid', 'This profile does not allow status checks by order number.', {
        hint: 'Turn them on under Gateway compatibility in Settings, or use the payment ID.',
        fields: [{ path: 'value', message: 'Use the payment ID.' }],
      });
    }
    const password = await passwords.of(profileId);
    if (!password.ok) return password;
    const outcome = await gateway.lookUp(profile.value, password.value, { by: key.by, value }, signal);
    const known = key.by === 'payment-id' ? await log.ordersOf(value) : [];
    const first =
      outcome.kind === 'answered' ? outcome.answers.find(answer => answer.order.number !== null) : undefined;
    const orderNumber =
      key.by === 'order-number'
        ? value
        : (known.find(order => order.profileId === profileId)?.orderNumber ?? first?.order.number ?? null);
    const paymentId = key.by === 'payment-id' ? value : (first?.paymentId ?? null);
    const draft: EventDraft = {
      ...eventHeader(profileId, orderNumber, paymentId),
      ...(requestedBy === 'console' ? { agent } : {}),
      kind: 'status.observed',
      body: {
        asked: { by: key.by, value },
        answers: outcome.kind === 'answered' ? [...outcome.answers] : [],
        problem:
          outcome.kind === 'failed' ? { code: outcome.error.code, message: outcome.error.message } : null,
        answer: outcome.answer,
        requestedBy,
      },
    };
    const written = await log.append([draft]);
    if (!written.ok) return written;
    if (outcome.kind === 'failed') {
      return { ok: false, error: { ...outcome.error, details: { ...outcome.error.details, stored: true } } };
    }
    const event = written.value.events[0];
    return event?.kind === 'status.observed'
      ? ok(event)
      : fail('internal', 'The log returned another event than was written.');
  };

  return {
    lookUp,
    handlers: {
      'payments.create': form => {
        const running = inFlight.get(form.idempotencyKey);
        if (running) return running;
        const order = `${form.profileId} ${form.orderNumber}`;
        const started = cancellations
          .run(form.idempotencyKey, signal => runExclusive(order, () => create(form, signal)))
          .finally(() => {
            // A refused form may be corrected and sent again under the same intent.
            inFlight.delete(form.idempotencyKey);
          });
        inFlight.set(form.idempotencyKey, started);
        return started;
      },
      'payments.suggestOrder': async ({ profileId }) => {
        const profile = profileOf(profileId);
        if (!profile.ok) return profile;
        if (!parts.log.ok) return parts.log;
        for (let attempt = 0; attempt < 20; attempt += 1) {
          const orderNumber = orderNumberFrom(profile.value.orderPattern, new Date(clock()));
          if (!(await parts.log.value.payment(profileId, orderNumber))) return ok({ orderNumber });
        }
        return fail('input.invalid', 'The order number format of this profile has no unused numbers left.', {
          hint: 'Add {n} to the format in Settings, or enter a number.',
        });
      },
      'payments.list': async ({ filter, cursor, limit }) =>
        parts.log.ok ? ok(await parts.log.value.list(filter, cursor, limit)) : parts.log,
      'payments.count': async ({ filter }) =>
        parts.log.ok ? ok(await parts.log.value.count(filter)) : parts.log,
      'payments.counts': async ({ profileId }) =>
        parts.log.ok ? ok(await parts.log.value.counts(profileId)) : parts.log,
      'payments.read': async ({ profileId, orderNumber, before }) =>
        parts.log.ok ? detailOf(parts.log.value, profileId, orderNumber, before) : parts.log,
      'payments.lookUp': async ({ profileId, key, requestId }) => {
        const observed = await cancellations.run(requestId, signal =>
          lookUp(profileId, key, 'person', undefined, signal),
        );
        if (!observed.ok) return observed;
        if (!parts.log.ok) return parts.log;
        const { orderNumber } = observed.value;
        const file = orderNumber === null ? null : await detailOf(parts.log.value, profileId, orderNumber);
        return ok({ event: maskEvent(observed.value), file: file?.ok ? file.value : null });
      },
      'lookUps.inquiries': async ({ profileId }) =>
        parts.log.ok
          ? ok({
              inquiries: (await parts.log.value.inquiries(profileId, maxInquiries)).map(
                ({ id, happenedAt, agent, body: { asked, problem, answers } }) => ({
                  id,
                  at: happenedAt,
                  agent,
                  asked,
                  problem,
                  statuses: answers.map(({ status }) => status),
                }),
              ),
            })
          : parts.log,
      'payments.shareLink': async ({ profileId, orderNumber, channel }) => {
        if (!parts.log.ok) return parts.log;
        const payment = await parts.log.value.payment(profileId, orderNumber);
        const done = await shareLink(parts, payment, channel);
        if (!done.ok) return done;
        const written = await parts.log.value.append([
          { ...eventHeader(profileId, orderNumber, null), kind: 'link.shared', body: { channel } },
        ]);
        return written.ok ? ok({}) : written;
      },
      'payments.note': async ({ profileId, orderNumber, text }) => {
        if (!parts.log.ok) return parts.log;
        if (holdsCardNumber(text)) {
          return fail('input.card-number', cardNumberRefused('text').message, {
            fields: [cardNumberRefused('text')],
          });
        }
        if (!(await parts.log.value.payment(profileId, orderNumber))) {
          return fail('payment.missing', `No payment found for order ${orderNumber}.`);
        }
        const written = await parts.log.value.append([
          { ...eventHeader(profileId, orderNumber, null), kind: 'note.added', body: { text } },
        ]);
        return written.ok ? ok({}) : written;
      },
    },
  };
};
