import { randomUUID } from 'node:crypto';
import { fail, ok, type AppError, type Result } from '../../../shared/errors.ts';
import { chooseLanguage } from '../../../shared/messages/language.ts';
import { formatterFor } from '../../../shared/messages/catalogues.ts';
import { msg } from '../../../shared/messages/message.ts';
import { amountRuleFor } from '../../../shared/money/amount-rules.ts';
import { exponentOf } from '../../../shared/money/currencies.ts';
import { wireAmount } from '../../../shared/money/wire-amount.ts';
import { minLifeMinutes } from '../../../shared/settings/offered-options.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { returnPageProblem } from '../../../shared/settings/return-pages.ts';
import type { CheckLink, CheckLinkMaker } from '../../gateway/gateway.ts';
import { toLogFailure } from '../../payment-log/log-failures.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { createEventHeader } from '../payments/event-header.ts';
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
export const createCheckLinks = (
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
