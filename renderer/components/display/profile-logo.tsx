import { FlaskConical } from 'lucide-react';
import type { Profile } from '../../../shared/settings/profile.ts';
import { initialsOf } from './initials.tsx';

/** A merchant profile as a small sign: a flask for the sandbox, otherwise the merchant's initials. */
export const ProfileLogo = ({ profile }: { profile: Pick<Profile, 'kind' | 'name'> }) => (
  <span className={`profile-logo centred fixed tiny bold ${profile.kind}`} aria-hidden="true">
    {profile.kind === 'sandbox' ? <FlaskConical size={16} /> : initialsOf(profile.name)}
  </span>
);
