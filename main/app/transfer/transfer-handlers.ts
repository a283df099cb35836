import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { AppState, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg, type Message } from '../../../shared/messages/message.ts';
import {
  settingsFileSchema,
  transferFormat,
  transferVersion,
  type SettingsFile,
} from '../../../shared/administration/settings-transfer.ts';
import { writeFileAtomic } from '../../files/replace-file.ts';
import { unwritableFile } from '../../files/unwritable-file.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { chooseSaveFile, merchantDay } from '../common/choose-save-file.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { planImport, type ImportPlan } from './import-plan.ts';
import { open } from 'node:fs/promises';
import { openFlags } from '../../files/read-regular-file.ts';
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

/**
 * Settings and profiles as a file. The content of a previewed file stays in main, so that the same content is applied.
 * `onChange` is called after an import, `publish` sends the state to the window.
 */
export const createTransferHandlers = (
  parts: AppDependencies,
  passwords: Pick<CredentialCache, 'remove'>,
  onChange: () => Promise<void>,
  publish: () => Promise<AppState>,
): Pick<Handlers, 'settings.export' | 'settings.previewImport' | 'settings.import'> => {
  const { settings, credentials, system, clock } = parts;
  let pending: { id: string; name: string; file: SettingsFile; planned: string } | null = null;

  const plan = async (file: SettingsFile): Promise<Result<ImportPlan>> => {
    const stored = settings.read();
    const known = await Promise.all(
      stored.profiles.map(async ({ id }): Promise<[string, boolean]> => {
        const state = await credentials.state(id);
        return [id, state === 'stored' || state === 'this-run-only'];
      }),
    );
    return planImport(file, stored, settings.policy.managed, new Map(known));
  };

  return {
    'settings.export': async () => {
      const chosen = await chooseSaveFile(parts, `counterfoil-settings-${merchantDay(parts)}.json`);
      if (!chosen.ok) return chosen;
      if (chosen.value === null) return ok({ file: null });
      const content = toSettingsFile(settings.read(), parts.version, clock());
      try {
        await writeFileAtomic(chosen.value, `${JSON.stringify(content, null, 2)}\n`);
      } catch (thrown) {
        return unwritableFile(thrown instanceof Error && 'code' in thrown ? thrown.code : null);
      }
      return ok({ file: chosen.value });
    },
    'settings.previewImport': async () => {
      pending = null;
      const chosen = await system.chooseOpenFile('settings');
      if (chosen === null) return ok({ preview: null });
      const file = await readSettingsFile(chosen);
      if (!file.ok) return file;
      const planned = await plan(file.value);
      if (!planned.ok) return planned;
      const { next: _next, dropPasswords: _drop, ...shown } = planned.value;
      const id = randomUUID();
      const name = basename(chosen);
      pending = { id, name, file: file.value, planned: JSON.stringify(shown) };
      const { exportedAt, writtenBy } = file.value;
      return ok({ preview: { id, file: name, exportedAt, writtenBy, ...shown } });
    },
    'settings.import': async ({ id }) => {
      if (pending?.id !== id) return fail('input.invalid', msg('transfer.stale'));
      const { file, planned } = pending;
      const planning = await plan(file);
      if (!planning.ok) return planning;
      const { next, dropPasswords, ...shown } = planning.value;
      if (JSON.stringify(shown) !== planned) return fail('input.invalid', msg('transfer.stale'));
      pending = null;
      // A password is never used for a server for which it was not entered.
      for (const profileId of dropPasswords) {
        const removed = await passwords.remove(profileId);
        if (!removed.ok) return removed;
      }
      const before = settings.read().settings;
      settings.change(stored => ({
        ...stored,
        profiles: next.profiles,
        settings: { ...stored.settings, ...next.settings },
      }));
      if (next.settings.startAtLogin !== before.startAtLogin)
        system.setStartAtLogin(next.settings.startAtLogin);
      await onChange();
      return ok(await publish());
    },
  };
};
