import './without-window.ts';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readRoute } from '../../renderer/routes.ts';
import { useRoute } from '../../renderer/stores/route-store.ts';
import {
  followSearchedWords,
  typeSearch,
  useSearchBox,
} from '../../renderer/stores/search/search-box-store.ts';

/** The search box over the list of payments, which is searched a moment after the last key. */

const address = { hash: '' };
const stop = followSearchedWords();
afterAll(stop);

/** The event that follows a change of the address. */
const announce = (): void => useRoute.setState({ route: readRoute(address.hash) });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {
    location: address,
    history: { replaceState: (_state: null, _title: string, to: string) => (address.hash = to) },
    setTimeout,
    clearTimeout,
  });
  address.hash = '#/payments/all?words=mirror';
  announce();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('what is typed over the list becomes the text of its address', () => {
  typeSearch('chair');
  vi.advanceTimersByTime(50);
  expect(address.hash).toBe('#/payments/all?words=chair');
});

test.each(['#/payments/all?words=table', '#/new'])(
  'an address that is opened right after the last key is not replaced by what was typed: %s',
  opened => {
    typeSearch('');
    address.hash = opened;
    vi.advanceTimersByTime(50);
    announce();
    expect(address.hash).toBe(opened);
    expect(useSearchBox.getState().words).toBe(opened.split('=')[1] ?? '');
  },
);

test('a blank between first name and surname stays while the list answers the first name', () => {
  typeSearch('anna ');
  vi.advanceTimersByTime(50);
  announce();
  expect(address.hash).toBe('#/payments/all?words=anna');
  expect(useSearchBox.getState().words).toBe('anna ');
  useRoute.setState({ route: readRoute('#/payments/all?words=saved+view') });
  expect(useSearchBox.getState().words).toBe('saved view');
});
