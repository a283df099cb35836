import { useDesk } from './stores/desk.ts';
import { chooseLanguage, readCatalogue, readPhrasebook } from './messages/index.ts';

/** What the first screen waits for besides its own code, asked for while that is still being read. */

const fetchWords = (...choice: Parameters<typeof chooseLanguage>): Promise<unknown> => {
  const { language } = chooseLanguage(...choice);
  return Promise.all([readCatalogue(language), readPhrasebook(language)]);
};

/** Resolves when the desk has answered for the first time, or has failed to. */
export const deskAnswered: Promise<void> = useDesk.getState().start();

// The system's language is the likeliest; another is known once the desk has answered.
void fetchWords('system', navigator.language);
void deskAnswered.then(() => {
  const { desk } = useDesk.getState();
  return desk ? fetchWords(desk.settings.language, desk.systemLocale) : null;
});
