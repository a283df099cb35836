/** The columns a list of payments can show; which, and in which order, is a setting. */
export const listColumns = [
  'state',
  'amount',
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

const narrow: readonly ListColumn[] = [
  'state',
  'amount',
  'order',
  'description',
  'customer',
  'agent',
  'when',
];
const wide: readonly ListColumn[] = [
  'state',
  'amount',
  'order',
  'description',
  'customer',
  'card',
  'agent',
  'when',
  'changed',
];

/** The columns of a list until somebody chooses others. `isWide`: the window has 1600 px or more. */
export const firstColumns = (isWide: boolean): readonly ListColumn[] => (isWide ? wide : narrow);
