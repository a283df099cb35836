import { X } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Button, Label, Tag, TagGroup, TagList } from 'react-aria-components';
import type { PaymentState } from '../../../shared/payments/payment.ts';
import { groupOfStates, type QueryChip } from '../../../shared/search-query/search-query.ts';
import { Button as DeskButton } from '../../components/controls/button.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';

/** Limit of listed names; more are shown as a count. */
const maxNamed = 3;

/** The filters recognised in the search box; each can be removed, and all at once. */
export const QueryChips = ({
  chips,
  typed,
  onRemove,
  onClear,
}: {
  chips: readonly QueryChip[];
  /** Whether they come from the search box, where a quoted word is not a filter. */
  typed: boolean;
  onRemove: (chip: QueryChip) => void;
  onClear: () => void;
}) => {
  const t = useText();
  const intl = useIntl();
  const { locale } = useLocaleChoice();
  const list = new Intl.ListFormat(locale, { type: 'disjunction' });
  const statesNamed = (states: readonly PaymentState[]): string =>
    states.length > maxNamed
      ? t('query.several', { count: states.length })
      : list.format(states.map(state => t(`state.${state}`)));
  const description = (chip: QueryChip): string => {
    switch (chip.kind) {
      case 'states': {
        const group = chip.group ?? groupOfStates(chip.states);
        return group === null
          ? t('query.states', { states: statesNamed(chip.states) })
          : t(`query.states.${group}`);
      }
      case 'flags':
        return t('query.flags', {
          flags:
            chip.flags.length > maxNamed
              ? t('query.several', { count: chip.flags.length })
              : list.format(chip.flags.map(flag => t(`flag.${flag}`))),
        });
      case 'days': {
        const dates = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
        return t('query.days', { days: dates.formatRange(chip.from, chip.until - 1) });
      }
      case 'amount': {
        const amount = intl.formatNumber(Number(chip.amount), {
          minimumFractionDigits: (chip.amount.split('.')[1] ?? '').length,
        });
        return t('query.amount', { amount: chip.currency === null ? amount : `${amount} ${chip.currency}` });
      }
      case 'currency':
        return t('query.currency', { currency: chip.currency });
      case 'raised':
        return t(chip.here ? 'query.created.here' : 'query.created.elsewhere');
      case 'agent':
        return t('query.agent', { agent: chip.agent });
      case 'profile':
        return chip.profile === 'all'
          ? t('filter.profile.all')
          : t('query.profile', { profile: chip.profile.name });
    }
  };
  return (
    <div className="query-line">
      <TagGroup
        className="query-chips"
        onRemove={keys => {
          for (const chip of chips) if (keys.has(`${chip.start} ${chip.text}`)) onRemove(chip);
        }}
      >
        <Label className="out-of-sight">{t('query.name')}</Label>
        <TagList
          className="line wrap"
          items={chips.map(chip => ({ id: `${chip.start} ${chip.text}`, chip }))}
        >
          {({ id, chip }) => (
            <Tag id={id} className="query-chip" textValue={description(chip)}>
              <span>{description(chip)}</span>
              <Button slot="remove" className="query-chip-remove" aria-label={t('query.remove')}>
                <X size={12} aria-hidden="true" />
              </Button>
            </Tag>
          )}
        </TagList>
      </TagGroup>
      <DeskButton variant="quiet" className="small" onPress={onClear}>
        {t('filter.clear')}
      </DeskButton>
      {typed ? <span className="tiny quiet">{t('query.quotes')}</span> : null}
    </div>
  );
};
