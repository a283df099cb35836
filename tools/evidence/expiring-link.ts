import type { EventDraft } from '../../shared/payments/evidence.ts';
import { accepted, requested, start } from './evidence.ts';

const minute = 60_000;

/** A link of an hour that `agent` created for the sandbox, and that expires `minutes` after `now` (milliseconds). */
export const expiringLink = (
  now: number,
  minutes: number,
  orderNumber: string,
  agent: string,
): EventDraft[] => {
  const issuedAt = now - (60 - minutes) * minute;
  const at = issuedAt - start;
  const customer = { name: 'Hana Tanaka', email: 'hana@example.com' };
  return [
    requested(at, { customer }, { orderNumber, agent }),
    accepted(at, { expiresAt: issuedAt + 60 * minute }, { orderNumber, agent }),
  ];
};
