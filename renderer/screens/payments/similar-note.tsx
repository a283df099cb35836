import type { PaymentFilter } from '../../../shared/contract/contract.ts';
import { Button } from '../../components/controls/button.tsx';
import { go } from '../../stores/route-store.ts';
import { useList, useText } from '../../i18n/text.ts';

/**
 * The spellings that corrected search words list instead of the typed ones: `anna =schmidt|schmitt` are `schmidt` and
 * `schmitt`. Amounts and typed words are not among them.
 */
const spellingsShown = (words: string): string[] =>
  words
    .split(/\s+/)
    .filter(word => /^=\P{Nd}/u.test(word))
    .flatMap(word => word.slice(1).split('|'))
    .filter(spelling => !spelling.startsWith('*'))
    .map(spelling => spelling.replace(/\*$/, '…'));

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
