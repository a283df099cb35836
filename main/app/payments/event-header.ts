import { randomUUID } from 'node:crypto';
import type { AppDependencies } from '../app-context.ts';

/** The fields that every event of the person who is signed in begins with. */
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
