import * as z from 'zod';
import { messageSchema } from '../messages/message.schema.ts';
import { maxProfiles, profileKinds, profileSchema } from '../settings/profile.ts';
import { settingsSchema } from '../settings/settings.ts';

/** Settings and profiles as a file, to move them to another computer. Never a password, a PIN or a callback path. */

/** A file of a higher version is refused. */
export const transferVersion = 1;
export const transferFormat = 'counterfoil-settings';

const { receiver, ...transferred } = settingsSchema.omit({
  // These belong to this installation, or to its user.
  agent: true,
  activeProfileId: true,
  guide: true,
  // Its folder is one of this computer.
  scheduledExport: true,
}).shape;

const transferredSettingsSchema = z
  .strictObject({
    ...transferred,
    // Paths of files on one computer.
    receiver: z.strictObject(receiver.omit({ tls: true }).shape),
  })
  .partial();

export const settingsFileSchema = z.strictObject({
  format: z.literal(transferFormat),
  version: z.literal(transferVersion),
  /** ISO 8601, UTC. */
  exportedAt: z.string().max(40),
  /** The version of Counterfoil that wrote it. */
  writtenBy: z.string().max(40),
  settings: transferredSettingsSchema,
  profiles: z
    .array(
      z.strictObject({
        ...profileSchema.shape,
        id: profileSchema.shape.id.refine(id => id !== 'sandbox'),
        kind: z.enum(profileKinds).exclude(['sandbox']),
      }),
    )
    .max(maxProfiles),
});
export type SettingsFile = z.infer<typeof settingsFileSchema>;

/** What an import would change. Null for values that do not fit into a line. */
const settingChangeSchema = z.object({
  path: z.string(),
  label: messageSchema,
  before: messageSchema.nullable(),
  after: messageSchema.nullable(),
});

export const importPreviewSchema = z.object({
  /** Names this preview in `settings.import`. */
  id: z.uuid(),
  file: z.string(),
  exportedAt: z.string(),
  writtenBy: z.string(),
  settings: z.array(settingChangeSchema),
  profiles: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(profileKinds),
      change: z.enum(['added', 'changed']),
      fields: z.array(messageSchema),
      /** Whether the merchant password has to be entered afterwards. */
      needsPassword: z.boolean(),
    }),
  ),
  /** Parts of the file that are not applied, and why. */
  skipped: z.array(
    z.object({ label: messageSchema, reason: z.enum(['managed', 'receiver', 'team', 'account']) }),
  ),
});
export type ImportPreview = z.infer<typeof importPreviewSchema>;
