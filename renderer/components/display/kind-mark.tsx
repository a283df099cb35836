import type { Profile } from '../../../shared/settings/profile.ts';
import { useText } from '../../i18n/text.ts';

/** Whether money moves: live, test or sandbox, by text, colour and pattern. */
export const KindMark = ({ kind }: { kind: Profile['kind'] }) => {
  const t = useText();
  return <span className={`kind-mark inline-line rounded-s nowrap ${kind}`}>{t(`kind.${kind}`)}</span>;
};
