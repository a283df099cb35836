import type { CallbackFields } from '../../shared/payments/evidence.ts';
import type { NearMiss } from '../../shared/callbacks/inspection.ts';
import { msg, type Message, type MessageValue } from '../../shared/messages/message.ts';
import { signedNames } from '../../shared/callbacks/signed-fields.ts';
import { valueOf } from './forms/text-form.ts';
import {
  hashOf,
  rewritings,
  type FieldSlot,
  type Rewriting,
  type SignatureVariant,
  type Slot,
} from './diagnose-signature-causes.ts';
import type { Candidate } from './verify-callback.ts';

/**
 * The payment log's record of the order: a signed field that was changed on the way verifies with the recorded value.
 */
export type OwnRecord = { amount: string | null; currency: string | null; description: string | null };

/** Search limit, bytes that are read or hashed for one callback. The largest search takes under 100 ms. */
export const maxSearchedBytes = 3_000_000;
/**
 * The number of known causes: those of the formula and the fields, another password, another field's value, our
 * record's value, a repeated field, and a description that was cut.
 */
export const knownCauses = new Set(rewritings.map(({ cause }) => cause)).size + 5;
/** Length limit of a signed string that is searched, UTF-8 bytes. Above it one trial costs too much. */
export const maxSignedBytes = 4_096;
/** Fixed cost of one trial, bytes. */
const trialBytes = 256;
/** Length limit, characters: shorter descriptions are tried truncated at every length. */
const maxTruncatedChars = 512;

/** The extent of a search: complete, up to its limit, or not begun because the signed fields are too long. */
export type SearchExtent = 'complete' | 'limited' | 'too-long';
export type NearMissSearch = {
  nearMiss: NearMiss | null;
  extent: SearchExtent;
  /** Bytes that were hashed. */
  hashedBytes: number;
};

const substitute = (
  cause: string,
  slot: FieldSlot,
  value: string,
  faultSource: Rewriting['faultSource'],
  clause?: Message,
): Rewriting => ({
  cause,
  slot,
  faultSource,
  ...(clause === undefined ? {} : { clause }),
  apply: variant => (value === variant[slot] ? null : { ...variant, [slot]: value }),
});

/** Values of this callback, or of our record, in another field's place. */
const substitutions = (fields: CallbackFields, record: OwnRecord | null): Rewriting[] => {
  const found: Rewriting[] = [];
  let ids = 0;
  for (const [name, value] of fields) {
    if (name === 'id' || value === '' || ids >= 12) continue;
    const idLike = /(?:^|_)id$/.test(name) || /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value);
    if (idLike && name !== 'hash') {
      ids++;
      found.push(substitute(`id-is-${name}`, 'id', value, 'sender', msg('signature.id-is', { name })));
    }
    if (name === 'order_id')
      found.push(
        substitute(
          'order-number-is-order_id',
          'number',
          value,
          'sender',
          msg('signature.number-is-order-id'),
        ),
      );
    if (name === 'exchange_amount')
      found.push(
        substitute(
          'amount-is-exchange_amount',
          'amount',
          value,
          'sender',
          msg('signature.amount-is-exchange-amount'),
        ),
      );
    if (name === 'exchange_currency')
      found.push(
        substitute(
          'currency-is-exchange_currency',
          'currency',
          value,
          'sender',
          msg('signature.currency-is-exchange-currency'),
        ),
      );
  }
  for (const slot of ['amount', 'currency', 'description'] as const) {
    const value = record?.[slot];
    if (typeof value === 'string') found.push(substitute(`${slot}-of-our-record`, slot, value, 'record'));
  }
  for (const name of ['order_description', 'order_amount', 'order_currency', 'order_number'])
    for (const [other, value] of fields.filter(([field]) => field === name).slice(1, 3)) {
      const slot =
        other === 'order_number'
          ? 'number'
          : other === 'order_amount'
            ? 'amount'
            : other === 'order_currency'
              ? 'currency'
              : 'description';
      found.push(substitute(`${slot}-repeated`, slot, value, 'path'));
    }
  return found;
};

type Step = { rewriting: Rewriting; before: SignatureVariant; after: SignatureVariant };

/** The backticks mark a value: the window shows it as code. */
const shown = (value: string): MessageValue => {
  if (value === '') return msg('signature.empty');
  const clipped = value.length > 60 ? `${value.slice(0, 59)}…` : value;
  return `\`${clipped.replace(/\s/g, blank => (blank === ' ' ? ' ' : '␤')).replaceAll('`', "'")}\``;
};

/** "the amount is `100.00` instead of `100`" */
const clauseOf = ({ rewriting, before, after }: Step): Message => {
  if (rewriting.slot === 'formula' || rewriting.slot === 'password') return rewriting.clause;
  const { slot, clause: own } = rewriting;
  if (own !== undefined) return own;
  const values = { from: shown(before[slot]), to: shown(after[slot]) };
  const isRecorded = rewriting.faultSource === 'record' && slot !== 'id' && slot !== 'number';
  const clause = isRecorded ? msg(`signature.${slot}.record`, values) : msg(`signature.${slot}`, values);
  return before[slot].trim() === after[slot].trim() ? msg('signature.note-spaces', { clause }) : clause;
};

const sentenceOf = (steps: readonly Step[], profile: MessageValue | null): Message => {
  const clauses = steps.map(clauseOf);
  if (profile !== null) clauses.push(msg('signature.other-profile', { profile }));
  const ending = steps.some(({ rewriting }) => rewriting.cause.startsWith('other-digest'))
    ? 'digest'
    : (steps.find(({ rewriting }) => rewriting.faultSource !== 'path')?.rewriting.faultSource ?? 'path');
  return msg(`signature.fits.${ending}`, {
    clauses: clauses.reduce((first, second) => msg('signature.and', { first, second })),
  });
};

const isAscii = (variant: SignatureVariant): boolean =>
  // oxlint-disable-next-line no-control-regex
  /^[\u0000-\u007f]*$/.test(
    variant.id + variant.number + variant.amount + variant.currency + variant.description + variant.password,
  );

const startOf = (fields: CallbackFields, candidate: Candidate): SignatureVariant[] => {
  const variant: SignatureVariant = {
    id: valueOf(fields, 'id') ?? '',
    number: valueOf(fields, 'order_number') ?? '',
    amount: valueOf(fields, 'order_amount') ?? '',
    currency: valueOf(fields, 'order_currency') ?? '',
    description: valueOf(fields, 'order_description') ?? '',
    password: candidate.password,
    casing: 'ascii',
    scheme: candidate.digest,
    charset: 'utf8',
    layout: 'documented',
  };
  return isAscii(variant) ? [variant] : [variant, { ...variant, casing: 'unicode' }];
};

/** Two changes of one of these slots are redundant: the second replaces the first. */
const single: ReadonlySet<Slot> = new Set<Slot>(['amount', 'id', 'password']);

/** Counts the cost of one search and refuses more than its limit. */
class SearchBudget {
  hashedBytes = 0;
  #left = maxSearchedBytes;

  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  apply(rewriting: Rewriting, variant: SignatureVariant): SignatureVariant | null {
    this.#left -= rewriting.slot === 'formula' ? 16 : variant[rewriting.slot].length;
    return rewriting.apply(variant);
  }

  hash(variant: SignatureVariant): string {
    const { hash, bytes } = hashOf(variant);
    this.hashedBytes += bytes;
    this.#left -= bytes + trialBytes;
    return hash;
  }
}

/**
 * Finds the known changes, single or in pairs, with which a failed callback would verify (§5.3). `candidates`: the
 * available passwords, most likely first; `expected`: the profile it arrived for; a match with another profile's
 * password is a separate finding. `nearMiss` is null if no change matches. The cost is limited by `maxSearchedBytes`;
 * signed fields longer than `maxSignedBytes` are not searched. The sentence never contains the password, the expected
 * hash or the hashed string. A finding is a diagnosis and never an acceptance.
 */
export const diagnoseSignature = (
  fields: CallbackFields,
  candidates: readonly Candidate[],
  options: { record?: OwnRecord | null; expected?: string } = {},
): NearMissSearch => {
  const wanted = valueOf(fields, 'hash')?.trim().toLowerCase() ?? '';
  const none = { nearMiss: null, hashedBytes: 0 };
  if (!/^[0-9a-f]{32,64}$/.test(wanted)) return { ...none, extent: 'complete' };
  const signedBytes = signedNames.reduce(
    (sum, name) => sum + Buffer.byteLength(valueOf(fields, name) ?? ''),
    0,
  );
  if (signedBytes > maxSignedBytes) return { ...none, extent: 'too-long' };
  const budget = new SearchBudget();
  const nearMiss = search(fields, candidates, options, wanted, budget);
  return {
    nearMiss,
    extent: nearMiss === null && budget.isExhausted ? 'limited' : 'complete',
    hashedBytes: budget.hashedBytes,
  };
};

const search = (
  fields: CallbackFields,
  candidates: readonly Candidate[],
  options: { record?: OwnRecord | null; expected?: string },
  wanted: string,
  budget: SearchBudget,
): NearMiss | null => {
  const all = [...rewritings, ...substitutions(fields, options.record ?? null)];
  const matches = (variant: SignatureVariant): boolean => budget.hash(variant) === wanted;
  const starts = candidates.flatMap((candidate, at) => {
    const expected = options.expected ?? candidates[0]?.profileId;
    const isOther = candidate.profileId !== expected && (at > 0 || options.expected !== undefined);
    return startOf(fields, candidate).map(variant => ({
      variant,
      profile: isOther ? (candidate.name ?? candidate.profileId) : null,
    }));
  });
  const answer = (steps: readonly Step[], profile: MessageValue | null): NearMiss => ({
    causes: [...steps.map(step => step.rewriting.cause), ...(profile === null ? [] : ['other-profile'])],
    sentence: sentenceOf(steps, profile),
  });

  for (const { variant, profile } of starts) {
    if (budget.isExhausted) return null;
    if (profile !== null && matches(variant))
      return {
        causes: ['other-profile'],
        sentence: msg('signature.fits.other-profile', { profile }),
      };
  }
  const singleRewritings: { profile: MessageValue | null; steps: Step[] }[] = [];
  for (const { variant, profile } of starts) {
    const steps: Step[] = [];
    for (const rewriting of all) {
      if (budget.isExhausted) return null;
      const after = budget.apply(rewriting, variant);
      if (after === null) continue;
      const step = { rewriting, before: variant, after };
      if (matches(after)) return answer([step], profile);
      steps.push(step);
    }
    singleRewritings.push({ profile, steps });
  }
  for (const { variant, profile } of starts) {
    const truncation = truncationOf(variant, matches, budget);
    if (truncation) return answer([truncation], profile);
  }
  for (const { profile, steps } of singleRewritings)
    for (const [at, first] of steps.entries())
      for (const [other, { rewriting }] of steps.entries()) {
        // Changes of different slots give the same string in either order.
        const isSameSlot = rewriting.slot === first.rewriting.slot && rewriting.slot !== 'formula';
        if (isSameSlot ? other === at || single.has(rewriting.slot) : other <= at) continue;
        if (budget.isExhausted) return null;
        const after = budget.apply(rewriting, first.after);
        if (after !== null && matches(after))
          return answer([first, { rewriting, before: first.after, after }], profile);
      }
  return null;
};

/** The description truncated before it was signed. */
const truncationOf = (
  variant: SignatureVariant,
  matches: (variant: SignatureVariant) => boolean,
  budget: SearchBudget,
): Step | null => {
  const letters = Array.from(variant.description);
  for (let length = Math.min(letters.length - 1, maxTruncatedChars); length > 0; length--) {
    if (budget.isExhausted) return null;
    const after = { ...variant, description: letters.slice(0, length).join('') };
    if (!matches(after)) continue;
    const clause = msg('signature.description-cut', { length });
    return {
      rewriting: {
        cause: 'description-cut',
        slot: 'description',
        faultSource: 'sender',
        clause,
        apply: () => after,
      },
      before: variant,
      after,
    };
  }
  return null;
};
