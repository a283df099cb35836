import { readAmountLimits } from '../../../shared/money/amount-limits.ts';
import { profileSchema, type Profile } from '../../../shared/settings/profile.ts';

/** The profile in a stored body; null if this version cannot read it, or a limit in it. */
export const readProfile = (id: string, body: string): Profile | null => {
  try {
    const read = profileSchema.safeParse({ ...(JSON.parse(body) as object), id });
    if (!read.success) return null;
    const limits = Object.values(read.data.operations.limits);
    return limits.every(text => readAmountLimits(text) !== null) ? read.data : null;
  } catch {
    return null;
  }
};
