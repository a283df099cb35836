import type { CheckStep } from '../shared/contract/index.ts';
import { guideSteps, type Guide, type GuideStep } from '../shared/settings/guide.ts';
import type { ProfileKind } from '../shared/settings/profile.ts';

/** The input of the guided start. */
export type GuideFacts = {
  guide: Guide;
  profiles: readonly { kind: ProfileKind }[];
  /** Payments in the log, of any profile. */
  payments: number;
  /** The state of the sandbox's payments; null while unknown. */
  sandbox: { paid: boolean; waiting: boolean } | null;
};

/** Whether nothing has been recorded yet: then the guide opens automatically. */
export const isUntouched = ({ profiles, payments }: Pick<GuideFacts, 'profiles' | 'payments'>): boolean =>
  payments === 0 && profiles.every(({ kind }) => kind === 'sandbox');

/** Whether a connection check completes the guide's step: no part of it failed. */
export const isCheckPassed = (steps: readonly Pick<CheckStep, 'outcome'>[]): boolean =>
  steps.length > 0 && steps.every(({ outcome }) => outcome !== 'bad');

/** The completed steps and the next one: null = all are done. */
export const guideAt = ({
  guide,
  profiles,
  sandbox,
}: GuideFacts): { done: ReadonlySet<GuideStep>; next: GuideStep | 'pay' | null } => {
  const done = new Set<GuideStep>();
  if (sandbox?.paid) done.add('sandbox');
  if (profiles.some(({ kind }) => kind !== 'sandbox')) done.add('profile');
  if (guide.checked) done.add('check');
  const next = guideSteps.find(step => !done.has(step) && !guide.skipped.includes(step)) ?? null;
  return { done, next: next === 'sandbox' && sandbox?.waiting ? 'pay' : next };
};
