import * as z from 'zod';
import { guideSteps, type Guide } from './guide.ts';

export const guideSchema = z.object({
  shown: z.enum(['new', 'open', 'closed']),
  skipped: z.array(z.enum(guideSteps)).max(guideSteps.length),
  checked: z.boolean(),
}) satisfies z.ZodType<Guide>;
