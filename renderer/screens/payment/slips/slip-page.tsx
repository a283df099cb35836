import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Language } from '../../../../shared/messages/message.ts';
import type { Profile } from '../../../../shared/settings/profile.ts';
import { PaperHead } from '../../../components/papers/paper-head.tsx';

/** A page that is visible only on paper, with the merchant's name, address and telephone number at the top. */
export const SlipPage = ({
  profile,
  language,
  title,
  children,
}: {
  profile: Profile | null;
  language: Language;
  title: string;
  children: ReactNode;
}) =>
  createPortal(
    <section className="slip" aria-hidden="true" lang={language}>
      <PaperHead profile={profile} title={title} />
      {children}
    </section>,
    document.body,
  );

/** The lines of a slip: each with its label; a value that is not known has no line. */
export const SlipFacts = ({
  facts,
}: {
  facts: readonly (readonly [label: string, value: string | null])[];
}) => (
  <dl className="slip-facts">
    {facts.map(([label, value]) =>
      value === null || value === '' ? null : (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
);
