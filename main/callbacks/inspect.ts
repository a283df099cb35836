import type { CallbackFields, CallbackForm, Verification } from '../../shared/payments/evidence.ts';
import type {
  Doubt,
  InspectedCallback,
  InspectedField,
  Inspection,
  Meaning,
} from '../../shared/callbacks/inspection.ts';
import { joined, msg, quoted, type Message, type MessageValue } from '../../shared/messages/message.ts';
import { withoutCardNumbersIn } from '../../shared/card-number.ts';
import { convertedStates } from '../../shared/payments/outcomes.ts';
import { callbackOutcome } from '../../shared/callbacks/outcome-labels.ts';
import type { OrderRecord } from '../../shared/payments/payment.ts';
import { isSecretName } from '../../shared/callbacks/pii-fields.ts';
import { signedNames } from '../../shared/callbacks/signed-fields.ts';
import {
  callbackKey,
  maskFields,
  orderNumberOf,
  paymentIdOf,
  provenReading,
  verifyAgainstCandidates,
  verifyReturn,
  verifyWith,
  type Candidate,
  type VerificationResult,
} from './verify-callback.ts';
import { amountProblem, parameterOf, parameters } from './parameter-spec.ts';
import { isOtherProtocol, valueOf } from './forms/text-form.ts';
import { clip, contradictions, interpretCallback } from './interpret.ts';
import { diagnoseSignature, knownCauses, type SearchExtent } from './diagnose-signature.ts';
import { isReturn, parseCallbacks, type FoundCallback } from './parse.ts';

export type InspectOptions = {
  /** Null = recognise. */
  form?: CallbackForm | null;
  candidates: readonly Candidate[];
  orderRecordOf?: (profileId: string, orderNumber: string) => Promise<OrderRecord | null>;
  /** Whether the log contains an event with this key (see `callbackKey`). */
  hasEvent?: (profileId: string, orderNumber: string | null, dedupeKey: string) => Promise<boolean>;
  /** Limit of explained callbacks; further ones are counted. */
  maxCallbacks?: number;
};

/** Limit of failing signatures that one inspection searches for a cause. */
const maxSearches = 20;

/** `10.50` → `10.5`, in linear time. */
const plain = (amount: string): string => {
  if (!amount.includes('.')) return amount;
  let end = amount.length;
  while (amount.charAt(end - 1) === '0') end--;
  return amount.slice(0, amount.charAt(end - 1) === '.' ? end - 1 : end);
};

const recordedValue = (
  name: string,
  record: OrderRecord | null,
  orderNumber: string | null,
): string | null => {
  if (!record) return null;
  switch (name) {
    case 'order_number':
      return orderNumber;
    case 'order_amount':
      return record.amount;
    case 'order_currency':
      return record.currency;
    case 'order_description':
      return record.description;
    case 'customer_name':
      return record.customer?.name ?? null;
    case 'customer_email':
      return record.customer?.email ?? null;
    default:
      return null;
  }
};

const isSignedName = (name: string): boolean => (signedNames as readonly string[]).includes(name);

const bandOf = (
  name: string,
  value: string,
  recorded: string | null,
  record: OrderRecord | null,
  verified: boolean,
): InspectedField['band'] => {
  if (!verified) return 'not-proven';
  if (!isSignedName(name)) return 'not-signed';
  if (name === 'id') return record?.paymentIds.includes(value) === true ? 'signed-equal' : 'signed-no-record';
  if (recorded === null) return 'signed-no-record';
  const equal = name === 'order_amount' ? plain(recorded) === plain(value) : recorded === value;
  return equal ? 'signed-equal' : 'signed-different';
};

/** The problem of one value by the interface (§2.6); an absent value may be the text `null`. */
const problemOf = (name: string, value: string): Message | null => {
  const parameter = parameterOf(name);
  if (!parameter || (value === 'null' && !parameter.required)) return null;
  if (value === '')
    return parameter.required && name !== 'order_description' ? msg('parameter.empty', { name }) : null;
  return parameter.check(value, name);
};

/** All problems of a callback by the interface; it is stored and shown anyway. */
export const problemsOf = (fields: CallbackFields): InspectedCallback['problems'] => {
  const problems: InspectedCallback['problems'] = [];
  const seen = new Map<string, string>();
  const othersOutside: string[] = [];
  for (const [name, value] of fields) {
    const earlier = seen.get(name);
    if (earlier !== undefined)
      problems.push({
        field: name,
        message:
          earlier === value
            ? msg('parameter.repeated', { name })
            : msg('parameter.repeated.different', { name }),
      });
    else seen.set(name, value);
    const wrong = problemOf(name, value);
    if (wrong !== null) problems.push({ field: name, message: wrong });
    if (parameterOf(name)?.documented !== true) othersOutside.push(name);
  }
  if (!isReturn(fields))
    for (const { name, required } of parameters)
      // §2.6 requires the customer's address, but the console does not use it.
      if (required && name !== 'customer_ip' && !seen.has(name))
        problems.push({ field: name, message: msg('parameter.missing', { name }) });
  const amount = amountProblem(
    valueOf(fields, 'order_amount') ?? '',
    valueOf(fields, 'order_currency') ?? '',
  );
  if (amount !== null) problems.push({ field: 'order_amount', message: amount });
  problems.push(...contradictions(fields));
  if (othersOutside.length > 0 && !isReturn(fields))
    problems.push({
      field: null,
      message: msg('parameter.undocumented', {
        names: [...new Set(othersOutside)].slice(0, 20).join(', '),
      }),
    });
  if (fields.some(([, value]) => value.includes('\uFFFD')))
    problems.push({ field: null, message: msg('inspection.bytes-lost') });
  return problems;
};

const describeVerification = (
  verification: Verification,
  profile: MessageValue | null,
  returning: boolean,
): Message => {
  if (verification.verdict !== 'verified') return msg(`signature.${verification.verdict}`);
  return msg(returning ? 'signature.verified.return' : 'signature.verified', {
    profile: profile ?? '',
    uppercasing: verification.uppercasing === 'unicode' ? 'Unicode' : 'ASCII',
    digest: verification.digest === 'md5' ? 'MD5' : 'SHA-256',
  });
};

const meaningOfReturn: Meaning = {
  title: msg('meaning.return'),
  text: msg('meaning.return.text'),
  effect: 'unknown',
  allowed: true,
};

/** A parameter that occurs twice with different values: the right one is unknown, so the callback has no effect. */
const findRepeatedName = (fields: CallbackFields): string | null => {
  const values = new Map<string, string>();
  for (const [name, value] of fields) {
    const before = values.get(name);
    if (before !== undefined && before !== value) return name;
    values.set(name, value);
  }
  return null;
};

/** The result that a callback reports, in words; a type or status outside the interface as received. */
const reportedBy = (fields: CallbackFields): Message => {
  const [type, status] = [valueOf(fields, 'type') ?? '', valueOf(fields, 'status') ?? ''];
  const outcome = callbackOutcome(type, status);
  return outcome === null ? quoted(`${clip(type || '–')}, ${clip(status || '–')}`) : { key: outcome };
};

/**
 * The meaning of a callback (§3.2), provided that its signature verifies and that it is unambiguous: the same rule by
 * which the payment log lets a callback change a payment. Otherwise it has no effect.
 */
const provenMeaning = (
  fields: CallbackFields,
  { verdict }: Verification,
  doubt: Doubt | null,
  record: OrderRecord | null,
): Meaning => {
  if (doubt === 'other-protocol')
    return {
      effect: 'none',
      title: msg('meaning.other-protocol'),
      text: msg('meaning.other-protocol.text'),
      allowed: true,
    };
  const meaning = interpretCallback(fields);
  const repeatedName = findRepeatedName(fields);
  if (verdict === 'verified' && repeatedName === null)
    // The status is not signed: it never speaks against what is known of the money.
    return meaning.effect === 'not-paid' && record !== null && convertedStates.includes(record.state)
      ? {
          ...meaning,
          effect: 'against-record',
          title: msg('meaning.against-record'),
          text: msg('meaning.against-record.text', { outcome: reportedBy(fields) }),
        }
      : meaning;
  return {
    effect: 'none',
    title:
      verdict === 'verified'
        ? msg('meaning.unproven.ambiguous', { name: repeatedName ?? '' })
        : msg('meaning.unproven'),
    text: msg('meaning.unproven.text', { outcome: reportedBy(fields) }),
    allowed: meaning.allowed,
  };
};

/** Why no cause was found, with what was tried. */
const noKnownCause = (extent: SearchExtent): Message =>
  extent === 'too-long'
    ? msg('signature.no-cause.too-long')
    : msg(`signature.no-cause.${extent}`, { tried: knownCauses });

/** Whether a failed verification says nothing about the sender, and why. */
const doubtedBy = (fields: CallbackFields, { verdict }: Verification, doubt: Doubt | null): Doubt | null => {
  if (isOtherProtocol(fields)) return 'other-protocol';
  return verdict === 'invalid' || verdict === 'no-hash' ? doubt : null;
};

/** One callback, verified and explained, with tokens and hash unmasked in `fields`. */
export type ExplainedCallback = Omit<InspectedCallback, 'fields' | 'known'> & {
  record: OrderRecord | null;
};

/**
 * Verifies and explains one callback (§3.2, §5.3). `searching` false skips the search for near misses; `readDoubt` is what
 * the parser noted.
 */
export const explainCallback = async (
  fields: CallbackFields,
  options: Pick<InspectOptions, 'candidates' | 'orderRecordOf'>,
  searching = true,
  readDoubt: Doubt | null = null,
): Promise<ExplainedCallback> => {
  const returning = isReturn(fields);
  const orderNumber = orderNumberOf(fields);
  const recordForProfile = async (profileId: string): Promise<OrderRecord | null> =>
    orderNumber === null || !options.orderRecordOf ? null : options.orderRecordOf(profileId, orderNumber);
  let result: VerificationResult;
  if (returning) {
    const records = new Map<string, OrderRecord | null>();
    for (const { profileId } of options.candidates) records.set(profileId, await recordForProfile(profileId));
    result = verifyWith(options.candidates, candidate =>
      verifyReturn(fields, candidate, records.get(candidate.profileId) ?? null),
    );
  } else result = verifyAgainstCandidates(fields, options.candidates);
  const { verification } = result;
  let { profileId } = result;
  let record = profileId === null ? null : await recordForProfile(profileId);
  if (verification.verdict !== 'verified' && !record)
    // An unverified callback is compared with the profile that contains the order.
    for (const candidate of options.candidates) {
      record = await recordForProfile(candidate.profileId);
      if (!record) continue;
      profileId = candidate.profileId;
      break;
    }
  let doubt = doubtedBy(fields, verification, readDoubt);
  const first = options.candidates.find(candidate => candidate.profileId === profileId);
  const ordered = first
    ? [first, ...options.candidates.filter(candidate => candidate !== first)]
    : options.candidates;
  const search =
    searching && verification.verdict === 'invalid' && !returning && doubt !== 'other-protocol'
      ? diagnoseSignature(fields, ordered, { record })
      : null;
  // A cause that was found explains more than the doubt.
  if (search?.nearMiss) doubt = null;
  const spreadsheet = [orderNumber, valueOf(fields, 'order_amount')].find(value =>
    /^\d(?:[.,]\d+)?E\+?\d+$/i.test(value ?? ''),
  );
  const verdict =
    doubt === null
      ? describeVerification(verification, first?.name ?? profileId, returning)
      : doubt === 'uncertain' && spreadsheet
        ? msg('signature.spreadsheet', { value: spreadsheet })
        : msg(`signature.${doubt}`);
  return {
    verification,
    doubt,
    profileId,
    // Their sentences quote names and values as received.
    ...withoutCardNumbersIn({
      nearMiss: search?.nearMiss ?? null,
      explanation:
        search && doubt === null && !search.nearMiss ? joined(verdict, noKnownCause(search.extent)) : verdict,
      meaning: returning ? meaningOfReturn : provenMeaning(fields, verification, doubt, record),
      problems:
        doubt === 'other-protocol'
          ? []
          : problemsOf(fields).filter(({ field }) => doubt !== 'hash-hidden' || field !== 'hash'),
    }),
    orderNumber,
    paymentId: paymentIdOf(fields),
    record,
  };
};

/** A field's row: band, our value, the interface's description and whether it holds; tokens and hash masked. */
const inspectField = (
  [name, value]: CallbackFields[number],
  [shownName, masked]: CallbackFields[number],
  explained: ExplainedCallback,
): InspectedField => {
  const verified = explained.verification.verdict === 'verified';
  const recorded = recordedValue(name, explained.record, explained.orderNumber);
  const description = parameterOf(name)?.description ?? null;
  const isHidden = name === 'hash' && explained.doubt === 'hash-hidden';
  return {
    name: shownName,
    value: masked,
    masked: masked !== value,
    band: bandOf(name, value, recorded, explained.record, verified),
    recorded: isSecretName(name) ? null : recorded,
    description:
      description !== null && verified && isSignedName(name)
        ? joined(description, msg('parameter.signed'))
        : description,
    problem: isHidden ? null : withoutCardNumbersIn(problemOf(name, value)),
  };
};

/** Verifies and explains callbacks that were found already; see `inspect`. */
export const inspectFound = async (
  found: readonly Omit<FoundCallback, 'offset'>[],
  options: Omit<InspectOptions, 'form'>,
): Promise<Inspection> => {
  const shown = found.slice(0, options.maxCallbacks ?? 500);
  const callbacks: InspectedCallback[] = [];
  let searches = 0;
  for (const one of shown) {
    const { fields, doubt } = one.others ? provenReading(one, options.candidates) : one;
    const explained = await explainCallback(fields, options, searches < maxSearches, doubt ?? null);
    if (explained.verification.verdict === 'invalid') searches++;
    const masked = maskFields(fields);
    const profiles = options.candidates.map(candidate => candidate.profileId);
    let known = false;
    if (options.hasEvent)
      for (const profileId of explained.verification.verdict === 'verified' && explained.profileId !== null
        ? [explained.profileId]
        : profiles)
        if (!known)
          known = await options.hasEvent(profileId, orderNumberOf(fields), callbackKey(profileId, fields));
    const { record: _record, ...rest } = explained;
    callbacks.push({
      ...rest,
      fields: fields.map((field, at) => inspectField(field, masked[at] ?? field, explained)),
      known,
    });
  }
  return { form: found[0]?.form ?? null, callbacks, found: found.length, problems: [] };
};

/**
 * Parses, verifies and explains a pasted text; stores nothing. Tokens and hashes are masked. `found` counts all
 * callbacks, `callbacks` explains the first `maxCallbacks`.
 */
export const inspect = async (text: string | Uint8Array, options: InspectOptions): Promise<Inspection> => {
  const parsed = parseCallbacks(text, options.form ?? null);
  const { callbacks, found } = await inspectFound(parsed.callbacks, options);
  const problems = withoutCardNumbersIn([...parsed.problems]);
  if (found === 0) problems.push(msg('inspection.nothing'));
  else if (callbacks.length < found)
    problems.push(msg('inspection.first', { shown: callbacks.length, found }));
  return { form: parsed.form, callbacks, found, problems };
};
