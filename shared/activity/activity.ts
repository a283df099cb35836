import type { Role } from '../agents/roles.ts';
import type { RefusalReason } from '../updates/refusal-reasons.ts';

/** What people did apart from payments: who signed in, exported, erased or changed something. Without schemas. */

/** By group, as the list filters them. */
export const activityGroups = {
  'sign-ins': ['signed-in', 'signed-out', 'wrong-pin'],
  people: ['person-added', 'person-renamed', 'person-removed', 'role-changed', 'pin-set', 'pin-removed'],
  settings: ['settings-changed', 'settings-imported', 'profile-added', 'profile-changed', 'profile-removed'],
  exports: ['exported'],
  data: [
    'movement-recorded',
    'movement-undone',
    'erased',
    'retention-erased',
    'restored',
    'log-created',
    'log-rebuilt',
    'loss-settled',
  ],
  updates: ['update-installed', 'update-failed', 'update-refused'],
} as const;
export type ActivityGroup = keyof typeof activityGroups;
export const activityGroupNames = Object.keys(activityGroups) as ActivityGroup[];
export type ActivityAction = (typeof activityGroups)[ActivityGroup][number];
export const activityActions: readonly ActivityAction[] = Object.values(activityGroups).flat();

/** What an export contains. */
export const exportedThings = [
  'payments',
  'statement',
  'month',
  'calendar',
  'sandbox-statement',
  'overview',
  'review',
  'dossier',
  'confirmation',
  'log-copy',
  'activity',
  'settings',
  'scheduled',
] as const;
export type ExportedThing = (typeof exportedThings)[number];

/** Why the console was locked. */
export const lockReasons = ['person', 'idle', 'system'] as const;
export type LockReason = (typeof lockReasons)[number];
/** Why a session ended: also because the person was removed or changed at another installation. */
export const signOutReasons = [...lockReasons, 'team'] as const;
export type SignOutReason = (typeof signOutReasons)[number];

/**
 * The values of an activity: a closed list, so that neither a secret nor anything about a customer can get into it. The
 * names of people are staff; they stay, like the name with each event.
 */
export type ActivityDetails = {
  /** The person it is about, by their name at that time. */
  person?: string | undefined;
  /** The new name. */
  name?: string | undefined;
  role?: Role | undefined;
  roleBefore?: Role | undefined;
  profileId?: string | undefined;
  /** The profile's name at that time. */
  profile?: string | undefined;
  order?: string | undefined;
  /** Names of changed settings or fields of a profile; never their values. */
  fields?: string[] | undefined;
  /** Whether the password of a profile was set. */
  password?: boolean | undefined;
  exported?: ExportedThing | undefined;
  format?: string | undefined;
  /** Payments or rows that an export contains. */
  count?: number | undefined;
  reason?: SignOutReason | undefined;
  /** The name of the file under which a replaced log was archived. */
  archive?: string | undefined;
  /** The installed or refused version; empty if it is not known. */
  version?: string | undefined;
  /** The version before an update. */
  versionBefore?: string | undefined;
  refusal?: RefusalReason | undefined;
};

export const groupOf = (action: ActivityAction): ActivityGroup =>
  activityGroupNames.find(group => activityGroups[group].some(one => one === action)) ?? 'data';
