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

/** Why the console was locked. */
export const lockReasons = ['person', 'idle', 'system'] as const;
export type LockReason = (typeof lockReasons)[number];
/** Why a session ended: also because the person was removed or changed at another installation. */
export const signOutReasons = [...lockReasons, 'team'] as const;

export const groupOf = (action: ActivityAction): ActivityGroup =>
  activityGroupNames.find(group => activityGroups[group].some(one => one === action)) ?? 'data';
