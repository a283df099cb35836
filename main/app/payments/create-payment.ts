import type { PaymentDetail, RequestParsed } from '../../../shared/contract/index.ts';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { EventDraft, EventKind, EventOf } from '../../../shared/payments/evidence.ts';
import type { PaymentOptions } from '../../../shared/settings/offered-options.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { returnPageProblem } from '../../../shared/settings/return-pages.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { SessionOutcome } from '../../gateway/gateway.ts';
import { standingRequests } from '../../team/agreement.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { CancellationRegistry } from '../common/cancellation.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { findProfile } from '../settings/find-profile.ts';
import { createPaymentMutex } from '../../pacing/limiter.ts';
import { createEventHeader } from './event-header.ts';
import { readOrderForm } from './order-form.ts';
import { readPaymentDetail } from './payment-detail.ts';

type NewPaymentForm = RequestParsed<'payments.create'>;

/** How long a request waits until the team agrees that it is the only one. */
const agreementMs = 1_500;

/** Keys of ended requests that are remembered. */
const maxSpentKeys = 10_000;

/** Lifetime of a link unless the request set another, milliseconds: one hour (§3.3). */
const linkLife = 60 * 60 * 1000;

/** The order's previous state: a second link requires an explicit confirmation. */
const duplicateProblem = (payment: Payment | null, now: number): Result<undefined> => {
  if (!payment) return ok(undefined);
  const state = stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, now);
  if (state === 'refused' || state === 'draft') return ok(undefined);
  return fail('payment.duplicate', msg('payment.duplicate', { order: payment.orderNumber }), {
    hint: msg('payment.duplicate.hint'),
    details: {
      orderNumber: payment.orderNumber,
      profileId: payment.profileId,
      state,
      amount: payment.amount,
      currency: payment.currency,
    },
  });
};

/** The options as evidence: without the card token, which is a secret, and nothing if nothing differed. */
const recordedOptions = ({
  cardToken: _cardToken,
  ...options
}: NewPaymentForm['options']): { options?: PaymentOptions } =>
  Object.keys(options).length > 0 ? { options } : {};

/** Kind and body of a draft, as a matching pair. */
type EventDraftBody = { [K in EventKind]: { kind: K; body: EventOf<K>['body'] } }[EventKind];

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
          // The gateway starts the lifetime when it issues the link; counting from the request never overstates it.
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
          message: inEnglish(outcome.error.message),
          fields: (outcome.error.fields ?? []).map(({ path, message }) => ({
            path,
            message: inEnglish(message),
          })),
          answer: outcome.kind === 'refused' ? outcome.answer : null,
        },
      };
    case 'unknown':
      return {
        kind: 'session.unanswered',
        body: {
          idempotencyKey,
          code: outcome.error.code,
          message: inEnglish(outcome.error.message),
          answer: outcome.answer,
        },
      };
  }
};

/**
 * Creates payments: records the request, sends it, records the outcome. The same form sent twice with one
 * idempotency key shares one attempt; a key that was used for another form is refused (`input.invalid`). Requests for the same order number run one after the other.
 */
export const createPaymentCreator = (
  parts: AppDependencies,
  passwords: CredentialCache,
  cancellations: CancellationRegistry,
): ((form: NewPaymentForm) => Promise<Result<PaymentDetail>>) => {
  const { settings, gateway, clock } = parts;
  const eventHeader = createEventHeader(parts);
  const inFlight = new Map<string, { form: string; result: Promise<Result<PaymentDetail>> }>();
  /** Keys of requests that were recorded: each names one request. */
  const spent = new Set<string>();

  /** One request per order at a time: two forms with one order number must not both find it free. */
  const orders = createPaymentMutex();

  /** The refusal of a request for an order for which another installation has requested a link; null if none has. */
  const raisedElsewhere = async (profileId: string, orderNumber: string): Promise<AppError | null> => {
    const events = await parts.team.agreed(profileId, orderNumber, agreementMs);
    if (typeof events === 'string') return null;
    const request = standingRequests(events).at(-1);
    if (!request) return null;
    const { writer, agent, happenedAt, body } = request;
    const installation =
      parts.team.standing()?.installations.find(one => one.writer === writer)?.label ?? writer;
    return {
      code: 'payment.raised-elsewhere',
      message: msg('payment.raised-elsewhere', { order: orderNumber, agent, installation }),
      hint: msg('payment.duplicate.hint'),
      details: {
        orderNumber,
        profileId,
        agent,
        installation,
        at: happenedAt,
        amount: body.amount,
        currency: body.currency,
      },
    };
  };

  const spend = (key: string): void => {
    spent.add(key);
    const [oldest] = spent;
    if (spent.size > maxSpentKeys && oldest !== undefined) spent.delete(oldest);
  };

  const create = async (form: NewPaymentForm, signal: AbortSignal): Promise<Result<PaymentDetail>> => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const profile = findProfile(settings, form.profileId);
    if (!profile.ok) return profile;
    const { kind, successUrl, cancelUrl } = profile.value;
    if ((returnPageProblem(successUrl, kind) ?? returnPageProblem(cancelUrl, kind)) !== null) {
      return fail('input.invalid', msg('profile.no-return-pages'), {
        hint: msg('profile.no-return-pages.hint'),
      });
    }
    const order = readOrderForm(form, profile.value);
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
      options: form.options,
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
          ...recordedOptions(form.options),
        },
      },
    ]);
    if (!written.ok) return written;
    spend(form.idempotencyKey);
    const elsewhere = form.allowDuplicate ? null : await raisedElsewhere(form.profileId, number);
    if (elsewhere) {
      const closed = await log.append([
        {
          ...eventHeader(form.profileId, number, null),
          kind: 'session.refused',
          body: {
            idempotencyKey: form.idempotencyKey,
            sent: false,
            code: elsewhere.code,
            message: inEnglish(elsewhere.message),
            fields: [],
            answer: null,
          },
        },
      ]);
      return closed.ok ? { ok: false, error: elsewhere } : closed;
    }

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
    return readPaymentDetail(log, form.profileId, number);
  };

  return form => {
    const { idempotencyKey } = form;
    const terms = JSON.stringify(form);
    const running = inFlight.get(idempotencyKey);
    if (running?.form === terms) return running.result;
    if (running || spent.has(idempotencyKey))
      return Promise.resolve(
        fail('input.invalid', msg('payment.key-spent'), { hint: msg('payment.key-spent.hint') }),
      );
    const result = cancellations
      .run(idempotencyKey, signal => orders.run(form, () => create(form, signal)))
      .finally(() => inFlight.delete(idempotencyKey));
    inFlight.set(idempotencyKey, { form: terms, result });
    return result;
  };
};
