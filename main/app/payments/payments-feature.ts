import { createAutoConfirm } from '../../look-ups/auto-confirm.ts';
import type { OrderMutex } from '../../pacing/limiter.ts';
import { sandboxProfileId } from '../../settings/settings-store.ts';
import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import { createCancellationHandlers, type CancellationRegistry } from '../common/cancellation.ts';
import type { CredentialCache } from '../settings/credential-cache.ts';
import { createBulkLookUpHandlers } from './bulk-look-up-handlers.ts';
import { createLookUp } from './look-up-payment.ts';
import { createPaidRecheck } from './paid-recheck.ts';
import { createPaymentHandlers } from './payment-handlers.ts';
import { createStalledPaymentPoller } from './stalled-payment-poller.ts';

/**
 * Payments: created, found, shared, and looked up, also without a request. `isFailing`: whether a gateway failed
 * lately.
 */
export const createPaymentsFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: {
    passwords: CredentialCache;
    cancellations: CancellationRegistry;
    orders: OrderMutex;
    isFailing: (baseUrl: string) => boolean;
  },
) => {
  const { settings, team, clock } = parts;
  const { passwords, cancellations, orders, isFailing } = given;
  const lookUp = createLookUp(parts, passwords);
  const bulkLookUps = createBulkLookUpHandlers(parts, lookUp);
  const autoConfirm = createAutoConfirm(lookUp, {
    isWanted: () => settings.read().settings.confirmPaid,
    // Each installation has a separate sandbox.
    canAsk: async profileId =>
      profileId !== sandboxProfileId &&
      settings.profile(profileId) !== null &&
      (await passwords.of(profileId)).ok,
    claim: (task, milliseconds) => team.claim(task, milliseconds),
    zoneOf: profileId => settings.profile(profileId)?.gatewayZone ?? 'UTC',
    clock,
  });
  const stalledPayments = createStalledPaymentPoller(
    parts,
    lookUp,
    () => settings.read().settings.lookUpMissing,
  );
  const paidRecheck = createPaidRecheck(
    parts,
    lookUp,
    () => settings.read().settings.recheckPaidDays,
    isFailing,
  );
  events.on('eventsWritten', (_payments, written) => autoConfirm.handleEvents(written));
  events.on('eventsElsewhereSorted', ({ own, others }) => {
    autoConfirm.handleEvents(own);
    autoConfirm.handleEvents(others, 'elsewhere');
  });

  return {
    lookUp,
    isLookingUpMany: bulkLookUps.isRunning,
    handlers: {
      ...createPaymentHandlers(parts, passwords, cancellations, orders, lookUp),
      ...bulkLookUps.handlers,
      ...createCancellationHandlers(cancellations),
    },
    stop: (): void => {
      autoConfirm.stop();
      stalledPayments.stop();
      paidRecheck.stop();
      bulkLookUps.stop();
    },
  };
};
