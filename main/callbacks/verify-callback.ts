import type { CallbackFields, Verification } from '../../shared/payments/evidence.ts';
import type { MessageValue } from '../../shared/messages/message.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { formulas, verify, type Values } from '../signatures/signature.ts';
import { valueOf } from './forms/text-form.ts';

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
