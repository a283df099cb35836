import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { useRefusal, useWhoElse, type Need, useManagedSetting } from '../use-rights.ts';
import { Note } from '../components/display/notes.tsx';

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

/**
 * One line that says who can change what is below; nothing for a person who can. `of`: the whole page, or only a part
 * of it.
 */
export const ReadOnlyLine = ({ of, ...need }: Need & { of: 'page' | 'part' }) => {
  const t = useText();
  const names = useWhoElse(need);
  return names === null ? null : (
    <p className="read-only-line muted line small">
      <Lock size={14} aria-hidden="true" />
      {t(`right.read-only.${of}`, { names })}
    </p>
  );
};

/** Content that only people with a right can change: the others read it, with a line that says whom to ask. */
export const ReadOnly = ({
  of = 'page',
  children,
  ...need
}: Need & {
  of?: 'page' | 'part';
  children: ReactNode;
}) => {
  const isReadOnly = useWhoElse(need) !== null;
  return (
    <>
      <ReadOnlyLine {...need} of={of} />
      <fieldset className="read-only min-0 no-margin no-padding" disabled={isReadOnly}>
        {children}
      </fieldset>
    </>
  );
};

/** Why a screen's purpose is not open to the signed-in person; nothing for a person to whom it is. */
export const RefusalNote = (need: Need) => {
  const refusal = useRefusal(need);
  return refusal === null ? null : <Note>{refusal}</Note>;
};
