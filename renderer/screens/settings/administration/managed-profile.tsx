import { Fact } from '../../../components/display/panel.tsx';
import { useState } from 'react';
import { Save } from 'lucide-react';
import type { ProfileView } from '../../../../shared/settings/profile.ts';
import { Button } from '../../../components/controls/button.tsx';
import { SecretBox, Toggle } from '../../../components/controls/fields.tsx';
import { KindMark } from '../../../components/display/marks.tsx';
import { ManagedMark } from '../../../forms/read-only.tsx';
import { Form, FormFoot, useTask } from '../../../forms/form.tsx';
import { useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { leaveProfileForm } from '../../../stores/settings/profile-focus-store.ts';

/** A profile that the policy of this computer fixes: only its password is entered here. */
export const ManagedProfile = ({ profile }: { profile: ProfileView }) => {
  const t = useText();
  const [password, setPassword] = useState('');
  const [thisRunOnly, setThisRunOnly] = useState(false);
  const { isBusy, problem, send } = useTask();
  const { id, password: state, ...draft } = profile;
  const keychainFailed = problem?.code.startsWith('keychain.') ?? false;
  const save = (): void => {
    if (password === '') return;
    void send(
      () => request('profiles.save', { id, profile: draft, password, thisRunOnly }),
      () => {
        setPassword('');
        leaveProfileForm(id);
      },
    );
  };
  return (
    <Form className="panel stack" label={profile.name} onSubmit={save}>
      <div className="line wrap">
        <h2>{profile.name}</h2>
        <KindMark kind={profile.kind} />
        <ManagedMark />
      </div>
      <dl className="facts wide-facts">
        {(
          [
            ['profile.base-url', profile.baseUrl],
            ['profile.merchant-key', profile.merchantKey],
            ['profile.currency', profile.defaultCurrency],
            ['profile.methods', profile.methods.join(', ')],
            ['profile.success-url', profile.successUrl],
            ['profile.cancel-url', profile.cancelUrl],
            ['profile.order-pattern', profile.orderPattern],
          ] as const
        ).map(([label, value]) => (
          <Fact key={label} name={t(label)} className="code break">
            {value}
          </Fact>
        ))}
      </dl>
      <div className="pair">
        <SecretBox
          label={t('profile.password')}
          name="password"
          value={password}
          onChange={setPassword}
          hint={t(`password.${state}`)}
          isRequired
        />
      </div>
      {keychainFailed || thisRunOnly ? (
        <Toggle isEnabled={thisRunOnly} onChange={setThisRunOnly} hint={t('profile.this-run.text')}>
          {t('profile.this-run')}
        </Toggle>
      ) : null}
      <FormFoot
        problem={problem}
        name={t('profile.save-password')}
        line="line wrap"
        icon={Save}
        isPending={isBusy}
      >
        <Button variant="quiet" onPress={() => leaveProfileForm(id)}>
          {t('cancel')}
        </Button>
      </FormFoot>
    </Form>
  );
};
