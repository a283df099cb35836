import type { LucideIcon } from 'lucide-react';
import type { Findable } from '../../stores/search/match-words.ts';

/** One entry of the results that does something. */
export type Command = Findable & {
  id: string;
  icon: LucideIcon;
  run: () => void;
  key?: string | undefined;
  /** Where it is. */
  detail?: string;
};
