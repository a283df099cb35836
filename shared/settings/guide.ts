export type { Guide } from './guide-schema.ts';

/** The guided start: three steps, each of which may be skipped. */
export const guideSteps = ['sandbox', 'profile', 'check'] as const;
export type GuideStep = (typeof guideSteps)[number];
