import { useState } from 'react';
import type { ProfileView } from '../../../shared/settings/profile.ts';
import type { AmountReading } from '../../amount-reading.ts';
import { Toggle } from '../../components/controls/select.tsx';
import { Money } from '../../components/display/money-text.tsx';
import { TextBox } from '../../components/controls/text-box.tsx';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { useTemplateChanges, useTemplates } from '../../queries/templates.ts';
import { Form, FormFoot } from '../../forms/form.tsx';
import { useText } from '../../i18n/text.ts';
import { nameProblem } from './template-problem.ts';

/** Saves the current form as a template: the charge, never the customer. */
export const SaveTemplate = ({
  profile,
  reading,
  onDone,
}: {
  profile: ProfileView;
  reading: AmountReading;
  onDone: () => void;
}) => {
  const t = useText();
  const { currency, description, methods } = useNewPayment();
  const templates = useTemplates();
  const { save, problem } = useTemplateChanges();
  const [name, setName] = useState(description.trim().slice(0, 60));
  const [withAmount, setWithAmount] = useState(reading.kind === 'read');
  const nameTaken = nameProblem(problem, t);
  const keep = async (): Promise<void> => {
    if (name.trim() === '') return;
    const saved = await save({
      id: null,
      profileId: profile.id,
      name: name.trim(),
      amount: withAmount && reading.kind === 'read' ? reading.wire : null,
      currency,
      description: description.trim(),
      methods: [...methods],
    });
    if (saved) onDone();
  };
  return (
    <Form label={t('templates.save')} onSubmit={() => void keep()}>
      <TextBox
        label={t('templates.its-name')}
        value={name}
        onChange={setName}
        maxLength={60}
        problem={nameTaken}
        hint={t('templates.its-name.hint', { count: templates.length })}
        // The dialog only asks for a name.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      {reading.kind === 'read' ? (
        <Toggle isEnabled={withAmount} onChange={setWithAmount} hint={t('templates.with-amount.hint')}>
          {t('templates.with-amount')} <Money amount={reading.wire} currency={currency} />
        </Toggle>
      ) : null}
      <p className="small quiet">{t('templates.never')}</p>
      <FormFoot
        problem={nameTaken === null ? problem : null}
        name={t('save')}
        request="templates.save"
        isDisabled={name.trim() === ''}
      />
    </Form>
  );
};
