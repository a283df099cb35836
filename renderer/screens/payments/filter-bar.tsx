import { useEffect, useRef, type ReactNode, useState } from 'react';
import { Toolbar, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { flagKinds } from '../../../shared/payments/payment-kinds.ts';
import { requestedProfile } from '../../../shared/search-query/filter-for.ts';
import { distinctNames } from '../../../shared/settings/merchant.ts';
import { withoutChip, type QueryPart } from '../../../shared/search-query/query-writing.ts';
import { readQuery, type QueryChip, exactAmounts } from '../../../shared/search-query/search-query.ts';
import { Button } from '../../components/controls/button.tsx';
import { StatusBadge } from '../../components/display/status-badge.tsx';
import { statesInOrder } from '../../payment-states.ts';
import { useCounts } from '../../queries/counts.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { profilePart, queryOf, withFilter, type ListLocation } from '../../stores/payments/filters.ts';
import { useFilterBar } from '../../stores/payments/filter-bar-store.ts';
import { goInPlace } from '../../stores/route-store.ts';
import { useLocaleChoice, useText, useNumber } from '../../i18n/text.ts';
import { FilterPart, FilterButton, FilterDialog } from './filter-part.tsx';
import { useChipValue } from './use-chip-value.ts';
import { Truncate } from '../../components/display/values.tsx';
import { TextBox } from '../../components/controls/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { partOnDemand } from '../../components/controls/on-demand.tsx';

// A calendar is large, and not on the first screen.
const DateRange = partOnDemand(() => import('../../components/controls/date-range.tsx'), 'DateRange');

const presets = [
  [1, 'filter.date.today'],
  [7, 'filter.date.7'],
  [30, 'filter.date.30'],
] as const;

/** The days of the payments' first events: some days up to today, or a range. */
const FilterDates = ({
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
const FilterAmount = ({
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

type FilterOption = { id: string; name: string; show?: ReactNode; count?: string };

const anything = 'any';

/** A filter with a list of options: several, or one and "any". */
const FilterMenu = ({
  name,
  any,
  options,
  chosen,
  value,
  onChoose,
  onRemove,
}: {
  name: string;
  /** The label of "no filter" for a single choice; without it, several can be selected. */
  any?: string;
  options: readonly FilterOption[];
  chosen: readonly string[];
  /** The selected options in words; null = none. */
  value: string | null;
  onChoose: (ids: readonly string[]) => void;
  onRemove: () => void;
}) => (
  <FilterPart name={name} value={value} onRemove={onRemove}>
    <MenuTrigger>
      <FilterButton name={name} value={value} />
      <Popover className="popover filter-popover" aria-label={name}>
        <Menu
          className="menu"
          aria-label={name}
          selectionMode={any === undefined ? 'multiple' : 'single'}
          disallowEmptySelection={any !== undefined}
          selectedKeys={chosen.length === 0 && any !== undefined ? [anything] : chosen}
          onSelectionChange={keys =>
            onChoose(keys === 'all' ? [] : [...keys].map(String).filter(key => key !== anything))
          }
        >
          {any === undefined ? null : (
            <MenuItem id={anything} className="menu-item">
              {any}
            </MenuItem>
          )}
          {options.map(({ id, name: optionName, show, count }) => (
            <MenuItem key={id} id={id} className="menu-item" textValue={optionName}>
              {show ?? <Truncate text={optionName} />}
              {count === undefined ? null : <span className="quiet tiny push">{count}</span>}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  </FilterPart>
);

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
