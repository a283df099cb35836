import { useEffect } from 'react';
import { SearchX } from 'lucide-react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { PaymentState } from '../../../shared/payment.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Empty } from '../../components/note.tsx';
import { Screen } from '../../components/screen.tsx';
import { StatusMark } from '../../components/status-mark.tsx';
import { statesInOrder } from '../../payment-states.ts';
import { readQuery, withoutChip } from '../../../shared/search-query.ts';
import type { View } from '../../routes.ts';
import { useClock } from '../../stores/clock.ts';
import { useCounts } from '../../stores/counts.ts';
import { useActiveProfile } from '../../stores/desk.ts';
import { filterOf, sumOf, viewStates } from '../../stores/filters.ts';
import { usePayments } from '../../stores/payments.ts';
import { useSelection } from '../../stores/selection.ts';
import { go, goInPlace } from '../../stores/route.ts';
import { useLocaleChoice, useText } from '../../text.ts';
import { EmptyView } from './empty-view.tsx';
import { ExportMenu } from './export-menu.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { QueryChips } from './query-chips.tsx';
import { PaymentGrid } from './payment-grid.tsx';

type Place = { view: View; words: string; states: readonly string[] };

/** States as chips with their counts; those that hold nothing stay away unless chosen. */
const StateChips = ({ place }: { place: Place }) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const counts = useCounts(state => state.states);
  const ofView = viewStates[place.view];
  const offered = statesInOrder.filter(
    state =>
      place.states.includes(state) ||
      ((counts[state] ?? 0) > 0 && (ofView.length === 0 || ofView.includes(state))),
  );
  // The counts are of all payments, not of those found: beside a search or a day they would mislead.
  const counted = place.words === '' && place.view !== 'today' && place.view !== 'unpaid-today';
  if (offered.length < 2 && place.states.length === 0) return null;
  return (
    <ToggleButtonGroup
      className="chips"
      aria-label={t('list.states')}
      selectionMode="multiple"
      selectedKeys={place.states}
      onSelectionChange={keys => goInPlace({ screen: 'payments', ...place, states: [...keys].map(String) })}
    >
      {offered.map((state: PaymentState) => (
        <ToggleButton key={state} id={state} className="chip">
          <StatusMark state={state} size={14} />
          {counted ? (
            <span className="chip-count">{new Intl.NumberFormat(locale).format(counts[state] ?? 0)}</span>
          ) : null}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
};

/** The list of payments: search, states, saved views; live, and never jumping. */
export const PaymentsScreen = ({ view, words, states }: Place) => {
  const t = useText();
  const profile = useActiveProfile();
  const { rows, loading, problem, newer, filter, next, outside, more } = usePayments();
  const day = useClock(({ wall }) => new Date(wall).setHours(0, 0, 0, 0));
  const { states: counts, profileId: countedProfile } = useCounts();
  const place = { view, words, states };
  const chosen = states.join(',');
  const profileId = profile?.id ?? null;
  useEffect(() => {
    void usePayments
      .getState()
      .show(filterOf({ view, words, states: chosen.split(',').filter(Boolean) }, profileId, day));
  }, [view, words, chosen, profileId, day]);

  const wanted = JSON.stringify(filter);
  useEffect(() => useSelection.getState().attend(wanted), [wanted]);
  const chooseAll = (): void => {
    if (filter) void useSelection.getState().chooseAll(filter);
  };

  // Known without asking when the list is cut by states alone.
  const total =
    words === '' && filter?.from === null && filter.profileId === countedProfile
      ? sumOf(counts, filter.states.length > 0 ? filter.states : statesInOrder)
      : null;
  const title = words === '' ? t(`view.${view}`) : t('list.found', { words });
  const everywhere = filter?.profileId === null;
  const { chips } = readQuery(words, day);
  return (
    <Screen
      className="payments"
      title={title}
      label={t(`view.${view}`)}
      lead={everywhere ? t('list.everywhere') : t('list.of-profile', { profile: profile?.name ?? '' })}
      actions={
        <span className="line">
          <output className="quiet small">
            {loading === 'first'
              ? t('loading')
              : t(next === null || total !== null ? 'list.count' : 'list.count-more', {
                  count: next === null ? rows.length : (total ?? rows.length),
                })}
          </output>
          <ExportMenu filter={filter} />
        </span>
      }
    >
      {chips.length > 0 ? (
        <QueryChips
          chips={chips}
          onRemove={chip => goInPlace({ screen: 'payments', ...place, words: withoutChip(words, chip) })}
        />
      ) : null}
      <StateChips place={place} />
      {outside ? <p className="small muted">{t('list.outside')}</p> : null}
      {problem ? <ErrorNote error={problem} /> : null}
      <SelectionBar onChooseAll={chooseAll} />
      <div className="list-frame">
        {newer > 0 ? (
          <Button look="primary" className="newer" onPress={() => void usePayments.getState().refresh()}>
            {t('list.newer', { count: newer })}
          </Button>
        ) : null}
        {rows.length > 0 ? (
          <PaymentGrid
            rows={rows}
            more={next === null ? null : more}
            withAnswer={words !== '' && rows.length <= 3 && next === null}
            onChooseAll={chooseAll}
          />
        ) : loading === null && problem === null ? (
          words === '' && states.length === 0 ? (
            <EmptyView view={view} />
          ) : (
            <Empty
              icon={<SearchX size={28} />}
              title={t('empty.found')}
              action={
                <div className="line wrap">
                  {everywhere ? null : (
                    <Button
                      look="primary"
                      onPress={() =>
                        void usePayments
                          .getState()
                          .show({ ...filterOf({ view: 'all', words, states: [] }, null, day) })
                      }
                    >
                      {t('empty.everywhere')}
                    </Button>
                  )}
                  {words === '' ? null : (
                    <Button
                      onPress={() => go({ screen: 'look-up', by: 'order-number', value: words.trim() })}
                    >
                      {t('look-up.at-gateway')}
                    </Button>
                  )}
                </div>
              }
            >
              {t('empty.found.text')}
            </Empty>
          )
        ) : null}
      </div>
    </Screen>
  );
};
