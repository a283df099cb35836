/** The available columns of a list of payments; the selection and order are a setting. */
export const listColumns = [
  'state',
  'amount',
  'refunded',
  'net',
  'order',
  'description',
  'customer',
  'agent',
  'when',
  'changed',
  'payment-id',
  'card',
  'profile',
  'flags',
] as const;
export type ListColumn = (typeof listColumns)[number];
