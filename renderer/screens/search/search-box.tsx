import { Search, X } from 'lucide-react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { Button, FieldInputContext, Input, SearchField } from 'react-aria-components';
import { partOnDemand } from '../../components/controls/on-demand.tsx';
import { SingleKey } from '../../components/controls/button.tsx';
import { keyName } from '../../shortcuts.ts';
import {
  closeResults,
  isOnList,
  leaveSearch,
  searchInput,
  searchList,
  showResults,
  typeSearch,
  useSearchBox,
} from '../../stores/search/search-box-store.ts';
import { useText } from '../../i18n/text.ts';

/** The results, which are loaded after the first screen. What is typed before is in the box. */
const Results = partOnDemand(() => import('./results-panel.tsx'), 'ResultsPanel');

/** A pasted text of several lines: the browser would remove the line ends, and so join their words. */
const pasteLines = (event: ClipboardEvent): void => {
  const text = event.clipboardData.getData('text/plain');
  if (!/[\r\n]/.test(text)) return;
  event.preventDefault();
  // Deprecated, but the only way to insert text that can be undone.
  document.execCommand('insertText', false, text.replaceAll(/\s+/g, ' ').trim());
};

const submit = (text: string): void => {
  // Enter is for the current result, if there is one.
  if (document.getElementById(searchInput()?.getAttribute('aria-activedescendant') ?? '')) return;
  const { chooseFirst } = useSearchBox.getState();
  if (chooseFirst !== null) return chooseFirst();
  closeResults({ isDone: true });
  searchList(text);
  // The list takes the focus once it has rows.
  window.setTimeout(() => document.querySelector<HTMLElement>('[role="grid"]')?.focus(), 60);
};

const Field = () => {
  const t = useText();
  const { words, hasCard, keys, results } = useSearchBox();
  return (
    <FieldInputContext value={keys}>
      <SearchField
        className="search line gap-0 relative"
        aria-label={t('search.name')}
        value={words}
        onChange={typeSearch}
        onSubmit={submit}
        onClear={() => typeSearch('')}
      >
        <Search size={14} aria-hidden="true" className="search-icon absolute quiet" />
        <Input
          className="search-input full rounded on-surface small"
          placeholder={t('search.placeholder')}
          id="search"
          onPaste={pasteLines}
          onClick={() => {
            if (!isOnList()) showResults();
          }}
        />
        {words === '' ? (
          <span className="search-keys row gap-1" aria-hidden="true">
            <SingleKey>/</SingleKey>
            <kbd className="keys">{keyName('Ctrl', t)} K</kbd>
          </span>
        ) : (
          <Button className="search-clear tracks no-border no-ground pointer" aria-label={t('search.clear')}>
            <X size={14} />
          </Button>
        )}
        {hasCard && results === null ? (
          <span className="search-card absolute rounded small" role="alert">
            {t('card-number.dropped')}
          </span>
        ) : null}
      </SearchField>
    </FieldInputContext>
  );
};

/** One search for everything. On the list's screen typing filters the list; everywhere else it shows results below. */
export const SearchBox = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const results = useSearchBox(state => state.results);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      // The list's text stays, and the box keeps the focus while results beside the list were open.
      if (results === 'others') closeResults({ isDone: false });
      else leaveSearch();
    } else if (event.key === 'ArrowDown' && results === null) {
      event.preventDefault();
      showResults('others');
    }
  };
  return (
    <div
      className="search-place relative"
      onKeyDownCapture={onKey}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Without the second, another window has the focus meanwhile.
        if (!currentTarget.contains(relatedTarget) && document.hasFocus()) closeResults({ isDone: false });
      }}
    >
      <Field />
      {results === null ? null : <Results which={results} onShortcuts={onShortcuts} />}
    </div>
  );
};
