import { app } from 'electron';
import type { FormatMessage } from '../../shared/messages/format-message.ts';
import { chooseLanguage, type Language } from '../../shared/messages/message.ts';

/** Loads the texts of message boxes; never rejects. */
export type LoadTexts = () => Promise<FormatMessage>;

/** Without catalogues, which a damaged installation may lack: the key and the values. */
const keyAndValues: FormatMessage = ({ key, values = {} }) =>
  [
    key,
    ...Object.values(values).map(value => (typeof value === 'object' ? keyAndValues(value) : value)),
  ].join('\n');

/**
 * The texts of message boxes, in the language of the settings. They are loaded when needed: the window opens before
 * the catalogues are loaded. `chosen`: the language in the settings. The system's language is English until the
 * application is ready.
 */
export const createMessageBoxTexts =
  (chosen: () => 'system' | Language): LoadTexts =>
  async () => {
    try {
      const { formatterFor } = await import('../../shared/messages/catalogues.ts');
      const system = app.isReady() ? (app.getPreferredSystemLanguages()[0] ?? app.getLocale()) : 'en';
      const { language, locale } = chooseLanguage(chosen(), system);
      return formatterFor(language, locale);
    } catch {
      return keyAndValues;
    }
  };
