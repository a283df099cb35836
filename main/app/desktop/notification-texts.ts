import type { Language } from '../../../shared/settings/language.ts';
import type { NeedsReview } from '../../../shared/reports/reconcile.ts';

/** Texts outside the window, shown by the operating system. */
export type OutsideTexts = {
  paid: string;
  /** A verified callback reports it; the look-up is pending. */
  paidConfirming: string;
  needsAttention: string;
  sandbox: string;
  test: string;
  /** Only the number of payments. */
  updated: (count: number) => string;
  several: (paid: number, attention: number) => string;
  /** The number of payments that need review. */
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
