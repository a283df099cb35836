import type { CheckStep } from '../shared/contract/contract.ts';
import { guideSteps, type Guide, type GuideStep } from '../shared/settings/guide.ts';
import type { ProfileKind } from '../shared/settings/profile.ts';

/** The input of the guided start. */
export type GuideFacts = {
  guide: Guide;
  profiles: readonly { kind: ProfileKind }[];
  /** The kind of the active profile. */
  active: ProfileKind;
  /** Payments in the log, of any profile. */
  payments: number;
  /** The state of the sandbox's payments; null while unknown. */
  sandbox: { paid: boolean; waiting: boolean } | null;
};

/** Whether nothing has been recorded yet: then the guide opens automatically. */
export const isUntouched = ({ profiles, payments }: Pick<GuideFacts, 'profiles' | 'payments'>): boolean =>
  payments === 0 && profiles.every(({ kind }) => kind === 'sandbox');

/** The verdict of a connection check: `ready` only if key and password are proven. */
export const verdictOf = ({
  steps,
  isProven,
}: {
  steps: readonly Pick<CheckStep, 'outcome'>[];
  isProven: boolean;
}): 'ready' | 'reached' | 'stopped' => {
  if (steps.length === 0 || steps.some(({ outcome }) => outcome === 'bad')) return 'stopped';
  return isProven ? 'ready' : 'reached';
};

/** The completed steps and the next one: null = all are done. */
export const guideAt = ({
  guide,
  profiles,
  active,
  sandbox,
}: GuideFacts): { done: ReadonlySet<GuideStep>; next: GuideStep | 'pay' | 'use' | null } => {
  const done = new Set<GuideStep>();
  if (sandbox?.paid) done.add('sandbox');
  if (profiles.some(({ kind }) => kind !== 'sandbox')) done.add('profile');
  if (guide.checked) done.add('check');
  const next = guideSteps.find(step => !done.has(step) && !guide.skipped.includes(step)) ?? null;
  // The merchant's own account is proven, but the next link would still be one of the sandbox.
  if (next === null && active === 'sandbox' && done.has('profile') && done.has('check'))
    return { done, next: 'use' };
  return { done, next: next === 'sandbox' && sandbox?.waiting ? 'pay' : next };
};
