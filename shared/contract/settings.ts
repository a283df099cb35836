import * as z from 'zod';
import { settingsSchema } from '../settings/settings.ts';
import { importPreviewSchema } from '../administration/settings-transfer.ts';
import { appStateSchema } from './app-state.ts';
import { defineRequest, emptySchema } from './define-request.ts';

/** Requests about the settings. */
export const settingsRequests = {
  'settings.change': defineRequest(
    'Change some settings; the others stay. `agents.signIn` changes the signed-in agent.',
    settingsSchema
      .omit({ agent: true })
      .partial()
      .extend({
        /** The address at which the user agreed to open the receiver to other computers. */
        confirmedHost: z.string().max(255).optional(),
      }),
    appStateSchema,
  ),
  'settings.dismissRecovery': defineRequest(
    'Dismiss the message about settings that the last start could not read.',
    emptySchema,
    appStateSchema,
  ),
  'settings.export': defineRequest(
    'Write settings and profiles, without passwords, into a file that the user chooses; null if they cancelled.',
    emptySchema,
    z.object({ file: z.string().nullable() }),
  ),
  'settings.previewImport': defineRequest(
    'What the settings file that the user chooses would change; changes nothing. Null if they cancelled.',
    emptySchema,
    z.object({ preview: importPreviewSchema.nullable() }),
  ),
  'settings.import': defineRequest(
    'Apply a previewed settings file, all of it or nothing; passwords are entered afterwards.',
    z.object({ id: z.uuid() }),
    appStateSchema,
  ),
} as const;
