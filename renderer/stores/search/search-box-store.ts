import type { ContextType } from 'react';
import type { FieldInputContext } from 'react-aria-components';
import { create } from 'zustand';
import { createCardGuard } from '../../digit-runs.ts';
import { readRoute, type Route } from '../../routes.ts';
import { go, goInPlace, useRoute } from '../route-store.ts';

/** Set by the loaded results: the keys that move through them, and the current one. */
export type ResultKeys = ContextType<typeof FieldInputContext>;

/** The search box of the top bar, and whether its results are shown. */
type SearchBoxState = {
  words: string;
  /** A card number was just dropped from the text. */
  hasCard: boolean;
  /**
   * The results below the box: none, all, or all but the payments, which the list on the screen shows. With `all` on
   * the list's screen, the text is not the list's.
   */
  results: 'all' | 'others' | null;
  /** Null until the results are loaded. */
  keys: ResultKeys;
  /** Chooses the first result, if Enter does so without a current one; null: Enter shows the list of payments. */
  chooseFirst: (() => void) | null;
};

const wordsOf = (route: Route): string => (route.screen === 'payments' ? route.words : '');
const present = (): Route => useRoute.getState().route;

export const useSearchBox = create<SearchBoxState>()(() => ({
  words: wordsOf(present()),
  hasCard: false,
  results: null,
  keys: null,
  chooseFirst: null,
}));

export const searchInput = (): HTMLInputElement | null => document.querySelector<HTMLInputElement>('#search');

/** Delay before the list is searched, milliseconds: keys of one burst make one request. */
const debounceMs = 10;
let timer: number | undefined;
/** The element that had the focus before a key moved it into the box. */
let focusedBefore: HTMLElement | null = null;

/** Whether the screen is the list of payments, which answers what is typed. */
export const isOnList = (): boolean => present().screen === 'payments';

/** Opens the results: those that the screen does not show itself, or all. */
export const showResults = (which: 'all' | 'others' = 'all'): void => {
  const isList = isOnList();
  // On the list's screen a search for everything begins with an empty text: the list keeps its own.
  if (isList && which === 'all' && useSearchBox.getState().results !== 'all')
    useSearchBox.setState({ words: '', hasCard: false });
  useSearchBox.setState({ results: isList ? which : 'all' });
};

/** Moves the focus into the box, for typing over its text; `isForAll`: opens the results also over the list. */
export const focusSearch = (isForAll: boolean): void => {
  const input = searchInput();
  const { activeElement } = document;
  if (activeElement !== input)
    focusedBefore =
      activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : null;
  if (isForAll || !isOnList()) showResults();
  input?.focus();
  input?.select();
};

/** Closes the results. The box has the list's words again; elsewhere `isDone` empties it. */
export const closeResults = ({ isDone }: { isDone: boolean }): void => {
  const { results, words } = useSearchBox.getState();
  const isList = isOnList();
  const own = isList && results === 'all' ? wordsOf(present()) : words;
  useSearchBox.setState({ results: null, hasCard: false, words: isDone && !isList ? '' : own });
};

/** Closes the results and gives the focus back to what had it before. */
export const leaveSearch = (): void => {
  closeResults({ isDone: true });
  if (focusedBefore?.isConnected) focusedBefore.focus({ preventScroll: true });
  else searchInput()?.blur();
  focusedBefore = null;
};

/** The list of all payments that match a text. */
export const searchList = (text: string): void => {
  window.clearTimeout(timer);
  const to = { screen: 'payments', view: 'all', words: text.trim() } as const;
  if (isOnList()) goInPlace(to);
  else go(to);
};

const cardGuard = createCardGuard();

/** Takes what was typed; on the list's screen the list answers, elsewhere the results. A card number is dropped. */
export const typeSearch = (text: string): void => {
  const before = useSearchBox.getState();
  const { text: words, hasCard: isCard } = cardGuard(text, before.words);
  const hasCard = isCard || before.hasCard;
  const isForList = isOnList() && useSearchBox.getState().results !== 'all';
  useSearchBox.setState(isForList ? { words, hasCard } : { words, hasCard, results: 'all' });
  window.clearTimeout(timer);
  if (!isForList) return;
  const replaced = wordsOf(present());
  timer = window.setTimeout(() => {
    // Not if an address has meanwhile opened another screen or search: the later one holds.
    const route = readRoute(window.location.hash);
    if (route.screen === 'payments' && route.words === replaced) searchList(words);
  }, debounceMs);
};

/** Keeps the text that of the list, which a saved view or a filter changes; returns what ends it. */
export const followSearchedWords = (): (() => void) =>
  useRoute.subscribe(({ route }, { route: old }) => {
    const words = wordsOf(route);
    if (words === wordsOf(old)) return;
    window.clearTimeout(timer);
    const box = useSearchBox.getState();
    // A blank at the end of what is being typed is not the list's, and stays.
    if (box.results !== 'all' && box.words.trim() !== words) useSearchBox.setState({ words, hasCard: false });
  });
