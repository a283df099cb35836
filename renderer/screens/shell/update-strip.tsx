import { useState } from 'react';
import { RotateCw } from 'lucide-react';
import type { AppError } from '../../../shared/errors.ts';
import { Button } from '../../components/controls/button.tsx';
import { ConfirmDialog } from '../../components/controls/confirm-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { request } from '../../ipc-client.ts';
import { useAppState } from '../../stores/app-state-store.ts';
import { hasContent } from '../../stores/payments/draft.ts';
import { useNewPayment } from '../../stores/payments/new-payment-store.ts';

/** The version that is installed when the console closes, on every screen. A restart asks before text is lost. */
export const UpdateStrip = () => {
  const t = useText();
  const version = useAppState(({ appState }) => appState?.updates.version ?? null);
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<AppError | null>(null);
  const [isPending, setIsPending] = useState(false);
  if (version === null) return null;

  const restart = async (): Promise<void> => {
    setIsAsking(false);
    setIsPending(true);
    const begun = await request('updates.restart', {});
    setIsPending(false);
    setProblem(begun.ok ? null : begun.error);
  };

  return (
    <section className="job-strip" aria-label={t('update.title')}>
      <div className="job-state">
        <output className="small">
          {problem === null
            ? t('update.ready', { version })
            : `${t(`error.${problem.code}`)} ${t(`hint.${problem.code}`)}`}
        </output>
      </div>
      <span className="line push">
        <Button
          variant="quiet"
          icon={<RotateCw size={16} />}
          isPending={isPending}
          onPress={() => (hasContent(useNewPayment.getState()) ? setIsAsking(true) : void restart())}
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
