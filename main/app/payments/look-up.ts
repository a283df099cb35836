import { containsCardNumber } from '../../../shared/card-number.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import type { EventDraft, EventOf, LookUpKey } from '../../../shared/payments/evidence.ts';
import { inEnglish } from '../../../shared/messages/catalogues.ts';
import { msg } from '../../../shared/messages/message.ts';
import type { AppDependencies } from '../app-context.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { findProfile } from '../settings/find-profile.ts';
import { createEventHeader } from './event-header.ts';
import type { StatusOutcome } from '../../gateway/gateway.ts';
import type { PaymentLog } from '../../payment-log/payment-log.ts';
import { cardNumberFailure } from './order-form.ts';

type EventHeader = ReturnType<typeof createEventHeader>;

export type LookUp = (
  profileId: string,
  key: LookUpKey,
  requestedBy: 'person' | 'console',
  /** The agent who requested it; without one it was automatic. */
  agent?: string,
  /** Cancels the wait; the answer is stored nevertheless. */
  signal?: AbortSignal,
) => Promise<Result<EventOf<'status.observed'>>>;

/** The event for the outcome of a look-up; `header` makes its common fields for an order number and a payment id. */
export const observationDraft = async (
  log: Pick<PaymentLog, 'ordersOf'>,
  profileId: string,
  key: LookUpKey,
  outcome: StatusOutcome,
  requestedBy: 'person' | 'console',
  header: (orderNumber: string | null, paymentId: string | null) => ReturnType<EventHeader>,
): Promise<EventDraft> => {
  const known = key.by === 'payment-id' ? await log.ordersOf(key.value) : [];
  const first =
    outcome.kind === 'answered' ? outcome.answers.find(answer => answer.order.number !== null) : undefined;
  const orderNumber =
    key.by === 'order-number'
      ? key.value
      : (known.find(order => order.profileId === profileId)?.orderNumber ?? first?.order.number ?? null);
  const paymentId = key.by === 'payment-id' ? key.value : (first?.paymentId ?? null);
  return {
    ...header(orderNumber, paymentId),
    kind: 'status.observed',
    body: {
      asked: key,
      answers: outcome.kind === 'answered' ? [...outcome.answers] : [],
      problem:
        outcome.kind === 'failed'
          ? { code: outcome.error.code, message: inEnglish(outcome.error.message) }
          : null,
      answer: outcome.answer,
      requestedBy,
    },
  };
};

/** Looks up payments at the gateway; every answer and every failure is stored as evidence. */
export const createLookUp = (parts: AppDependencies, passwords: CredentialCache): LookUp => {
  const { settings, gateway } = parts;
  const eventHeader = createEventHeader(parts);

  return async (profileId, key, requestedBy, agent = 'console', signal) => {
    if (!parts.log.ok) return parts.log;
    const log = parts.log.value;
    const profile = findProfile(settings, profileId);
    if (!profile.ok) return profile;
    const value = key.value.trim();
    if (value === '' || containsCardNumber(value)) {
      return value === ''
        ? fail('input.invalid', msg('look-up.value-missing'), {
            fields: [{ path: 'value', message: msg('look-up.value-missing') }],
          })
        : cardNumberFailure('value');
    }
    if (key.by === 'order-number' && !profile.value.statusByOrder) {
      return fail('input.invalid', msg('look-up.no-order-number'), {
        hint: msg('look-up.no-order-number.hint'),
        fields: [{ path: 'value', message: msg('look-up.use-payment-id') }],
      });
    }
    const password = await passwords.of(profileId);
    if (!password.ok) return password;
    const outcome = await gateway.lookUp(profile.value, password.value, { by: key.by, value }, signal);
    const header = (orderNumber: string | null, paymentId: string | null) => ({
      ...eventHeader(profileId, orderNumber, paymentId),
      ...(requestedBy === 'console' ? { agent } : {}),
    });
    const draft = await observationDraft(log, profileId, { by: key.by, value }, outcome, requestedBy, header);
    const written = await log.append([draft]);
    if (!written.ok) return written;
    if (outcome.kind === 'failed') {
      return { ok: false, error: { ...outcome.error, details: { ...outcome.error.details, stored: true } } };
    }
    const event = written.value.events[0];
    return event?.kind === 'status.observed' ? ok(event) : fail('internal', msg('payment-log.other-event'));
  };
};
