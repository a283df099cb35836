import type { QueryPart } from '../../../shared/search-query/query-writing.ts';
import { Button } from '../../components/controls/button.tsx';
import { onDemand } from '../../components/controls/on-demand.tsx';
import { useText } from '../../i18n/text.ts';
import { FilterDialog } from './filter-part.tsx';

// A calendar is large, and not on the first screen.
const DateRange = onDemand(() => import('../../components/controls/date-range.tsx').then(m => m.DateRange), {
  takesKeys: false,
});

const presets = [
  [1, 'filter.date.today'],
  [7, 'filter.date.7'],
  [30, 'filter.date.30'],
] as const;

/** The days of the payments' first events: some days up to today, or a range. */
export const FilterDates = ({
  days,
  value,
  onChoose,
  onRemove,
}: {
  /** Milliseconds, half-open. */
  days: { from: number; until: number } | null;
  /** The days in words; null = any. */
  value: string | null;
  onChoose: (part: QueryPart | null) => void;
  onRemove: () => void;
}) => {
  const t = useText();
  return (
    <FilterDialog name={t('filter.date')} value={value} onRemove={onRemove}>
      {close => {
        const choose = (part: QueryPart | null): void => {
          onChoose(part);
          close();
        };
        return (
          <div className="stack gap-3">
            <div className="line wrap">
              {presets.map(([count, key]) => (
                <Button
                  key={count}
                  // The filter is opened to choose one of these.
                  // oxlint-disable-next-line jsx-a11y/no-autofocus
                  autoFocus={count === 1}
                  onPress={() => choose({ kind: 'last-days', count })}
                >
                  {t(key)}
                </Button>
              ))}
              <Button variant="quiet" onPress={() => choose(null)}>
                {t('filter.date.any')}
              </Button>
            </div>
            <DateRange days={days} onChoose={chosen => choose({ kind: 'days', ...chosen })} />
          </div>
        );
      }}
    </FilterDialog>
  );
};
