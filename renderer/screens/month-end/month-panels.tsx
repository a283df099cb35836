import { Trash2, TriangleAlert } from 'lucide-react';
import type { RefObject, ComponentProps } from 'react';
import type { MonthView } from '../../../shared/contract/statement-requests.ts';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { type Column, DataTable } from '../../components/display/data-table.tsx';
import { Note } from '../../components/display/notes.tsx';
import { AlignedMoney, Time } from '../../components/display/values.tsx';
import { agentName, dateFormat, useLocaleChoice, useText, useDay } from '../../i18n/text.ts';

/** The panels of a month but its lists, and what all its parts show. */

/** A table of the month, which scrolls sideways in a small window. */
export const MonthTable = <Row,>(props: Omit<ComponentProps<typeof DataTable<Row>>, 'className'>) => (
  <div className="wide-frame to-edges">
    <DataTable {...props} className="month-table full collapsed small tabular" />
  </div>
);

/** The file of a statement. */
export const nameOf = ({ statements }: Pick<MonthView, 'statements'>, statement: string): string =>
  statements.find(one => one.statement === statement)?.name ?? '';

/** Writes the first and the last of some days. */
export const useDays = (): ((first: string | null, last: string | null) => string) => {
  const day = useDay();
  return (first, last) => {
    if (first === null || last === null) return '';
    return first === last ? day(first) : `${day(first)} – ${day(last)}`;
  };
};

type Payout = MonthView['payouts'][number];
const overview = 'overview';
/** Sums of a statement, or what moved by the overview, and its parts. */
type Sum = {
  id: string;
  of: string;
  currency: string;
  gross: string | null;
  fees: string | null;
  net: string | null;
};
type Closing = NonNullable<MonthView['closed']>;
type Change = Closing['changes'][number];

export const isChanged = ({ changes, isOtherStatements }: Closing): boolean =>
  changes.length > 0 || isOtherStatements;

/** A column of amounts, in the currency of each row. */
const money = <Row extends { currency: string }>(
  head: string,
  amountOf: (row: Row) => string | null,
): Column<Row> => ({
  head,
  className: 'number',
  headClass: 'number',
  cell: row => <AlignedMoney amount={amountOf(row)} currency={row.currency} />,
});

export const Figures = ({ view }: { view: MonthView }) => {
  const t = useText();
  const ours = { fees: null, net: null };
  const rows: Sum[] = [
    // Without a statement there is nothing to split.
    ...(view.statements.length === 0 ? [] : view.parts).map(({ standing, currency, amount }) => ({
      id: standing,
      of: t(`month-end.standing.${standing}`),
      currency,
      gross: amount,
      ...ours,
    })),
    ...view.figures.map(({ currency, netAmount }) => ({
      id: overview,
      of: t('month-end.overview'),
      currency,
      gross: netAmount,
      ...ours,
    })),
    ...view.sums.map(({ statement, ...sums }) => ({
      id: statement,
      of: nameOf(view, statement),
      ...sums,
    })),
  ];
  return (
    <MonthTable
      label={t('month-end.sheet.sums')}
      rows={rows}
      keyOf={({ id, currency }) => `${id} ${currency}`}
      rowClass={({ id }) => (id === overview ? 'bold' : '')}
      columns={{
        of: { head: t('month-end.column.what'), isName: true, cell: ({ of }) => of },
        currency: { head: t('overview.currency'), cell: ({ currency }) => currency },
        gross: money<Sum>(t('month-end.sum.gross'), ({ gross }) => gross),
        fees: money<Sum>(t('month-end.sum.fees'), ({ fees }) => fees),
        net: money<Sum>(t('month-end.sum.net'), ({ net }) => net),
      }}
    />
  );
};

export const Payouts = ({ view }: { view: MonthView }) => {
  const t = useText();
  const daysText = useDays();
  if (view.payouts.length === 0) return null;
  return (
    <section className="panel stack">
      <h2>{t('month-end.sheet.payouts')}</h2>
      <MonthTable
        label={t('month-end.sheet.payouts')}
        rows={view.payouts}
        keyOf={({ statement, line }) => `${statement} ${line}`}
        columns={{
          ...(view.statements.length > 1
            ? {
                file: {
                  head: t('month-end.file'),
                  cell: ({ statement }: Payout) => nameOf(view, statement),
                },
              }
            : {}),
          batch: { head: t('month-end.column.batch'), cell: ({ batch }) => batch ?? '' },
          days: {
            head: t('month-end.column.days'),
            isName: true,
            cell: ({ first, last }) => daysText(first, last),
          },
          gross: money<Payout>(t('month-end.sum.gross'), ({ gross }) => gross),
          fees: money<Payout>(t('month-end.sum.fees'), ({ fees }) => fees),
          net: money<Payout>(t('month-end.sum.net'), ({ net }) => net),
          agrees: {
            head: t('month-end.column.agrees'),
            cell: ({ agrees }) => (
              <span className={agrees ? '' : 'strong'}>
                {t(agrees ? 'month-end.agrees.yes' : 'month-end.agrees.no')}
              </span>
            ),
          },
          bank: {
            head: t('month-end.column.bank-line'),
            className: 'number',
            headClass: 'number',
            cell: ({ bankLine }) => bankLine ?? '–',
          },
        }}
      />
    </section>
  );
};

export const Statements = ({
  view,
  onWithdraw,
}: {
  view: MonthView;
  onWithdraw: (statement: string) => void;
}) => {
  const t = useText();
  const daysText = useDays();
  return (
    <section className="panel stack">
      <h2>{t('month-end.statements')}</h2>
      <MonthTable
        label={t('month-end.statements')}
        rows={view.statements}
        keyOf={({ statement }) => statement}
        columns={{
          name: { head: t('month-end.file'), isName: true, cell: ({ name }) => name },
          period: {
            head: t('month-end.column.days'),
            cell: ({ period }) => daysText(period?.first ?? null, period?.last ?? null),
          },
          lines: {
            head: t('month-end.sheet.rows'),
            className: 'number',
            headClass: 'number',
            cell: ({ lines }) => lines,
          },
          by: {
            head: t('month-end.imported'),
            cell: ({ importedAt, agent }) => (
              <>
                <Time at={importedAt} /> · {agentName(agent, t)}
              </>
            ),
          },
          act: {
            head: '',
            className: 'number',
            cell: ({ statement, name }) => (
              <IconButton
                name={t('month-end.withdraw', { file: name })}
                icon={<Trash2 size={14} />}
                onPress={() => onWithdraw(statement)}
              />
            ),
          },
        }}
      />
    </section>
  );
};

/** Whether the month is closed, and a way to what changed since. It keeps its place. */
export const ClosingState = ({ closed, onShow }: { closed: MonthView['closed']; onShow: () => void }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  if (closed === null) return <p className="small muted">{t('month-end.not-closed')}</p>;
  const at = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(closed.at);
  return (
    <div className="line">
      <p className="small muted">{t('month-end.closed', { at, agent: agentName(closed.agent, t) })}</p>
      {isChanged(closed) ? (
        <Button variant="quiet" size="small" icon={TriangleAlert} onPress={onShow}>
          {t('month-end.changed-since')}
        </Button>
      ) : null}
    </div>
  );
};

/** What changed since the month was closed. It is the last panel, so that it moves nothing when it comes. */
export const Changes = ({ closed, panel }: { closed: Closing; panel: RefObject<HTMLElement | null> }) => {
  const t = useText();
  return (
    <section className="panel stack no-outline" ref={panel} tabIndex={-1}>
      <h2>{t('month-end.changed-since')}</h2>
      <Note tone="warning">
        {closed.changes.length > 0 ? t('month-end.changed', { count: closed.changes.length }) : ''}{' '}
        {closed.isOtherStatements ? t('month-end.other-statements') : ''}
      </Note>
      {closed.changes.length === 0 ? null : (
        <MonthTable
          label={t('month-end.changed-since')}
          rows={closed.changes}
          keyOf={({ orderNumber }) => orderNumber}
          columns={{
            order: { head: t('column.order'), isName: true, cell: ({ orderNumber }) => orderNumber },
            before: money<Change>(t('month-end.changed.before'), ({ before }) => before),
            now: money<Change>(t('month-end.changed.now'), ({ now }) => now),
            by: {
              head: t('month-end.column.by'),
              cell: ({ agent, at: when }) => (
                <>
                  {agentName(agent, t)} · <Time at={when} />
                </>
              ),
            },
          }}
        />
      )}
    </section>
  );
};
