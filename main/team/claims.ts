import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ok, type Result } from '../../shared/errors.ts';
import { accountOf } from '../../shared/settings/account.ts';
import type { Profile } from '../../shared/settings/profile.ts';
import { logFailure } from '../payment-log/log-failures.ts';
import type { PaymentLog } from '../payment-log/payment-log.ts';
import { sandboxProfileId } from '../settings/stored-settings.ts';
import type { Claim, Rival, SharedOperations } from '../payment-log/postgres/shared-operations.ts';
import type { Shipping } from './ship.ts';

/** A gateway account, as claims name it; the sandboxes of a team count as one, as in its list. */
export const hashedAccount = (profile: Profile): string =>
  profile.id === sandboxProfileId ? sandboxProfileId : hash('sha256', accountOf(profile));

/** How long a claim waits for a later one to withdraw, milliseconds, and the interval of asking. */
const withdrawalMs = 1_500;
const withdrawalPauseMs = 50;

type Given = { journal: Pick<PaymentLog, 'chainEnds' | 'ownChain'>; shipping: Pick<Shipping, 'shipped'> };

/**
 * Claims the subjects of what is about to be sent; returns the rival because of which it must not be sent, null: it may.
 * Two claims that see each other are decided by their order: the later one withdraws, and the earlier one waits for that.
 * A claim of this installation that was not recorded before a crash was not sent.
 */
export const claimSubjects = async (
  operations: SharedOperations,
  { journal: { chainEnds, ownChain }, shipping }: Given,
  claim: Claim,
): Promise<Result<Rival | null>> => {
  const { writer } = ownChain;
  const end = (await chainEnds()).find(one => one.writer === writer) ?? { writer, seq: 0, hash: '' };
  // A copy of this installation is refused here: of two copies one can ship.
  if (!(await shipping.shipped(end.seq, withdrawalMs))) return logFailure('log.unreachable', 'not shipped');
  const begun = await operations.begin(end, claim);
  if (!begun.ok) return begun;
  if (!begun.value) return logFailure('log.denied', 'too many operations');
  const isOwn = async (rival: Rival): Promise<boolean> =>
    rival.writer === writer && (await ownChain.events(rival.seq - 1, 1))[0]?.hash === rival.hash;
  const known = new Set(claim.known);
  const until = performance.now() + withdrawalMs;
  for (;;) {
    const asked = await operations.rival({ ...claim, known: [...known] });
    if (!asked.ok) return asked;
    const rival = asked.value;
    if (rival !== null && !known.has(rival.id) && (await isOwn(rival))) known.add(rival.id);
    else if (rival === null || rival.isFirst || performance.now() > until) return ok(rival);
    else await wait(withdrawalPauseMs);
  }
};
