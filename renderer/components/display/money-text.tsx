import { exponentOf } from '../../../shared/money/currencies.ts';
import { formatMoney, moneyParts } from '../../../shared/money/format-amount.ts';
import { fractionDigits } from '../../../shared/money/wire-amount.ts';
import { useLocaleChoice } from '../../i18n/text.ts';

/** An amount in the locale's notation with its currency; used for every amount. `amount`: the wire form. */
export const Money = ({
  amount,
  currency,
  size = 'regular',
}: {
  amount: string | null;
  currency: string | null;
  size?: 'regular' | 'large';
}) => {
  const { locale } = useLocaleChoice();
  if (amount === null) return <span className="quiet">–</span>;
  return (
    <data className={`money ${size}`} value={`${amount} ${currency ?? ''}`.trim()}>
      {formatMoney(amount, currency ?? '', locale)}
    </data>
  );
};

/**
 * An amount in a column: the decimal points below one another. A currency without decimals keeps
 * their place free. `amount`: the wire form, perhaps with a minus sign.
 */
export const AlignedMoney = ({ amount, currency }: { amount: string | null; currency: string | null }) => {
  const { locale } = useLocaleChoice();
  if (amount === null) return <span className="quiet">–</span>;
  const size = amount.replace(/^-/, '');
  const [figures, after] = moneyParts(size, currency ?? '', locale);
  const hasDecimals = (fractionDigits(size) ?? 0) > 0 || (exponentOf(currency ?? '') ?? 0) > 0;
  return (
    <data className="money aligned" value={`${amount} ${currency ?? ''}`.trim()}>
      <span>
        {size === amount ? figures : `−${figures}`}
        {hasDecimals ? null : <span className="no-decimals" aria-hidden="true" />}
      </span>
      {after === '' ? null : <span className="currency quiet tiny regular"> {after}</span>}
    </data>
  );
};
