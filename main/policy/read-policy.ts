import { codeOf } from '../../shared/errors.ts';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { containsCardNumber } from '../../shared/card-number.ts';
import { msg, type Message } from '../../shared/messages/message.ts';
import {
  manageableSettings,
  policySchema,
  policyVersion,
  type Policy,
  type PolicyState,
} from '../../shared/administration/policy.ts';
import { writeFileAtomicSync } from '../files/replace-file.ts';
import { checkBaseUrl } from '../gateway/base-url.ts';
import { profilesOf } from '../../shared/settings/account.ts';
import { profileProblems } from '../gateway/profile-problems.ts';
import { problemAt, schemaProblems } from '../settings/schema-problems.ts';
import { policyFile } from './policy-file.ts';
import { noPolicy } from '../../shared/administration/no-policy.ts';

/** Reads the policy file at the start. */

type Problems = PolicyState['problems'];
export type LoadedPolicy = { state: PolicyState; policy: Policy | null };

/** Limit of problems that are kept and shown. */
const maxProblems = 100;
/** Size limit of the file, bytes. */
const maxBytes = 1_000_000;

const duplicates = (names: readonly string[]): number[] =>
  names.flatMap((name, at) => (names.indexOf(name) < at ? [at] : []));

/** What the schema cannot express. */
const furtherProblems = ({ profiles = [], people = [] }: Policy): Problems => [
  ...profiles.flatMap((profile, at) =>
    profileProblems(profile).map(({ path, message }) => problemAt(['profiles', at, path], message)),
  ),
  ...(['id', 'name'] as const).flatMap(field =>
    duplicates(profiles.map(profile => profile[field])).map(at =>
      problemAt(['profiles', at, field], msg('policy.problem.twice')),
    ),
  ),
  ...profiles.flatMap((profile, at) => {
    const [first] = profilesOf(profiles.slice(0, at), profile);
    return first
      ? [problemAt(['profiles', at, 'merchantKey'], msg('profile.account-taken', { name: first.name }))]
      : [];
  }),
  ...people.flatMap(({ name }, at) =>
    containsCardNumber(name) || name.toLocaleLowerCase() === 'console'
      ? [problemAt(['people', at, 'name'], msg('policy.problem.name'))]
      : [],
  ),
  ...duplicates(people.map(({ name }) => name.toLocaleLowerCase())).map(at =>
    problemAt(['people', at, 'name'], msg('policy.problem.twice')),
  ),
  ...(people.length > 0 && !people.some(({ role }) => role === 'administrator')
    ? [problemAt(['people'], msg('agents.last-administrator'))]
    : []),
];

const withOwnAddresses = (policy: Policy): Policy =>
  policy.profiles === undefined
    ? policy
    : {
        ...policy,
        profiles: policy.profiles.map(profile => {
          const base = checkBaseUrl(profile);
          return base.ok ? { ...profile, baseUrl: base.value } : profile;
        }),
      };

/** The content of a policy file, or its problems. */
export const parsePolicy = (text: string): { policy: Policy } | { problems: Problems } => {
  let found: unknown;
  try {
    found = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // PowerShell 5 writes UTF-16, which is read here as text with zero bytes.
    const isUtf16 = text.includes('\0');
    return { problems: [problemAt([], msg(isUtf16 ? 'policy.problem.utf16' : 'policy.problem.json'))] };
  }
  const { version } = (found ?? {}) as { version?: unknown };
  if (typeof version === 'number' && version > policyVersion)
    return { problems: [problemAt(['version'], msg('policy.problem.newer'))] };
  const read = policySchema.safeParse(found);
  const problems = read.success ? furtherProblems(read.data) : schemaProblems(read.error);
  if (!read.success || problems.length > 0) return { problems: problems.slice(0, maxProblems) };
  return { policy: withOwnAddresses(read.data) };
};

/** Whether another account than `owner` can change a file or folder. Windows has no such bits. */
const isOpenToOthers = (path: string, owner: number | null): boolean => {
  const { mode, uid } = statSync(path);
  return (mode & 0o022) !== 0 || (owner !== null && uid !== owner);
};

/**
 * The text of a policy file; null if there is none; otherwise why it cannot be used. `owner`: who must own the file and
 * its folder, by number; null: anyone may.
 */
const readText = (
  file: string,
  platform: NodeJS.Platform,
  owner: number | null,
): { text: string | null } | { problem: Message } => {
  try {
    const { size } = statSync(file);
    // A file that a user can change, or replace in its folder, decides nothing.
    if (
      platform !== 'win32' &&
      (isOpenToOthers(file, owner) || (owner !== null && isOpenToOthers(dirname(file), owner)))
    )
      return { problem: msg('policy.problem.writable') };
    if (size > maxBytes) return { problem: msg('policy.problem.large') };
    return { text: readFileSync(file, 'utf8') };
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { text: null };
    return { problem: msg('policy.problem.unreadable', { code: code || 'unknown' }) };
  }
};

const everything: PolicyState['managed'] = {
  settings: [...manageableSettings],
  profiles: [],
  allProfiles: true,
  people: true,
  sharedLog: { isFixed: true, server: null },
  list: {},
  isEncryptionRequired: false,
};

/** What a policy fixes. */
const managedBy = ({
  settings = {},
  profiles = [],
  otherProfiles,
  people,
  sharedLog,
  list = {},
  requireDiskEncryption = false,
}: Policy): PolicyState['managed'] => ({
  settings: manageableSettings.filter(path => {
    const [group = '', field] = path.split('.');
    const value: unknown = settings[group as keyof typeof settings];
    return field === undefined
      ? value !== undefined
      : value !== undefined && Object.hasOwn(Object(value), field);
  }),
  profiles: profiles.map(({ id }) => id),
  allProfiles: otherProfiles === false,
  people: people !== undefined,
  sharedLog: { isFixed: sharedLog !== undefined, server: sharedLog ?? null },
  list,
  isEncryptionRequired: requireDiskEncryption,
});

const rememberedPolicy = (file: string): Policy | null => {
  try {
    const read = parsePolicy(readFileSync(file, 'utf8'));
    return 'policy' in read ? read.policy : null;
  } catch {
    return null;
  }
};

const forget = (file: string): void => {
  try {
    rmSync(file, { force: true });
  } catch {
    // It applies again while the policy file is faulty or missing: never with more rights than before.
  }
};

const remember = (file: string, text: string): void => {
  try {
    if (readFileSync(file, 'utf8') === text) return;
  } catch {
    // There is none yet.
  }
  try {
    writeFileAtomicSync(file, text);
  } catch {
    // The policy applies anyway; only a later fault would find no earlier one.
  }
};

const load = (
  file: string,
  remembered: string,
  { platform, owner, isKept }: { platform: NodeJS.Platform; owner: number | null; isKept: boolean },
): LoadedPolicy => {
  const read = readText(file, platform, owner);
  if ('text' in read && read.text === null) {
    // A program that distributes files may be replacing it: it applies once more, and not without end.
    const last = rememberedPolicy(remembered);
    if (isKept) forget(remembered);
    return last === null
      ? { state: noPolicy, policy: null }
      : { state: { state: 'missing', file, problems: [], managed: managedBy(last) }, policy: last };
  }
  const parsed = 'text' in read ? parsePolicy(read.text ?? '') : { problems: [problemAt([], read.problem)] };
  if ('policy' in parsed) {
    const { policy } = parsed;
    if (isKept && 'text' in read) remember(remembered, read.text ?? '');
    return { state: { state: 'applied', file, problems: [], managed: managedBy(policy) }, policy };
  }
  const last = rememberedPolicy(remembered);
  return {
    state: {
      state: last ? 'remembered' : 'restricted',
      file,
      problems: parsed.problems,
      managed: {
        ...everything,
        profiles: last?.profiles?.map(({ id }) => id) ?? [],
        sharedLog: { isFixed: true, server: last?.sharedLog ?? null },
        list: last?.list ?? {},
        isEncryptionRequired: last?.requireDiskEncryption ?? false,
      },
    },
    policy: last,
  };
};

/** Who must own the file in its usual place: the system's administrator. In development another file may be named. */
const ownerOf = (file: string): number | null => (file === policyFile() ? 0 : null);

/**
 * The policy in `file`. A faulty file never opens what a valid one would have fixed: then everything that a policy can
 * fix is read-only, with the values of the last valid policy, which is kept in `remembered`. If the file is missing, the
 * last valid policy applies for this start, and `remembered` is removed. Writes nothing else.
 */
export const readPolicy = (
  file: string,
  remembered: string,
  platform: NodeJS.Platform = process.platform,
  owner: number | null = ownerOf(file),
): LoadedPolicy => load(file, remembered, { platform, owner, isKept: true });

/** As `readPolicy`, without writing anything. */
export const readPolicyOnly = (file: string, remembered: string): LoadedPolicy =>
  load(file, remembered, { platform: process.platform, owner: ownerOf(file), isKept: false });
