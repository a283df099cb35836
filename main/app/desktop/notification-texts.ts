import type { Language } from '../../../shared/settings/language.ts';
import type { NeedsReview } from '../../../shared/reports/reconcile.ts';

/** The words outside the window, where the operating system shows them. */
export type OutsideTexts = {
  paid: string;
  /** A verified callback says so; the gateway is being asked. */
  paidConfirming: string;
  needsAttention: string;
  sandbox: string;
  test: string;
  /** How many payments, and nothing about them. */
  updated: (count: number) => string;
  several: (paid: number, attention: number) => string;
  /** How many payments need review. */
  tooltip: (needsReview: NeedsReview) => string;
  open: string;
  newPayment: string;
  quit: string;
};

const en: OutsideTexts = {
  paid: 'Paid',
  paidConfirming: 'Confirming payment',
  needsAttention: 'Needs attention',
  sandbox: 'Sandbox, no real money:',
  test: 'Test, no real money:',
  updated: count => (count === 1 ? 'A payment was updated' : `${count} payments were updated`),
  several: (paid, attention) =>
    [
      ...(paid > 0 ? [`${paid} paid`] : []),
      ...(attention > 0 ? [`${attention} ${attention === 1 ? 'needs' : 'need'} attention`] : []),
    ].join(', '),
  tooltip: ({ count, more }) =>
    count === 0
      ? 'Counterfoil'
      : `Counterfoil: ${more ? 'at least ' : ''}${count} ${count === 1 ? 'payment' : 'payments'} to review`,
  open: 'Open Counterfoil',
  newPayment: 'New payment',
  quit: 'Quit',
};

const de: OutsideTexts = {
  paid: 'Bezahlt',
  paidConfirming: 'Zahlung wird bestätigt',
  needsAttention: 'Klärungsbedarf',
  sandbox: 'Sandbox, kein echtes Geld:',
  test: 'Test, kein echtes Geld:',
  updated: count =>
    count === 1 ? 'Eine Zahlung wurde aktualisiert' : `${count} Zahlungen wurden aktualisiert`,
  several: (paid, attention) =>
    [...(paid > 0 ? [`${paid} bezahlt`] : []), ...(attention > 0 ? [`${attention} zu klären`] : [])].join(
      ', ',
    ),
  tooltip: ({ count, more }) =>
    count === 0
      ? 'Counterfoil'
      : `Counterfoil: ${more ? 'mindestens ' : ''}${count === 1 ? '1 Zahlung' : `${count} Zahlungen`} zu prüfen`,
  open: 'Counterfoil öffnen',
  newPayment: 'Neue Zahlung',
  quit: 'Beenden',
};

export const outsideTexts: Readonly<Record<Language, OutsideTexts>> = { en, de };
