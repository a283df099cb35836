import type { Desk } from '../shared/contract/index.ts';
import { call, subscribe } from './ipc-client.ts';
import { chooseLanguage, readWords } from './messages/index.ts';
import type { FirstAnswer } from './stores/app-state.ts';

/** What the first screen waits for besides its own code, asked for while that is still being read. */

let changed: Desk | null = null;
const stop = subscribe('desk.changed', desk => {
  changed = desk;
});
const ask = async (): Promise<FirstAnswer> => {
  const read = await call('desk.read', {});
  if (read.ok) return { desk: read.value };
  if (read.error.code !== 'desk.locked') return { problem: read.error };
  const lock = await call('desk.lock', {});
  return lock.ok ? { lock: lock.value } : { problem: lock.error };
};
const asked = ask();

/** The desk as main sent it first, or as it has changed since; or its lock screen. */
export const firstDesk = async (): Promise<FirstAnswer> => {
  const answer = await asked;
  stop();
  return changed === null ? answer : { desk: changed };
};

// The first of its kind takes long, and the desk's widgets begin with one.
Intl.DateTimeFormat.supportedLocalesOf(navigator.language);
// The system's language is the likeliest; another is known once the desk has answered.
void readWords(chooseLanguage('system', navigator.language).language);
void asked.then(answer => {
  const seen = 'desk' in answer ? answer.desk : 'lock' in answer ? answer.lock : null;
  return seen && readWords(chooseLanguage(seen.settings.language, seen.systemLocale).language);
});
