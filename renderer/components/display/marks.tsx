import { FlaskConical, ShieldCheck, ShieldQuestion, ShieldX } from 'lucide-react';
import type { Profile } from '../../../shared/settings/profile.ts';
import { useText } from '../../i18n/text.ts';
import type { Doubt } from '../../../shared/callbacks/inspection.ts';
import type { Verification } from '../../../shared/payments/evidence.ts';

/** The result of the signature check; it covers only five fields (§5.3). */
export const VerificationMark = ({
  verification,
  doubt = null,
}: {
  verification: Verification;
  doubt?: Doubt | null;
}) => {
  const t = useText();
  const verdict = doubt ?? verification.verdict;
  const icon =
    verdict === 'verified' ? (
      <ShieldCheck size={14} aria-hidden="true" />
    ) : verdict === 'invalid' ? (
      <ShieldX size={14} aria-hidden="true" />
    ) : (
      <ShieldQuestion size={14} aria-hidden="true" />
    );
  return (
    <span className={`verification inline-line ink-warn medium nowrap ${verdict}`}>
      {icon}
      {t(`verification.${verdict}`)}
    </span>
  );
};

/** The first letters of a name's first two words. */
const initialsOf = (name: string): string =>
  name
    .split(/[\s._-]+/)
    .slice(0, 2)
    .map(word => word.charAt(0).toUpperCase())
    .join('');

/** A person's avatar: their initials in a disc. */
export const Initials = ({ name }: { name: string }) => (
  <span className="agent-mark round centred fixed" aria-hidden="true">
    {initialsOf(name)}
  </span>
);

/** Whether money moves: live, test or sandbox, by text, colour and pattern. */
export const KindMark = ({ kind }: { kind: Profile['kind'] }) => {
  const t = useText();
  return <span className={`kind-mark inline-line rounded-s nowrap ${kind}`}>{t(`kind.${kind}`)}</span>;
};

/** A merchant profile as a small sign: a flask for the sandbox, otherwise the merchant's initials. */
export const ProfileLogo = ({ profile }: { profile: Pick<Profile, 'kind' | 'name'> }) => (
  <span className={`profile-logo centred fixed tiny bold ${profile.kind}`} aria-hidden="true">
    {profile.kind === 'sandbox' ? <FlaskConical size={16} /> : initialsOf(profile.name)}
  </span>
);
