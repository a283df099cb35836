import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { rowOf } from '../../../../shared/payments/payment-row.ts';
import type { Payment } from '../../../../shared/payments/payment.ts';
import { useHead, StatusBadge } from '../../../components/display/status-badge.tsx';
import { Button } from '../../../components/controls/button.tsx';
import { Sheet } from '../../../components/controls/dialog.tsx';
import { Money } from '../../../components/display/values.tsx';
import { spellLink, type SpelledSign } from '../../../i18n/spell.ts';
import { useText, type Translate } from '../../../i18n/text.ts';
import { linkParts } from './link-parts.ts';

/** The address in words: its letters as they are, its marks by name. "https://" is left out, as in a browser. */
const addressInWords = (address: string, t: Translate): string =>
  spellLink(address.replace(/^https:\/\//, ''), t)
    .map(group =>
      group.every(({ kind }) => kind !== 'mark')
        ? group.map(({ sign }) => sign).join('')
        : ` ${group.map(({ word }) => word).join(' ')} `,
    )
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim();

const Signs = ({ group }: { group: readonly SpelledSign[] }) =>
  group.map((spelled, at) => (
    // A group's signs keep their order.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={at} className={`spelled-sign stack gap-0 muted ${spelled.kind}`}>
      <b className="code" aria-hidden="true">
        {spelled.sign}
      </b>
      <span>{spelled.word}</span>
    </span>
  ));

const Groups = ({ url }: { url: string }) => {
  const t = useText();
  const [current, setCurrent] = useState(0);
  const { address, code } = linkParts(url);
  const groups = spellLink(code, t);
  const last = groups.length - 1;
  // After the last group the first one again.
  const move = (to: number): void => setCurrent((to + groups.length) % groups.length);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  return (
    // The arrow keys act on the groups with the focus anywhere in the dialog.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="stack" onKeyDown={onKeyDown}>
      <div className="spell-address pad-3 rounded on-sunken">
        <h3>{t('spell.address')}</h3>
        <p className="code break">{address.replace(/^https:\/\//, '')}</p>
        <p className="muted">{addressInWords(address, t)}</p>
      </div>
      <div className="stack tight">
        <h3>{t('spell.code')}</h3>
        <output className="spell-current row wrap to-middle gap-3 rounded-l">
          <span className="out-of-sight">
            {t('spell.group', { number: current + 1, count: groups.length })}
          </span>
          <Signs group={groups[current] ?? []} />
        </output>
        <div className="line spread">
          <Button icon={ChevronLeft} onPress={() => move(current - 1)}>
            {t('spell.previous')}
          </Button>
          <span className="small quiet">
            {t('spell.group', { number: current + 1, count: groups.length })}
          </span>
          <Button
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- Enter reads on
            autoFocus
            variant="primary"
            icon={ChevronRight}
            onPress={() => move(current + 1)}
          >
            {t('spell.next')}
          </Button>
        </div>
        <ol className="spelled row gap-2 wrap" aria-label={t('spell.name')}>
          {groups.map((group, index) => (
            // A link's groups keep their order.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} {...(index === current ? { 'aria-current': 'step' as const } : {})}>
              <button
                type="button"
                className="spelled-group edged rounded on-surface pointer code"
                onClick={() => move(index)}
              >
                {group.map(({ sign }) => sign).join('')}
              </button>
            </li>
          ))}
        </ol>
      </div>
      <p className="small muted">
        {t('spell.hint')} {t('spell.keys')}
      </p>
    </div>
  );
};

/** The link for the phone: the address in words, then the code, group by group. Shows the result when it is known. */
export const SpellSheet = ({
  onClose,
  payment,
  url,
}: {
  onClose: () => void;
  payment: Payment;
  url: string;
}) => {
  const t = useText();
  const head = useHead(rowOf(payment));
  return (
    <Sheet title={t('spell.name')} onClose={onClose} wide>
      <div className="stack">
        <output className="line spread">
          <StatusBadge state={head} size={20} />
          <Money amount={payment.amount} currency={payment.currency} />
        </output>
        {payment.linkUsable ? <Groups url={url} /> : null}
      </div>
    </Sheet>
  );
};
