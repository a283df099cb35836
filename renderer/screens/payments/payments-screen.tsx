import { useCallback, useEffect, useMemo, useState } from 'react';
import { BookmarkPlus, SearchX, Footprints, Inbox, ListTree, Plus } from 'lucide-react';
import { dayAt, startOf } from '../../../shared/days.ts';
import { paymentKey, type PaymentKey } from '../../../shared/payments/payment-row.ts';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import { withoutFilters } from '../../../shared/search-query/query-writing.ts';
import { readQuery } from '../../../shared/search-query/search-query.ts';
import { Button } from '../../components/controls/button.tsx';
import { PageError, Empty } from '../../components/display/notes.tsx';
import { Screen } from '../../components/display/screen.tsx';
import { statesInOrder } from '../../payment-states.ts';
import { countIn } from '../../../shared/payments/outcomes.ts';
import { useClock } from '../../stores/clock-store.ts';
import { useCounts, totalsQuery } from '../../queries/counts.ts';
import { useActiveProfile, useAppState, useSingleKeys } from '../../stores/app-state-store.ts';
import {
  filterOf,
  queryOf,
  withFilter,
  withoutAnyFilter,
  type ListLocation,
} from '../../stores/payments/filters.ts';
import { listQuery, pageSize, readMore, useNextPage } from '../../queries/payment-list.ts';
import { useSelection } from '../../stores/payments/selection-store.ts';
import { go, goInPlace } from '../../stores/route-store.ts';
import { isUnsaved, useSavedViews, useViews } from '../../stores/payments/views-store.ts';
import { useLocaleChoice, useText, useList } from '../../i18n/text.ts';
import { useFocusRows } from '../../hooks/use-focus-rows.ts';
import { roomForPane, useMedia } from '../../hooks/use-media.ts';
import { OthersNote } from '../team/others-note.tsx';
import { PaymentPane } from '../payment/payment-pane.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { PaymentGrid } from './payment-grid.tsx';
import type { View } from '../../routes.ts';
import { openGuide } from '../../queries/guide.ts';
import type { PaymentFilter } from '../../../shared/contract/contract.ts';
import { formatMoney } from '../../../shared/money/format-amount.ts';

/** How long a filter must be shown before its sums are read, milliseconds: typing and the rows go first. */
const settleMs = 700;
/** Limit of currencies in the line; the others are in its title. */
const maxCurrencies = 3;

/** The number of payments that a list finds, and their sums by currency: of all of them, not of the loaded rows. */
const ListFoot = ({
  filter,
  counted,
  isLoading,
}: {
  /** Null: the rows are not those of a filter. */
  filter: PaymentFilter | null;
  /** What is known from the rows; the totals replace it. */
  counted: { count: number; more: boolean };
  isLoading: boolean;
}) => {
  const t = useText();
  const { locale } = useLocaleChoice();
  const { value: totals } = totalsQuery.use(filter, settleMs);
  const { count, more } = totals ?? counted;
  const countKey = !more ? 'list.count' : totals === null ? 'list.count-more' : 'list.count-over';
  const sums = totals?.sums ?? [];
  // The money that came in; of a list in which nothing did, what its links ask for.
  const of = sums.some(({ paid }) => Number(paid) > 0) ? 'paid' : 'amount';
  const texts = sums
    .filter(sum => Number(sum[of]) > 0)
    .map(sum => formatMoney(sum[of], sum.currency, locale));
  const others = Math.max(0, texts.length - maxCurrencies);
  const notIn = totals?.notIn[of] ?? 0;
  return (
    <div className="list-foot row fixed wrap middle quiet small tabular">
      <output>{isLoading ? t('loading') : t(countKey, { count })}</output>
      {isLoading || texts.length === 0 ? null : (
        <span className="list-sums wrap" title={texts.join('\n')}>
          {t(`list.sums.${of}`)}
          {texts.slice(0, maxCurrencies).map(text => (
            <b key={text}>{text}</b>
          ))}
          {others > 0 ? t('list.sums.more', { count: others }) : null}
        </span>
      )}
      {isLoading || totals === null ? null : totals.sums === null ? (
        <span>{t('list.sums.none')}</span>
      ) : notIn > 0 ? (
        <span>{t('list.sums.uncounted', { count: notIn })}</span>
      ) : null}
    </div>
  );
};

/**
 * The spellings that corrected search words list instead of the typed ones: `anna =schmidt|schmitt` are `schmidt` and
 * `schmitt`. Amounts and typed words are not among them.
 */
const spellingsShown = (words: string): string[] =>
  words
    .split(/\s+/)
    .filter(word => /^=\P{Nd}/u.test(word))
    .flatMap(word => word.slice(1).split('|'))
    .filter(spelling => !spelling.startsWith('*'))
    .map(spelling => spelling.replace(/\*$/, '…'));

/** Limit of spellings that the note names. */
const maxNamed = 3;

/** Above the list: no payment matches the typed words, and whose payments are shown instead. */
const SimilarNote = ({ asked, filter }: { asked: PaymentFilter; filter: PaymentFilter }) => {
  const t = useText();
  const either = useList('disjunction');
  const typed = asked.words
    .split(/\s+/)
    .filter(word => !word.startsWith('='))
    .join(' ');
  const spellings = spellingsShown(filter.words);
  const named = spellings.map(word => t('list.similar.word', { word }));
  return (
    <output className="line wrap small muted">
      <span>
        {spellings.length > maxNamed
          ? t('list.similar.several', { typed })
          : t('list.similar', {
              typed,
              words: either(named),
            })}
      </span>
      {/* An order that the list does not have may exist at the gateway. */}
      {/^\S*\d\S*$/.test(typed) ? (
        <Button onPress={() => go({ screen: 'look-up', by: 'order-number', value: typed })}>
          {t('look-up.now')}
        </Button>
      ) : null}
    </output>
  );
};

/** A view without payments: its purpose, and where to go instead. */
const EmptyView = ({ view }: { view: View }) => {
  const t = useText();
  const singleKeys = useSingleKeys();
  const raise = (
    <Button
      variant="primary"
      icon={Plus}
      {...(singleKeys ? { keys: 'N' } : {})}
      onPress={() => go({ screen: 'new' })}
    >
      {t('nav.new')}
    </Button>
  );
  const elsewhere = {
    all: (
      <Button icon={Footprints} onPress={openGuide}>
        {t('guide.name')}
      </Button>
    ),
    today: null,
    open: null,
    'unpaid-today': (
      <Button icon={ListTree} onPress={() => go({ screen: 'payments', view: 'all', words: '' })}>
        {t('view.all')}
      </Button>
    ),
  }[view];
  return (
    <Empty
      icon={<Inbox size={28} />}
      title={t(`empty.${view}`)}
      action={
        <div className="line wrap">
          {view === 'unpaid-today' ? null : raise}
          {elsewhere}
        </div>
      }
    >
      {t(`empty.${view}.text`)}
    </Empty>
  );
};

const noProfiles: readonly ProfileView[] = [];

/** The list of payments: search, states, saved views; updated live without moving rows. */
export const PaymentsScreen = ({ view, words }: ListLocation) => {
  const t = useText();
  const { language } = useLocaleChoice();
  const profile = useActiveProfile();
  const profiles = useAppState(state => state.appState?.profiles ?? noProfiles);
  const day = useClock(({ wallClock }) => startOf(dayAt(wallClock)));
  const counts = useCounts();
  const location = { view, words };
  const profileId = profile?.id ?? null;
  const asked = useMemo(
    () => filterOf({ view, words }, profileId, day, profiles),
    [view, words, profileId, day, profiles],
  );
  const { value, problem: unread, isReading } = listQuery.use(asked);
  const { rows = [], newer = 0, next = null, outside = false } = value ?? {};
  const filter = isReading ? asked : (value?.filter ?? asked);
  const more = useCallback(() => readMore(asked), [asked]);
  const nextProblem = useNextPage(state => state.problem);
  const problem = unread ?? (value?.next ? nextProblem : null);

  useFocusRows(rows.length > 0);
  const wanted = JSON.stringify(filter);
  useEffect(() => useSelection.getState().setList(wanted), [wanted]);
  const chooseAll = (): void => {
    void useSelection.getState().chooseAll(filter);
  };

  const query = readQuery(queryOf(location, language), day);
  // Known without a request if the list is filtered only by states.
  const total =
    query.words === '' && query.chips.every(({ kind }) => kind === 'states') && filter.profileId === profileId
      ? countIn(counts, filter.states.length > 0 ? filter.states : statesInOrder) +
        (filter.retryable ? counts.retryable : 0)
      : null;
  const isSearching = query.words !== '';
  /** The words without a chip: an amount is one. */
  const spoken = query.words
    .split(' ')
    .filter(word => !word.startsWith('='))
    .join(' ');
  const views = useSavedViews();
  const saved = words === '' ? undefined : views.find(one => one.words === words);
  const title = saved?.name ?? (isSearching ? t('list.found', { words }) : t(`view.${view}`));
  const hasRoom = useMedia(roomForPane);
  const [selected, setSelected] = useState<PaymentKey | null>(null);
  const selectedKey = selected === null ? null : paymentKey(selected);
  // A payment that is no longer in the list is not shown beside it.
  const shown = hasRoom && rows.some(row => paymentKey(row) === selectedKey) ? selected : null;
  const isAllProfiles = filter.profileId === null;
  const profileName = profiles.find(({ id }) => id === filter.profileId)?.name ?? profile?.name ?? '';
  return (
    <Screen
      className="payments"
      title={title}
      label={saved?.name ?? t(`view.${view}`)}
      lead={isAllProfiles ? t('list.everywhere') : t('list.of-profile', { profile: profileName })}
      actions={
        <span className="line">
          {isUnsaved(location, views) ? (
            <Button icon={BookmarkPlus} onPress={() => useViews.getState().open('save')}>
              {t('views.save')}
            </Button>
          ) : null}
          <ColumnsMenu />
          <ExportButton subject={{ kind: 'list', filter }}>{t('export.open')}</ExportButton>
        </span>
      }
    >
      <FilterBar location={location} day={day} onClear={() => goInPlace(withoutAnyFilter(location, day))} />
      {value?.isApproximate && !isReading ? <SimilarNote asked={asked} filter={filter} /> : null}
      {outside ? <p className="small muted">{t('list.outside')}</p> : null}
      <PageError error={problem} isEmpty={rows.length === 0} />
      <div className={`list-and-pane stack gap-0 grow ${shown === null ? '' : 'split'}`}>
        <div className="list-frame">
          {newer > 0 ? (
            <Button variant="primary" className="newer" onPress={() => void listQuery.read(asked)}>
              {newer < pageSize
                ? t('list.newer', { count: newer })
                : t('list.newer.many', { count: pageSize - 1 })}
            </Button>
          ) : null}
          {rows.length > 0 ? (
            <PaymentGrid
              list={wanted}
              rows={rows}
              more={next === null ? null : more}
              withAnswer={isSearching && rows.length <= 3 && next === null}
              onChooseAll={chooseAll}
              onCurrent={setSelected}
              opensPage={!hasRoom}
            />
          ) : !isReading && problem === null ? (
            words === '' ? (
              <EmptyView view={view} />
            ) : (
              <Empty
                icon={<SearchX size={28} />}
                title={t('empty.found')}
                action={
                  <div className="line wrap">
                    {isAllProfiles && query.chips.length === 1 ? null : (
                      <Button
                        variant="primary"
                        onPress={() =>
                          goInPlace(
                            withFilter(
                              { view: 'all', words: withoutFilters(words, day) },
                              'profile',
                              { kind: 'profile', profile: 'all' },
                              language,
                              day,
                            ),
                          )
                        }
                      >
                        {t('empty.everywhere')}
                      </Button>
                    )}
                    {isSearching ? (
                      <Button
                        onPress={() => go({ screen: 'look-up', by: 'order-number', value: query.words })}
                      >
                        {t('look-up.now')}
                      </Button>
                    ) : null}
                  </div>
                }
              >
                {t('empty.found.text')}
                {query.chips.length > 0 && spoken !== ''
                  ? ` ${t('empty.found.words', { words: spoken })}`
                  : null}
              </Empty>
            )
          ) : null}
          <OthersNote />
          <ListFoot
            filter={outside ? null : filter}
            counted={
              next === null
                ? { count: rows.length, more: false }
                : { count: total ?? rows.length, more: total === null }
            }
            isLoading={isReading}
          />
        </div>
        {shown === null ? null : (
          <PaymentPane
            profileId={shown.profileId}
            orderNumber={shown.orderNumber}
            onClose={() => {
              setSelected(null);
              document.querySelector<HTMLElement>('.list-frame [role="grid"]')?.focus();
            }}
          />
        )}
      </div>
      {/* Over the list, so that selecting a row does not move the others. */}
      <SelectionBar onChooseAll={chooseAll} />
    </Screen>
  );
};
