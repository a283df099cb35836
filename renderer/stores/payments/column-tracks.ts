import type { ListColumn } from '../../../shared/payments/list-columns.ts';

/** The width of a column: its minimum in rem, and its share of the remaining width. */
const tracks: Readonly<Record<ListColumn, readonly [rem: number, share: number]>> = {
  state: [11.5, 3],
  amount: [7, 0.7],
  refunded: [7, 0.7],
  net: [7, 0.7],
  order: [9, 1],
  description: [8, 1.6],
  customer: [7, 1.2],
  agent: [5.5, 0.6],
  when: [7.75, 0.6],
  changed: [7.75, 0.6],
  'payment-id': [9, 1],
  card: [4, 0.3],
  profile: [6, 0.7],
  flags: [9, 1],
};

/** The columns of a list by default, in their order. */
const standard: readonly ListColumn[] = [
  'state',
  'amount',
  'customer',
  'description',
  'when',
  'agent',
  'changed',
  'card',
  'order',
];
/** The same, the most important first. */
const byImportance: readonly ListColumn[] = [
  'state',
  'amount',
  'customer',
  'description',
  'when',
  'order',
  'agent',
  'changed',
  'card',
];
/** The columns that every list has by default, however narrow it is. */
const minCount = 3;

/** The least width of a list with these columns, rem. */
const leastWidth = (columns: readonly ListColumn[]): number =>
  // The first column, the gaps of 0.75 rem between all, and the padding of a row.
  1.5 + columns.reduce((sum, column) => sum + tracks[column][0] + 0.75, 0) + 1.75;

/** The default columns of a list: as many as have room. `room`: the width of the list, rem. */
export const columnsWithin = (room: number): readonly ListColumn[] => {
  const fitting = byImportance.findLastIndex((_, at) => leastWidth(byImportance.slice(0, at + 1)) <= room);
  const shown = byImportance.slice(0, Math.max(minCount, fitting + 1));
  return standard.filter(column => shown.includes(column));
};

/** The styles of a list with these columns, as custom properties for its rows. */
export const trackStyles = (columns: readonly ListColumn[]): Record<string, string> => ({
  '--columns': columns.map(column => `minmax(${tracks[column][0]}rem, ${tracks[column][1]}fr)`).join(' '),
  '--columns-least': `${leastWidth(columns)}rem`,
});
