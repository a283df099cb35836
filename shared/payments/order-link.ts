/** The links of one order, without schemas: the window imports it cheaply. */

/** Why a link was withdrawn, in the order in which the reasons are offered. */
export const withdrawalReasons = [
  'wrong-amount',
  'wrong-customer',
  'replaced',
  'cancelled-order',
  'other',
] as const;
export type WithdrawalReason = (typeof withdrawalReasons)[number];

/** Limit of the text of a withdrawal, characters. */
export const maxWithdrawalText = 200;

/** The parts of a link of the chain that tell whether it can be paid. */
type Dated = { expiresAt: number; withdrawn: object | null; used: boolean };

/** Whether the gateway still takes a payment on it; a withdrawn one too (§3.3). `now` in milliseconds. */
export const isPayable = ({ expiresAt, used }: Pick<Dated, 'expiresAt' | 'used'>, now: number): boolean =>
  !used && now < expiresAt;

/** The links that can be paid and were not withdrawn. */
export const openLinksOf = <L extends Dated>(links: readonly L[], now: number): L[] =>
  links.filter(link => link.withdrawn === null && isPayable(link, now));
