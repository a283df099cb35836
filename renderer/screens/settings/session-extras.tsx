import { useState } from 'react';
import { ChevronRight } from 'lucide-react';
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components';
import type { SessionExtras } from '../../../shared/settings/profile.ts';
import { sections } from '../../assumptions.ts';
import { Toggle } from '../../components/controls/select.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import type { ProfileForm } from '../../stores/settings/profile-form.ts';
import { useText } from '../../i18n/text.ts';
import { Assumption } from './assumption.tsx';

const switches = ['sendCustomer', 'reqToken', 'cardToken', 'recurringInit'] as const;
const texts = [
  'scheduleId',
  'channelId',
  'expiryUrl',
  'errorUrl',
  'billingAddress',
  'customData',
  'extraJson',
] as const;

/** Optional session fields that the interface does not specify, and timeouts; collapsed by default. */
export const SessionExtrasFields = ({
  form,
  onChange,
  fieldProblem,
}: {
  form: ProfileForm;
  onChange: (form: ProfileForm) => void;
  fieldProblem: (path: string) => string | null;
}) => {
  const t = useText();
  const { extras } = form.draft;
  const set = (change: Partial<SessionExtras>): void =>
    onChange({ ...form, draft: { ...form.draft, extras: { ...extras, ...change } } });
  const seconds = (name: 'connect' | 'headers' | 'body') => ({
    value: form[name],
    onChange: (value: string) => onChange({ ...form, [name]: value }),
    problem: fieldProblem(`timeouts.${name}`),
    inputMode: 'decimal' as const,
  });
  const [isOpen, setIsOpen] = useState(false);
  const hasProblem = [
    ...['sessionExpiry', ...texts].map(name => `extras.${name}`),
    ...['connect', 'headers', 'body'].map(name => `timeouts.${name}`),
  ].some(path => fieldProblem(path) !== null);
  return (
    <Disclosure className="panel disclosure" isExpanded={isOpen || hasProblem} onExpandedChange={setIsOpen}>
      <Heading level={3}>
        <Button slot="trigger" className="disclosure-button">
          <ChevronRight size={16} aria-hidden="true" className="entry-chevron" />
          {t('profile.group.extras')}
        </Button>
      </Heading>
      <DisclosurePanel>
        <div className="stack spaced">
          <p className="small quiet line wrap">
            {t('profile.group.extras.text')} <Assumption section={sections.extras} />
          </p>
          <div className="pair">
            {switches.map(name => (
              <Toggle
                key={name}
                isEnabled={extras[name]}
                onChange={isEnabled => set({ [name]: isEnabled })}
                hint={t(`extra.${name}.text`)}
              >
                {t(`extra.${name}`)}
              </Toggle>
            ))}
          </div>
          <div className="pair">
            <TextBox
              label={t('extra.sessionExpiry')}
              hint={t('extra.sessionExpiry.text')}
              value={form.sessionExpiry}
              onChange={sessionExpiry => onChange({ ...form, sessionExpiry })}
              problem={fieldProblem('extras.sessionExpiry')}
              inputMode="numeric"
            />
            {texts.map(name => (
              <TextBox
                key={name}
                label={t(`extra.${name}`)}
                hint={t(`extra.${name}.text`)}
                value={extras[name]}
                onChange={text => set({ [name]: text })}
                problem={fieldProblem(`extras.${name}`)}
                inputClass="code"
                autoComplete="off"
              />
            ))}
          </div>
          <h4 className="caps">{t('profile.timeouts')}</h4>
          <div className="triple">
            <TextBox {...seconds('connect')} label={t('timeout.connect')} />
            <TextBox {...seconds('headers')} label={t('timeout.headers')} />
            <TextBox {...seconds('body')} label={t('timeout.body')} />
          </div>
        </div>
      </DisclosurePanel>
    </Disclosure>
  );
};
