import { RefreshCw } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components';
import type { AppError } from '../../../../shared/errors.ts';
import { updateServerSchema } from '../../../../shared/updates/update-server.ts';
import type { UpdateState } from '../../../../shared/updates/update-state.ts';
import { Button } from '../../../components/controls/button.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { ManagedSetting } from '../../../components/display/managed.tsx';
import { Note } from '../../../components/display/note.tsx';
import { Time } from '../../../components/display/time.tsx';
import { useText, type Translate } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';
import { useManagedSetting } from '../../../use-managed.ts';
import { useWhoElse } from '../../../use-rights.ts';
import { useAppState } from '../../../stores/app-state-store.ts';
import { ifUnchanged } from '../../../if-unchanged.ts';

const stateInWords = ({ phase, version }: UpdateState, server: string | null, t: Translate): string => {
  if (server === null) return t('update.state.off');
  return version === null || phase === 'checking'
    ? t(phase === 'checking' ? 'update.state.checking' : 'update.state.idle')
    : t('update.state.ready', { version });
};

/** Where new versions come from, what the last check found, and who decides it. */
export const Updates = () => {
  const t = useText();
  const app = useAppState(({ appState }) => appState);
  const change = useAppState(state => state.change);
  const isManaged = useManagedSetting('updateServer');
  const isDisabled = useWhoElse({ right: 'settings' }) !== null || isManaged;
  const [typed, setTyped] = useState<string | null>(null);
  const [failure, setFailure] = useState<AppError | null>(null);
  if (!app) return null;
  const { updates, settings } = app;
  const server = settings.updateServer;
  const text = typed ?? server ?? '';
  const wanted = text.trim() === '' ? null : text.trim();
  const isValid = updateServerSchema.safeParse(wanted).success;

  const apply = async (): Promise<void> => {
    const applied = await change({ updateServer: wanted });
    setFailure(applied.ok ? null : applied.error);
    if (applied.ok) setTyped(ifUnchanged(typed, null));
  };
  const check = async (): Promise<void> => {
    const begun = await request('updates.check', {});
    setFailure(begun.ok ? null : begun.error);
  };

  return (
    <Form
      className="panel stack"
      aria-label={t('update.title')}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (isValid) void apply();
      }}
    >
      <div className="measure">
        <h2>{t('update.title')}</h2>
        <p className="small muted">{t('update.text')}</p>
      </div>
      {updates.obstacle ? <Note>{t(`update.obstacle.${updates.obstacle}`)}</Note> : null}
      <TextBox
        label={t('update.server')}
        labelExtra={<ManagedSetting path="updateServer" />}
        hint={t('update.server.hint')}
        value={text}
        isDisabled={isDisabled}
        onChange={setTyped}
        problem={isValid ? null : t('update.server.invalid')}
        inputClass="code"
        autoComplete="off"
      />
      <dl className="facts wide-facts">
        <div className="fact">
          <dt>{t('update.state')}</dt>
          <dd>{stateInWords(updates, server, t)}</dd>
        </div>
        <div className="fact">
          <dt>{t('update.last-check')}</dt>
          <dd>
            {updates.checkedAt === null ? t('update.last-check.never') : <Time at={updates.checkedAt} />}
          </dd>
        </div>
      </dl>
      {updates.problem ? <ErrorNote error={updates.problem} /> : null}
      {failure ? <ErrorNote error={failure} /> : null}
      <div className="line">
        {typed !== null && wanted !== server ? (
          <Button type="submit" variant="primary" isDisabled={!isValid || isDisabled}>
            {t('apply')}
          </Button>
        ) : null}
        <Button
          request="updates.check"
          icon={<RefreshCw size={16} />}
          isDisabled={server === null || updates.obstacle !== null || updates.phase === 'checking'}
          onPress={() => void check()}
        >
          {t(updates.phase === 'checking' ? 'update.checking' : 'update.check')}
        </Button>
      </div>
    </Form>
  );
};
