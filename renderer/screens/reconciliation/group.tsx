import { ArrowRight, Check, RotateCcw, ScanSearch, SquareArrowOutUpRight } from 'lucide-react';
import { GridList, GridListItem } from 'react-aria-components';
import { paymentKey } from '../../../shared/payments/payment-key.ts';
import {
  foundIn,
  type Finding,
  type ReconciliationCause,
  type ReconciliationCount,
} from '../../../shared/reports/reconcile.ts';
import { flagValues } from '../../../shared/payments/flag-values.ts';
import { stateAt } from '../../../shared/payment-reducer/state-at.ts';
import { Button } from '../../components/controls/button.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { Money } from '../../components/display/money.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { CancelWaitButton } from '../../components/controls/cancel-wait-button.tsx';
import { Duration } from '../../components/display/time.tsx';
import { useClock } from '../../stores/clock.ts';
import { useReconciliation, type Queued } from '../../stores/reports/reconciliation.ts';
import { go } from '../../stores/route.ts';
import { useLocaleChoice, useText, type Translate } from '../../i18n/text.ts';

const open = ({ profileId, orderNumber }: Queued): void => go({ screen: 'payment', profileId, orderNumber });

/** Both values of a difference, from the flag behind the cause. */
const valuesOf = (row: Queued, { cause }: Finding, t: Translate): string | null => {
  const flag = row.flags.find(({ kind }) => foundIn[cause].flags.includes(kind));
  if (flag === undefined || flag.values['theirs'] === undefined) return null;
  return flagValues(flag)
    .map(({ label, value }) => t('reconciliation.value', { label, value }))
    .join(' · ');
};

/** The next action as a button: available ones run here, others on the payment's page. */
const NextAction = ({ row, onNewLink }: { row: Queued; onNewLink: (row: Queued) => void }) => {
  const t = useText();
  const busy = useReconciliation(state => state.busy);
  const of = (
    <span className="out-of-sight"> {t('reconciliation.of-order', { order: row.orderNumber })}</span>
  );
  const action = row.findings[0]?.action ?? 'note-it';
  if (action === 'look-up') {
    return (
      <Button
        right="look-up"
        icon={<ScanSearch size={16} />}
        isPending={busy === paymentKey(row)}
        onPress={() => void useReconciliation.getState().lookUp(row)}
      >
        {t('look-up.now')}
        {of}
      </Button>
    );
  }
  if (action === 'new-link') {
    return (
      <Button
        right="links"
        icon={<RotateCcw size={16} />}
        isPending={busy === paymentKey(row)}
        onPress={() => onNewLink(row)}
      >
        {t('reconciliation.new-link')}
        {of}
      </Button>
    );
  }
  return (
    <Button icon={<SquareArrowOutUpRight size={16} />} onPress={() => open(row)}>
      {t('payment.open')}
      {of}
    </Button>
  );
};

/** The reason and the next step, in two sentences; or that nothing is left to do. */
const ReasonList = ({ row }: { row: Queued }) => {
  const t = useText();
  const isLookedUp = useReconciliation(
    state => state.lookedUp !== null && paymentKey(state.lookedUp) === paymentKey(row),
  );
  const [mostSevere, ...others] = row.findings;
  if (!mostSevere) {
    return (
      <p className="all-good line">
        <Check size={16} aria-hidden="true" /> {t('reconciliation.no-action')}
      </p>
    );
  }
  const values = valuesOf(row, mostSevere, t);
  return (
    <>
      <p>
        {t(`cause.${mostSevere.cause}.text`)}{' '}
        {values === null ? null : <span className="break">{values}</span>}
      </p>
      <p className="queue-next muted">
        <ArrowRight size={14} aria-hidden="true" /> {t(`next.${mostSevere.action}`)}
        {others.length === 0 ? null : (
          <span className="quiet">
            {' '}
            {t('reconciliation.also', { causes: others.map(({ cause }) => t(`cause.${cause}`)).join(', ') })}
          </span>
        )}
      </p>
      {isLookedUp && mostSevere.cause === row.under ? (
        <p className="quiet">{t('reconciliation.nothing-new')}</p>
      ) : null}
    </>
  );
};

const Entry = ({ row, onNewLink }: { row: Queued; onNewLink: (row: Queued) => void }) => {
  const t = useText();
  const state = useClock(({ wallClock }) => stateAt(row, wallClock));
  const { busy, requestId: request, stop } = useReconciliation();
  const failed = useReconciliation(all => (all.failed?.key === paymentKey(row) ? all.failed.error : null));
  return (
    <div className="queue-row">
      <div className="queue-order">
        <Truncate className="code" text={row.orderNumber} />
        <StatusBadge state={state} size={14} />
      </div>
      <div className="queue-amount">
        <Money amount={row.amount} currency={row.currency} />
        <span className="quiet tiny">
          <Duration at={row.findings[0]?.since ?? row.since} />
        </span>
      </div>
      <div className="queue-why">
        <ReasonList row={row} />
      </div>
      <NextAction row={row} onNewLink={onNewLink} />
      {busy === paymentKey(row) ? (
        <div className="queue-failed">
          <CancelWaitButton
            isWaiting
            description={t(request === null ? 'waiting-for.link' : 'waiting-for.look-up')}
            onCancel={stop}
          />
        </div>
      ) : null}
      {failed ? (
        <div className="queue-failed">
          <ErrorNote error={failed} />
        </div>
      ) : null}
    </div>
  );
};

/**
 * The payments under one cause. Up and down move between them, Enter opens one, the right arrow moves to its button.
 */
export const Group = ({
  cause,
  count,
  rows,
  onNewLink,
}: {
  cause: ReconciliationCause;
  count: ReconciliationCount | null;
  rows: readonly Queued[];
  onNewLink: (row: Queued) => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  return (
    <section className="panel flush" aria-label={t(`cause.${cause}`)}>
      <header>
        <h2>{t(`cause.${cause}`)}</h2>
        <span className="small quiet">
          {new Intl.NumberFormat(locale).format(count?.count ?? rows.length)}
          {count?.more ? '+' : ''}
        </span>
      </header>
      <GridList
        className="queue"
        aria-label={t(`cause.${cause}`)}
        items={rows.map(row => ({ row, id: paymentKey(row) }))}
        onAction={key => {
          const row = rows.find(one => paymentKey(one) === key);
          if (row) open(row);
        }}
      >
        {({ row, id }) => (
          <GridListItem className="queue-item" id={id} textValue={row.orderNumber}>
            <Entry row={row} onNewLink={onNewLink} />
          </GridListItem>
        )}
      </GridList>
    </section>
  );
};
