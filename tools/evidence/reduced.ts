import type { Event, EventDraft } from '../../shared/payments/evidence.ts';
import type { FlagKind, Payment } from '../../shared/payments/payment.ts';
import { reducePayment } from '../../shared/payment-reducer/reduce.ts';
import { accepted, asEvent, requested } from './evidence.ts';

/** Payments from evidence, and what tests read from them. */

export const minute = 60_000;

/** A link of the usual order that was created here. */
export const raised: readonly EventDraft[] = [requested(), accepted()];

/** The events of drafts, recorded in the order in which they happened. */
export const inTime = (drafts: readonly EventDraft[]): Event[] =>
  drafts.toSorted((one, other) => one.happenedAt - other.happenedAt).map(asEvent);

export const reduce = (...drafts: readonly EventDraft[]): Payment => reducePayment(inTime(drafts));

export const flagsOf = (payment: Payment): FlagKind[] => payment.flags.map(({ kind }) => kind);

/** The values of the first flag of a kind. */
export const flag = (payment: Payment, kind: FlagKind): Record<string, string> | undefined =>
  payment.flags.find(one => one.kind === kind)?.values;
