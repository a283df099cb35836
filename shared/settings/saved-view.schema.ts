import * as z from 'zod';
import { maxViewNameChars, maxViewQueryChars, type SavedView } from './saved-view.ts';

export const savedViewSchema = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(maxViewNameChars),
  words: z.string().trim().min(1).max(maxViewQueryChars),
}) satisfies z.ZodType<SavedView>;
