import * as z from 'zod';
import { maxViewNameChars, maxViewQueryChars } from './saved-view.ts';

/** A view of the list under a name of its own. */
export const savedViewSchema = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(maxViewNameChars),
  /** What stood in the search box: words and filters. Days said by name (`today`) move on with the calendar. */
  words: z.string().trim().min(1).max(maxViewQueryChars),
});
export type SavedView = z.infer<typeof savedViewSchema>;
