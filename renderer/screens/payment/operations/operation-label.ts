import type { OperationKind } from '../../../../shared/operations/operation-kinds.ts';
import type { Translate } from '../../../i18n/text.ts';

/** The label of the button that sends an operation: what it does, with how much, and to which card. */
export const operationLabel = (
  kind: OperationKind,
  /** As shown; null as long as it is not known. */
  amount: string | null,
  cardLast4: string | null,
  t: Translate,
): string => {
  if (amount === null) return t(`operation-form.title.${kind}`);
  return (kind === 'refund' || kind === 'recurring') && cardLast4 !== null
    ? t(`operation-form.submit-to.${kind}`, { amount, card: cardLast4 })
    : t(`operation-form.submit.${kind}`, { amount });
};
