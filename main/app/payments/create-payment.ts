import type { PaymentDetail, RequestParsed } from '../../../shared/contract/contract.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { profilesOf } from '../../../shared/settings/account.ts';
import { returnPageProblem } from '../../../shared/settings/return-pages.ts';
import { msg } from '../../../shared/messages/message.ts';
import { readWire, wireOf } from '../../../shared/money/wire-amount.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { hashedAccount } from '../../team/claims.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { CancellationRegistry } from '../common/cancellation.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { findProfile } from '../settings/find-profile.ts';
import type { OrderMutex } from '../../pacing/limiter.ts';
import { createIntentGuard } from './intent-guard.ts';
import type { LookUp } from './look-up-payment.ts';
import { readOrderForm } from './order-form.ts';
import { readPaymentDetail } from './payment-detail.ts';
import { profileOfOrder } from '../common/profile-of-order.ts';
import { createLinkRequester } from './request-link.ts';

type NewPaymentForm = RequestParsed<'payments.create'>;

/** How long a link waits for the team's server, which must not block it, milliseconds. */
const claimMs = 1_500;

/** Limit of remembered keys of ended requests. */
const maxSpentKeys = 10_000;

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

/**
 * Creates payments: records the request, sends it, records the outcome. The same form sent twice with one
 * idempotency key shares one attempt; a key that was used for another form is refused (`input.invalid`). Requests for
 * the same order number run one after the other.
 */
export const createPaymentCreator = (
  parts: AppDependencies,
  passwords: CredentialCache,
  cancellations: CancellationRegistry,
  orders: OrderMutex,
  lookUp: LookUp,
): ((form: NewPaymentForm) => Promise<Result<PaymentDetail>>) => {
  const { settings, clock } = parts;
  const requestLink = createLinkRequester(parts);
  const inFlight = new Map<string, { form: string; result: Promise<Result<PaymentDetail>> }>();
  /** Keys of requests that were recorded: each names one request. */
  const spent = new Set<string>();

  const guardIntent = createIntentGuard(parts, lookUp);

  /** The refusal of a request for an order for which another installation requests a link; null if none does. */
  const requestedElsewhere = async (
    { id, number, amount, currency }: { id: string; number: string; amount: string; currency: string },
    profile: Profile,
  ): Promise<AppError | null> => {
    const claim = {
      id,
      account: hashedAccount(profile),
      subjects: [`order ${number}`],
      person: { id: '', name: parts.requester.name() },
      currency,
      minor: readWire(amount, currency),
      seen: [],
      known: [],
    };
    const begun = await Promise.race([parts.team.begin(claim), wait(claimMs, null, { ref: false })]);
    const rival = begun?.ok ? begun.value : null;
    if (rival === null) return null;
    const { agent, installation, at, minor } = rival;
    return {
      code: 'payment.raised-elsewhere',
      message: msg('payment.raised-elsewhere', { order: number, agent, installation }),
      hint: msg('payment.duplicate.hint'),
      details: {
        orderNumber: number,
        profileId: profile.id,
        agent,
        installation,
        at,
        amount: minor === null ? null : wireOf(BigInt(minor), rival.currency),
        currency: rival.currency,
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
    if ((returnPageProblem(successUrl, kind) ?? returnPageProblem(cancelUrl, kind)) !== null)
      return fail('input.invalid', msg('profile.no-return-pages'), {
        hint: msg('profile.no-return-pages.hint'),
      });
    const [first] = profilesOf(settings.read().profiles, profile.value);
    if (first && first.id !== form.profileId)
      return fail('input.invalid', msg('profile.account-continues', { name: first.name }));
    const order = readOrderForm(form, profile.value);
    if (!order.ok) return order;
    const { number, amount, currency, description, methods } = order.value;
    if (!form.allowDuplicate) {
      const known = await profileOfOrder(settings, log, form.profileId, number);
      const raised = duplicateProblem(await log.payment(known, number), clock());
      if (!raised.ok) return raised;
    }
    const password = await passwords.of(form.profileId);
    if (!password.ok) return password;

    const intent = guardIntent(log, profile.value, form, { number, amount, currency });
    const requested = await requestLink(
      {
        profile: profile.value,
        password: password.value,
        order: {
          number,
          amount,
          currency,
          description,
          methods,
          customer: form.customer,
          options: form.options,
        },
        idempotencyKey: form.idempotencyKey,
        record: write => intent.record(write),
        beforeSending: async () => {
          spend(form.idempotencyKey);
          const claim = { id: form.idempotencyKey, number, amount, currency };
          const elsewhere = form.allowDuplicate ? null : await requestedElsewhere(claim, profile.value);
          if (elsewhere) await intent.release();
          return elsewhere;
        },
      },
      signal,
    );
    const isSent = requested.ok && !['refused', 'not-sent'].includes(requested.value.kind);
    void parts.team.end(form.idempotencyKey, isSent);
    if (!requested.ok) return requested;
    const outcome = requested.value;
    if (outcome.kind === 'refused' || outcome.kind === 'not-sent') {
      await intent.release();
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
