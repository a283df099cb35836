import type { EventKind } from '../../shared/payments/evidence.ts';
import type { FlagKind, PaymentState } from '../../shared/payments/payment.ts';

/** The texts of a dossier; dates and times follow the locale. */
export type DossierTexts = {
  title: string;
  made: (when: string, by: string) => string;
  merchant: string;
  state: string;
  since: string;
  amount: string;
  description: string;
  customer: string;
  paymentIds: string;
  raisedBy: string;
  flags: string;
  attempts: string;
  events: string;
  verified: string;
  notVerified: string;
  notSigned: string;
  maskedAfter: string;
  noLink: string;
  proof: string;
  proven: (count: number, key: string) => string;
  unproven: (count: number) => string;
  how: string;
  states: Record<PaymentState, string>;
  kinds: Record<EventKind, string>;
  flagNames: Record<FlagKind, string>;
};

const en: DossierTexts = {
  title: 'Payment evidence',
  made: (when, by) => `Created on ${when} by ${by}.`,
  merchant: 'Merchant',
  state: 'Status',
  since: 'since',
  amount: 'Amount',
  description: 'Description',
  customer: 'Customer',
  paymentIds: 'Payment IDs',
  raisedBy: 'Created by',
  flags: 'Issues',
  attempts: 'Attempts',
  events: 'History',
  verified: 'Signature valid. It covers only the fields marked ✓.',
  notVerified: 'Signature invalid or missing. This callback does not make the payment paid.',
  notSigned: 'not signed',
  maskedAfter:
    'The signature was checked on the original text. Counterfoil then masked the card number in a signed field, so the signature cannot be checked again on the text shown here.',
  noLink: 'The payment link is not included, because anyone with the link can use it.',
  proof: 'Proof',
  proven: (count, key) => `${count} event(s) are covered by a signature with the Ed25519 key ${key}.`,
  unproven: count => `${count} event(s) are not covered by a signature.`,
  how: 'The JSON file next to this page contains everything needed to check all hashes and signatures. The steps are in docs/integrate/dossier.md of Counterfoil. The check proves that the record was not changed after it was signed. It does not prove that the recorded content is true.',
  states: {
    draft: 'Creating link',
    refused: 'Link not created',
    'outcome-unknown': 'Result unknown',
    waiting: 'Link ready',
    expired: 'Expired',
    started: 'Link opened',
    'bank-check': 'Waiting for bank approval',
    processing: 'Processing',
    'paid-unconfirmed': 'Paid according to a callback, not confirmed by a status check',
    'paid-confirmed': 'Paid, confirmed by a status check',
    declined: 'Declined',
    'refund-seen': 'Refund seen, amount unknown',
    'part-refunded': 'Partly refunded',
    refunded: 'Refunded',
    voided: 'Cancelled',
    reversed: 'Reversed',
    chargeback: 'Disputed',
    'needs-attention': 'Needs attention',
  },
  kinds: {
    'session.requested': 'Link requested',
    'session.accepted': 'Link created',
    'session.refused': 'Request rejected',
    'session.unanswered': 'No response',
    'callback.received': 'Callback received',
    'callback.reverified': 'Callback verified again',
    'status.observed': 'Status check',
    'note.added': 'Note',
    'link.shared': 'Link shared',
    amended: 'Customer details erased',
  },
  flagNames: {
    'changed-between-deliveries': 'Callback changed between deliveries',
    'sources-disagree': 'Sources give different results',
    'source-took-back': 'Provider changed its result',
    'amount-differs': 'Amount differs',
    'currency-differs': 'Currency differs',
    'description-differs': 'Description differs',
    'settled-twice': 'Paid twice',
    'order-status-disagrees': 'Order status differs',
    'contradicts-interface': 'Unexpected combination',
    'unverified-evidence': 'Unverified callback',
    'outside-interface': 'Unknown value',
    'duplicate-delivery': 'Delivered more than once',
    'not-raised-here': 'Created outside Counterfoil',
    'raised-twice': 'More than one link',
  },
};

const de: DossierTexts = {
  title: 'Zahlungsnachweis',
  made: (when, by) => `Erstellt am ${when} von ${by}.`,
  merchant: 'Händler',
  state: 'Status',
  since: 'seit',
  amount: 'Betrag',
  description: 'Beschreibung',
  customer: 'Kunde',
  paymentIds: 'Zahlungs-IDs',
  raisedBy: 'Erstellt von',
  flags: 'Auffälligkeiten',
  attempts: 'Versuche',
  events: 'Verlauf',
  verified: 'Signatur gültig. Sie schützt nur die mit ✓ markierten Felder.',
  notVerified: 'Signatur ungültig oder nicht vorhanden. Dieser Callback gilt nicht als Zahlungsnachweis.',
  notSigned: 'nicht signiert',
  maskedAfter:
    'Die Signatur wurde am Originaltext geprüft. Danach hat Counterfoil die Kartennummer in einem signierten Feld maskiert. Am hier angezeigten Text lässt sich die Signatur deshalb nicht erneut prüfen.',
  noLink: 'Der Zahlungslink ist nicht enthalten, da ihn jede Person verwenden könnte.',
  proof: 'Nachweis',
  proven: (count, key) =>
    `${count} Ereignis(se) sind durch eine Signatur mit dem Ed25519-Schlüssel ${key} geschützt.`,
  unproven: count => `${count} Ereignis(se) sind nicht durch eine Signatur geschützt.`,
  how: 'Die JSON-Datei neben dieser Seite enthält alles, was zum Prüfen der Hashes und Signaturen nötig ist. Die Schritte stehen in docs/integrate/dossier.md von Counterfoil. Die Prüfung beweist, dass die Daten nach dem Signieren nicht geändert wurden. Sie beweist nicht, dass der Inhalt richtig ist.',
  states: {
    draft: 'Link wird erstellt',
    refused: 'Link nicht erstellt',
    'outcome-unknown': 'Ergebnis unbekannt',
    waiting: 'Link bereit',
    expired: 'Abgelaufen',
    started: 'Link geöffnet',
    'bank-check': 'Wartet auf Freigabe der Bank',
    processing: 'In Bearbeitung',
    'paid-unconfirmed': 'Laut Callback bezahlt, nicht durch Statusabfrage bestätigt',
    'paid-confirmed': 'Bezahlt, durch Statusabfrage bestätigt',
    declined: 'Abgelehnt',
    'refund-seen': 'Erstattung gemeldet, Betrag unbekannt',
    'part-refunded': 'Teilweise erstattet',
    refunded: 'Erstattet',
    voided: 'Storniert',
    reversed: 'Rückgängig gemacht',
    chargeback: 'Rückbelastung',
    'needs-attention': 'Klärungsbedarf',
  },
  kinds: {
    'session.requested': 'Link angefordert',
    'session.accepted': 'Link erstellt',
    'session.refused': 'Anfrage abgelehnt',
    'session.unanswered': 'Keine Antwort',
    'callback.received': 'Callback erhalten',
    'callback.reverified': 'Callback erneut geprüft',
    'status.observed': 'Statusabfrage',
    'note.added': 'Notiz',
    'link.shared': 'Link geteilt',
    amended: 'Kundendaten gelöscht',
  },
  flagNames: {
    'changed-between-deliveries': 'Callback zwischen Zustellungen geändert',
    'sources-disagree': 'Quellen widersprechen sich',
    'source-took-back': 'Anbieter hat sein Ergebnis geändert',
    'amount-differs': 'Betrag weicht ab',
    'currency-differs': 'Währung weicht ab',
    'description-differs': 'Beschreibung weicht ab',
    'settled-twice': 'Zweimal bezahlt',
    'order-status-disagrees': 'Bestellstatus weicht ab',
    'contradicts-interface': 'Unerwartete Kombination',
    'unverified-evidence': 'Nicht verifizierter Callback',
    'outside-interface': 'Unbekannter Wert',
    'duplicate-delivery': 'Mehrfach zugestellt',
    'not-raised-here': 'Außerhalb von Counterfoil erstellt',
    'raised-twice': 'Mehr als ein Link',
  },
};

/** The texts for a locale (BCP 47): German on request, otherwise English. */
export const dossierTexts = (locale: string): DossierTexts =>
  locale.toLowerCase().startsWith('de') ? de : en;
