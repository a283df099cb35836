import { open } from 'node:fs/promises';
import { openFlags } from '../../files/read-regular-file.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import {
  settingsFileSchema,
  transferFormat,
  transferVersion,
  type SettingsFile,
} from '../../../shared/administration/settings-transfer.ts';
import { viewsFor } from '../../../shared/settings/saved-view.ts';
import { profileProblems } from '../../gateway/profile-problems.ts';
import { schemaProblems } from '../../settings/schema-problems.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import type { StoredSettings } from '../common/app-settings.ts';

/** Size limit of a settings file, bytes. */
const maxBytes = 5_000_000;
/** Limit of problems that are shown. */
const maxProblems = 50;

/** The content of an exported file. */
export const toSettingsFile = (
  { settings, profiles }: StoredSettings,
  writtenBy: string,
  exportedAt: number,
): SettingsFile => {
  const { activeProfileId: _active, guide: _guide, scheduledExport: _folder, receiver, ...rest } = settings;
  const { tls: _tls, ...listener } = receiver;
  return settingsFileSchema.parse({
    format: transferFormat,
    version: transferVersion,
    exportedAt: new Date(exportedAt).toISOString(),
    writtenBy,
    // A person's views stay with them.
    settings: { ...rest, receiver: listener, views: viewsFor(rest.views, '') },
    profiles: profiles.filter(({ id }) => id !== sandboxProfileId),
  });
};

const refused = (message: Message): Result<never> =>
  fail('input.invalid', message, { hint: msg('transfer.refused.hint') });

/** Reads an exported file. Errors: `input.invalid`, with every problem by its place in the file. */
export const parseSettingsFile = (text: string): Result<SettingsFile> => {
  let found: unknown;
  try {
    found = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return refused(msg('transfer.not-json'));
  }
  const { format, version } = (found ?? {}) as { format?: unknown; version?: unknown };
  if (format !== transferFormat) return refused(msg('transfer.other-format'));
  if (version !== transferVersion)
    return refused(
      typeof version === 'number' && version > transferVersion
        ? msg('transfer.newer')
        : msg('transfer.unknown-version'),
    );
  const read = settingsFileSchema.safeParse(found);
  const fields = read.success
    ? read.data.profiles.flatMap((profile, at) =>
        profileProblems(profile).map(({ path, message }) => ({ path: `profiles.${at}.${path}`, message })),
      )
    : schemaProblems(read.error);
  if (!read.success || fields.length > 0)
    return fail('input.invalid', msg('transfer.faulty'), { fields: fields.slice(0, maxProblems) });
  return ok(read.data);
};

/** As `parseSettingsFile`, from the disk. */
export const readSettingsFile = async (file: string): Promise<Result<SettingsFile>> => {
  try {
    const handle = await open(file, openFlags);
    try {
      const facts = await handle.stat();
      if (!facts.isFile() || facts.size > maxBytes) return refused(msg('transfer.other-format'));
      return parseSettingsFile(await handle.readFile('utf8'));
    } finally {
      await handle.close();
    }
  } catch {
    return refused(msg('transfer.unreadable'));
  }
};
