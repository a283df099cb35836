import * as z from 'zod';
import { guideSteps } from './guide.ts';

export const guideSchema = z.object({
  /** `new`: not shown yet; it opens automatically if nothing has been recorded. */
  shown: z.enum(['new', 'open', 'closed']),
  skipped: z.array(z.enum(guideSteps)),
  /** A connection was checked; the state of the other steps is derived. */
  checked: z.boolean(),
});
export type Guide = z.infer<typeof guideSchema>;
