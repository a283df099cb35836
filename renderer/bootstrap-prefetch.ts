import type { AppState } from '../shared/contract/contract.ts';
import { request, subscribe } from './ipc-client.ts';
import { chooseLanguage } from '../shared/messages/message.ts';
import { loadCatalogue } from './i18n/catalogue.ts';
import type { InitialState } from './stores/app-state-store.ts';

/** Data of the first screen, requested while its code is still being loaded. */

let changed: AppState | null = null;
const stop = subscribe('app.changed', appState => {
  changed = appState;
});
const ask = async (): Promise<InitialState> => {
  const read = await request('app.read', {});
  if (read.ok) return { appState: read.value };
  if (read.error.code !== 'app.locked') return { problem: read.error };
  const lock = await request('app.lock', {});
  return lock.ok ? { lock: lock.value } : { problem: lock.error };
};
const asked = ask();

/** The app state as main first sent it, or its latest change; or the lock screen's state. */
export const prefetchAppState = async (): Promise<InitialState> => {
  const answer = await asked;
  stop();
  return changed === null ? answer : { appState: changed };
};

// The first formatter is slow to create, and the first screen needs one.
Intl.DateTimeFormat.supportedLocalesOf(navigator.language);
// The system's language is the most likely one; main's answer names the actual one.
void loadCatalogue(chooseLanguage('system', navigator.language).language);
void asked.then(answer => {
  const seen = 'appState' in answer ? answer.appState : 'lock' in answer ? answer.lock : null;
  return seen && loadCatalogue(chooseLanguage(seen.settings.language, seen.systemLocale).language);
});
