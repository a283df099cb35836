import '../../../styles/screens/operations.css';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { clockTime } from '../../../components/display/time.tsx';
import { useLocaleChoice, useText } from '../../../i18n/text.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { isContradicted, ledgerRows, openOperations } from './ledger.ts';

/** The money of an order: what came in and went back, with the balance after each, and what has no result yet. */
export const LedgerPanel = ({
  payment: { movements, operations, currency, attempts },
  notes,
}: {
  payment: Pick<Payment, 'movements' | 'operations' | 'currency' | 'attempts'>;
  /** Until when something can still be done. */
  notes: readonly string[];
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const money = (wire: string, sign = ''): string =>
    wire.startsWith('-')
      ? `−${formatMoney(wire.slice(1), currency ?? '', locale)}`
      : `${sign}${formatMoney(wire, currency ?? '', locale)}`;
  const cards = new Map(attempts.map(({ paymentId, cardLast4 }) => [paymentId, cardLast4]));
  const isSeveral = new Set(movements.map(({ paymentId }) => paymentId)).size > 1;
  /** Which of several payments a line is about. */
  const which = (paymentId: string): string =>
    isSeveral ? ` · ${cards.get(paymentId) ? `•••• ${cards.get(paymentId)}` : paymentId.slice(0, 8)}` : '';
  const rows = ledgerRows(movements);
  const open = openOperations(operations);
  const remarks = isContradicted({ movements, attempts }) ? [t('ledger.contradicted'), ...notes] : notes;
  return (
    <section className="panel flush ledger" aria-label={t('ledger.name')}>
      <header>
        <h2>{t('ledger.name')}</h2>
        {remarks.length === 0 ? null : <span className="small muted">{remarks.join(' · ')}</span>}
      </header>
      {rows.length + open.length === 0 ? null : (
        <div className="wide-frame">
          <table className="ledger-table small">
            <thead>
              <tr>
                <th scope="col">{t('ledger.when')}</th>
                <th scope="col">{t('ledger.what')}</th>
                <th scope="col" className="figure">
                  {t('ledger.amount')}
                </th>
                <th scope="col" className="figure">
                  {t('ledger.balance')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ kind, at, amount, paymentId, rrn, balance }, index) => (
                // Two movements may be equal in everything.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={index}>
                  <td className="nowrap quiet">{clockTime(at, locale, now)}</td>
                  <td className="break">
                    {t(`ledger.${kind}`)}
                    <span className="quiet">
                      {which(paymentId)}
                      {rrn === null ? '' : ` · RRN ${rrn}`}
                    </span>
                  </td>
                  <td className="figure">
                    {amount === null ? (
                      <span className="quiet">{t('ledger.unknown')}</span>
                    ) : (
                      money(amount, kind === 'paid' ? '' : '−')
                    )}
                  </td>
                  <td className="figure">
                    {balance === null ? (
                      <span className="quiet">{t('ledger.balance.unknown')}</span>
                    ) : (
                      <strong>{money(balance)}</strong>
                    )}
                  </td>
                </tr>
              ))}
              {open.map(({ intent, kind, at, amount, paymentId }) =>
                kind === 'recurring' ? null : (
                  <tr key={intent} className="ledger-open">
                    <td className="nowrap">{clockTime(at, locale, now)}</td>
                    <td>
                      {t(`ledger.open.${kind}`)}
                      {which(paymentId)}
                    </td>
                    <td className="figure">
                      {amount === null ? '' : `(${money(amount, kind === 'refund' ? '−' : '')})`}
                    </td>
                    <td className="figure">–</td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
};
