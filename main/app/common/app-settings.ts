import type { SettingsStore } from '../../settings/settings-store.ts';
import type { Stored } from '../../settings/stored-settings.ts';

/**
 * The settings as the features read them: without the name of the signed-in person, who may change while a request runs.
 * `requester` has it.
 */
export type AppSettings = Omit<SettingsStore, 'read'> & { read(): StoredSettings };
export type StoredSettings = Omit<Stored, 'settings'> & { settings: Omit<Stored['settings'], 'agent'> };

export const withoutSignedIn = (store: SettingsStore): AppSettings => {
  let under: Stored | null = null;
  let shown: StoredSettings;
  return {
    ...store,
    read: () => {
      if (store.read() !== under) {
        under = store.read();
        const { agent: _agent, ...settings } = under.settings;
        shown = { ...under, settings };
      }
      return shown;
    },
  };
};
