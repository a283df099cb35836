import { claimOf, type CallbackClaim } from '../../../shared/callbacks/callback-meaning.ts';
import type { MessageKey } from '../../../shared/messages/message.ts';
import { paymentStatuses } from '../../../shared/payments/payment-statuses.ts';

/** The result that a callback reports, in the words of the states. An uncertain one is shown as received. */
const claims: Readonly<Record<Exclude<CallbackClaim, 'uncertain'>, MessageKey>> = {
  paid: 'reported.paid',
  'not-paid': 'reported.declined',
  processing: 'reported.processing',
  'link-issued': 'reported.link-issued',
  'bank-check': 'reported.bank-check',
  'refund-seen': 'reported.refund-seen',
  'refund-failed': 'reported.refund-failed',
  'refund-waiting': 'reported.refund-processing',
  voided: 'reported.voided',
  'void-failed': 'reported.void-failed',
  'void-waiting': 'reported.void-processing',
  'scheduled-ran': 'reported.scheduled',
  chargeback: 'reported.disputed',
  reversed: 'reported.reversed',
};

/** Null: a type or status that the interface does not describe (§3.2). */
export const callbackOutcome = (type: string, status: string): MessageKey | null => {
  const claim = claimOf(type, status);
  return claim === 'uncertain' ? null : claims[claim];
};

const statuses: Readonly<Record<(typeof paymentStatuses)[number], MessageKey>> = {
  prepare: 'reported.page-ready',
  redirect: 'reported.started',
  '3ds': 'reported.bank-check',
  pending: 'reported.processing',
  settled: 'reported.paid',
  decline: 'reported.declined',
  refund: 'reported.refunded',
  reversal: 'reported.reversed',
  chargeback: 'reported.disputed',
};

/** Null: a status that the interface does not list (§3.1). */
export const statusOutcome = (status: string): MessageKey | null => {
  const known = paymentStatuses.find(one => one === status);
  return known === undefined ? null : statuses[known];
};
