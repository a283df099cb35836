import { useMemo } from 'react';
import { spellLink } from '../../i18n/spell.ts';
import { useText } from '../../i18n/text.ts';

/** The link for the phone: each character with its word, in short groups. */
export const SpelledLink = ({ link }: { link: string }) => {
  const t = useText();
  const groups = useMemo(() => spellLink(link, t), [link, t]);
  return (
    <>
      <p className="small muted">{t('spell.hint')}</p>
      <ol className="spelled" aria-label={t('spell.name')}>
        {groups.map((group, index) => (
          // A link's groups keep their order.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="spelled-group">
            {group.map((spelled, at) => (
              // oxlint-disable-next-line react/no-array-index-key
              <span key={at} className={`spelled-sign ${spelled.kind}`}>
                <b className="code" aria-hidden="true">
                  {spelled.sign}
                </b>
                <span>{spelled.word}</span>
              </span>
            ))}
          </li>
        ))}
      </ol>
    </>
  );
};
