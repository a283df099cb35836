import type { StatementPreview, StatementRow } from '../../../shared/contract/statement-requests.ts';
import { signedMoney } from '../../../shared/money/format-amount.ts';
import { decimalOf } from '../../../shared/money/signed-amount.ts';
import {
  columnName,
  columnRoles,
  type ColumnRole,
  maxDecisionText,
} from '../../../shared/statements/statement-kinds.ts';
import { Sheet } from '../../components/controls/dialog.tsx';
import { SelectBox, TextBox } from '../../components/controls/fields.tsx';
import { SegmentedControl } from '../../components/controls/radio-choice.tsx';
import { Note } from '../../components/display/notes.tsx';
import { Form, FormFoot, useTask } from '../../forms/form.tsx';
import { useDay, useLocaleChoice, useText } from '../../i18n/text.ts';
import { request } from '../../ipc-client.ts';
import { MonthTable, useDays } from './month-panels.tsx';
import { useState } from 'react';

const nothing = 'nothing';

type Decided = {
  statement: string | null;
  line: number | null;
  movement: string | null;
  decision: 'tied' | 'explained';
  text: string;
};

/** Ties a line to a payment, or explains why one side has no other. */
export const DecideSheet = ({
  row,
  rows,
  onDecide,
  onClose,
}: {
  row: StatementRow;
  rows: readonly StatementRow[];
  onDecide: (decided: Decided) => void;
  onClose: () => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const dayText = useDay();
  const [other, setOther] = useState(nothing);
  const [text, setText] = useState(row.explanation?.text ?? '');
  // Either side alone can be tied to what is alone on the other one.
  const others =
    row.list === 'onlyHere' || row.list === 'onlyThere'
      ? rows.filter(({ list }) => list === (row.list === 'onlyHere' ? 'onlyThere' : 'onlyHere'))
      : [];
  const nameOf = ({ orderNumber, amount, currency, day, line }: StatementRow): string =>
    [
      orderNumber ?? t('month-end.line', { line: line ?? 0 }),
      amount === null ? '' : signedMoney(amount, currency, locale),
      day === null ? '' : dayText(day),
    ]
      .filter(part => part !== '')
      .join(' · ');
  const submit = (): void => {
    const chosen = others.find(({ id }) => id === other);
    const sides = chosen
      ? {
          statement: row.statement ?? chosen.statement,
          line: row.line ?? chosen.line,
          movement: row.movement ?? chosen.movement,
        }
      : { statement: row.statement, line: row.line, movement: row.movement };
    onDecide({ ...sides, decision: chosen ? 'tied' : 'explained', text: text.trim() });
  };
  return (
    <Sheet title={t('month-end.decide')} onClose={onClose}>
      <Form onSubmit={submit}>
        <p>{nameOf(row)}</p>
        {others.length === 0 ? null : (
          <SelectBox
            label={t('month-end.belongs-to')}
            options={[
              { id: nothing, name: t('month-end.belongs-to.nothing') },
              ...others.map(one => ({ id: one.id, name: nameOf(one) })),
            ]}
            value={other}
            onChange={setOther}
          />
        )}
        <TextBox
          label={t('month-end.column.explanation')}
          hint={t('month-end.explanation.hint')}
          lines={3}
          maxLength={maxDecisionText}
          value={text}
          onChange={setText}
        />
        <FormFoot name={t('month-end.decide.do')} onCancel={onClose} />
      </Form>
    </Sheet>
  );
};

type Mapping = StatementPreview['mapping'];

/** The columns of the file with its own first rows; each says what it contains. */
const Columns = ({
  preview,
  onMapping,
}: {
  preview: StatementPreview;
  onMapping: (mapping: Mapping) => void;
}) => {
  const t = useText();
  const roles = columnRoles.map(id => ({ id, name: t(`month-end.role.${id}`) }));
  const choose = (index: number, heading: string, role: ColumnRole): void =>
    onMapping({
      ...preview.mapping,
      columns: { ...preview.mapping.columns, [columnName(heading, index)]: role },
    });
  const rows = Array.from({ length: preview.columns[0]?.cells.length ?? 0 }, (_, index) => index);
  return (
    <div className="statement-columns">
      <MonthTable
        label={t('month-end.columns')}
        rows={rows}
        keyOf={String}
        columns={Object.fromEntries(
          preview.columns.map(({ heading, role, cells }, index) => [
            `${index}`,
            {
              head: (
                <SelectBox
                  label={heading === '' ? t('month-end.column-number', { number: index + 1 }) : heading}
                  options={roles}
                  value={role}
                  onChange={chosen => choose(index, heading, chosen)}
                />
              ),
              className: role === 'ignored' ? 'quiet nowrap' : 'nowrap',
              cell: (row: number) => cells[row] ?? '',
            },
          ]),
        )}
      />
    </div>
  );
};

/** How a file was read, before it is kept. */
export const ImportSheet = ({
  preview,
  onPreview,
  onClose,
  onImported,
}: {
  preview: StatementPreview;
  onPreview: (preview: StatementPreview) => void;
  onClose: () => void;
  onImported: (month: string) => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const task = useTask();
  const dayText = useDay();
  const daysText = useDays();
  const { name, lines, notRead, skipped, agreed, period, questions, sample, conventions } = preview;
  const remap = (mapping: Mapping): void =>
    void task.send(() => request('statements.preview', { mapping }), onPreview);
  return (
    <Sheet title={t('month-end.statement')} onClose={onClose} wide>
      <Form
        onSubmit={() =>
          task.send(
            () => request('statements.import', {}),
            ({ month }) => onImported(month),
          )
        }
      >
        <p>
          <strong>{name}</strong>: {t('month-end.read', { lines, skipped, notRead })}{' '}
          {period ? `${daysText(period.first, period.last)}. ` : ''}
          {t('month-end.read.agreed', { agreed })}
        </p>
        {preview.isKnown ? <Note tone="warning">{t('month-end.known')}</Note> : null}
        {questions.map(question => (
          <div key={question.about} className="stack gap-2">
            <Note tone="warning">{t(`month-end.question.${question.about}`)}</Note>
            {question.about === 'numbers' ? (
              <SegmentedControl
                label={t('month-end.question.numbers')}
                options={question.choices.map(id => ({ id, name: t(`month-end.numbers.${id}`) }))}
                value={preview.mapping.numbers ?? conventions?.numbers ?? 'point'}
                onChange={numbers => remap({ ...preview.mapping, numbers })}
              />
            ) : (
              <SegmentedControl
                label={t('month-end.question.dates')}
                options={question.choices.map(id => ({ id, name: t(`month-end.dates.${id}`) }))}
                value={preview.mapping.dates ?? conventions?.dates ?? 'ymd'}
                onChange={dates => remap({ ...preview.mapping, dates })}
              />
            )}
          </div>
        ))}
        <h3>{t('month-end.understood')}</h3>
        <MonthTable
          label={t('month-end.understood')}
          rows={sample}
          keyOf={({ line }) => String(line)}
          columns={{
            line: { head: t('month-end.column.line'), cell: ({ line }) => line },
            kind: {
              head: t('month-end.column.kind'),
              isName: true,
              cell: ({ kind }) => t(`month-end.kind.${kind}`),
            },
            order: { head: t('column.order'), cell: ({ order }) => order ?? '–' },
            day: { head: t('month-end.column.day'), cell: ({ day }) => (day === null ? '–' : dayText(day)) },
            amount: {
              head: t('column.amount'),
              className: 'number',
              headClass: 'number',
              cell: ({ gross, currency }) =>
                signedMoney(decimalOf(BigInt(gross), currency), currency, locale),
            },
          }}
        />
        {preview.columns.length === 0 ? null : <Columns preview={preview} onMapping={remap} />}
        <FormFoot
          problem={task.problem}
          line="line end foot-in-view"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- of a dialog: Enter imports what is shown
          autoFocus
          name={t('month-end.import')}
          request="statements.import"
          isDisabled={preview.isKnown || questions.length > 0}
          onCancel={onClose}
        />
      </Form>
    </Sheet>
  );
};
