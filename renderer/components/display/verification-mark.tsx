import { ShieldCheck, ShieldQuestion, ShieldX } from 'lucide-react';
import type { Doubt } from '../../../shared/callbacks/inspection.ts';
import type { Verification } from '../../../shared/payments/evidence.ts';
import { useText } from '../../i18n/text.ts';

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
