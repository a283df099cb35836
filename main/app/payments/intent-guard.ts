import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { RequestParsed } from '../../../shared/contract/contract.ts';
import type { AppError, Result } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { readWire, sameAmount } from '../../../shared/money/wire-amount.ts';
import { openLinksOf } from '../../../shared/payments/order-link.ts';
import { isUnchecked } from '../../../shared/payments/expired.ts';
import { lookUpKeyOf } from '../../../shared/look-ups/look-up-key.ts';
import type { Event } from '../../../shared/payments/evidence.ts';
import type { Payment, PaymentState } from '../../../shared/payments/payment.ts';
import { reducePayment } from '../../../shared/payment-reducer/reduce.ts';
import { sessionRequestsOf } from '../../../shared/payment-reducer/reduce-requests.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { createPaymentMutex } from '../../pacing/limiter.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { customerKeysOf, typedKeysOf } from '../../payment-log/projection/customer-keys.ts';
import { installationNamed } from '../common/installation-name.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { LookUp } from './look-up-payment.ts';

const wentBack: readonly PaymentState[] = ['voided', 'reversed', 'refunded'];

const minuteMs = 60_000;
/** Lifetime of a link whose request named none, minutes (§3.3). */
const linkLifeMinutes = 60;
/** How far back an order may have begun whose link is still open: the longest lifetime is twelve hours. */
const maxLinkAgeMs = 24 * 60 * minuteMs;
/** How long an intent is claimed for this installation: by then the others have its request. */
const claimMs = minuteMs;
/** How long the server may take for a claim, and how long to wait for the request of the one that has it. */
const agreementMs = 1_500;
const agreementPauseMs = 50;
/** Limit of own requests that the list may not show yet. */
const maxRecent = 100;

type Order = { number: string; amount: string; currency: string };
type Found = { kind: 'open' | 'paid' | 'in-progress' | 'unknown' | 'unchecked'; at: number; agent: string };

/** A guarded request for one customer and amount. `release`: the request made no link. */
type Guarded = {
  /** Records the request, unless another one for this customer and amount needs a confirmation first. */
  record<T>(work: () => Promise<Result<T>>): Promise<Result<T>>;
  release(): Promise<void>;
};

/**
 * Asks before a second link for the same customer and amount, while the first one is open, for some time after it was
 * paid, and if it expired and the provider cannot tell that it was not paid. Two requests for one customer run one after the other; of two installations that send the same intent at
 * once, the server lets one continue. Error: `payment.same-intent`.
 */
export const createIntentGuard = (
  parts: Pick<AppDependencies, 'clock'> & { team: Pick<AppDependencies['team'], 'standing' | 'claim'> },
  lookUp: LookUp,
): ((log: PaymentLog, profile: Profile, form: RequestParsed<'payments.create'>, order: Order) => Guarded) => {
  const { clock, team } = parts;
  const customers = createPaymentMutex();
  /** The latest requests of this process, newest first: the list follows them. */
  const recent: { keys: readonly string[]; orderNumber: string }[] = [];

  /** Why an order needs a confirmation; null: it does not. */
  const findingIn = (
    events: readonly Event[],
    payment: Payment,
    { amount, currency }: Order,
    { intentGuard: { paidMinutes }, timeouts }: Profile,
  ): Found | null => {
    const now = clock();
    const isSame = (one: { amount: string | null; currency: string | null }): boolean =>
      one.amount !== null && one.currency === currency && sameAmount(one.amount, amount);
    const open = openLinksOf(payment.links, now).findLast(
      ({ amount: of, used }) => used === 'no' && isSame({ amount: of, currency: payment.currency }),
    );
    if (open) return { kind: 'open', at: open.issuedAt, agent: open.agent };
    // What went back as a whole may be paid again.
    if (payment.paidAt !== null)
      return isSame(payment) &&
        !wentBack.includes(payment.state) &&
        now - payment.paidAt < paidMinutes * minuteMs
        ? { kind: 'paid', at: payment.paidAt, agent: payment.agent ?? '' }
        : null;
    const state = stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, now);
    if (isSame(payment) && isUnchecked(state, payment))
      return { kind: 'unchecked', at: payment.link?.issuedAt ?? payment.firstAt, agent: payment.agent ?? '' };
    // A request without a known outcome may have made a link.
    const requests = sessionRequestsOf(events);
    const unknown = requests.findLast(
      ({ requested: { body, happenedAt }, ended }) =>
        (ended === null || ended.kind === 'session.unanswered') &&
        isSame(body) &&
        now < happenedAt + (body.expiryMinutes ?? linkLifeMinutes) * minuteMs,
    );
    if (!unknown) return null;
    const { happenedAt, agent } = unknown.requested;
    // Counterfoil may have ended while it waited.
    const isSending =
      unknown.ended === null && now < happenedAt + timeouts.connect + timeouts.headers + timeouts.body;
    return { kind: isSending ? 'in-progress' : 'unknown', at: happenedAt, agent };
  };

  /** The installation at which an order was requested; null: here, or no team. */
  const installationOf = async (
    log: PaymentLog,
    { profileId, orderNumber }: Payment,
  ): Promise<string | null> => {
    if (team.standing() === null) return null;
    const events = await log.events(profileId, orderNumber);
    const writer = events.findLast(({ kind }) => kind === 'session.requested')?.writer;
    if (writer === undefined || writer === log.ownChain.writer) return null;
    return installationNamed(team, writer);
  };

  return (log, profile, form, order) => {
    const { paidMinutes, isOn } = profile.intentGuard;
    const typed = form.customer ?? {};
    const minor = readWire(order.amount, order.currency);
    const keys =
      isOn && minor !== null
        ? customerKeysOf(profile.id, typed)
            .map(({ key }) => key)
            .toSorted()
        : [];
    const typedName = [typed.name, typed.email, typed.phone].find(text => text?.trim())?.trim() ?? '';
    const amount = `${order.currency} ${order.amount}`;
    const claims: string[] = [];

    const question = async (payment: Payment, { kind, at, agent }: Found): Promise<AppError> => {
      const installation = await installationOf(log, payment);
      const named = payment.customerFrom === 'request' ? payment.customer : null;
      const customer = named?.name || named?.email || named?.phone || typedName;
      const message =
        kind === 'in-progress'
          ? installation === null
            ? msg('payment.same-intent.under-way', { agent, customer, amount })
            : msg('payment.same-intent.under-way.elsewhere', { agent, customer, amount, installation })
          : msg(`payment.same-intent.${kind}`, { customer, amount });
      return {
        code: 'payment.same-intent',
        message,
        hint: msg('payment.same-intent.hint'),
        details: {
          profileId: profile.id,
          orderNumber: payment.orderNumber,
          state: stateAt({ state: payment.state, expiresAt: payment.link?.expiresAt ?? null }, clock()),
          amount: order.amount,
          currency: order.currency,
          customer,
          at,
          agent,
          kind,
          ...(installation !== null && { installation }),
        },
      };
    };

    /** Another order of this customer, and why it needs a confirmation. */
    const readOther = async (
      number: string,
      isListed: boolean,
    ): Promise<{ payment: Payment; found: Found | null } | null> => {
      // Read once: between two reads the request may be accepted, and neither would show it.
      const events = await log.events(profile.id, number);
      const payment = events.length === 0 ? null : reducePayment(events);
      // Own requests that the list does not show yet; their details may have been erased since.
      const isMeant = isListed || (payment && typedKeysOf(payment).some(({ key }) => keys.includes(key)));
      return payment && isMeant ? { payment, found: findingIn(events, payment, order, profile) } : null;
    };

    /** The question about another order of this customer; null if there is none. */
    const inLog = async (): Promise<AppError | null> => {
      const since = clock() - Math.max(maxLinkAgeMs, paidMinutes * minuteMs + maxLinkAgeMs);
      const listed = await log.ordersOfCustomer(profile.id, typed, Number(minor), order.currency, since);
      const own = recent
        .filter(one => one.keys.some(key => keys.includes(key)))
        .map(({ orderNumber }) => orderNumber);
      for (const number of new Set([...listed, ...own])) {
        if (number === order.number) continue;
        const isListed = listed.includes(number);
        let read = await readOther(number, isListed);
        if (read?.found?.kind === 'unchecked') {
          const key = lookUpKeyOf(read.payment);
          const asked = await lookUp(profile.id, key, 'console');
          if (asked.ok || asked.error.code === 'payment.missing') read = await readOther(number, isListed);
        }
        if (read?.found) return question(read.payment, read.found);
      }
      return null;
    };

    const release = async (): Promise<void> => {
      for (const task of claims.splice(0)) await team.claim(task, 0);
    };

    /** The question if another installation sends this intent now; null if this one may. */
    const inTeam = async (): Promise<AppError | null> => {
      if (team.standing() === null) return null;
      const until = performance.now() + agreementMs;
      for (const key of keys) {
        const task = `intent:${hash('sha256', JSON.stringify([key, order.amount, order.currency]))}`;
        const isMine = await Promise.race([
          team.claim(task, claimMs),
          // As for order numbers: a server that does not respond must not block a link.
          wait(Math.max(0, until - performance.now()), true, { ref: false }),
        ]);
        if (isMine) {
          claims.push(task);
          continue;
        }
        await release();
        // The request of the one that has it arrives now.
        while (performance.now() < until) {
          const found = await inLog();
          if (found) return found;
          await wait(agreementPauseMs);
        }
        return {
          code: 'payment.same-intent',
          message: msg('payment.same-intent.elsewhere', { customer: typedName, amount }),
          hint: msg('payment.same-intent.hint'),
          details: {
            profileId: profile.id,
            orderNumber: '',
            state: 'outcome-unknown',
            amount: order.amount,
            currency: order.currency,
            customer: typedName,
            at: clock(),
            agent: '',
            kind: 'in-progress',
          },
        };
      }
      return null;
    };

    const checked = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
      const asked = form.allowSameIntent ? null : ((await inLog()) ?? (await inTeam()));
      if (asked) return { ok: false, error: asked };
      const recorded = await work();
      if (recorded.ok) {
        recent.unshift({ keys, orderNumber: order.number });
        recent.splice(maxRecent);
      } else await release();
      return recorded;
    };

    return {
      record: work =>
        // Always in the same order, so that no two requests wait for each other.
        keys.reduceRight(
          (inner, key) => () => customers.run({ profileId: profile.id, orderNumber: key }, inner),
          () => (keys.length === 0 ? work() : checked(work)),
        )(),
      release,
    };
  };
};
