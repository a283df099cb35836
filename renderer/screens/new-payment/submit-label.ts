import { formatMoney } from '../../../shared/money/format-amount.ts';
import type { ProfileKind } from '../../../shared/settings/profile.ts';
import type { AmountReading } from '../../amount-reading.ts';
import type { Translate } from '../../i18n/text.ts';

/** The label of the button that creates a link. For a live profile it contains the amount. */
export const submitLabel = (
  kind: ProfileKind,
  reading: AmountReading,
  currency: string,
  locale: string,
  t: Translate,
): string => {
  if (kind !== 'live') return t('new.submit');
  return reading.kind === 'read' && reading.minor > 0n
    ? t('new.submit.live.amount', { amount: formatMoney(reading.wire, currency, locale) })
    : t('new.submit.live');
};
