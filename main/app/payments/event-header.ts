import { randomUUID } from 'node:crypto';
import type { AppDependencies } from '../common/app-context.ts';

export type EventHeader = ReturnType<typeof createEventHeader>;

/** The common fields of every event of the signed-in agent. */
export const createEventHeader =
  ({ settings, clock }: Pick<AppDependencies, 'settings' | 'clock'>) =>
  (profileId: string, orderNumber: string | null, paymentId: string | null) => ({
    id: randomUUID(),
    profileId,
    orderNumber,
    paymentId,
    happenedAt: clock(),
    agent: settings.read().settings.agent,
    dedupeKey: null,
  });
