import { hasAmount, offeredKinds } from '../../shared/operations/operation-kinds.ts';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import type { Payment } from '../../shared/payments/payment.ts';
import {
  callback,
  draft,
  idempotencyKey,
  invalid,
  lookUp,
  order,
  otherPayer,
  withRefundedAmount,
} from './evidence.ts';
import {
  operationAnswered,
  operationRefused,
  operationRequested,
  operationUnanswered,
} from './operation-evidence.ts';
import { flagsOf, minute, raised, reduce } from './reduced.ts';

/**
 * Evidence as a line of words, for tables of tests. A word is recorded twenty minutes after the one before it, or ten
 * seconds if it begins with `+`:
 *
 * - `sale`, `sale:fail`, `refund:waiting`: a callback with this type and status (`success` if none is named);
 * - `=settled`: an answer to a look-up with this status;
 * - `refund!`, `void!`, `capture!`, `retry!`: our request; `>accepted`, `>refused`, `>unanswered`, `>not-sent`: its answer;
 * - `withdrawn`: our link is withdrawn; `forged`: a `sale` whose signature does not verify;
 * - `by:carried-out`, `by:not-carried-out`, `by:won`: what a person recorded about the latest movement.
 *
 * In brackets: `23.40` is the amount of a request, the `order_amount` of a callback, the amount of an answer; `part
 * 23.40` a refund callback of a profile whose callbacks name the refunded amount; `R1` the RRN, otherwise each callback
 * has its own; `status=refund` the `order_status`, `reason=Stolen` any other parameter of a callback; `2nd` is another payment id or request; `USD` the currency.
 */
export const drafts = (line: string, link: readonly EventDraft[] = raised): EventDraft[] => {
  const made: EventDraft[] = [...link];
  let at = 0;
  for (const [, soon, word = '', details = ''] of line.matchAll(/(\+?)([^\s([]+)(?:\(([^)]*)\))?/g)) {
    at += soon ? 10_000 : 20 * minute;
    made.push(...of(word, details.split(' '), at, made));
  }
  return made;
};

const second = '6a1f0d52-58a7-4a0c-9f3c-3b4a55b2f102';
const amountIn = (details: readonly string[]): string | undefined =>
  details.find(one => /^\d/.test(one) && one !== '2nd');

const of = (
  word: string,
  details: readonly string[],
  at: number,
  before: readonly EventDraft[],
): EventDraft[] => {
  const amount = amountIn(details);
  const currency = details.find(one => /^[A-Z]{3}$/.test(one));
  const isSecond = details.includes('2nd');
  const named = {
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
  };
  if (word.startsWith('=')) {
    const paymentId = isSecond ? { paymentId: otherPayer } : {};
    return [lookUp(at, word.slice(1), { ...paymentId, order: { ...order, ...named } })];
  }
  if (word.startsWith('>')) {
    const intent = isSecond ? [second] : [];
    if (word === '>accepted') return [operationAnswered(at, {}, ...intent)];
    if (word === '>failed') return [operationAnswered(at, { claim: 'failed' }, ...intent)];
    if (word === '>unanswered') return [operationUnanswered(at, ...intent)];
    return [operationRefused(at, word === '>refused', ...intent)];
  }
  if (word.endsWith('!')) {
    const operation = offeredKinds.find(kind => kind === word.slice(0, -1));
    if (operation === undefined) throw new Error(`No request is called ${word}.`);
    const isWhole = hasAmount(operation, 'none');
    return [
      operationRequested(at, {
        operation,
        ...(isWhole ? { amount: null } : named),
        ...(isSecond ? { intent: second } : {}),
      }),
    ];
  }
  if (word.startsWith('by:')) {
    const movement = reduce(...before).movements.findLast(({ kind }) => kind !== 'paid');
    const outcome = word.slice(3);
    if (outcome !== 'carried-out' && outcome !== 'not-carried-out' && outcome !== 'won')
      throw new Error(`No record is called ${word}.`);
    const kind = movement?.kind === 'void' || movement?.kind === 'chargeback' ? movement.kind : 'refund';
    return [
      draft('movement.recorded', at, {
        movement: movement?.id ?? null,
        kind,
        outcome,
        amount: amount ?? null,
        day: '2026-10-06',
        text: '',
        undoes: null,
      }),
    ];
  }
  if (word === 'withdrawn')
    return [draft('link.withdrawn', at, { idempotencyKey, reason: 'replaced', text: '' })];
  if (word === 'forged') return [callback(at, 'sale', 'success', {}, invalid)];
  const [type = '', status = 'success'] = word.split(':');
  const parameters = details
    .filter(one => one.includes('='))
    .map(one => [
      one.slice(0, one.indexOf('=')).replace(/^status$/, 'order_status'),
      one.slice(one.indexOf('=') + 1),
    ]);
  const reference = details.find(one => /^R\d$/.test(one)) ?? String(at);
  const reported = callback(at, type, status, {
    ...(amount === undefined ? {} : { order_amount: amount }),
    ...(currency === undefined ? {} : { order_currency: currency }),
    ...(isSecond ? { id: otherPayer } : {}),
    ...(type === 'sale' ? {} : { rrn: reference, date: reference }),
    ...Object.fromEntries(parameters),
  });
  return [details.includes('part') ? withRefundedAmount(reported) : reported];
};

const sign = (kind: string): string => (kind === 'paid' ? '+' : '-');

/** The entries of the books in a line: `+123.40 -10.00`; a counter-entry has `~`, an unknown amount is `?`. */
export const booksOf = ({ entries }: Payment): string =>
  entries
    .map(({ kind, amount, isCounter }) => `${isCounter ? '~' : ''}${sign(kind)}${amount ?? '?'}`)
    .join(' ');

/** What became of the money in a line: `paid proven, refund 10.00 failed`. */
export const fatesOf = ({ movements }: Payment): string =>
  movements
    .map(({ kind, amount, fate }) => `${kind}${kind === 'paid' ? '' : ` ${amount ?? '?'}`} ${fate}`)
    .join(', ');

/** State, books, fates, operations and flags of a payment in a line. */
export const summaryOf = (payment: Payment): string =>
  [
    payment.state,
    booksOf(payment),
    fatesOf(payment),
    payment.operations.map(({ kind, state }) => `${kind} ${state}`).join(', '),
    flagsOf(payment).join(' '),
  ]
    .join(' | ')
    .replace(/[\s|]+$/, '');

/** The summary of the evidence in a line. */
export const summary = (line: string, link?: readonly EventDraft[]): string =>
  summaryOf(reduce(...drafts(line, link)));
