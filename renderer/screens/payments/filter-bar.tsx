import { useEffect, useRef } from 'react';
import { ListFilterPlus } from 'lucide-react';
import { Toolbar } from 'react-aria-components';
import { flagKinds } from '../../../shared/payments/payment-kinds.ts';
import type { QueryPart } from '../../../shared/search-query/query-writing.ts';
import { readQuery, type QueryChip } from '../../../shared/search-query/search-query.ts';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { statesInOrder } from '../../payment-states.ts';
import { useCounts } from '../../stores/payments/counts.ts';
import { useAppState } from '../../stores/app-state.ts';
import {
  requestedProfile,
  profilePart,
  queryOf,
  withFilter,
  type ListLocation,
} from '../../stores/payments/filters.ts';
import { useFilterBar } from '../../stores/payments/filter-bar.ts';
import { goInPlace } from '../../stores/route.ts';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import { FilterAmount } from './filter-amount.tsx';
import { FilterDates } from './filter-dates.tsx';
import { FilterMenu } from './filter-menu.tsx';

const allProfiles = 'all profiles';

/**
 * A menu for every filter of the list. Each writes its word into the search box and shows the words there: typed and
 * selected filters are the same. `day`: the last local midnight, milliseconds.
 */
export const FilterBar = ({ location, day }: { location: ListLocation; day: number }) => {
  const t = useText();
  const { locale, language } = useLocaleChoice();
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

  const profiles = app?.profiles ?? [];
  const profile =
    query.profile === null ? [] : [requestedProfile(query.profile, null, profiles) ?? allProfiles];
  const number = new Intl.NumberFormat(locale);
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
    <Toolbar ref={bar} className="filters" aria-label={t('filter.name')}>
      <ListFilterPlus size={16} aria-hidden="true" className="quiet" />
      <FilterMenu
        name={t('filter.state')}
        options={statesInOrder.map(state => ({
          id: state,
          name: t(`state.${state}`),
          show: <StatusBadge state={state} size={14} />,
          ...(counted && (counts[state] ?? 0) > 0 ? { count: number.format(counts[state] ?? 0) } : {}),
        }))}
        chosen={query.states}
        onChoose={ids =>
          choose('states', { kind: 'states', states: statesInOrder.filter(state => ids.includes(state)) })
        }
      />
      <FilterDates days={chipOf('days') ?? null} onChoose={part => choose('days', part)} />
      <FilterAmount
        amount={chipOf('amount')?.amount ?? null}
        onChoose={amount => choose('amount', amount === null ? null : { kind: 'amount', amount })}
      />
      <FilterMenu
        name={t('filter.currency')}
        any={t('filter.currency.any')}
        options={offeredCurrencies.map(currency => ({ id: currency, name: currency }))}
        chosen={query.currency === null ? [] : [query.currency]}
        onChoose={([currency]) =>
          choose('currency', currency === undefined ? null : { kind: 'currency', currency })
        }
      />
      <FilterMenu
        name={t('profile')}
        any={t('filter.profile.active')}
        options={[
          { id: allProfiles, name: t('filter.profile.all') },
          ...profiles.map(({ id, name }) => ({ id, name })),
        ]}
        chosen={profile}
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
        onChoose={([name]) => choose('agent', name === undefined ? null : { kind: 'agent', agent: name })}
      />
      <FilterMenu
        name={t('filter.flag')}
        options={flagKinds.map(flag => ({ id: flag, name: t(`flag.${flag}`) }))}
        chosen={query.flags}
        onChoose={ids =>
          choose('flags', { kind: 'flags', flags: flagKinds.filter(flag => ids.includes(flag)) })
        }
      />
    </Toolbar>
  );
};
