import { X } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Button, Label, Tag, TagGroup, TagList } from 'react-aria-components';
import type { QueryChip } from '../../../shared/search-query.ts';
import { useLocaleChoice, useText } from '../../text.ts';

/** What the search box was understood as; each can be taken out again. */
export const QueryChips = ({
  chips,
  onRemove,
}: {
  chips: readonly QueryChip[];
  onRemove: (chip: QueryChip) => void;
}) => {
  const t = useText();
  const intl = useIntl();
  const { locale } = useLocaleChoice();
  const says = (chip: QueryChip): string => {
    switch (chip.kind) {
      case 'states':
        return t(`query.states.${chip.group}`);
      case 'days': {
        const dates = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });
        return t('query.days', { days: dates.formatRange(chip.from, chip.until - 1) });
      }
      case 'amount': {
        const amount = intl.formatNumber(Number(chip.amount), {
          minimumFractionDigits: (chip.amount.split('.')[1] ?? '').length,
        });
        return t('query.amount', { amount: `${amount} ${chip.currency}` });
      }
      case 'currency':
        return t('query.currency', { currency: chip.currency });
      case 'raised':
        return t(chip.here ? 'query.raised.here' : 'query.raised.elsewhere');
      case 'agent':
        return t('query.agent', { agent: chip.agent });
    }
  };
  return (
    <TagGroup
      className="query-chips"
      onRemove={keys => {
        for (const chip of chips) if (keys.has(`${chip.start} ${chip.text}`)) onRemove(chip);
      }}
    >
      <Label className="out-of-sight">{t('query.name')}</Label>
      <TagList className="line wrap" items={chips.map(chip => ({ id: `${chip.start} ${chip.text}`, chip }))}>
        {({ id, chip }) => (
          <Tag id={id} className="query-chip" textValue={says(chip)}>
            <span>{says(chip)}</span>
            <Button slot="remove" className="query-chip-remove" aria-label={t('query.remove')}>
              <X size={12} aria-hidden="true" />
            </Button>
          </Tag>
        )}
      </TagList>
      <span className="tiny quiet">{t('query.quotes')}</span>
    </TagGroup>
  );
};
