import { createHash } from 'node:crypto';
import type { CallbackFields } from '../../shared/payments/evidence.ts';

/** Signatures of callbacks (§5.3), independent of the product's code. */

/** The signed fields, in signing order. */
export const signedOrder = [
  'id',
  'order_number',
  'order_amount',
  'order_currency',
  'order_description',
] as const;

export const hashed = (text: string): string =>
  createHash('sha1').update(createHash('md5').update(text.toUpperCase()).digest('hex')).digest('hex');

/** The signed part of `fields`, before the password. */
export const signedText = (fields: CallbackFields): string =>
  signedOrder.map(name => fields.find(([own]) => own === name)?.[1] ?? '').join('');

/** The callback with its hash, in place of one that it has. */
export const signed = (fields: CallbackFields, password: string): CallbackFields => [
  ...fields.filter(([name]) => name !== 'hash'),
  ['hash', hashed(signedText(fields) + password)],
];

/** The body of a callback about an order, which was paid; `changed`: what has another value than the one signed. */
export const signedBody = (
  orderNumber: string,
  password: string,
  changed: Readonly<Record<string, string>> = {},
): string => {
  const fields = signed(
    Object.entries({
      id: `6f1d2c3b-0000-4000-8000-${createHash('md5').update(orderNumber).digest('hex').slice(0, 12)}`,
      order_number: orderNumber,
      order_amount: '10.00',
      order_currency: 'EUR',
      order_description: 'Two nights, room 12',
      type: 'sale',
      status: 'success',
    }),
    password,
  );
  return new URLSearchParams({ ...Object.fromEntries(fields), ...changed }).toString();
};
