import { useState, type FormEvent } from 'react';
import { Save } from 'lucide-react';
import { Form } from 'react-aria-components';
import type { AppError } from '../../../../shared/errors.ts';
import type { ProfileView } from '../../../../shared/settings/profile.ts';
import { Button } from '../../../components/controls/button.tsx';
import { SecretBox } from '../../../components/controls/secret-box.tsx';
import { Toggle } from '../../../components/controls/select.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { KindMark } from '../../../components/display/kind-mark.tsx';
import { ManagedMark } from '../../../components/display/managed.tsx';
import { useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { go } from '../../../stores/route-store.ts';

const back = (): void => go({ screen: 'settings', section: 'profiles', id: null });

/** A profile that the policy of this computer fixes: only its password is entered here. */
export const ManagedProfile = ({ profile }: { profile: ProfileView }) => {
  const t = useText();
  const [password, setPassword] = useState('');
  const [thisRunOnly, setThisRunOnly] = useState(false);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<AppError | null>(null);
  const { id, password: state, ...draft } = profile;
  const keychainFailed = problem?.code.startsWith('keychain.') ?? false;
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (password === '') return;
    setSaving(true);
    const saved = await request('profiles.save', { id, profile: draft, password, thisRunOnly });
    setSaving(false);
    if (saved.ok) {
      setPassword('');
      back();
    } else setProblem(saved.error);
  };
  return (
    <Form className="panel stack" aria-label={profile.name} onSubmit={event => void save(event)}>
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
          <div className="fact" key={label}>
            <dt>{t(label)}</dt>
            <dd className="code break">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="pair">
        <SecretBox
          label={t('profile.password')}
          name="password"
          value={password}
          onChange={setPassword}
          hint={t(`password.${state}`)}
          placeholder=""
          problem={null}
          isRequired
        />
      </div>
      {keychainFailed || thisRunOnly ? (
        <Toggle isEnabled={thisRunOnly} onChange={setThisRunOnly} hint={t('profile.this-run.text')}>
          {t('profile.this-run')}
        </Toggle>
      ) : null}
      {problem ? <ErrorNote error={problem} /> : null}
      <div className="line wrap">
        <Button type="submit" variant="primary" icon={<Save size={16} />} isPending={saving}>
          {t('profile.save-password')}
        </Button>
        <Button variant="quiet" onPress={back}>
          {t('cancel')}
        </Button>
      </div>
    </Form>
  );
};
