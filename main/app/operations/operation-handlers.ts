import type { Handlers, PaymentDetail, RequestParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { hasRight } from '../../../shared/agents/roles.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import { operationKinds, type OperationKind } from '../../../shared/operations/operation-kinds.ts';
import { amountRuleFor } from '../../../shared/money/amount-rules.ts';
import { readAmount } from '../../../shared/money/typed-amount.ts';
import { wireAmount } from '../../../shared/money/wire-amount.ts';
import { sameId } from '../../../shared/payment-reducer/payment-id.ts';
import { balanceOf } from '../../../shared/payments/balance.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { OperationRequest } from '../../gateway/operation.ts';
import { createPaymentMutex } from '../../pacing/limiter.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { CancellationRegistry } from '../common/cancellation.ts';
import { withPaymentLog } from '../common/with-payment-log.ts';
import { findPayment } from '../payments/find-payment.ts';
import type { LookUp } from '../payments/look-up-payment.ts';
import { readPaymentDetail } from '../payments/payment-detail.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { findProfile } from '../settings/find-profile.ts';
import { expectedStatuses, holdUntil, isUnderWay, operationRefusal, voidUntil } from './operation-guards.ts';
import {
  limitsInWords,
  limitsOf,
  needsSecondPerson,
  wholeOf,
  withinLimits,
  type Spending,
} from './operation-limits.ts';
import { createOperationRunner, underWay } from './run-operation.ts';
import { readFirstPayment, readSeries } from './series.ts';
import { checkCharge, readOperationAmount, refuseCardNumbers } from './typed-operation.ts';

type OperationHandlers = Pick<
  Handlers,
  'operations.offer' | 'operations.send' | 'operations.charge' | 'operations.series'
>;
type Sent = RequestParsed<'operations.send'>;
type Charged = RequestParsed<'operations.charge'>;

export type OperationOptions = {
  passwords: CredentialCache;
  cancellations: CancellationRegistry;
  lookUp: LookUp;
  session: Pick<AgentSession, 'agents'>;
  /** Whether this other person confirms something now, with their PIN. Errors: as a sign-in. */
  confirmOther: (agentId: string, pin: string) => Promise<Result<{ name: string }>>;
};

const refused = (message: Message): { ok: false } & ReturnType<typeof fail> =>
  fail('operation.refused', message, { hint: msg('operation.refused.hint') });

/** The requests after the payment. Each is sent at most once for one intent of a person. */
export const createOperationHandlers = (
  parts: AppDependencies,
  { passwords, cancellations, lookUp, session, confirmOther }: OperationOptions,
): OperationHandlers => {
  const { settings, requester, clock } = parts;
  const run = createOperationRunner(parts);
  /** One operation per payment at a time; charges of a series use its first payment. */
  const payments = createPaymentMutex();
  /** What is being sent, by intent, in the order of the checks against the limits. */
  const spending = new Map<string, Spending>();
  const inFlight = new Map<string, { form: string; result: Promise<Result<PaymentDetail>> }>();

  /** The typed order number of a live profile. */
  const checkTypedOrder = (profile: Profile, orderNumber: string, typed: string): Result<undefined> => {
    if (profile.kind !== 'live' || typed.trim() === orderNumber) return ok(undefined);
    const message = msg('operation.type-order');
    return fail('input.invalid', message, { fields: [{ path: 'typedOrder', message }] });
  };

  /** Limits of the requester, and the second person if one is needed. Returns who confirmed it. */
  const authorise = async (
    log: PaymentLog,
    profile: Profile,
    { amount, currency }: { amount: string; currency: string },
    { intent, approval }: Pick<Sent, 'intent' | 'approval'>,
  ): Promise<Result<string | null>> => {
    const agent = requester.name();
    const earlier = [...spending.values()];
    spending.set(intent, { intent, profileId: profile.id, agent, currency, amount });
    const limits = await limitsOf(log, profile, agent, currency, clock(), earlier);
    const within = withinLimits(amount, currency, limits);
    if (!within.ok) return within;
    if (!needsSecondPerson(amount, currency, limits)) return ok(null);
    if (approval === null)
      return fail('operation.needs-approval', msg('operation.needs-approval'), {
        hint: msg('operation.needs-approval.hint'),
      });
    const confirmed = await confirmOther(approval.agentId, approval.pin);
    return confirmed.ok ? ok(confirmed.value.name) : confirmed;
  };

  /** A fresh look-up directly before sending: what was refunded elsewhere meanwhile is seen. */
  const lookUpFresh = async (
    profileId: string,
    paymentId: string,
    kind: OperationKind,
    signal: AbortSignal,
  ): Promise<Result<undefined>> => {
    const key = { by: 'payment-id' as const, value: paymentId };
    const observed = await lookUp(profileId, key, 'person', undefined, signal);
    if (!observed.ok)
      return fail(observed.error.code, msg('operation.look-up-failed'), {
        hint: msg('operation.look-up-failed.hint'),
        details: observed.error.details,
      });
    const answer = observed.value.body.answers.find(
      one => one.paymentId === null || sameId(one.paymentId, paymentId),
    );
    if (!answer || !expectedStatuses[kind].includes(answer.status))
      return refused(msg('operation.status-changed', { status: answer?.status ?? '–' }));
    return ok(undefined);
  };

  /** The payment and its guards, from the evidence as it is now. */
  const readTarget = async (
    log: PaymentLog,
    profile: Profile,
    { orderNumber, paymentId, operation, insist }: Sent,
  ): Promise<Result<Payment>> => {
    const found = await findPayment(log, profile.id, orderNumber);
    if (!found.ok) return found;
    const payment = found.value;
    const reason = operationRefusal(operation, { payment, paymentId, profile, now: clock() });
    if (reason !== null) return refused(reason);
    if (!insist && isUnderWay(payment, paymentId)) return underWay();
    return found;
  };

  const send = async (form: Sent, signal: AbortSignal): Promise<Result<PaymentDetail>> => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const { profileId, orderNumber, paymentId, operation, reason, text, insist } = form;
    const found = findProfile(settings, profileId);
    if (!found.ok) return found;
    const profile = found.value;
    if (!profile.operations[operation]) return refused(msg('operation.no.switched-off'));
    const typed = refuseCardNumbers({ amount: form.amount, text, typedOrder: form.typedOrder });
    if (!typed.ok) return typed;
    const typedOrder = checkTypedOrder(profile, orderNumber, form.typedOrder);
    if (!typedOrder.ok) return typedOrder;
    const before = await readTarget(log, profile, form);
    if (!before.ok) return before;
    const { currency } = before.value;
    if (currency === null) return refused(msg('operation.no.amount-unknown'));

    /** The amount of the request, and the money that it moves. */
    const readTerms = (payment: Payment): Result<{ amount: string | null; moved: string }> => {
      const whole = wholeOf(payment, paymentId);
      if (whole === null) return refused(msg('operation.no.amount-unknown'));
      if (operation === 'void' || operation === 'retry') return ok({ amount: null, moved: whole });
      const most = operation === 'refund' ? balanceOf(payment, paymentId).remaining : payment.amount;
      if (most === null) return refused(msg('operation.no.amount-unknown'));
      const amount = readOperationAmount(form.amount, form.locale, { currency, payment: whole, most });
      return amount.ok ? ok({ amount: amount.value, moved: amount.value }) : amount;
    };
    const early = readTerms(before.value);
    if (!early.ok) return early;
    const approved = await authorise(log, profile, { amount: early.value.moved, currency }, form);
    if (!approved.ok) return approved;
    const password = await passwords.of(profileId);
    if (!password.ok) return password;
    const fresh = await lookUpFresh(profileId, paymentId, operation, signal);
    if (!fresh.ok) return fresh;
    const now = await readTarget(log, profile, form);
    if (!now.ok) return now;
    const terms = readTerms(now.value);
    if (!terms.ok) return terms;
    const { amount } = terms.value;
    const request: OperationRequest =
      operation === 'void' || operation === 'retry'
        ? { operation, paymentId }
        : { operation, paymentId, amount: amount ?? '' };
    const sent = await run(
      log,
      {
        profile,
        password: password.value,
        orderNumber,
        paymentId,
        request,
        decision: { intent: form.intent, amount, currency, reason, text, approvedBy: approved.value },
        insist,
      },
      signal,
    );
    return sent.ok ? readPaymentDetail(log, profileId, orderNumber) : sent;
  };

  const charge = async (form: Charged, signal: AbortSignal): Promise<Result<PaymentDetail>> => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const { profileId, orderNumber, firstPaymentId, description, consent, reason, text, insist } = form;
    const found = findProfile(settings, profileId);
    if (!found.ok) return found;
    const profile = found.value;
    if (!profile.operations.recurring) return refused(msg('operation.no.switched-off'));
    const { amount: typedAmount, typedOrder } = form;
    const typed = refuseCardNumbers({
      amount: typedAmount,
      orderNumber,
      description,
      consent,
      text,
      typedOrder,
    });
    if (!typed.ok) return typed;
    const valid = checkCharge(form);
    if (!valid.ok) return valid;
    const first = await readFirstPayment(log, profileId, firstPaymentId);
    if (first.order === null) return refused(msg('charge.no-first-payment'));
    const repeated = checkTypedOrder(profile, first.order, typedOrder);
    if (!repeated.ok) return repeated;
    if (first.token === null) return refused(msg('charge.no-token'));
    const payment = await findPayment(log, profileId, first.order);
    if (!payment.ok) return payment;
    const { currency, customer } = payment.value;
    if (currency === null) return refused(msg('operation.no.amount-unknown'));
    if ((await log.payment(profileId, orderNumber)) !== null) {
      const message = msg('charge.order.taken');
      return fail('input.invalid', message, { fields: [{ path: 'orderNumber', message }] });
    }
    const read = readAmount(typedAmount, form.locale, currency);
    if (!read.ok) return read;
    const amount = wireAmount(read.value.minor, currency, amountRuleFor(profile, currency));
    if (!amount.ok) return amount;
    if (!insist) {
      const { payments: charges } = await readSeries(log, profile, firstPaymentId);
      if (charges.some(({ state }) => state === 'outcome-unknown' || state === 'processing'))
        return underWay();
    }
    const approved = await authorise(log, profile, { amount: amount.value, currency }, form);
    if (!approved.ok) return approved;
    const password = await passwords.of(profileId);
    if (!password.ok) return password;
    const fresh = await lookUpFresh(profileId, firstPaymentId, 'recurring', signal);
    if (!fresh.ok) return fresh;
    const sent = await run(
      log,
      {
        profile,
        password: password.value,
        orderNumber,
        paymentId: firstPaymentId,
        request: {
          operation: 'recurring',
          firstPaymentId,
          token: first.token,
          order: { number: orderNumber, amount: amount.value, currency, description },
          customer,
        },
        decision: {
          intent: form.intent,
          amount: amount.value,
          currency,
          reason,
          text,
          approvedBy: approved.value,
          charge: { firstPaymentId, description, consent },
        },
        insist,
      },
      signal,
    );
    return sent.ok ? readPaymentDetail(log, profileId, orderNumber) : sent;
  };

  /** Runs one intent: the same form sent twice shares one attempt; a used intent with another form is refused. */
  const once = (
    form: { intent: string; profileId: string },
    mutexKey: string,
    work: (signal: AbortSignal) => Promise<Result<PaymentDetail>>,
  ): Promise<Result<PaymentDetail>> => {
    const { intent, profileId } = form;
    const terms = JSON.stringify(form);
    const running = inFlight.get(intent);
    if (running?.form === terms) return running.result;
    if (running)
      return Promise.resolve(
        fail('input.invalid', msg('operation.intent-used'), { hint: msg('operation.intent-used.hint') }),
      );
    const result = cancellations
      .run(intent, signal => payments.run({ profileId, orderNumber: mutexKey }, () => work(signal)))
      .finally(() => {
        inFlight.delete(intent);
        spending.delete(intent);
      });
    inFlight.set(intent, { form: terms, result });
    return result;
  };

  return {
    'operations.offer': withPaymentLog(parts, async (log, { profileId, orderNumber }) => {
      const profile = findProfile(settings, profileId);
      if (!profile.ok) return profile;
      const found = await findPayment(log, profileId, orderNumber);
      if (!found.ok) return found;
      const payment = found.value;
      const { currency } = payment;
      const self = requester.person();
      const limits = await limitsOf(log, profile.value, self?.name ?? '', currency ?? '', clock());
      const kinds = operationKinds.filter(kind => kind !== 'recurring' && profile.value.operations[kind]);
      return ok({
        currency,
        payments: payment.attempts.map(({ paymentId, cardLast4 }) => {
          const target = { payment, paymentId, profile: profile.value, now: clock() };
          return {
            paymentId,
            cardLast4,
            balance: balanceOf(payment, paymentId),
            offers: kinds.map(kind => ({ kind, refusal: operationRefusal(kind, target) })),
            voidUntil: voidUntil(target),
            holdUntil: holdUntil(target),
          };
        }),
        needsOrderNumber: profile.value.kind === 'live',
        limits: limitsInWords(limits, currency ?? ''),
        approvers: session
          .agents()
          .filter(one => one.id !== self?.id && one.pin !== null && hasRight(one.role, 'operations'))
          .map(({ id, name }) => ({ id, name })),
      });
    }),
    'operations.send': form => once(form, form.paymentId, signal => send(form, signal)),
    'operations.charge': form => once(form, form.firstPaymentId, signal => charge(form, signal)),
    'operations.series': withPaymentLog(parts, async (log, { profileId, orderNumber }) => {
      const profile = findProfile(settings, profileId);
      if (!profile.ok) return profile;
      const found = await findPayment(log, profileId, orderNumber);
      if (!found.ok) return found;
      const first = found.value.series?.firstPaymentId;
      return ok({ series: first === undefined ? null : await readSeries(log, profile.value, first) });
    }),
  };
};
