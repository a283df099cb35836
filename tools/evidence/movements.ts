import type { Entry, Movement } from '../../shared/payments/movement.ts';

/** Movements and entries without evidence. */

/** An entry of the books, of one payment id. */
export const entry = (kind: Entry['kind'], amount: string | null, more: Partial<Entry> = {}): Entry => ({
  kind,
  at: 0,
  amount,
  currency: null,
  isCounter: false,
  paymentId: 'p',
  rrn: null,
  approvalCode: null,
  statedDate: null,
  ...more,
});

/** A movement of one payment id that is in the books. */
export const movement = (
  kind: Movement['kind'],
  amount: string | null,
  more: Partial<Movement> = {},
): Movement => ({
  id: `${kind}-1`,
  kind,
  amount,
  currency: 'EUR',
  at: 0,
  fate: 'proven',
  since: 0,
  origin: 'elsewhere',
  paymentId: 'p',
  intent: null,
  recordedBy: null,
  reason: null,
  rrn: null,
  approvalCode: null,
  statedDate: null,
  events: [],
  ...more,
});
