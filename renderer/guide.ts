import type { CheckStep } from '../shared/contract/index.ts';
import { guideSteps, type Guide, type GuideStep } from '../shared/settings/guide.ts';
import type { ProfileKind } from '../shared/settings/profile.ts';

/** What the guided start goes by. */
export type GuideFacts = {
  guide: Guide;
  profiles: readonly { kind: ProfileKind }[];
  /** Payments in the log, of any profile. */
  payments: number;
  /** What became of the sandbox's payments; null while it is not known. */
  sandbox: { paid: boolean; waiting: boolean } | null;
};

/** Whether nothing has happened on this desk yet: then the guide opens by itself. */
export const isUntouched = ({ profiles, payments }: Pick<GuideFacts, 'profiles' | 'payments'>): boolean =>
  payments === 0 && profiles.every(({ kind }) => kind === 'sandbox');

/** Whether a connection check was good enough to call the guide's step done: no part of it went wrong. */
export const isCheckPassed = (steps: readonly Pick<CheckStep, 'outcome'>[]): boolean =>
  steps.length > 0 && steps.every(({ outcome }) => outcome !== 'bad');

/** Which steps are done, by what is there, and what comes next: null = that was all. */
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
