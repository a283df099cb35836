import type { ReactNode } from 'react';
import { Toggle } from '../../../components/controls/fields.tsx';
import { ManagedSetting } from '../../../forms/read-only.tsx';
import { useManagedSetting } from '../../../use-rights.ts';

/** A switch of a setting that the policy of this computer can fix. `path`: `tray`, `receiver.enabled`. */
export const ManagedToggle = ({
  path,
  isDisabled = false,
  ...rest
}: {
  path: string;
  children: ReactNode;
  isEnabled: boolean;
  onChange: (isEnabled: boolean) => void;
  hint?: ReactNode;
  isDisabled?: boolean;
}) => {
  const isManaged = useManagedSetting(path);
  return <Toggle {...rest} isDisabled={isDisabled || isManaged} mark={<ManagedSetting path={path} />} />;
};
