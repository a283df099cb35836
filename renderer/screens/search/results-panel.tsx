import { inLine } from '../../../shared/plain-text.ts';
import '../../styles/search-results.css';
import {
  Autocomplete,
  Header,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  FieldInputContext,
} from 'react-aria-components';
import { ErrorNote } from '../../components/display/notes.tsx';
import { SingleKey } from '../../components/controls/button.tsx';
import { useSearchResults, type CustomerHit, type PaymentHit } from '../../queries/search-results.ts';
import {
  leaveSearch,
  useSearchBox,
  searchInput,
  type ResultKeys,
} from '../../stores/search/search-box-store.ts';
import { useText } from '../../i18n/text.ts';
import { useResultGroups, type Result } from './result-groups.ts';
import { UserRound } from 'lucide-react';
import { ownCustomer } from '../../../shared/merchant-texts/own-customer.ts';
import type { PaymentRow } from '../../../shared/payments/payment.ts';
import { Money, Truncate } from '../../components/display/values.tsx';
import { StatusBadge, useHead } from '../../components/display/status-badge.tsx';
import { usePaymentAnswer } from '../payment/sentence.ts';
import { use, useLayoutEffect } from 'react';

/** Names the box as the field of the results, before their effects, which listen to it. */
const connect = (keys: ResultKeys): void => {
  if (keys && 'ref' in keys && keys.ref && typeof keys.ref === 'object') keys.ref.current = searchInput();
};

/**
 * Inside the results: hands what they add to a text field (the keys that move through them, the current one) to the
 * search box, which is drawn with the first screen, before the results are loaded.
 */
const BoxKeys = () => {
  const keys = use(FieldInputContext);
  useLayoutEffect(() => {
    connect(keys);
    useSearchBox.setState({ keys });
  }, [keys]);
  useLayoutEffect(() => () => useSearchBox.setState({ keys: null }), []);
  return null;
};

/** Marks a result that was found by a word similar to the typed one. */
const Similar = () => {
  const t = useText();
  return <span className="tag">{t('results.similar')}</span>;
};

const Answer = ({ row }: { row: PaymentRow }) => (
  <span className="result-answer muted">{usePaymentAnswer(row)}</span>
);

/** A found payment; `withAnswer`: it is the only one, with what to say about it. */
const PaymentLine = ({
  hit: { row, isApproximate },
  withAnswer,
}: {
  hit: PaymentHit;
  withAnswer: boolean;
}) => {
  const head = useHead(row);
  return (
    <>
      <StatusBadge state={head} inList />
      <span className="clip code" title={inLine(row.orderNumber)}>
        {inLine(row.orderNumber)}
      </span>
      <Truncate className="quiet result-who" text={ownCustomer(row)?.name || row.description || ''} />
      <span className="line result-end">
        {isApproximate ? <Similar /> : null}
        <Money {...head.money} />
      </span>
      {withAnswer ? <Answer row={row} /> : null}
    </>
  );
};

/** A found customer, as the merchant typed the details. */
const CustomerLine = ({
  customer: { name, email, phone, orderNumber, payments, isApproximate },
}: {
  customer: CustomerHit;
}) => {
  const t = useText();
  const [first, ...further] = [name, email, phone].filter(text => text !== null);
  return (
    <>
      <UserRound size={16} aria-hidden="true" className="quiet" />
      <Truncate text={first ?? orderNumber} />
      <Truncate className="quiet result-who" text={further.join(' · ')} />
      <span className="line result-end">
        {isApproximate ? <Similar /> : null}
        <span className="small quiet">{t('results.payments', { count: payments })}</span>
      </span>
    </>
  );
};

/** The last chosen results that are not payments or customers, newest first, until the window is closed. */
const recent: string[] = [];
const maxRecent = 4;

const remember = (id: string): void => {
  const before = recent.indexOf(id);
  if (before >= 0) recent.splice(before, 1);
  recent.unshift(id);
  recent.length = Math.min(recent.length, maxRecent);
};

const Line = ({ result }: { result: Result }) => {
  if (result.kind === 'payment') return <PaymentLine hit={result.hit} withAnswer={result.withAnswer} />;
  if (result.kind === 'customer') return <CustomerLine customer={result.customer} />;
  const { icon: Icon, name, detail, key } = result.command;
  return (
    <>
      <Icon size={16} aria-hidden="true" className="quiet" />
      <span className="clip" title={name}>
        {name}
      </span>
      <span className="line result-end">
        {detail === undefined ? null : <span className="small quiet">{detail}</span>}
        {key === undefined ? null : <SingleKey>{key}</SingleKey>}
      </span>
    </>
  );
};

/** What the search finds, below its box, in groups. The box keeps the focus. */
export const ResultsPanel = ({
  which,
  onShortcuts,
}: {
  which: 'all' | 'others';
  onShortcuts: () => void;
}) => {
  const t = useText();
  const words = useSearchBox(state => state.words);
  const hasCard = useSearchBox(state => state.hasCard);
  const found = useSearchResults(words);
  const groups = useResultGroups({ words, found, which, recent, onShortcuts });
  const results = new Map(groups.flatMap(group => group.results.map(result => [result.id, result])));
  const choose = (result: Result): void => {
    if (result.kind === 'command') remember(result.command.id);
    leaveSearch();
    result.run();
  };
  // No payment and no customer: what else the words name is meant.
  const isOther = found.words.length > 1 && found.words === words.trim() && found.problem === null;
  const [group] = isOther && found.hits.length === 0 && found.customers.length === 0 ? groups : [];
  const first = which === 'all' && group?.id !== 'nothing' ? group?.results[0] : undefined;
  useLayoutEffect(() => {
    useSearchBox.setState({ chooseFirst: first ? () => choose(first) : null });
    return () => useSearchBox.setState({ chooseFirst: null });
  });
  const count = groups.reduce((sum, { id, results }) => (id === 'nothing' ? sum : sum + results.length), 0);
  return (
    // A click must not take the focus from the box, and a copy of a key that was typed there is no shortcut.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="results absolute edged shadow-2"
      onMouseDown={event => event.preventDefault()}
      onKeyDown={event => event.stopPropagation()}
    >
      {hasCard ? (
        <p className="results-card small" role="alert">
          {t('card-number.dropped')}
        </p>
      ) : null}
      {found.problem ? <ErrorNote error={found.problem} /> : null}
      <Autocomplete inputValue={words} disableAutoFocusFirst>
        <BoxKeys />
        <ListBox
          className="results-list scrolls no-outline"
          aria-label={t('results.name')}
          selectionMode="none"
          onAction={id => {
            const result = results.get(String(id));
            if (result !== undefined) choose(result);
          }}
        >
          {groups.map(group => (
            <ListBoxSection key={group.id} id={group.id}>
              <Header className="menu-header quiet tiny medium">{group.name}</Header>
              {group.results.map(result => (
                <ListBoxItem
                  key={result.id}
                  id={result.id}
                  className={`menu-item result is-${result.kind} ${result === first ? 'is-first' : ''}`}
                  textValue={result.name}
                >
                  <Line result={result} />
                </ListBoxItem>
              ))}
            </ListBoxSection>
          ))}
        </ListBox>
      </Autocomplete>
      <output className="out-of-sight">{t('results.count', { count })}</output>
    </div>
  );
};
