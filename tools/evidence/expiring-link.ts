import { randomUUID } from 'node:crypto';
import type { EventDraft } from '../../shared/payments/evidence.ts';
import { accepted, requested } from './evidence.ts';

const minute = 60_000;

/** A link of an hour that `agent` created for the sandbox, and that expires `minutes` after `now` (milliseconds). */
export const expiringLink = (
  now: number,
  minutes: number,
  orderNumber: string,
  agent: string,
): EventDraft[] => {
  const issuedAt = now - (60 - minutes) * minute;
  return [requested(0, { customer: { name: 'Hana Tanaka', email: 'hana@example.com' } }), accepted()].map(
    one => ({
      ...one,
      id: randomUUID(),
      orderNumber,
      agent,
      happenedAt: issuedAt,
      ...(one.kind === 'session.accepted'
        ? { body: { ...one.body, issuedAt, expiresAt: issuedAt + 60 * minute } }
        : {}),
    }),
  ) as EventDraft[];
};
