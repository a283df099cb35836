import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ok, type Result } from '../../shared/errors.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { logFailure } from '../payment-log/log-failures.ts';
import type { Claim, Rival, SharedOperations } from '../payment-log/postgres/shared-operations.ts';
import { accountOf } from './people/map-profiles.ts';

/** A gateway account, as claims name it. */
export const hashedAccount = (profile: Profile): string => hash('sha256', accountOf(profile));

/** How long a claim waits for a later one to withdraw, milliseconds, and the interval of asking. */
const withdrawalMs = 1_500;
const withdrawalPauseMs = 50;

/**
 * Claims the subjects of what is about to be sent; returns the rival because of which it must not be sent, null: it may.
 * Two claims that see each other are decided by their order: the later one withdraws, and the earlier one waits for that.
 */
export const claimSubjects = async (
  operations: SharedOperations,
  writer: string,
  claim: Claim,
): Promise<Result<Rival | null>> => {
  const begun = await operations.begin(writer, claim);
  if (!begun.ok) return begun;
  if (!begun.value) return logFailure('log.denied', 'too many operations');
  const until = performance.now() + withdrawalMs;
  for (;;) {
    const rival = await operations.rival(claim);
    if (!rival.ok) return rival;
    if (rival.value === null || rival.value.isFirst || performance.now() > until) return ok(rival.value);
    await wait(withdrawalPauseMs);
  }
};
