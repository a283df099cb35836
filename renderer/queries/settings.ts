import type { ActivityFilter } from '../../shared/contract/contract.ts';
import { request } from '../ipc-client.ts';
import { createQuery } from './create-query.ts';

/** Whether the credentials of a profile work. */
export const credentialHealthQuery = createQuery({
  read: (profile: { id: string }) => request('profiles.health', profile),
  on: ['payments.changed'],
  throttleMs: 5_000,
});

/** What `counterfoil --status` reports. */
export const healthQuery = createQuery({ read: () => request('health.read', {}) });

/** The steps with which an installation shares people and profiles with its team. */
export const sharingPlanQuery = createQuery({ read: () => request('team.plan', {}) });

/** Who signed in, exported, erased or changed something: the newest page, with the earlier ones that were added. */
export const activityQuery = createQuery({
  read: (filter: ActivityFilter) => request('activity.list', filter),
});
