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
