import type { PaymentLineKind } from '../../../shared/statements/statement-kinds.ts';
import { kindOfWord, type KindWord } from './kinds.ts';
import type { KnownReferences } from './statement-columns.ts';

/** What the payments here say about a row: of which kinds those are that it names, with its amount in any currency. */
export type KnownPayments = KnownReferences & {
  kindsOf: (text: string, size: bigint) => ReadonlySet<PaymentLineKind>;
};

/**
 * What the words of a row mean. A word for the kind that is not known is what the payments are that its rows name, so
 * that a file in any language is understood. In a text alone a word counts only if the row names no payment here, or if
 * that payment is of this kind: a customer may have ordered a "room with cancellation insurance".
 */
export const meanings = (hasKinds: boolean, isSigned: boolean, known: KnownPayments) => {
  const learned = new Map<string, PaymentLineKind>();
  /** What words may mean whose rows were all of payments that went back completely. */
  const unclear = new Map<string, ReadonlySet<PaymentLineKind>>();
  const kindsNamed = (named: readonly string[], size: bigint): ReadonlySet<PaymentLineKind> =>
    new Set(named.flatMap(text => [...known.kindsOf(text, size)]));
  const learn = (word: string, named: readonly string[], size: bigint): KindWord | null => {
    if (!learned.has(word)) {
      const kinds = kindsNamed(named, size);
      const [kind] = kinds;
      if (kind !== undefined && kinds.size === 1) learned.set(word, kind);
      else if (kinds.size > 1) unclear.set(word, kinds);
    }
    const taken = new Set(learned.values());
    const left = [...(unclear.get(word) ?? [])].filter(kind => !taken.has(kind));
    const kind = learned.get(word) ?? (left.length === 1 ? left[0] : undefined);
    return kind === undefined ? null : { kind, isTurned: false };
  };
  return (word: string, text: string, named: () => readonly string[], size: bigint): KindWord | null => {
    const inColumn = kindOfWord(word);
    if (inColumn !== null && inColumn.kind !== 'other' && hasKinds) return inColumn;
    const inText = kindOfWord(text);
    const isReturn = inText?.kind === 'chargeback' || inText?.kind === 'refund';
    if (hasKinds && !isReturn) return inColumn ?? (isSigned ? null : learn(word, named(), size));
    const kinds = inText === null ? null : kindsNamed(named(), size);
    const isFitting = kinds !== null && (kinds.size === 0 || [...kinds].some(kind => kind === inText?.kind));
    return isFitting ? inText : (inColumn ?? (isSigned ? null : learn(word, named(), size)));
  };
};
