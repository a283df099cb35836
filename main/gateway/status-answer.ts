import type { StatusAnswer } from '../../shared/payments/evidence.ts';
import { maskCardNumberIn } from '../../shared/callbacks/card-fields.ts';
import { maskCardNumbers } from '../../shared/card-number.ts';
import { decode } from './redact-answer.ts';
import { isObject } from './refusal.ts';

/** Reads the status response (§2.5) without loss: unlisted fields are kept as received. */

/** Length limits of a customer's name and e-mail; longer texts are kept among the extra fields. */
const maxLength = { name: 255, email: 320 };

/**
 * Parses JSON with numbers as their original text: `100.00` stays `100.00`, and no amount passes through a float.
 * Undefined if it is not JSON.
 */
export const parseExactly = (body: Buffer): unknown => {
  const preserveNumbers = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  try {
    return JSON.parse(decode(body), preserveNumbers);
  } catch {
    return undefined;
  }
};

/** A value as text: strings unchanged, the rest as JSON; null if absent. */
const textOf = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

type Json = Record<string, unknown>;

/** A field as text, with card numbers masked except in identifiers. */
const textIn = (from: Json, name: string): string | null => {
  const text = textOf(from[name]);
  return text === null ? null : maskCardNumberIn(name, text);
};

/** Moves every field not in `listed` to `extra` under `prefix`. */
const collectExtra = (
  from: Json,
  listed: readonly string[],
  prefix: string,
  extra: Map<string, string>,
): void => {
  for (const [name, value] of Object.entries(from)) {
    if (listed.includes(name)) continue;
    extra.set(prefix + maskCardNumbers(name), maskCardNumberIn(name, textOf(value) ?? 'null'));
  }
};

const customerOf = (value: Json, extra: Map<string, string>): StatusAnswer['customer'] => {
  const customer: { name?: string; email?: string } = {};
  for (const field of ['name', 'email'] as const) {
    const text = textIn(value, field);
    if (text === null) continue;
    if (text.length <= maxLength[field]) customer[field] = text;
    else extra.set(`customer.${field}`, text);
  }
  collectExtra(value, ['name', 'email'], 'customer.', extra);
  return Object.keys(customer).length > 0 ? customer : null;
};

/** One answer, or one attempt of several; null if it contains no status (§2.5). */
const answerOf = (value: unknown): StatusAnswer | null => {
  if (!isObject(value)) return null;
  const { status, order, customer } = value;
  if (typeof status !== 'string' || status === '') return null;
  const extra = new Map<string, string>();
  const listed = ['payment_id', 'date', 'status', 'reason'];
  if (isObject(order) || order === null) listed.push('order');
  if (isObject(customer) || customer === null) listed.push('customer');
  collectExtra(value, listed, '', extra);
  const terms = isObject(order) ? order : {};
  collectExtra(terms, ['number', 'amount', 'currency', 'description'], 'order.', extra);
  return {
    paymentId: textOf(value['payment_id']),
    date: textIn(value, 'date'),
    status: maskCardNumbers(status),
    reason: textIn(value, 'reason'),
    order: {
      number: textOf(terms['number']),
      amount: textOf(terms['amount']),
      currency: textIn(terms, 'currency'),
      description: textIn(terms, 'description'),
    },
    customer: isObject(customer) ? customerOf(customer, extra) : null,
    extra: Object.fromEntries(extra),
  };
};

const hasContent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : typeof value === 'string' && value.trim() !== '';

/** Whether an answer reports an error: `errors`, or a text in `error_message` or `error`. */
export const hasErrors = (value: unknown): boolean =>
  isObject(value) && [value['errors'], value['error_message'], value['error']].some(hasContent);

/** Whether an answer reports an error and a status at once, which only a declined payment may. */
export const contradictsItself = (value: unknown): boolean =>
  (Array.isArray(value) ? value : [value]).some(
    item => hasErrors(item) && isObject(item) && !/^declined?$/i.test(String(item['status'])),
  );

/** Limit of stored attempts of one answer. */
const maxAttempts = 200;

/**
 * The answers in a response's JSON (from `parseExactly`): one, or one per attempt if it is an array (assumption).
 * Null if it has another shape.
 */
export const readStatusAnswers = (value: unknown): StatusAnswer[] | null => {
  const items = Array.isArray(value) ? value.slice(0, maxAttempts) : [value];
  const answers = items.map(answerOf);
  return answers.length > 0 && answers.every(answer => answer !== null) ? answers : null;
};
