import { randomUUID } from 'node:crypto';
import type { AppDependencies } from '../common/app-context.ts';

export type EventHeader = ReturnType<typeof createEventHeader>;

/** The common fields of every event, of the person for whom the request runs. */
export const createEventHeader =
  ({ requester, clock }: Pick<AppDependencies, 'requester' | 'clock'>) =>
  (profileId: string, orderNumber: string | null, paymentId: string | null) => ({
    id: randomUUID(),
    profileId,
    orderNumber,
    paymentId,
    happenedAt: clock(),
    agent: requester.name(),
    dedupeKey: null,
  });
