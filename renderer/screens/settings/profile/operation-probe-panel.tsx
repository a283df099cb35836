import { useState } from 'react';
import type { RequestOutput } from '../../../../shared/contract/contract.ts';
import type { ProfileView } from '../../../../shared/settings/profile.ts';
import { Button } from '../../../components/controls/button.tsx';
import { ErrorNote } from '../../../components/display/error-note.tsx';
import { useTask } from '../../../forms/use-task.ts';
import { useMessage, useText } from '../../../i18n/text.ts';
import { request } from '../../../ipc-client.ts';

/** Whether the gateway has the operations at all, asked only by a press of the button. */
export const OperationProbePanel = ({ profile }: { profile: ProfileView | null }) => {
  const t = useText();
  const say = useMessage();
  const { isBusy, problem, run } = useTask();
  const [found, setFound] = useState<RequestOutput<'profiles.probeOperations'> | null>(null);
  const ask = (id: string): Promise<void> => {
    setFound(null);
    return run('send', () => request('profiles.probeOperations', { id }), setFound);
  };
  return (
    <div className="stack tight" aria-live="polite">
      <div className="line spread wrap">
        <p className="small quiet">{t('profile.operations.probe.text')}</p>
        <Button
          request="profiles.probeOperations"
          isPending={isBusy}
          isDisabled={profile === null || profile.password === 'missing'}
          onPress={() => {
            if (profile) void ask(profile.id);
          }}
        >
          {t('profile.operations.probe')}
        </Button>
      </div>
      {problem ? <ErrorNote error={problem} /> : null}
      {found === null ? null : (
        <p className="small">
          {t(`profile.operations.probe.${found.exists}`, { status: found.httpStatus ?? 0 })}
          {found.problem === null ? null : ` ${say(found.problem)}`}
        </p>
      )}
    </div>
  );
};
