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

/**
 * Whether a link was paid, after which it is invalid (§3.3). `perhaps`: a payment came by it or by another link of the
 * order; no report names its link.
 */
export const linkUses = ['no', 'perhaps', 'yes'] as const;

/** The parts of a link of the chain that tell whether it can be paid. */
type Dated = { expiresAt: number; withdrawn: object | null; used: (typeof linkUses)[number] };

/** Whether the gateway may still take a payment on it; a withdrawn one too (§3.3). `now` in milliseconds. */
export const isPayable = ({ expiresAt, used }: Pick<Dated, 'expiresAt' | 'used'>, now: number): boolean =>
  used !== 'yes' && now < expiresAt;

/** The links that may be paid and were not withdrawn. */
export const openLinksOf = <L extends Dated>(links: readonly L[], now: number): L[] =>
  links.filter(link => link.withdrawn === null && isPayable(link, now));
