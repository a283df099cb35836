import { ShieldCheck, ShieldQuestion, ShieldX } from 'lucide-react';
import type { Verification } from '../../../shared/payments/evidence.ts';
import { useText } from '../../i18n/text.ts';

/** The result of the signature check; it covers only five fields (§5.3). */
export const VerificationMark = ({ verification }: { verification: Verification }) => {
  const t = useText();
  const { verdict } = verification;
  const icon =
    verdict === 'verified' ? (
      <ShieldCheck size={14} aria-hidden="true" />
    ) : verdict === 'invalid' ? (
      <ShieldX size={14} aria-hidden="true" />
    ) : (
      <ShieldQuestion size={14} aria-hidden="true" />
    );
  return (
    <span className={`verification ${verdict}`}>
      {icon}
      {t(`verification.${verdict}`)}
    </span>
  );
};
