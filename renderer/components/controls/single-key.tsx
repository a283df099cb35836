import { useSingleKeys } from '../../stores/app-state-store.ts';

/** A single-key shortcut, shown next to its action; hidden while such keys are off. */
export const SingleKey = ({ children }: { children: string }) =>
  useSingleKeys() ? (
    <kbd className="keys" aria-hidden="true">
      {children}
    </kbd>
  ) : null;
