import { createLookUpQueue } from '../../look-ups/look-up-queue.ts';
import type { OrderMutex } from '../../pacing/limiter.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import { createCancellationHandlers, type CancellationRegistry } from '../common/cancellation.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { createBulkLookUpHandlers } from './bulk-look-up-handlers.ts';
import { createConsoleLookUps } from './console-look-ups.ts';
import { createLookUp } from './look-up-payment.ts';
import { createPaymentHandlers } from './payment-handlers.ts';

/** Payments: created, found, shared, and looked up, also without a request. */
export const createPaymentsFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: { passwords: CredentialCache; cancellations: CancellationRegistry; orders: OrderMutex },
) => {
  const { passwords, cancellations, orders } = given;
  const lookUp = createLookUp(parts, passwords);
  const queue = createLookUpQueue(parts.clock);
  const bulkLookUps = createBulkLookUpHandlers(parts, lookUp, queue);
  const lookUps = createConsoleLookUps(parts, events, { queue, lookUp, passwords });

  return {
    lookUp,
    watchedProfiles: lookUps.watchedProfiles,
    isLookingUpMany: bulkLookUps.isRunning,
    handlers: {
      ...createPaymentHandlers(parts, passwords, cancellations, orders, lookUp),
      ...bulkLookUps.handlers,
      ...createCancellationHandlers(cancellations),
    },
    start: lookUps.start,
    stop: (): void => {
      bulkLookUps.stop();
      lookUps.stop();
    },
  };
};
