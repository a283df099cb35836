import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { AppState, Handlers } from '../../../shared/contract/contract.ts';
import { codeOf, fail, ok, type Result } from '../../../shared/errors.ts';
import { msg, quoted, type Message } from '../../../shared/messages/message.ts';
import {
  settingsFileSchema,
  transferFormat,
  transferVersion,
  type ImportPreview,
  type SettingsFile,
} from '../../../shared/administration/settings-transfer.ts';
import { unwritableFile, writeFileAtomic } from '../../files/replace-file.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { chooseSaveFile, merchantDay } from '../common/choose-save-file.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { open } from 'node:fs/promises';
import { openFlags } from '../../files/read-regular-file.ts';
import { viewsFor } from '../../../shared/settings/saved-view.ts';
import { profileProblems } from '../../gateway/profile-problems.ts';
import { schemaProblems } from '../../settings/schema-problems.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import type { StoredSettings } from '../common/app-settings.ts';
import { fieldLabel } from '../../../shared/activity-in-words.ts';
import { accountOf, profilesOf } from '../../../shared/settings/account.ts';
import { maxProfiles, needsPasswordAgain, type Profile } from '../../../shared/settings/profile.ts';
import type { PolicyState } from '../../../shared/administration/policy.ts';
import { checkBaseUrl } from '../../gateway/base-url.ts';
import { changedFields } from '../../settings/changed-fields.ts';
import { checkScripts } from '../settings/custom-scripts.ts';
import { checkReceiverChange } from '../settings/receiver-change.ts';
import { checkViews } from '../settings/saved-views.ts';

type Settings = StoredSettings['settings'];

/** What an import changes: computed for the preview, and again when it is applied. */
type ImportPlan = Pick<ImportPreview, 'settings' | 'profiles' | 'skipped'> & {
  next: Pick<StoredSettings, 'settings' | 'profiles'>;
  /** Profiles whose stored password belongs to another server: it is removed. */
  dropPasswords: readonly string[];
};

/** Length limit of a value in the preview, characters. */
const maxValueChars = 60;

const valueInWords = (value: unknown): Message | null => {
  if (typeof value === 'boolean') return msg(value ? 'assumptions.on' : 'assumptions.off');
  if (value === null || value === '') return quoted('–');
  if (typeof value === 'number') return quoted(String(value));
  return typeof value === 'string' && value.length <= maxValueChars ? quoted(value) : null;
};

const at = (settings: Settings, path: string): unknown => {
  const [name = '', field] = path.split('.');
  const value: unknown = settings[name as keyof Settings];
  return field === undefined ? value : (value as Readonly<Record<string, unknown>>)[field];
};

/** `settings` with the values of `from` at these paths. */
const withPaths = (settings: Settings, from: Settings, paths: readonly string[]): Settings => {
  const next: Record<string, unknown> = { ...settings };
  for (const path of paths) {
    const [name = '', field] = path.split('.');
    const value = at(from, path);
    next[name] = field === undefined ? value : Object.assign({}, next[name], { [field]: value });
  }
  return next as Settings;
};

const planSettings = (
  before: Settings,
  { settings }: SettingsFile,
  managed: PolicyState['managed'],
  areViewsShared: boolean,
) => {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const wanted: Settings = {
    ...before,
    ...given,
    receiver: { ...before.receiver, ...settings.receiver },
    // A file brings the views of everyone; each person keeps their own.
    ...(settings.views === undefined
      ? {}
      : {
          views: [...viewsFor(settings.views, ''), ...before.views.filter(({ owner }) => owner !== null)],
        }),
  };
  const changes = changedFields(before, wanted);
  const isManaged = (path: string): boolean => managed.settings.includes(path);
  // Those of the team are changed for everyone, in the list.
  const isShared = (path: string): boolean => areViewsShared && path === 'views';
  const open = changes.filter(path => !isManaged(path) && !isShared(path));
  // An address that other computers can reach is confirmed in the receiver's settings, never by a file.
  const { receiver } = withPaths(before, wanted, open);
  const isReceiverAllowed = checkReceiverChange(before.receiver, receiver, null).ok;
  const isOpenedByFile = (path: string): boolean => path.startsWith('receiver.') && !isReceiverAllowed;
  const applied = open.filter(path => !isOpenedByFile(path));
  return {
    next: withPaths(before, wanted, applied),
    settings: applied.map(path => ({
      path,
      label: fieldLabel(path),
      before: valueInWords(at(before, path)),
      after: valueInWords(at(wanted, path)),
    })),
    skipped: [
      ...changes.filter(isManaged).map(path => ({ label: fieldLabel(path), reason: 'managed' as const })),
      ...changes
        .filter(path => isShared(path) && !isManaged(path))
        .map(path => ({ label: fieldLabel(path), reason: 'team' as const })),
      ...open.filter(isOpenedByFile).map(path => ({ label: fieldLabel(path), reason: 'receiver' as const })),
    ],
  };
};

const planProfiles = (
  before: readonly Profile[],
  { profiles }: SettingsFile,
  managed: PolicyState['managed'],
  passwords: ReadonlyMap<string, boolean>,
  shared: ReadonlySet<string>,
) => {
  const next = [...before];
  const changed: ImportPreview['profiles'] = [];
  const skipped: ImportPlan['skipped'] = [];
  const dropPasswords: string[] = [];
  for (const given of profiles) {
    const base = checkBaseUrl(given);
    // By id, otherwise by name: a profile that was typed on both computers.
    const old =
      next.find(({ id }) => id === given.id) ??
      next.find(({ id, name }) => id !== sandboxProfileId && name === given.name);
    const profile: Profile = {
      ...given,
      id: old?.id ?? given.id,
      baseUrl: base.ok ? base.value : given.baseUrl,
    };
    const fields = old ? changedFields(old, profile) : [];
    if (old && fields.length === 0) continue;
    if (managed.allProfiles || (old && managed.profiles.includes(old.id))) {
      skipped.push({ label: quoted(profile.name), reason: 'managed' });
      continue;
    }
    // Those of the team are changed for everyone, on their page.
    if (shared.has(profile.id)) {
      skipped.push({ label: quoted(profile.name), reason: 'team' });
      continue;
    }
    const twin = profilesOf(next, profile).find(({ id }) => id !== profile.id);
    if (twin && (!old || accountOf(old) !== accountOf(profile))) {
      skipped.push({
        label: msg('transfer.account', { name: profile.name, other: twin.name }),
        reason: 'account',
      });
      continue;
    }
    const isForOther = old !== undefined && needsPasswordAgain(old, profile);
    if (isForOther) dropPasswords.push(profile.id);
    if (old) next.splice(next.indexOf(old), 1, profile);
    else next.push(profile);
    changed.push({
      id: profile.id,
      name: profile.name,
      kind: profile.kind,
      change: old ? 'changed' : 'added',
      fields: fields.map(fieldLabel),
      needsPassword: isForOther || passwords.get(profile.id) !== true,
    });
  }
  return { next, profiles: changed, skipped, dropPasswords };
};

/**
 * The plan of an import. `passwords`: whether a profile has a password. Errors: `input.invalid` and
 * `input.card-number` for a content that a form would refuse too.
 */
const planImport = (
  file: SettingsFile,
  stored: StoredSettings,
  managed: PolicyState['managed'],
  passwords: ReadonlyMap<string, boolean>,
): Result<ImportPlan> => {
  const views = checkViews(file.settings.views ?? []);
  if (!views.ok) return views;
  const sentences = checkScripts(file.settings.sentences);
  if (!sentences.ok) return sentences;
  const settings = planSettings(
    stored.settings,
    file,
    managed,
    typeof stored.team?.viewsVersion === 'number',
  );
  const profiles = planProfiles(
    stored.profiles,
    file,
    managed,
    passwords,
    new Set(Object.keys(stored.team?.profiles ?? {})),
  );
  const names = profiles.next.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    return fail('input.invalid', msg('transfer.same-name', { name: twice }), {
      hint: msg('transfer.refused.hint'),
    });
  if (profiles.next.filter(({ id }) => id !== sandboxProfileId).length > maxProfiles)
    return fail('input.invalid', msg('profile.full', { count: maxProfiles }));
  return ok({
    next: { settings: settings.next, profiles: profiles.next },
    settings: settings.settings,
    profiles: profiles.profiles,
    skipped: [...settings.skipped, ...profiles.skipped],
    dropPasswords: profiles.dropPasswords,
  });
};

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
        return unwritableFile(codeOf(thrown));
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
