import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Language } from '../../../../shared/messages/language.ts';
import { merchantNameOf } from '../../../../shared/settings/merchant.ts';
import type { Profile } from '../../../../shared/settings/profile.ts';

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
      <header className="slip-head">
        <p className="slip-merchant">{profile ? merchantNameOf(profile) : ''}</p>
        <address className="slip-address">
          {profile?.merchant.address.map((line, at) => (
            // The lines keep their order, and two may be equal.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={at}>{line}</span>
          ))}
          {profile?.merchant.phone ? <span>{profile.merchant.phone}</span> : null}
        </address>
      </header>
      <h1 className="slip-title">{title}</h1>
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
