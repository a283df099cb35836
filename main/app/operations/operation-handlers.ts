import { openMoney } from '../../../shared/payments/open-money.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import type {
  BegunOperation,
  Handlers,
  OperationOffer,
  PaymentDetail,
  RequestParsed,
} from '../../../shared/contract/contract.ts';
import { hasRight } from '../../../shared/agents/roles.ts';
import { msg } from '../../../shared/messages/message.ts';
import { hasAmount, offeredKinds, operationTable } from '../../../shared/operations/operation-kinds.ts';
import { checkFields, mostOf, needsSecondPerson } from '../../../shared/operations/rules.ts';
import { readWire } from '../../../shared/money/wire-amount.ts';
import { sameId } from '../../../shared/payment-reducer/evidence/payment-id.ts';
import { balanceOf } from '../../../shared/payments/balance.ts';
import type { Payment } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { createPaymentMutex, type OrderMutex } from '../../pacing/limiter.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { Person } from '../common/requester.ts';
import { hashedAccount } from '../../team/claims.ts';
import { withPaymentLog, type AppDependencies } from '../common/app-context.ts';
import type { CancellationRegistry } from '../common/cancellation.ts';
import { findPayment, readPaymentDetail } from '../payments/payment-detail.ts';
import type { LookUp } from '../payments/look-up-payment.ts';
import type { AgentSession } from '../settings/agent-session.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { findProfile } from '../settings/find-profile.ts';
import {
  chargeRefusal,
  holdUntil,
  limitsInWords,
  limitsOf,
  operationRefusal,
  paidBeside,
  readTerms,
  refused,
  returnsIn,
  voidUntil,
  withinLimits,
  type Spending,
} from './operation-terms.ts';
import { createOperationIntents, type Shown } from './operation-intents.ts';
import { createOperationRunner, teamAway } from './run-operation.ts';
import { openCharges, readFirstPayment, readSeries } from './series.ts';
import { containsCardNumber } from '../../../shared/card-number.ts';
import { cardNumberFailure } from '../payments/order-form.ts';

/** Refuses a card number in any typed text. `texts`: field names and texts. Error: `input.card-number`. */
const refuseCardNumbers = (texts: Readonly<Record<string, string>>): Result<undefined> => {
  const found = Object.entries(texts).find(([, text]) => containsCardNumber(text));
  return found ? cardNumberFailure(found[0]) : ok(undefined);
};

type Sent = RequestParsed<'operations.send'>;

export type OperationOptions = {
  passwords: CredentialCache;
  cancellations: CancellationRegistry;
  lookUp: LookUp;
  /** An order number in use by a link or a charge. */
  orders: OrderMutex;
  session: Pick<AgentSession, 'agents'>;
  /** Whether this other person confirms something now, with their PIN. Errors: as a sign-in. */
  confirmOther: (agentId: string, pin: string) => Promise<Result<{ name: string }>>;
};

/** A charge about which nothing was filled in. */
const noCharge = { orderNumber: '', description: '', consent: '' };

/** The requests after the payment. Each is sent at most once for one intent of a person. */
export const createOperationHandlers = (
  parts: AppDependencies,
  { passwords, cancellations, lookUp, orders, session, confirmOther }: OperationOptions,
) => {
  const { settings, requester, clock } = parts;
  const run = createOperationRunner(parts);
  /** One operation per order at a time; charges of a series use that of its first payment. */
  const payments = createPaymentMutex();
  /** What is being sent, by intent, in the order of the checks against the limits. */
  const spending = new Map<string, Spending>();
  const intents = createOperationIntents();

  const limitsFor = (
    log: PaymentLog,
    profile: Profile,
    agentId: string,
    currency: string,
    earlier: readonly Spending[],
    isAsked = true,
  ) => {
    const account = hashedAccount(profile);
    const others = settings.read().profiles.filter(one => hashedAccount(one) === account);
    const profileIds = [profile.id, ...others.map(({ id }) => id)];
    const elsewhere = (since: number): Promise<Result<bigint | null>> =>
      isAsked
        ? parts.team.spentElsewhere({ account, person: agentId, currency, since })
        : Promise.resolve(ok(0n));
    return limitsOf(log, { profile, account, profileIds, agentId }, currency, clock(), earlier, elsewhere);
  };

  /** What the form of an operation needs beside the payment. */
  const formOf = async (
    log: PaymentLog,
    profile: Profile,
    currency: string | null,
    isAsked: boolean,
  ): Promise<Result<Omit<OperationOffer, 'payments'>>> => {
    const self = requester.person();
    const limits = await limitsFor(log, profile, self?.id ?? '', currency ?? '', [], isAsked);
    if (!limits.ok) return teamAway(limits.error);
    return ok({
      currency,
      needsOrderNumber: profile.kind === 'live',
      limits: limitsInWords(limits.value, currency ?? ''),
      approvers: session
        .agents()
        .filter(one => one.id !== self?.id && one.pin !== null && hasRight(one.role, 'operations'))
        .map(({ id, name }) => ({ id, name })),
    });
  };

  const targetOf = (
    payment: Payment,
    paymentId: string,
    profile: Profile,
  ): Pick<BegunOperation, 'paymentId' | 'cardLast4' | 'balance' | 'voidUntil' | 'holdUntil'> => ({
    paymentId,
    cardLast4: payment.attempts.find(one => one.paymentId === paymentId)?.cardLast4 ?? null,
    balance: balanceOf(payment, paymentId),
    voidUntil: voidUntil({ payment, paymentId, profile }),
    holdUntil: holdUntil({ payment, paymentId, profile, now: clock() }),
  });

  /** The second person, who confirms it now; null if none is needed. */
  const secondPerson = async (
    sender: Person,
    isNeeded: boolean,
    approval: Sent['approval'],
  ): Promise<Result<{ id: string; name: string } | null>> => {
    if (!isNeeded) return ok(null);
    if (approval === null)
      return fail('operation.needs-approval', msg('operation.needs-approval'), {
        hint: msg('operation.needs-approval.hint'),
      });
    if (approval.agentId === sender.id)
      return fail('agent.not-allowed', msg('operation.approver.not-allowed'));
    const confirmed = await confirmOther(approval.agentId, approval.pin);
    return confirmed.ok ? ok({ id: approval.agentId, name: confirmed.value.name }) : confirmed;
  };

  /**
   * A fresh look-up directly before sending: what was refunded elsewhere meanwhile is seen, also of the other payments of
   * the order (`others`), because one of those that were paid twice goes back.
   */
  const lookUpFresh = async (
    { profileId, paymentId, operation }: Sent,
    others: readonly string[],
    agent: string,
    signal: AbortSignal,
  ): Promise<Result<undefined>> => {
    for (const value of [...others, paymentId]) {
      const observed = await lookUp(profileId, { by: 'payment-id', value }, 'person', agent, signal);
      if (!observed.ok)
        return fail(observed.error.code, msg('operation.look-up-failed'), {
          hint: msg('operation.look-up-failed.hint'),
          details: observed.error.details,
        });
      if (value !== paymentId) continue;
      const answer = observed.value.body.answers.find(
        one => one.paymentId === null || sameId(one.paymentId, paymentId),
      );
      if (!answer || !operationTable[operation].expectedStatuses.includes(answer.status))
        return refused(msg('operation.status-changed', { status: answer?.status ?? '–' }));
    }
    return ok(undefined);
  };

  const send = async (
    form: Sent,
    sender: Person,
    shown: Shown,
    profile: Profile,
    signal: AbortSignal,
  ): Promise<Result<PaymentDetail>> => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const { intent, profileId, orderNumber, paymentId, operation, reason, text } = form;
    const charge = hasAmount(operation, 'order') ? (form.charge ?? noCharge) : null;
    if (!profile.operations[operation]) return refused(msg('operation.no.switched-off'));
    const amountText = form.amount && 'text' in form.amount ? form.amount.text : '';
    const typed = refuseCardNumbers({ amount: amountText, text, typedOrder: form.typedOrder, ...charge });
    if (!typed.ok) return typed;
    const filled = checkFields(
      { ...form, charge, second: null },
      profile.kind === 'live' ? orderNumber : null,
    );
    if (!filled.ok) return filled;
    const before = await readTerms(log, profile, form, shown, clock());
    if (!before.ok) return before;
    const { currency, moved } = before.value;
    const account = hashedAccount(profile);
    const minor = readWire(moved, currency);

    const earlier = [...spending.values()];
    spending.set(intent, { intent, account, agentId: sender.id, currency, minor });
    const checkLimits = async () => {
      const limits = await limitsFor(log, profile, sender.id, currency, earlier);
      if (!limits.ok) return teamAway(limits.error);
      const within = withinLimits(moved, currency, limits.value);
      return within.ok ? limits : within;
    };
    const limits = await checkLimits();
    if (!limits.ok) return limits;
    const second = await secondPerson(
      sender,
      needsSecondPerson(moved, limitsInWords(limits.value, currency)),
      form.approval,
    );
    if (!second.ok) return second;
    const password = await passwords.of(profileId);
    if (!password.ok) return password;
    const order = await log.payment(profileId, orderNumber);
    const others = order && operationTable[operation].sign === '−' ? paidBeside(order, paymentId) : [];
    const fresh = await lookUpFresh(form, others, sender.name, signal);
    if (!fresh.ok) return fresh;
    const now = await readTerms(log, profile, form, shown, clock());
    if (!now.ok) return now;
    const { request, amount, known } = now.value;
    // What a second person confirmed, and the limits allowed.
    if (now.value.moved !== moved) return refused(msg('operation.amount.changed'));
    const newOrder = charge?.orderNumber ?? orderNumber;
    const sent = await run(
      log,
      {
        profile,
        password: password.value,
        orderNumber: newOrder,
        paymentId,
        request,
        decision: {
          intent,
          amount,
          currency,
          reason,
          text,
          agentId: sender.id,
          approvedBy: second.value?.name ?? null,
          approvedById: second.value?.id ?? null,
          ...(charge && {
            charge: {
              firstPaymentId: paymentId,
              description: charge.description,
              ...(order?.customer && order.customerFrom === 'request' && { customer: order.customer }),
              consent: charge.consent,
            },
          }),
        },
        claim: {
          account,
          subjects: [
            `${charge ? 'charge' : 'payment'} ${paymentId.toLowerCase()}`,
            // Of two payments of one order one goes back.
            charge ? `order ${newOrder}` : `money of ${orderNumber}`,
          ],
          person: sender,
          currency,
          minor,
          seen: form.seen,
          known,
        },
        withinLimits: checkLimits,
      },
      signal,
    );
    return sent.ok ? readPaymentDetail(log, profileId, newOrder) : sent;
  };

  return {
    'operations.offer': withPaymentLog(parts, async (log, { profileId, orderNumber }) => {
      const profile = findProfile(settings, profileId);
      if (!profile.ok) return profile;
      const found = await findPayment(log, profileId, orderNumber);
      if (!found.ok) return found;
      const payment = found.value;
      const kinds = offeredKinds.filter(kind => profile.value.operations[kind]);
      const form = await formOf(log, profile.value, payment.currency, false);
      if (!form.ok) return form;
      return ok({
        ...form.value,
        payments: payment.attempts.map(({ paymentId }) => {
          const target = { payment, paymentId, profile: profile.value, now: clock() };
          return {
            ...targetOf(payment, paymentId, profile.value),
            offers: kinds.map(kind => ({ kind, refusal: operationRefusal(kind, target) })),
          };
        }),
      });
    }),
    'operations.begin': withPaymentLog(parts, async (log, input) => {
      const { profileId, orderNumber, paymentId, operation } = input;
      const profile = findProfile(settings, profileId);
      if (!profile.ok) return profile;
      const found = await findPayment(log, profileId, orderNumber);
      if (!found.ok) return found;
      const payment = found.value;
      const form = await formOf(log, profile.value, payment.currency, true);
      if (!form.ok) return form;
      const guards = { payment, paymentId, profile: profile.value, now: clock() };
      const isCharge = hasAmount(operation, 'order');
      const open = isCharge ? (await openCharges(log, profile.value, paymentId)).open : openMoney(payment);
      return ok({
        intent: intents.begin({
          ...input,
          agentId: requester.person()?.id ?? '',
          most: mostOf(operation, balanceOf(payment, paymentId), payment.amount).whole,
          returns: returnsIn(payment),
        }),
        ...form.value,
        ...targetOf(payment, paymentId, profile.value),
        refusal: profile.value.operations[operation]
          ? isCharge
            ? chargeRefusal(await readFirstPayment(log, profileId, paymentId), orderNumber)
            : operationRefusal(operation, guards)
          : msg('operation.no.switched-off'),
        open,
      });
    }),
    'operations.send': async form => {
      const sender = requester.person();
      const intent = sender && intents.use(form, sender.id);
      if (!intent)
        return fail('input.invalid', msg('operation.intent-used'), {
          hint: msg('operation.intent-used.hint'),
        });
      const profile = findProfile(settings, form.profileId);
      if (!profile.ok) return profile;
      const { profileId, charge } = form;
      const payment = { profileId: hashedAccount(profile.value), orderNumber: form.orderNumber };
      return cancellations
        .run(form.intent, signal => {
          const work = () => send(form, sender, intent, profile.value, signal);
          return payments.run(payment, () =>
            charge ? orders.run({ profileId, orderNumber: charge.orderNumber }, work) : work(),
          );
        })
        .finally(() => spending.delete(form.intent));
    },
    'operations.series': withPaymentLog(parts, async (log, { profileId, orderNumber }) => {
      const profile = findProfile(settings, profileId);
      if (!profile.ok) return profile;
      const found = await findPayment(log, profileId, orderNumber);
      if (!found.ok) return found;
      const first = found.value.series?.firstPaymentId;
      return ok({ series: first === undefined ? null : await readSeries(log, profile.value, first) });
    }),
  } satisfies Partial<Handlers>;
};
