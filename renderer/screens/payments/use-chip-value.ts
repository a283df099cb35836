import { useIntl } from 'react-intl';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { groupOfStates, type QueryChip } from '../../../shared/search-query/search-query.ts';
import { useList, useLocaleChoice, useText, dateFormat } from '../../i18n/text.ts';

/** Limit of listed names; more are shown as a count. */
const maxNamed = 3;

/** The value of a filter in words, without the filter's name. */
export const useChipValue = (): ((chip: QueryChip) => string) => {
  const t = useText();
  const intl = useIntl();
  const { locale } = useLocaleChoice();
  const list = useList('disjunction');
  const named = (names: readonly string[]): string =>
    names.length > maxNamed ? t('query.several', { count: names.length }) : list(names);
  const statesNamed = (states: readonly PaymentState[]): string => {
    const group = groupOfStates(states);
    return group === null ? named(states.map(state => t(`state.${state}`))) : t(`query.states.${group}`);
  };
  return chip => {
    switch (chip.kind) {
      case 'states':
        return chip.group ? t(`query.states.${chip.group}`) : statesNamed(chip.states);
      case 'flags':
        return named(chip.flags.map(flag => t(`flag.${flag}`)));
      case 'days': {
        const dates = dateFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
        return dates.formatRange(chip.from, chip.until - 1);
      }
      case 'amount': {
        const amount = intl.formatNumber(Number(chip.amount), {
          minimumFractionDigits: (chip.amount.split('.')[1] ?? '').length,
        });
        return chip.currency === null ? amount : `${amount} ${chip.currency}`;
      }
      case 'currency':
        return chip.currency;
      case 'raised':
        return t(chip.here ? 'query.created.here' : 'query.created.elsewhere');
      case 'agent':
        return chip.agent;
      case 'profile':
        return chip.profile === 'all' ? t('filter.profile.all') : chip.profile.name;
    }
  };
};
