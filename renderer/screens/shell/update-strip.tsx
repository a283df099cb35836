import { useState } from 'react';
import { RotateCw } from 'lucide-react';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/controls/confirm-dialog.tsx';
import { useTask } from '../../forms/use-task.ts';
import { useMessage, useText } from '../../i18n/text.ts';
import { request } from '../../ipc-client.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { flushDrafts } from '../../stores/new-payment/keep-drafts.ts';
import { useNewPayment } from '../../stores/new-payment/new-payment-store.ts';
import { allDrafts, isInUse } from '../../stores/new-payment/open-drafts.ts';

/** Whether a restart would lose what was typed. */
const isTextLost = (): boolean => {
  const state = useNewPayment.getState();
  return state.kept !== 'restart' && allDrafts(state).some(isInUse);
};

/** The version that is installed when the console closes, on every screen. A restart asks before text is lost. */
export const UpdateStrip = () => {
  const t = useText();
  const say = useMessage();
  const version = useAppState(({ appState }) => appState?.updates.version ?? null);
  const last = useAppState(({ appState }) => appState?.updates.problem ?? null);
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, problem, run } = useTask();
  if (version === null) return null;

  const restart = (): Promise<void> => {
    setIsAsking(false);
    return run(
      'send',
      async () => {
        await flushDrafts();
        return request('updates.restart', {});
      },
      () => undefined,
    );
  };

  return (
    <section className="job-strip line wrap line-above on-surface" aria-label={t('update.title')}>
      <div className="job-state">
        <output className="small">
          {problem === null
            ? last?.code === 'update.failed'
              ? `${say(last.message)} ${last.hint ? say(last.hint) : ''}`
              : t('update.ready', { version })
            : `${t(`error.${problem.code}`)} ${t(`hint.${problem.code}`)}`}
        </output>
      </div>
      <span className="line push">
        <Button
          variant="quiet"
          icon={RotateCw}
          isPending={isBusy}
          onPress={() => (isTextLost() ? setIsAsking(true) : void restart())}
        >
          {t('update.restart')}
        </Button>
      </span>
      <ConfirmDialog
        title={t('update.restart.typed')}
        isOpen={isAsking}
        confirm={t('update.restart')}
        refuse={t('update.restart.later')}
        onConfirm={() => void restart()}
        onClose={() => setIsAsking(false)}
      >
        <p>{t('update.restart.typed.text')}</p>
      </ConfirmDialog>
    </section>
  );
};
