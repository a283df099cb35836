import { useEffect, useRef } from 'react';
import { Toolbar } from 'react-aria-components';
import { flagKinds } from '../../../shared/payments/payment-kinds.ts';
import { requestedProfile } from '../../../shared/search-query/filter-for.ts';
import { distinctNames } from '../../../shared/settings/merchant.ts';
import { withoutChip, type QueryPart } from '../../../shared/search-query/query-writing.ts';
import { readQuery, type QueryChip } from '../../../shared/search-query/search-query.ts';
import { Button } from '../../components/controls/button.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { statesInOrder } from '../../payment-states.ts';
import { useCounts } from '../../queries/counts.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { profilePart, queryOf, withFilter, type ListLocation } from '../../stores/payments/filters.ts';
import { useFilterBar } from '../../stores/payments/filter-bar-store.ts';
import { goInPlace } from '../../stores/route-store.ts';
import { useLocaleChoice, useText, useNumber } from '../../i18n/text.ts';
import { FilterAmount } from './filter-amount.tsx';
import { FilterDates } from './filter-dates.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { FilterPart } from './filter-part.tsx';
import { useChipValue } from './use-chip-value.ts';

const allProfiles = 'all profiles';

/**
 * A menu for every filter of the list, which shows its value once it is set. Each writes its word into the search box
 * and shows the words there: typed and selected filters are the same. `day`: the last local midnight, milliseconds.
 */
export const FilterBar = ({
  location,
  day,
  onClear,
}: {
  location: ListLocation;
  day: number;
  onClear: () => void;
}) => {
  const t = useText();
  const { language } = useLocaleChoice();
  const { states: counts, currencies } = useCounts();
  const app = useAppState(state => state.appState);
  const isFocusRequested = useFilterBar(state => state.isFocusRequested);
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isFocusRequested) return;
    bar.current?.querySelector('button')?.focus();
    useFilterBar.setState({ isFocusRequested: false });
  }, [isFocusRequested]);
  const query = readQuery(queryOf(location, language), day);
  const choose = (kind: QueryChip['kind'], part: QueryPart | null): void =>
    goInPlace(withFilter(location, kind, part, language, day));
  const chipOf = <K extends QueryChip['kind']>(kind: K) =>
    query.chips.find((chip): chip is Extract<QueryChip, { kind: K }> => chip.kind === kind);

  const chipValue = useChipValue();
  const remove = (chip: QueryChip): void =>
    goInPlace({ screen: 'payments', view: 'all', words: withoutChip(queryOf(location, language), chip) });
  /** The value of a filter, and its removal with all of its words. */
  const set = (kind: QueryChip['kind']): { value: string | null; onRemove: () => void } => {
    const chip = chipOf(kind);
    return chip === undefined
      ? { value: null, onRemove: () => {} }
      : { value: chipValue(chip), onRemove: () => remove(chip) };
  };
  const origin = chipOf('raised');
  const profiles = app?.profiles ?? [];
  const profile =
    query.profile === null ? [] : [requestedProfile(query.profile, null, profiles) ?? allProfiles];
  const number = useNumber();
  // The counts cover all payments of the active profile; with another filter they would mislead.
  const counted = query.words === '' && query.chips.every(({ kind }) => kind === 'states');
  const offeredCurrencies = [...new Set([...Object.keys(currencies), query.currency ?? ''])]
    .filter(Boolean)
    .sort();
  const known = (app?.agents ?? []).map(({ name }) => name);
  // The payment log compares names ignoring case.
  const agent = known.find(name => name.toLowerCase() === query.agent?.toLowerCase()) ?? query.agent;
  const agents = agent === null || known.includes(agent) ? known : [...known, agent];
  return (
    <Toolbar ref={bar} className="filters line wrap" aria-label={t('filter.name')}>
      <FilterMenu
        name={t('filter.state')}
        options={statesInOrder.map(state => ({
          id: state,
          name: t(`state.${state}`),
          show: <StatusBadge state={state} size={14} />,
          ...(counted && (counts[state] ?? 0) > 0 ? { count: number(counts[state] ?? 0) } : {}),
        }))}
        chosen={query.states}
        {...set('states')}
        onChoose={ids =>
          choose('states', { kind: 'states', states: statesInOrder.filter(state => ids.includes(state)) })
        }
      />
      <FilterDates days={chipOf('days') ?? null} {...set('days')} onChoose={part => choose('days', part)} />
      <FilterAmount
        amount={chipOf('amount')?.amount ?? null}
        {...set('amount')}
        onChoose={amount => choose('amount', amount === null ? null : { kind: 'amount', amount })}
      />
      <FilterMenu
        name={t('filter.currency')}
        any={t('filter.currency.any')}
        options={offeredCurrencies.map(currency => ({ id: currency, name: currency }))}
        chosen={query.currency === null ? [] : [query.currency]}
        {...set('currency')}
        onChoose={([currency]) =>
          choose('currency', currency === undefined ? null : { kind: 'currency', currency })
        }
      />
      <FilterMenu
        name={t('profile')}
        any={t('filter.profile.active')}
        options={[{ id: allProfiles, name: t('filter.profile.all') }, ...distinctNames(profiles)]}
        chosen={profile}
        {...set('profile')}
        onChoose={([id]) =>
          choose(
            'profile',
            id === undefined
              ? null
              : id === allProfiles
                ? { kind: 'profile', profile: 'all' }
                : profilePart(id, profiles),
          )
        }
      />
      <FilterMenu
        name={t('filter.agent')}
        any={t('filter.agent.any')}
        options={agents.map(name => ({ id: name, name }))}
        chosen={agent === null ? [] : [agent]}
        {...set('agent')}
        onChoose={([name]) => choose('agent', name === undefined ? null : { kind: 'agent', agent: name })}
      />
      <FilterMenu
        name={t('filter.flag')}
        options={flagKinds.map(flag => ({ id: flag, name: t(`flag.${flag}`) }))}
        chosen={query.flags}
        {...set('flags')}
        onChoose={ids =>
          choose('flags', { kind: 'flags', flags: flagKinds.filter(flag => ids.includes(flag)) })
        }
      />
      {origin === undefined ? null : (
        <FilterPart name={chipValue(origin)} value={chipValue(origin)} onRemove={() => remove(origin)}>
          <span className="filter">{chipValue(origin)}</span>
        </FilterPart>
      )}
      {query.chips.length === 0 ? null : (
        <Button variant="quiet" className="small push" onPress={onClear}>
          {t('filter.clear')}
        </Button>
      )}
    </Toolbar>
  );
};
