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
import { maskCardNumberIn } from '../../shared/callbacks/card-fields.ts';
import { isPersonalName, isSecretName, isSecurityCode } from '../../shared/callbacks/pii-fields.ts';
import { valueOf } from './forms/text-form.ts';

/** Masks full card numbers and security codes. The description is signed (§5.3): verify a callback before masking. */
const withoutCardNumbers = (fields: CallbackFields): CallbackFields =>
  fields.map(([name, value]) => [
    maskCardNumbers(name),
    isSecurityCode(name) && value !== '' ? '***' : maskCardNumberIn(name, value),
  ]);

/** Hides tokens and hashes in a text of JSON; their names stay. */
export const maskJson = (text: string): string =>
  text.replaceAll(
    /("[^"]*(?:token|hash|password)[^"]*"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi,
    '$1"•••"',
  );

/** Fields for the renderer: tokens and the hash are shown as present, without their value. */
export const maskFields = (fields: CallbackFields): CallbackFields =>
  withoutCardNumbers(fields).map(([name, value]) => [
    name,
    isSecretName(name) && value !== '' ? '•••' : /^\s*[[{]/.test(value) ? maskJson(value) : value,
  ]);

/** Storage of one event's row, its indexes and its list row without the texts, bytes. */
const rowBytes = 1_200;
/** Names whose texts are also in the list, its search index and its words: five bytes for a character. */
const listedNames: ReadonlySet<string> = new Set(['order_number', 'order_description']);

/**
 * Storage of a callback in the payment log, bytes: the row, its fields as JSON, and the search index. Measured with
 * all kinds of texts; accurate to a third.
 */
export const storedBytes = (fields: CallbackFields): number => {
  const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  let listed = 0;
  for (const [name, value] of fields) if (listedNames.has(name)) listed += value.length;
  return rowBytes + jsonBytes(fields) + 5 * listed;
};

/** The order that a callback or a return URL names; null if it names none. */
export const orderNumberOf = (fields: CallbackFields): string | null =>
  (valueOf(fields, 'order_number') ?? valueOf(fields, 'order_id')) || null;

/** The gateway's payment id: the status request takes a callback's `id` (§2.4, field notes). */
export const paymentIdOf = (fields: CallbackFields): string | null =>
  (valueOf(fields, 'id') ?? valueOf(fields, 'payment_id')) || null;

/**
 * The dedupe key of a callback: the same parameters for the same profile give the same key, for any form, order of
 * names or listener (§6.2.4). Nothing is normalised: one changed character makes different evidence. Personal values
 * are excluded (see pii-fields.ts).
 */
export const callbackKey = (profileId: string, fields: CallbackFields): string =>
  keyOf(profileId, withoutCardNumbers(fields));

const keyOf = (profileId: string, fields: CallbackFields): string => {
  const named = fields.map(([name, value]): [string, string] => [name, isPersonalName(name) ? '' : value]);
  const sorted = named.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return `callback:${hash('sha256', JSON.stringify([profileId, sorted]))}`;
};

/** Length limit of an order number and a payment id, characters: a longer text names none. It stays in the fields. */
const maxNameChars = 255;
const shortName = (name: string | null): string | null =>
  name !== null && name.length > maxNameChars ? null : name;

/** The event draft of a received callback. `arrivedAt` in milliseconds; `agent`: who was signed in. */
export const callbackDraft = (received: {
  profileId: string;
  fields: CallbackFields;
  form: CallbackForm;
  via: EventBody<'callback.received'>['via'];
  verification: Verification;
  arrivedAt: number;
  agent: string;
  /** The profile's interpretation of a refund's `order_amount`. */
  refundAmount?: Profile['refundAmountInCallback'] | undefined;
}): EventDraft => {
  const fields = withoutCardNumbers(received.fields);
  return {
    kind: 'callback.received',
    id: randomUUID(),
    profileId: received.profileId,
    orderNumber: shortName(orderNumberOf(received.fields)),
    paymentId: shortName(paymentIdOf(received.fields)),
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
