/** The guided start: three steps, each of which may be skipped. */
export const guideSteps = ['sandbox', 'profile', 'check'] as const;
export type GuideStep = (typeof guideSteps)[number];

export type Guide = {
  /** `new`: not shown yet; it opens automatically if nothing has been recorded. */
  shown: 'new' | 'open' | 'closed';
  skipped: GuideStep[];
  /** A connection was checked; the state of the other steps is derived. */
  checked: boolean;
};
