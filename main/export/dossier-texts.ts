import type { EventKind } from '../../shared/payments/evidence.ts';
import type { FlagKind, PaymentState } from '../../shared/payments/payment.ts';

/** The words of a dossier; dates and times are the locale's. */
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
  title: 'Dossier of a payment',
  made: (when, by) => `Made on ${when} by ${by}.`,
  merchant: 'Merchant',
  state: 'State',
  since: 'since',
  amount: 'Amount',
  description: 'Description',
  customer: 'Customer',
  paymentIds: 'Payment ids',
  raisedBy: 'Raised by',
  flags: 'What does not fit',
  attempts: 'Attempts',
  events: 'What happened, in order',
  verified: 'The signature verifies. It covers the fields marked ✓ and no other.',
  notVerified: 'The signature does not verify, or there was none: nothing is called paid because of it.',
  notSigned: 'not covered by the signature',
  maskedAfter:
    'The signature was checked on the text as it arrived. Counterfoil then masked the card number in a signed field, so the signature cannot be checked again on what is shown.',
  noLink: 'The payment link is left out: whoever holds it could use it.',
  proof: 'Proof',
  proven: (count, key) =>
    `${count} event(s) are tied to a head of the log's hash chain, signed with the Ed25519 key ${key}.`,
  unproven: count =>
    `${count} event(s) are not tied to a signed head: there was no key to sign with, or the way is too long.`,
  how: 'The JSON file beside this page holds what is needed to check every hash, link and signature; docs/integrate/dossier.md of Counterfoil shows the procedure in forty lines. It proves that the record was not changed since it was signed, not that what was recorded is true.',
  states: {
    draft: 'Being sent',
    refused: 'No link',
    'outcome-unknown': 'Result unknown',
    waiting: 'Link ready',
    expired: 'Link expired',
    started: 'Payment started',
    'bank-check': 'Waiting for bank approval',
    processing: 'Processing',
    'paid-unconfirmed': 'Paid by callback, not confirmed by a look-up',
    'paid-confirmed': 'Paid, confirmed by a look-up',
    declined: 'Not paid',
    'refund-seen': 'Refund seen, amount not known',
    'part-refunded': 'Partly refunded',
    refunded: 'Refunded',
    voided: 'Cancelled',
    reversed: 'Reversed',
    chargeback: 'Disputed',
    'needs-attention': 'Needs attention',
  },
  kinds: {
    'session.requested': 'Link asked for',
    'session.accepted': 'Link issued',
    'session.refused': 'Refused',
    'session.unanswered': 'No answer',
    'callback.received': 'Callback received',
    'callback.reverified': 'Callback judged again',
    'status.observed': 'Looked up',
    'note.added': 'Note',
    handover: 'Link passed on',
    amended: 'Customer details erased',
  },
  flagNames: {
    'changed-between-deliveries': 'Changed between deliveries',
    'sources-disagree': 'The sources disagree',
    'source-took-back': 'The gateway took its word back',
    'amount-differs': 'Amount differs',
    'currency-differs': 'Currency differs',
    'description-differs': 'Description differs',
    'settled-twice': 'Paid twice',
    'order-status-disagrees': 'Order status disagrees',
    'contradicts-interface': 'Against the interface',
    'unverified-evidence': 'Unverified callback',
    'outside-interface': 'Outside the interface',
    'duplicate-delivery': 'Delivered more than once',
    'not-raised-here': 'Not raised here',
    'raised-twice': 'More than one link',
  },
};

const de: DossierTexts = {
  title: 'Dossier einer Zahlung',
  made: (when, by) => `Erstellt am ${when} von ${by}.`,
  merchant: 'Händler',
  state: 'Stand',
  since: 'seit',
  amount: 'Betrag',
  description: 'Beschreibung',
  customer: 'Kunde',
  paymentIds: 'Zahlungskennungen',
  raisedBy: 'Ausgestellt von',
  flags: 'Was nicht zusammenpasst',
  attempts: 'Versuche',
  events: 'Was geschah, der Reihe nach',
  verified: 'Die Signatur stimmt. Sie deckt die mit ✓ bezeichneten Felder und keine anderen.',
  notVerified: 'Die Signatur stimmt nicht, oder es gab keine: Ihretwegen gilt nichts als bezahlt.',
  notSigned: 'von der Signatur nicht gedeckt',
  maskedAfter:
    'Die Signatur wurde am Text geprüft, wie er ankam. Danach hat Counterfoil die Kartennummer in einem signierten Feld maskiert. Am gezeigten Text lässt sich die Signatur deshalb nicht noch einmal prüfen.',
  noLink: 'Der Zahlungslink fehlt mit Absicht: Wer ihn hat, kann ihn benutzen.',
  proof: 'Nachweis',
  proven: (count, key) =>
    `${count} Ereignis(se) hängen an einem Kopf der Hashkette des Journals, signiert mit dem Ed25519-Schlüssel ${key}.`,
  unproven: count =>
    `${count} Ereignis(se) hängen an keinem signierten Kopf: Es gab keinen Schlüssel, oder der Weg ist zu lang.`,
  how: 'Die JSON-Datei neben dieser Seite enthält alles, um jeden Hash, jedes Glied und jede Signatur zu prüfen; docs/integrate/dossier.md von Counterfoil zeigt das Verfahren in vierzig Zeilen. Es beweist, dass der Beleg seit der Signatur nicht geändert wurde, nicht, dass das Aufgezeichnete wahr ist.',
  states: {
    draft: 'Wird gesendet',
    refused: 'Kein Link',
    'outcome-unknown': 'Ergebnis unbekannt',
    waiting: 'Link bereit',
    expired: 'Link abgelaufen',
    started: 'Zahlung begonnen',
    'bank-check': 'Wartet auf Freigabe der Bank',
    processing: 'In Bearbeitung',
    'paid-unconfirmed': 'Laut Callback bezahlt, nicht durch Abfrage bestätigt',
    'paid-confirmed': 'Bezahlt, durch Abfrage bestätigt',
    declined: 'Nicht bezahlt',
    'refund-seen': 'Erstattung gesehen, Betrag nicht bekannt',
    'part-refunded': 'Teilweise erstattet',
    refunded: 'Erstattet',
    voided: 'Abgebrochen',
    reversed: 'Storniert',
    chargeback: 'Angefochten',
    'needs-attention': 'Klärungsbedarf',
  },
  kinds: {
    'session.requested': 'Link angefordert',
    'session.accepted': 'Link ausgestellt',
    'session.refused': 'Abgelehnt',
    'session.unanswered': 'Keine Antwort',
    'callback.received': 'Callback erhalten',
    'callback.reverified': 'Callback neu geprüft',
    'status.observed': 'Abgefragt',
    'note.added': 'Notiz',
    handover: 'Link weitergegeben',
    amended: 'Kundendaten gelöscht',
  },
  flagNames: {
    'changed-between-deliveries': 'Zwischen Zustellungen geändert',
    'sources-disagree': 'Die Quellen widersprechen sich',
    'source-took-back': 'Das Gateway hat seine Aussage zurückgenommen',
    'amount-differs': 'Betrag weicht ab',
    'currency-differs': 'Währung weicht ab',
    'description-differs': 'Beschreibung weicht ab',
    'settled-twice': 'Zweimal bezahlt',
    'order-status-disagrees': 'Bestellstatus widerspricht',
    'contradicts-interface': 'Gegen die Schnittstelle',
    'unverified-evidence': 'Ungeprüfter Callback',
    'outside-interface': 'Außerhalb der Schnittstelle',
    'duplicate-delivery': 'Mehrfach zugestellt',
    'not-raised-here': 'Nicht hier angelegt',
    'raised-twice': 'Mehr als ein Link',
  },
};

/** The words for a locale (BCP 47): German where it is asked for, English otherwise. */
export const dossierTexts = (locale: string): DossierTexts =>
  locale.toLowerCase().startsWith('de') ? de : en;
