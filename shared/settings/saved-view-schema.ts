import * as z from 'zod';
import { maxViewNameChars, maxViewQueryChars } from './saved-view.ts';

/** A saved, named view of the list. */
export const savedViewSchema = z.object({
  id: z.uuid(),
  name: z.string().trim().min(1).max(maxViewNameChars),
  /** The text of the search box: words and filters. Days by name (`today`) are relative to the current day. */
  words: z.string().trim().min(1).max(maxViewQueryChars),
});
export type SavedView = z.infer<typeof savedViewSchema>;
