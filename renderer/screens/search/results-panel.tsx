import '../../styles/search-results.css';
import { Autocomplete, Header, ListBox, ListBoxItem, ListBoxSection } from 'react-aria-components';
import { ErrorNote } from '../../components/display/error-note.tsx';
import { SingleKey } from '../../components/controls/single-key.tsx';
import { useSearchResults } from '../../queries/search-results.ts';
import { leaveSearch, useSearchBox } from '../../stores/search/search-box-store.ts';
import { useText } from '../../i18n/text.ts';
import { BoxKeys } from './box-keys.tsx';
import { CustomerLine, PaymentLine } from './result-lines.tsx';
import { useResultGroups, type Result } from './result-groups.ts';

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
  const found = useSearchResults(words);
  const groups = useResultGroups({ words, found, which, recent, onShortcuts });
  const results = new Map(groups.flatMap(group => group.results.map(result => [result.id, result])));
  const count = groups.reduce((sum, { id, results }) => (id === 'nothing' ? sum : sum + results.length), 0);
  return (
    // A click must not take the focus from the box, and a copy of a key that was typed there is no shortcut.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className="results"
      onMouseDown={event => event.preventDefault()}
      onKeyDown={event => event.stopPropagation()}
    >
      {found.problem ? <ErrorNote error={found.problem} /> : null}
      <Autocomplete inputValue={words} disableAutoFocusFirst>
        <BoxKeys />
        <ListBox
          className="results-list"
          aria-label={t('results.name')}
          selectionMode="none"
          onAction={id => {
            const result = results.get(String(id));
            if (result === undefined) return;
            if (result.kind === 'command') remember(result.command.id);
            leaveSearch();
            result.run();
          }}
        >
          {groups.map(group => (
            <ListBoxSection key={group.id} id={group.id}>
              <Header className="menu-header quiet tiny medium">{group.name}</Header>
              {group.results.map(result => (
                <ListBoxItem
                  key={result.id}
                  id={result.id}
                  className={`menu-item result is-${result.kind}`}
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
