import type { Language } from '../messages/message.ts';
import { flagKinds, paymentStates, type FlagKind, type PaymentState } from '../payments/payment-kinds.ts';
import { folded } from './fold-text.ts';

/** Names of states and flags in the search box after `state:` and `flag:`. English names are the payment log's own. */

const germanStates: Readonly<Record<PaymentState, string>> = {
  draft: 'im-versand',
  refused: 'kein-link',
  'outcome-unknown': 'ausgang-unbekannt',
  waiting: 'wartet',
  expired: 'abgelaufen',
  started: 'begonnen',
  'bank-check': 'bankprüfung',
  processing: 'in-bearbeitung',
  'paid-unconfirmed': 'bezahlt-unbestätigt',
  'paid-confirmed': 'bezahlt-bestätigt',
  declined: 'abgelehnt',
  'refund-seen': 'erstattung-gesehen',
  'part-refunded': 'teilerstattet',
  refunded: 'erstattet',
  voided: 'storniert',
  reversed: 'rückgängig',
  chargeback: 'rückbelastung',
  'needs-attention': 'zu-klären',
};

const germanFlags: Readonly<Record<FlagKind, string>> = {
  'changed-between-deliveries': 'geändert',
  'sources-disagree': 'widerspruch',
  'source-took-back': 'zurückgenommen',
  'amount-differs': 'betrag-weicht-ab',
  'currency-differs': 'währung-weicht-ab',
  'description-differs': 'beschreibung-weicht-ab',
  'settled-twice': 'zweimal-bezahlt',
  'operation-unknown': 'vorgang-offen',
  'refunds-differ': 'erstattung-abweichend',
  'returned-twice': 'zweimal-zurück',
  'money-in-progress': 'geld-unterwegs',
  'paid-after-withdrawal': 'zurückgezogen-bezahlt',
  'returned-without-callback': 'erstattet-ohne-callback',
  'order-status-disagrees': 'bestellstatus-widerspricht',
  'contradicts-interface': 'gegen-schnittstelle',
  'unverified-evidence': 'ungeprüft',
  'outside-interface': 'außerhalb-schnittstelle',
  'duplicate-delivery': 'mehrfach-zugestellt',
  'token-missing': 'token-fehlt',
  'not-raised-here': 'nicht-hier-angelegt',
  'raised-twice': 'mehrere-links',
};

export const stateWord = (state: PaymentState, language: Language): string =>
  language === 'de' ? germanStates[state] : state;
export const flagWord = (flag: FlagKind, language: Language): string =>
  language === 'de' ? germanFlags[flag] : flag;

const bothNames = <K extends string>(
  kinds: readonly K[],
  german: Readonly<Record<K, string>>,
): Map<string, K> =>
  new Map(kinds.flatMap(kind => [[kind, kind] as const, [folded(german[kind]), kind] as const]));
const statesByName = bothNames(paymentStates, germanStates);
const flagsByName = bothNames(flagKinds, germanFlags);

/** All of the comma-separated names, or null if one of them is unknown. */
const allOf = <K>(text: string, byName: ReadonlyMap<string, K>): K[] | null => {
  const found = folded(text)
    .split(',')
    .map(name => byName.get(name));
  return found.every(kind => kind !== undefined) ? [...new Set(found)] : null;
};

/** `waiting,started` or `wartet,begonnen`; null if a name is not a state's. */
export const statesNamed = (text: string): PaymentState[] | null => allOf(text, statesByName);
/** `settled-twice` or `zweimal-bezahlt`; null if a name is not a flag's. */
export const flagsNamed = (text: string): FlagKind[] | null => allOf(text, flagsByName);
