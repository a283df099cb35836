import { paymentFilterSchema, type Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { chooseLanguage, msg } from '../../../shared/messages/message.ts';
import { idToCheck } from '../../../shared/look-ups/look-up-key.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { CheckLink, CheckLinkMaker, CheckResult, KnownPayment } from '../../gateway/gateway.ts';
import { toLogFailure } from '../../payment-log/log-failures.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { createEventHeader } from '../payments/event-header.ts';
import { observationDraft } from '../../look-ups/observation-draft.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { findProfile } from '../settings/find-profile.ts';
import { randomUUID } from 'node:crypto';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { amountRuleFor } from '../../../shared/money/amount-rules.ts';
import { exponentOf } from '../../../shared/money/currencies.ts';
import { wireAmount } from '../../../shared/money/wire-amount.ts';
import { minLifeMinutes } from '../../../shared/settings/offered-options.ts';
import { returnPageProblem } from '../../../shared/settings/return-pages.ts';
import { orderNumberFrom } from '../payments/order-number.ts';
import { createLinkRequester } from '../payments/request-link.ts';

/** The smallest amount that the profile can send, in wire form, and a whole unit of the currency if it is more. */
const smallestAmounts = (profile: Profile): Result<{ smallest: string; whole: string | null }> => {
  const { defaultCurrency: currency } = profile;
  const rule = amountRuleFor(profile, currency);
  const whole = wireAmount(10n ** BigInt(exponentOf(currency) ?? 0), currency, rule);
  if (!whole.ok) return whole;
  const minor = wireAmount(1n, currency, rule);
  return ok(
    minor.ok && minor.value !== whole.value
      ? { smallest: minor.value, whole: whole.value }
      : { smallest: whole.value, whole: null },
  );
};

/** Whether the gateway refused the amount: the interface shows no bounds (§8). */
const isTooSmall = ({ outcome }: CheckLink): boolean =>
  outcome.kind === 'refused' && outcome.error.fields?.some(({ path }) => path === 'amount') === true;

/** An order number of the profile that no order has. */
const freeOrderNumber = async (log: PaymentLog, profile: Profile, now: number): Promise<string | null> => {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const number = orderNumberFrom(profile.orderPattern, new Date(now));
    if (!(await log.payment(profile.id, number))) return number;
  }
  return null;
};

const pagesProblem = ({ successUrl, cancelUrl, kind }: Profile): AppError | null => {
  const path = [
    ['successUrl', successUrl],
    ['cancelUrl', cancelUrl],
  ].find(([, page = '']) => returnPageProblem(page, kind) !== null)?.[0];
  return path === undefined
    ? null
    : {
        code: 'input.invalid',
        message: msg('profile.no-return-pages'),
        hint: msg('profile.no-return-pages.hint'),
        fields: [{ path, message: msg('profile.return-page.required') }],
      };
};

/**
 * Makes the links of a connection check: recorded like every other link, and withdrawn at once, so that no customer
 * gets one and no list or sum contains it (see `isConnectionCheck`). Null for a live profile, which gets none.
 */
const createCheckLinks = (
  parts: AppDependencies,
): ((profile: Profile, password: string) => CheckLinkMaker | null) => {
  const requestLink = createLinkRequester(parts);
  const eventHeader = createEventHeader(parts);
  return (profile, password) => {
    if (profile.kind === 'live' || !parts.log.ok) return null;
    const log = parts.log.value;
    const { language, locale } = chooseLanguage(parts.settings.read().settings.language, parts.systemLocale);
    const description = formatterFor(language, locale)(msg('connection.link.description'));

    const withdraw = (orderNumber: string, idempotencyKey: string) =>
      log.append([
        {
          ...eventHeader(profile.id, orderNumber, null),
          kind: 'link.withdrawn',
          body: { idempotencyKey, reason: 'other', text: description },
        },
      ]);

    const make = async (changed: Profile, amount: string): Promise<Result<CheckLink>> => {
      const { defaultCurrency: currency, methods, extras } = changed;
      const number = await freeOrderNumber(log, changed, parts.clock());
      if (number === null)
        return fail('input.invalid', msg('profile.order-pattern.used-up'), {
          hint: msg('profile.order-pattern.used-up.hint'),
        });
      const idempotencyKey = randomUUID();
      const expiryMinutes = Math.min(minLifeMinutes, extras.sessionExpiry);
      const outcome = await requestLink({
        profile: changed,
        password,
        order: {
          number,
          amount,
          currency,
          description,
          methods,
          customer: null,
          ...(expiryMinutes > 0 ? { options: { expiryMinutes } } : {}),
        },
        idempotencyKey,
        purpose: 'connection-check',
      });
      if (!outcome.ok) return outcome;
      if (outcome.value.kind === 'accepted') {
        const withdrawn = await withdraw(number, idempotencyKey);
        if (!withdrawn.ok) return withdrawn;
      }
      return ok({ outcome: outcome.value, orderNumber: number, amount, currency, description });
    };

    return async better => {
      const changed = { ...profile, ...better };
      const { defaultCurrency: currency } = changed;
      const impossible = (error: AppError): CheckLink => ({
        outcome: { kind: 'impossible', error },
        orderNumber: '',
        amount: '',
        currency,
        description,
      });
      const pages = pagesProblem(changed);
      if (pages) return impossible(pages);
      const amounts = smallestAmounts(changed);
      if (!amounts.ok) {
        const { message } = amounts.error;
        return impossible({ ...amounts.error, fields: [{ path: 'amountRule', message }] });
      }
      const { smallest, whole } = amounts.value;
      try {
        const made = await make(changed, smallest);
        const isRepeated = whole !== null && made.ok && isTooSmall(made.value);
        const last = isRepeated ? await make(changed, whole) : made;
        return last.ok ? last.value : impossible(last.error);
      } catch (thrown) {
        return impossible(toLogFailure(thrown).error);
      }
    };
  };
};

/** Payments that are searched for one that the gateway knows, newest first. */
const maxSearched = 50;

/** How to ask about a payment that the gateway is sure to know; null if its evidence does not show that. */
const knownBy = (row: PaymentRow, { statusByOrder }: Profile): KnownPayment['key'] | null => {
  const { basis } = row;
  // An unverified callback may name any payment id.
  const isReported = basis !== null && (basis.kind === 'look-up' || basis.verified);
  const id = isReported ? idToCheck(row) : null;
  if (id !== null) return { by: 'payment-id', value: id };
  const isCreated = basis?.kind === 'acceptance' || isReported;
  return isCreated && statusByOrder ? { by: 'order-number', value: row.orderNumber } : null;
};

const lastKnownPayment = async (log: PaymentLog, profile: Profile): Promise<KnownPayment | null> => {
  const filter = paymentFilterSchema.parse({ profileId: profile.id });
  const { rows } = await log.list(filter, null, maxSearched);
  for (const row of rows) {
    const key = knownBy(row, profile);
    if (key) return { key, orderNumber: row.orderNumber };
  }
  return null;
};

/**
 * A made-up payment is refused like a wrong password. If the gateway also refused the signature of the last link
 * request, which has no such excuse, the step says so.
 */
const withLastRefusal = async (log: PaymentLog, id: string, result: CheckResult): Promise<CheckResult> => {
  const activity = await log.recentGatewayActivity(id).catch(() => null);
  const failure = activity?.lastFailure ?? null;
  const isRefused =
    failure?.kind === 'session.refused' &&
    failure.body.code === 'gateway.signature-refused' &&
    (activity?.lastSuccess?.happenedAt ?? 0) < failure.happenedAt;
  const unproven =
    isRefused && result.steps.find(({ title }) => title.key === 'connection.status.not-proven');
  if (!unproven) return result;
  const refused = {
    ...unproven,
    title: msg('connection.status.link-refused'),
    meaning: msg('connection.status.link-refused.text'),
    todo: msg('connection.status.link-refused.todo'),
  };
  return {
    ...result,
    steps: result.steps.map(step => (step === unproven ? refused : step)),
    suspects: ['merchantKey', 'password'],
  };
};

/** The connection check, and the question whether the gateway has the operations. `checked` is called with its result. */
export const createCheckHandlers = (
  parts: AppDependencies,
  passwords: CredentialCache,
  checked: (profileId: string, steps: CheckResult['steps'], isProven: boolean) => void,
): Pick<Handlers, 'profiles.check' | 'profiles.probeOperations'> => {
  const eventHeader = createEventHeader(parts);
  const checkLinks = createCheckLinks(parts);
  return {
    'profiles.check': async ({ id }) => {
      const profile = findProfile(parts.settings, id);
      if (!profile.ok) return profile;
      const password = await passwords.of(id);
      const log = parts.log.ok ? parts.log.value : null;
      // A check must be possible while the payment log fails.
      const known = log && (await lastKnownPayment(log, profile.value).catch(() => null));
      const result = await parts.gateway.check(
        profile.value,
        password.ok ? password.value : null,
        known,
        password.ok ? checkLinks(profile.value, password.value) : null,
      );
      const { observed, ...shown } =
        result.isProven || !log ? result : await withLastRefusal(log, id, result);
      checked(id, shown.steps, shown.isProven);
      if (log && known && observed) {
        const header = (orderNumber: string | null, paymentId: string | null) =>
          eventHeader(id, orderNumber, paymentId);
        try {
          const draft = await observationDraft(log, id, known.key, observed, 'person', header);
          const written = await log.append([draft]);
          if (!written.ok) return written;
        } catch (thrown) {
          return toLogFailure(thrown);
        }
      }
      return ok({ ...shown, suspects: [...shown.suspects] });
    },

    'profiles.probeOperations': async ({ id }) => {
      const profile = findProfile(parts.settings, id);
      if (!profile.ok) return profile;
      const password = await passwords.of(id);
      if (!password.ok) return password;
      const { exists, answer, error } = await parts.gateway.probeOperation(profile.value, password.value);
      return ok({ exists, httpStatus: answer?.httpStatus ?? null, problem: error?.message ?? null });
    },
  };
};
