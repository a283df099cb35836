import { useSingleKeys } from '../../stores/app-state.ts';

/** A key that acts by itself, written beside what it does; nothing while such keys are switched off. */
export const SingleKey = ({ children }: { children: string }) =>
  useSingleKeys() ? (
    <kbd className="keys" aria-hidden="true">
      {children}
    </kbd>
  ) : null;
