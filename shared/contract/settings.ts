import * as z from 'zod';
import { settingsSchema } from '../settings/settings.ts';
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
} as const;
