import { merchantNameOf } from '../../../shared/settings/merchant.ts';
import type { Profile } from '../../../shared/settings/profile.ts';

/** The head of a printed page as on every paper: logo and title, and the merchant's name, address and telephone number. */
export const PaperHead = ({ profile, title }: { profile: Profile | null; title: string }) => (
  <header className="paper-head">
    <div>
      {profile && profile.merchant.logo !== '' ? (
        <img className="paper-logo" src={profile.merchant.logo} alt="" />
      ) : null}
      <h1 className="paper-title">{title}</h1>
    </div>
    <address className="paper-address">
      <strong>{profile ? merchantNameOf(profile) : ''}</strong>
      {profile?.merchant.address.map((line, at) => (
        // The lines keep their order, and two may be equal.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={at}>{line}</span>
      ))}
      {profile?.merchant.phone ? <span>{profile.merchant.phone}</span> : null}
    </address>
  </header>
);
