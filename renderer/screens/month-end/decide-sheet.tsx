import { useState } from 'react';
import type { StatementRow } from '../../../shared/contract/statement-requests.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';
import { maxDecisionText } from '../../../shared/statements/statement-kinds.ts';
import { Sheet } from '../../components/controls/dialog.tsx';
import { Button } from '../../components/controls/button.tsx';
import { SelectBox } from '../../components/controls/select.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { Form, FormFoot } from '../../forms/form.tsx';
import { useDay } from '../../i18n/day.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';

const nothing = 'nothing';

type Decided = {
  statement: string | null;
  line: number | null;
  movement: string | null;
  decision: 'tied' | 'explained';
  text: string;
};

const Content = ({
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
      amount === null ? '' : formatMoney(amount, currency, locale),
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
      <FormFoot name={t('month-end.decide.do')}>
        <Button onPress={onClose}>{t('cancel')}</Button>
      </FormFoot>
    </Form>
  );
};

/** Ties a line to a payment, or explains why one side has no other. Null: closed. */
export const DecideSheet = ({
  row,
  ...rest
}: {
  row: StatementRow | null;
  rows: readonly StatementRow[];
  onDecide: (decided: Decided) => void;
  onClose: () => void;
}) => {
  const t = useText();
  return (
    <Sheet title={t('month-end.decide')} isOpen={row !== null} onClose={rest.onClose}>
      {row === null ? null : <Content row={row} {...rest} />}
    </Sheet>
  );
};
