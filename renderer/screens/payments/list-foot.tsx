import type { PaymentFilter } from '../../../shared/contract/contract.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { totalsQuery } from '../../queries/counts.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';

/** How long a filter must be shown before its sums are read, milliseconds: typing and the rows go first. */
const settleMs = 700;
/** Limit of currencies in the line; the others are in its title. */
const maxCurrencies = 3;

/** The number of payments that a list finds, and their sums by currency: of all of them, not of the loaded rows. */
export const ListFoot = ({
  filter,
  counted,
  isLoading,
}: {
  /** Null: the rows are not those of a filter. */
  filter: PaymentFilter | null;
  /** What is known from the rows; the totals replace it. */
  counted: { count: number; more: boolean };
  isLoading: boolean;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { value: totals } = totalsQuery.use(filter, settleMs);
  const { count, more } = totals ?? counted;
  const countKey = !more ? 'list.count' : totals === null ? 'list.count-more' : 'list.count-over';
  const sums = totals?.sums ?? [];
  // The money that came in; of a list in which nothing did, what its links ask for.
  const of = sums.some(({ paid }) => Number(paid) > 0) ? 'paid' : 'amount';
  const texts = sums
    .filter(sum => Number(sum[of]) > 0)
    .map(sum => formatMoney(sum[of], sum.currency, locale));
  const others = Math.max(0, texts.length - maxCurrencies);
  const notIn = totals?.notIn[of] ?? 0;
  return (
    <div className="list-foot">
      <output>{isLoading ? t('loading') : t(countKey, { count })}</output>
      {isLoading || texts.length === 0 ? null : (
        <span className="list-sums" title={texts.join('\n')}>
          {t(`list.sums.${of}`)}
          {texts.slice(0, maxCurrencies).map(text => (
            <b key={text}>{text}</b>
          ))}
          {others > 0 ? t('list.sums.more', { count: others }) : null}
        </span>
      )}
      {isLoading || totals === null ? null : totals.sums === null ? (
        <span>{t('list.sums.none')}</span>
      ) : notIn > 0 ? (
        <span>{t('list.sums.uncounted', { count: notIn })}</span>
      ) : null}
    </div>
  );
};
