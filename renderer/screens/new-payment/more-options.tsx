import { useState } from 'react';
import { ChevronRight } from 'lucide-react';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import { partOnDemand } from '../../components/controls/on-demand.tsx';
import { Truncate } from '../../components/display/truncate.tsx';
import { useLocaleChoice, useText } from '../../i18n/text.ts';
import type { Draft } from '../../stores/new-payment/draft.ts';
import type { BoxOf } from './box-of.ts';
import { lifeOf, lifeInWords } from './lifetime.ts';

/** Loaded when it is first opened: most payments need none of it. */
const OptionFields = partOnDemand(() => import('./option-fields.tsx'), 'OptionFields');

/** One line that states what is set for this payment, and opens the options. */
export const MoreOptions = ({
  profile,
  draft,
  box,
  hasProblem,
}: {
  profile: ProfileView;
  draft: Draft;
  box: BoxOf;
  /** A field inside was refused: it must be seen. */
  hasProblem: boolean;
}) => {
  const t = useText();
  const { language } = useLocaleChoice();
  const [isOpen, setOpen] = useState(false);
  const isExpanded = isOpen || hasProblem;
  const { methods } = draft;
  const set = [
    t('new.options.expires', { life: lifeInWords(lifeOf(draft, profile), t) }),
    t(`language.${draft.language ?? language}`),
    methods.length === profile.methods.length ? t('new.options.all-methods') : methods.join(', '),
    ...(draft.billing === null ? [] : [t('new.options.billing')]),
    ...(draft.customData.trim() === '' ? [] : [t('new.options.custom-data')]),
    ...(draft.cardToken.trim() === '' ? [] : [t('new.options.card-token')]),
    ...(draft.recurring || profile.extras.recurringInit ? [t('new.options.recurring')] : []),
  ].join(' · ');
  return (
    <Disclosure className="more-options line-above" isExpanded={isExpanded} onExpandedChange={setOpen}>
      <Heading level={2} className="small regular">
        <Button
          slot="trigger"
          className="more-options-button row middle gap-2 full no-padding no-border rounded-s no-ground text-start pointer"
        >
          <ChevronRight size={16} aria-hidden="true" className="entry-chevron" />
          <strong>{t('new.options')}</strong>
          <Truncate className="muted" text={set} />
        </Button>
      </Heading>
      <DisclosurePanel>
        {isExpanded ? <OptionFields profile={profile} draft={draft} box={box} /> : null}
      </DisclosurePanel>
    </Disclosure>
  );
};
