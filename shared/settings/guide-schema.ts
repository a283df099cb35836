import * as z from 'zod';
import { guideSteps } from './guide.ts';

export const guideSchema = z.object({
  /** `new`: not shown yet; it opens by itself on a desk where nothing has happened. */
  shown: z.enum(['new', 'open', 'closed']),
  skipped: z.array(z.enum(guideSteps)),
  /** A connection was checked; the other steps show by themselves that they are done. */
  checked: z.boolean(),
});
export type Guide = z.infer<typeof guideSchema>;
