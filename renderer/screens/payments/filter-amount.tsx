import { useState } from 'react';
import { exactAmounts } from '../../../shared/search-query/search-query.ts';
import { Button } from '../../components/controls/button.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { Form } from '../../forms/form.tsx';
import { useText } from '../../i18n/text.ts';
import { FilterDialog } from './filter-part.tsx';

const AmountForm = ({
  amount,
  onChoose,
}: {
  amount: string | null;
  onChoose: (amount: string | null) => void;
}) => {
  const t = useText();
  const [typed, setTyped] = useState(amount ?? '');
  const [unclear, setUnclear] = useState(false);
  return (
    <Form
      className="stack gap-3"
      onSubmit={() => {
        const read = exactAmounts(`=${typed}`).length > 0 ? typed.replaceAll(/\s/g, '') : null;
        if (typed.trim() !== '' && read === null) setUnclear(true);
        else onChoose(read);
      }}
    >
      <TextBox
        // The field is the purpose of the popover.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        label={t('filter.amount.exactly')}
        hint={t('filter.amount.hint')}
        value={typed}
        inputMode="decimal"
        problem={unclear ? t('filter.amount.unclear') : null}
        onChange={text => {
          setTyped(text);
          setUnclear(false);
        }}
      />
      <Button variant="primary" type="submit">
        {t('filter.apply')}
      </Button>
    </Form>
  );
};

/** One exact amount, in any currency. */
export const FilterAmount = ({
  amount,
  value,
  onChoose,
  onRemove,
}: {
  amount: string | null;
  /** The amount as shown; null = any. */
  value: string | null;
  onChoose: (amount: string | null) => void;
  onRemove: () => void;
}) => {
  const t = useText();
  return (
    <FilterDialog name={t('filter.amount')} value={value} onRemove={onRemove}>
      {close => (
        <AmountForm
          amount={amount}
          onChoose={chosen => {
            onChoose(chosen);
            close();
          }}
        />
      )}
    </FilterDialog>
  );
};
