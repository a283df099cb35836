import { useDeferredValue, useMemo, type Ref } from 'react';
import { ChevronDown } from 'lucide-react';
import { Button, ListBox, Popover, Select, SelectValue } from 'react-aria-components';
import { currencyCodes, exponentOf } from '../../../shared/money/currencies.ts';
import { OptionItem, type Option, TextBox } from '../../components/controls/fields.tsx';
import { focusSearch } from '../../stores/search/search-box-store.ts';
import { useLocaleChoice, useNumber, useText, namesOf } from '../../i18n/text.ts';

const frequent = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'CZK', 'SEK', 'NOK', 'DKK'];

const currencyOptions = (codes: readonly string[], locale: string): Option[] => {
  const names = namesOf(locale, { type: 'currency' });
  return [...new Set(codes)].map(code => ({ id: code, name: code, detail: names.of(code) ?? code }));
};

const CurrencySelect = ({
  value,
  usual,
  onChange,
}: {
  value: string;
  usual: string;
  onChange: (currency: string) => void;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  // The complete list of currencies is added after the first render.
  const isDrawn = useDeferredValue(true, false);
  const only = isDrawn ? null : value;
  const options = useMemo(
    () => currencyOptions(only === null ? [usual, ...frequent, ...currencyCodes] : [only], locale),
    [only, usual, locale],
  );
  return (
    <Select aria-label={t('new.currency')} value={value} onChange={key => onChange(String(key))}>
      <Button className="money-currency-button hovers focus-inside line as-text title-size medium">
        <SelectValue>{value}</SelectValue>
        <ChevronDown size={16} aria-hidden="true" />
      </Button>
      <Popover className="popover">
        <ListBox className="options" items={options}>
          {option => <OptionItem option={option} />}
        </ListBox>
      </Popover>
    </Select>
  );
};

/** The amount and its currency in one field, and the amount in words below. */
export const AmountField = ({
  currency,
  usualCurrency,
  onCurrency,
  currencyProblem,
  words,
  inputRef,
  ...box
}: Omit<Parameters<typeof TextBox>[0], 'label' | 'hint' | 'lead' | 'inputRef'> & {
  currency: string;
  usualCurrency: string;
  onCurrency: (currency: string) => void;
  currencyProblem: string | null;
  words: string | null;
  inputRef: Ref<HTMLInputElement>;
}) => {
  const t = useText();
  const zero = useNumber({ minimumFractionDigits: exponentOf(currency) ?? 2 });
  return (
    <div className="money-field">
      <TextBox
        {...box}
        label={t('new.amount')}
        inputRef={inputRef}
        inputClass="amount-input"
        inputMode="decimal"
        onKeyDown={event => {
          // The keys that the screen shows work here too, as long as nothing is typed.
          if (box.value !== '' || event.ctrlKey || event.metaKey || event.altKey)
            return event.continuePropagation();
          if (event.key === '/') {
            event.preventDefault();
            focusSearch(false);
          } else if (event.key.toLowerCase() === 'n') event.preventDefault();
          else event.continuePropagation();
        }}
        autoComplete="off"
        isRequired
        placeholder={zero(0)}
        problem={box.problem ?? currencyProblem}
        lead={<CurrencySelect value={currency} usual={usualCurrency} onChange={onCurrency} />}
      />
      <p className="reading" aria-live="polite">
        {(box.problem ?? currencyProblem) ? '' : (words ?? t('new.amount.hint'))}
      </p>
    </div>
  );
};
