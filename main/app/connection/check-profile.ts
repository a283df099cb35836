import { type Handlers, paymentFilterSchema } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { msg } from '../../../shared/messages/message.ts';
import { lookUpKeyOf } from '../../../shared/look-ups/look-up-key.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import type { CheckResult, KnownPayment } from '../../gateway/gateway.ts';
import { toLogFailure } from '../../payment-log/log-failures.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { createCheckLinks } from './check-link.ts';
import { createEventHeader } from '../payments/event-header.ts';
import { observationDraft } from '../../look-ups/observation-draft.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { findProfile } from '../settings/find-profile.ts';

/** Payments that are searched for one that the gateway knows, newest first. */
const maxSearched = 50;

/** How to ask about a payment that the gateway is sure to know; null if its evidence does not show that. */
const knownBy = (row: PaymentRow, { statusByOrder }: Profile): KnownPayment['key'] | null => {
  const { basis } = row;
  // An unverified callback may name any payment id.
  const isReported = basis !== null && (basis.kind === 'look-up' || basis.verified);
  if (isReported && row.paymentIds.length > 0) return lookUpKeyOf(row);
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
