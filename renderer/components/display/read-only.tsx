import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Right } from '../../../shared/agents/roles.ts';
import { useText } from '../../i18n/text.ts';
import { useRefusal, useWhoElse } from '../../rights.ts';
import { Note } from './note.tsx';

/** One line that says who can change what is below; nothing for a person who can. */
export const ReadOnlyLine = ({ right }: { right: Right }) => {
  const t = useText();
  const names = useWhoElse(right);
  return names === null ? null : (
    <p className="read-only-line line small">
      <Lock size={14} aria-hidden="true" />
      {t('right.read-only', { names })}
    </p>
  );
};

/** Content that only people with a right can change: the others read it, with a line that says whom to ask. */
export const ReadOnly = ({ right, children }: { right: Right; children: ReactNode }) => {
  const isReadOnly = useWhoElse(right) !== null;
  return (
    <>
      <ReadOnlyLine right={right} />
      <fieldset className="read-only" disabled={isReadOnly}>
        {children}
      </fieldset>
    </>
  );
};

/** Why a screen's purpose is not open to the signed-in person; nothing for a person to whom it is. */
export const RefusalNote = ({ right }: { right: Right }) => {
  const refusal = useRefusal(right);
  return refusal === null ? null : <Note>{refusal}</Note>;
};
