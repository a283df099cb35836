import { Lock } from 'lucide-react';
import { useText } from '../i18n/text.ts';
import { useManagedSetting } from '../use-managed.ts';

/** Says that the policy of this computer fixes a value. */
export const ManagedMark = () => (
  <span className="managed-mark inline-line gap-1 muted small">
    <Lock size={12} aria-hidden="true" />
    {useText()('managed')}
  </span>
);

/** The mark of a setting, if it is fixed. */
export const ManagedSetting = ({ path }: { path: string }) =>
  useManagedSetting(path) ? <ManagedMark /> : null;
