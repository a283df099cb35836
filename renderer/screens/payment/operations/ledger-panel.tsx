import '../../../styles/screens/operations.css';
import { ClipboardPen, ScanSearch } from 'lucide-react';
import { dayAt } from '../../../../shared/days.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { isBookedMovement } from '../../../../shared/payments/balance.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { plainText } from '../../../../shared/plain-text.ts';
import { Button } from '../../../components/controls/button.tsx';
import { DataTable } from '../../../components/display/data-table.tsx';
import type { Tone } from '../../../../shared/reports/head.ts';
import { clockTime } from '../../../components/display/time.tsx';
import { useLocaleChoice, useText, type Translate } from '../../../i18n/text.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { usePayment } from '../../../queries/payment.ts';
import { ledgerRows, type LedgerRow } from './ledger.ts';

const toneOfRow = ({ movement, operation }: LedgerRow): Tone => {
  const state = operation?.state ?? 'done';
  if (state === 'not-sent') return 'end';
  if (state === 'unknown' || state === 'one-of' || movement?.fate === 'contradicted') return 'warn';
  if (state === 'failed' || state === 'refused' || movement?.fate === 'failed') return 'bad';
  const isMoving = movement?.fate === 'in-progress' || movement?.fate === 'requested';
  return isMoving || state === 'accepted' || state === 'waiting' ? 'wait' : 'good';
};

const isBookedRow = ({ movement }: LedgerRow): boolean => movement !== null && isBookedMovement(movement);

/** What became of it, and what that rests on. */
const fateOf = (
  { kind, movement, operation }: LedgerRow,
  isByCallback: boolean,
  timeOf: (at: number) => string,
  t: Translate,
): string => {
  const { fate = null, recordedBy = null } = movement ?? {};
  if (recordedBy !== null && (fate === 'proven' || fate === 'failed' || fate === 'won'))
    return t(`ledger.recorded.${fate}`, { name: recordedBy });
  if (operation && (operation.state !== 'done' || fate === null)) {
    const { state, provenBy } = operation;
    const time = timeOf(operation.since);
    if (state === 'accepted' && kind !== 'refund') return t('operation-line.state.accepted.other', { time });
    const by = state === 'done' && provenBy !== null ? ` · ${t(`operation-line.by.${provenBy}`)}` : '';
    return `${state === 'unknown' ? t('operation-line.state.unknown') : t(`operation-line.state.${state}`, { time })}${by}`;
  }
  const time = timeOf(movement?.since ?? 0);
  if (fate === 'failed') return t('operation-line.state.failed', { time });
  if (fate === 'requested' || fate === 'in-progress') return t('operation-line.state.accepted', { time });
  if (fate === 'reported' && isByCallback) return t('ledger.fate.by-callback');
  return fate === null ? '' : t(`ledger.fate.${fate}`);
};

/**
 * The money of an order: what came in, what went back or was to go back, what became of each and what that rests on, with
 * the balance of the books after it and one next step about what is unclear.
 */
export const LedgerPanel = ({
  payment,
  events,
  notes,
  onRecord,
}: {
  payment: Pick<Payment, 'movements' | 'operations' | 'currency' | 'attempts' | 'checkedAt'>;
  events: readonly Event[];
  /** Until when something can still be done. */
  notes: readonly string[];
  /** Opens the sheet for what the provider's dashboard shows about this movement. */
  onRecord: (movement: string) => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const { busy, lookUp } = usePayment();
  const { movements, attempts } = payment;
  const timeOf = (at: number): string => clockTime(at, locale, now);
  const money = (wire: string, currency: string | null, sign = ''): string =>
    wire.startsWith('-')
      ? `−${formatMoney(wire.slice(1), currency ?? '', locale)}`
      : `${sign}${formatMoney(wire, currency ?? '', locale)}`;
  const cards = new Map(attempts.map(({ paymentId, cardLast4 }) => [paymentId, cardLast4]));
  const isSeveral = new Set(movements.map(({ paymentId }) => paymentId)).size > 1;
  /** Which of several payments it is about, who asked for it and why, and its references. */
  const detailsOf = ({ kind, paymentId, at, movement, operation }: LedgerRow): string => {
    const card = cards.get(paymentId);
    const message = operation?.state === 'unknown' ? null : (operation?.message ?? movement?.reason ?? null);
    const { statedDate = null, rrn = null } = movement ?? {};
    return [
      isSeveral ? (card ? `•••• ${card}` : paymentId.slice(0, 8)) : '',
      movement?.origin === 'elsewhere' && kind !== 'paid' ? t('ledger.not-here') : '',
      ...(operation ? [t(`operation-reason.${operation.reason}`), operation.text, operation.agent] : []),
      operation?.approvedBy ? t('operation.approved-by', { name: operation.approvedBy }) : '',
      message === null ? '' : t('reason', { reason: plainText(message) }),
      kind === 'void' && operation?.state === 'failed' ? t('operation-line.void-failed') : '',
      statedDate === null || statedDate.startsWith(dayAt(at).toString())
        ? ''
        : t('ledger.stated', { date: plainText(statedDate) }),
      rrn === null ? '' : `RRN ${rrn}`,
    ]
      .filter(part => part !== '')
      .join(' · ');
  };
  const rows = ledgerRows(payment);
  return (
    <section className="panel flush ledger" aria-label={t('ledger.name')}>
      <header>
        <h2>{t('ledger.name')}</h2>
        {notes.length === 0 ? null : <span className="small muted">{notes.join(' · ')}</span>}
      </header>
      {rows.length === 0 ? null : (
        <div className="wide-frame">
          <DataTable
            className="ledger-table full to-edges collapsed small"
            rows={rows}
            keyOf={({ key }) => key}
            rowClass={row => (isBookedRow(row) ? '' : 'ledger-open quiet')}
            columns={{
              when: { head: t('ledger.when'), cell: ({ at }) => timeOf(at), className: 'nowrap quiet' },
              what: {
                head: t('ledger.what'),
                className: 'break',
                cell: row => {
                  const { kind, movement, next } = row;
                  const isByCallback = events.some(
                    event => event.kind === 'callback.received' && movement?.events.includes(event.id),
                  );
                  return (
                    <>
                      <strong>{t(kind === 'paid' ? 'ledger.paid' : `operation.${kind}`)}</strong>
                      <span className={`ledger-fate medium tone-${toneOfRow(row)} ink-tone`}>
                        {fateOf(row, isByCallback, timeOf, t)}
                      </span>
                      <span className="quiet">{detailsOf(row)}</span>
                      {next === null ? null : (
                        <Button
                          request={next === 'look-up' ? 'payments.lookUp' : 'movements.record'}
                          size="small"
                          icon={next === 'look-up' ? <ScanSearch size={14} /> : <ClipboardPen size={14} />}
                          isPending={next === 'look-up' && busy === 'look-up'}
                          onPress={() => (next === 'look-up' ? void lookUp() : onRecord(movement?.id ?? ''))}
                        >
                          {t(next === 'look-up' ? 'look-up.now' : 'record.open')}
                        </Button>
                      )}
                    </>
                  );
                },
              },
              amount: {
                head: t('ledger.amount'),
                headClass: 'figure',
                className: 'figure',
                cell: row => {
                  const { kind, amount, movement, operation } = row;
                  const currency = movement?.currency ?? operation?.currency ?? payment.currency;
                  const isOut = kind === 'refund' || kind === 'void' || kind === 'chargeback';
                  if (amount === null)
                    return movement === null ? null : <span className="quiet">{t('ledger.unknown')}</span>;
                  const figure = money(amount, currency, isOut ? '−' : '');
                  return isBookedRow(row) ? figure : `(${figure})`;
                },
              },
              balance: {
                head: t('ledger.balance'),
                headClass: 'figure',
                className: 'figure',
                cell: row =>
                  row.balance !== null ? (
                    <strong>{money(row.balance, payment.currency)}</strong>
                  ) : isBookedRow(row) ? (
                    <span className="quiet">{t('ledger.balance.unknown')}</span>
                  ) : (
                    '–'
                  ),
              },
            }}
          />
        </div>
      )}
    </section>
  );
};
