import { hash, randomUUID } from 'node:crypto';
import type {
  CallbackFields,
  CallbackForm,
  EventBody,
  EventDraft,
  Verification,
} from '../../shared/payments/evidence.ts';
import { maskCardNumbers } from '../../shared/card-number.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { isPersonalName, isSecretName, nameTest } from '../../shared/callbacks/pii-fields.ts';
import { valueOf } from './forms/text.ts';

const isCardName = nameTest(/card|pan/i);
/**
 * Names whose values identify or measure something and are compared as they are: an order number of 16 digits
 * must stay the order number that the shop knows.
 */
const isExactName = nameTest(
  /^(?:id|order_number|order_id|payment_id|trans_id|order_amount|exchange_(?:rate|amount|rate_base)|vat_amount|date|rrn|arn|customer_ip|schedule_id|recurring_in(?:it|ti)_trans_id)$/,
);

/**
 * Full card numbers masked in every field but secrets and identifiers (field notes: some gateways send more than
 * §2.6 promises). The description is signed (§5.3): verify a callback before its card numbers are masked.
 */
export const withoutCardNumbers = (fields: CallbackFields): CallbackFields =>
  fields.map(([name, value]) => [
    name,
    value.length < 13 || isExactName(name) || isSecretName(name)
      ? value
      : maskCardNumbers(value, isCardName(name)),
  ]);

/** Fields as they may cross to the window: tokens and the hash are shown as present, never as what they are. */
export const maskFields = (fields: CallbackFields): CallbackFields =>
  withoutCardNumbers(fields).map(([name, value]) => [
    name,
    isSecretName(name) && value !== '' ? '•••' : value,
  ]);

/** Bytes of one event's row, its indexes and its place in the list, without the texts. */
const rowBytes = 1_200;
/** Names whose texts are also in the list and its search index, which takes twice their size. */
const listedNames: ReadonlySet<string> = new Set(['order_number', 'order_description']);

/**
 * Bytes that a callback takes in the payment log, as measured with texts of all kinds (within a third): the row,
 * its fields as JSON, and the index of what can be searched for.
 */
export const storedBytes = (fields: CallbackFields): number => {
  const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  let listed = 0;
  for (const [name, value] of fields) if (listedNames.has(name)) listed += jsonBytes(value);
  return rowBytes + jsonBytes(fields) + 2 * listed;
};

/** The order a callback or a return URL speaks of; null when it names none. */
export const orderNumberOf = (fields: CallbackFields): string | null =>
  (valueOf(fields, 'order_number') ?? valueOf(fields, 'order_id')) || null;

/** The gateway's payment id: a callback's `id` is what the status request takes (§2.4, field notes). */
export const paymentIdOf = (fields: CallbackFields): string | null =>
  (valueOf(fields, 'id') ?? valueOf(fields, 'payment_id')) || null;

/**
 * Names the evidence: the same parameters for the same profile give the same key, by
 * whatever form, order of names or door they came (§6.2.4). Nothing is normalised: one
 * changed character is other evidence. Personal values stay out of it (see pii-fields.ts).
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
  /** What the profile takes a refund's `order_amount` for. */
  refundAmount?: Profile['refundAmountInCallback'] | undefined;
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
      ...(received.refundAmount === 'refunded' && valueOf(fields, 'type') === 'refund'
        ? { refundAmount: received.refundAmount }
        : {}),
    },
  };
};
