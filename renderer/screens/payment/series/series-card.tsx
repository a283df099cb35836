import { Panel } from '../../../components/display/panel.tsx';
import { useState } from 'react';
import { CreditCard } from 'lucide-react';
import { Link } from 'react-aria-components';
import type { PaymentKey } from '../../../../shared/payments/payment-row.ts';
import { plainText } from '../../../../shared/plain-text.ts';
import { shownMoney } from '../../../../shared/payments/shown-money.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote, Note } from '../../../components/display/notes.tsx';
import { AlignedMoney, Time, Truncate } from '../../../components/display/values.tsx';
import { StatusBadge, useHead } from '../../../components/display/status-badge.tsx';
import { hrefOf } from '../../../routes.ts';
import { openCharge, seriesQuery } from '../../../queries/series.ts';
import { useMessage, useText } from '../../../i18n/text.ts';
import { countCharges, seriesRows, standingOf, type SeriesRow } from './series-rows.ts';

/** Limit of charges that are shown before the others are asked for. */
const maxShown = 5;

const SeriesPayment = ({ entry, isCurrent }: { entry: SeriesRow; isCurrent: boolean }) => {
  const t = useText();
  const say = useMessage();
  const { row, role, number } = entry;
  const head = useHead(row);
  const isFailed = head.kind === 'declined' || head.kind === 'refused';
  return (
    <li className="series-payment ruled">
      <Link
        className="series-link tracks gap-3 middle rounded-s ink small undecorated hovers"
        href={hrefOf({ screen: 'payment', profileId: row.profileId, orderNumber: row.orderNumber })}
        {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      >
        <StatusBadge state={head} wordless />
        <span className="stack gap-0 min-0">
          <span className="row gap-0-2 wrap at-baseline">
            <b className="medium">{role === 'first' ? t('series.first') : t('series.charge', { number })}</b>
            <span className={isFailed ? 'ink-bad' : 'muted'}>
              {/* Of a link that was not created the state speaks otherwise. */}
              {head.kind === 'refused' ? t('series.rejected') : say(head.label)}
            </span>
            {role === 'scheduled' || role === 'elsewhere' ? (
              <span className="tag">{t(`series.${role}`)}</span>
            ) : null}
            {isCurrent ? <span className="tag">{t('series.this')}</span> : null}
          </span>
          <Truncate
            className="tiny quiet"
            text={[row.orderNumber, row.reason === null ? '' : plainText(row.reason)]
              .filter(part => part !== '')
              .join(' · ')}
          />
        </span>
        <AlignedMoney {...shownMoney(row)} />
        <span className="series-time text-end quiet small">
          <Time at={row.firstAt} />
        </span>
      </Link>
    </li>
  );
};

/** The series that a payment belongs to: its first payment, its charges, and whether there can be another one. */
export const SeriesCard = ({ profileId, orderNumber }: PaymentKey) => {
  const t = useText();
  const key = { profileId, orderNumber };
  const { value, problem } = seriesQuery.use(key);
  const series = value?.series ?? null;
  const [isOpening, setOpening] = useState(false);
  const startCharge = async (): Promise<void> => {
    setOpening(true);
    await openCharge(key);
    setOpening(false);
  };
  const [isWhole, setWhole] = useState(false);
  if (series === null)
    return problem === null ? null : (
      <Panel title={t('series.name')}>
        <ErrorNote error={problem} />
      </Panel>
    );
  const rows = seriesRows(series);
  const { charges, failed } = countCharges(rows);
  const standing = standingOf(series);
  const card = series.payments.find(({ cardLast4 }) => cardLast4 !== null)?.cardLast4 ?? null;
  const isShort = !isWhole && charges > maxShown;
  const shown = isShort
    ? rows.filter(
        ({ row, role }, index) => index < maxShown || role === 'first' || row.orderNumber === orderNumber,
      )
    : rows;
  return (
    <section className="panel series" aria-label={t('series.name')}>
      <header>
        <h2>{t('series.name')}</h2>
        <span className="quiet small">
          {charges === 0 ? t('series.none') : t('series.count', { count: charges })}
          {failed === 0 ? '' : ` · ${t('series.failed', { count: failed })}`}
        </span>
        {standing === 'ready' ? (
          <Button
            request="operations.send"
            icon={CreditCard}
            aria-haspopup="dialog"
            isPending={isOpening}
            onPress={() => void startCharge()}
          >
            {t('operation.open.recurring')}
          </Button>
        ) : null}
      </header>
      {problem === null ? null : <ErrorNote error={problem} />}
      {standing === 'ready' ? (
        <p className="small muted">{card === null ? t('series.ready') : t('series.ready.card', { card })}</p>
      ) : (
        <Note tone={standing === 'switched-off' ? 'info' : 'warning'}>{t(`series.${standing}`)}</Note>
      )}
      <ol className="stack gap-0 below-2">
        {shown.map(entry => (
          <SeriesPayment
            key={entry.row.orderNumber}
            entry={entry}
            isCurrent={entry.row.orderNumber === orderNumber}
          />
        ))}
      </ol>
      {isShort ? (
        <Button variant="quiet" size="small" onPress={() => setWhole(true)}>
          {t('series.show-all', { count: charges })}
        </Button>
      ) : null}
    </section>
  );
};
