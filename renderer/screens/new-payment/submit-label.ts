import { formatMoney } from '../../../shared/money/money.ts';
import type { ProfileKind } from '../../../shared/settings/profile.ts';
import type { Reading } from '../../amount-reading.ts';
import type { Say } from '../../i18n/text.ts';

/** The words on the button that raises a link. For a live profile they name the money that is about to be asked for. */
export const submitLabel = (
  kind: ProfileKind,
  reading: Reading,
  currency: string,
  locale: string,
  t: Say,
): string => {
  if (kind !== 'live') return t('new.submit');
  return reading.kind === 'read' && reading.minor > 0n
    ? t('new.submit.live.amount', { amount: formatMoney(reading.wire, currency, locale) })
    : t('new.submit.live');
};
