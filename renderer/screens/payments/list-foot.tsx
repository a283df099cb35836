import { useEffect, useState } from 'react';
import type { PaymentFilter, PaymentTotals } from '../../../shared/contract/contract.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { request, subscribe } from '../../ipc-client.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';

/** Delay before the sums are read: typing and the rows go first. */
const debounceMs = 700;
/** Delay after changed payments. */
const changedMs = 1_000;
/** Links expire by the clock: the sums are read again after this time. */
const renewMs = 60_000;
/** Limit of currencies in the line; the others are in its title. */
const maxCurrencies = 3;

type Sums = { key: string; totals: PaymentTotals | null };

/** The totals of a filter from main; null until they are known. */
const useTotals = (filter: PaymentFilter | null): PaymentTotals | null => {
  const [known, setKnown] = useState<Sums>({ key: '', totals: null });
  const key = filter === null ? '' : JSON.stringify(filter);
  useEffect(() => {
    if (key === '') return undefined;
    let isShown = true;
    let timer: number | undefined;
    const readAfter = (delay: number): void => {
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void read(), delay);
    };
    const read = async (): Promise<void> => {
      const answer = await request('payments.totals', { filter: JSON.parse(key) as PaymentFilter });
      if (!isShown) return;
      setKnown({ key, totals: answer.ok ? answer.value : null });
      readAfter(renewMs);
    };
    readAfter(debounceMs);
    const end = subscribe('payments.changed', () => readAfter(changedMs));
    return () => {
      isShown = false;
      window.clearTimeout(timer);
      end();
    };
  }, [key]);
  return known.key === key ? known.totals : null;
};

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
  const totals = useTotals(filter);
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
