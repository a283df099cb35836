import { inLine } from '../../../shared/plain-text.ts';
import { Link2Off, PenLine } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { maxShownRows } from '../../../shared/statements/statement-kinds.ts';
import type { MonthView, StatementRow } from '../../../shared/contract/statement-requests.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { SegmentedControl } from '../../components/controls/radio-choice.tsx';
import { AlignedMoney } from '../../components/display/values.tsx';
import { agentName, useDay, useNumber, useText, type Translate } from '../../i18n/text.ts';
import { hrefOf } from '../../routes.ts';
import { useActiveProfileId } from '../../stores/app-state-store.ts';
import { MonthTable, nameOf } from './month-panels.tsx';

/** In the order in which a person works on them. */
const lists = ['different', 'onlyHere', 'onlyThere', 'notRead', 'agreed'] as const;
type List = (typeof lists)[number];

/** Why a row is in its list. */
const whyOf = ({ list, reason, rule }: StatementRow, t: Translate): string => {
  if (list === 'agreed') return rule === null ? '' : t(`month-end.rule.${rule}`);
  return reason === null ? '' : t(`month-end.reason.${reason}`);
};

/** The differences that nothing explains, by list; that there is no statement, if there is none. */
export const OpenDifferences = ({ view }: { view: MonthView }) => {
  const t = useText();
  const number = useNumber();
  const open = lists.filter(list => list !== 'agreed' && view.counts[list] > 0);
  if (view.statements.length === 0) return <p>{t('month-end.close.no-statement')}</p>;
  return (
    <>
      <p>{t('month-end.close.open', { count: open.reduce((sum, list) => sum + view.counts[list], 0) })}</p>
      {open.length === 0 ? null : (
        <ul>
          {open.map(list => (
            <li key={list}>
              {t(`month-end.list.${list}`)}: {number(view.counts[list])}
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

/** The four lists of a month, and what was not understood. */
export const AgreementLists = ({
  view,
  onDecide,
  onUntie,
}: {
  view: MonthView;
  onDecide: (row: StatementRow) => void;
  onUntie: (row: StatementRow) => void;
}) => {
  const t = useText();
  const number = useNumber();
  const dayText = useDay();
  /** One of two values that differ. */
  const valueOf = ({ reason, currency }: StatementRow, value: string | null) => {
    if (value === null) return '';
    if (reason === 'amount') return <AlignedMoney amount={value} currency={currency} />;
    return reason === 'day' ? dayText(value) : value;
  };
  const profileId = useActiveProfileId() ?? '';
  const [chosen, setChosen] = useState<List | null>(null);
  const first = lists.find(list => list !== 'agreed' && view.counts[list] > 0) ?? 'agreed';
  const list = chosen ?? first;
  const rows = view.rows.filter(row => row.list === list);
  const isDifferent = list === 'different';
  const isSeveral = view.statements.length > 1;
  return (
    <section className="panel stack">
      <SegmentedControl
        label={t('month-end.lists')}
        options={lists.map(id => ({
          id,
          name: `${t(`month-end.list.${id}`)} · ${number(view.counts[id])}`,
        }))}
        value={list}
        onChange={setChosen}
      />
      {rows.length === 0 ? (
        <p className="muted">{t('month-end.none')}</p>
      ) : (
        <MonthTable
          label={t(`month-end.list.${list}`)}
          rows={rows}
          keyOf={({ id }) => id}
          columns={{
            order: {
              head: t('column.order'),
              isName: true,
              className: 'code',
              cell: ({ orderNumber, movement }) =>
                orderNumber === null || movement === null ? (
                  (orderNumber ?? '–')
                ) : (
                  <Link href={hrefOf({ screen: 'payment', profileId, orderNumber })}>
                    {inLine(orderNumber)}
                  </Link>
                ),
            },
            kind: {
              head: t('month-end.column.kind'),
              cell: ({ kind }) => (kind === null ? '' : t(`month-end.kind.${kind}`)),
            },
            day: { head: t('month-end.column.day'), cell: ({ day }) => (day === null ? '' : dayText(day)) },
            ...(isDifferent
              ? {
                  ours: {
                    head: t('month-end.column.ours'),
                    className: 'number',
                    headClass: 'number',
                    cell: (row: StatementRow) => valueOf(row, row.ours),
                  },
                  theirs: {
                    head: t('month-end.column.theirs'),
                    className: 'number strong',
                    headClass: 'number',
                    cell: (row: StatementRow) => valueOf(row, row.theirs),
                  },
                }
              : {
                  amount: {
                    head: t('column.amount'),
                    className: 'number',
                    headClass: 'number',
                    cell: ({ amount, currency }: StatementRow) => (
                      <AlignedMoney amount={amount} currency={currency} />
                    ),
                  },
                }),
            line: {
              head: t('month-end.column.line'),
              className: 'number',
              headClass: 'number',
              cell: ({ line, statement }) => (
                <>
                  {isSeveral && statement !== null ? (
                    <span className="muted">{nameOf(view, statement)} </span>
                  ) : null}
                  {line ?? '–'}
                </>
              ),
            },
            ...(rows.every(row => whyOf(row, t) === '' && row.explanation === null)
              ? {}
              : {
                  why: {
                    head: t('month-end.column.why'),
                    cell: (row: StatementRow) => (
                      <>
                        {whyOf(row, t)}
                        {row.explanation === null ? null : (
                          <span className="muted anywhere">
                            {' '}
                            {row.explanation.text} · {agentName(row.explanation.agent, t)}
                          </span>
                        )}
                      </>
                    ),
                  },
                }),
            act: {
              head: '',
              className: 'number nowrap',
              cell: row => (
                <>
                  {row.list === 'agreed' || row.list === 'notRead' ? null : (
                    <IconButton
                      name={t('month-end.decide')}
                      icon={<PenLine size={14} />}
                      onPress={() => onDecide(row)}
                    />
                  )}
                  {row.line === null || row.movement === null || row.statement === null ? null : (
                    <IconButton
                      name={t('month-end.untie')}
                      icon={<Link2Off size={14} />}
                      onPress={() => onUntie(row)}
                    />
                  )}
                </>
              ),
            },
          }}
        />
      )}
      {view.counts.explained > 0 ? (
        <p className="small muted">{t('month-end.explained', { count: view.counts.explained })}</p>
      ) : null}
      {rows.length < maxShownRows ? null : (
        <p className="small muted">{t('month-end.first-rows', { count: maxShownRows })}</p>
      )}
    </section>
  );
};
