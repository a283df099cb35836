import { fieldLabel } from '../../../shared/activity-in-words.ts';
import { fail, ok, type Result } from '../../../shared/errors.ts';
import { msg, quoted, type Message } from '../../../shared/messages/message.ts';
import { accountOf, profilesOf } from '../../../shared/settings/account.ts';
import { maxProfiles, needsPasswordAgain, type Profile } from '../../../shared/settings/profile.ts';
import type { PolicyState } from '../../../shared/administration/policy.ts';
import type { ImportPreview, SettingsFile } from '../../../shared/administration/settings-transfer.ts';
import { checkBaseUrl } from '../../gateway/base-url.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import { viewsFor } from '../../../shared/settings/saved-view.ts';
import { changedFields } from '../../settings/changed-fields.ts';
import type { StoredSettings } from '../common/app-settings.ts';
import { checkScripts } from '../settings/custom-scripts.ts';
import { checkReceiverChange } from '../settings/receiver-change.ts';
import { checkViews } from '../settings/saved-views.ts';

type Settings = StoredSettings['settings'];

/** What an import changes: computed for the preview, and again when it is applied. */
export type ImportPlan = Pick<ImportPreview, 'settings' | 'profiles' | 'skipped'> & {
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
export const planImport = (
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
