/**
 * A clock that is wrong for one day must not erase details for good. So a jump of more than thirty days since the last
 * round erases nothing until a later round, at least most of a day after, still sees that time.
 */

const dayMs = 86_400_000;
const maxJumpMs = 30 * dayMs;
const confirmedMs = 20 * 3_600_000;

/** When the last round was, and when a jump was first seen, milliseconds; null: never. */
export type RetentionRounds = { roundAt: number | null; jumpedAt: number | null };

/** Whether a round may erase at this time, and what to remember of it. `now`: milliseconds. */
export const nextRound = (
  { roundAt, jumpedAt }: RetentionRounds,
  now: number,
): { mayErase: boolean; rounds: RetentionRounds } => {
  const isNear = (at: number | null): boolean => at !== null && now - at <= maxJumpMs;
  if (isNear(roundAt)) return { mayErase: true, rounds: { roundAt: now, jumpedAt: null } };
  if (isNear(jumpedAt) && jumpedAt !== null && now >= jumpedAt)
    return now - jumpedAt >= confirmedMs
      ? { mayErase: true, rounds: { roundAt: now, jumpedAt: null } }
      : { mayErase: false, rounds: { roundAt, jumpedAt } };
  return { mayErase: false, rounds: { roundAt, jumpedAt: now } };
};
