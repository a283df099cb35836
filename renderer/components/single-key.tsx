import { useSingleKeys } from '../stores/desk.ts';

/** A key that acts by itself, written beside what it does; nothing while such keys are switched off. */
export const SingleKey = ({ children }: { children: string }) =>
  useSingleKeys() ? (
    <kbd className="keys" aria-hidden="true">
      {children}
    </kbd>
  ) : null;
