import { containsCardNumber } from '../../../shared/card-number.ts';
import { fail, ok, type ErrorCode, type Result } from '../../../shared/errors.ts';
import type { EventOf, LookUpKey } from '../../../shared/payments/evidence.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { StatusOutcome } from '../../gateway/gateway.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { findProfile } from '../settings/find-profile.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import { idToCheck } from '../../../shared/look-ups/look-up-key.ts';
import { createEventHeader } from './event-header.ts';
import { observationDraft } from '../../look-ups/observation-draft.ts';
import { cardNumberFailure } from './order-form.ts';
import { profileOfOrder } from '../common/profile-of-order.ts';

export type LookUp = (
  profileId: string,
  key: LookUpKey,
  requestedBy: 'person' | 'console',
  /** The agent who requested it; without one it was automatic. */
  agent?: string,
  /** Cancels the wait; the answer is stored nevertheless. */
  signal?: AbortSignal,
) => Promise<Result<EventOf<'status.observed'>>>;

/**
 * The sandbox answers about a payment of an earlier start as about a wrong signature. Its password is the console's own
 * and always right.
 */
const explained = (outcome: StatusOutcome): StatusOutcome => {
  if (outcome.kind !== 'failed' || outcome.error.code !== 'gateway.signature-refused') return outcome;
  const { details } = outcome.error;
  const error = {
    code: 'gateway.sandbox-forgot',
    message: msg('error.gateway.sandbox-forgot'),
    details,
  } as const;
  return { ...outcome, error };
};

/** What a provider may answer that cannot find a payment by its order number. */
const refusals: readonly ErrorCode[] = ['gateway.refused', 'gateway.signature-refused', 'payment.missing'];

/** Looks up payments at the gateway; every answer and every failure is stored as evidence. */
export const createLookUp = (parts: AppDependencies, passwords: CredentialCache): LookUp => {
  const { settings, gateway } = parts;
  const eventHeader = createEventHeader(parts);

  const lookUp: LookUp = async (profileId, key, requestedBy, agent = 'console', signal) => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const profile = findProfile(settings, profileId);
    if (!profile.ok) return profile;
    const value = key.value.trim();
    if (value === '' || containsCardNumber(value))
      return value === ''
        ? fail('input.invalid', msg('look-up.value-missing'), {
            fields: [{ path: 'value', message: msg('look-up.value-missing') }],
          })
        : cardNumberFailure('value');
    const known = key.by === 'order-number' ? await log.payment(profileId, value) : null;
    const id = known && idToCheck(known);
    const byId: LookUpKey | null = id === null ? null : { by: 'payment-id', value: id };
    const asked = (profile.value.statusByOrder ? null : byId) ?? { by: key.by, value };
    if (asked.by === 'order-number' && !profile.value.statusByOrder)
      return fail('input.invalid', msg('look-up.no-order-number'), {
        hint: msg('look-up.no-order-number.hint'),
        fields: [{ path: 'value', message: msg('look-up.use-payment-id') }],
      });
    const password = await passwords.of(profileId);
    if (!password.ok) return password;
    const answered = await gateway.lookUp(profile.value, password.value, asked, signal);
    const outcome = profileId === sandboxProfileId ? explained(answered) : answered;
    const of = await profileOfOrder(settings, log, profileId, asked.value, asked.by);
    const header = (orderNumber: string | null, paymentId: string | null) => ({
      ...eventHeader(of, orderNumber, paymentId),
      ...(requestedBy === 'console' ? { agent } : {}),
    });
    const draft = await observationDraft(log, of, asked, outcome, requestedBy, header);
    const written = await log.append([draft]);
    if (!written.ok) return written;
    // A provider that does not answer order numbers.
    if (byId !== null && asked !== byId && outcome.kind === 'failed' && refusals.includes(outcome.error.code))
      return lookUp(profileId, byId, requestedBy, agent, signal);
    if (outcome.kind === 'failed')
      return { ok: false, error: { ...outcome.error, details: { ...outcome.error.details, stored: true } } };
    const event = written.value.events[0];
    return event?.kind === 'status.observed' ? ok(event) : fail('internal', msg('payment-log.other-event'));
  };
  return lookUp;
};
