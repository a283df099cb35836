import * as z from 'zod';
import { maxStoredViews } from '../settings/saved-view.ts';
import { savedViewSchema, settingsSchema } from '../settings/settings.ts';
import { importPreviewSchema } from '../administration/settings-transfer.ts';
import { appStateSchema } from './app-state.ts';
import { defineRequest, emptySchema } from './define-request.ts';

const settingsChangeSchema = settingsSchema
  .omit({ agent: true })
  .partial()
  .extend({
    /** All views that the signed-in person sees; those of other people stay. More than `maxViews` only if there were. */
    views: z.array(savedViewSchema).max(maxStoredViews).optional(),
    /** The address at which the user agreed to open the receiver to other computers. */
    confirmedHost: z.string().max(255).optional(),
  });

/** Requests about the settings. */
export const settingsRequests = {
  'settings.change': defineRequest(
    'Change some settings; the others stay. `agents.signIn` changes the signed-in agent.',
    {
      right: 'settings',
      rightDependsOnInput: true,
      effect: 'write',
      recorded: 'required',
      fixedByPolicy: true,
    },
    settingsChangeSchema,
    appStateSchema,
  ),
  'settings.dismissRecovery': defineRequest(
    'Dismiss the message about settings that the last start could not read.',
    { right: 'settings', effect: 'write', recorded: 'no' },
    emptySchema,
    appStateSchema,
  ),
  'settings.continueWithoutTeam': defineRequest(
    'After `settings.team-lost`: use the settings without the team, and start the console again.',
    { right: 'everyone', effect: 'write', recorded: 'no', whileBlocked: true },
    emptySchema,
    emptySchema,
  ),
  'settings.export': defineRequest(
    'Write settings and profiles, without passwords, into a file that the user chooses; null if they cancelled.',
    { right: 'settings', effect: 'export', recorded: 'required' },
    emptySchema,
    z.object({ file: z.string().nullable() }),
  ),
  'settings.previewImport': defineRequest(
    'What the settings file that the user chooses would change; changes nothing. Null if they cancelled.',
    { right: 'settings', effect: 'none' },
    emptySchema,
    z.object({ preview: importPreviewSchema.nullable() }),
  ),
  'settings.import': defineRequest(
    'Apply a previewed settings file, all of it or nothing; passwords are entered afterwards.',
    { right: 'settings', effect: 'write', recorded: 'required' },
    z.object({ id: z.uuid() }),
    appStateSchema,
  ),
} as const;
