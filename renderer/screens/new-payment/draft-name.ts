import { formatMoney } from '../../../shared/money/format-amount.ts';
import { readAmountEntry } from '../../amount-reading.ts';
import type { Language } from '../../../shared/messages/message.ts';
import type { Translate } from '../../i18n/text.ts';
import type { FormDraft } from '../../stores/new-payment/open-drafts.ts';

/** The name of an open form: amount and customer, otherwise what was typed first. */
export const draftName = (
  draft: FormDraft,
  { locale, language }: { locale: string; language: Language },
  t: Translate,
): string => {
  const reading = readAmountEntry(draft.amount, draft.currency, locale, language, null);
  const amount =
    reading.kind === 'read' ? formatMoney(reading.wire, draft.currency, locale) : draft.amount.trim();
  const who = [draft.customerName, draft.customerEmail, draft.customerPhone, draft.description]
    .map(text => text.trim())
    .find(text => text !== '');
  const parts = [amount, who ?? ''].filter(text => text !== '');
  return parts.length === 0 ? t('drafts.empty') : parts.join(' · ');
};
