import type { AppState } from '../shared/contract/index.ts';
import { request, subscribe } from './ipc-client.ts';
import { chooseLanguage, loadTexts } from './messages/index.ts';
import type { InitialState } from './stores/app-state.ts';

/** What the first screen waits for besides its own code, asked for while that is still being read. */

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

/** The desk as main sent it first, or as it has changed since; or its lock screen. */
export const prefetchAppState = async (): Promise<InitialState> => {
  const answer = await asked;
  stop();
  return changed === null ? answer : { appState: changed };
};

// The first of its kind takes long, and the desk's widgets begin with one.
Intl.DateTimeFormat.supportedLocalesOf(navigator.language);
// The system's language is the likeliest; another is known once the desk has answered.
void loadTexts(chooseLanguage('system', navigator.language).language);
void asked.then(answer => {
  const seen = 'appState' in answer ? answer.appState : 'lock' in answer ? answer.lock : null;
  return seen && loadTexts(chooseLanguage(seen.settings.language, seen.systemLocale).language);
});
