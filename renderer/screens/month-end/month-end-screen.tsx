import '../../styles/screens/month-end.css';
import { ChevronLeft, ChevronRight, FileSpreadsheet, FileText, FolderOpen, Lock, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { getLocalTimeZone } from '@internationalized/date';
import type {
  MonthView,
  StatementPreview,
  StatementRow,
} from '../../../shared/contract/statement-requests.ts';
import { dayAt } from '../../../shared/days.ts';
import { ActionMenu } from '../../components/controls/action-menu.tsx';
import { Button, IconButton } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/controls/dialog.tsx';
import type { Column } from '../../components/display/data-table.tsx';
import { PageError, Note } from '../../components/display/notes.tsx';
import { AlignedMoney, Time } from '../../components/display/values.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { useTask } from '../../forms/form.tsx';
import { dateFormat, useLocaleChoice, useText, useDay } from '../../i18n/text.ts';
import { currentTime } from '../../i18n/time-left.ts';
import { request } from '../../ipc-client.ts';
import { useActiveProfileId } from '../../stores/app-state-store.ts';
import { go } from '../../stores/route-store.ts';
import { AgreementLists } from './agreement-lists.tsx';
import { DecideSheet, ImportSheet } from './month-sheets.tsx';
import { MonthTable, nameOf } from './month-table.tsx';
import { createQuery } from '../../queries/create-query.ts';

/** Delay after a change of payments, milliseconds: comparing a month reads all of its payments. */
const throttleMs = 3_000;

/** A month compared with its statements. */
const monthQuery = createQuery<{ profileId: string; month: string }, MonthView>({
  read: of => request('statements.month', of),
  on: ['payments.changed'],
  throttleMs,
});

/** The month that is being closed: the last one until the middle of the next. */
const usualMonth = (): string =>
  dayAt(currentTime(), getLocalTimeZone()).subtract({ days: 15 }).toString().slice(0, 7);

const movedBy = (month: string, by: number): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 15)).toISOString().slice(0, 7);
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
type Change = NonNullable<MonthView['closed']>['changes'][number];

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

/** Writes the first and the last of some days. */
const useDays = (): ((first: string | null, last: string | null) => string) => {
  const day = useDay();
  return (first, last) => {
    if (first === null || last === null) return '';
    return first === last ? day(first) : `${day(first)} – ${day(last)}`;
  };
};

const Figures = ({ view }: { view: MonthView }) => {
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
      rowClass={({ id }) => (id === overview ? 'strong' : '')}
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

const Payouts = ({ view }: { view: MonthView }) => {
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

const Statements = ({ view, onWithdraw }: { view: MonthView; onWithdraw: (statement: string) => void }) => {
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
                <Time at={importedAt} /> · {agent}
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

const Closed = ({ closed }: { closed: NonNullable<MonthView['closed']> }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const at = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(closed.at);
  return (
    <Note tone={closed.changes.length > 0 || closed.isOtherStatements ? 'warning' : 'info'}>
      <p>
        {t('month-end.closed', { at, agent: closed.agent })}{' '}
        {closed.changes.length > 0 ? t('month-end.changed', { count: closed.changes.length }) : ''}{' '}
        {closed.isOtherStatements ? t('month-end.other-statements') : ''}
      </p>
      {closed.changes.length === 0 ? null : (
        <MonthTable
          label={t('scheduled-export.changes')}
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
                  {agent} · <Time at={when} />
                </>
              ),
            },
          }}
        />
      )}
    </Note>
  );
};

/** A month: what the console, the provider and the bank say, and where they differ. `month`: null for the usual one. */
export const MonthEndScreen = ({ month: given }: { month: string | null }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const profileId = useActiveProfileId();
  const [usual] = useState(usualMonth);
  const month = given ?? usual;
  const key = { profileId: profileId ?? '', month };
  const { value: view, problem, isReading } = monthQuery.use(profileId === null ? null : key);
  const [preview, setPreview] = useState<StatementPreview | null>(null);
  const [deciding, setDeciding] = useState<StatementRow | null>(null);
  const [withdrawing, setWithdrawing] = useState<string | null>(null);
  const [isClosing, setClosing] = useState(false);
  const task = useTask();
  if (profileId === null) return null;
  const show = (next: MonthView): void => monthQuery.update(key, () => next);
  const decide = (
    decided: Pick<StatementRow, 'statement' | 'line' | 'movement'> & {
      decision: 'tied' | 'untied' | 'explained' | 'withdrawn';
      text: string;
    },
  ): void => void task.run('send', () => request('statements.decide', { ...key, ...decided }), show);
  const open = (): void => void task.run('send', () => request('statements.open', { profileId }), setPreview);
  const report = (format: 'pdf' | 'xlsx') => (): void =>
    void task.run(
      'send',
      () => request('statements.report', { ...key, format }),
      () => undefined,
    );
  const name = dateFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-15`),
  );
  return (
    <Screen
      title={t('month-end.report')}
      label={t('month-end.report')}
      lead={
        <span className="line gap-1">
          <IconButton
            name={t('month-end.earlier')}
            icon={<ChevronLeft size={14} />}
            onPress={() => go({ screen: 'month-end', month: movedBy(month, -1) })}
          />
          {name}
          <IconButton
            name={t('month-end.later')}
            icon={<ChevronRight size={14} />}
            onPress={() => go({ screen: 'month-end', month: movedBy(month, 1) })}
          />
        </span>
      }
      actions={
        <>
          <Button request="statements.open" variant="primary" icon={FolderOpen} onPress={open}>
            {t('month-end.open')}
          </Button>
          <Button request="statements.closeMonth" icon={Lock} onPress={() => setClosing(true)}>
            {t('month-end.close')}
          </Button>
          <ActionMenu
            label={t('month-end.export')}
            actions={[
              { id: 'pdf', name: t('month-end.export.pdf'), icon: FileText, act: report('pdf') },
              { id: 'xlsx', name: t('month-end.export.xlsx'), icon: FileSpreadsheet, act: report('xlsx') },
            ]}
          />
        </>
      }
    >
      <PageError error={task.problem} />
      <PageError error={problem} isEmpty={view === null} />
      <output className="out-of-sight">{isReading || task.isBusy ? t('month-end.reading') : ''}</output>
      {view === null ? null : (
        <>
          {view.closed ? <Closed closed={view.closed} /> : null}
          <section className="panel stack">
            <h2>{t('month-end.sheet.sums')}</h2>
            <Figures view={view} />
          </section>
          {view.statements.length === 0 ? (
            <p className="muted measure">{t('month-end.empty')}</p>
          ) : (
            <>
              <AgreementLists
                view={view}
                onDecide={setDeciding}
                onUntie={({ statement, line, movement }) =>
                  decide({ statement, line, movement, decision: 'untied', text: '' })
                }
              />
              <Payouts view={view} />
              <Statements view={view} onWithdraw={setWithdrawing} />
            </>
          )}
        </>
      )}
      <ImportSheet
        preview={preview}
        onPreview={setPreview}
        onClose={() => {
          setPreview(null);
          void request('statements.close', {});
        }}
        onImported={imported => {
          setPreview(null);
          if (imported === month) void monthQuery.read(key);
          else go({ screen: 'month-end', month: imported });
        }}
      />
      <DecideSheet
        row={deciding}
        rows={view?.rows ?? []}
        onClose={() => setDeciding(null)}
        onDecide={decided => {
          setDeciding(null);
          decide(decided);
        }}
      />
      <ConfirmDialog
        title={t('month-end.withdraw.title')}
        isOpen={withdrawing !== null}
        confirm={t('month-end.withdraw.do')}
        refuse={t('cancel')}
        onClose={() => setWithdrawing(null)}
        onConfirm={() => {
          decide({ statement: withdrawing, line: null, movement: null, decision: 'withdrawn', text: '' });
          setWithdrawing(null);
        }}
      >
        <p>{t('month-end.withdraw.text')}</p>
      </ConfirmDialog>
      <ConfirmDialog
        title={t('month-end.close.title', { month: name })}
        isOpen={isClosing}
        confirm={t('month-end.close')}
        refuse={t('cancel')}
        onClose={() => setClosing(false)}
        onConfirm={() => {
          setClosing(false);
          void task.run('send', () => request('statements.closeMonth', key), show);
        }}
      >
        <p>{t('month-end.close.text')}</p>
      </ConfirmDialog>
    </Screen>
  );
};
