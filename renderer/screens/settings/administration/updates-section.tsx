import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { updateServerSchema } from '../../../../shared/updates/update-server.ts';
import type { UpdateState } from '../../../../shared/updates/update-state.ts';
import { Button } from '../../../components/controls/button.tsx';
import { TextBox } from '../../../components/controls/text-box.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { ManagedSetting } from '../../../forms/managed.tsx';
import { Note } from '../../../components/display/note.tsx';
import { Time } from '../../../components/display/time.tsx';
import { Form } from '../../../forms/form.tsx';
import { useTask } from '../../../forms/use-task.ts';
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
  const { problem, run } = useTask<'apply' | 'check'>();
  if (!app) return null;
  const { updates, settings } = app;
  const server = settings.updateServer;
  const text = typed ?? server ?? '';
  const wanted = text.trim() === '' ? null : text.trim();
  const isValid = updateServerSchema.safeParse(wanted).success;

  const apply = (): Promise<void> =>
    run(
      'apply',
      () => change({ updateServer: wanted }),
      () => setTyped(ifUnchanged(typed, null)),
    );
  const check = (): Promise<void> =>
    run(
      'check',
      () => request('updates.check', {}),
      () => undefined,
    );

  return (
    <Form
      className="panel stack"
      label={t('update.title')}
      onSubmit={() => {
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
      {problem ? <ErrorNote error={problem} /> : null}
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
