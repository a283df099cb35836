import type { Desk } from '../shared/contract.ts';
import { ok, type Result } from '../shared/result.ts';
import { call, subscribe } from './desk.ts';
import { chooseLanguage, readWords } from './messages/index.ts';

/** What the first screen waits for besides its own code, asked for while that is still being read. */

let changed: Desk | null = null;
const stop = subscribe('desk.changed', desk => {
  changed = desk;
});
const asked = call('desk.read', {});

/** The desk as main told it first, or as it has changed since. */
export const firstDesk = async (): Promise<Result<Desk>> => {
  const read = await asked;
  stop();
  return changed === null ? read : ok(changed);
};

// The first of its kind takes long, and the desk's widgets begin with one.
Intl.DateTimeFormat.supportedLocalesOf(navigator.language);
// The system's language is the likeliest; another is known once the desk has answered.
void readWords(chooseLanguage('system', navigator.language).language);
void asked.then(read =>
  read.ok ? readWords(chooseLanguage(read.value.settings.language, read.value.systemLocale).language) : null,
);
