import { formatMoney } from '../../../shared/money/format-amount.ts';
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
