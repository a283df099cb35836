import { hash, randomUUID } from 'node:crypto';
import type {
  CallbackFields,
  CallbackForm,
  EventBody,
  EventDraft,
  Verification,
} from '../../shared/evidence.ts';
import { passesLuhn } from '../../shared/card-number.ts';
import { isPersonalName, isSecretName } from '../../shared/personal-names.ts';
import { valueOf } from './forms/text.ts';

const cardName = /card|pan/i;
const digits = /\d(?:[ -]?\d){12,18}/g;

/** A card number that arrived in full leaves six and four digits: the rest is never written down. */
const maskCardNumber = (value: string): string =>
  value.replace(digits, found => {
    const number = found.replace(/[ -]/g, '');
    if (!passesLuhn(number)) return found;
    return `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`;
  });

/** Full card numbers masked (field notes: some gateways send more than §2.6 promises); no signed field is touched. */
export const withoutCardNumbers = (fields: CallbackFields): CallbackFields =>
  fields.map(([name, value]) => [
    name,
    cardName.test(name) && !isSecretName(name) ? maskCardNumber(value) : value,
  ]);

/** Fields as they may cross to the window: tokens and the hash are shown as present, never as what they are. */
export const maskFields = (fields: CallbackFields): CallbackFields =>
  withoutCardNumbers(fields).map(([name, value]) => [
    name,
    isSecretName(name) && value !== '' ? '•••' : value,
  ]);

/** The order a callback or a return URL speaks of; null when it names none. */
export const orderNumberOf = (fields: CallbackFields): string | null =>
  (valueOf(fields, 'order_number') ?? valueOf(fields, 'order_id')) || null;

/** The gateway's payment id: a callback's `id` is what the status request takes (§2.4, field notes). */
export const paymentIdOf = (fields: CallbackFields): string | null =>
  (valueOf(fields, 'id') ?? valueOf(fields, 'payment_id')) || null;

/**
 * Names the evidence: the same parameters for the same profile give the same key, by
 * whatever form, order of names or door they came (§6.2.4). Nothing is normalised: one
 * changed character is other evidence. Personal values stay out of it (see personal-names.ts).
 */
export const callbackKey = (profileId: string, fields: CallbackFields): string =>
  keyOf(profileId, withoutCardNumbers(fields));

const keyOf = (profileId: string, fields: CallbackFields): string => {
  const named = fields.map(([name, value]): [string, string] => [name, isPersonalName(name) ? '' : value]);
  const sorted = named.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return `callback:${hash('sha256', JSON.stringify([profileId, sorted]))}`;
};

/**
 * A received callback as the event to write down.
 * `arrivedAt` in milliseconds; `agent`: who was at the desk.
 */
export const callbackDraft = (received: {
  profileId: string;
  fields: CallbackFields;
  form: CallbackForm;
  via: EventBody<'callback.received'>['via'];
  verification: Verification;
  arrivedAt: number;
  agent: string;
}): EventDraft => {
  const fields = withoutCardNumbers(received.fields);
  return {
    kind: 'callback.received',
    id: randomUUID(),
    profileId: received.profileId,
    orderNumber: orderNumberOf(received.fields),
    paymentId: paymentIdOf(received.fields),
    happenedAt: received.arrivedAt,
    agent: received.agent,
    dedupeKey: keyOf(received.profileId, fields),
    body: {
      fields,
      form: received.form,
      via: received.via,
      verification: received.verification,
    },
  };
};
