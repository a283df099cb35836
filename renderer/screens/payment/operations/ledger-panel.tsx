import '../../../styles/screens/operations.css';
import { Check, ClipboardPen, Copy, Ellipsis, Scale, ScanSearch } from 'lucide-react';
import { dayAt } from '../../../../shared/days.ts';
import { formatMoney } from '../../../../shared/money/format-amount.ts';
import { isBookedMovement } from '../../../../shared/payments/balance.ts';
import type { Event } from '../../../../shared/payments/evidence.ts';
import type { Attempt, Payment } from '../../../../shared/payments/payment.ts';
import { plainText } from '../../../../shared/plain-text.ts';
import { ActionMenu } from '../../../components/controls/action-menu.tsx';
import { Button } from '../../../components/controls/button.tsx';
import { DataTable } from '../../../components/display/data-table.tsx';
import type { Tone } from '../../../../shared/reports/head.ts';
import { clockTime } from '../../../components/display/values.tsx';
import { useCopy } from '../../../hooks/use-copy.ts';
import { useLocaleChoice, useText, type Translate } from '../../../i18n/text.ts';
import { useClock } from '../../../stores/clock-store.ts';
import { usePayment } from '../../../queries/payment.ts';
import { ledgerRows, type LedgerRow } from './ledger.ts';
import { paymentChoices } from './payment-choices.ts';

/** The outcomes of an attempt that moved nothing. */
const attemptTones: Readonly<Partial<Record<Attempt['outcome'], Tone>>> = {
  declined: 'bad',
  'in-progress': 'wait',
  held: 'wait',
  unknown: 'warn',
};

const toneOfRow = ({ movement, operation, attempt }: LedgerRow): Tone => {
  if (movement === null && attempt !== null) return attemptTones[attempt.outcome] ?? 'end';
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
  { kind, movement, operation, attempt }: LedgerRow,
  isByCallback: boolean,
  timeOf: (at: number) => string,
  t: Translate,
): string => {
  if (movement === null && attempt !== null) return t(`outcome.${attempt.outcome}`);
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

/** The references of a movement, to copy. */
const ReferenceMenu = ({ row: { paymentId, movement, attempt }, name }: { row: LedgerRow; name: string }) => {
  const t = useText();
  const { isCopied, copy } = useCopy();
  const { rrn, approvalCode } = movement ?? attempt ?? { rrn: null, approvalCode: null };
  const references = {
    'payment-id': paymentId,
    rrn,
    approval: approvalCode ?? attempt?.approvalCode ?? null,
  };
  return (
    <ActionMenu
      label={isCopied ? t('copied') : t('ledger.references', { name })}
      icon={isCopied ? Check : Ellipsis}
      className="quiet small"
      actions={(['payment-id', 'rrn', 'approval'] as const).flatMap(id => {
        const note = references[id];
        if (note === null) return [];
        return [{ id, name: t(`ledger.copy.${id}`), icon: Copy, note, act: () => copy(note) }];
      })}
    />
  );
};

/**
 * The money of an order: what was tried and came in, what went back or was to go back, what became of each and what that
 * rests on, with the balance of the books after it and one next step about what is unclear.
 */
export const LedgerPanel = ({
  payment,
  events,
  notes = [],
  onRecord,
  onDispute,
}: {
  payment: Pick<Payment, 'movements' | 'operations' | 'currency' | 'attempts' | 'checkedAt'>;
  events: readonly Event[];
  /** Until when something can still be done. */
  notes?: readonly string[];
  /** Opens the sheet for what the provider's dashboard shows about this movement; without it no step is offered. */
  onRecord?: (movement: string) => void;
  /** Opens the case of a chargeback. */
  onDispute?: (movement: string) => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const now = useClock(({ wallClock }) => Math.floor(wallClock / 60_000) * 60_000);
  const { busy, lookUp } = usePayment();
  const { attempts } = payment;
  const timeOf = (at: number): string => clockTime(at, locale, now);
  const money = (wire: string, currency: string | null, sign = ''): string =>
    wire.startsWith('-')
      ? `−${formatMoney(wire.slice(1), currency ?? '', locale)}`
      : `${sign}${formatMoney(wire, currency ?? '', locale)}`;
  const cards = new Map(attempts.map(({ paymentId, cardLast4 }) => [paymentId, cardLast4]));
  const isSeveral = attempts.length > 1;
  const references = new Map(
    paymentChoices(payment, [...cards.keys()], locale, now).map(({ id, reference }) => [id, reference]),
  );
  const nameOf = ({ kind, movement, attempt }: LedgerRow): string =>
    attempt?.instalment
      ? t('facts.instalment', { number: attempts.indexOf(attempt) + 1 })
      : t(kind !== 'paid' ? `operation.${kind}` : movement === null ? 'ledger.attempt' : 'ledger.paid');
  /** Its card, who asked for it and why, and what the provider said. */
  const detailsOf = ({ kind, paymentId, at, movement, operation, attempt }: LedgerRow): string => {
    const card = cards.get(paymentId) ?? null;
    const message =
      operation?.state === 'unknown'
        ? null
        : (operation?.message ?? movement?.reason ?? attempt?.reason ?? null);
    const { statedDate = null } = movement ?? {};
    const reason = message === null ? '' : t('reason', { reason: plainText(message) });
    return [
      card !== null && (isSeveral || kind === 'paid') ? `•••• ${card}` : '',
      kind === 'paid' ? (references.get(paymentId) ?? '') : '',
      movement?.origin === 'elsewhere' && kind !== 'paid' ? t('ledger.not-here') : '',
      ...(operation ? [t(`operation-reason.${operation.reason}`), operation.text, operation.agent] : []),
      operation?.approvedBy ? t('operation.approved-by', { name: operation.approvedBy }) : '',
      reason !== '' && kind === 'paid' ? `${reason} (${t('attempt.not-aloud')})` : reason,
      kind === 'void' && operation?.state === 'failed' ? t('operation-line.void-failed') : '',
      statedDate === null || statedDate.startsWith(dayAt(at).toString())
        ? ''
        : t('ledger.stated', { date: plainText(statedDate) }),
    ]
      .filter(part => part !== '')
      .join(' · ');
  };
  const rows = ledgerRows(payment);
  const hasBalance = rows.filter(isBookedRow).length > 1;
  if (rows.length === 0 && notes.length === 0) return null;
  return (
    <section className="panel flush ledger" aria-label={t('ledger.name')}>
      {notes.length === 0 ? null : (
        <header>
          <span className="small muted">{notes.join(' · ')}</span>
        </header>
      )}
      {rows.length === 0 ? null : (
        <div className="wide-frame">
          <DataTable<LedgerRow>
            className="ledger-table full to-edges collapsed small"
            rows={rows}
            keyOf={({ key }) => key}
            rowClass={row => (isBookedRow(row) ? '' : 'ledger-open quiet')}
            columns={{
              when: {
                head: <h2 className="small">{t('ledger.name')}</h2>,
                cell: ({ at }) => timeOf(at),
                className: 'nowrap quiet',
              },
              what: {
                head: t('ledger.what'),
                className: 'break',
                cell: row => {
                  const { movement, next } = row;
                  const isByCallback = events.some(
                    event => event.kind === 'callback.received' && movement?.events.includes(event.id),
                  );
                  return (
                    <>
                      <strong>{nameOf(row)}</strong>{' '}
                      <span className={`medium tone-${toneOfRow(row)} ink-tone`}>
                        {fateOf(row, isByCallback, timeOf, t)}
                      </span>
                      <span className="ledger-details quiet">{detailsOf(row)}</span>
                      {next === null || onRecord === undefined ? null : (
                        <Button
                          request={next === 'look-up' ? 'payments.lookUp' : 'movements.record'}
                          size="small"
                          icon={next === 'look-up' ? ScanSearch : ClipboardPen}
                          isPending={next === 'look-up' && busy === 'look-up'}
                          onPress={() => (next === 'look-up' ? void lookUp() : onRecord(movement?.id ?? ''))}
                        >
                          {t(next === 'look-up' ? 'look-up.now' : 'record.open')}
                        </Button>
                      )}
                      {movement?.kind !== 'chargeback' ||
                      movement.fate === 'won' ||
                      onDispute === undefined ? null : (
                        <Button
                          request="movements.noteDispute"
                          size="small"
                          icon={Scale}
                          onPress={() => onDispute(movement.id)}
                        >
                          {t('dispute.open')}
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
              ...(hasBalance && {
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
              }),
              references: {
                head: <span className="out-of-sight">{t('ledger.references.head')}</span>,
                className: 'ledger-references',
                cell: row => <ReferenceMenu row={row} name={nameOf(row)} />,
              },
            }}
          />
        </div>
      )}
    </section>
  );
};
