import type { AppDependencies } from '../common/app-context.ts';
import type { AppEvents } from '../common/app-events.ts';
import { followOperations } from './follow-operations.ts';
import { createMovementHandlers } from './record-movement.ts';
import { createOperationHandlers, type OperationOptions } from './operation-handlers.ts';

/** What people do after a payment: refund, cancel, collect, charge again, record. See docs/use/operations.md. */
export const createOperationsFeature = (
  parts: AppDependencies,
  events: AppEvents,
  given: OperationOptions,
) => ({
  handlers: { ...createOperationHandlers(parts, given), ...createMovementHandlers(parts) },
  ...followOperations(parts, events, given.lookUp),
});
