import type {
  CallbackFields,
  CallbackForm,
  EventBody,
  EventDraft,
  Verification,
} from '../../shared/payments/evidence.ts';
import type { MessageValue } from '../../shared/messages/message.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { formulas, verify, type Values } from '../signatures/signature.ts';
import { valueOf } from './forms/text-form.ts';
import { hash, randomUUID } from 'node:crypto';
import { maskCardNumbers } from '../../shared/card-number.ts';
import { maskCardNumberIn } from '../../shared/callbacks/card-fields.ts';
import { isPersonalName, isSecretName, isSecurityCode } from '../../shared/callbacks/pii-fields.ts';

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

/** A password that may have signed a callback, and its profile. It stays in this process. */
export type Candidate = {
  profileId: string;
  /** The profile's display name with its environment; its id if it has no name. */
  name?: MessageValue;
  password: string;
  digest: Profile['digest'];
};

/**
 * The signed fields of a callback by name (§5.3), byte for byte; a missing one is empty, a repeated one counts by its
 * first value.
 */
const signedValues = (fields: CallbackFields): Values<typeof formulas.callback> => ({
  id: valueOf(fields, 'id') ?? '',
  order_number: valueOf(fields, 'order_number') ?? '',
  order_amount: valueOf(fields, 'order_amount') ?? '',
  order_currency: valueOf(fields, 'order_currency') ?? '',
  order_description: valueOf(fields, 'order_description') ?? '',
});

/**
 * Verifies a callback's signature (§5.3) with one profile's password: both upper-casings are tried; the comparison is
 * constant-time and ignores the hash's case.
 */
export const verifyFields = (fields: CallbackFields, candidate: Candidate): Verification => {
  const hash = valueOf(fields, 'hash')?.trim() ?? '';
  const digest = candidate.digest;
  if (hash === '' || hash === 'null') return { verdict: 'no-hash', uppercasing: null, digest };
  const match = verify(formulas.callback, signedValues(fields), candidate.password, hash, digest);
  return match
    ? { verdict: 'verified', uppercasing: match.uppercasing, digest }
    : { verdict: 'invalid', uppercasing: null, digest };
};

/** The input for verifying a return URL that the URL does not contain (assumption: `formulas.returnUrl`). */
export type ReturnRecord = {
  amount: string | null;
  currency: string | null;
  description: string | null;
};

/**
 * Verifies a return URL's signature by its separate formula (an assumption: one source in the field notes). Amount,
 * currency and description come from our record, since the URL does not contain them.
 */
export const verifyReturn = (
  fields: CallbackFields,
  candidate: Candidate,
  record: ReturnRecord | null,
): Verification => {
  const hash = valueOf(fields, 'hash')?.trim() ?? '';
  const digest = candidate.digest;
  if (hash === '' || hash === 'null') return { verdict: 'no-hash', uppercasing: null, digest };
  const values: Values<typeof formulas.returnUrl> = {
    payment_id: valueOf(fields, 'payment_id') ?? valueOf(fields, 'trans_id') ?? '',
    order_number: valueOf(fields, 'order_id') ?? '',
    order_amount: record?.amount ?? '',
    order_currency: record?.currency ?? '',
    order_description: record?.description ?? '',
  };
  const match = verify(formulas.returnUrl, values, candidate.password, hash, digest);
  return match
    ? { verdict: 'verified', uppercasing: match.uppercasing, digest }
    : { verdict: 'invalid', uppercasing: null, digest };
};

export type VerificationResult = { verification: Verification; profileId: string | null };

/**
 * Verifies with all available passwords: the first that matches, otherwise the verdict under the first candidate.
 * `profileId`: the profile of that password, null if there is no password.
 */
export const verifyWith = (
  candidates: readonly Candidate[],
  check: (candidate: Candidate) => Verification,
): VerificationResult => {
  let first: VerificationResult | null = null;
  for (const candidate of candidates) {
    const verification = check(candidate);
    const result = { verification, profileId: candidate.profileId };
    if (verification.verdict === 'verified') return result;
    first ??= result;
  }
  return (
    first ?? { verification: { verdict: 'no-password', uppercasing: null, digest: 'md5' }, profileId: null }
  );
};

/** {@link verifyWith} for a callback (§5.3). */
export const verifyAgainstCandidates = (
  fields: CallbackFields,
  candidates: readonly Candidate[],
): VerificationResult => verifyWith(candidates, candidate => verifyFields(fields, candidate));

/** Of several readings of one text the one that a signature proves; otherwise the first. */
export const provenReading = <T extends { fields: CallbackFields; others?: readonly CallbackFields[] }>(
  found: T,
  candidates: readonly Candidate[],
): T => {
  const proven = [found.fields, ...(found.others ?? [])].find(
    fields => verifyAgainstCandidates(fields, candidates).verification.verdict === 'verified',
  );
  return proven === undefined ? found : { ...found, fields: proven };
};
