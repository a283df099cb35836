/** The available columns of a list of payments; the selection and order are a setting. */
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

/** The default columns of a list. `isWide`: the window has 1600 px or more. */
export const firstColumns = (isWide: boolean): readonly ListColumn[] => (isWide ? wide : narrow);
