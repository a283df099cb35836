import type { PaymentFilter } from '../../../shared/contract/contract.ts';
import { spellingsShown } from '../../../shared/search-query/spellings-shown.ts';
import { Button } from '../../components/controls/button.tsx';
import { go } from '../../stores/route-store.ts';
import { useList, useText } from '../../i18n/text.ts';

/** Limit of spellings that the note names. */
const maxNamed = 3;

/** Above the list: no payment matches the typed words, and whose payments are shown instead. */
export const SimilarNote = ({ asked, filter }: { asked: PaymentFilter; filter: PaymentFilter }) => {
  const t = useText();
  const either = useList('disjunction');
  const typed = asked.words
    .split(/\s+/)
    .filter(word => !word.startsWith('='))
    .join(' ');
  const spellings = spellingsShown(filter.words);
  const named = spellings.map(word => t('list.similar.word', { word }));
  return (
    <output className="line wrap small muted">
      <span>
        {spellings.length > maxNamed
          ? t('list.similar.several', { typed })
          : t('list.similar', {
              typed,
              words: either(named),
            })}
      </span>
      {/* An order that the list does not have may exist at the gateway. */}
      {/^\S*\d\S*$/.test(typed) ? (
        <Button onPress={() => go({ screen: 'look-up', by: 'order-number', value: typed })}>
          {t('look-up.now')}
        </Button>
      ) : null}
    </output>
  );
};
